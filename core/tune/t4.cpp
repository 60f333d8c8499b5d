// SPDX-License-Identifier: Apache-2.0
#include "core/tune/t4.h"

#include <algorithm>
#include <format>
#include <initializer_list>
#include <nlohmann/json.hpp>

#include "core/tune/objective_scale.h"

namespace kernelgen {

using nlohmann::json;

namespace {

struct Unit {
    std::string_view name;
    double seconds;
};
constexpr Unit time_units[] = {{"s", 1},
                               {"sec", 1},
                               {"second", 1},
                               {"seconds", 1},
                               {"ms", 1e-3},
                               {"msec", 1e-3},
                               {"millisecond", 1e-3},
                               {"milliseconds", 1e-3},
                               {"miliseconds", 1e-3},
                               {"us", 1e-6},
                               {"µs", 1e-6},
                               {"usec", 1e-6},
                               {"microsecond", 1e-6},
                               {"microseconds", 1e-6},
                               {"ns", 1e-9},
                               {"nsec", 1e-9},
                               {"nanosecond", 1e-9},
                               {"nanoseconds", 1e-9}};

std::string in_lower_case(std::string_view text) {
    std::string lower(text);
    for (char& each : lower) each = each >= 'A' && each <= 'Z' ? static_cast<char>(each - 'A' + 'a') : each;
    return lower;
}

/// The member, or null where it is missing or the value is no object.
const json* member_of(const json& value, const std::string& key) {
    const auto found = value.is_object() ? value.find(key) : value.end();
    return found == value.end() ? nullptr : &*found;
}

std::string text_of_member(const json& value, const char* key) {
    const json* found = member_of(value, key);
    return found != nullptr && found->is_string() ? found->get<std::string>() : "";
}

/// The first of these members that is a text; "" where none is.
std::string text_of_first(const json& value, std::initializer_list<const char*> keys) {
    for (const char* key : keys) {
        if (std::string text = text_of_member(value, key); !text.empty()) return text;
    }
    return "";
}

std::string unit_of(const json& measurement) { return text_of_first(measurement, {"unit", "units"}); }

const json* measurement_named(const json& result, const std::string& name) {
    const json* measurements = member_of(result, "measurements");
    if (measurements == nullptr || !measurements->is_array()) return nullptr;
    for (const json& each : *measurements) {
        if (text_of_member(each, "name") == name) return &each;
    }
    return nullptr;
}

/// Whether a measurement is a time: by its unit, or where it has none by its name.
bool is_time(const json& measurement) {
    const std::string unit = unit_of(measurement), name = in_lower_case(text_of_member(measurement, "name"));
    return unit.empty() ? name.contains("time") || name.contains("duration") : seconds_in(unit).has_value();
}

/// The measurement that the first objective names; without objectives, or where that is no time, "time".
const json* objective_of(const json& result) {
    const json* objectives = member_of(result, "objectives");
    const bool has_name =
        objectives != nullptr && objectives->is_array() && !objectives->empty() && objectives->front().is_string();
    const json* named = measurement_named(result, has_name ? objectives->front().get<std::string>() : "time");
    if (named == nullptr || is_time(*named)) return named;
    const json* time = measurement_named(result, "time");
    return time != nullptr ? time : named;
}

bool has_failed(const json& result) {
    const std::string invalidity = text_of_member(result, "invalidity");
    return !invalidity.empty() && invalidity != "correct";
}

RecordedTrial read_result(const JsonPlace& place, const std::string& default_unit) {
    RecordedTrial trial;
    if (!place.expect_object()) return trial;
    const std::string key = "configuration";
    const json* configuration = member_of(place.value(), key);
    if (configuration == nullptr) place.error("has no `configuration`");
    else read_configuration(place.member(key, *configuration), trial.configuration);
    if (has_failed(place.value())) return trial;
    const json* objective = objective_of(place.value());
    const json* value = objective == nullptr ? nullptr : member_of(*objective, "value");
    if (value == nullptr) {
        place.error("has no measurement of its objective",
                    "a result that failed has another `invalidity` than correct");
        return trial;
    }
    const std::string own_unit = unit_of(*objective);
    const std::string& unit_name = own_unit.empty() ? default_unit : own_unit;
    const auto unit = seconds_in(unit_name);
    const std::string name = in_backquotes(text_of_member(*objective, "name"));
    if (!unit)
        place.error(say("{} is measured in {}", name, in_backquotes(unit_name)),
                    "only times can be read, in s, ms, us or ns");
    else if (!is_time(*objective))
        place.error(say("{} has no unit", name), "only times can be read, in s, ms, us or ns");
    if (unit && value->is_number()) trial.seconds = usable(value->get<double>() * *unit);
    return trial;
}

}  // namespace

std::optional<double> seconds_in(std::string_view unit) {
    const auto* found = std::ranges::find(time_units, in_lower_case(unit), &Unit::name);
    if (found == std::end(time_units)) return std::nullopt;
    return found->seconds;
}

void read_configuration(const JsonPlace& place, Configuration& configuration) {
    if (!place.expect_object()) return;
    for (const auto& [name, value] : place.value().items()) {
        const JsonPlace member = place.member(name, value);
        if (value.is_boolean()) configuration[name] = value.get<bool>() ? 1 : 0;
        else if (value.is_number_integer()) read(member, configuration[name]);
        else
            member.error(say("expected an integer, found {}", in_backquotes(value.dump())),
                         "parameters of other types cannot be tuned here");
    }
}

bool is_t4(const json& document) { return member_of(document, "results") != nullptr; }

Recording read_t4(const JsonPlace& document) {
    Recording recording;
    const std::string key = "results";
    const json& results = document.value().at(key);
    const JsonPlace place = document.member(key, results);
    if (!results.is_array()) {
        place.error("expected a list of results");
        return recording;
    }
    const json* metadata = member_of(document.value(), "metadata");
    std::string unit = metadata == nullptr ? "" : text_of_first(*metadata, {"timeunit", "time_unit", "TimeUnit"});
    if (unit.empty()) unit = "milliseconds";
    for (std::size_t i = 0; i < results.size() && document.diagnostics().size() < 100; ++i)
        recording.trials.push_back(read_result(place.element(i), unit));
    return recording;
}

}  // namespace kernelgen
