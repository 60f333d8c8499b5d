// SPDX-License-Identifier: Apache-2.0
#include "core/bench/rotation.h"

#include <gtest/gtest.h>

#include "core/base/verdict_sentences.h"
#include "tests/core_bench/copy_request.h"

namespace kernelgen {
namespace {

/// Starts executors that give these answers to the requests that follow loading and preparing.
class ScriptedBackend final : public testing::BackendWithoutDevices {
public:
    explicit ScriptedBackend(std::vector<std::string> answers) : answers_(std::move(answers)) {}

    BuildResult build(const BuildRequest&, const Progress&, std::stop_token) override { return {}; }
    Result<std::shared_ptr<Executor>> start_executor(const std::string&, const ExecutorUse&, std::stop_token) override {
        constexpr int loads = 2, preparations = 1, empty_batches = 5;
        std::vector<std::string> arguments = {KERNELGEN_FAKE_EXECUTOR, "hello"};
        const auto add = [&](const std::string& answer) { arguments.insert(arguments.end(), {"read", "say", answer}); };
        for (int i = 0; i < loads + preparations; ++i) add(R"({"status": "ok"})");
        for (int i = 0; i < empty_batches; ++i) add(samples_of(""));
        for (const std::string& each : answers_) add(each);
        arguments.emplace_back("wait");
        return Executor::start(arguments, {});
    }

    /// `seconds`: of the call of each side.
    static std::string samples_of(const std::string& seconds) {
        return R"({"status": "ok", "checksums": ["", ""], "outside_seconds": 0, "grown_bytes": 0, "seconds": [[)" +
               seconds + "], [" + seconds + "]]}";
    }

private:
    std::vector<std::string> answers_;
};

struct Sampled {
    TimingFailure failure;
    int drawn = 0;
};

/// One batch of one turn, to which the executor answers these times of a call, one after the other.
Sampled sample(const std::vector<std::string>& seconds) {
    std::vector<std::string> answers;
    for (const std::string& each : seconds) answers.push_back(ScriptedBackend::samples_of(each));
    const BenchRequest request = testing::copy_request();
    ScriptedBackend backend(answers);
    const Progress progress = [](std::string_view, int, int) {};
    Rotation rotation(request, backend, progress, {});
    EXPECT_TRUE(rotation.build().ok());
    EXPECT_TRUE(rotation.start(0).ok());
    EXPECT_TRUE(rotation.prepare(1).ok());
    SampleRequest batch;
    batch.turns = {{0, 1}};
    Samples samples;
    Sampled sampled;
    sampled.failure = rotation.sample(batch, samples, [&] {
        ++sampled.drawn;
        return TimingFailure{};
    });
    return sampled;
}

constexpr const char* right = "1e-6";
constexpr const char* wrong = "7";  // seconds that have not passed

TEST(Rotation, AsksOnceWhereTheClocksAgree) {
    const Sampled sampled = sample({right});
    EXPECT_TRUE(sampled.failure.ok()) << sampled.failure.reason;
    EXPECT_EQ(sampled.drawn, 0);
}

TEST(Rotation, DrawsAnewBeforeItAsksAgain) {
    const Sampled sampled = sample({wrong, right});
    EXPECT_TRUE(sampled.failure.ok()) << sampled.failure.reason;
    EXPECT_EQ(sampled.drawn, 1);
}

TEST(Rotation, GoesOnWhereTheClocksAgreeAtLast) {
    const Sampled sampled = sample({wrong, wrong, wrong, wrong, wrong, right});
    EXPECT_TRUE(sampled.failure.ok()) << sampled.failure.reason;
    EXPECT_EQ(sampled.drawn, 5);
}

TEST(Rotation, FailsWhereTheClocksDifferEachTime) {
    const Sampled sampled = sample({wrong, wrong, wrong, wrong, wrong, wrong});
    EXPECT_EQ(sampled.failure.status, Status::implausible);
    EXPECT_EQ(sampled.failure.reason, sentences::clocks_differ);
    EXPECT_EQ(sampled.drawn, 5);
}

}  // namespace
}  // namespace kernelgen
