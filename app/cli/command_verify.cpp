// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "app/cli/print_explanation.h"
#include "core/engine/explain_failure.h"

namespace kernelgen::cli {

namespace {

constexpr const char* verify_examples = R"(Examples:
  kernelgen verify projects/softmax
  kernelgen verify projects/softmax --variant naive --case P=7,D=1,dtype=f16 --dump /tmp/tensors
  kernelgen verify mine --explain                     why it is wrong: likely causes, lines, a map (docs/EXPLAIN.md))";

struct VerifyCommandOptions {
    CommonOptions common;
    bool explain = false;
};

nlohmann::ordered_json document_of(const RunPlan& plan, const VerifyResult& result,
                                   const std::optional<Explanation>& explanation) {
    nlohmann::ordered_json document = {{"variant", plan.candidate.variant.name},
                                       {"device", plan.options.device},
                                       {"configuration", plan.candidate.configuration}};
    document.update(nlohmann::ordered_json(to_json(result)));
    if (explanation) document["explanation"] = nlohmann::ordered_json(to_json(*explanation));
    return document;
}

/// Prints a verification as text.
void print_verified(const VerifyResult& result, const std::optional<Explanation>& explanation, bool is_asked) {
    print_verification(std::cout, result);
    if (explanation) print_explanation(std::cout, *explanation);
    else if (failing_check(result) != nullptr)
        std::cout << (is_asked ? "  this worker could not explain it\n"
                               : "  --explain tells the likely causes, with a map\n");
}

int verify_command(VerifyCommandOptions& options, Context& context) {
    const InterruptGuard guard(context.interrupted);
    const auto begun = begin_run(options.common, context);
    if (!begun) return begun.error();
    std::vector<nlohmann::ordered_json> documents;
    Status status = Status::ok;
    for (const RunPlan& each : begun->plans) {
        const VerifyResult result =
            verify_candidate(each, *begun->worker, terminal_progress(), context.interrupted.get_token());
        std::optional<Explanation> explanation;
        if (options.explain)
            explanation =
                explain_failure(each, result, *begun->worker, terminal_progress(), context.interrupted.get_token());
        clear_progress();
        status = worst(status, result.status);
        if (context.json) documents.push_back(document_of(each, result, explanation));
        else print_verified(result, explanation, options.explain);
        if (context.interrupted.stop_requested()) break;
    }
    if (context.json) print_variants_json(documents);
    return exit_status_of(status);
}

}  // namespace

void add_verify(CLI::App& app, Context& context) {
    auto options = std::make_shared<VerifyCommandOptions>();
    CLI::App* command = app.add_subcommand("verify", "Check accuracy alone, against the float64 reference");
    add_common(*command, options->common);
    command->add_flag("--explain", options->explain,
                      "Where results are wrong, look for why: the likely causes, the smallest failing sizes, a map");
    command->add_option("--dump", options->common.run.dump_folder, "Write a failing case's tensors there as .npy");
    command->footer(verify_examples);
    command->callback([options, &context] { context.exit_status = verify_command(*options, context); });
}

}  // namespace kernelgen::cli
