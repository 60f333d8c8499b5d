// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "gpu/cuda/profiler.h"

namespace kernelgen::cuda {
namespace {

const std::string heading =
    "==PROF== Connected to process 211\n==PROF== Profiling \"bias_add\": 0%....100%\n"
    "\"ID\",\"Process ID\",\"Kernel "
    "Name\",\"dram__bytes_read.sum\",\"dram__bytes_write.sum\",\"gpu__time_duration.sum\","
    "\"lts__t_sector_hit_rate.pct\",\"sm__warps_active.avg.pct_of_peak_sustained_active\"\n"
    "\"\",\"\",\"\",\"Mbyte\",\"byte\",\"us\",\"%\",\"%\"\n";

TEST(Profile, ReadsTheCountersOfALaunchInTheirUnits) {
    const Counters counters = parse_profile(
        heading + "\"0\",\"211\",\"bias_add(const float *, float)\",\"67.25\",\"1,024\",\"34.5\",\"51\",\"80\"\n");
    EXPECT_EQ(counters.reason, "");
    EXPECT_DOUBLE_EQ(counters.values.at("dram_read_bytes"), 67.25e6);
    EXPECT_DOUBLE_EQ(counters.values.at("dram_write_bytes"), 1024);
    EXPECT_DOUBLE_EQ(counters.values.at("achieved_occupancy"), 0.8);
    EXPECT_DOUBLE_EQ(counters.cache_hit_rate.value(), 0.51);
}

TEST(Profile, AddsBytesOfSeveralLaunchesAndWeighsSharesByTime) {
    const Counters counters = parse_profile(heading + "\"0\",\"1\",\"first\",\"1\",\"10\",\"30\",\"20\",\"40\"\n" +
                                            "\"1\",\"1\",\"second\",\"2\",\"20\",\"10\",\"60\",\"80\"\n");
    EXPECT_DOUBLE_EQ(counters.values.at("dram_read_bytes"), 3e6);
    EXPECT_DOUBLE_EQ(counters.values.at("dram_write_bytes"), 30);
    EXPECT_DOUBLE_EQ(counters.values.at("achieved_occupancy"), 0.5);
    EXPECT_DOUBLE_EQ(counters.cache_hit_rate.value(), 0.3);
}

TEST(Profile, LeavesOutACounterThatTheDeviceDoesNotHave) {
    const Counters counters = parse_profile(heading + "\"0\",\"1\",\"k\",\"n/a\",\"10\",\"30\",\"n/a\",\"40\"\n");
    EXPECT_FALSE(counters.values.contains("dram_read_bytes"));
    EXPECT_FALSE(counters.cache_hit_rate.has_value());
    EXPECT_DOUBLE_EQ(counters.values.at("dram_write_bytes"), 10);
}

TEST(Profile, SaysThatCountersAreNotPermitted) {
    const Counters counters = parse_profile(
        "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU Performance Counters\n");
    EXPECT_TRUE(counters.values.empty());
    EXPECT_NE(counters.reason.find("does not permit hardware counters"), std::string::npos) << counters.reason;
}

TEST(Profile, RepeatsWhatTheProfilerComplainsOf) {
    EXPECT_EQ(parse_profile("==ERROR== The application returned an error code (1).\n").reason,
              "ncu: The application returned an error code (1).");
}

}  // namespace
}  // namespace kernelgen::cuda
