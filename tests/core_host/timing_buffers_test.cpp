// SPDX-License-Identifier: Apache-2.0
#include "core/host/timing_buffers.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>

#include "tests/core_host/kernels.h"

namespace kernelgen {
namespace {

constexpr std::size_t page = 4096;

/// Whether each page of [begin, begin + bytes) is in memory.
std::vector<unsigned char> resident(std::byte* begin, std::size_t bytes) {
    std::vector<unsigned char> pages(bytes / page);
    EXPECT_EQ(::mincore(begin, bytes, pages.data()), 0);
    for (unsigned char& each : pages) each &= 1;
    return pages;
}

TEST(TimingBuffers, WriteEveryPageOfTheInputsBeforeACall) {
    const Operator definition = testing::bias_add_operator();
    const Call call =
        make_call(definition, testing::bias_add_kernel(""), {"", DType::f32, {{"P", 301}, {"D", 1000}}}).value();
    ThreadPool pool(allowed_cpus());
    TimingBuffers buffers = TimingBuffers::allocate({&call, 1}, 1, pool).value();
    std::byte* const input = buffers.of(0, 0).inputs[0];
    std::byte* const first = input + (page - reinterpret_cast<std::uintptr_t>(input) % page) % page;
    const std::size_t bytes = (call.inputs[0].bytes - static_cast<std::size_t>(first - input)) / page * page;
    ASSERT_EQ(::madvise(first, bytes, MADV_DONTNEED), 0);
    ASSERT_FALSE(std::ranges::contains(resident(first, bytes), 1));
    buffers.rewrite_pages(0, true, pool);
    EXPECT_FALSE(std::ranges::contains(resident(first, bytes), 0));
}

}  // namespace
}  // namespace kernelgen
