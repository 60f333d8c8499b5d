// SPDX-License-Identifier: Apache-2.0
// What the outcome says of the final.
#include <gmock/gmock.h>

#include "core/base/tuning_sentences.h"
#include "tests/core_tuning/simulated_workers.h"

namespace kernelgen {
namespace {

using ::testing::HasSubstr;

class FinalOutcome : public SimulatedWorkers {
protected:
    /// Where the whole timing gives this interval of the speedup, and this median.
    TuningOutcome decided(const std::string& lower, const std::string& median, const std::string& upper) {
        EXPECT_TRUE(tune_with({worker("", {"bench", lower, median, upper})}, 4));
        return load_tuning(project_folder, tuning_numbers(project_folder).back())->outcome.value();
    }
};

TEST_F(FinalOutcome, SaysThatAnIntervalIsTooWideAndWhatMakesItNarrower) {
    const TuningOutcome wide = decided("0.7", "1.1", "1.6");
    EXPECT_EQ(wide.kind, TuningOutcome::Kind::tie);
    EXPECT_FALSE(wide.is_decided);
    EXPECT_EQ(to_words(wide), "tie, not decided");
    EXPECT_THAT(wide.reason.text(), HasSubstr("1.100x [0.700, 1.600], 40 pairs; the interval is too wide"));
    EXPECT_THAT(wide.reason.text(), HasSubstr("a longer budget, or a device that nothing else uses"));
    const TuningOutcome narrow = decided("0.995", "1.0", "1.005");
    EXPECT_EQ(narrow.reason.format(), sentences::tuned_in_pairs);
    EXPECT_EQ(to_words(narrow), "tie");
    EXPECT_EQ(to_words(decided("1.05", "1.1", "1.6")), "winner");
}

}  // namespace
}  // namespace kernelgen
