// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/status.h"
#include "core/project/project.h"

namespace kernelgen {

/// A variant of a hostile project, and how it must end.
struct HostileAttempt {
    std::string variant;
    std::vector<Status> ends;        ///< it must end in one of these
    std::vector<std::string> cases;  ///< of the project; empty: all
    std::string device;              ///< the kind it is tried on; empty: every one that the variant is for
    bool is_pace = false;            ///< an honest kernel: no other of its language that ends `ok` may be faster
    bool spoils = false;             ///< it changes its process: what comes next has a new worker
};

/// A project of kernels that go wrong or cheat, with its attempts in order (`attempts.json` beside `project.json`).
struct HostileProject {
    Project project;
    bool is_timed = false;  ///< each is verified and timed; otherwise it is only verified
    std::vector<HostileAttempt> attempts;
};

/// Reads both files of a folder. Errors: those of the project; unknown variants and statuses; an attempt without a
/// status to end in; a variant that is never tried.
Checked<HostileProject> load_hostile(const std::filesystem::path& folder);

/// Whether a kernel is faster than an honest one on some case, by more than two measurements of one kernel differ. Both
/// are speedups by the case's name; a case that only one of them has says nothing.
bool is_too_fast(const std::map<std::string, double>& speedups, const std::map<std::string, double>& honest);

}  // namespace kernelgen
