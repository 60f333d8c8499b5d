// SPDX-License-Identifier: Apache-2.0
// Races in an executor in which each side does what its source says (`play` of fake_executor.cpp).
#include "core/bench/race.h"

#include <gmock/gmock.h>

#include "tests/core_bench/copy_request.h"

namespace kernelgen {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

class PlayingBackend final : public testing::BackendWithoutDevices {
public:
    BackendTraits traits() const override { return {.is_host = true}; }
    BuildResult build(const BuildRequest& request, const Progress&, std::stop_token) override {
        BuildResult result;
        result.artifact.path = request.implementation.text;
        return result;
    }
    Result<std::shared_ptr<Executor>> start_executor(const std::string&, const ExecutorUse&, std::stop_token) override {
        ++started;
        return Executor::start({KERNELGEN_FAKE_EXECUTOR, "play"}, {});
    }

    int started = 0;
};

class ARace : public ::testing::Test {
protected:
    /// Races sources that say how long they take and what they do.
    std::vector<RaceResult> race(const std::string& pace, const std::vector<std::string>& candidates) {
        request.sides = testing::copy_request();
        request.sides.device = "race_test";
        constexpr double ample = 60;
        request.sides.performance.budget_seconds = ample;
        const Implementation any = request.sides.baseline;
        request.sides.baseline.text = pace;
        request.sides.candidates.clear();
        for (const std::string& each : candidates) request.sides.candidates.emplace_back(any).text = each;
        return kernelgen::race(request, backend, [](std::string_view, int, int) {}, {});
    }

    RaceRequest request;
    PlayingBackend backend;
};

TEST_F(ARace, RelatesEachCandidateToThePace) {
    const auto results = race("2e-6", {"1e-6", "6e-6"});
    ASSERT_THAT(results, SizeIs(2));
    EXPECT_TRUE(results[0].ok()) << results[0].reason;
    EXPECT_DOUBLE_EQ(results[0].ratio, 0.5);
    EXPECT_DOUBLE_EQ(results[1].ratio, 3);
    EXPECT_THAT(results[1].seconds, SizeIs(24));
    EXPECT_THAT(results[1].pace_seconds, SizeIs(24));
}

TEST_F(ARace, AClearLoserLeavesAfterItsFirstPairs) {
    request.leave_above = 1.5;
    const auto results = race("2e-6", {"1e-6", "6e-6"});
    EXPECT_FALSE(results[0].left);
    EXPECT_THAT(results[0].seconds, SizeIs(24));
    EXPECT_TRUE(results[1].left);
    EXPECT_THAT(results[1].seconds, SizeIs(4));
}

TEST_F(ARace, HasAsManyPairsAsAreWanted) {
    request.most_pairs = 40;
    EXPECT_THAT(race("2e-6", {"1e-6"}).front().seconds, SizeIs(40));
}

TEST_F(ARace, AWrongCandidateIsNamedAndTheOthersAreTimed) {
    const auto results = race("2e-6", {"1e-6", "1e-6 wrong", "1e-6"});
    EXPECT_TRUE(results[0].ok()) << results[0].reason;
    EXPECT_EQ(results[1].status, Status::mismatch);
    EXPECT_THAT(results[1].seconds, IsEmpty());
    EXPECT_TRUE(results[2].ok()) << results[2].reason;
    EXPECT_EQ(backend.started, 2);  // the wrong one again, alone
}

TEST_F(ARace, WhatIsWrongOnlyBesideAnotherIsRight) {
    const auto results = race("2e-6", {"1e-6 overwrites", "1e-6"});
    EXPECT_TRUE(results[0].ok()) << results[0].reason;
    EXPECT_TRUE(results[1].ok()) << results[1].reason;
    EXPECT_DOUBLE_EQ(results[1].ratio, 0.5);
}

TEST_F(ARace, ACandidateThatCrashesHarmsNoOther) {
    const auto results = race("2e-6", {"1e-6", "1e-6 crashes"});
    EXPECT_TRUE(results[0].ok()) << results[0].reason;
    EXPECT_EQ(results[1].status, Status::crashed);
    EXPECT_THAT(results[1].reason, StartsWith("while timing: "));
}

TEST_F(ARace, AStatusOfThePaceIsNoCandidates) {
    for (const RaceResult& each : race("2e-6 wrong", {"1e-6", "1e-6 overwrites"})) {
        EXPECT_EQ(each.status, Status::unavailable);
        EXPECT_THAT(each.reason, HasSubstr("to which times are related failed (mismatch): "));
    }
    for (const RaceResult& each : race("2e-6 crashes", {"1e-6", "3e-6"})) {
        EXPECT_EQ(each.status, Status::unavailable);
        EXPECT_THAT(each.reason, HasSubstr("to which times are related failed (crashed): while timing: "));
    }
}

TEST_F(ARace, ThePaceAgainstItselfHasItsOwnStatus) {
    EXPECT_EQ(race("2e-6 wrong", {"2e-6 wrong"}).front().status, Status::mismatch);
    EXPECT_EQ(race("2e-6 crashes", {"2e-6 crashes"}).front().status, Status::crashed);
}

TEST_F(ARace, TellsWhatTheFirstPairsSayWhereTheOthersTakeAWhile) {
    std::vector<std::vector<RaceResult>> told;
    request.tell = [&](const std::vector<RaceResult>& results) { told.push_back(results); };
    race("2e-6", {"1e-6"});
    EXPECT_THAT(told, IsEmpty()) << "it is over at once";
    race("0.01 sleeps", {"0.005 sleeps", "0.005 sleeps wrong"});
    ASSERT_THAT(told, SizeIs(1));
    EXPECT_THAT(told[0].at(0).seconds, SizeIs(4));
    EXPECT_DOUBLE_EQ(told[0][0].ratio, 0.5);
    EXPECT_EQ(told[0].at(1).status, Status::mismatch);
    race("0.01 sleeps", {"0.005 crashes", "0.005 sleeps"});  // each alone, in the end
    ASSERT_THAT(told, SizeIs(2));
    EXPECT_THAT(told[1].at(0).seconds, IsEmpty());
    EXPECT_THAT(told[1].at(1).seconds, SizeIs(4));
}

TEST_F(ARace, EnergyIsOfOneCallWhereItIsAskedFor) {
    EXPECT_EQ(race("2e-6 joules 3", {"1e-6 joules 2"}).front().pace_energy, 0);
    request.energy_seconds = 1e-6;
    const auto results = race("2e-6 joules 3", {"1e-6 joules 2", "1e-6"});
    EXPECT_DOUBLE_EQ(results[0].energy, 2);
    EXPECT_DOUBLE_EQ(results[0].pace_energy, 3);
    EXPECT_DOUBLE_EQ(results[1].energy, 0);
}

TEST_F(ARace, EnergyIsOfTheFourFastestOnly) {
    request.energy_seconds = 1e-6;
    const auto results = race(
        "2e-6 joules 3", {"1.9e-6 joules 1", "1e-6 joules 2", "1.2e-6 joules 2", "1.1e-6 joules 2", "1.3e-6 joules 2"});
    for (std::size_t i = 0; i < results.size(); ++i) EXPECT_EQ(results[i].energy > 0, i != 0) << i;
}

}  // namespace
}  // namespace kernelgen
