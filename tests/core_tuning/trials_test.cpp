// SPDX-License-Identifier: Apache-2.0
// What becomes of a race's results. The worker builds and runs nothing.
#include "core/tuning/trials.h"

#include <gmock/gmock.h>

#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/tuning_sentences.h"
#include "tests/core_round/temporary_folder.h"

namespace kernelgen {
namespace {

using ::testing::SizeIs;

const Configuration the_pace = {{"A", 1}}, other = {{"A", 2}};

/// A pace of 2 ms, and another configuration that takes 3 ms.
class OneTrial : public InFolder {
protected:
    void SetUp() override {
        TuningHead head{.number = 1, .first = 1, .time = "2026-11-23T02:00:00Z"};
        Tried pace{.configuration = the_pace}, slower{.configuration = other};
        pace.objective = pace.seconds = 0.002;
        slower.objective = slower.seconds = 0.003;
        std::ofstream recorded(folder / "recorded.jsonl");
        recorded << to_json(head) << "\n" << to_json(pace) << "\n" << to_json(slower) << "\n";
        Variant& variant = plan.candidate.variant;
        variant.tunables = {{"A", {1, 2}, 1}};
        plan.candidate.configuration = the_pace;
        plan.cases = {{"timed", DType::f32, {}}};
    }

    /// The other one, by a worker with these words, timed twice; or the pace where that fails.
    Tried tried_by(std::vector<std::string> words) {
        words.insert(words.begin(), {KERNELGEN_FAKE_WORKER, (folder / "recorded.jsonl").string()});
        const auto worker = WorkerClient::start(words).value();
        const Progress progress = [](std::string_view, int, int) {};
        Trials trials(plan, objective, *worker, progress, {});
        if (Tried pace = trials.set_pace(the_pace); !pace.is_ok()) return pace;
        trials.begin({other});
        std::vector<Tried> tried = trials.finish(std::numeric_limits<double>::infinity());
        EXPECT_THAT(tried, SizeIs(1));
        EXPECT_THAT(tried.at(0).samples, SizeIs(24));
        trials.race_again(tried, 1);
        return tried.at(0);
    }

    RunPlan plan;
    Objective objective;
};

TEST_F(OneTrial, IsRacedAgainWithMorePairs) {
    const Tried tried = tried_by({});
    EXPECT_TRUE(tried.is_ok()) << tried.reason;
    EXPECT_THAT(tried.samples, SizeIs(400));
    EXPECT_DOUBLE_EQ(tried.objective, 0.003);
}

TEST_F(OneTrial, IsNotFasterThanItsSamplesWhereThePaceWasDisturbed) {
    const Tried tried = tried_by({"disturbs_pace", "290"});
    EXPECT_DOUBLE_EQ(tried.seconds, 0.003);
    EXPECT_DOUBLE_EQ(tried.ratio, 1.5);
}

TEST_F(OneTrial, IsNotSlowerThanItsSamplesWhereThePacesOwnRaceWasDisturbed) {
    EXPECT_DOUBLE_EQ(tried_by({"disturbs_first", "24"}).seconds, 0.003);
    const Tried half = tried_by({"disturbs_first", "16"});
    EXPECT_DOUBLE_EQ(half.seconds, 0.003);
    EXPECT_DOUBLE_EQ(half.objective, 0.003);
}

TEST_F(OneTrial, RelatesItsEnergyToThePaces) {
    objective = {.time = 0, .memory = 0, .energy = 1};
    const Tried tried = tried_by({"energy", "4", "8"});
    EXPECT_TRUE(tried.is_ok()) << tried.reason;
    EXPECT_EQ(tried.energy_joules, 8);
    EXPECT_EQ(tried.objective, 2);
}

TEST_F(OneTrial, TakesTheTimeWhereItsEnergyIsLostInNoise) {
    objective = {.time = 0, .memory = 0, .energy = 1};
    const Tried tried = tried_by({"energy", "4", "0"});
    EXPECT_TRUE(tried.is_ok()) << tried.reason;
    EXPECT_EQ(tried.energy_joules, 0);
    EXPECT_DOUBLE_EQ(tried.objective, 1.5);
}

TEST_F(OneTrial, NeedsAPaceWhoseEnergyTheDeviceTells) {
    objective = {.time = 0, .memory = 0, .energy = 1};
    const Tried pace = tried_by({"energy", "0", "8"});
    EXPECT_EQ(pace.configuration, the_pace);
    EXPECT_EQ(pace.status, Status::unavailable);
    EXPECT_EQ(pace.reason, sentences::no_energy);
}

}  // namespace
}  // namespace kernelgen
