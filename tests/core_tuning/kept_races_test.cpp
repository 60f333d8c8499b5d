// SPDX-License-Identifier: Apache-2.0
// What was raced before a tuning was ended from outside is kept, and is not raced again when the tuning goes on.
#include <gmock/gmock.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "tests/core_tuning/simulated_workers.h"

namespace kernelgen {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

class KeptRaces : public SimulatedWorkers {
protected:
    /// The configurations of all lines of this kind, in order.
    std::vector<std::string> lines(const std::string& kind) const {
        std::vector<std::string> all;
        std::istringstream stream(read_file(tuning_path(project_folder, 1)).value());
        for (std::string line; std::getline(stream, line);) {
            const nlohmann::json record = nlohmann::json::parse(line);
            if (record["kind"] == kind) all.push_back(record["configuration"].dump());
        }
        return all;
    }

    void die(const std::vector<std::string>& words) {
        const auto died = tune_with({worker("one", words)}, configurations, on_a_gpu);
        ASSERT_FALSE(died);
        EXPECT_THAT(died.error().message, HasSubstr("the worker exited with status 7"));
    }

    void go_on() {
        const auto resumed = tune_with({worker("two", {"has", "cuda:0"})}, configurations, [](TuneOptions& options) {
            on_a_gpu(options);
            options.resume = true;
        });
        ASSERT_TRUE(resumed) << resumed.error().message;
        EXPECT_TRUE(resumed->front().tuning.outcome);
    }

    static constexpr int configurations = 40;
};

TEST_F(KeptRaces, CountWhereTheyWereNotHeldToTheEnd) {
    die({"dies_racing", "1", "has", "cuda:0"});
    const std::vector<std::string> racing = lines("racing");
    ASSERT_GE(racing.size(), 2u);
    go_on();
    const Tuning tuning = load_tuning(project_folder, 1).value();
    EXPECT_THAT(tuning.tried, SizeIs(configurations));
    const std::vector<std::string> ended = lines("configuration");
    for (const std::string& each : racing) {
        EXPECT_FALSE(std::ranges::contains(ended, each)) << each << " was raced again";
        const auto kept =
            std::ranges::find(tuning.tried, Configuration(nlohmann::json::parse(each)), &Tried::configuration);
        ASSERT_NE(kept, tuning.tried.end());
        EXPECT_THAT(kept->samples, SizeIs(4));
        EXPECT_EQ(kept->worker, "one");
        EXPECT_NEAR(kept->seconds, seconds_of(kept->configuration), 1e-9);
    }
}

TEST_F(KeptRaces, OfASemifinalAreNotHeldAgain) {
    die({"dies_timing", "has", "cuda:0"});
    constexpr std::size_t semifinalists = 5;
    ASSERT_THAT(lines("semifinal"), SizeIs(semifinalists));
    go_on();
    EXPECT_THAT(lines("semifinal"), SizeIs(semifinalists));
}

}  // namespace
}  // namespace kernelgen
