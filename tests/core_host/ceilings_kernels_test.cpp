// SPDX-License-Identifier: Apache-2.0
// The kernels that measure a CPU's bandwidth move what they are counted for: one that left out elements would give a
// ceiling that no kernel reaches.
#define CHUNK 4096
#include "resources/ceilings/bandwidth.cpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

namespace kernelgen {
namespace {

constexpr std::int64_t matrices = 2 * 16 * CHUNK;  ///< elements of whole matrices, for each width of a tile
constexpr std::int64_t lengths[] = {1, 100, CHUNK, matrices, matrices + 3 * CHUNK + 7};

std::int64_t programs_of(std::int64_t n) { return (n + CHUNK - 1) / CHUNK; }

/// Vectors are stored past the caches, to aligned addresses.
struct Buffer {
    explicit Buffer(std::int64_t n) : room(static_cast<std::size_t>(n) + 16) {
        void* first = room.data();
        std::size_t bytes = room.size() * sizeof(float);
        data = static_cast<float*>(std::align(64, static_cast<std::size_t>(n) * sizeof(float), first, bytes));
    }

    std::vector<float> room;
    float* data;
};

TEST(CeilingKernels, CopyEveryElement) {
    for (const auto copy : {copy_streaming, copy_plain, copy_tile_256, copy_tile_512}) {
        for (const std::int64_t n : lengths) {
            Buffer x(n), out(n);
            std::iota(x.data, x.data + n, 1.0f);
            for (std::int64_t program = 0; program < programs_of(n); ++program)
                copy(x.data, out.data, n, program, 0, 0);
            EXPECT_TRUE(std::equal(x.data, x.data + n, out.data)) << n;
        }
    }
}

TEST(CeilingKernels, ReadEveryElementOnce) {
    for (const auto sum : {read_plain, read_prefetched, read_tile_256, read_tile_512}) {
        for (const std::int64_t n : lengths) {
            Buffer x(n), out(programs_of(n));
            std::fill(x.data, x.data + n, 1.0f);
            for (std::int64_t program = 0; program < programs_of(n); ++program) sum(x.data, out.data, n, program, 0, 0);
            EXPECT_EQ(std::accumulate(out.data, out.data + programs_of(n), 0.0), static_cast<double>(n));
        }
    }
}

TEST(CeilingKernels, WriteEveryElement) {
    for (const auto write : {write_streaming, write_plain}) {
        for (const std::int64_t n : lengths) {
            Buffer out(n);
            for (std::int64_t program = 0; program < programs_of(n); ++program) write(out.data, n, program, 0, 0);
            EXPECT_EQ(std::accumulate(out.data, out.data + n, 0.0), static_cast<double>(n));
        }
    }
}

}  // namespace
}  // namespace kernelgen
