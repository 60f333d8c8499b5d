// SPDX-License-Identifier: Apache-2.0
#include "core/round/record.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/json_format.h"
#include "core/base/json_values.h"
#include "core/measure/metrics.h"
#include "core/project/project_file.h"
#include "core/project/schema.h"
#include "core/said/said.h"

namespace kernelgen {

using nlohmann::json;

namespace {

constexpr std::array<std::pair<ChangeKind, std::string_view>, 6> change_kinds{
    {{ChangeKind::first, "first"},
     {ChangeKind::none, "none"},
     {ChangeKind::tunables, "tunables"},
     {ChangeKind::implementation, "implementation"},
     {ChangeKind::interface, "interface"},
     {ChangeKind::logic, "logic"}}};

}  // namespace

void read(const JsonPlace& place, Status& status) {
    std::string name;
    read(place, name);
    const auto parsed = parse_status(name);
    if (!parsed) return place.error(say("unknown status {}", in_backquotes(name)));
    status = *parsed;
}

void read(const JsonPlace& place, ChangeKind& kind) {
    std::string name;
    read(place, name);
    const auto found = std::ranges::find(change_kinds, name, &std::pair<ChangeKind, std::string_view>::second);
    if (found == change_kinds.end()) return place.error(say("unknown kind of change {}", in_backquotes(name)));
    kind = found->first;
}

void read(const JsonPlace& place, RooflinePoint& point) { point = roofline_point_from_json(place.value()); }

void read(const JsonPlace& place, RoundCase& summary) {
    JsonObject object(place);
    object.required("case", summary.binding);
    object.optional("configuration", summary.configuration);
    object.required("status", summary.status);
    object.optional("max_absolute_error", AnyNumber{summary.max_absolute_error});
    object.optional(metrics::speedup.name, AnyNumber{summary.speedup});
    object.optional("speedup_lower", AnyNumber{summary.speedup_lower});
    object.optional("speedup_upper", AnyNumber{summary.speedup_upper});
    object.optional(metrics::seconds.name, AnyNumber{summary.seconds});
    object.optional(metrics::baseline_seconds.name, AnyNumber{summary.baseline_seconds});
    object.optional("rsd", AnyNumber{summary.rsd});
    object.optional("baseline_rsd", AnyNumber{summary.baseline_rsd});
    object.optional("roofline", summary.roofline);
}

void read(const JsonPlace& place, Round& round) {
    JsonObject object(place);
    object.required("number", round.number);
    object.optional("parent", round.parent);
    object.required("time", round.time);
    object.required("device", round.device);
    object.required("variant", round.variant);
    object.optional("baseline", round.baseline);
    object.required("configuration", round.configuration);
    object.required("change", round.change);
    object.required("status", round.status);
    object.optional("reason", round.reason);
    object.optional("note", round.note);
    object.optional("target_reached", round.target_reached);
    object.optional("target_speedup", AnyNumber{round.target_speedup});
    object.optional("budget_seconds", AnyNumber{round.budget_seconds});
    object.optional("environment", round.environment);
    object.optional("source_hash", round.source_hash);
    object.optional("case_count", round.case_count);
    object.optional("cases", round.cases);
    object.optional("applied", round.applied);
    if (round.number < 0) place.error("the number of a round is below 0");
}

std::string_view to_string(ChangeKind kind) {
    return std::ranges::find(change_kinds, kind, &std::pair<ChangeKind, std::string_view>::first)->second;
}

json to_json(const RoundCase& summary) {
    json result = {{"case", json(to_json(summary.binding))},
                   {"status", to_string(summary.status)},
                   {"max_absolute_error", json_number(summary.max_absolute_error)}};
    if (!summary.configuration.empty()) result["configuration"] = summary.configuration;
    if (summary.seconds == 0) return result;
    result[metrics::speedup.name] = json_number(summary.speedup);
    result["speedup_lower"] = json_number(summary.speedup_lower);
    result["speedup_upper"] = json_number(summary.speedup_upper);
    result[metrics::seconds.name] = json_number(summary.seconds);
    result[metrics::baseline_seconds.name] = json_number(summary.baseline_seconds);
    result["rsd"] = json_number(summary.rsd);
    result["baseline_rsd"] = json_number(summary.baseline_rsd);
    result["roofline"] = to_json(summary.roofline);
    return result;
}

json to_json(const Round& round) {
    json result = {{"number", round.number},
                   {"time", round.time},
                   {"device", round.device},
                   {"variant", round.variant},
                   {"baseline", round.baseline},
                   {"configuration", round.configuration},
                   {"change", to_string(round.change)},
                   {"status", to_string(round.status)},
                   {"target_reached", round.target_reached},
                   {"target_speedup", json_number(round.target_speedup)},
                   {"environment", round.environment},
                   {"source_hash", round.source_hash},
                   {"case_count", round.case_count},
                   {"cases", json::array()}};
    put_said(result, "reason", round.reason);
    put_said(result, "note", round.note);
    if (round.budget_seconds > 0) result["budget_seconds"] = json_number(round.budget_seconds);
    if (round.parent) result["parent"] = *round.parent;
    if (round.applied) result["applied"] = to_json(*round.applied);
    for (const RoundCase& each : round.cases) result["cases"].push_back(to_json(each));
    return result;
}

Result<Round> round_from_json(const json& source) {
    Diagnostics diagnostics;
    Round round;
    try {
        read(JsonPlace(source, diagnostics), round);
    } catch (const json::exception& error) {
        return fail(error.what());
    }
    if (!diagnostics.empty()) return fail(to_string(diagnostics.front()));
    return round;
}

json to_json(const RoundDetail& detail) {
    json result = {{"schema", "kernelgen.round/" + std::to_string(round_schema_version)},
                   {"round", to_json(detail.round)},
                   {"operator", json(to_json(detail.definition))},
                   {"candidate", json(to_json(detail.candidate))},
                   {"environment", to_json(detail.environment)},
                   {"ceilings", to_json(detail.ceilings)},
                   {"verification", to_json(detail.verification)},
                   {"baseline_builds", to_json(detail.baseline_builds)},
                   {"timings", json::array()}};
    if (!detail.baseline.variant.name.empty()) result["baseline"] = json(to_json(detail.baseline));
    for (const BenchResult& timing : detail.timings) result["timings"].push_back(to_json(timing));
    if (detail.explanation) result["explanation"] = to_json(*detail.explanation);
    return result;
}

namespace {

/// A part of the schema; what is wrong with it is added to `diagnostics`.
template <class T>
void read_part(const json& source, Validated<T> (*from_json)(const json&), T& part, Diagnostics& diagnostics) {
    Validated<T> result = from_json(source);
    if (result) {
        part = std::move(*result);
    } else {
        diagnostics.insert(diagnostics.end(), result.error().begin(), result.error().end());
    }
}

Diagnostics read_detail(const json& source, RoundDetail& detail) {
    Diagnostics diagnostics;
    read(JsonPlace(source.at("round"), diagnostics), detail.round);
    read_part(source.at("operator"), operator_from_json, detail.definition, diagnostics);
    read_part(source.at("candidate"), implementation_from_json, detail.candidate, diagnostics);
    if (source.contains("baseline")) {
        read_part(source.at("baseline"), implementation_from_json, detail.baseline, diagnostics);
    }
    detail.environment = environment_from_json(source.at("environment"));
    detail.ceilings = ceilings_from_json(source.at("ceilings"));
    detail.verification = verify_result_from_json(source.at("verification"));
    if (source.contains("baseline_builds")) detail.baseline_builds = builds_from_json(source.at("baseline_builds"));
    for (const json& timing : source.at("timings")) detail.timings.push_back(bench_result_from_json(timing));
    if (source.contains("explanation")) detail.explanation = explanation_from_json(source.at("explanation"));
    return diagnostics;
}

}  // namespace

Result<RoundDetail> round_detail_from_json(const json& source) {
    try {
        const std::string schema = source.at("schema").get<std::string>();
        if (schema != "kernelgen.round/" + std::to_string(round_schema_version)) {
            return fail(say("{} is not what this program reads; update kernelgen", in_backquotes(schema)));
        }
        RoundDetail detail;
        const Diagnostics diagnostics = read_detail(source, detail);
        if (!diagnostics.empty()) return fail(to_string(diagnostics.front()));
        return detail;
    } catch (const std::exception& error) {
        return fail(error.what());
    }
}

}  // namespace kernelgen
