// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "core/backend/call.h"
#include "core/tensor/random.h"
#include "core/verify/result.h"
#include "core/verify/variation.h"

namespace kernelgen {

/// What a run on the buffers of an arena needs before it and what is checked after it. `arena` is the arena's first
/// byte and must have at least `layout.total` of them.

/// Makes the inputs of a check again from its set and seed, on all cores.
void fill_inputs(const Call& call, const Layout& layout, std::byte* arena, InputSet set, std::uint64_t seed);

/// The same with the values as they are in other dtypes, one for each input: what those round away is not in them.
void fill_inputs_as(std::span<const DType> dtypes, const Call& call, const Layout& layout, std::byte* arena,
                    InputSet set, std::uint64_t seed);

/// Writes the variation's spans over inputs that `fill_inputs_as` has made.
void vary_inputs(std::span<const DType> dtypes, const Call& call, const Layout& layout, std::byte* arena, InputSet set,
                 const Variation& variation);

/// Writes the guards of every buffer, each byte different from its neighbours.
void fill_guards(const Layout& layout, std::byte* arena);

/// Another value for an element of an input.
using InputEdit = std::function<double(std::size_t input, std::int64_t index, double value)>;

/// Changes all inputs but integers and those with a domain. `edit` is called by several threads at once.
void edit_inputs(const Call& call, const Layout& layout, std::byte* arena, const InputEdit& edit);

/// Fills outputs and workspace with one byte.
void poison_outputs(const Layout& layout, std::byte* arena, std::uint8_t pattern);

/// A sentence about the first guard that is not as `fill_guards` left it: which buffer, on which side, how far.
std::optional<std::string> damaged_guard(const Call& call, const Layout& layout, const std::byte* arena);

/// Whether every byte of the inputs is as `fill_inputs` leaves it.
bool inputs_unchanged(const Call& call, const Layout& layout, const std::byte* arena, InputSet set, std::uint64_t seed);

/// A reason that ends with the inputs, so that the check can be replayed.
std::string with_inputs(const std::string& reason, InputSet set, std::uint64_t seed);

}  // namespace kernelgen
