// SPDX-License-Identifier: Apache-2.0
#include <format>
#include <sstream>

#include "app/cli/print_tuning.h"
#include "app/cli/tune_pruned.h"
#include "app/mcp/run_arguments.h"
#include "app/mcp/schemas.h"
#include "app/mcp/tools.h"
#include "core/engine/usage.h"
#include "core/project/judging_files.h"

namespace kernelgen::agent {

using nlohmann::ordered_json;

namespace {

constexpr std::size_t most_pruned = 100;  ///< configurations that are listed for one reason

struct TuneArguments : RunOptions {
    double tuning_seconds = 60;
    std::optional<int> evaluations;
    std::string strategy = "model";
    std::uint64_t seed = 0;
    bool resume = false, list_pruned = false;
    std::vector<std::string> given;  ///< names of parameters
};

/// The option of `kernelgen tune` that a parameter stands for.
std::string option_of(const std::string& parameter) {
    if (parameter == "cases") return "--case";
    if (parameter == "timeout_seconds") return "--timeout";
    if (parameter == "list_pruned") return "--list-pruned";
    return "--" + parameter;
}

std::vector<std::string> strategy_names() {
    std::vector<std::string> names;
    for (const Strategy each : all_strategies) names.emplace_back(to_string(each));
    return names;
}

Validated<TunePlan> plan_of_tuning(Agent& agent, const TuneArguments& arguments) {
    const Validated<Project> project = agent.project();
    if (!project) return std::unexpected(project.error());
    std::vector<std::string> given;
    for (const std::string& each : arguments.given) given.push_back(option_of(each));
    if (const Diagnostics needless = cli::needless_for_pruned(given); arguments.list_pruned && !needless.empty())
        return std::unexpected(needless);
    if (const Validated<RunPlan> plan = plan_of(*project, arguments); !plan) return std::unexpected(plan.error());
    TuneOptions options;
    options.run = arguments;
    options.strategy = *parse_strategy(arguments.strategy);
    options.budget_seconds = arguments.tuning_seconds;
    options.evaluations = arguments.evaluations;
    options.seed = arguments.seed;
    options.resume = arguments.resume;
    options.given = std::move(given);
    Validated<TunePlan> tuning = plan_tuning(*project, options);
    if (!tuning) return tuning;
    if (const auto role = judging_role(*project, tuning->run.candidate.variant.name))  // of one that is resumed, too
        return std::unexpected(Diagnostics{usage("variant", *role, "its configuration decides how fast others look")});
    return tuning;
}

TuneProgress tuning_progress_of(const mcp::Call& call) {
    return [tell = call.progress](const TuneState& state) {
        tell(cli::line_of(state), state.elapsed_seconds, state.budget_seconds);
    };
}

mcp::Answer answer_of(const std::vector<CaseTuning>& done, const Project& project, bool is_complete) {
    mcp::Answer answer{"", {{"complete", is_complete}, {"tunings", ordered_json::array()}}};
    std::ostringstream text;
    for (const CaseTuning& each : done) {
        answer.data["tunings"].push_back(cli::tuning_document(each));
        cli::print_tuning(text, each, project);
    }
    answer.text = text.str();
    return answer;
}

mcp::Answer answer_of(const std::vector<PrunedCase>& pruned, const RunPlan& plan) {
    std::ostringstream text;
    cli::print_pruned_cases(text, pruned, plan);
    return {text.str(),
            {{"complete", true}, {"tunings", ordered_json::array()}, {"cases", cli::pruned_document(pruned, plan)}}};
}

Validated<mcp::Answer> list_pruned_of(const TunePlan& plan, WorkerClient& client, std::stop_token stop) {
    WorkerPool pool(client, plan.run.options.device);
    const TuningWorker* worker = pool.wait_for_any(stop);
    if (worker == nullptr) return std::unexpected(as_diagnostics(Error{pool.why_lost()}));
    const Result<std::vector<PrunedCase>> pruned = pruned_by_case(plan, *worker, most_pruned, stop);
    if (!pruned) return std::unexpected(as_diagnostics(pruned.error()));
    return answer_of(*pruned, plan.run);
}

Validated<mcp::Answer> tune_project(Agent& agent, const TuneArguments& arguments, const mcp::Call& call) {
    const Validated<TunePlan> plan = plan_of_tuning(agent, arguments);
    if (!plan) return std::unexpected(plan.error());
    const auto worker = agent.worker(call.stop);
    if (!worker) return std::unexpected(as_diagnostics(worker.error()));
    if (arguments.list_pruned) return list_pruned_of(*plan, **worker, call.stop);
    if (const auto nothing = nothing_to_tune(*plan, **worker, call.stop))
        return std::unexpected(as_diagnostics(*nothing));
    const Result<std::vector<CaseTuning>> done = tune(*plan, **worker, tuning_progress_of(call), call.stop);
    if (!done) return std::unexpected(as_diagnostics(done.error()));
    mcp::Answer answer = answer_of(*done, plan->run.project, !call.stop.stop_requested());
    tell_changed_judges(agent, answer);
    return answer;
}

}  // namespace

std::vector<mcp::Tool> tune_tools(Agent& agent) {
    auto parameters = run_parameters<TuneArguments>();
    parameters.optional("budget_seconds", &TuneArguments::tuning_seconds, "Time for all cases together; default: 60")
        .optional("evaluations", &TuneArguments::evaluations, "The most configurations that are tried, of each case")
        .choice("strategy", &TuneArguments::strategy, strategy_names(), "How to choose what to try; default: model")
        .optional("seed", &TuneArguments::seed, "The same seed asks the same questions; default: 0")
        .optional("resume", &TuneArguments::resume,
                  "Go on with the last tuning that was stopped, or had not enough time, with its own parameters; only "
                  "budget_seconds may differ")
        .optional("list_pruned", &TuneArguments::list_pruned,
                  "Build and try nothing: only list, in `cases`, the configurations that would never be tried, and why")
        .names_given(&TuneArguments::given);
    mcp::Tool tool{
        .name = "tune",
        .title = "Tune a variant",
        .description =
            "Search the best values of a variant's tunables: verify and time configurations, and "
            "record the winner as a round; of a project's only case it becomes the project's "
            "configuration. Executes kernels. A tuning that is cancelled, or whose outcome has `left_out` for want of "
            "time, can be resumed.",
        .output_schema = answer_schema({{"complete", of_type("boolean", "False where it was stopped")},
                                        {"tunings", list_of_objects("One for each case")}}),
        .takes_long = true};
    return {mcp::with_parameters(std::move(tool), parameters,
                                 [&agent](const TuneArguments& arguments, const mcp::Call& call) {
                                     return tune_project(agent, arguments, call);
                                 })};
}

}  // namespace kernelgen::agent
