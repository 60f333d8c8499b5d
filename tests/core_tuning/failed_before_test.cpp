// SPDX-License-Identifier: Apache-2.0
// Which configurations are not built again, since they did not build in an earlier tuning.
#include "core/tuning/failed_before.h"

#include <gmock/gmock.h>

#include "core/said/said.h"
#include "core/tune/tuning_file.h"
#include "core/tuning/pruned_list.h"
#include "tests/core_tuning/simulated_workers.h"

namespace kernelgen {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

class FailedBefore : public SimulatedWorkers {
protected:
    /// A tuning with a limit of configurations, in which those with B = 3 do not build.
    void tune_once(const std::function<void(TuneOptions&)>& change = {}) {
        const auto tuned = tune_with({worker("", {"unbuilt", "B", "3"})}, 12, change);
        ASSERT_TRUE(tuned) << tuned.error().message;
    }

    /// How many configurations of tuning 1 are left out of the space of a tuning that begins now.
    std::size_t left_out(const std::function<void(RunPlan&)>& change = {}, const std::string& compiler = "") {
        TuneOptions options;
        options.run.variant = "tuned";
        RunPlan plan = plan_tuning(load_project(project_folder).value(), options)->run;
        const Tuning earlier = load_tuning(project_folder, 1).value();
        if (change) change(plan);
        CaseSpace made = space_for(with_case(plan, plan.cases.front())).value();
        leave_out_failed(plan, {.environment = earlier.head.environment + compiler}, made);
        return made.failed_before.size();
    }

    /// Rewrites what tuning 1 has of the configuration that did not build.
    void rewrite(const std::function<void(Tried&)>& change) {
        Tuning tuning = load_tuning(project_folder, 1).value();
        std::string text = to_json(tuning.head).dump() + "\n";
        for (Tried& each : tuning.tried) {
            if (each.configuration.at("B") == 3) change(each);
            text += to_json(each).dump() + "\n";
        }
        ASSERT_TRUE(write_file_atomic(tuning_path(project_folder, 1), text));
    }
};

TEST_F(FailedBefore, IsCountedListedAndNeverTriedAgain) {
    tune_once();
    tune_once();
    const Tuning first = load_tuning(project_folder, 1).value(), second = load_tuning(project_folder, 2).value();
    const auto is_unbuilt = [](const Tried& each) { return each.configuration == Configuration{{"A", 1}, {"B", 3}}; };
    EXPECT_EQ(std::ranges::count_if(first.tried, is_unbuilt), 1);
    EXPECT_EQ(std::ranges::count_if(second.tried, is_unbuilt), 0);
    EXPECT_EQ(second.head.configurations, first.head.configurations - 1);
    ASSERT_THAT(second.head.pruned, SizeIs(1));
    EXPECT_EQ(second.head.pruned[0].count, 1u);
    EXPECT_THAT(second.head.pruned[0].reason, HasSubstr("did not build in tuning 1"));
    EXPECT_TRUE(said_by(second.head.pruned[0].reason).is_object());
}

TEST_F(FailedBefore, HoldsForTheCompilerThatTriedItAlsoWhereTheTuningWasBegunWithAnother) {
    tune_once();
    ASSERT_EQ(left_out(), 1u);
    const std::string own = load_tuning(project_folder, 1)->head.environment;
    rewrite([&](Tried& each) { each.environment = own + "other"; });
    EXPECT_EQ(left_out(), 0u);
    EXPECT_EQ(left_out({}, "other"), 1u);
}

TEST_F(FailedBefore, TellsTheTuningAndTheReason) {
    tune_once();
    TuneOptions options;
    options.run.variant = "tuned";
    const TunePlan plan = plan_tuning(load_project(project_folder).value(), options).value();
    WorkerPool pool({worker("")}, "cpu");
    const auto pruned = pruned_by_case(plan, *pool.wait_for_any({}), 10, {}).value();
    ASSERT_THAT(pruned, SizeIs(1));
    ASSERT_THAT(pruned[0].listed, SizeIs(1));
    EXPECT_EQ(pruned[0].listed[0].configuration, (Configuration{{"A", 1}, {"B", 3}}));
    EXPECT_EQ(pruned[0].listed[0].reason.text(), "in tuning 1 it did not build: small.cpp:3: a tile is too wide");
    EXPECT_TRUE(said_by(pruned[0].listed[0].reason).is_object());
}

TEST_F(FailedBefore, HoldsForOtherSizesButNotForAnotherDtypeEnvironmentOrSource) {
    tune_once();
    EXPECT_EQ(left_out(), 1u);
    EXPECT_EQ(left_out([](RunPlan& plan) { plan.cases.front().sizes["D"] = 2000; }), 1u);
    EXPECT_EQ(left_out([](RunPlan& plan) { plan.cases.front().dtype = DType::f64; }), 0u);
    EXPECT_EQ(left_out([](RunPlan& plan) { plan.candidate.text += "// edited\n"; }), 0u);
    EXPECT_EQ(left_out([](RunPlan& plan) { plan.options.device = "cuda:0"; }), 0u);
    EXPECT_EQ(left_out({}, "another compiler"), 0u);
    Tuning tuning = load_tuning(project_folder, 1).value();
    tuning.head.headers_hash += "0";
    std::string text = to_json(tuning.head).dump() + "\n";
    for (const Tried& each : tuning.tried) text += to_json(each).dump() + "\n";
    const std::string before = read_file(tuning_path(project_folder, 1)).value();
    ASSERT_TRUE(write_file_atomic(tuning_path(project_folder, 1), text));
    EXPECT_EQ(left_out(), 0u) << "other headers of kernelgen";
    ASSERT_TRUE(write_file_atomic(tuning_path(project_folder, 1), before));
    document["variants"][1]["flags"] = {"-O1"};
    save();
    EXPECT_EQ(left_out(), 0u) << "another setup";
}

TEST_F(FailedBefore, DoesNotHoldWhereTheFailureMayNotComeAgain) {
    tune_once();
    const auto left_out_with = [&](Status status, const std::string& reason, double screen_seconds = 0) {
        rewrite([&](Tried& each) {
            each.status = status;
            each.reason = reason;
            each.screen_seconds = screen_seconds;
        });
        return left_out();
    };
    EXPECT_EQ(left_out_with(Status::build_failed, "small.cpp:3: no"), 1u);
    EXPECT_EQ(left_out_with(Status::build_failed, "the compiler did not end within 60 s"), 0u);
    EXPECT_EQ(left_out_with(Status::build_failed, "small.cpp:3: error writing to x.s: No space left on device"), 0u);
    EXPECT_EQ(left_out_with(Status::over_limit, "no memory is left"), 0u);
    EXPECT_EQ(left_out_with(Status::mismatch, "small.cpp:3: no"), 0u);
    EXPECT_EQ(left_out_with(Status::build_failed, "small.cpp:3: no", 0.1), 0u) << "it was built";
}

TEST_F(FailedBefore, NeverLeavesOutThePresentConfiguration) {
    tune_once();
    EXPECT_EQ(left_out([](RunPlan& plan) { plan.candidate.configuration = {{"A", 1}, {"B", 3}}; }), 0u);
}

}  // namespace
}  // namespace kernelgen
