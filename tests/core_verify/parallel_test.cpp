// SPDX-License-Identifier: Apache-2.0
#include "core/verify/parallel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <new>
#include <thread>
#include <vector>

namespace kernelgen {
namespace {

TEST(OnAllCores, HandsOutEveryUnitOnce) {
    std::vector<std::atomic<int>> visits(1000);
    Claims claims(1000, 7, {});
    on_all_cores(claims, [&](Claims& mine) {
        while (const auto claim = mine.next()) {
            for (std::int64_t i = claim->first; i < claim->end; ++i) ++visits[static_cast<std::size_t>(i)];
        }
    });
    EXPECT_TRUE(std::ranges::all_of(visits, [](const auto& count) { return count == 1; }));
}

TEST(OnAllCores, ThrowsInTheCallerWhatAnotherThreadThrew) {
    if (std::thread::hardware_concurrency() < 2) GTEST_SKIP() << "one core: there is no other thread";
    const std::thread::id caller = std::this_thread::get_id();
    Claims claims(2, 1, {});
    std::atomic<bool> throws = false;
    const auto body = [&](Claims&) {
        if (std::this_thread::get_id() != caller) {
            throws = true;
            throw std::bad_alloc();
        }
        while (!throws) std::this_thread::yield();
    };
    EXPECT_THROW(on_all_cores(claims, body), std::bad_alloc);
}

TEST(OnAllCores, HandsOutNothingMoreAfterAnException) {
    Claims claims(1'000'000, 1, {});
    const auto body = [](Claims& mine) {
        while (mine.next()) throw std::runtime_error("first claim");
    };
    EXPECT_THROW(on_all_cores(claims, body), std::runtime_error);
    EXPECT_FALSE(claims.next());
}

}  // namespace
}  // namespace kernelgen
