// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace kernelgen {

/// Four random words for a counter: Philox4x32-10 (Salmon, Moraes, Dror, Shaw 2011), with the seed's low and high word
/// as its key.
constexpr std::array<std::uint32_t, 4> philox(std::uint64_t seed, std::array<std::uint32_t, 4> counter) {
    auto low_key = static_cast<std::uint32_t>(seed), high_key = static_cast<std::uint32_t>(seed >> 32);
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t first = std::uint64_t{0xD2511F53} * counter[0];
        const std::uint64_t second = std::uint64_t{0xCD9E8D57} * counter[2];
        counter = {static_cast<std::uint32_t>(second >> 32) ^ counter[1] ^ low_key, static_cast<std::uint32_t>(second),
                   static_cast<std::uint32_t>(first >> 32) ^ counter[3] ^ high_key, static_cast<std::uint32_t>(first)};
        low_key += 0x9E3779B9;
        high_key += 0xBB67AE85;
    }
    return counter;
}

}  // namespace kernelgen
