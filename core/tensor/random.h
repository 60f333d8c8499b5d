// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/tensor/domain.h"
#include "core/tensor/dtype.h"

namespace kernelgen {

/// The input sets. `mixed` has all sets except `ones` in one tensor, for cases that are too large to run with each set.
/// `special` is for a few elements of timed calls (core/bench/output_watch.h). Kernels never get the last three: they
/// show where a reference may overflow (see overflow_probes).
enum class InputSet {
    normal,
    zeros,
    ones,
    tiny,
    large,
    wide,
    negative,
    nan,
    infinity,
    mixed,
    special,
    large_magnitudes,
    large_magnified,
    mixed_magnitudes,
};

inline constexpr InputSet edge_sets[] = {InputSet::zeros, InputSet::ones,     InputSet::tiny, InputSet::large,
                                         InputSet::wide,  InputSet::negative, InputSet::nan,  InputSet::infinity};

std::string_view to_string(InputSet set);
std::optional<InputSet> parse_input_set(std::string_view name);

/// Elements [first, first + values.size()) of one tensor, already rounded to `dtype`.
///
/// Every element depends on (set, seed, tensor, its index) only, so that any block can be made again by any thread.
/// normal: standard normal. tiny: around the dtype's smallest normal, denormals among them. large: signed, near the
/// square root of the largest finite value and some near the largest itself. wide: normal values times 16, every other
/// rounded to a half, so that approximations leave their middle and ties occur. negative: below -128, where exp is 0 in
/// f32: shows what begins with 0 in place of the least value. nan, infinity: normal with NaN or ±Inf
/// planted at about one element in 97, and always at the first element. mixed: pieces of 2^13 elements, one half of
/// them normal, the others zeros, tiny, large, wide, negative, nan or infinity. special: every element from another
/// set, one half of them wide, the others zeros, negative, NaN or ±Inf.
///
/// With a `domain` every value is in it. In an interval, `normal` is uniform and `large` has its two ends; in
/// `positive`, every set has its magnitudes. A value outside becomes the nearest bound; NaN and Inf are not planted.
void generate(InputSet set, std::uint64_t seed, int tensor, DType dtype, std::int64_t first, std::span<double> values,
              const std::optional<Domain>& domain = {});

/// The set with which a tensor of this many elements is filled in a check of `set`. A small tensor, such as a bias,
/// gets `normal` instead of `mixed`, since it would be filled by one piece.
InputSet set_for(InputSet set, std::int64_t elements);

/// The sets that show where a reference may overflow on `set`. Magnitudes: the large values without their signs, so
/// that no order of additions keeps a sum small. Magnified: 2^16 times the magnitudes, at most the largest finite
/// value, so that squares overflow too. Empty where a set has no large values.
std::span<const InputSet> overflow_probes(InputSet set);

}  // namespace kernelgen
