// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "core/backend/call.h"
#include "core/base/said.h"
#include "core/tensor/random.h"
#include "core/verify/result.h"
#include "core/verify/variation.h"

namespace kernelgen {

/// Prepares the buffers in an arena for a run, and checks them after it. `arena` is the arena's first byte; the arena
/// must have at least `layout.total` bytes.

/// Makes the inputs of a check from its set and seed, on all cores.
void fill_inputs(const Call& call, const Layout& layout, std::byte* arena, InputSet set, std::uint64_t seed);

/// As `fill_inputs`, with each input's values rounded to its dtype in `dtypes` before they are stored in the call's.
void fill_inputs_as(std::span<const DType> dtypes, const Call& call, const Layout& layout, std::byte* arena,
                    InputSet set, std::uint64_t seed);

/// Writes the variation's spans over inputs of `fill_inputs_as`.
void vary_inputs(std::span<const DType> dtypes, const Call& call, const Layout& layout, std::byte* arena,
                 const Variation& variation);

/// Writes the guards of every buffer, each byte different from its neighbours.
void fill_guards(const Layout& layout, std::byte* arena);

/// Returns a new value for an element of an input.
using InputEdit = std::function<double(std::size_t input, std::int64_t index, double value)>;

/// Changes all inputs, except integers and inputs with a domain. `edit` is called by several threads at once.
void edit_inputs(const Call& call, const Layout& layout, std::byte* arena, const InputEdit& edit);

/// What outputs hold before the two runs of a check. As floats these are of ordinary size, so that a kernel which adds
/// to its output shows it, and NaN, for one that multiplies it.
inline constexpr std::uint8_t poisons[] = {0x3f, 0xff};

/// Fills outputs and workspace with one byte.
void poison_outputs(const Layout& layout, std::byte* arena, std::uint8_t pattern);

/// A sentence about the first guard whose bytes have changed since `fill_guards`: the buffer, the side, and the
/// distance. Nothing where all guards are unchanged.
std::optional<Said> damaged_guard(const Call& call, const Layout& layout, const std::byte* arena);

/// Whether the inputs still have all bytes that `fill_inputs` wrote.
bool inputs_unchanged(const Call& call, const Layout& layout, const std::byte* arena, InputSet set, std::uint64_t seed);

/// A reason with the input set and seed at its end, so that the check can be run again.
Said with_inputs(const Said& reason, InputSet set, std::uint64_t seed);

}  // namespace kernelgen
