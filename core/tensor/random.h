// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/tensor/dtype.h"

namespace kernelgen {

/// What inputs are filled with.
enum class InputSet { normal, zeros, ones, tiny, large, nan, infinity };

inline constexpr InputSet edge_sets[] = {InputSet::zeros, InputSet::ones, InputSet::tiny,
                                         InputSet::large, InputSet::nan,  InputSet::infinity};

std::string_view to_string(InputSet set);
std::optional<InputSet> parse_input_set(std::string_view name);

/// Elements [first, first + values.size()) of one tensor, already rounded to `dtype`.
///
/// Every element depends on (set, seed, tensor, its index) only, so that any block can be made again by any thread.
/// normal: standard normal. tiny: around the dtype's smallest normal, denormals among them. large: signed, near the
/// square root of the largest finite value and some near the largest itself. nan, infinity: normal with NaN or ±Inf
/// planted at about one element in 97, and always at the first element.
void generate(InputSet set, std::uint64_t seed, int tensor, DType dtype, std::int64_t first, std::span<double> values);

}  // namespace kernelgen
