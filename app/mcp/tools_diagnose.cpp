// SPDX-License-Identifier: Apache-2.0
#include <format>
#include <sstream>

#include "app/cli/print.h"
#include "app/cli/print_diagnosis.h"
#include "app/cli/print_explanation.h"
#include "app/cli/print_strategy.h"
#include "app/mcp/run_arguments.h"
#include "app/mcp/schemas.h"
#include "app/mcp/tools.h"
#include "core/optimize/make_round.h"
#include "core/optimize/optimize.h"

namespace kernelgen::agent {

using nlohmann::ordered_json;

namespace {

struct DiagnoseArguments {
    std::optional<int> round;
    std::vector<std::string> cases;
};

Validated<mcp::Answer> diagnose_round(const Project& project, const DiagnoseArguments& arguments) {
    const Validated<cli::DiagnosedRound> round = cli::diagnosed_round(project, arguments.round, arguments.cases);
    if (!round) return std::unexpected(round.error());
    const Phrases say(Tongue::english);
    std::ostringstream text;
    const cli::ApplyText apply = [&](const std::string& strategy) {
        const Round& of = round->detail.round;
        return "apply " + ordered_json({{"strategy", strategy}, {"variant", of.variant}, {"device", of.device}}).dump();
    };
    cli::print_diagnosis(text, *round, apply, say);
    return mcp::Answer{text.str(), cli::diagnosis_document(*round, say)};
}

mcp::Tool diagnose_tool(Agent& agent) {
    auto parameters = mcp::Parameters<DiagnoseArguments>();
    parameters.optional("round", &DiagnoseArguments::round, "The round's number; default: the newest")
        .optional("cases", &DiagnoseArguments::cases, "Names of cases; default: all that were timed");
    mcp::Tool tool{
        .name = "diagnose",
        .title = "Why a round is slow",
        .description =
            "What limits a recorded round: findings with their numbers, the most that mending each can gain, "
            "and the strategies that `apply` takes. Executes nothing.",
        .output_schema = answer_schema({{"round", of_type("integer", "The round's number")},
                                        {"applicable",
                                         {{"description",
                                           "Strategies that `apply` takes now; null: "
                                           "the round is of other sources or values"}}},
                                        {"cases", list_of_objects("Findings and indicators of each case")}}),
        .is_read_only = true};
    return mcp::with_parameters(std::move(tool), parameters, on_project(agent, diagnose_round));
}

struct ExplainArguments {
    int round = 0;
};

Validated<mcp::Answer> explain_round(const Project& project, const ExplainArguments& arguments) {
    const Result<RoundDetail> detail = load_round_detail(project.folder, arguments.round);
    if (!detail) return std::unexpected(as_diagnostics(detail.error()));
    if (!detail->explanation)
        return std::unexpected(
            as_diagnostics({std::format("round {} ended as {}: only a round whose results are wrong has an explanation",
                                        arguments.round, to_string(detail->round.status))}));
    std::ostringstream text;
    cli::print_explanation(text, *detail->explanation);
    return mcp::Answer{text.str(), ordered_json(to_json(*detail->explanation))};
}

mcp::Tool explain_tool(Agent& agent) {
    const auto parameters =
        mcp::Parameters<ExplainArguments>().required("round", &ExplainArguments::round, "A failed round's number");
    mcp::Tool tool{
        .name = "explain",
        .title = "Why a round's results are wrong",
        .description =
            "The likely causes of a wrong result, with the source's lines, the smallest sizes that fail and a "
            "map of the output. `run` finds them when a round fails. Executes nothing.",
        .output_schema = answer_schema({{"causes", list_of_objects("The likeliest first")},
                                        {"smallest", of_type("string", "The smallest failing sizes")}}),
        .is_read_only = true};
    return mcp::with_parameters(std::move(tool), parameters, on_project(agent, explain_round));
}

struct ApplyArguments : RunOptions {
    std::string strategy;
    bool dry_run = false;
};

/// What the strategy would change, and what is expected of it.
mcp::Answer shown(const Proposal& proposal, const RoundDetail& before) {
    ordered_json data = to_json(proposal, before.candidate);
    data["after"] = before.round.number;
    return {std::format("to round {} of `{}`: {}\n", before.round.number, before.round.variant,
                        cli::proposal_line(proposal)) +
                difference_of(proposal.change, before.candidate),
            {{"status", "not_run"}, {"proposal", std::move(data)}}};
}

Validated<mcp::Answer> apply(Agent& agent, const ApplyArguments& arguments, const mcp::Call& call) {
    constexpr double search_seconds = 60;  // of a search that is applied as one round
    const Validated<Project> project = agent.project();
    if (!project) return std::unexpected(project.error());
    if (const Validated<RunPlan> usable = plan_of(*project, arguments); !usable) return std::unexpected(usable.error());
    const Validated<OptimizePlan> plan = plan_optimization(*project, {.run = arguments});
    if (!plan) return std::unexpected(plan.error());
    const Result<RoundDetail> before = round_of_candidate(plan->run);
    if (!before) return std::unexpected(as_diagnostics(before.error()));
    const Result<Proposal> proposal = find_proposal(proposals_for(*plan, *before), arguments.strategy);
    if (!proposal) return std::unexpected(as_diagnostics(proposal.error()));
    if (arguments.dry_run) return shown(*proposal, *before);
    const auto worker = agent.worker(call.stop);
    if (!worker) return std::unexpected(as_diagnostics(worker.error()));
    const Progress progress = progress_of(call);
    WorkerEngine engine(**worker, progress, std::nullopt, call.stop);
    RunPlan run = engine.with_numbers(plan->run);
    Result<MadeRound> made = make_round(run, *before, *proposal, engine, search_seconds);
    if (!made) return std::unexpected(as_diagnostics(made.error()));
    if (was_refused(made->detail))
        return std::unexpected(as_diagnostics({"not run, and no round recorded: " + made->detail.round.reason}));
    if (const auto recorded = record_applied(run.project, made->detail, before->round, plan->learns); !recorded)
        return std::unexpected(as_diagnostics(recorded.error()));
    std::ostringstream text;
    cli::print_round(text, made->detail, true);
    mcp::Answer answer{
        text.str(),
        {{"status", to_string(made->detail.round.status)}, {"round", ordered_json(to_json(made->detail.round))}}};
    tell_changed_judges(agent, answer);
    return answer;
}

mcp::Tool apply_tool(Agent& agent) {
    auto parameters = run_parameters<ApplyArguments>();
    parameters.required("strategy", &ApplyArguments::strategy, "Its id, as `diagnose` lists it, such as larger_tile")
        .optional("dry_run", &ApplyArguments::dry_run, "Only show what it would change, and what is expected");
    mcp::Tool tool{
        .name = "apply",
        .title = "Make the next round with a strategy",
        .description =
            "Change the candidate's newest round as a strategy says, verify, time and record it with what was "
            "expected and what came of it. Executes the kernel. `keep` makes the round the project's.",
        .output_schema = answer_schema({{"status", of_type("string", "ok, how it failed, or not_run")}}),
        .takes_long = true};
    return mcp::with_parameters(
        std::move(tool), parameters,
        [&agent](const ApplyArguments& arguments, const mcp::Call& call) { return apply(agent, arguments, call); });
}

}  // namespace

std::vector<mcp::Tool> diagnose_tools(Agent& agent) {
    return {diagnose_tool(agent), explain_tool(agent), apply_tool(agent)};
}

}  // namespace kernelgen::agent
