// SPDX-License-Identifier: Apache-2.0
// What a search starts with: earlier tunings, the nearest first, and recordings of other devices.
#include "core/tuning/known.h"

#include <gmock/gmock.h>

#include "core/round/history.h"
#include "core/tune/tuning_file.h"
#include "tests/core_round/temporary_folder.h"

namespace kernelgen {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TuningHead head_of(Sizes sizes, DType dtype = DType::f32, const std::string& device = "cpu") {
    TuningHead head{.time = "2026-11-23T02:00:00Z", .variant = "host", .device = device};
    head.binding = {"timed", dtype, std::move(sizes)};
    head.cases = {head.binding};
    head.parameters = {{"BLOCK", {1, 2, 4, 8}, 1}};
    head.incumbent = {{"BLOCK", 1}};
    head.strategy = "model";
    head.objective = "time";
    return head;
}

class StartOfASearch : public InFolder {
protected:
    /// A tuning that tried one configuration, with these seconds.
    void tuned(TuningHead head, double seconds) {
        TuningFile file = TuningFile::open(folder).value();
        ASSERT_TRUE(file.begin(head));
        Tried tried{.configuration = {{"BLOCK", 2}}};
        tried.objective = tried.seconds = seconds;
        ASSERT_TRUE(file.append(tried));
    }

    SearchOptions start(Sizes sizes, const std::vector<Recording>& history = {}) const {
        TuningHead head = head_of(std::move(sizes));
        head.number = 100;
        return start_of_search(folder, head, space, history);
    }

    TuningSpace space = TuningSpace::make({{"BLOCK", {1, 2, 4, 8}, 1}}, {}, {}).value();
};

std::vector<double> seconds_of_first(const SearchOptions& start) {
    std::vector<double> seconds;
    for (const std::vector<Trial>& each : start.history) seconds.push_back(*each.front().objective);
    return seconds;
}

TEST_F(StartOfASearch, HasTheNearestTuningsFirst) {
    tuned(head_of({{"P", 64}, {"D", 64}}), 1);
    tuned(head_of({{"P", 4096}, {"D", 3000}}), 2);
    tuned(head_of({{"P", 4096}, {"D", 4096}}, DType::bf16), 3);
    tuned(head_of({{"P", 4096}, {"D", 4096}}, DType::f32, "cuda:0"), 4);
    tuned(head_of({{"P", 8192}, {"D", 8192}}), 5);
    EXPECT_THAT(seconds_of_first(start({{"P", 4096}, {"D", 4096}})), ElementsAre(2, 3, 5, 4, 1));
    EXPECT_THAT(seconds_of_first(start({{"P", 128}, {"D", 64}})), ElementsAre(1, 2, 3, 5, 4));
}

TEST_F(StartOfASearch, HasTuningsOfItsOwnEnvironmentBeforeThoseOfOthersUnderTheSameName) {
    TuningHead here = head_of({{"P", 64}}), elsewhere = here;
    elsewhere.environment = "another GPU";
    tuned(here, 1);
    tuned(elsewhere, 2);
    EXPECT_THAT(seconds_of_first(start({{"P", 64}})), ElementsAre(1, 2));
}

TEST_F(StartOfASearch, TriesTheRoundsOfTheNearestCasesFirstWhateverTheirNames) {
    const auto record = [&](const Case& binding, std::int64_t block, double seconds) {
        RoundDetail detail;
        detail.round.variant = "host";
        detail.round.device = "cpu";
        detail.round.status = Status::ok;
        detail.round.case_count = 1;
        detail.candidate.configuration = detail.round.configuration = {{"BLOCK", block}};
        RoundCase timed{.binding = binding, .roofline = {}};
        timed.seconds = timed.baseline_seconds = seconds;
        timed.speedup = timed.speedup_lower = timed.speedup_upper = 1;
        detail.round.cases = {timed};
        ASSERT_TRUE(record_round(folder, detail));
    };
    record({"tiny", DType::f32, {{"P", 2}}}, 8, 1e-6);
    record({"another name", DType::f32, {{"P", 64}}}, 4, 2e-3);
    record({"near", DType::f32, {{"P", 128}}}, 2, 1e-3);
    std::vector<std::int64_t> first;
    for (const std::size_t index : start({{"P", 64}}).first) first.push_back(space.at(index).at("BLOCK"));
    EXPECT_THAT(first, ElementsAre(1, 4, 2, 8));
}

TEST_F(StartOfASearch, HasTheNewestOfTuningsThatAreAsNear) {
    for (int i = 1; i <= 12; ++i) tuned(head_of({{"P", 64}}), i);
    EXPECT_THAT(seconds_of_first(start({{"P", 64}})), ElementsAre(12, 11, 10, 9, 8, 7, 6, 5, 4, 3));
}

TEST_F(StartOfASearch, TriesTheBestOfEachRecordingRightAfterTheIncumbent) {
    const Recording one = {{{{{"BLOCK", 4}}, 0.5}, {{{"BLOCK", 2}}, 0.7}, {{{"BLOCK", 16}}, 0.1}}};
    const Recording other = {{{{{"BLOCK", 8}}, 3.0}, {{{"BLOCK", 4}}, std::nullopt}}};
    const SearchOptions begun = start({{"P", 64}}, {one, other});
    ASSERT_EQ(begun.history.size(), 2u);
    EXPECT_EQ(begun.history[0].size(), 2u) << "a configuration that the space does not have is left out";
    std::vector<std::int64_t> first;
    for (const std::size_t index : begun.first) first.push_back(space.at(index).at("BLOCK"));
    EXPECT_THAT(first, ElementsAre(1, 4, 8));
}

TEST_F(StartOfASearch, LearnsOnlyFromTheTuningsThatItMay) {
    for (int i = 1; i <= 3; ++i) tuned(head_of({{"P", 64}}), i);
    TuningHead head = head_of({{"P", 64}});
    head.number = 100;
    EXPECT_THAT(seconds_of_first(start_of_search(folder, head, space, {}, 3)), ElementsAre(3));
    EXPECT_THAT(start_of_search(folder, head, space, {}, 4).history, IsEmpty());
}

TEST_F(StartOfASearch, IsTheIncumbentWhereNothingIsKnown) {
    const SearchOptions begun = start({{"P", 64}});
    EXPECT_THAT(begun.history, IsEmpty());
    EXPECT_THAT(begun.first, ElementsAre(*space.find(Configuration{{"BLOCK", 1}})));
}

}  // namespace
}  // namespace kernelgen
