// SPDX-License-Identifier: Apache-2.0
#include "core/round/applied.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/json_values.h"

namespace kernelgen {

using nlohmann::json;

namespace {

constexpr std::pair<GainSource, std::string_view> gain_sources[] = {{GainSource::bound, "bound"},
                                                                    {GainSource::guess, "guess"},
                                                                    {GainSource::patterns, "patterns"},
                                                                    {GainSource::model, "model"},
                                                                    {GainSource::rounds, "rounds"}};

}  // namespace

std::string_view to_string(GainSource source) {
    return std::ranges::find(gain_sources, source, &std::pair<GainSource, std::string_view>::first)->second;
}

std::optional<GainSource> parse_gain_source(std::string_view name) {
    const auto found = std::ranges::find(gain_sources, name, &std::pair<GainSource, std::string_view>::second);
    return found == std::end(gain_sources) ? std::nullopt : std::optional(found->first);
}

StrategyOutcome outcome_of(const AppliedStrategy& applied) {
    if (!applied.gain) return StrategyOutcome::failed;
    if (applied.gain->lower > 1) return StrategyOutcome::gained;
    return applied.gain->upper < 1 ? StrategyOutcome::lost : StrategyOutcome::neither;
}

json to_json(const Gain& gain) { return {{"likely", gain.likely}, {"lower", gain.lower}, {"upper", gain.upper}}; }

void read(const JsonPlace& place, Gain& gain) {
    Gain told;
    JsonObject object(place);
    object.required("likely", told.likely);
    object.required("lower", told.lower);
    object.required("upper", told.upper);
    object.finish();
    if (!(told.lower > 0 && told.lower <= told.likely && told.likely <= told.upper))
        return place.error("a gain is above 0, with `lower` ≤ `likely` ≤ `upper`");
    gain = told;
}

void read(const JsonPlace& place, GainSource& source) {
    read_choice(place, source, parse_gain_source, "source of a gain", {"bound", "patterns", "model", "rounds"});
}

json to_json(const AppliedStrategy& applied) {
    json result = {{"strategy", applied.strategy},
                   {"after", applied.after},
                   {"change", applied.change},
                   {"expected", to_json(applied.expected)},
                   {"expected_from", to_string(applied.expected_from)}};
    if (!applied.finding.empty()) result["finding"] = applied.finding;
    if (!applied.when.empty()) result["when"] = applied.when;
    if (applied.gain) result["gain"] = to_json(*applied.gain);
    if (!applied.next.empty()) {
        result["next"] = applied.next;
        result["next_expected"] = to_json(applied.next_expected);
    }
    if (!applied.ended.empty()) result["ended"] = applied.ended;
    return result;
}

void read(const JsonPlace& place, AppliedStrategy& applied) {
    JsonObject object(place);
    object.required("strategy", applied.strategy);
    object.optional("finding", applied.finding);
    object.required("after", applied.after);
    object.required("change", applied.change);
    object.optional("when", applied.when);
    object.required("expected", applied.expected);
    object.required("expected_from", applied.expected_from);
    object.optional("gain", applied.gain);
    object.optional("next", applied.next);
    object.optional("next_expected", applied.next_expected);
    object.optional("ended", applied.ended);
}

}  // namespace kernelgen
