// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace kernelgen {

/// What the loops of a built kernel consist of, by the names of metrics (`vector_loops`, `double_operations` …), from
/// the output of `objdump -d`. Only x86-64 is read: of another processor's code the result is empty.
std::map<std::string, double> instruction_counts(std::string_view disassembly);

/// The counts of a shared object; none where there is no `objdump`.
std::map<std::string, double> instruction_counts_of(const std::filesystem::path& object);

}  // namespace kernelgen
