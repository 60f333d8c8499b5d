// SPDX-License-Identifier: Apache-2.0
#include "core/backend/idle_executors.h"

#include <gtest/gtest.h>

namespace kernelgen {
namespace {

/// Executors that greet and say yes to all.
class IdleExecutorsTest : public ::testing::Test {
protected:
    /// The process that serves this use, which is let go at once.
    ForeignThreads::Id served(const std::string& device, const ExecutorUse& use) {
        const auto executor = executors_.take(device, use, [&] {
            ++started_;
            return Executor::start({KERNELGEN_FAKE_EXECUTOR, "hello", "serve"}, {});
        });
        return executor.value()->foreign_threads().running().begin()->first;
    }

    IdleExecutors executors_;
    int started_ = 0;
};

using enum ExecutorKind;

TEST_F(IdleExecutorsTest, ServeTheNextUserOfTheSameDeviceAndKind) {
    const ForeignThreads::Id first = served("cuda:0", {native, {}});
    EXPECT_EQ(served("cuda:0", {native, {"cuda 1"}}), first);
    EXPECT_EQ(started_, 1);
    EXPECT_NE(served("cuda:1", {native, {"cuda 1"}}), first);
    EXPECT_NE(served("cuda:0", {python, {"cuda 1"}}), first);
    EXPECT_EQ(started_, 3);
}

TEST_F(IdleExecutorsTest, ServeNobodyWhoDoesNotHaveTheCodeThatTheyLoaded) {
    const ForeignThreads::Id both = served("cuda:0", {native, {"cuda 1", "cuda 2"}});
    EXPECT_NE(served("cuda:0", {native, {"cuda 2"}}), both);
    EXPECT_EQ(served("cuda:0", {native, {"cuda 2", "cuda 3", "cuda 1"}}), both);
}

TEST_F(IdleExecutorsTest, AreEndedForADeviceOrWhereTheyAreQuicklyHadAgain) {
    const ForeignThreads::Id slow = served("cuda:0", {python, {}}), quick = served("cuda:0", {native, {}});
    executors_.end_idle("cuda:1");
    EXPECT_EQ(served("cuda:0", {native, {}}), quick);
    executors_.end_native();
    EXPECT_NE(served("cuda:0", {native, {}}), quick);
    EXPECT_EQ(served("cuda:0", {python, {}}), slow);
    executors_.end_idle("cuda:0");
    EXPECT_NE(served("cuda:0", {python, {}}), slow);
}

TEST_F(IdleExecutorsTest, AreAtMostThreeOfAKind) {
    for (int i = 0; i < 4; ++i) served("cuda:0", {native, {std::to_string(i)}});
    EXPECT_EQ(started_, 4);
    for (int i = 1; i < 4; ++i) served("cuda:0", {native, {std::to_string(i)}});
    EXPECT_EQ(started_, 4);
    served("cuda:0", {native, {"0"}});
    EXPECT_EQ(started_, 5);
}

TEST_F(IdleExecutorsTest, AreEndedButForThoseThatWereUsedLast) {
    const ForeignThreads::Id first = served("cuda:0", {native, {}}), second = served("cuda:1", {native, {}});
    const ForeignThreads::Id third = served("cuda:2", {python, {}});
    executors_.end_all_but(3);
    EXPECT_EQ(served("cuda:0", {native, {}}), first);  // now the second waits longest
    executors_.end_all_but(2);
    EXPECT_EQ(served("cuda:0", {native, {}}), first);
    EXPECT_EQ(served("cuda:2", {python, {}}), third);
    EXPECT_EQ(started_, 3);
    EXPECT_NE(served("cuda:1", {native, {}}), second);
    executors_.end_all_but(0);
    EXPECT_NE(served("cuda:0", {native, {}}), first);
}

}  // namespace
}  // namespace kernelgen
