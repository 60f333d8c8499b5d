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

/// One variant of a hostile project, and how it must end.
struct HostileAttempt {
    std::string variant;
    std::vector<Status> ends;        ///< it must end in one of these
    std::vector<std::string> cases;  ///< names of cases; empty: all
    std::string device;              ///< kind of device on which it is tried; empty: all of the variant
    bool is_pace = false;            ///< an honest kernel: no kernel of its language that ends `ok` may be faster
    bool spoils = false;             ///< it changes its process: the next attempt gets a new worker
};

/// A project of kernels that fail or cheat, with its attempts in order (`attempts.json` beside `project.json`).
struct HostileProject {
    Project project;
    bool is_timed = false;  ///< each is verified and timed; otherwise it is only verified
    std::vector<HostileAttempt> attempts;
};

/// Reads both files of a folder. Errors: those of the project; unknown variants and statuses; an attempt without an
/// expected status; a variant without an attempt.
Validated<HostileProject> load_hostile(const std::filesystem::path& folder);

/// Whether a kernel is faster than an honest one on some case, by more than two measurements of the same kernel may
/// differ. Both arguments are speedups by the case's name; cases that only one of them has are ignored.
bool is_too_fast(const std::map<std::string, double>& speedups, const std::map<std::string, double>& honest);

}  // namespace kernelgen
