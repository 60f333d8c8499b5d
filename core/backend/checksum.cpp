// SPDX-License-Identifier: Apache-2.0
#include "core/backend/checksum.h"

#include <cstring>

namespace kernelgen {
namespace {

std::uint64_t product(std::uint64_t word, std::uint64_t key) {
    const auto low = static_cast<std::uint32_t>(word) + static_cast<std::uint32_t>(key);
    const auto high = static_cast<std::uint32_t>(word >> 32) + static_cast<std::uint32_t>(key >> 32);
    return std::uint64_t{low} * high;
}

}  // namespace

std::uint64_t checksum(const std::byte* data, std::size_t bytes, std::uint64_t key, std::size_t first_word) {
    std::uint64_t sum = 0, place = key + first_word * checksum_step;
    const std::size_t words = bytes / sizeof(std::uint64_t);
    for (std::size_t i = 0; i < words; ++i, place += checksum_step) {
        std::uint64_t word = 0;
        std::memcpy(&word, data + i * sizeof word, sizeof word);
        sum += product(word, place);
    }
    if (const std::size_t rest = bytes % sizeof(std::uint64_t); rest > 0) {
        std::uint64_t word = 0;
        std::memcpy(&word, data + words * sizeof word, rest);
        sum += product(word, place);
    }
    return sum;
}

std::uint64_t output_key(std::uint64_t key, std::size_t index) {
    return (key ^ index * 0xd1342543de82ef95) * 0x2545f4914f6cdd1d | 1;
}

}  // namespace kernelgen
