// SPDX-License-Identifier: Apache-2.0
#include "core/backend/executor.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <thread>

#include "core/backend/executor_protocol.h"
#include "core/backend/trial.h"

namespace kernelgen {
namespace {

using Doing = std::vector<std::string>;

Result<std::unique_ptr<Executor>> started(Doing doing) {
    doing.insert(doing.begin(), KERNELGEN_FAKE_EXECUTOR);
    return Executor::start(doing, {});
}

/// An executor that greets and then does what it is told (fake_executor/fake_executor.cpp).
std::unique_ptr<Executor> executor_that(Doing doing) {
    doing.insert(doing.begin(), "hello");
    auto executor = started(std::move(doing));
    EXPECT_TRUE(executor) << executor.error().message;
    (*executor)->set_limit(0.25, {});
    return std::move(*executor);
}

std::unique_ptr<Executor> silent_executor() { return executor_that({"wait"}); }

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
    const auto executor = executor_that({"read", "oom", "wait"});
    EXPECT_EQ(executor->load(0, compiling(0), {}).reason, "1000");
}

TEST(Executor, ThatIsKilledSaysThatMemoryMayBeShort) {
    const auto executor = executor_that({"read", "kill"});
    const Outcome loaded = executor->load(0, compiling(0), {});
    EXPECT_EQ(loaded.status, Status::crashed);
    EXPECT_EQ(
        loaded.reason.text().find("the kernel's process was ended by SIGKILL during the call, as the system does"), 0U)
        << loaded.reason;
}

TEST(Arena, RefusesWhatLeavesTooLittleForTheExecutor) {
    Result<Arena> arena = Arena::create();
    ASSERT_TRUE(arena);
    ASSERT_TRUE(arena->grow(4096, 1 << 20));
    const Result<void> grown = arena->grow(4096, std::size_t{1} << 60);
    ASSERT_FALSE(grown);
    EXPECT_EQ(grown.error().message.text().find("this case needs 1.15 EB of memory more, and "), 0U)
        << grown.error().message;
}

TEST(Executor, SaysWhatATrialDidWhereItTakesTooLong) {
    TrialReport trial;
    EXPECT_EQ(silent_executor()->try_out(0, compiling(0.5), {}, trial).reason,
              "executing the file and calling it once did not end within 750 ms; --timeout gives it longer");
}

TEST(Executor, OfAnotherProtocolIsRefusedWithBothVersions) {
    const auto executor = started({"say", R"({"event": "hello", "protocol": 1, "executor": "old"})", "wait"});
    ASSERT_FALSE(executor);
    const std::string both = "it speaks protocol 1, this program " + std::to_string(executor_protocol_version) +
                             ": install the same version of both";
    EXPECT_NE(executor.error().message.text().find(both), std::string::npos) << executor.error().message;
}

TEST(Executor, ThatGreetsWithSomethingElseIsRefused) {
    for (const char* greeting : {"", "{}", "nonsense", R"({"status": "ok"})", R"({"event": "hello", "protocol": "3"})"})
        EXPECT_FALSE(started({"say", greeting, "wait"})) << greeting;
}

TEST(Executor, ThatCannotReadARequestSaysWhyAndGoesOn) {
    const auto executor = started({"answer"}).value();
    const Outcome refused = executor->load(-1, compiling(0), {});
    EXPECT_EQ(refused.status, Status::crashed);
    EXPECT_EQ(refused.reason.text().find("the kernel's process could not do what it was asked for"), 0U)
        << refused.reason;
    EXPECT_TRUE(executor->load(0, compiling(0), {}).ok());
    EXPECT_NE(executor->printed().find("cannot read a request: slot: expected an integer from 0 to"), std::string::npos)
        << executor->printed();
}

/// How loading ends where the executor does this once it was asked.
Outcome loaded_after(Doing doing) {
    doing.insert(doing.begin(), "read");
    const auto executor = executor_that(std::move(doing));
    executor->set_limit(20, {});
    return executor->load(0, compiling(0), {});
}

TEST(Executor, WhoseAnswerIsNoReplyIsKilledWithPlainWords) {
    for (const char* answer : {"", "nonsense", "[]", "{}", "1e999", R"({"status": 7})", R"({"status": "mismatch"})",
                               R"({"status": "ok", "ends": 1})", R"({"status": "ok", "reason": []})", "\xff\xfe{}"}) {
        const Outcome loaded = loaded_after({"say", answer, "wait"});
        EXPECT_EQ(loaded.status, Status::crashed) << answer;
        EXPECT_EQ(loaded.reason.text().find("the kernel's process gave an answer that cannot be ("), 0U)
            << loaded.reason;
        EXPECT_EQ(loaded.reason.text().find("exception"), std::string::npos) << loaded.reason;
    }
}

TEST(Executor, AnswersThousandsOfRequestsOfAllLengths) {
    const auto executor = executor_that({"serve"});
    executor->set_limit(20, {});
    Artifact artifact = compiling(0);
    for (int i = 0; i < 3000; ++i) {
        artifact.python.text.append(static_cast<std::size_t>(i % 500), 'x');
        const Outcome outcome = i % 100 == 0 ? executor->load(0, artifact, {}) : executor->refill();
        ASSERT_TRUE(outcome.ok()) << i << ": " << outcome.reason;
    }
}

TEST(Executor, ThatAnswersTwiceIsKilled) {
    const auto executor = executor_that({"read", "say", R"({"status": "ok"})", "say", R"({"status": "ok"})", "wait"});
    executor->set_limit(20, {});
    EXPECT_TRUE(executor->load(0, compiling(0), {}).ok());
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    EXPECT_EQ(executor->refill().status, Status::crashed);
    EXPECT_FALSE(executor->alive());
}

TEST(Executor, WhoseLineDoesNotEndIsKilled) { EXPECT_EQ(loaded_after({"flood"}).status, Status::crashed); }

TEST(Executor, ThatScribblesOverTheMailboxIsKilled) {
    EXPECT_EQ(loaded_after({"scribble", "wait"}).status, Status::crashed);
}

TEST(Executor, ThatExitsSaysSoThoughItHasAnsweredNothing) {
    const Outcome loaded = loaded_after({"exit", "3"});
    EXPECT_EQ(loaded.reason, "the kernel's process exited with status 3 during the call");
}

TEST(Executor, ThatExitsRightAfterItsAnswerHasAnswered) {
    EXPECT_EQ(loaded_after({"say", R"({"status": "over_limit", "reason": "r"})", "exit", "0"}).reason, "r");
}

TEST(Executor, ThatNeverReadsDoesNotHoldALongRequestUpBeyondItsLimit) {
    Artifact large = compiling(0);
    large.python.text = std::string(8 << 20, 'x');
    EXPECT_EQ(silent_executor()->load(0, large, {}).status, Status::timed_out);
}

TEST(Executor, IsStoppedWhileItIsSilent) {
    const auto executor = silent_executor();
    std::stop_source stop;
    stop.request_stop();
    executor->set_limit(20, stop.get_token());
    EXPECT_EQ(executor->load(0, compiling(0), {}).status, Status::cancelled);
}

/// The outcome of `sample` where the executor gives this answer to one turn of two sides.
Outcome sampled_with(const std::string& answer) {
    const auto executor = executor_that({"read", "say", answer, "wait"});
    executor->set_limit(20, {});
    Samples samples;
    const Outcome sampled = executor->sample({.turns = {{0, 1}}}, samples);
    EXPECT_EQ(executor->alive(), sampled.ok());
    return sampled;
}

TEST(Executor, WhoseTimesAreNoneIsKilled) {
    EXPECT_TRUE(
        sampled_with(
            R"({"status": "ok", "seconds": [[1e-3], [2e-3]], "checksums": ["", ""], "outside_seconds": 0, "grown_bytes": 0})")
            .ok());
    for (const char* times : {"[]", "[1, 1]", "[0]", "[-1]", "[86400]", "[null]", R"(["1"])", "{}", "1", "null"}) {
        const std::string answer =
            R"({"status": "ok", "grown_bytes": 0, "outside_seconds": 0, "checksums": ["", ""], "seconds": [[1], )";
        const Outcome sampled = sampled_with(answer + times + "]}");
        EXPECT_EQ(sampled.status, Status::crashed) << times;
        EXPECT_NE(sampled.reason.text().find("`seconds`"), std::string::npos) << sampled.reason;
    }
}

TEST(Arena, KeepsItsMemoryThoughSomebodyTriesToTakeItAway) {
    Result<Arena> arena = Arena::create();
    ASSERT_TRUE(arena);
    ASSERT_TRUE(arena->grow(1 << 20));
    EXPECT_NE(::ftruncate(arena->descriptor(), 0), 0);
    arena->data()[4096] = std::byte{1};
}

TEST(Arena, ThatIsClearedIsEmptyAndGrowsAgain) {
    Result<Arena> arena = Arena::create();
    ASSERT_TRUE(arena);
    ASSERT_TRUE(arena->grow(2 << 20));
    arena->data()[4096] = std::byte{1};
    arena->clear();
    EXPECT_EQ(arena->size(), 0U);
    for (const std::size_t bytes : {1u << 20, 8u << 20}) {
        ASSERT_TRUE(arena->grow(bytes));
        EXPECT_EQ(arena->size(), bytes);
        EXPECT_EQ(arena->data()[4096], std::byte{0});
        arena->data()[bytes - 1] = std::byte{1};
    }
}

}  // namespace
}  // namespace kernelgen
