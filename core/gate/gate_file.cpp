// SPDX-License-Identifier: Apache-2.0
#include "core/gate/gate_file.h"

#include <algorithm>
#include <format>
#include <nlohmann/json.hpp>

#include "core/base/file.h"
#include "core/base/json_reader.h"
#include "core/base/json_values.h"
#include "core/base/text.h"
#include "core/project/own_files.h"
#include "core/project/project_file.h"
#include "core/project/schema.h"

namespace kernelgen {

using nlohmann::json;

namespace {

constexpr std::uint64_t limit_bytes = 256ull << 20;

/// A share above 0 and below 1 that a person may have written.
void read_share(JsonObject& object, const JsonPlace& place, const std::string& key, std::optional<double>& share) {
    if (object.optional(key, share) && !(*share > 0 && *share < 1))
        place.error(say("`{}` must be above 0 and below 1", key), "0.015 is 1.5 %");
}

json to_json(const StoredCase& stored) {
    json result = {{"case", to_json(stored.binding)},
                   {"speedup", stored.speedup},
                   {"speedup_lower", stored.speedup_lower},
                   {"speedup_upper", stored.speedup_upper}};
    if (stored.threshold) result["threshold"] = *stored.threshold;
    for (const AccuracyMeasure& each : accuracy_measures()) {
        result[each.key] = stored.accuracy.*each.value;
        if (const std::optional<double>& limit = stored.limits.*each.limit) result[each.limit_key] = *limit;
    }
    return result;
}

json to_json(const StoredBaseline& stored) {
    return {{"round", stored.round},
            {"time", stored.time},
            {"device", stored.device},
            {"baseline", stored.baseline},
            {"environment", stored.environment},
            {"definition", stored.definition},
            {"implementation", to_json(stored.implementation)},
            {"cases", list_of(stored.cases, to_json)}};
}

}  // namespace

void read(const JsonPlace& place, Implementation& implementation);  // core/project

void read(const JsonPlace& place, StoredCase& stored) {
    JsonObject object(place);
    object.required("case", stored.binding);
    object.required("speedup", stored.speedup);
    object.required("speedup_lower", stored.speedup_lower);
    object.required("speedup_upper", stored.speedup_upper);
    read_share(object, place, "threshold", stored.threshold);
    for (const AccuracyMeasure& each : accuracy_measures()) {
        double& value = stored.accuracy.*each.value;
        std::optional<double>& limit = stored.limits.*each.limit;
        if (each.value == &GatedAccuracy::p99_error) object.required(each.key, value);
        else object.optional(each.key, value);  // schema 1 has no others
        if (object.optional(each.limit_key, limit) && !(*limit >= 0))
            place.error(say("{} must not be negative", in_backquotes(each.limit_key)));
    }
    object.finish();
    const bool ordered =
        stored.speedup_lower > 0 && stored.speedup_lower <= stored.speedup && stored.speedup <= stored.speedup_upper;
    if (!ordered) place.error("the speedup must be positive and within its interval");
}

void read(const JsonPlace& place, StoredBaseline& stored) {
    JsonObject object(place);
    object.required("round", Within<int>{stored.round, 0, largest_int});
    object.required("time", stored.time);
    object.required("device", stored.device);
    object.required("baseline", stored.baseline);
    object.required("environment", stored.environment);
    object.required("definition", stored.definition);
    object.required("implementation", stored.implementation);
    object.required("cases", stored.cases);
    object.finish();
}

const StoredCase* StoredBaseline::find(const Case& binding) const {
    const auto found =
        std::ranges::find_if(cases, [&](const StoredCase& each) { return is_same_case(each.binding, binding); });
    return found == cases.end() ? nullptr : &*found;
}

const StoredBaseline* GateFile::find(std::string_view variant, std::string_view device) const {
    for (const StoredBaseline& each : baselines) {
        if (each.implementation.variant.name == variant && each.device == device) return &each;
    }
    return nullptr;
}

void GateFile::put(StoredBaseline stored) {
    std::erase_if(baselines, [&](const StoredBaseline& each) {
        return each.device == stored.device && each.implementation.variant.name == stored.implementation.variant.name;
    });
    baselines.push_back(std::move(stored));
}

std::string hash_of_definition(const Operator& definition) { return hash_hex(to_json(definition).dump()); }

Result<StoredBaseline> baseline_of(const RoundDetail& detail) {
    const Round& round = detail.round;
    if (round.status != Status::ok)
        return fail(say("round {} is {}: {}", round.number, to_string(round.status), round.reason));
    StoredBaseline stored{.round = round.number,
                          .time = round.time,
                          .device = round.device,
                          .baseline = round.baseline,
                          .environment = round.environment,
                          .definition = hash_of_definition(detail.definition),
                          .implementation = detail.candidate,
                          .cases = {}};
    for (const BenchResult& timing : detail.timings) {
        if (timing.status != Status::ok || timing.speedup.pairs == 0) continue;
        stored.cases.push_back({timing.binding,
                                timing.speedup.median,
                                timing.speedup.lower,
                                timing.speedup.upper,
                                accuracy_of(detail.verification, timing.binding),
                                {},
                                {}});
    }
    if (stored.cases.empty()) return fail(say("no case of round {} was timed", round.number));
    return stored;
}

std::filesystem::path gate_path(const std::filesystem::path& project_folder) {
    return project_folder / own_files::gate;
}

Validated<GateFile> parse_gate(std::string_view text, const std::filesystem::path& file) {
    const Validated<json> document = parse_json(text, file.string());
    if (!document) return std::unexpected(document.error());
    Diagnostics diagnostics;
    GateFile gate;
    int schema = 0;
    const JsonPlace place(*document, diagnostics);
    JsonObject object(place);
    object.required("schema", Within<int>{schema, 1, largest_int});
    if (schema > gate_schema_version)
        return std::unexpected(Diagnostics{{file.string(), "schema", "was written by a newer kernelgen", "update it"}});
    object.required("baselines", gate.baselines);
    object.finish();
    for (Diagnostic& each : diagnostics) each.file = file.string();
    if (!diagnostics.empty()) return std::unexpected(std::move(diagnostics));
    return gate;
}

Validated<GateFile> load_gate(const std::filesystem::path& project_folder) {
    const std::filesystem::path path = gate_path(project_folder);
    std::error_code error;
    if (!std::filesystem::exists(path, error)) return GateFile();
    const Result<std::string> text = read_file(path, limit_bytes);
    if (!text) return std::unexpected(Diagnostics{{"", "", text.error().message, ""}});
    Validated<GateFile> gate = parse_gate(*text, path);
    if (gate) return gate;
    Diagnostics problems = gate.error();
    if (problems.back().suggestion.empty())
        problems.back().suggestion = "take gate.json from the repository, or remove it and record again";
    return std::unexpected(std::move(problems));
}

Result<void> save_gate(const std::filesystem::path& project_folder, const GateFile& gate) {
    const json document = {{"schema", gate_schema_version}, {"baselines", list_of(gate.baselines, to_json)}};
    return write_file_atomic(gate_path(project_folder), document.dump(2) + "\n");
}

}  // namespace kernelgen
