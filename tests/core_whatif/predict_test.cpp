// SPDX-License-Identifier: Apache-2.0
#include "core/whatif/predict.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/whatif/forecast.h"

namespace kernelgen {
namespace {

/// 80 % of the time are bytes at the device's bandwidth, 5 % are FLOPs.
TimedSample memory_bound() {
    return {.kernel = "k", .binding = {}, .seconds = 1e-3, .memory = 0.8e-3, .arithmetic = 0.05e-3};
}

TimedSample compute_bound() {
    return {.kernel = "k", .binding = {}, .seconds = 1e-3, .memory = 0.05e-3, .arithmetic = 0.9e-3};
}

CasePrediction with(const TimedSample& sample, const DeviceRatios& ratios) {
    return predict(TimeModel({}), sample, ratios);
}

Ceilings two_threads() {
    Ceilings ceilings;
    ceilings.all_threads = {{.bytes = 1e8, .copy_gbps = 50, .read_gbps = 40, .write_gbps = 30}};
    ceilings.one_thread = {{.bytes = 1e8, .copy_gbps = 40, .read_gbps = 30, .write_gbps = 20}};
    return ceilings;
}

TEST(Predict, SaysThatNothingChangesOnTheSameDevice) {
    const CasePrediction same = with(memory_bound(), {});
    EXPECT_DOUBLE_EQ(same.likely, 1e-3);
    EXPECT_DOUBLE_EQ(same.most_back(), 1);
    EXPECT_LT(same.upper / same.lower, 1.05);
}

/// Times that differ by half among themselves cannot tell the other device's to a few percent.
TEST(Predict, IsAsUncertainAsTheRoundsOwnTime) {
    TimedSample noisy = memory_bound();
    noisy.noise = 0.5;
    const CasePrediction same = with(noisy, {});
    EXPECT_LT(same.lower, 0.5e-3);
    EXPECT_GT(same.upper, 2e-3);
}

TEST(Predict, MakesAMemoryBoundCallSlowerOnLessBandwidth) {
    const CasePrediction less = with(memory_bound(), {.bandwidth = 0.5});
    EXPECT_DOUBLE_EQ(less.slow_down(), 1.8);
    EXPECT_LT(less.lower, 1.8e-3);
    EXPECT_NEAR(less.upper, 2e-3, 0.05e-3);  // where all of it is waiting for memory
    EXPECT_EQ(less.binds_then, Limit::bandwidth);
    EXPECT_DOUBLE_EQ(less.floor_seconds, 1.6e-3);
    EXPECT_DOUBLE_EQ(less.most_back(), 1 / 1.6);
}

/// Bytes that a cache keeps take less time than the ceiling says.
TEST(Predict, PromisesNoLessThanItPredictsWhereACallPassesTheRoofline) {
    const TimedSample cached = {.kernel = "k", .binding = {}, .seconds = 1e-3, .memory = 1.2e-3, .arithmetic = 0.05e-3};
    const CasePrediction less = with(cached, {.bandwidth = 0.7});
    EXPECT_LE(less.floor_seconds, less.lower);
    EXPECT_GE(less.most_back(), 1 / less.slow_down());
}

TEST(Predict, LeavesAComputeBoundCallAlmostAsItIs) {
    const CasePrediction less = with(compute_bound(), {.bandwidth = 0.7});
    EXPECT_LT(less.slow_down(), 1.03);
    EXPECT_EQ(less.binds_then, Limit::arithmetic);
    EXPECT_DOUBLE_EQ(less.most_back(), 1);
}

TEST(Predict, TellsWhenAnotherResourceBinds) {
    const CasePrediction less = with(compute_bound(), {.bandwidth = 0.02});
    EXPECT_EQ(less.binds_now, Limit::arithmetic);
    EXPECT_EQ(less.binds_then, Limit::bandwidth);
}

TEST(Predict, MakesACallFasterOnMore) {
    const CasePrediction more = with(memory_bound(), {.bandwidth = 2});
    EXPECT_DOUBLE_EQ(more.slow_down(), 0.6);
    EXPECT_LE(more.lower, more.likely);
    EXPECT_GE(more.upper, more.likely);
}

TEST(Predict, CountsTheLastWaveOfFewerThreads) {
    TimedSample sample = compute_bound();
    sample.programs = 4;
    sample.at_once = 4;
    const CasePrediction fewer = with(sample, {.arithmetic = 0.75, .at_once = 0.75});
    // Four programs in two waves of three; the 5 % of the time for bytes lose nothing.
    EXPECT_NEAR(fewer.likely, (0.05e-3 + 0.95e-3 / 0.75) / (1 - 0.95 * 2 / 6), 1e-8);
}

TEST(Predict, GivesFewerThreadsOfACpuWhatItsCeilingsSay) {
    const DeviceRatios half = ratios_of_cpu(two_threads(), {{Resource::threads, 0.5}}, 2);
    EXPECT_DOUBLE_EQ(half.bandwidth, 0.8);
    EXPECT_DOUBLE_EQ(half.arithmetic, 0.5);
    const DeviceRatios both = ratios_of_cpu(two_threads(), {{Resource::threads, 0.5}, {Resource::bandwidth, 0.5}}, 2);
    EXPECT_DOUBLE_EQ(both.bandwidth, 0.4);
    EXPECT_EQ(threads_with({{Resource::threads, 0.01}}, 2), 1);
}

/// Of a library no launch is known, and so not how many of its programs run at once.
TEST(Forecast, TakesAwayThreadsOfAKernelWhoseProgramsAreNotKnown) {
    ForecastBase base{.round = {}, .samples = {compute_bound()}, .model = TimeModel({}), .warnings = {}};
    base.round.round.device = "cpu";
    base.round.environment.threads = 2;
    base.round.ceilings = two_threads();
    const auto half = predict_all(base, {.factors = {{Resource::threads, 0.5}}}, {});
    ASSERT_TRUE(half.has_value());
    EXPECT_GT(half->at(0).slow_down(), 1.5);
}

TEST(Predict, SlowsAGpuOnlyBelowTheWarpsThatAreEnough) {
    const Residency half{.now = 32, .then = 16, .limiter = "registers"};
    const LatencyHiding hiding{.bytes = 2, .needed = 1};
    EXPECT_DOUBLE_EQ(ratios_of_gpu({}, half, hiding, 16).hiding, 1);
    EXPECT_DOUBLE_EQ(ratios_of_gpu({}, half, hiding, 0).hiding, std::sqrt(1.25 / 2));
    EXPECT_DOUBLE_EQ(ratios_of_gpu({}, half, hiding, 64).hiding, std::sqrt(1.25 / 2));
    EXPECT_DOUBLE_EQ(ratios_of_gpu({}, half, hiding, 0).least_hiding, std::sqrt(2.0 / 5));
    EXPECT_DOUBLE_EQ(ratios_of_gpu({}, half, hiding, 0).at_once, 0.5);
    const CasePrediction fewer = with(memory_bound(), ratios_of_gpu({}, half, hiding, 0));
    EXPECT_NEAR(fewer.slow_down(), std::sqrt(2 / 1.25), 0.01);
    EXPECT_LT(fewer.lower, 1.0e-3);
    EXPECT_GT(fewer.upper, 1.5e-3);
}

TEST(LatencyHiding, LosesLittleWhereManyBytesAreOnTheirWayAndAllInProportionWhereFewAre) {
    EXPECT_GT((LatencyHiding{.bytes = 64, .needed = 1}).left(0.5), 0.999);
    EXPECT_NEAR((LatencyHiding{.bytes = 0.01, .needed = 1}).left(0.5), 0.5, 0.001);
    EXPECT_DOUBLE_EQ((LatencyHiding{.bytes = 1, .needed = 1}).left(1), 1);
    EXPECT_DOUBLE_EQ((LatencyHiding{.bytes = 1, .needed = 1}).left(2), 1);
    EXPECT_DOUBLE_EQ(LatencyHiding{}.left(0.5), 0.5);  // nothing is known
}

TEST(Resource, RefusesFactorsThatAreNoShares) {
    for (const double wrong :
         {0.0, 1e-300, -1.0, 16.1, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
        EXPECT_TRUE(factor_problem(wrong)) << wrong;
    EXPECT_FALSE(factor_problem(0.7));
    EXPECT_FALSE(factor_problem(16));
}

TEST(Resource, IsOfItsKindOfDevice) {
    EXPECT_FALSE(has_resource("cpu", Resource::registers));
    EXPECT_FALSE(has_resource("cpu", Resource::shared_memory));
    EXPECT_TRUE(has_resource("cpu", Resource::threads));
    EXPECT_TRUE(has_resource("cuda", Resource::registers));
}

}  // namespace
}  // namespace kernelgen
