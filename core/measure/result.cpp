// SPDX-License-Identifier: Apache-2.0
#include "core/measure/result.h"

#include <nlohmann/json.hpp>

#include "core/project/project_file.h"

namespace kernelgen {

using nlohmann::json;

namespace {

json summary_to_json(const Summary& summary) {
    return {{"samples", summary.samples},
            {"min", summary.min},
            {"p50", summary.p50},
            {"p90", summary.p90},
            {"p99", summary.p99},
            {"mean", summary.mean},
            {"standard_deviation", summary.standard_deviation},
            {"relative_standard_deviation", summary.relative_standard_deviation},
            {"outliers", summary.outliers}};
}

Summary summary_from_json(const json& object) {
    return {.samples = object.at("samples"),
            .min = object.at("min"),
            .p50 = object.at("p50"),
            .p90 = object.at("p90"),
            .p99 = object.at("p99"),
            .mean = object.at("mean"),
            .standard_deviation = object.at("standard_deviation"),
            .relative_standard_deviation = object.at("relative_standard_deviation"),
            .outliers = object.at("outliers")};
}

json speedup_to_json(const Speedup& speedup) {
    return {{"median", speedup.median},   {"lower", speedup.lower},
            {"upper", speedup.upper},     {"ratio_of_medians", speedup.ratio_of_medians},
            {"p_value", speedup.p_value}, {"pairs", speedup.pairs}};
}

Speedup speedup_from_json(const json& object) {
    return {.median = object.at("median"),
            .lower = object.at("lower"),
            .upper = object.at("upper"),
            .ratio_of_medians = object.at("ratio_of_medians"),
            .p_value = object.at("p_value"),
            .pairs = object.at("pairs")};
}

json counters_to_json(const Counters& counters) {
    json object = {{"reason", counters.reason}};
    if (counters.cache_hit_rate) object["cache_hit_rate"] = *counters.cache_hit_rate;
    if (!counters.values.empty()) object["values"] = counters.values;
    return object;
}

Counters counters_from_json(const json& object) {
    Counters counters;
    if (object.contains("cache_hit_rate")) counters.cache_hit_rate = object.at("cache_hit_rate").get<double>();
    counters.reason = object.at("reason");
    if (object.contains("values")) counters.values = object.at("values").get<std::map<std::string, double>>();
    return counters;
}

}  // namespace

json to_json(const BenchResult& result) {
    json object = {{"status", to_string(result.status)},
                   {"reason", result.reason},
                   {"case", json(to_json(result.binding))},
                   {"baseline", result.baseline},
                   {"warnings", result.warnings}};
    if (result.speedup.pairs == 0) return object;
    object["candidate_seconds"] = result.candidate_seconds;
    object["baseline_seconds"] = result.baseline_seconds;
    object["candidate"] = summary_to_json(result.candidate);
    object["baseline_summary"] = summary_to_json(result.baseline_summary);
    object["speedup"] = speedup_to_json(result.speedup);
    object["ended_by"] = result.ended_by;
    object["repeats"] = result.repeats;
    object["checked_calls"] = result.checked_calls;
    object["compared_calls"] = result.compared_calls;
    object["tail_waste"] = result.tail_waste;
    object["counters"] = counters_to_json(result.counters);
    if (!result.conditions.empty()) object["conditions"] = result.conditions;
    return object;
}

BenchResult bench_result_from_json(const json& object) {
    BenchResult result;
    result.status = parse_status(object.at("status").get<std::string>()).value_or(Status::crashed);
    result.reason = object.at("reason");
    if (auto binding = case_from_json(object.at("case"))) result.binding = std::move(*binding);
    result.baseline = object.at("baseline");
    result.warnings = object.at("warnings");
    if (!object.contains("speedup")) return result;
    result.candidate_seconds = object.at("candidate_seconds").get<std::vector<double>>();
    result.baseline_seconds = object.at("baseline_seconds").get<std::vector<double>>();
    result.candidate = summary_from_json(object.at("candidate"));
    result.baseline_summary = summary_from_json(object.at("baseline_summary"));
    result.speedup = speedup_from_json(object.at("speedup"));
    result.ended_by = object.at("ended_by");
    result.repeats = object.at("repeats");
    result.checked_calls = object.at("checked_calls");
    result.compared_calls = object.value("compared_calls", std::int64_t{0});
    result.tail_waste = object.at("tail_waste");
    result.counters = counters_from_json(object.at("counters"));
    if (object.contains("conditions")) result.conditions = object.at("conditions").get<std::map<std::string, double>>();
    return result;
}

}  // namespace kernelgen
