// SPDX-License-Identifier: Apache-2.0
#include "core/backend/checksum.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

namespace kernelgen {
namespace {

std::vector<std::byte> random_bytes(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<std::byte> bytes(count);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
    return bytes;
}

std::uint64_t sum_of(const std::vector<std::byte>& bytes, std::uint64_t key = 12345) {
    return checksum(bytes.data(), bytes.size(), key);
}

TEST(Checksum, IsTheSumOfThoseOfItsParts) {
    const std::vector<std::byte> bytes = random_bytes(8 * 100 + 5, 1);
    for (const std::size_t words : {1, 7, 99, 100}) {
        const std::uint64_t first = checksum(bytes.data(), 8 * words, 12345);
        const std::uint64_t rest = checksum(bytes.data() + 8 * words, bytes.size() - 8 * words, 12345, words);
        EXPECT_EQ(first + rest, sum_of(bytes));
    }
}

TEST(Checksum, SeesEverySingleChangedByte) {
    std::vector<std::byte> bytes = random_bytes(203, 2);
    const std::uint64_t before = sum_of(bytes);
    for (std::byte& byte : bytes) {
        byte ^= std::byte{1};
        EXPECT_NE(sum_of(bytes), before);
        byte ^= std::byte{1};
    }
}

TEST(Checksum, SeesWordsThatWereExchangedAndZerosThatAreMissing) {
    std::vector<std::byte> bytes = random_bytes(160, 3);
    const std::uint64_t before = sum_of(bytes);
    std::swap_ranges(bytes.begin(), bytes.begin() + 8, bytes.begin() + 80);
    EXPECT_NE(sum_of(bytes), before);
    EXPECT_NE(sum_of(std::vector<std::byte>(160)), sum_of(std::vector<std::byte>(152)));
}

TEST(Checksum, DependsOnTheKeyAndOnWhichOutputItIs) {
    const std::vector<std::byte> bytes = random_bytes(64, 4);
    EXPECT_NE(sum_of(bytes, 1), sum_of(bytes, 2));
    EXPECT_NE(output_key(7, 0), output_key(7, 1));
}

TEST(Checksum, OfRandomChangesIsNeverTheSame) {
    std::mt19937_64 random(5);
    std::vector<std::byte> bytes = random_bytes(4096, 6);
    std::set<std::uint64_t> seen = {sum_of(bytes)};
    constexpr int changes = 20000;
    for (int i = 0; i < changes; ++i) {
        bytes[random() % bytes.size()] ^= static_cast<std::byte>(1 + random() % 255);
        seen.insert(sum_of(bytes));
    }
    EXPECT_EQ(seen.size(), changes + 1);
}

}  // namespace
}  // namespace kernelgen
