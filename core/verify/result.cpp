// SPDX-License-Identifier: Apache-2.0
#include "core/verify/result.h"

#include <nlohmann/json.hpp>

#include "core/base/json_format.h"
#include "core/measure/metrics.h"
#include "core/project/project_file.h"
#include "core/said/said.h"

namespace kernelgen {

using nlohmann::json;

namespace {

struct ErrorNumber {
    const Metric& metric;
    double ErrorMetrics::* member;
};

constexpr ErrorNumber numbers[] = {
    {metrics::max_absolute, &ErrorMetrics::max_absolute},  {metrics::mean_absolute, &ErrorMetrics::mean_absolute},
    {metrics::p50_absolute, &ErrorMetrics::p50_absolute},  {metrics::p90_absolute, &ErrorMetrics::p90_absolute},
    {metrics::p99_absolute, &ErrorMetrics::p99_absolute},  {metrics::max_relative, &ErrorMetrics::max_relative},
    {metrics::mean_relative, &ErrorMetrics::mean_relative}};

/// Numbers that the records of older versions do not have.
constexpr ErrorNumber newer_numbers[] = {{metrics::kl_divergence, &ErrorMetrics::kl_divergence},
                                         {metrics::clip_ratio, &ErrorMetrics::clip_ratio}};

ErrorMetrics metrics_from_json(const json& object) {
    ErrorMetrics errors;
    errors.elements = object.at(metrics::elements.name);
    errors.mismatches = object.at(metrics::mismatches.name);
    errors.excluded = object.at(metrics::excluded.name);
    for (const auto& [metric, member] : numbers) errors.*member = number_from_json(object.at(metric.name));
    for (const auto& [metric, member] : newer_numbers) {
        if (object.contains(metric.name)) errors.*member = number_from_json(object.at(metric.name));
    }
    errors.exact = object.at(metrics::exact.name);
    errors.first_exponent = object.at("first_exponent");
    errors.histogram = object.at("histogram").get<std::vector<std::int64_t>>();
    return errors;
}

json mismatch_to_json(const Mismatch& mismatch) {
    return {{"output", mismatch.output},
            {"index", mismatch.index},
            {"expected", json_number(mismatch.expected)},
            {"actual", json_number(mismatch.actual)}};
}

Mismatch mismatch_from_json(const json& object) {
    return {object.at("output"), object.at("index").get<std::vector<std::int64_t>>(),
            number_from_json(object.at("expected")), number_from_json(object.at("actual"))};
}

Status status_from_json(const json& value) {
    const std::optional<Status> status = parse_status(value.get<std::string>());
    if (!status) throw std::runtime_error("unknown status " + value.dump());
    return *status;
}

CaseAccuracy case_from_result(const json& object) {
    CaseAccuracy accuracy;
    Validated<Case> binding = case_from_json(object.at("case"));
    if (!binding) throw std::runtime_error(to_string(binding.error()));
    accuracy.binding = std::move(*binding);
    const std::optional<InputSet> set = parse_input_set(object.at("set").get<std::string>());
    if (!set) throw std::runtime_error("unknown input set " + object.at("set").dump());
    accuracy.set = *set;
    accuracy.seed = object.at("seed");
    accuracy.own_case = object.at("own_case");
    accuracy.status = status_from_json(object.at("status"));
    accuracy.reason = own_words(object, "reason");
    accuracy.metrics = metrics_from_json(object.at("metrics"));
    for (const json& each : object.at("first_mismatches")) {
        accuracy.first_mismatches.push_back(mismatch_from_json(each));
    }
    return accuracy;
}

}  // namespace

json to_json(const ErrorMetrics& errors) {
    json object = {{metrics::elements.name, errors.elements}, {metrics::mismatches.name, errors.mismatches},
                   {metrics::excluded.name, errors.excluded}, {metrics::exact.name, errors.exact},
                   {"first_exponent", errors.first_exponent}, {"histogram", errors.histogram}};
    for (const auto& [metric, member] : numbers) object[metric.name] = json_number(errors.*member);
    for (const auto& [metric, member] : newer_numbers) object[metric.name] = json_number(errors.*member);
    return object;
}

json to_json(const CaseAccuracy& accuracy) {
    json mismatches = json::array();
    for (const Mismatch& mismatch : accuracy.first_mismatches) mismatches.push_back(mismatch_to_json(mismatch));
    json object = {{"case", json(to_json(accuracy.binding))},
                   {"set", to_string(accuracy.set)},
                   {"seed", accuracy.seed},
                   {"own_case", accuracy.own_case},
                   {"status", to_string(accuracy.status)},
                   {"metrics", to_json(accuracy.metrics)},
                   {"first_mismatches", std::move(mismatches)}};
    put_said(object, "reason", accuracy.reason);
    return object;
}

json to_json(const VerifyResult& result) {
    json cases = json::array();
    for (const CaseAccuracy& each : result.cases) cases.push_back(to_json(each));
    json object = {{"status", to_string(result.status)}, {"checks", result.checks},
                   {"seconds", result.seconds},          {"cases", std::move(cases)},
                   {"printed", result.printed},          {"builds", to_json(result.builds)}};
    put_said(object, "reason", result.reason);
    put_said(object, "warnings", result.warnings);
    return object;
}

VerifyResult verify_result_from_json(const json& object) {
    VerifyResult result;
    result.status = status_from_json(object.at("status"));
    result.reason = own_words(object, "reason");
    result.checks = object.at("checks");
    result.seconds = object.at("seconds");
    for (const json& each : object.at("cases")) result.cases.push_back(case_from_result(each));
    result.warnings = all_own_words(object, "warnings");
    result.printed = object.value("printed", "");
    if (object.contains("builds")) result.builds = builds_from_json(object.at("builds"));
    return result;
}

}  // namespace kernelgen
