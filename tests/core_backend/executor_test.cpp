// SPDX-License-Identifier: Apache-2.0
#include "core/backend/executor.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace kernelgen {
namespace {

/// An executor that greets and then does what a shell is told.
std::unique_ptr<Executor> executor_that(const std::string& commands) {
    auto executor = Executor::start({"sh", "-c", "echo '{}' >&3; " + commands}, {});
    EXPECT_TRUE(executor) << executor.error().message;
    (*executor)->set_limit(0.25, {});
    return std::move(*executor);
}

std::unique_ptr<Executor> silent_executor() { return executor_that("cat <&3 >/dev/null"); }

Artifact compiling(double seconds) {
    Artifact artifact{.language = Language::triton, .python = {}};
    artifact.python.compile_seconds = seconds;
    return artifact;
}

TEST(Executor, IsKilledWhenItsLimitHasPassed) {
    const auto executor = silent_executor();
    const Outcome loaded = executor->load(0, compiling(0), {});
    EXPECT_EQ(loaded.status, Status::timed_out);
    EXPECT_EQ(loaded.reason, "no answer within 250 ms; the limit is set by --timeout");
    EXPECT_FALSE(executor->alive());
}

TEST(Executor, SaysWhichPartOfALimitIsForCompiling) {
    EXPECT_EQ(silent_executor()->load(0, compiling(0.5), {}).reason,
              "no answer within 750 ms: 250 ms by --timeout, and the rest for what compiles when it is first called");
}

TEST(Executor, IsWhatTheSystemEndsFirstWhereMemoryRunsOut) {
    const auto executor = executor_that(
        "read request <&3; echo '{\"status\": \"unavailable\", \"reason\": \"'"
        "$(cat /proc/self/oom_score_adj)'\"}' >&3; cat <&3 >/dev/null");
    EXPECT_EQ(executor->load(0, compiling(0), {}).reason, "1000");
}

TEST(Executor, ThatIsKilledSaysThatMemoryMayBeShort) {
    const auto executor = executor_that("read request <&3; kill -9 $$");
    const Outcome loaded = executor->load(0, compiling(0), {});
    EXPECT_EQ(loaded.status, Status::crashed);
    EXPECT_EQ(loaded.reason.find("the kernel's process was ended by SIGKILL during the call, as the system does"), 0U)
        << loaded.reason;
}

TEST(Arena, RefusesWhatLeavesTooLittleForTheExecutor) {
    Result<Arena> arena = Arena::create();
    ASSERT_TRUE(arena);
    ASSERT_TRUE(arena->grow(4096, 1 << 20));
    const Result<void> grown = arena->grow(4096, std::size_t{1} << 60);
    ASSERT_FALSE(grown);
    EXPECT_EQ(grown.error().message.find("this case needs 1.15 EB of memory more, and "), 0U) << grown.error().message;
}

TEST(Executor, DoesNotNameTheOptionWhereATrialTakesTooLong) {
    nlohmann::json reply;
    EXPECT_EQ(silent_executor()->try_out(0, compiling(0.5), {}, reply).reason,
              "the trial call did not end within 750 ms; --timeout gives it longer");
}

}  // namespace
}  // namespace kernelgen
