// SPDX-License-Identifier: Apache-2.0
#include "core/backend/idle_executors.h"

#include <gtest/gtest.h>

#include <atomic>

namespace kernelgen {
namespace {

/// Executors that greet and say yes to all.
class IdleExecutorsTest : public ::testing::Test {
protected:
    /// The process that serves this use, which is let go at once.
    ForeignThreads::Id served(const std::string& device, const ExecutorUse& use) {
        const auto executor = executors_.take(device, use, start(), {});
        return executor.value()->foreign_threads().running().begin()->first;
    }

    IdleExecutors::Start start() {
        return [this](const std::stop_token&) {
            ++started_;
            return Executor::start({KERNELGEN_FAKE_EXECUTOR, "hello", "serve"}, {});
        };
    }

    std::atomic<int> started_ = 0;
    IdleExecutors executors_;
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

TEST_F(IdleExecutorsTest, ThatAreExpectedStartBeforeTheyAreTaken) {
    executors_.expect("cuda:0", {{python, {"a"}}, {python, {"b"}}}, start());
    executors_.expect("cuda:0", {{python, {"a"}}, {python, {"b"}}}, start());  // they start already
    const auto never = [](const std::stop_token&) -> Result<std::unique_ptr<Executor>> { return fail("asked"); };
    const auto first = executors_.take("cuda:0", {python, {"a"}}, never, {});
    const auto second = executors_.take("cuda:0", {python, {"b"}}, never, {});
    ASSERT_TRUE(first);
    ASSERT_TRUE(second);
    EXPECT_EQ(started_, 2);
    EXPECT_FALSE(executors_.take("cuda:0", {python, {"a"}}, never, {}));
    EXPECT_FALSE(executors_.take("cuda:1", {python, {"a"}}, never, {}));
}

TEST_F(IdleExecutorsTest, AreNotStartedForUsesThatIdleOnesServe) {
    served("cuda:0", {python, {"a"}});
    executors_.expect("cuda:0", {{python, {"a"}}}, start());
    EXPECT_EQ(started_, 1);
    executors_.expect("cuda:0", {{python, {"a"}}, {python, {"a"}}}, start());
    executors_.end_idle("cuda:0");  // those that start as well
    EXPECT_EQ(started_, 2);
    served("cuda:0", {python, {"a"}});
    EXPECT_EQ(started_, 3);
}

TEST_F(IdleExecutorsTest, AreStartedAgainWhereTheExpectedOneFailed) {
    executors_.expect("cuda:0", {{python, {}}},
                      [](const std::stop_token&) -> Result<std::unique_ptr<Executor>> { return fail("no memory"); });
    served("cuda:0", {python, {}});
    EXPECT_EQ(started_, 1);
}

}  // namespace
}  // namespace kernelgen
