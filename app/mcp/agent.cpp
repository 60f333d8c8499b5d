// SPDX-License-Identifier: Apache-2.0
#include "app/mcp/agent.h"

#include <algorithm>
#include <iterator>

#include "core/base/json_reader.h"
#include "core/base/text.h"
#include "core/project/judging_files.h"
#include "core/project/project_file.h"

namespace kernelgen::agent {

namespace fs = std::filesystem;

namespace {

bool is_project(const fs::path& folder) {
    std::error_code error;
    return fs::is_regular_file(folder / "project.json", error);
}

Diagnostics refusal(const std::string& path, const std::string& why, const std::string& what_to_do) {
    return {{"", "path", in_backquotes(path) + " " + why, what_to_do}};
}

/// Hashes of the files and parts that judge kernels, by name.
Agent::Hashes judges_of(Project project) {
    Agent::Hashes hashes;
    const SourceReader read = folder_reader(project.folder);
    if (const auto files = judging_files(project, read)) {
        for (const auto& [file, reason] : *files) {
            const Result<std::optional<std::string>> text = read(file);
            hashes[file] = text && *text ? hash_hex(**text) : "";
        }
    }
    std::erase_if(project.variants, [&](const Variant& each) { return !judging_role(project, each.name); });
    hashes["project.json"] = hash_hex(project_text(project));
    return hashes;
}

}  // namespace

Agent::Agent(const cli::Context& context, fs::path root) : context_(context), root_(fs::canonical(root)) {
    if (!is_project(root_)) return;
    open_ = root_;
    records_.try_emplace(root_, root_);
    if (const Validated<Project> project = load_project(root_)) judges_[root_] = judges_of(*project);
}

std::vector<std::string> Agent::changed_judges() {
    const Validated<Project> present = project();
    Hashes now = present ? judges_of(*present) : Hashes();
    const std::lock_guard lock(mutex_);
    std::vector<std::string> changed;
    if (!open_ || !judges_.contains(*open_)) return changed;
    for (const auto& [name, hash] : judges_.at(*open_)) {
        const auto found = now.find(name);
        if (found == now.end() || found->second != hash) changed.push_back(name);
        if (found != now.end()) now.erase(found);
    }
    for (const auto& [name, hash] : now) changed.push_back(name);  // what judges now, and did not
    std::ranges::move(records_.at(*open_).take_changes(*open_), std::back_inserter(changed));
    return changed;
}

std::vector<std::string> Agent::projects() const {
    std::vector<std::string> found;
    if (is_project(root_)) found.emplace_back(".");
    std::error_code error;
    for (const fs::directory_entry& each : fs::directory_iterator(root_, error)) {
        if (each.is_directory() && !each.is_symlink() && is_project(each.path()))
            found.push_back(each.path().filename().string());
    }
    std::ranges::sort(found);
    return found;
}

Validated<Project> Agent::open(const std::string& path) {
    const std::string known = "one of: " + join(projects(), ", ");
    const bool climbs = std::ranges::any_of(fs::path(path), [](const fs::path& part) { return part == ".."; });
    if (climbs || fs::path(path).is_absolute())
        return std::unexpected(refusal(path, "leaves the folder that this server was given", known));
    std::error_code error;
    const fs::path folder = fs::weakly_canonical(root_ / path, error);
    const fs::path within = folder.lexically_relative(root_);
    if (error || within.empty() || *within.begin() == "..")
        return std::unexpected(refusal(path, "is a link that leaves the folder that this server was given", known));
    if (!is_project(folder)) return std::unexpected(refusal(path, "is no project's folder", known));
    Validated<Project> project = load_project(folder);
    if (!project) return project;
    const std::lock_guard lock(mutex_);
    open_ = folder;
    records_.try_emplace(folder, folder);
    judges_.try_emplace(folder, judges_of(*project));  // opened again, it is compared with what it was at first
    return project;
}

Validated<Project> Agent::project() const {
    std::optional<fs::path> folder;
    {
        const std::lock_guard lock(mutex_);
        folder = open_;
    }
    if (folder) return load_project(*folder);
    return std::unexpected(
        Diagnostics{{"", "", "no project is open", "call `open` with one of: " + join(projects(), ", ")}});
}

Result<std::shared_ptr<WorkerClient>> Agent::worker(std::stop_token stop) {
    const std::lock_guard lock(starting_);
    if (worker_ && worker_->alive()) return worker_;
    Result<std::unique_ptr<WorkerClient>> started = context_.start_worker(std::move(stop));
    if (!started) return std::unexpected(started.error());
    worker_ = std::move(*started);
    return worker_;
}

}  // namespace kernelgen::agent
