// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <format>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/export_texts.h"
#include "core/base/file.h"
#include "core/project/own_files.h"
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
  kernelgen export projects/bias_add --html               the log as one page with its charts, optimization_log.html
  kernelgen export projects/bias_add --report --html      a report: versions, indicators, charts, recommendations
  kernelgen export projects --report                      the same on all projects of a folder, as Markdown
  kernelgen export projects/bias_add --definition         the operator definition document
  kernelgen export projects/bias_add --tuning 1           its results as T4, for Kernel Tuner and others
  kernelgen export projects/bias_add --tuning 1 --format t1   its space: parameters and conditions)";

struct ExportOptions {
    std::vector<std::string> projects;
    std::string output, language = "en", device = "cpu";
    bool definition = false, report = false, html = false;
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

Validated<std::string> tuning_text(const Project& project, const Tuning& tuning, const std::string& format) {
    if (format == "t4") return to_t4(tuning).dump(1) + "\n";
    const Result<nlohmann::ordered_json> space = to_t1(tuning, project.find_variant(tuning.head.variant));
    if (!space) return std::unexpected(as_diagnostics(space.error()));
    return space->dump(1) + "\n";
}

ExportForm form_of(const ExportOptions& options) { return {tongue_named(options.language), options.html}; }

/// The document; its warnings are told.
std::string told(const Exported& exported) {
    for (const Said& warning : exported.warnings) std::cerr << "kernelgen: " << warning << "\n";
    return exported.text;
}

Validated<std::string> definition_text(const Project& project, const ExportOptions& options, Context& context) {
    const Result<Ceilings> ceilings = ceilings_of(options.device, context);
    if (!ceilings) return std::unexpected(as_diagnostics(ceilings.error()));
    const ExportForm form = form_of(options);
    return definition_document(project, *ceilings, form.tongue).transform([&](const std::string& text) {
        return text_of({text, {}}, form);
    });
}

/// A document, and the folder in which it belongs.
struct Document {
    std::string text;
    std::filesystem::path folder;
};

Validated<Document> report_document(const ExportOptions& options) {
    const Validated<Exported> report = exported_report(options.projects, form_of(options));
    if (!report) return std::unexpected(report.error());
    std::filesystem::path place = options.projects.size() == 1 ? options.projects.front() : ".";
    if (!std::filesystem::is_directory(place)) place = place.parent_path();
    return Document{told(*report), place};
}

Validated<std::string> text_on(const Project& project, const ExportOptions& options, Context& context) {
    if (options.definition) return definition_text(project, options, context);
    if (options.tuning) {
        const Result<Tuning> tuning = load_tuning(project.folder, *options.tuning);
        if (!tuning) return std::unexpected(as_diagnostics(tuning.error()));
        return tuning_text(project, *tuning, options.format);
    }
    const Validated<Exported> log = exported_log(project, form_of(options));
    if (!log) return std::unexpected(log.error());
    return told(*log);
}

Validated<Document> document_of(const ExportOptions& options, Context& context) {
    if (options.report) return report_document(options);
    if (options.projects.size() > 1)
        return std::unexpected(
            Diagnostics{{"", "kernelgen export", "several projects", "only --report covers several"}});
    const Validated<Project> project = load_project(options.projects.front());
    if (!project) return std::unexpected(project.error());
    return text_on(*project, options, context).transform([&](std::string text) {
        return Document{std::move(text), project->folder};
    });
}

std::string standard_name(const ExportOptions& options) {
    if (options.tuning) return std::format("tuning_{}.{}.json", *options.tuning, options.format == "t4" ? "T4" : "T1");
    if (options.definition) return std::string(options.html ? own_files::definition_page : own_files::definition);
    return export_name(options.report, options.html);
}

int export_command(const ExportOptions& options, Context& context) {
    const Validated<Document> document = document_of(options, context);
    if (!document) return report(context, document.error());
    if (options.output == "-") {
        if (context.json) print_json({{"text", document->text}});
        else std::cout << document->text;
        return exit_done;
    }
    const std::filesystem::path path =
        options.output.empty() ? document->folder / standard_name(options) : std::filesystem::path(options.output);
    if (const Result<void> written = write_file_atomic(path, document->text); !written)
        return report(context, written.error());
    if (context.json) print_json({{"file", path.string()}, {"bytes", document->text.size()}});
    else std::cout << "wrote " << path.string() << "\n";
    return exit_done;
}

}  // namespace

void add_export(CLI::App& app, Context& context) {
    auto options = std::make_shared<ExportOptions>();
    CLI::App* command =
        app.add_subcommand("export", "Write the optimization log, a report, or the operator definition");
    command
        ->add_option("PROJECT", options->projects,
                     "A project's folder, or its project.json; of --report several, or a folder of projects")
        ->required();
    command->add_option("-o,--output", options->output, "The file to write; - for stdout");
    command->add_option("--lang", options->language, "en or zh")
        ->check(CLI::IsMember({"en", "zh"}))
        ->capture_default_str();
    command->add_flag("--html", options->html, "A page with charts that needs nothing else, instead of Markdown");
    CLI::Option* report =
        command->add_flag("--report", options->report, "A report on one or several projects instead of the log");
    CLI::Option* definition =
        command->add_flag("--definition", options->definition, "The operator definition document instead of the log");
    definition->excludes(report);
    command->add_option("--device", options->device, "Whose ceilings the definition document states")
        ->capture_default_str();
    CLI::Option* tuning =
        command->add_option("--tuning", options->tuning, "The results of the tuning of this number instead of the log");
    tuning->excludes(report)->excludes(definition);
    command->add_option("--format", options->format, "Of a tuning: t4 for its results, t1 for its space")
        ->check(CLI::IsMember({"t1", "t4"}))
        ->needs(tuning)
        ->capture_default_str();
    command->footer(export_examples);
    command->callback([options, &context] { context.exit_status = export_command(*options, context); });
}

}  // namespace kernelgen::cli
