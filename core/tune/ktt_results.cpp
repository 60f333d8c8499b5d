// SPDX-License-Identifier: Apache-2.0
#include "core/tune/ktt_results.h"

#include <nlohmann/json.hpp>

#include "core/tune/objective_scale.h"
#include "core/tune/t4.h"

namespace kernelgen {

using nlohmann::json;

namespace {

constexpr const char* results_key = "Results";

/// Nothing, and an error, where the file does not say it.
std::optional<double> seconds_of_unit(const JsonPlace& document) {
    const json metadata = document.value().value("Metadata", json::object());
    const std::string unit = metadata.is_object() && metadata.contains("TimeUnit") && metadata["TimeUnit"].is_string()
                                 ? metadata["TimeUnit"].get<std::string>()
                                 : "";
    const auto seconds = seconds_in(unit);
    if (!seconds)
        document.error("the `TimeUnit` of its `Metadata` is " + in_backquotes(unit),
                       "only Seconds, Milliseconds, Microseconds and Nanoseconds can be read");
    return seconds;
}

struct KttValue {
    std::string name;
    json value;
};

void read(const JsonPlace& place, KttValue& parameter) {
    JsonObject object(place);
    object.required("Name", parameter.name);
    if (!place.value().is_object()) return;
    if (const auto found = place.value().find("Value"); found != place.value().end()) parameter.value = *found;
    else place.error("the key `Value` is missing");
}

RecordedTrial read_ktt_result(const JsonPlace& place, double unit) {
    RecordedTrial trial;
    std::vector<KttValue> values;
    std::string status;
    double duration = 0;
    JsonObject object(place);
    object.required("Configuration", values);
    object.required("Status", status);
    json configuration = json::object();
    for (const KttValue& each : values) configuration[each.name] = each.value;
    read_configuration(JsonPlace(configuration, place.diagnostics()), trial.configuration);
    if (status != "Ok") return trial;
    object.required("TotalDuration", duration);
    trial.seconds = usable(duration * unit);
    return trial;
}

}  // namespace

bool is_ktt_results(const json& document) { return document.is_object() && document.contains(results_key); }

Recording read_ktt_results(const JsonPlace& document) {
    Recording recording;
    const std::string key = results_key;
    const json& results = document.value().at(key);
    const JsonPlace place = document.member(key, results);
    const auto unit = seconds_of_unit(document);
    if (!results.is_array()) place.error("expected a list of results");
    if (!unit || !results.is_array()) return recording;
    for (std::size_t i = 0; i < results.size() && document.diagnostics().size() < 100; ++i)
        recording.trials.push_back(read_ktt_result(place.element(i), *unit));
    return recording;
}

}  // namespace kernelgen
