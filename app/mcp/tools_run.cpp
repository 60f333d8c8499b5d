// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <format>
#include <sstream>

#include "app/cli/print.h"
#include "app/mcp/run_arguments.h"
#include "app/mcp/schemas.h"
#include "app/mcp/tools.h"
#include "core/base/text.h"
#include "core/engine/device_numbers.h"
#include "core/engine/dispatch.h"
#include "core/engine/usage.h"
#include "core/round/history.h"

namespace kernelgen::agent {

using nlohmann::ordered_json;

namespace {

constexpr double longest_timeout = 86400, shortest_timeout = 0.01;

struct Prepared {
    std::shared_ptr<WorkerClient> worker;
    std::vector<RunPlan> plans;  ///< one for each variant in which dispatch rules run the cases
};

Validated<Prepared> prepare(Agent& agent, const RunOptions& options, std::stop_token stop) {
    const Validated<Project> project = agent.project();
    if (!project) return std::unexpected(project.error());
    const Validated<RunPlan> plan = plan_of(*project, options);
    if (!plan) return std::unexpected(plan.error());
    auto worker = agent.worker(stop);
    if (!worker) return std::unexpected(as_diagnostics(worker.error()));
    Validated<std::vector<RunPlan>> plans = dispatched(with_device_numbers(*plan, **worker, stop));
    if (!plans) return std::unexpected(plans.error());
    return Prepared{std::move(*worker), std::move(*plans)};
}

}  // namespace

void tell_changed_judges(Agent& agent, mcp::Answer& answer) {
    const std::vector<std::string> changed = agent.changed_judges();
    answer.data["judges_changed"] = changed;
    if (changed.empty()) return;
    const std::string note = "since the project was opened, what judges has changed: " + join(changed, ", ");
    answer.text += "note: " + note + "\n";
    cli::complain(Error{note});
}

namespace {

/// A check without its histogram.
ordered_json check_document(const CaseAccuracy& check) {
    ordered_json document = {{"case", check.binding.name},
                             {"set", to_string(check.set)},
                             {"seed", check.seed},
                             {"status", to_string(check.status)}};
    if (check.status != Status::ok) document["reason"] = check.reason;
    const nlohmann::json told = to_json(check);
    if (check.metrics.elements > 0) {
        for (const Metric* each : {&metrics::elements, &metrics::mismatches, &metrics::max_absolute,
                                   &metrics::p99_absolute, &metrics::kl_divergence, &metrics::clip_ratio})
            document[std::string(each->name)] = told["metrics"][std::string(each->name)];
    }
    if (!check.first_mismatches.empty()) document["first_mismatches"] = told["first_mismatches"];
    return document;
}

ordered_json verification_document(const RunPlan& plan, const VerifyResult& result) {
    ordered_json document = {{"variant", plan.candidate.variant.name},
                             {"device", plan.options.device},
                             {"configuration", plan.candidate.configuration},
                             {"status", to_string(result.status)},
                             {"reason", result.reason},
                             {"checks", result.checks},
                             {"cases", ordered_json::array()},
                             {"warnings", result.warnings},
                             {"printed", result.printed}};
    for (const CaseAccuracy& each : result.cases) document["cases"].push_back(check_document(each));
    return document;
}

Validated<mcp::Answer> verify(Agent& agent, const RunOptions& options, const mcp::Call& call) {
    const Validated<Prepared> prepared = prepare(agent, options, call.stop);
    if (!prepared) return std::unexpected(prepared.error());
    mcp::Answer answer{"", {{"status", ""}, {"variants", ordered_json::array()}}};
    Status status = Status::ok;
    std::ostringstream text;
    for (const RunPlan& each : prepared->plans) {
        const VerifyResult result = verify_candidate(each, *prepared->worker, progress_of(call), call.stop);
        status = worst(status, result.status);
        answer.data["variants"].push_back(verification_document(each, result));
        cli::print_verification(text, result);
    }
    answer.data["status"] = to_string(status);
    answer.text = text.str();
    tell_changed_judges(agent, answer);
    return answer;
}

mcp::Tool verify_tool(Agent& agent) {
    mcp::Tool tool{.name = "verify",
                   .title = "Verify a variant",
                   .description =
                       "Build a variant and compare its outputs with a float64 reference, on edge values and "
                       "awkward sizes too. Executes the kernel. Records nothing.",
                   .output_schema = answer_schema({{"status", of_type("string", "ok, or how it failed")},
                                                   {"variants", list_of_objects("Checks of each variant that ran")}}),
                   .takes_long = true};
    return mcp::with_parameters(
        std::move(tool), run_parameters<RunOptions>(),
        [&agent](const RunOptions& options, const mcp::Call& call) { return verify(agent, options, call); });
}

struct RunArguments : RunOptions {
    std::optional<int> against_round;
};

/// A round as `rounds` has it, with what failed.
ordered_json round_data(const RoundDetail& detail, const Result<void>& recorded) {
    ordered_json document = ordered_json(to_json(detail.round));
    document["recorded"] = recorded.has_value();
    if (!recorded) document["not_recorded"] = recorded.error().message;
    document["checks"] = detail.verification.checks;
    document["failed_checks"] = ordered_json::array();
    for (const CaseAccuracy& each : detail.verification.cases) {
        if (each.status != Status::ok) document["failed_checks"].push_back(check_document(each));
    }
    document["warnings"] = detail.verification.warnings;
    return document;
}

Validated<mcp::Answer> run(Agent& agent, RunArguments arguments, const mcp::Call& call) {
    arguments.explain = true;
    if (arguments.against_round) arguments.baseline = std::format("round:{}", *arguments.against_round);
    const Validated<Prepared> prepared = prepare(agent, arguments, call.stop);
    if (!prepared) return std::unexpected(prepared.error());
    mcp::Answer answer{"", {{"status", ""}, {"target_reached", true}, {"rounds", ordered_json::array()}}};
    Status status = Status::ok;
    std::ostringstream text;
    for (const RunPlan& each : prepared->plans) {
        RoundDetail detail = run_round(each, *prepared->worker, progress_of(call), call.stop);
        if (was_refused(detail))
            return std::unexpected(as_diagnostics({"not run, and no round recorded: " + detail.round.reason}));
        const Result<void> recorded = record_round(each.project.folder, detail);
        status = worst(status, detail.round.status);
        if (!detail.round.target_reached) answer.data["target_reached"] = false;
        answer.data["rounds"].push_back(round_data(detail, recorded));
        cli::print_round(text, detail, recorded.has_value());
        if (call.stop.stop_requested()) break;
    }
    answer.data["status"] = to_string(status);
    answer.text = text.str();
    tell_changed_judges(agent, answer);
    return answer;
}

mcp::Tool run_tool(Agent& agent) {
    auto parameters = run_parameters<RunArguments>();
    parameters.optional("note", &RunOptions::note, "Why this round is made; the log prints it")
        .optional("budget_seconds", &RunOptions::budget_seconds,
                  "Time for the samples of a case; default: the project's")
        .optional("counters", &RunOptions::counters, "Read hardware counters, which takes some time; default: true")
        .optional("against_round", &RunArguments::against_round,
                  "Time against this round as it was, in place of the baseline; the target then refers to it");
    mcp::Tool tool{.name = "run",
                   .title = "Verify, then time, and record a round",
                   .description =
                       "Verify a variant and, only if it is right, time it against the baseline in "
                       "interleaved pairs. Every attempt becomes a round, also one that fails or is "
                       "cancelled. Executes the kernel.",
                   .output_schema = answer_schema({{"status", of_type("string", "ok, or how it failed")},
                                                   {"target_reached", of_type("boolean", "In every case")},
                                                   {"rounds", list_of_objects("A round for each variant that ran")}}),
                   .takes_long = true};
    return mcp::with_parameters(
        std::move(tool), parameters,
        [&agent](const RunArguments& arguments, const mcp::Call& call) { return run(agent, arguments, call); });
}

}  // namespace

Progress progress_of(const mcp::Call& call) {
    return
        [tell = call.progress, begin = std::chrono::steady_clock::now()](std::string_view stage, int done, int total) {
            const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
            tell(total > 0 ? std::format("{} {}/{}", stage, done, total) : std::string(stage), elapsed.count(), 0);
        };
}

Validated<RunPlan> plan_of(const Project& project, const RunOptions& options) {
    if (!(options.timeout_seconds >= shortest_timeout && options.timeout_seconds <= longest_timeout))
        return std::unexpected(Diagnostics{usage("timeout_seconds", "must be from 0.01 to 86400", "")});
    return plan_run(project, options);
}

std::vector<mcp::Tool> run_tools(Agent& agent) { return {verify_tool(agent), run_tool(agent)}; }

}  // namespace kernelgen::agent
