// SPDX-License-Identifier: Apache-2.0
#include "core/whatif/other_device.h"

#include <gmock/gmock.h>

namespace kernelgen {
namespace {

using ::testing::HasSubstr;

RoundDetail round_of(const std::string& device) {
    RoundDetail round;
    round.round.device = device;
    round.ceilings.all_threads = {{.bytes = 1e8, .copy_gbps = 1000, .read_gbps = 1000, .write_gbps = 1000}};
    round.ceilings.gflops_all_threads = {{DType::f32, 2000}};
    round.environment.threads = device == "cpu" ? 8 : 0;
    round.environment.multiprocessors = device == "cpu" ? 0 : 132;
    if (device != "cpu")
        round.candidate.device = {{"threads_per_multiprocessor", 2048},
                                  {"registers_per_multiprocessor", 65536},
                                  {"shared_per_multiprocessor", 233472}};
    return round;
}

OtherDevice compared(const std::string& text, const std::string& device) {
    return compared_with_round(parse_device_description(text, "own.json").value(), round_of(device)).value();
}

std::string refused(const std::string& text) {
    const auto parsed = parse_device_description(text, "own.json");
    return parsed ? "" : to_string(parsed.error());
}

TEST(DeviceDescription, HasTheFieldsOfTheSource) {
    const OtherDevice other = compared(R"({"name": "chip", "warp_size": 32, "shared_mem_kb": 114, "vector_width": 4,
                                           "max_threads_per_sm": 1024, "bandwidth_gbps": 700})",
                                       "cuda:0");
    EXPECT_DOUBLE_EQ(factor_of(other.factors, Resource::bandwidth), 0.7);
    EXPECT_DOUBLE_EQ(factor_of(other.factors, Resource::shared_memory), 0.5);
    EXPECT_DOUBLE_EQ(factor_of(other.factors, Resource::threads), 0.5);
    EXPECT_DOUBLE_EQ(factor_of(other.factors, Resource::registers), 1);
    EXPECT_DOUBLE_EQ(other.arithmetic, 1);
}

TEST(DeviceDescription, TakesTheNamesOfTheInstalledModelsToo) {
    const OtherDevice other =
        compared(R"({"name": "half", "multiprocessors": 66, "registers_per_multiprocessor": 32768})", "cuda:0");
    EXPECT_DOUBLE_EQ(factor_of(other.factors, Resource::registers), 0.5);
    EXPECT_DOUBLE_EQ(other.multiprocessors, 0.5);
    EXPECT_DOUBLE_EQ(other.arithmetic, 0.5);  // no FLOP rate is told
}

TEST(DeviceDescription, IsOfACpuToo) {
    const OtherDevice other = compared(R"({"name": "small", "threads": 4, "gflops": 1000})", "cpu");
    EXPECT_DOUBLE_EQ(factor_of(other.factors, Resource::threads), 0.5);
    EXPECT_DOUBLE_EQ(other.arithmetic, 0.5);
}

TEST(DeviceDescription, IsOfTheSameKindAsTheRound) {
    const auto gpu = parse_device_description(R"({"name": "g", "multiprocessors": 4})", "g.json").value();
    EXPECT_THAT(compared_with_round(gpu, round_of("cpu")).error().message, HasSubstr("describes a GPU"));
    const auto cpu = parse_device_description(R"({"name": "c", "threads": 4})", "c.json").value();
    EXPECT_THAT(compared_with_round(cpu, round_of("cuda:0")).error().message, HasSubstr("describes a CPU"));
}

TEST(DeviceDescription, SaysAllThatIsWrong) {
    EXPECT_THAT(refused("{"), HasSubstr("own.json"));
    EXPECT_THAT(refused(R"({"warp_size": 32})"), HasSubstr("name"));
    EXPECT_THAT(refused(R"({"name": "a", "bandwith_gbps": 1})"), HasSubstr("did you mean `bandwidth_gbps`?"));
    EXPECT_THAT(
        refused(R"({"name": "a", "threads": 0, "gflops": -1})"),
        AllOf(HasSubstr("threads: expected a number from 1"), HasSubstr("gflops: expected a number from 0.001")));
    EXPECT_THAT(refused(R"({"name": "a", "shared_mem_kb": 64, "shared_per_multiprocessor": 65536})"),
                HasSubstr("two names of one number"));
    EXPECT_THAT(refused(R"({"name": "a", "registers_per_sm": 1, "registers_per_multiprocessor": 2})"),
                HasSubstr("two names of one number"));
    EXPECT_THAT(refused(R"({"name": "a", "threads": 1.5})"), HasSubstr("threads"));
    EXPECT_THAT(refused("[]"), HasSubstr("object"));
}

}  // namespace
}  // namespace kernelgen
