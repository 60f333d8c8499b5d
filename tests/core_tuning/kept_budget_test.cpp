// SPDX-License-Identifier: Apache-2.0
// A tuning keeps its budget, however slow its worker is, says what it left out, and goes on with that when it is
// resumed.
#include <gmock/gmock.h>

#include <chrono>
#include <string>

#include "core/base/tuning_sentences.h"
#include "core/measure/device_lock.h"
#include "core/tuning/time_budget.h"
#include "tests/core_tuning/simulated_workers.h"

namespace kernelgen {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

constexpr double far_too_long = 100;  ///< seconds of a whole verification
constexpr double slack_seconds = 15;  ///< to start workers, and to end what was cut off, on a busy machine

class KeptBudget : public SimulatedWorkers {
protected:
    /// By one worker whose whole verifications take `verification` seconds.
    std::vector<CaseTuning> tuned(double verification, double budget, bool resume = false) {
        const auto change = [&](TuneOptions& options) {
            options.budget_seconds = budget;
            options.resume = resume;
        };
        const auto begin = std::chrono::steady_clock::now();
        auto done = tune_with({worker("", {"verifies", std::to_string(verification)})}, 12, change);
        seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        EXPECT_TRUE(done) << done.error().message;
        return done ? std::move(*done) : std::vector<CaseTuning>();
    }

    /// As the file has it.
    TuningOutcome outcome_of(int number) const { return load_tuning(project_folder, number).value().outcome.value(); }

    void add_case() {
        document["cases"].push_back({{"name", "wide"}, {"dtype", "f32"}, {"P", 1000}, {"D", 2000}});
        save();
    }

