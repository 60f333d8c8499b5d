// SPDX-License-Identifier: Apache-2.0
#include "core/measure/result.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace kernelgen {
namespace {

BenchResult example_result() {
    BenchResult result;
    result.binding = {"square", DType::bf16, {{"P", 4096}, {"D", 333}}};
    result.baseline = "library";
    result.candidate_seconds = {1e-3, 1.1e-3, 0.9e-3};
    result.baseline_seconds = {2e-3, 2.1e-3, 1.9e-3};
    result.candidate = summarise(result.candidate_seconds);
    result.baseline_summary = summarise(result.baseline_seconds);
    result.speedup = speedup_of(result.candidate_seconds, result.baseline_seconds);
    result.ended_by = "budget";
    result.repeats = 3;
    result.checked_calls = 2;
    result.tail_waste = 0.125;
    result.workspace_bytes = 4096;
    result.counters = {.cache_hit_rate = 0.75, .reason = ""};
    result.warnings = {"the candidate's times spread by more than 5 %"};
    return result;
}

TEST(BenchResult, SurvivesJsonWithEveryField) {
    const nlohmann::json written = to_json(example_result());
    const BenchResult again = bench_result_from_json(nlohmann::json::parse(written.dump()));
    EXPECT_EQ(to_json(again), written);
    EXPECT_EQ(again.binding, example_result().binding);
    EXPECT_EQ(again.candidate_seconds, example_result().candidate_seconds);
    EXPECT_EQ(again.speedup.median, example_result().speedup.median);
    EXPECT_EQ(again.counters.cache_hit_rate, 0.75);
}

TEST(BenchResult, OfAFailedAttemptHasNoNumbers) {
    BenchResult failed;
    failed.status = Status::timed_out;
    failed.reason = "no answer within 30 s";
    failed.binding = {"square", DType::f32, {{"P", 1}}};
    const nlohmann::json written = to_json(failed);
    EXPECT_FALSE(written.contains("speedup"));
    EXPECT_EQ(bench_result_from_json(written).status, Status::timed_out);
    EXPECT_EQ(bench_result_from_json(written).reason, failed.reason);
}

TEST(BenchResult, SaysWhyCountersAreMissing) {
    BenchResult result = example_result();
    result.counters = {.cache_hit_rate = {}, .reason = "not measured: no permission"};
    const BenchResult again = bench_result_from_json(to_json(result));
    EXPECT_FALSE(again.counters.cache_hit_rate);
    EXPECT_EQ(again.counters.reason, "not measured: no permission");
}

}  // namespace
}  // namespace kernelgen
