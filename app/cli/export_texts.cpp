// SPDX-License-Identifier: Apache-2.0
#include "app/cli/export_texts.h"

#include "core/files/sources.h"
#include "core/gate/gate_trend.h"
#include "core/project/own_files.h"
#include "core/project/project_file.h"
#include "core/round/summary.h"

namespace kernelgen::cli {

Tongue tongue_named(std::string_view language) { return language == "zh" ? Tongue::chinese : Tongue::english; }

Validated<Exported> exported_log(const Project& project, const ExportForm& form) {
    const Result<History> history = load_history(project.folder);
    if (!history) return std::unexpected(as_diagnostics(history.error()));
    Exported log{"", history->warnings};
    const Result<Consistency> checked = check_consistency(project, source_texts(project));
    if (!checked) log.warnings.push_back("the log is without its checklist: " + checked.error().message);
    const Consistency* const consistency = checked ? &*checked : nullptr;
    log.text = form.is_page ? text_of(illustrated_log(project, *history, form.tongue, consistency), form)
                            : optimization_log(project, *history, form.tongue, all_rounds, {}, consistency);
    return log;
}

namespace {

Validated<std::vector<std::filesystem::path>> folders_of(const std::vector<std::string>& paths) {
    std::vector<std::filesystem::path> folders;
    for (const std::string& path : paths) {
        if (!std::filesystem::is_directory(path)) {
            folders.emplace_back(path);  // a project.json, or what load_project will call missing
            continue;
        }
        const auto found = projects_in(path);
        if (!found) return std::unexpected(as_diagnostics(found.error()));
        folders.insert(folders.end(), found->begin(), found->end());
    }
    return folders;
}

}  // namespace

Validated<Exported> exported_report(const std::vector<std::string>& paths, const ExportForm& form) {
    const auto folders = folders_of(paths);
    if (!folders) return std::unexpected(folders.error());
    std::vector<ReportedProject> projects;
    Exported report;
    for (const std::filesystem::path& each : *folders) {
        Validated<Project> project = load_project(each);
        if (!project) return std::unexpected(project.error());
        Result<History> history = load_history(project->folder);
        if (!history) return std::unexpected(as_diagnostics(history.error()));
        report.warnings.insert(report.warnings.end(), history->warnings.begin(), history->warnings.end());
        ReportedGate gate = reported_gate(project->folder, Phrases(form.tongue));
        projects.push_back({std::move(*project), std::move(*history), std::move(gate)});
    }
    report.text = text_of(kernel_report(projects, form.tongue, form.is_page), form);
    return report;
}

std::string export_name(bool is_report, bool is_page) {
    if (is_report) return std::string(is_page ? own_files::report_page : own_files::report);
    return std::string(is_page ? own_files::log_page : own_files::log);
}

std::string text_of(const Illustrated& document, const ExportForm& form) {
    return form.is_page ? html_page(document.markdown, document.pictures, form.tongue) : document.markdown;
}

}  // namespace kernelgen::cli
