// SPDX-License-Identifier: Apache-2.0
// Several workers tune together. The workers build and run nothing: they sleep as long as a recorded tuning says.
#include <gmock/gmock.h>

#include <chrono>
#include <map>
#include <set>
#include <sstream>

#include "tests/core_tuning/simulated_workers.h"

namespace kernelgen {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

class SeveralWorkers : public SimulatedWorkers {};

class NightlySeveralWorkers : public SeveralWorkers {};

TEST_F(NightlySeveralWorkers, EightTryAtLeastSevenTimesAsManyAsOne) {
    record(0.1);
    ASSERT_TRUE(tune_with({worker("")}, 24));
    std::vector<WorkerSource> eight;
    for (int i = 1; i <= 8; ++i) eight.push_back(worker("w" + std::to_string(i)));
    const auto tuned = tune_with(eight, 240, [](TuneOptions& options) { options.strategy = Strategy::model; });
    ASSERT_TRUE(tuned) << tuned.error().message;
    EXPECT_EQ(load_tuning(project_folder, 2)->tried.size(), 240u);
    EXPECT_THAT(lines_of(2), SizeIs(8));
    EXPECT_EQ(most_workers, 8);
    const double ratio = rate(2) / rate(1);
    RecordProperty("times_the_rate_of_one", std::to_string(ratio));
    EXPECT_GE(ratio, 7) << rate(2) << " a second against " << rate(1);
}

TEST_F(SeveralWorkers, OrOneThatBuildsAheadTryTheIncumbentAmongTheFewThatAreAllowed) {
    for (const int evaluations : {1, 2, 16, 17}) {
        const auto tuned = tune_with({worker("", {"has", "cuda:0"})}, evaluations, on_a_gpu);
        ASSERT_TRUE(tuned) << tuned.error().message;
        const Tuning& tuning = tuned->front().tuning;
        EXPECT_THAT(tuning.tried, SizeIs(evaluations));
        EXPECT_EQ(tuning.tried.front().configuration, tuning.head.incumbent);
        EXPECT_NE(tuning.outcome->kind, TuningOutcome::Kind::failed) << tuning.outcome->reason;
    }
}

TEST_F(SeveralWorkers, OrOneTryWhatWasBuiltAheadOfAnIncumbentThatFails) {
    const auto tuned = tune_with({worker("", {"has", "cuda:0", "wrong", "A", "1"})}, 100, [](TuneOptions& options) {
        on_a_gpu(options);
        options.chosen = {{"A", {1, 2, 3}}, {"B", {1}}};
    });
    ASSERT_TRUE(tuned) << tuned.error().message;
    const Tuning& tuning = tuned->front().tuning;
    EXPECT_THAT(tuning.tried, SizeIs(3));
    for (const Tried& each : tuning.tried)
        EXPECT_EQ(each.status, each.configuration.at("A") == 1 ? Status::mismatch : Status::ok);
    EXPECT_EQ(tuning.outcome->kind, TuningOutcome::Kind::winner);
}

/// A call may take 5 s and 50 times the pace's, which takes 5.1 ms.
TEST_F(SeveralWorkers, OrOneSayThatATuningsOwnLimitEndedACall) {
    const auto tuned = tune_with({worker("", {"hangs", "A", "3"})}, 100,
                                 [](TuneOptions& options) { options.chosen = {{"A", {1, 2, 3}}, {"B", {1}}}; });
    ASSERT_TRUE(tuned) << tuned.error().message;
    const std::vector<Tried>& tried = tuned->front().tuning.tried;
    const auto ended = std::ranges::find(tried, Status::timed_out, &Tried::status);
    ASSERT_NE(ended, tried.end());
    EXPECT_THAT(ended->reason, HasSubstr("no answer within 5.2"));
    EXPECT_THAT(ended->reason, HasSubstr("a tuning waits for 5 s and 50 times the time of the configuration"));
}

TEST_F(SeveralWorkers, OrOneSayThatNothingElseWasTried) {
    const auto tuned = tune_with({worker("one")}, 1);
    ASSERT_TRUE(tuned) << tuned.error().message;
    EXPECT_EQ(tuned->front().tuning.outcome->kind, TuningOutcome::Kind::tie);
    EXPECT_EQ(tuned->front().tuning.outcome->reason, "no other configuration was tried");
}

TEST_F(SeveralWorkers, TellWhenEachResultWasKnown) {
    ASSERT_TRUE(tune_with({worker("one"), worker("two")}, 20));
    const Tuning tuning = load_tuning(project_folder, 1).value();
    ASSERT_GE(told.size(), 20u);
    for (const Tried& each : tuning.tried) {
        const auto last = std::ranges::find_last(told, each.configuration, &Tried::configuration);
        ASSERT_FALSE(last.empty());
        EXPECT_GT(each.elapsed_seconds, 0);
        EXPECT_NEAR(last.front().elapsed_seconds, each.elapsed_seconds, 1e-6);
    }
}

TEST_F(SeveralWorkers, TryNothingTwice) {
    ASSERT_TRUE(tune_with({worker("one"), worker("two"), worker("three")}, 100));
    const std::string text = read_file(tuning_path(project_folder, 1)).value();
    std::multiset<std::string> tried;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        const json record = json::parse(line);
        if (record["kind"] == "configuration") tried.insert(record["configuration"].dump());
    }
    EXPECT_EQ(tried.size(), 100u);
    EXPECT_EQ(std::set<std::string>(tried.begin(), tried.end()).size(), 100u);
}

