// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace kernelgen {

/// How an attempt ended. A round with several statuses takes the first in this order that is not `ok`.
enum class Status {
    ok,
    unavailable,
    restricted,
    build_failed,
    over_limit,
    launch_failed,
    crashed,
    timed_out,
    out_of_bounds,
    input_modified,
    unwritten,
    mismatch,
    nondeterministic,
    implausible,
    cancelled,
};

std::string_view to_string(Status status);
std::optional<Status> parse_status(std::string_view name);

/// The worse of two statuses, which a round takes: the first in the order above that is not `ok`.
Status worst(Status a, Status b);

}  // namespace kernelgen
