// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <format>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/export_texts.h"
#include "core/base/file.h"
#include "core/project/project_file.h"
#include "core/report/report.h"
#include "core/tune/t1_export.h"
#include "core/tune/t4_export.h"
#include "core/tune/tuning_file.h"

namespace kernelgen::cli {

namespace {

constexpr const char* export_examples = R"(Examples:
  kernelgen export projects/bias_add                      writes projects/bias_add/optimization_log.md
  kernelgen export projects/bias_add --lang zh -o -       in Chinese, to stdout
  kernelgen export projects/bias_add --definition         the operator definition document
  kernelgen export projects/bias_add --tuning 1           its results as T4, for Kernel Tuner and others
  kernelgen export projects/bias_add --tuning 1 --format t1   its space: parameters and conditions)";

struct ExportOptions {
    std::string project, output, language = "en", device = "cpu";
    bool definition = false;
    std::optional<int> tuning;
    std::string format = "t4";
};

/// The ceilings of a device; none where they were not measured, which the document says. Errors: no worker, no such
/// device.
Result<Ceilings> ceilings_of(const std::string& device, Context& context) {
    const auto worker = context.start_worker();
    if (!worker) return std::unexpected(worker.error());
    const auto devices = (*worker)->devices();
    if (!devices) return std::unexpected(devices.error());
    if (const auto problem = unknown_device(*devices, device)) return std::unexpected(*problem);
    return std::ranges::find(*devices, device, [](const WorkerDevice& each) { return each.info.name; })->ceilings;
}

Checked<std::string> tuning_text(const Project& project, const Tuning& tuning, const std::string& format) {
    if (format == "t4") return to_t4(tuning).dump(1) + "\n";
    const Result<nlohmann::ordered_json> space = to_t1(tuning, project.find_variant(tuning.head.variant));
    if (!space) return std::unexpected(as_diagnostics(space.error()));
    return space->dump(1) + "\n";
}

Checked<std::string> document_of(const Project& project, const ExportOptions& options, Context& context) {
    const Tongue tongue = tongue_named(options.language);
    if (options.tuning) {
        const Result<Tuning> tuning = load_tuning(project.folder, *options.tuning);
        if (!tuning) return std::unexpected(as_diagnostics(tuning.error()));
        return tuning_text(project, *tuning, options.format);
    }
    if (options.definition) {
        const Result<Ceilings> ceilings = ceilings_of(options.device, context);
        if (!ceilings) return std::unexpected(as_diagnostics(ceilings.error()));
        return definition_document(project, *ceilings, tongue);
    }
    const Checked<ExportedLog> log = exported_log(project, tongue);
    if (!log) return std::unexpected(log.error());
    for (const std::string& warning : log->warnings) std::cerr << "kernelgen: " << warning << "\n";
    return log->text;
}

std::string standard_name(const ExportOptions& options) {
    if (options.tuning) return std::format("tuning_{}.{}.json", *options.tuning, options.format == "t4" ? "T4" : "T1");
    return options.definition ? "operator_definition.md" : "optimization_log.md";
}

int export_command(const ExportOptions& options, Context& context) {
    const Checked<Project> project = load_project(options.project);
    if (!project) return report(context, project.error());
    const Checked<std::string> text = document_of(*project, options, context);
    if (!text) return report(context, text.error());
    if (options.output == "-" && !context.json) {
        std::cout << *text;
        return exit_done;
    }
    const std::filesystem::path standard = project->folder / standard_name(options);
    const bool standard_place = options.output.empty() || options.output == "-";
    const std::filesystem::path path = standard_place ? standard : std::filesystem::path(options.output);
    if (const Result<void> written = write_file_atomic(path, *text); !written) return report(context, written.error());
    if (context.json) print_json({{"file", path.string()}, {"bytes", text->size()}});
    else std::cout << "wrote " << path.string() << "\n";
    return exit_done;
}

}  // namespace

void add_export(CLI::App& app, Context& context) {
    auto options = std::make_shared<ExportOptions>();
    CLI::App* command = app.add_subcommand("export", "Write optimization_log.md, or the operator definition document");
    add_project(*command, options->project);
    command->add_option("-o,--output", options->output, "The file to write; - for stdout");
    command->add_option("--lang", options->language, "en or zh")
        ->check(CLI::IsMember({"en", "zh"}))
        ->capture_default_str();
    command->add_flag("--definition", options->definition, "The operator definition document instead of the log");
    command->add_option("--device", options->device, "Whose ceilings the definition document states")
        ->capture_default_str();
    CLI::Option* tuning =
        command->add_option("--tuning", options->tuning, "The results of the tuning of this number instead of the log");
    command->add_option("--format", options->format, "Of a tuning: t4 for its results, t1 for its space")
        ->check(CLI::IsMember({"t1", "t4"}))
        ->needs(tuning)
        ->capture_default_str();
    command->footer(export_examples);
    command->callback([options, &context] { context.exit_status = export_command(*options, context); });
}

}  // namespace kernelgen::cli