TEST_F(SeveralWorkers, RelateTheTimesOfASlowerDevice) {
    const auto tuned = tune_with({worker("fast"), worker("slow", {"slower", "3"})}, 60);
    ASSERT_TRUE(tuned) << tuned.error().message;
    const auto lines = lines_of(1);
    ASSERT_THAT(lines, SizeIs(2));
    const double incumbent = seconds_of({{"A", 1}, {"B", 1}});
    for (const auto& [name, all] : lines) {
        for (const Tried& each : all) EXPECT_NEAR(each.ratio, seconds_of(each.configuration) / incumbent, 1e-9) << name;
    }
    EXPECT_EQ(tuned->front().tuning.outcome->kind, TuningOutcome::Kind::winner);
}

TEST_F(SeveralWorkers, GoOnWithoutOneThatDies) {
    const auto tuned = tune_with({worker("lasting"), worker("dying", {"dies_after", "10"})}, 80);
    ASSERT_TRUE(tuned) << tuned.error().message;
    const Tuning tuning = load_tuning(project_folder, 1).value();
    EXPECT_EQ(tuning.tried.size(), 80u);
    for (const Tried& each : tuning.tried) EXPECT_EQ(each.status, Status::ok) << each.reason;
    EXPECT_THAT(lines_of(1).at("dying"), SizeIs(::testing::AllOf(::testing::Ge(8u), ::testing::Le(10u))));
    EXPECT_TRUE(tuning.outcome);
}

TEST_F(SeveralWorkers, CallAConfigurationWithWhichTwoDieCrashed) {
    const std::vector<std::string> deadly = {"dies_with", "B", "5"};
    const auto tuned =
        tune_with({worker("one", deadly), worker("two", deadly), worker("three", {"late", "1.5"})}, values_of_each,
                  [](TuneOptions& options) { options.run.changes = {{"A", 3}, {"B", 9}}; });
    ASSERT_TRUE(tuned) << tuned.error().message;
    const Tuning tuning = load_tuning(project_folder, 1).value();
    EXPECT_EQ(tuning.tried.size(), static_cast<std::size_t>(values_of_each));
    for (const Tried& each : tuning.tried) {
        const bool is_deadly = each.configuration == Configuration{{"A", 1}, {"B", 5}};
        EXPECT_EQ(each.status, is_deadly ? Status::crashed : Status::ok);
        EXPECT_EQ(each.reason, is_deadly ? "two workers died while they tried this configuration, the last: the worker "
                                           "exited with status 7"
                                         : "");
    }
}

TEST_F(SeveralWorkers, EndWithAnErrorThatSaysHowToGoOnWhenAllAreDead) {
    const auto died = tune_with({worker("one", {"dies_after", "9"}), worker("two", {"dies_after", "4"})}, 40);
    ASSERT_FALSE(died);
    EXPECT_THAT(died.error().message, HasSubstr("no worker is left; `kernelgen tune PROJECT --resume` goes on"));
    EXPECT_THAT(died.error().message, HasSubstr("worker `one`: the worker exited with status 7"));
    EXPECT_THAT(died.error().message, HasSubstr("worker `two`: the worker exited with status 7"));
    const std::size_t before = load_tuning(project_folder, 1)->tried.size();
    EXPECT_GE(before, 8u);

    const auto resumed = tune_with({worker("three")}, 40, [](TuneOptions& options) { options.resume = true; });
    ASSERT_TRUE(resumed) << resumed.error().message;
    const Tuning tuning = load_tuning(project_folder, 1).value();
    EXPECT_EQ(tuning.tried.size(), 40u);
    EXPECT_THAT(lines_of(1).at("three"), SizeIs(40 - before));
    for (const Tried& each : tuning.tried) EXPECT_EQ(each.status, Status::ok) << each.reason;
}

