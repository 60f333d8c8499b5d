// SPDX-License-Identifier: Apache-2.0
// The configurations that a tuning never tries, each with its reason.
#include "core/tuning/pruned_list.h"

#include <gmock/gmock.h>

#include <map>

#include "core/said/said.h"
#include "tests/core_tuning/simulated_workers.h"

namespace kernelgen {
namespace {

/// Two tiles over a case of 100×50, and a restriction on both.
RunPlan plan_of_tiles() {
    RunPlan plan;
    Launch launch;
    launch.grid = {"cdiv(P, BLOCK_M)", "cdiv(D, BLOCK_N)"};
    plan.candidate.variant.launches = {launch};
    plan.candidate.variant.tunables = {{"BLOCK_M", {1, 2, 4, 128, 256}, 1}, {"BLOCK_N", {32, 64, 128}, 32}};
    plan.candidate.variant.restrictions = {"BLOCK_M * BLOCK_N <= 128"};
    plan.candidate.configuration = configuration_of(plan.candidate.variant);
    plan.cases = {{"timed", DType::f32, {{"P", 100}, {"D", 50}}}};
    return plan;
}

TEST(PrunedList, HasEveryConfigurationThatIsCounted) {
    const RunPlan plan = plan_of_tiles();
    const CaseSpace made = space_for(plan).value();
    std::map<std::string, std::uint64_t> counts, listed;
    for (const Pruned& each : made.pruned) counts[each.reason] = each.count;
    std::map<Configuration, int> times;
    for (const PrunedConfiguration& each : list_pruned(plan.candidate.variant, made, 1000)) {
        ++listed[each.reason];
        ++times[each.configuration];
        EXPECT_FALSE(made.space.find(each.configuration));
    }
    EXPECT_EQ(listed, counts);
    EXPECT_EQ(times.size() + made.space.size(), 15u) << "each of all combinations is in one of both, once";
}

TEST(PrunedList, IsNoLongerThanIsAsked) {
    const RunPlan plan = plan_of_tiles();
    const CaseSpace made = space_for(plan).value();
    EXPECT_EQ(list_pruned(plan.candidate.variant, made, 1).size(), made.pruned.size());
}

TEST(PrunedList, OfAHugeSpaceHasExamplesOfEachRestriction) {
    RunPlan plan = plan_of_tiles();
    for (const char* name : {"A", "B", "C", "D", "E", "F", "G"})
        plan.candidate.variant.tunables.push_back({name, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 7});
    plan.candidate.variant.restrictions.push_back("A != 3");
    plan.candidate.configuration = configuration_of(plan.candidate.variant);
    const CaseSpace made = space_for(plan).value();
    std::map<std::string, int> listed;
    for (const PrunedConfiguration& each : list_pruned(plan.candidate.variant, made, 10)) ++listed[each.reason];
    EXPECT_EQ(listed["restriction `A != 3`"], 10);
    EXPECT_EQ(listed["restriction `BLOCK_M * BLOCK_N <= 128`"], 10);
}

TEST(PrunedList, OfMoreConfigurationsThanCanBeCountedIsShort) {
    RunPlan plan = plan_of_tiles();
    for (int i = 0; i < 70; ++i) plan.candidate.variant.tunables.push_back({"A" + std::to_string(i), {0, 1}, 0});
    plan.candidate.configuration = configuration_of(plan.candidate.variant);
    const CaseSpace made = space_for(plan).value();
    EXPECT_GT(made.space.size(), 1000u);
    EXPECT_EQ(count_of(made.pruned), UINT64_MAX);
    std::map<std::string, int> listed;
    for (const PrunedConfiguration& each : list_pruned(plan.candidate.variant, made, 10)) ++listed[each.reason];
    for (const Pruned& each : made.pruned) {
        EXPECT_TRUE(each.is_estimate) << each.reason;
        if (each.reason.text().starts_with("more than can be searched")) continue;
        EXPECT_EQ(listed[each.reason], 10) << each.reason;
    }
    EXPECT_THAT(made.pruned, testing::SizeIs(4));
}

class PrunedByATuning : public SimulatedWorkers {
protected:
    void SetUp() override {
        SimulatedWorkers::SetUp();
        for (nlohmann::json& each : document["variants"])
            if (each["name"] == "tuned") each["restrictions"] = {"A + B <= 8"};
        save();
    }

    Project project() const { return load_project(project_folder).value(); }
};

TEST_F(PrunedByATuning, IsListedFromWhatItHasRecorded) {
    ASSERT_TRUE(tune_with({worker("", {"unbuilt", "B", "3"})}, 8));
    ASSERT_TRUE(tune_with({worker("", {"unbuilt", "B", "3"})}, 4,
                          [](TuneOptions& options) { options.chosen = {{"A", {1, 2, 9}}}; }));
    const Tuning second = load_tuning(project_folder, 2).value();
    const PrunedCase pruned = pruned_by_tuning(project(), second.head, 1000).value();
    std::map<std::string, std::uint64_t> reasons;
    for (const PrunedConfiguration& each : pruned.listed) {
        ++reasons[each.reason];
        const std::int64_t a = each.configuration.at("A"), b = each.configuration.at("B");
        EXPECT_TRUE(a + b > 8 || (a == 1 && b == 3));
    }
    EXPECT_EQ(reasons["restriction `A + B <= 8`"], 25u + 26u + 32u);
    EXPECT_EQ(reasons["in tuning 1 it did not build: small.cpp:3: a tile is too wide"], 1u);
    EXPECT_EQ(pruned.listed.size(), count_of(second.head.pruned));
    EXPECT_EQ(pruned.count_unlisted(), 0u);
    EXPECT_EQ(pruned_by_tuning(project(), second.head, 10)->count_unlisted(), 83u - 10u);
}

TEST_F(PrunedByATuning, IsOnlyCountedOnceTheVariantWasChanged) {
    ASSERT_TRUE(tune_with({worker("")}, 3));
    const Tuning tuning = load_tuning(project_folder, 1).value();
    ASSERT_TRUE(pruned_by_tuning(project(), tuning.head, 10));
    Project changed = project();
    for (Variant& each : changed.variants) each.restrictions = {"A + B <= 9"};
    const Result<PrunedCase> pruned = pruned_by_tuning(changed, tuning.head, 10);
    ASSERT_FALSE(pruned);
    EXPECT_EQ(pruned.error().message,
              "`tuned` or the definition was changed since tuning 1: what that left out is only counted");
    EXPECT_TRUE(said_by(pruned.error().message).is_object());
}

}  // namespace
}  // namespace kernelgen
