// SPDX-License-Identifier: Apache-2.0
// The planted kernels as functions of this program.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace kernelgen::testing {

/// Calls one program of a kernel.
using PlantedProgram = std::function<void(const std::vector<float*>& inputs, float* out, std::int64_t P, std::int64_t D,
                                          std::int64_t pid0, std::int64_t pid1)>;

const std::map<std::string, PlantedProgram>& planted_programs();

}  // namespace kernelgen::testing
