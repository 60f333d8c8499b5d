// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "app/cli/print_rules.h"
#include "core/project/project_file.h"

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
    const Result<History> history = load_history(project.folder);
    if (!history) return std::unexpected(history.error());
    return rules_from(project, *tunings, *history);
}

int keep_the_rules(Project& project, int tuning, const Context& context) {
    const Result<RuleProposal> proposal = proposal_of(project, tuning);
    if (!proposal) return report(context, proposal.error());
    if (const Result<void> adopted = adopt_rules(project, *proposal); !adopted) return report(context, adopted.error());
    if (context.json) {
        nlohmann::ordered_json document = rules_document(*proposal);
        document["kept_tuning"] = tuning;
        print_json(document);
    } else {
        print_rules(std::cout, *proposal);
        std::cout << "they are the project's now; next: kernelgen run " << in_shell(project.folder.string()) << "\n";
    }
    return exit_done;
}

int keep_command(const KeepOptions& options, const Context& context) {
    if (options.round.has_value() == options.tuning.has_value())
        return report(context, Diagnostics{{"", "kernelgen keep", "give either ROUND or --tuning N",
                                            "`kernelgen rounds` lists the rounds"}});
    Checked<Project> project = load_project(options.project);
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
        "proposed");
    command->callback([options, &context] { context.exit_status = keep_command(*options, context); });
}

}  // namespace kernelgen::cli
