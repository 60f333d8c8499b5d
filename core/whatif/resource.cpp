// SPDX-License-Identifier: Apache-2.0
#include "core/whatif/resource.h"

#include <format>

namespace kernelgen {

std::string_view to_string(Resource resource) {
    switch (resource) {
        case Resource::bandwidth: return "bandwidth";
        case Resource::registers: return "registers";
        case Resource::shared_memory: return "shared memory";
        case Resource::threads: return "threads";
    }
    return "";
}

bool has_resource(std::string_view device_kind, Resource resource) {
    return device_kind != "cpu" || resource == Resource::bandwidth || resource == Resource::threads;
}

double factor_of(const Factors& factors, Resource resource) {
    const auto found = factors.find(resource);
    return found == factors.end() ? 1 : found->second;
}

std::optional<Said> factor_problem(double factor) {
    if (factor >= least_factor && factor <= most_factor) return std::nullopt;
    return say("{} is no share of what the device has: expected a number from {} to {}", factor, least_factor,
               most_factor);
}

std::string to_string(const Factors& factors) {
    std::string text;
    for (const auto& [resource, factor] : factors)
        text += std::format("{}{} × {}", text.empty() ? "" : ", ", to_string(resource), factor);
    return text;
}

}  // namespace kernelgen
