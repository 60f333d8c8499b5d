// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "core/base/text.h"
#include "core/engine/usage.h"
#include "core/report/scaling_report.h"
#include "core/report/sentences.h"

namespace kernelgen::cli {

namespace {

constexpr const char* scale_examples =
    R"(FILE is a tensor (.npy), or recorded amax as JSON lines or CSV (docs/SCALING.md). Several files of one name are
steps of one tensor, in their order: scales from the earlier ones then meet the last.

Examples:
  kernelgen scale weight.npy                              the format, and the error of scales per tensor, channel, group
  kernelgen scale weight.npy --axis 0 --groups 32,128
  kernelgen scale x=step1.npy x=step2.npy --clip-target 0.005
  kernelgen scale amax.csv --smoothing 0.9 --margin 1.5   which steps delayed scales would have clipped
  kernelgen scale amax.jsonl --state scales.json          goes on with what earlier calls kept
  kernelgen scale layers/*.npy --critical lm_head --json  a precision for each layer)";

struct ScaleOptions {
    ScalingRequest request;
    std::vector<std::string> files;
    std::string state, format, language = "en";
    bool markdown = false;
};

/// What is wrong with the numbers.
Diagnostics wrong_numbers(const ScalingRequest& request) {
    Diagnostics diagnostics;
    const auto expect = [&](bool is_right, const char* option, Said message, const char* suggestion) {
        if (!is_right) diagnostics.push_back(usage(option, std::move(message), suggestion));
    };
    const auto text = [](double value) { return Phrases(Tongue::english).number(value); };
    const DelayedRule& rule = request.delayed;
    expect(rule.smoothing >= 0 && rule.smoothing < 1, "--smoothing",
           say("{} is no share of the old average", text(rule.smoothing)), "from 0 to below 1, such as 0.99");
    expect(rule.margin >= 1 && rule.margin <= 1000, "--margin", say("{} is no margin", text(rule.margin)),
           "from 1 to 1000, such as 1.2");
    expect(request.clip_target >= 0 && request.clip_target < 1, "--clip-target",
           say("{} is no share of elements", text(request.clip_target)), "from 0 to below 1, such as 0.01");
    for (const std::int64_t each : request.groups)
        expect(each >= 1 && each <= 1 << 30, "--groups", say("{} is no group size", each), "such as 32,64,128");
    for (const auto& [limit, option] :
         {std::pair(request.policy.limit, "--fp8-limit"), std::pair(request.limits.mean, "--layer-limit"),
          std::pair(request.limits.whole, "--whole-limit")})
        expect(limit >= 0 && limit <= 1, option, say("{} is no relative error", text(limit)), "a share, such as 0.01");
    return diagnostics;
}

/// The request that the options describe.
Validated<ScalingRequest> request_of_scale(const ScaleOptions& options) {
    ScalingRequest request = options.request;
    if (!options.format.empty()) request.format = options.format == "e4m3" ? DType::f8e4m3 : DType::f8e5m2;
    for (const std::string& each : options.files) request.inputs.push_back(scaling_input(each));
    std::erase(request.policy.critical, "");
    Diagnostics wrong = wrong_numbers(request);
    if (!wrong.empty()) return std::unexpected(std::move(wrong));
    return request;
}

int refuse_scaling(const ScaleOptions& options, Diagnostics diagnostics, const Context& context) {
    const Tongue tongue = options.language == "zh" ? Tongue::chinese : Tongue::english;
    for (Diagnostic& each : diagnostics) {
        each.message = in_tongue(each.message, tongue);
        each.suggestion = in_tongue(each.suggestion, tongue);
    }
    const int status = report(context, diagnostics);
    return context.interrupted.stop_requested() ? exit_cancelled : status;
}

std::string scaling_table_text(const MarkdownTable& table) {
    std::ostringstream text;
    print_table(text, {table.header, table.rows});
    return text.str();
}

int scale_command(const ScaleOptions& options, Context& context) {
    const Validated<ScalingRequest> request = request_of_scale(options);
    if (!request) return refuse_scaling(options, request.error(), context);
    Validated<ScalingState> state = options.state.empty() ? ScalingState{} : read_scaling_state(options.state);
    if (!state) return refuse_scaling(options, state.error(), context);
    const InterruptGuard guard(context.interrupted);
    const auto begins = [](const std::string& file) { terminal_progress()("reading " + file, 0, 0); };
    const Validated<ScalingReport> told = assist_scaling(*request, *state, begins, context.interrupted.get_token());
    clear_progress();
    if (!told) return refuse_scaling(options, told.error(), context);
    const Phrases say(options.language == "zh" ? Tongue::chinese : Tongue::english);
    if (!options.state.empty()) {
        const Result<void> kept = write_scaling_state(options.state, *state);
        if (!kept) return refuse_scaling(options, as_diagnostics(kept.error()), context);
    }
    if (context.json) print_json(to_json(*told, *request));
    else std::cout << scaling_text(*told, *request, say, options.markdown ? to_markdown : scaling_table_text);
    return exit_done;
}

void add_scale_rules(CLI::App& command, ScaleOptions& options) {
    ScalingRequest& request = options.request;
    command.add_option("--smoothing", request.delayed.smoothing, "Share of the old average in the new one")
        ->capture_default_str();
    command.add_option("--margin", request.delayed.margin, "Delayed scales fit this times the average")
        ->capture_default_str();
    command.add_option("--state", options.state, "A file that keeps the averages from one call to the next");
    command
        .add_option("--critical", request.policy.critical,
                    "Layers with one of these in their name stay in FP16; * stands for any characters")
        ->delimiter(',')
        ->capture_default_str();
    command.add_option("--fp8-limit", request.policy.limit, "The largest relative error of a layer in FP8")
        ->capture_default_str();
    command.add_option("--layer-limit", request.limits.mean, "The largest mean of the layers' relative errors")
        ->capture_default_str();
    command.add_option("--whole-limit", request.limits.whole, "The largest relative error of all layers together")
        ->capture_default_str();
}

}  // namespace

void add_scale(CLI::App& app, Context& context) {
    auto options = std::make_shared<ScaleOptions>();
    ScalingRequest& request = options->request;
    CLI::App* command = app.add_subcommand("scale", "FP8: which format and scales a tensor needs, and what they cost");
    command->add_option("FILE", options->files, "A tensor (.npy) or recorded amax, as FILE or NAME=FILE")->required();
    command->add_option("--format", options->format, "e4m3 or e5m2; default: chosen by range")
        ->check(CLI::IsMember({"e4m3", "e5m2"}));
    command->add_option("--axis", request.axis, "Axis of the channels; from 0, or from -1 backwards")
        ->capture_default_str();
    command->add_option("--group-axis", request.group_axis, "Axis along which neighbours share a scale: K")
        ->capture_default_str();
    command->add_option("--groups", request.groups, "Group sizes to try")->delimiter(',')->capture_default_str();
    command->add_option("--clip-target", request.clip_target, "The largest share of elements that may be clipped")
        ->capture_default_str();
    command->add_flag("--bf16", request.uint16_is_bf16, "uint16 in a tensor are the bits of bfloat16");
    add_scale_rules(*command, *options);
    command->add_flag("--markdown", options->markdown, "Tables in Markdown");
    command->add_option("--lang", options->language, "en or zh")
        ->check(CLI::IsMember({"en", "zh"}))
        ->capture_default_str();
    command->footer(scale_examples);
    command->callback([options, command, &context] {
        options->request.are_groups_asked = command->count("--groups") > 0;
        context.exit_status = scale_command(*options, context);
    });
}

}  // namespace kernelgen::cli
