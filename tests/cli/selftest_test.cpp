// SPDX-License-Identifier: Apache-2.0
// What `kernelgen selftest` tries, says and returns; on a CPU, for machines without a GPU.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace kernelgen {
namespace {

using nlohmann::json;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using Selftest = testing::ProgramTest;
using testing::Ran;

// One that is found before it is timed: what a busy machine does to timings is no matter here.
TEST_F(Selftest, SaysOfEachCheatThatTheDeviceCanRunWhatItEndedAs) {
    const Ran ran = kernelgen(
        {"selftest", "--part", "cheats", "--variant", "host_finishes_later", "--variant", "honest", "--json"});
    EXPECT_EQ(ran.exit.status, 0) << ran.output << ran.errors;
    const json attempts = ran.json()["attempts"];
    ASSERT_EQ(attempts.size(), 1u) << "the CUDA kernel is not for a CPU";
    EXPECT_EQ(attempts[0]["part"], "cheats");
    EXPECT_EQ(attempts[0]["variant"], "host_finishes_later");
    EXPECT_THAT(attempts[0]["expected"], Contains(attempts[0]["status"]));
    EXPECT_EQ(attempts[0]["as_expected"], true);
    EXPECT_TRUE(attempts[0]["speedups"].empty());
}

TEST_F(Selftest, TriesNoFaultsOnACpuAndNothingButTheSampleThatIsNamed) {
    const Ran faults = kernelgen({"selftest", "--part", "faults"});
    EXPECT_EQ(faults.exit.status, 0) << faults.errors;
    EXPECT_EQ(faults.output, "0 of 0 as expected\n");
    const Ran sample = kernelgen({"selftest", "--project", "relu", "--variant", "naive"});
    EXPECT_EQ(sample.exit.status, 0) << sample.output << sample.errors;
    EXPECT_THAT(sample.output, HasSubstr("1 of 1 as expected"));
    EXPECT_THAT(sample.output, Not(HasSubstr("host_")));
}

TEST_F(Selftest, RefusesUnknownPartsAndDevicesThatAreNotHere) {
    EXPECT_EQ(kernelgen({"selftest", "--part", "cheat"}).exit.status, 1);
    const Ran nowhere = kernelgen({"selftest", "--device", "cuda:99"});
    EXPECT_EQ(nowhere.exit.status, 4);
    EXPECT_THAT(nowhere.errors, HasSubstr("cuda:99"));
}

}  // namespace
}  // namespace kernelgen
