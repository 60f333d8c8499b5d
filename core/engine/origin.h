// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/project/project.h"

namespace kernelgen {

/// Whether a text names sources from elsewhere than the project's folder: "round:N", a recorded round, or "git:REV",
/// a commit of the project's repository.
bool is_origin(std::string_view text);

struct Original {
    Implementation implementation;  ///< with the configuration that it had
    std::string name;               ///< which it was: "round-3", "git-0123456789ab"
};

/// The implementation of `variant` as it was there. "round:N" has the variant of that round, whatever `variant` says;
/// "git:REV" that of the project.json of the commit. Errors: no such round or commit, no such variant in it, a folder
/// without a repository, git is not installed.
Result<Original> original(const Project& project, const std::string& origin, const std::string& variant);

}  // namespace kernelgen
