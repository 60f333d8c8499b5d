// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace kernelgen {

/// A keyed sum over the words of a buffer, by which outputs are compared without being copied. Each word of 8 bytes
/// (the last is filled up with zeros) adds the product of its halves, to each of which half of a key for its place was
/// added (the NH hash of Black et al., "UMAC", 1999, with keys in arithmetic progression). So the checksum of a buffer
/// is the sum of those of its parts, and a changed part changes it by the difference of two parts. Two buffers that
/// differ have the same checksum with a chance of about 2^-32. `resources/cuda/timing.cu` computes the same on a GPU.

inline constexpr std::uint64_t checksum_step = 0x9e3779b97f4a7c15;  ///< between the keys of neighbouring words

/// `data` holds words [first_word, …) of the buffer; `bytes` of it, a multiple of 8 unless the buffer ends there.
std::uint64_t checksum(const std::byte* data, std::size_t bytes, std::uint64_t key, std::size_t first_word = 0);

/// The key of output `index`, so that outputs which were exchanged are told apart.
std::uint64_t output_key(std::uint64_t key, std::size_t index);

}  // namespace kernelgen
