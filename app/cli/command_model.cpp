// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <format>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "core/base/text.h"
#include "core/files/model_file.h"
#include "core/report/model_report.h"

namespace kernelgen::cli {

namespace {

constexpr const char* model_examples =
    R"(MODEL.py has a reference (a module or a function) and its inputs: KernelBench's `Model`, `get_inputs` and
`get_init_inputs`, or `reference`, `init` and `inputs` (docs/CALLABLE.md). It is executed, in a process of its own. A
row is a call of an operator; "whole gains" is what the model gains if that call reached its ceiling (docs/MODEL.md).

Examples:
  kernelgen devices --measure --device cpu       once: the ceilings that calls are compared with
  kernelgen model resnet.py
  kernelgen model resnet.py --markdown > resnet.md
  kernelgen model resnet.py --project 5-7 -o block     calls 5 to 7 as a project; then: kernelgen run block
  kernelgen model resnet.py --with block               what the model gains with the project's fastest right round)";

struct ModelOptions {
    std::string file, case_name, part, output, name;
    std::string device = "cpu";
    double timeout_seconds = 600;
    std::vector<std::string> projects;
    bool markdown = false;
};

/// "5" or "5-7".
Validated<std::optional<CallRange>> parse_part(const std::string& text) {
    if (text.empty()) return std::nullopt;
    const std::vector<std::string> ends = split(text, '-');
    long long first = 0, last = 0;
    const bool is_range = ends.size() <= 2 && parse_integer(ends.front(), first) && parse_integer(ends.back(), last);
    constexpr long long most = 1'000'000;
    if (is_range && first >= 1 && last >= first && last <= most)
        return CallRange{static_cast<int>(first), static_cast<int>(last)};
    return std::unexpected(Diagnostics{{"", "--project", "`" + text + "` names no calls",
                                        "a number of the table's first column, or neighbours such as 5-7"}});
}

Validated<Case> chosen_case(const std::vector<Case>& cases, const std::string& name) {
    const auto found = name.empty() ? cases.begin() : std::ranges::find(cases, name, &Case::name);
    if (found != cases.end()) return *found;
    return std::unexpected(
        Diagnostics{{"", "--case", "no case `" + name + "`", "the file has: " + join(names_of(cases), ", ")}});
}

/// Reads the file without executing it.
Validated<ModelRequest> request_of(const ModelOptions& options) {
    const Validated<std::optional<CallRange>> part = parse_part(options.part);
    if (!part) return std::unexpected(part.error());
    Validated<ModelFile> model = read_model_file(options.file);
    if (!model) return std::unexpected(model.error());
    const Validated<Case> binding = chosen_case(model->cases, options.case_name);
    if (!binding) return std::unexpected(binding.error());
    return ModelRequest{.definition = std::move(model->definition),
                        .binding = *binding,
                        .device = options.device,
                        .timeout_seconds = options.timeout_seconds,
                        .part = *part};
}

int make_project(const ModelAnswer& answer, const ModelOptions& options, const Context& context) {
    Validated<ImportedSet> set =
        project_of_part(answer.told, std::filesystem::path(options.file).filename().string(), options.name);
    if (!set) return report(context, set.error());
    const std::string folder = options.output.empty() ? set->project.definition.name : options.output;
    if (const Result<void> written = write_imported(*set, folder); !written) return report(context, written.error());
    const std::vector<std::string> cases = names_of(set->project.cases);
    if (context.json) print_json({{"project", folder}, {"cases", cases}});
    else
        std::cout << std::format("wrote {} with case{} {}; next: kernelgen run {}\n", folder,
                                 cases.size() == 1 ? "" : "s", join(cases, ", "), in_shell(folder));
    return exit_done;
}

Result<std::vector<MeasuredPart>> load_parts(const ModelOptions& options) {
    std::vector<MeasuredPart> parts;
    for (const std::string& each : options.projects) {
        Result<MeasuredPart> part = load_measured_part(each, options.device);
        if (!part) return std::unexpected(part.error());
        parts.push_back(std::move(*part));
    }
    return parts;
}

std::string as_printed(const MarkdownTable& table) {
    std::ostringstream text;
    print_table(text, {table.header, table.rows});
    return text.str();
}

int tell(const ModelAnswer& answer, const ModelRequest& request, const ModelOptions& options,
         const std::vector<MeasuredPart>& parts, const Ceilings& ceilings, const Context& context) {
    Result<ModelReport> told = model_report(options.file, request, answer, ceilings);
    if (!told) return report(context, told.error(), exit_not_run);
    if (const Result<void> replaced = replace_calls(*told, parts); !replaced) return report(context, replaced.error());
    if (context.json) print_json(to_json(*told));
    else std::cout << model_text(*told, options.markdown ? to_markdown : as_printed);
    return exit_done;
}

int model_command(const ModelOptions& options, Context& context) {
    const Validated<ModelRequest> request = request_of(options);
    if (!request) return report(context, request.error());
    const Result<std::vector<MeasuredPart>> parts = load_parts(options);
    if (!parts) return report(context, parts.error());
    const InterruptGuard guard(context.interrupted);
    const auto worker = context.start_worker();
    if (!worker) return report(context, worker.error(), exit_not_run);
    const Result<std::vector<WorkerDevice>> devices = (*worker)->devices(context.interrupted.get_token());
    if (!devices) return report(context, devices.error(), exit_not_run);
    if (const auto problem = unknown_device(*devices, options.device)) return report(context, *problem, exit_not_run);
    const ModelAnswer answer = (*worker)->model(*request, terminal_progress(), context.interrupted.get_token());
    clear_progress();
    if (answer.status != Status::ok)
        return report(context, Error{std::format("{}: {}", to_string(answer.status), answer.reason)},
                      exit_status_of(answer.status));
    if (request->part) return make_project(answer, options, context);
    const auto device = std::ranges::find(*devices, options.device, [](const auto& each) { return each.info.name; });
    return tell(answer, *request, options, *parts, device->ceilings, context);
}

}  // namespace

void add_model(CLI::App& app, Context& context) {
    auto options = std::make_shared<ModelOptions>();
    CLI::App* command = app.add_subcommand("model", "A model's operators: what each takes, and what it would gain");
    command->add_option("MODEL", options->file, "A Python file with a model and its inputs")->required();
    command->add_option("--device", options->device, "Where it runs: cpu, cuda:0, …")->capture_default_str();
    command->add_option("--case", options->case_name, "A case of the file's `cases`; default: the first");
    command->add_option("--timeout", options->timeout_seconds, "Seconds that everything may take")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command->add_flag("--markdown", options->markdown, "Tables in Markdown");
    auto* part = command->add_option("--project", options->part,
                                     "Make a project of this call, or of neighbours such as 5-7, by their numbers");
    command->add_option("-o,--output", options->output, "The project's folder; default: the operator's name, here")
        ->needs(part);
    command->add_option("--name", options->name, "The project's operator; default: of the calls")->needs(part);
    command
        ->add_option("--with", options->projects,
                     "A project made of this model's calls: tells the whole with its fastest right round; repeatable")
        ->allow_extra_args(false)
        ->excludes(part);
    command->footer(model_examples);
    command->callback([options, &context] { context.exit_status = model_command(*options, context); });
}

}  // namespace kernelgen::cli
