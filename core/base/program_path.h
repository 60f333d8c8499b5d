// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace kernelgen {

/// Whether a program of this name stands in a folder of PATH and can be executed.
bool is_on_path(const std::string& program);

}  // namespace kernelgen
