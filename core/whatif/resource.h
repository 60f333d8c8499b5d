// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/said.h"

namespace kernelgen {

/// What a device may have less of, or more.
enum class Resource {
    bandwidth,      ///< of the device's memory
    registers,      ///< of a multiprocessor of a GPU
    shared_memory,  ///< of a multiprocessor of a GPU
    threads,        ///< of a CPU; of a GPU those that a multiprocessor can hold
};
inline constexpr Resource all_resources[] = {Resource::bandwidth, Resource::registers, Resource::shared_memory,
                                             Resource::threads};

std::string_view to_string(Resource resource);  ///< "bandwidth", "registers", "shared memory", "threads"
/// Whether a device of this kind ("cpu", "cuda") has the resource: a CPU's registers and shared memory are not the
/// compiler's to divide.
bool has_resource(std::string_view device_kind, Resource resource);

/// Another device: this one, with another amount of some resources. 0.7 means 70 % of what it has.
using Factors = std::map<Resource, double>;

double factor_of(const Factors& factors, Resource resource);  ///< 1 where it is not changed

inline constexpr double least_factor = 0.001, most_factor = 16;
/// A sentence on a factor that cannot be used: outside these, or no number. Nothing where it can.
std::optional<Said> factor_problem(double factor);

std::string to_string(const Factors& factors);  ///< "bandwidth × 0.7, threads × 0.5"

}  // namespace kernelgen
