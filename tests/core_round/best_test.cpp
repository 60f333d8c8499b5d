// SPDX-License-Identifier: Apache-2.0
#include "core/round/best.h"

#include <gtest/gtest.h>

#include "tests/core_round/sample_round.h"

namespace kernelgen {
namespace {

Case sized(std::int64_t n) { return {.name = "N " + std::to_string(n), .dtype = DType::f32, .sizes = {{"N", n}}}; }

/// A timed round of these sizes at this speedup, and so much more in each further case.
Round round_of(int number, double speedup, std::vector<std::int64_t> sizes = {4096}) {
    Round round = sample_round().round;
    round.number = number;
    const RoundCase timed = round.cases.front();
    round.cases.clear();
    for (const std::int64_t size : sizes) {
        round.cases.push_back(timed);
        round.cases.back().binding = sized(size);
        round.cases.back().speedup = speedup++;
    }
    round.case_count = static_cast<int>(sizes.size());
    return round;
}

History history_of(std::vector<Round> rounds) { return {.rounds = std::move(rounds)}; }

/// A project of one case, whose baseline is that of the rounds.
Project project_of(std::int64_t size) {
    Project project;
    project.definition = sample_operator();
    project.cases = {sized(size)};
    Variant library{.name = "library", .language = Language::library};
    library.library = "onednn";
    project.variants = {sample_variant(), library};
    project.performance.baseline = {{"", "library"}};
    return project;
}

int best_number(const std::vector<Round>& rounds, std::int64_t size) {
    const History history = history_of(rounds);
    const Round* best = best_round(history, project_of(size), "host", "cpu");
    return best == nullptr ? -1 : best->number;
}

TEST(BestRound, IsTheFastestInTheProjectsCases) {
    EXPECT_EQ(best_number({round_of(0, 1.0), round_of(1, 1.5), round_of(2, 1.2)}, 4096), 1);
}

TEST(BestRound, IsNeverOneOfOtherSizes) {
    EXPECT_EQ(best_number({round_of(0, 1.0), round_of(1, 3.0, {65536})}, 4096), 0);
    EXPECT_EQ(best_number({round_of(0, 1.0, {65536})}, 4096), -1);
    EXPECT_EQ(best_number({round_of(0, 1.0, {4096, 65536})}, 4096), -1);
}

TEST(BestRound, IsNeverOneOfAnotherBaselineDeviceVariantOrDtype) {
    Round baseline = round_of(1, 9), device = round_of(2, 9), variant = round_of(3, 9), dtype = round_of(4, 9);
    baseline.baseline = "naive";
    device.device = "cuda:0";
    variant.variant = "other";
    dtype.cases[0].binding.dtype = DType::f16;
    EXPECT_EQ(best_number({round_of(0, 1.0), baseline, device, variant, dtype}, 4096), 0);
}

TEST(BestRound, IsOneOfTheNewestEnvironment) {
    Round elsewhere = round_of(0, 9);
    elsewhere.environment = "another machine";
    EXPECT_EQ(best_number({elsewhere, round_of(1, 1.0), round_of(2, 0.9)}, 4096), 1);
}

TEST(BestRound, IsNeverOneThatFailedOrWasCancelled) {
    Round failed = round_of(1, 9), cancelled = round_of(2, 9);
    failed.status = Status::mismatch;
    cancelled.status = Status::cancelled;
    EXPECT_EQ(best_number({round_of(0, 1.0), failed, cancelled}, 4096), 0);
}

TEST(RoundGroups, HoldRoundsOfTheSameCasesWhateverTheirNamesAndOrder) {
    Round renamed = round_of(1, 1.5, {8192, 4096});
    renamed.cases[0].binding.name = "the large one";
    const History history = history_of({round_of(0, 1.0, {4096, 8192}), renamed, round_of(2, 2.0, {4096, 4096})});
    const std::vector<RoundGroup> groups = groups_of(history);
    ASSERT_EQ(groups.size(), 2u);
    EXPECT_EQ(groups[0].size(), 2u);
    EXPECT_EQ(best_of(groups[0]).number, 1);
}

TEST(RoundGroups, ComparesRoundsWhoseLinesHoldSomeOfTheirCasesByThose) {
    Round cut = round_of(1, 1.5, {1024, 8192}), other = round_of(2, 1.5, {2048, 8192});
    cut.case_count = other.case_count = 3;
    const History history = history_of({round_of(0, 1.0, {1024, 4096, 8192}), cut, other});
    const std::vector<RoundGroup> groups = groups_of(history);
    ASSERT_EQ(groups.size(), 2u);
    EXPECT_EQ(groups[0].size(), 2u);
}

TEST(RoundGroups, NeverJudgeARoundByMoreThanItsSlowestCase) {
    const History history = history_of({round_of(0, 1.1, {1024, 4096}), round_of(1, 1.0, {1024, 4096})});
    EXPECT_EQ(best_of(groups_of(history)[0]).number, 0);
}

TEST(SameCases, AreToldApartByTheirNamesWhereTheyHaveNoSizes) {
    Round one, other;
    one.cases = {{.binding = {.name = "call_1"}, .roofline = {}}, {.binding = {.name = "call_2"}, .roofline = {}}};
    one.case_count = other.case_count = 2;
    other.cases = {one.cases[0], one.cases[0]};
    EXPECT_FALSE(same_cases(one, other));
    other.cases[1].binding.name = "call_2";
    EXPECT_TRUE(same_cases(one, other));
    for (Round* each : {&one, &other}) each->cases[0].binding.sizes = each->cases[1].binding.sizes = {{"P", 4}};
    other.cases[0].binding.name = "renamed";
    EXPECT_TRUE(same_cases(one, other));
}

}  // namespace
}  // namespace kernelgen