TEST_F(SeveralWorkers, AreJoinedByOneThatComesLate) {
    ASSERT_TRUE(tune_with({worker("early"), worker("late", {"late", "0.5"})}, 80));
    EXPECT_GT(lines_of(1)["early"].size(), lines_of(1)["late"].size());
    EXPECT_GE(lines_of(1)["late"].size(), 5u);
}

TEST_F(SeveralWorkers, DoNotWaitForOneThatDoesNotCome) {
    const auto begin = std::chrono::steady_clock::now();
    ASSERT_TRUE(tune_with({worker("early"), worker("late", {"late", "30"})}, 10));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(15));
    EXPECT_THAT(lines_of(1), SizeIs(1));
}

TEST_F(SeveralWorkers, LeaveOutOneThatHasNoSuchDevice) {
    ASSERT_TRUE(tune_with({worker("without", {"without"}), worker("with")}, 10));
    EXPECT_THAT(lines_of(1), SizeIs(1));
    const auto alone = tune_with({worker("without", {"without"})}, 10);
    EXPECT_THAT(alone.error().message, HasSubstr("worker `without`: no device `cpu` here"));
}

TEST_F(SeveralWorkers, LeaveOutOneThatLacksWhatEveryConfigurationNeeds) {
    for (const char* device : {"cpu", "cuda:0"}) {
        const auto on_device = [&](TuneOptions& options) {
            if (std::string(device) != "cpu") on_a_gpu(options);
        };
        const auto alone = tune_with({worker("", {"lacks", "has", device})}, 40, on_device);
        ASSERT_FALSE(alone);
        EXPECT_THAT(alone.error().message, HasSubstr("--resume` goes on\nnothing is right here"));
        const int number = tuning_numbers(project_folder).back();
        EXPECT_THAT(load_tuning(project_folder, number)->tried, SizeIs(0));
        const auto go_on = [](TuneOptions& options) { options.resume = true; };
        ASSERT_TRUE(tune_with({worker("poor", {"lacks", "has", device}), worker("good", {"has", device})}, 40, go_on));
        EXPECT_THAT(lines_of(number), UnorderedElementsAre(Pair("good", SizeIs(40))));
    }
}

TEST_F(SeveralWorkers, LeaveNoTuningThatTriedNothingBeforeOneThatCanGoOn) {
    ASSERT_FALSE(tune_with({worker("one", {"dies_after", "4"})}, 40));
    const auto lacking = tune_with({worker("", {"lacks"})}, 40);
    ASSERT_FALSE(lacking);
    EXPECT_THAT(lacking.error().message,
                AllOf(HasSubstr("nothing was tried\nnothing is right here"), ::testing::Not(HasSubstr("--resume"))));
    EXPECT_THAT(tuning_numbers(project_folder), ElementsAre(1));
    ASSERT_TRUE(tune_with({worker("good")}, 40, [](TuneOptions& options) { options.resume = true; }));
    EXPECT_THAT(load_tuning(project_folder, 1)->tried, SizeIs(40));
}

TEST_F(SeveralWorkers, RefuseABudgetOfMoreThanAYear) {
    const auto tuned = tune_with({worker("one")}, 40, [](TuneOptions& options) { options.budget_seconds = 1e300; });
    ASSERT_FALSE(tuned);
    EXPECT_THAT(tuned.error().message, HasSubstr("the budget must be at most a year"));
}

TEST_F(SeveralWorkers, SayWhereAClusterIsExplainedWhenItStartsNone) {
    WorkerPool pool({{.name = "slurm:1", .command = {"false"}, .is_queued = true}}, "cpu");
    EXPECT_EQ(pool.wait_for_any({}), nullptr);
    EXPECT_THAT(pool.why_lost(), HasSubstr("docs/CLUSTER.md"));
}

TEST_F(SeveralWorkers, LeaveOutOneOnWhichThePaceFails) {
    const auto tuned = tune_with({worker("right"), worker("wrong", {"fails", "late", "0.3"})}, 40);
    ASSERT_TRUE(tuned) << tuned.error().message;
    const auto lines = lines_of(1);
    EXPECT_THAT(lines, SizeIs(1));
    for (const Tried& each : lines.at("right")) EXPECT_TRUE(each.is_ok());
}

}  // namespace
}  // namespace kernelgen
