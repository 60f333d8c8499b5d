// SPDX-License-Identifier: Apache-2.0
#include "core/measure/result.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/measure/metrics.h"
#include "core/project/project_file.h"
#include "core/said/said.h"

namespace kernelgen {

using nlohmann::json;

namespace {

json summary_to_json(const Summary& summary) {
    return {{"samples", summary.samples},
            {metrics::min.name, summary.min},
            {metrics::p50.name, summary.p50},
            {metrics::p90.name, summary.p90},
            {metrics::p99.name, summary.p99},
            {metrics::mean.name, summary.mean},
            {metrics::standard_deviation.name, summary.standard_deviation},
            {metrics::relative_standard_deviation.name, summary.relative_standard_deviation},
            {metrics::outliers.name, summary.outliers}};
}

Summary summary_from_json(const json& object) {
    return {.samples = object.at("samples"),
            .min = object.at(metrics::min.name),
            .p50 = object.at(metrics::p50.name),
            .p90 = object.at(metrics::p90.name),
            .p99 = object.at(metrics::p99.name),
            .mean = object.at(metrics::mean.name),
            .standard_deviation = object.at(metrics::standard_deviation.name),
            .relative_standard_deviation = object.at(metrics::relative_standard_deviation.name),
            .outliers = object.at(metrics::outliers.name)};
}

json speedup_to_json(const Speedup& speedup) {
    return {{"median", speedup.median},
            {"lower", speedup.lower},
            {"upper", speedup.upper},
            {metrics::ratio_of_medians.name, speedup.ratio_of_medians},
            {metrics::p_value.name, speedup.p_value},
            {metrics::pairs.name, speedup.pairs}};
}

Speedup speedup_from_json(const json& object) {
    return {.median = object.at("median"),
            .lower = object.at("lower"),
            .upper = object.at("upper"),
            .ratio_of_medians = object.at(metrics::ratio_of_medians.name),
            .p_value = object.at(metrics::p_value.name),
            .pairs = object.at(metrics::pairs.name)};
}

json counters_to_json(const Counters& counters) {
    json object;
    put_said(object, "reason", counters.reason);
    if (counters.cache_hit_rate) object[metrics::cache_hit_rate.name] = *counters.cache_hit_rate;
    if (!counters.values.empty()) object["values"] = counters.values;
    return object;
}

Counters counters_from_json(const json& object) {
    Counters counters;
    if (object.contains(metrics::cache_hit_rate.name))
        counters.cache_hit_rate = std::min(1.0, object.at(metrics::cache_hit_rate.name).get<double>());
    counters.reason = own_words(object, "reason");
    if (object.contains("values")) counters.values = object.at("values").get<std::map<std::string, double>>();
    return counters;
}

}  // namespace

json to_json(const BenchResult& result) {
    json object = {
        {"status", to_string(result.status)}, {"case", json(to_json(result.binding))}, {"baseline", result.baseline}};
    put_said(object, "reason", result.reason);
    put_said(object, "warnings", result.warnings);
    if (result.speedup.pairs == 0) return object;
    object["candidate_seconds"] = result.candidate_seconds;
    object["baseline_seconds"] = result.baseline_seconds;
    object["candidate"] = summary_to_json(result.candidate);
    object["baseline_summary"] = summary_to_json(result.baseline_summary);
    object["speedup"] = speedup_to_json(result.speedup);
    object["ended_by"] = result.ended_by;
    object[metrics::repeats.name] = result.repeats;
    object[metrics::checked_calls.name] = result.checked_calls;
    object[metrics::compared_calls.name] = result.compared_calls;
    object[metrics::tail_waste.name] = result.tail_waste;
    object[metrics::workspace_bytes.name] = result.workspace_bytes;
    object["counters"] = counters_to_json(result.counters);
    if (!result.conditions.empty()) object["conditions"] = result.conditions;
    return object;
}

BenchResult bench_result_from_json(const json& object) {
    BenchResult result;
    result.status = parse_status(object.at("status").get<std::string>()).value_or(Status::crashed);
    result.reason = own_words(object, "reason");
    if (auto binding = case_from_json(object.at("case"))) result.binding = std::move(*binding);
    result.baseline = object.at("baseline");
    result.warnings = all_own_words(object, "warnings");
    if (!object.contains("speedup")) return result;
    result.candidate_seconds = object.at("candidate_seconds").get<std::vector<double>>();
    result.baseline_seconds = object.at("baseline_seconds").get<std::vector<double>>();
    result.candidate = summary_from_json(object.at("candidate"));
    result.baseline_summary = summary_from_json(object.at("baseline_summary"));
    result.speedup = speedup_from_json(object.at("speedup"));
    result.ended_by = object.at("ended_by");
    result.repeats = object.at(metrics::repeats.name);
    result.checked_calls = object.at(metrics::checked_calls.name);
    result.compared_calls = object.value(metrics::compared_calls.name, std::int64_t{0});
    result.tail_waste = object.at(metrics::tail_waste.name);
    result.workspace_bytes = object.value(metrics::workspace_bytes.name, 0.0);
    result.counters = counters_from_json(object.at("counters"));
    if (object.contains("conditions")) result.conditions = object.at("conditions").get<std::map<std::string, double>>();
    return result;
}

}  // namespace kernelgen
