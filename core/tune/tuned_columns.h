// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/tune/tuning.h"

namespace kernelgen {

/// A tunable in the results of a tuning: its values, and which of them each configuration has.
struct TunedColumn {
    std::string name;
    std::vector<std::int64_t> values;   ///< ascending: those that take part, and others that were tried
    std::vector<std::uint16_t> places;  ///< among `values`, in the order of `Tuning::tried`
};

/// The column of the parameter at this place.
TunedColumn column_of(const Tuning& tuning, std::size_t parameter);
/// A column for each parameter of a tuning, in their order.
std::vector<TunedColumn> columns_of(const Tuning& tuning);

}  // namespace kernelgen
