// SPDX-License-Identifier: Apache-2.0
#include "app/cli/export_texts.h"

#include "core/files/sources.h"
#include "core/project/project_file.h"
#include "core/round/summary.h"

namespace kernelgen::cli {

Tongue tongue_named(std::string_view language) { return language == "zh" ? Tongue::chinese : Tongue::english; }

Checked<Exported> exported_log(const Project& project, Tongue tongue) {
    const Result<History> history = load_history(project.folder);
    if (!history) return std::unexpected(as_diagnostics(history.error()));
    Exported log{{}, history->warnings};
    const Result<Consistency> checked = check_consistency(project, source_texts(project));
    if (!checked) log.warnings.push_back("the log is without its checklist: " + checked.error().message);
    log.document = illustrated_log(project, *history, tongue, checked ? &*checked : nullptr);
    return log;
}

namespace {

Checked<std::vector<std::filesystem::path>> folders_of(const std::vector<std::string>& paths) {
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

Checked<Exported> exported_report(const std::vector<std::string>& paths, Tongue tongue) {
    const auto folders = folders_of(paths);
    if (!folders) return std::unexpected(folders.error());
    std::vector<ReportedProject> projects;
    Exported report;
    for (const std::filesystem::path& each : *folders) {
        Checked<Project> project = load_project(each);
        if (!project) return std::unexpected(project.error());
        Result<History> history = load_history(project->folder);
        if (!history) return std::unexpected(as_diagnostics(history.error()));
        report.warnings.insert(report.warnings.end(), history->warnings.begin(), history->warnings.end());
        projects.push_back({std::move(*project), std::move(*history)});
    }
    report.document = kernel_report(projects, tongue);
    return report;
}

std::string text_of(const Illustrated& document, bool as_page, Tongue tongue) {
    return as_page ? html_page(document.markdown, document.pictures, tongue) : without_pictures(document);
}

}  // namespace kernelgen::cli
