// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/cli/context.h"
#include "app/mcp/records.h"
#include "core/base/result.h"
#include "core/project/project.h"
#include "core/worker/client.h"

namespace kernelgen::agent {

/// What the tools of a session share: the folder that the client may see, the project in it that is open, and the
/// worker. Thread safe.
class Agent {
public:
    using Hashes = std::map<std::string, std::string>;  ///< of files and parts, by name

    /// `root`: a project's folder, which is then open, or a folder of projects. It must exist.
    Agent(const cli::Context& context, std::filesystem::path root);

    /// Opens a project by its path within the root; "" is the root itself. Errors: a path that leaves the root, no
    /// project, one with errors.
    Validated<Project> open(const std::string& path);

    /// The open project as it is on disk now. Errors: none is open, and what `load_project` reports.
    Validated<Project> project() const;

    /// The projects within the root, by their paths; "." is the root itself.
    std::vector<std::string> projects() const;

    /// The files and parts that judge a kernel and have changed since the project was first opened: files by name,
    /// "project.json" for the definition, cases, tolerances and baselines; and recorded rounds that have changed. A
    /// person may have changed them, or a kernel, which has its user's rights.
    std::vector<std::string> changed_judges();

    /// The worker, which is started where none is alive.
    Result<std::shared_ptr<WorkerClient>> worker(std::stop_token stop);

private:
    const cli::Context& context_;
    std::filesystem::path root_;
    mutable std::mutex mutex_;
    std::optional<std::filesystem::path> open_;
    std::map<std::filesystem::path, Hashes> judges_;    ///< of what judges, at the first opening of each project
    std::map<std::filesystem::path, Records> records_;  ///< of the same projects
    std::mutex starting_;                               ///< of the worker: others go on meanwhile
    std::shared_ptr<WorkerClient> worker_;
};

}  // namespace kernelgen::agent
