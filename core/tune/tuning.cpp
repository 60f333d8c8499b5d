// SPDX-License-Identifier: Apache-2.0
#include "core/tune/tuning.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <format>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/json_format.h"
#include "core/base/json_values.h"
#include "core/lang/lexer.h"
#include "core/project/project_file.h"
#include "core/project/schema.h"
#include "core/said/said.h"

namespace kernelgen {

using nlohmann::json;

namespace {

constexpr std::string_view schema_prefix = "kernelgen.tuning/";

constexpr std::array<std::pair<TuningOutcome::Kind, std::string_view>, 3> kinds{
    {{TuningOutcome::Kind::winner, "winner"},
     {TuningOutcome::Kind::tie, "tie"},
     {TuningOutcome::Kind::failed, "failed"}}};

constexpr std::array<std::pair<TriedLine, std::string_view>, 4> lines{{{TriedLine::result, "configuration"},
                                                                       {TriedLine::racing, "racing"},
                                                                       {TriedLine::semifinal, "semifinal"},
                                                                       {TriedLine::across, "across"}}};

std::string_view to_string(TriedLine line) {
    return std::ranges::find(lines, line, &std::pair<TriedLine, std::string_view>::first)->second;
}

/// Where the content of such a line belongs; null where the line tells of no configuration.
std::vector<Tried>* place_of(std::string_view kind, Tuning& tuning) {
    const auto found = std::ranges::find(lines, kind, &std::pair<TriedLine, std::string_view>::second);
    if (found == lines.end()) return nullptr;
    switch (found->first) {
        case TriedLine::semifinal: return &tuning.semifinal;
        case TriedLine::across: return &tuning.across;
        default: return &tuning.tried;
    }
}

std::optional<TuningOutcome::Kind> parse_kind(std::string_view name) {
    const auto found = std::ranges::find(kinds, name, &std::pair<TuningOutcome::Kind, std::string_view>::second);
    return found == kinds.end() ? std::nullopt : std::optional(found->first);
}

json line_of(json record, std::string_view kind) {
    record["schema"] = std::string(schema_prefix) + std::to_string(tuning_schema_version);
    record["kind"] = kind;
    return record;
}

}  // namespace

std::string_view to_string(TuningOutcome::Kind kind) {
    return std::ranges::find(kinds, kind, &std::pair<TuningOutcome::Kind, std::string_view>::first)->second;
}

std::string_view to_words(const TuningOutcome& outcome) {
    return outcome.is_decided ? to_string(outcome.kind) : "tie, not decided";
}

bool lacks_race_across(const std::vector<Tuning>& tunings) {
    const auto is_decided = [](const Tuning& each) {
        return each.outcome && each.outcome->kind != TuningOutcome::Kind::failed;
    };
    if (tunings.size() < 2 || !std::ranges::all_of(tunings, is_decided) || !tunings.back().across.empty()) return false;
    return !std::ranges::all_of(tunings, [&](const Tuning& each) {
        const bool is_tie = each.outcome->kind == TuningOutcome::Kind::tie;
        return is_tie && each.head.incumbent == tunings.front().head.incumbent;
    });
}

json to_json(const TuningHead& head) {
    json result = {{"number", head.number},
                   {"first", head.first},
                   {"time", head.time},
                   {"project", head.project},
                   {"variant", head.variant},
                   {"device", head.device},
                   {"case", json(to_json(head.binding))},
                   {"cases", json::array()},
                   {"parameters", json::array()},
                   {"let", head.let},
                   {"restrictions", head.restrictions},
                   {"sizes", head.sizes},
                   {"configurations", head.configurations},
                   {"pruned", to_json(head.pruned)},
                   {"incumbent", head.incumbent},
                   {"strategy", head.strategy},
                   {"seed", head.seed},
                   {"budget_seconds", head.budget_seconds},
                   {"objective", head.objective},
                   {"environment", head.environment},
                   {"source_hash", head.source_hash}};
    if (head.command_budget_seconds > 0) result["command_budget_seconds"] = json_number(head.command_budget_seconds);
    if (!head.headers_hash.empty()) result["headers_hash"] = head.headers_hash;
    if (!head.setup_hash.empty()) result["setup_hash"] = head.setup_hash;
    if (!head.settings.empty()) result["set"] = head.settings;
    if (!head.baseline.empty()) result["baseline"] = head.baseline;
    if (head.timeout_seconds > 0) result["timeout_seconds"] = head.timeout_seconds;
    if (!head.history.empty()) result["history"] = head.history;
    if (head.evaluations) result["evaluations"] = *head.evaluations;
    if (!head.chosen.empty()) result["chosen"] = head.chosen;
    for (const Case& each : head.cases) result["cases"].push_back(json(to_json(each)));
    for (const Tunable& each : head.parameters) result["parameters"].push_back(json(to_json(each)));
    return line_of(std::move(result), "tuning");
}

json to_json(const Tried& tried, TriedLine line) {
    json result = {{"configuration", tried.configuration},
                   {"status", to_string(tried.status)},
                   {"build_seconds", json_number(tried.build_seconds)},
                   {"screen_seconds", json_number(tried.screen_seconds)},
                   {"race_seconds", json_number(tried.race_seconds)},
                   {"elapsed_seconds", json_number(tried.elapsed_seconds)}};
    for (const auto& [name, value] : tried.resources) result["resources"][name] = json_number(value);
    if (!tried.worker.empty()) result["worker"] = tried.worker;
    if (!tried.environment.empty()) result["environment"] = tried.environment;
    if (!tried.reason.empty()) put_said(result, "reason", tried.reason);
    if (tried.status == Status::ok) {
        result["objective"] = json_number(tried.objective);
        result["seconds"] = json_number(tried.seconds);
        result["ratio"] = json_number(tried.ratio);
        result["samples"] = tried.samples;
        result["left"] = tried.left;
        result["memory_bytes"] = json_number(tried.memory_bytes);
        if (tried.energy_joules > 0) {
            result["energy_joules"] = json_number(tried.energy_joules);
            result["energy_ratio"] = json_number(tried.energy_ratio);
        }
    }
    return line_of(std::move(result), to_string(line));
}

json to_json(const TuningOutcome& outcome) {
    json result = {{"outcome", to_string(outcome.kind)},
                   {"configuration", outcome.configuration},
                   {"speedup", json_number(outcome.speedup)},
                   {"lower", json_number(outcome.lower)},
                   {"upper", json_number(outcome.upper)},
                   {"tried", outcome.tried},
                   {"failed", outcome.failed},
                   {"seconds", json_number(outcome.seconds)}};
    if (!outcome.is_decided) result["decided"] = false;
    if (outcome.waited_seconds > 0) result["waited_seconds"] = json_number(outcome.waited_seconds);
    put_said(result, "reason", outcome.reason);
    if (!outcome.left_out.empty()) put_said(result, "left_out", outcome.left_out);
    if (outcome.runner_up) result["runner_up"] = *outcome.runner_up;
    if (outcome.round) result["round"] = *outcome.round;
    return line_of(std::move(result), "outcome");
}

void read(const JsonPlace& place, Pruned& pruned) {
    JsonObject object(place);
    object.required("reason", pruned.reason);
    object.required("count", pruned.count);
    object.optional("is_estimate", pruned.is_estimate);
}

void read(const JsonPlace& place, ChosenValues& chosen) {
    if (!place.value().is_object()) return place.error("expected an object");
    for (const auto& [name, values] : place.value().items()) read(place.member(name, values), chosen[name]);
}

namespace {

void read(const JsonPlace& place, TuningHead& head) {
    JsonObject object(place);
    object.required("number", Within{head.number, 0, largest_int});
    object.required("first", Within{head.first, 0, largest_int});
    object.required("time", head.time);
    object.optional("project", head.project);
    object.required("variant", head.variant);
    object.required("device", head.device);
    object.required("case", head.binding);
    object.required("cases", head.cases);
    object.required("parameters", head.parameters);
    object.optional("chosen", head.chosen);
    object.optional("let", head.let);
    object.optional("restrictions", head.restrictions);
    object.optional("sizes", head.sizes);
    object.optional("configurations", head.configurations);
    object.optional("pruned", head.pruned);
    object.required("incumbent", head.incumbent);
    object.required("strategy", head.strategy);
    object.required("seed", head.seed);
    object.required("budget_seconds", head.budget_seconds);
    object.optional("command_budget_seconds", AnyNumber{head.command_budget_seconds});
    object.optional("evaluations", head.evaluations);
    object.required("objective", head.objective);
    object.optional("environment", head.environment);
    object.optional("source_hash", head.source_hash);
    object.optional("headers_hash", head.headers_hash);
    object.optional("setup_hash", head.setup_hash);
    object.optional("set", head.settings);
    object.optional("baseline", head.baseline);
    object.optional("timeout_seconds", head.timeout_seconds);
    object.optional("history", head.history);
    if (head.cases.empty()) place.error("names no cases");
}

void read_status(const JsonPlace& place, JsonObject& object, Status& status) {
    std::string name;
    object.required("status", name);
    const auto parsed = parse_status(name);
    if (!parsed) return place.error(say("unknown status {}", in_backquotes(name)));
    status = *parsed;
}

/// Durations and ratios are 0 or more, and what was measured of a configuration that is right is above 0: a line that
/// was edited by hand must not win.
void check_numbers(const JsonPlace& place, const Tried& tried) {
    for (const auto& [name, value] :
         {std::pair("build_seconds", tried.build_seconds), std::pair("screen_seconds", tried.screen_seconds),
          std::pair("race_seconds", tried.race_seconds), std::pair("elapsed_seconds", tried.elapsed_seconds),
          std::pair("ratio", tried.ratio)}) {
        if (!(std::isfinite(value) && value >= 0)) return place.error(say("`{}` is no number from 0 on", name));
    }
    if (!tried.is_ok()) return;
    for (const auto& [name, value] : {std::pair("seconds", tried.seconds), std::pair("objective", tried.objective)}) {
        if (!(std::isfinite(value) && value > 0)) return place.error(say("`{}` is not above 0", name));
    }
}

void read(const JsonPlace& place, Tried& tried) {
    JsonObject object(place);
    object.required("configuration", tried.configuration);
    read_status(place, object, tried.status);
    object.optional("reason", tried.reason);
    object.optional("objective", AnyNumber{tried.objective});
    object.optional("seconds", AnyNumber{tried.seconds});
    object.optional("ratio", AnyNumber{tried.ratio});
    object.optional("samples", tried.samples);
    object.optional("left", tried.left);
    object.optional("memory_bytes", AnyNumber{tried.memory_bytes});
    object.optional("energy_joules", AnyNumber{tried.energy_joules});
    object.optional("energy_ratio", AnyNumber{tried.energy_ratio});
    object.optional("build_seconds", AnyNumber{tried.build_seconds});
    object.optional("screen_seconds", AnyNumber{tried.screen_seconds});
    object.optional("race_seconds", AnyNumber{tried.race_seconds});
    object.optional("elapsed_seconds", AnyNumber{tried.elapsed_seconds});
    object.optional("worker", tried.worker);
    object.optional("environment", tried.environment);
    check_numbers(place, tried);
    if (!object.has("resources") || !place.value().at("resources").is_object()) return;
    for (const auto& [name, value] : place.value().at("resources").items())
        tried.resources[name] = number_from_json(value);
}

void read(const JsonPlace& place, TuningOutcome& outcome) {
    JsonObject object(place);
    std::string kind;
    object.required("outcome", kind);
    const auto parsed = parse_kind(kind);
    if (!parsed) return place.error(say("unknown outcome {}", in_backquotes(kind)));
    outcome.kind = *parsed;
    object.required("configuration", outcome.configuration);
    object.optional("decided", outcome.is_decided);
    object.optional("reason", outcome.reason);
    object.optional("speedup", AnyNumber{outcome.speedup});
    object.optional("lower", AnyNumber{outcome.lower});
    object.optional("upper", AnyNumber{outcome.upper});
    object.optional("left_out", outcome.left_out);
    object.optional("runner_up", outcome.runner_up);
    object.optional("round", outcome.round);
    object.optional("tried", outcome.tried);
    object.optional("failed", outcome.failed);
    object.optional("seconds", AnyNumber{outcome.seconds});
    object.optional("waited_seconds", AnyNumber{outcome.waited_seconds});
}

/// The kind of a line of a schema that this program reads.
Result<std::string> kind_of(const json& record) {
    const json schema = record.value("schema", json()), kind = record.value("kind", json());
    if (!schema.is_string() || !kind.is_string()) return fail("names no schema and kind");
    if (schema != std::string(schema_prefix) + std::to_string(tuning_schema_version)) {
        return fail(say("has the schema {}; update kernelgen", in_backquotes(schema.get<std::string>())));
    }
    return kind.get<std::string>();
}

}  // namespace

Result<void> read_tuning_line(std::string_view line, bool is_first, Tuning& tuning) {
    const json record = json::parse(line, nullptr, false);
    if (!record.is_object()) return fail("is not a JSON object");
    const Result<std::string> kind = kind_of(record);
    if (!kind) return std::unexpected(kind.error());
    if (is_first != (*kind == "tuning")) return fail(say("is no line that stands here: {}", in_backquotes(*kind)));
    Diagnostics diagnostics;
    const JsonPlace place(record, diagnostics);
    if (*kind == "tuning") read(place, tuning.head);
    Tried tried;
    std::vector<Tried>* const all = place_of(*kind, tuning);
    if (all != nullptr) read(place, tried);
    TuningOutcome outcome;
    if (*kind == "outcome") read(place, outcome);
    if (!diagnostics.empty()) return fail(say("is damaged: {}", to_string(diagnostics.front())));
    if (all != nullptr) all->push_back(std::move(tried));
    if (*kind == "outcome") tuning.outcome = std::move(outcome);
    return {};
}

}  // namespace kernelgen
