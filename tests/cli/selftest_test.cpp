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

TEST_F(Selftest, TimesHonestKernelsAndCheatsAndSaysOfEachWhatItEndedAs) {
    const Ran ran = kernelgen({"selftest", "--part", "cheats", "--variant", "host_honest", "--variant",
                               "host_skips_after_40", "--variant", "honest", "--json"});
    EXPECT_EQ(ran.exit.status, 0) << ran.output << ran.errors;
    const json attempts = ran.json()["attempts"];
    ASSERT_EQ(attempts.size(), 2u) << "the CUDA kernel is not for a CPU";
    EXPECT_EQ(attempts[0]["variant"], "host_honest");
    EXPECT_EQ(attempts[0]["status"], "ok");
    EXPECT_GT(attempts[0]["speedups"]["host"], 0.5);
    EXPECT_EQ(attempts[1]["part"], "cheats");
    EXPECT_THAT(attempts[1]["expected"], Contains(attempts[1]["status"]));
    EXPECT_TRUE(attempts[1]["speedups"].empty());
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
