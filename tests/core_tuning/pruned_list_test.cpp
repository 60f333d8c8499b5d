// SPDX-License-Identifier: Apache-2.0
// The configurations that a tuning never tries, each with its reason.
#include "core/tuning/pruned_list.h"

#include <gmock/gmock.h>

#include <map>

#include "core/said/said.h"

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

}  // namespace
}  // namespace kernelgen
