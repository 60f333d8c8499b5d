// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "app/cli/print_rules.h"
#include "core/project/project_file.h"
#include "core/tuning/rule_adoption.h"

namespace kernelgen::cli {

namespace {

struct KeepOptions {
    std::string project;
    std::optional<int> round, tuning;
};

int keep_the_round(Project& project, int round, const Context& context) {
    if (const Result<void> kept = keep_round(project, round); !kept) return report(context, kept.error());
    if (context.json) print_json({{"kept", round}});
    else std::cout << "round " << round << "'s configuration and sources are the project's now\n";
    return exit_done;
}

Result<RuleProposal> proposal_of(const Project& project, int tuning) {
    const Result<std::vector<Tuning>> tunings = tunings_of_command(project.folder, tuning);
    if (!tunings) return std::unexpected(tunings.error());
    return proposed_rules(project, *tunings);
}

/// Reports what became of the rules: they are the project's where all checks passed.
int report_rules(const Project& project, const RuleProposal& proposal, const VerifyResult& verified,
                 const Context& context) {
    const bool kept = verified.status == Status::ok;
    if (context.json) {
        nlohmann::ordered_json document = rules_document(proposal);
        document["verification"] = to_json(verified);
        document["kept"] = kept;
        print_json(document);
        return exit_status_of(verified.status);
    }
    print_rules(std::cout, proposal);
    print_verification(std::cout, verified);
    if (kept)
        std::cout << "they are the project's now; next: kernelgen run " << in_shell(project.folder.string()) << "\n";
    else std::cout << "the project is as it was\n";
    return exit_status_of(verified.status);
}

/// Adopts rules that are right: a rule may give a case a configuration that only passed the tuning's screen there.
int keep_the_rules(Project& project, int tuning, const Context& context) {
    const Result<RuleProposal> proposal = proposal_of(project, tuning);
    if (!proposal) return report(context, proposal.error());
    const Validated<RunPlan> plan = run_with_rules(project, *proposal);
    if (!plan) return report(context, plan.error());
    const InterruptGuard guard(context.interrupted);
    const auto worker = context.start_worker();
    if (!worker) return report(context, worker.error(), exit_not_run);
    const VerifyResult verified =
        verify_candidate(*plan, **worker, terminal_progress(), context.interrupted.get_token());
    clear_progress();
    if (verified.status == Status::ok) {
        if (const Result<void> adopted = adopt_rules(project, *proposal, *plan); !adopted)
            return report(context, adopted.error());
    }
    return report_rules(project, *proposal, verified, context);
}

int keep_command(const KeepOptions& options, const Context& context) {
    if (options.round.has_value() == options.tuning.has_value())
        return report(context, Diagnostics{{"", "kernelgen keep", "give either ROUND or --tuning N",
                                            "`kernelgen rounds` lists the rounds"}});
    Validated<Project> project = load_project(options.project);
    if (!project) return report(context, project.error());
    return options.round ? keep_the_round(*project, *options.round, context)
                         : keep_the_rules(*project, *options.tuning, context);
}

}  // namespace

void add_keep(CLI::App& app, Context& context) {
    auto options = std::make_shared<KeepOptions>();
    CLI::App* command =
        app.add_subcommand("keep", "Make what was recorded the project's: a round, or a tuning's rules");
    add_project(*command, options->project);
    command->add_option("ROUND", options->round, "The round's number: its configuration and sources");
    command->add_option("--tuning", options->tuning,
                        "The number of a tuning: the rules that its command proposed for its cases");
    command->footer(
        "Examples:\n  kernelgen keep projects/softmax 3             its tunables and sources, as they were\n"
        "  kernelgen keep projects/softmax --tuning 3    `configurations` and `dispatch`, as `kernelgen tune` "
        "proposed\n\nRules are verified first, as by `kernelgen verify`; where a check fails, the project stays as it "
        "is.");
    command->callback([options, &context] { context.exit_status = keep_command(*options, context); });
}

}  // namespace kernelgen::cli
