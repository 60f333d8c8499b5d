// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace kernelgen {

/// The finaliser of SplitMix64 (Steele, Lea & Flood 2014): a bijection that spreads every bit.
std::uint64_t mix(std::uint64_t x);

/// The random bits of an element of a stream.
std::uint64_t random_of(std::uint64_t stream, std::int64_t index);

/// A standard normal number from 64 random bits: its quantile, interpolated between 4096 equal steps of probability.
double standard_normal(std::uint64_t random);

/// `standard_normal` of elements [first, first + values.size()) of a stream, several at a time. All processors give the
/// same bits.
void standard_normals(std::uint64_t stream, std::int64_t first, std::span<double> values);

}  // namespace kernelgen
