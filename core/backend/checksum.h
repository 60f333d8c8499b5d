// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace kernelgen {

/// The checksum of a buffer: the NH hash (Black et al., "UMAC", 1999) with keys in arithmetic progression. It is a sum
/// over the buffer's words of 8 bytes (the last word is filled up with zeros). To each half of a word, half of the
/// word's key is added; the product of the two halves is the word's term. So the checksum of a buffer is the sum of the
/// checksums of its parts, and where a part changes, the checksum changes by the difference of that part. Two different
/// buffers have the same checksum with a chance of about 2^-32. `resources/cuda/timing.cu` computes the same on a GPU.

inline constexpr std::uint64_t checksum_step = 0x9e3779b97f4a7c15;  ///< between the keys of neighbouring words

/// The checksum of a part of a buffer. `data` holds the words from `first_word` on; `bytes` is a multiple of 8, except
/// where the buffer ends there.
std::uint64_t checksum(const std::byte* data, std::size_t bytes, std::uint64_t key, std::size_t first_word = 0);

/// The key of output `index`. Each output has its own key, so that exchanged outputs have another checksum.
std::uint64_t output_key(std::uint64_t key, std::size_t index);

}  // namespace kernelgen
