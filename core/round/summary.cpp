// SPDX-License-Identifier: Apache-2.0
#include "core/round/summary.h"

#include <algorithm>

#include "core/project/project_file.h"
#include "core/round/best.h"

namespace kernelgen {

namespace fs = std::filesystem;

namespace {

bool holds_project(const fs::path& folder) {
    std::error_code error;
    return fs::is_regular_file(folder / "project.json", error);
}

double speedup_in(const Round& round) {
    const RoundCase* const deciding = deciding_case(round);
    return deciding == nullptr ? 0 : deciding->speedup;
}

/// The fastest round that is right on the project's cases, else the last that is not right; null without such rounds.
const Round* telling_round(const std::vector<Round>& rounds, const Project& project) {
    const Round* telling = nullptr;
    for (const Round& each : rounds) {
        const bool is_right = each.status == Status::ok;
        if (is_right && !(is_of_project(each, project) && has_present_definition(each, project))) continue;
        const bool was_right = telling != nullptr && telling->status == Status::ok;
        if (is_right ? !was_right || speedup_in(each) > speedup_in(*telling) : !was_right) telling = &each;
    }
    return telling;
}

ProjectSummary summarise_project(const fs::path& folder) {
    ProjectSummary summary{.folder = folder.filename().string(), .name = {}, .problem = {}, .round = {}};
    const Validated<Project> project = load_project(folder);
    if (!project) {
        summary.problem = to_string(project.error());
        return summary;
    }
    summary.name = project->definition.name;
    const Result<History> history = load_history(folder);
    if (!history) summary.problem = history.error().message;
    else if (const Round* const round = telling_round(history->rounds, *project)) summary.round = *round;
    return summary;
}

}  // namespace

double ProjectSummary::speedup() const { return is_right() ? speedup_in(*round) : 0; }

bool ProjectSummary::is_faster() const {
    const RoundCase* const deciding = is_right() ? deciding_case(*round) : nullptr;
    return deciding != nullptr && deciding->speedup_lower > 1;
}

int FolderSummary::tried() const {
    return static_cast<int>(std::ranges::count_if(projects, [](const auto& each) { return each.round.has_value(); }));
}

int FolderSummary::right() const {
    return static_cast<int>(std::ranges::count_if(projects, &ProjectSummary::is_right));
}

int FolderSummary::faster() const {
    return static_cast<int>(std::ranges::count_if(projects, &ProjectSummary::is_faster));
}

double FolderSummary::fast(double threshold) const {
    const auto count =
        std::ranges::count_if(projects, [&](const ProjectSummary& each) { return each.speedup() > threshold; });
    return projects.empty() ? 0 : static_cast<double>(count) / static_cast<double>(projects.size());
}

Result<std::vector<fs::path>> projects_in(const fs::path& folder) {
    std::error_code error;
    std::vector<fs::path> folders;
    if (holds_project(folder)) folders.push_back(folder);
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        if (holds_project(entry.path())) folders.push_back(entry.path());
    }
    if (error) return fail(say("{} cannot be read as a folder: {}", folder.string(), error.message()));
    if (folders.empty()) return fail(say("no folder in {} holds a project.json", folder.string()));
    std::ranges::sort(folders);
    return folders;
}

Result<FolderSummary> summarise_folder(const fs::path& folder) {
    const Result<std::vector<fs::path>> folders = projects_in(folder);
    if (!folders) return std::unexpected(folders.error());
    FolderSummary summary;
    for (const fs::path& each : *folders) summary.projects.push_back(summarise_project(each));
    return summary;
}

}  // namespace kernelgen
