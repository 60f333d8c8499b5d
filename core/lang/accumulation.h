// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kernelgen {

/// A format in which a definition lets products be added, coarser than its arithmetic.
enum class Accumulation {
    f22,  ///< 8 bits of exponent and 13 of fraction: tensor cores of sm_90a on operands of 8 bits, in groups of 128
};

std::string_view to_string(Accumulation accumulation);
std::optional<Accumulation> parse_accumulation(std::string_view name);
std::vector<std::string> accumulation_names();

/// Half the spacing at 1, and after how many products a sum must be added to one in f32.
struct AccumulationError {
    double unit = 0, products = 0;
};
AccumulationError error_of(Accumulation accumulation);

}  // namespace kernelgen
