// SPDX-License-Identifier: Apache-2.0
#include "core/base/status.h"

#include <algorithm>
#include <array>

namespace kernelgen {
namespace {

constexpr std::array<std::string_view, 15> names = {
    "ok",        "unavailable",   "restricted",     "build_failed", "over_limit", "launch_failed",    "crashed",
    "timed_out", "out_of_bounds", "input_modified", "unwritten",    "mismatch",   "nondeterministic", "implausible",
    "cancelled"};

}  // namespace

std::string_view to_string(Status status) { return names[static_cast<std::size_t>(status)]; }

std::optional<Status> parse_status(std::string_view name) {
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) return std::nullopt;
    return static_cast<Status>(found - names.begin());
}

Status worst(Status a, Status b) {
    if (a == Status::ok) return b;
    if (b == Status::ok) return a;
    return std::min(a, b);
}

}  // namespace kernelgen
