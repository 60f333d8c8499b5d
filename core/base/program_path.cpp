// SPDX-License-Identifier: Apache-2.0
#include "core/base/program_path.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "core/base/text.h"

namespace kernelgen {

bool is_on_path(const std::string& program) {
    const char* path = ::getenv("PATH");
    return std::ranges::any_of(split(path == nullptr ? "" : path, ':'), [&](const std::string& folder) {
        return ::access((folder + "/" + program).c_str(), X_OK) == 0;
    });
}

}  // namespace kernelgen
