// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/finding.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/measure/metrics.h"
#include "core/project/project_file.h"

namespace kernelgen {

using nlohmann::ordered_json;

std::string_view to_string(EvidenceSource source) {
    switch (source) {
        case EvidenceSource::timing: return "timing";
        case EvidenceSource::counter: return "counter";
        case EvidenceSource::roofline: return "roofline";
        case EvidenceSource::build: return "build";
        case EvidenceSource::launch: return "launch";
        case EvidenceSource::source: return "source";
        case EvidenceSource::definition: break;
    }
    return "definition";
}

std::string_view to_string(Confidence confidence) {
    switch (confidence) {
        case Confidence::measured: return "measured";
        case Confidence::derived: return "derived";
        case Confidence::possible: break;
    }
    return "possible";
}

std::string_view to_string(FindingKind kind) {
    switch (kind) {
        case FindingKind::cause: return "cause";
        case FindingKind::bound: return "bound";
        case FindingKind::doubt: break;
    }
    return "doubt";
}

std::optional<double> Evidence::value(std::string_view name) const {
    const auto found = values.find(std::string(name));
    return found == values.end() ? std::nullopt : std::optional(found->second.value);
}

void Evidence::put(const char* name, double value, EvidenceSource source, std::vector<SourcePlace> where) {
    if (std::isfinite(value)) values[name] = {value, source, std::move(where)};
}

namespace {

ordered_json to_json(const FindingFigure& figure) {
    ordered_json object = {{"name", figure.name}, {"value", figure.value}, {"unit", ""}};
    if (const Metric* metric = find_metric(figure.name)) object["unit"] = metric->unit;
    if (figure.threshold) object["threshold"] = *figure.threshold;
    object["source"] = to_string(figure.source);
    return object;
}

ordered_json to_json(const std::vector<SourcePlace>& places) {
    ordered_json list = ordered_json::array();
    for (const SourcePlace& each : places) list.push_back({{"file", each.file}, {"line", each.line}});
    return list;
}

ordered_json to_json(const Finding& finding) {
    ordered_json figures = ordered_json::array();
    for (const FindingFigure& each : finding.figures) figures.push_back(to_json(each));
    ordered_json object = {{"rule", finding.rule},
                           {"kind", to_string(finding.kind)},
                           {"confidence", to_string(finding.confidence)},
                           {"figures", figures},
                           {"most_gain", nullptr}};
    if (finding.most_gain) object["most_gain"] = *finding.most_gain;
    else object["no_gain_reason"] = finding.no_gain_reason;
    object["strategies"] = finding.strategies;
    object["where"] = to_json(finding.where);
    return object;
}

ordered_json to_json(const LayoutAdvice& advice) {
    return {{"tensor", advice.tensor},
            {"layout", advice.layout},
            {"cost_now", advice.cost_now},
            {"cost_then", advice.cost_then},
            {"convert_seconds", advice.convert_seconds},
            {"saved_seconds", advice.saved_seconds},
            {"calls", advice.calls}};
}

ordered_json to_json(const Evidence& evidence) {
    ordered_json values = ordered_json::object();
    for (const auto& [name, known] : evidence.values)
        values[name] = {{"value", known.value}, {"source", to_string(known.source)}};
    return values;
}

}  // namespace

ordered_json to_json(const Diagnosis& diagnosis) {
    ordered_json findings = ordered_json::array(), missing = ordered_json::array(), layouts = ordered_json::array();
    for (const LayoutAdvice& each : diagnosis.evidence.layouts) layouts.push_back(to_json(each));
    for (const Finding& each : diagnosis.findings) findings.push_back(to_json(each));
    for (const MissingEvidence& each : diagnosis.missing)
        missing.push_back({{"name", each.name}, {"reason", each.reason}, {"rules", each.rules}});
    return {{"case", to_json(diagnosis.evidence.binding)},
            {"findings", findings},
            {"layouts", layouts},
            {"missing", missing},
            {"evidence", to_json(diagnosis.evidence)}};
}

}  // namespace kernelgen
