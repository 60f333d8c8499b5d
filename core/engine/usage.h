// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace kernelgen {

/// An error in the options of a run or a comparison; `where` is the option ("--case").
Diagnostic usage(std::string where, Said message, Said suggestion);

/// "did you mean `host`?" where a name in `known` is similar, else all of them: "there are: host, naive".
Said choice(std::string_view word, const std::vector<std::string>& known);

}  // namespace kernelgen
