// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/said.h"
#include "core/round/history.h"

namespace kernelgen {

/// What a project's rounds came to.
struct ProjectSummary {
    std::string folder;  ///< name of the project's folder
    std::string name;    ///< the operator's
    Said problem;        ///< why the project or its rounds cannot be read; empty: they can
    /// The fastest that is right on all cases over the project's baseline, else the last that is not right; nothing:
    /// there is none.
    std::optional<Round> round;

    bool is_right() const { return round && round->status == Status::ok; }
    /// The lowest speedup of the round's cases; 0 where no round is right.
    double speedup() const;
    /// Whether the speedup's interval lies above 1.
    bool is_faster() const;
};

/// Several projects, such as the problems of a benchmark.
struct FolderSummary {
    std::vector<ProjectSummary> projects;  ///< by folder

    int tried() const;   ///< projects with a round
    int right() const;   ///< projects with a round that is right, and was timed
    int faster() const;  ///< of these, those that are faster by their intervals
    /// The share of all projects that are right with a speedup above `threshold`: fast_p of KernelBench.
    double fast(double threshold) const;
};

/// The folders in `folder` that hold a project, by name, or the folder itself where it does. Errors: no project is
/// there.
Result<std::vector<std::filesystem::path>> projects_in(const std::filesystem::path& folder);

/// Reads the projects in the folders of `folder`, or the one project that it is. Errors: no project is there.
Result<FolderSummary> summarise_folder(const std::filesystem::path& folder);

}  // namespace kernelgen