    double seconds = 0;  ///< that the last tuning took
};

class NightlyKeptBudget : public KeptBudget {};

TEST_F(KeptBudget, StandsStillWhileAnotherKernelgenUsesTheDevice) {
    constexpr double budget = 2, waited = 4;
    const auto change = [&](TuneOptions& options) { options.budget_seconds = budget; };
    ASSERT_TRUE(tune_with({worker("", {"waits", std::to_string(waited)})}, 6, change));
    const Tuning tuning = load_tuning(project_folder, 1).value();
    EXPECT_THAT(tuning.tried, SizeIs(6));
    const nlohmann::json outcome = to_json(tuning.outcome.value());
    EXPECT_NEAR(outcome.value("waited_seconds", 0.0), waited, 0.5);
    EXPECT_LT(outcome.value("seconds", 0.0), waited);
    EXPECT_THAT(told_stages, Contains(std::string(waiting_for_lock) + " race"));
}

TEST_F(KeptBudget, DecidesNothingWhereItIsOverBeforeAnythingWasTried) {
    tuned(0, 1e-9);
    const TuningOutcome outcome = outcome_of(1);
    EXPECT_EQ(to_words(outcome), "tie, not decided");
    EXPECT_EQ(outcome.tried, 0);
    EXPECT_EQ(outcome.configuration, (Configuration{{"A", 1}, {"B", 1}}));
    EXPECT_EQ(outcome.reason, sentences::tuned_without_time);
    EXPECT_THAT(outcome.left_out, Contains(sentences::left_out_search));
    EXPECT_THAT(outcome.left_out, Contains(sentences::left_out_incumbent));
}

TEST_F(NightlyKeptBudget, EndsAWholeVerificationThatTakesTooLong) {
    constexpr double budget = 3;
    tuned(far_too_long, budget);
    EXPECT_LT(seconds, budget + TimeBudget::least_overrun_seconds + slack_seconds);
    const TuningOutcome outcome = outcome_of(1);
    EXPECT_EQ(to_words(outcome), "tie, not decided");
    EXPECT_EQ(outcome.configuration, (Configuration{{"A", 1}, {"B", 1}}));
    EXPECT_EQ(outcome.reason.format(), sentences::tuned_seen_in_time);
    EXPECT_THAT(outcome.left_out,
                ElementsAre(sentences::left_out_final, sentences::left_out_incumbent, sentences::left_out_round));
    EXPECT_FALSE(outcome.round);
}

TEST_F(NightlyKeptBudget, LeavesAFinalOutThatWouldTakeTooLong) {
    constexpr double budget = 6, verification = 10;
    tuned(verification, budget);
    const TuningOutcome outcome = outcome_of(1);
    EXPECT_EQ(to_words(outcome), "tie, not decided");
    EXPECT_EQ(outcome.reason.format(), sentences::tuned_seen_in_time);
    EXPECT_THAT(outcome.left_out, Contains(sentences::left_out_final));
    EXPECT_THAT(outcome.left_out, Not(Contains(sentences::left_out_incumbent)));
}

TEST_F(NightlyKeptBudget, IsAnotherForATuningThatGoesOnWithWhatWasLeftOut) {
    tuned(far_too_long, 3);
    const std::size_t tried = load_tuning(project_folder, 1)->tried.size();
    const auto done = tuned(0, 60, true);
    ASSERT_THAT(done, SizeIs(1));
    EXPECT_EQ(load_tuning(project_folder, 1)->tried.size(), tried);
    const TuningOutcome outcome = outcome_of(1);
    EXPECT_EQ(outcome.kind, TuningOutcome::Kind::winner) << outcome.reason;
    EXPECT_THAT(outcome.left_out, IsEmpty());
    EXPECT_TRUE(outcome.round);
    TuneOptions again;
    again.resume = true;
    EXPECT_FALSE(plan_tuning(load_project(project_folder).value(), again)) << "all is done";
}

TEST_F(NightlyKeptBudget, GoesOnWithASearchThatWasShort) {
    record(0.3);
    tuned(far_too_long, 3);
    EXPECT_LT(load_tuning(project_folder, 1)->tried.size(), 12);
    tuned(0, 120, true);
    EXPECT_THAT(load_tuning(project_folder, 1)->tried, SizeIs(12));
    EXPECT_THAT(outcome_of(1).left_out, IsEmpty());
}

/// A winner whose round is to be run again.
TEST_F(NightlyKeptBudget, KeepsWhatWasDecidedWhereTheFinalLacksTimeAgain) {
    tuned(0, 60);
    TuningOutcome before = outcome_of(1);
    ASSERT_EQ(before.kind, TuningOutcome::Kind::winner);
    before.left_out = {Said(sentences::left_out_round)};
    std::ofstream(tuning_path(project_folder, 1), std::ios::app) << to_json(before).dump() << "\n";
    const auto done = tuned(far_too_long, 3, true);
    const TuningOutcome after = outcome_of(1);
    EXPECT_EQ(after.kind, TuningOutcome::Kind::winner);
    EXPECT_EQ(after.configuration, before.configuration);
    EXPECT_EQ(after.round, before.round);
    ASSERT_THAT(done, SizeIs(1));
    EXPECT_EQ(done[0].tuning.outcome->round, before.round);
}

TEST_F(NightlyKeptBudget, GoesOnWithTheLastTuningThatCanBeRead) {
    tuned(far_too_long, 3);
    ASSERT_TRUE(write_file_atomic(tuning_path(project_folder, 2), "\ntorn\n"));
    TuneOptions options;
    options.resume = true;
    const Validated<TunePlan> plan = plan_tuning(load_project(project_folder).value(), options);
    ASSERT_TRUE(plan) << to_string(plan.error());
    EXPECT_EQ(plan->resumed, 1);
    std::filesystem::remove(tuning_path(project_folder, 1));
    EXPECT_THAT(to_string(plan_tuning(load_project(project_folder).value(), options).error()),
                HasSubstr("tunings/2.jsonl:2: it is not a JSON object"));
}

TEST_F(NightlyKeptBudget, IsSharedByTheCasesOfACommand) {
    add_case();
    constexpr double budget = 6;
    EXPECT_THAT(tuned(far_too_long, budget), SizeIs(1));
    EXPECT_LT(seconds, budget + TimeBudget::least_overrun_seconds + slack_seconds);
    EXPECT_THAT(outcome_of(1).left_out, Contains(sentences::left_out_cases));
    EXPECT_DOUBLE_EQ(load_tuning(project_folder, 1)->head.command_budget_seconds, budget);

    EXPECT_THAT(tuned(0, 120, true), SizeIs(2));
    for (const int number : {1, 2}) {
        EXPECT_THAT(outcome_of(number).left_out, IsEmpty());
        EXPECT_FALSE(load_tuning(project_folder, number)->across.empty());
    }
}

TEST_F(KeptBudget, SaysThatNothingWasSearched) {
    record(0.5);  // three such steps for the present configuration alone
    tuned(0, 1.6);
    EXPECT_THAT(outcome_of(1).left_out, Contains(sentences::left_out_search));
    EXPECT_EQ(outcome_of(1).configuration, (Configuration{{"A", 1}, {"B", 1}}));
}

}  // namespace
}  // namespace kernelgen
