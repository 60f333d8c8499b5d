// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

#include "core/verify/npy_reader.h"

namespace kernelgen {

/// Where a tensor's elements lie along one axis: element i is at place (i / inner) % extent.
struct AxisWalk {
    std::int64_t outer = 1, extent = 1, inner = 1;

    std::int64_t place_of(std::int64_t element) const { return element / inner % extent; }
    std::int64_t lines() const { return outer * inner; }  ///< along the axis
};

/// `axis` counts as in NumPy: from 0, or from -1 at the end backwards. Errors: no such axis.
Result<AxisWalk> walk_along(const NpyHeader& header, int axis);

/// Takes a block of elements, of which the first has this number in the file's order.
using TakeBlock = std::function<void(std::int64_t first, std::span<const double> values)>;
/// Makes what takes a thread's blocks. Only one thread calls it at a time.
using MakeTaker = std::function<TakeBlock()>;

/// Gives all elements to the threads of all cores, block by block. Errors: of reading; a stop that was requested.
Result<void> over_elements(const NpyReader& tensor, std::stop_token stop, const MakeTaker& make);

/// The same in groups of `group` neighbours along the axis, whose extent it divides: a block is a whole number of
/// groups, one after the other. The number of its first element is not told.
Result<void> over_groups(const NpyReader& tensor, const AxisWalk& walk, std::int64_t group, std::stop_token stop,
                         const MakeTaker& make);

}  // namespace kernelgen
