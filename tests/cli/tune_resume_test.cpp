// SPDX-License-Identifier: Apache-2.0
// A tuning that is killed, damaged or short of time goes on with `--resume`.
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>

#include "core/project/project_file.h"
#include "core/project/source_files.h"
#include "core/tune/tuning_file.h"
#include "tests/cli/tuned_modes.h"

namespace kernelgen {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using ::testing::AllOf;
using testing::expect_decided;
using ::testing::HasSubstr;
using testing::NightlyTune;
using testing::Tune;

TEST_F(Tune, GoesOnAfterItWasKilledAndRepeatsNothing) {
    const std::filesystem::path project = project_with({0, 4, 7, 8, 9, 10, 11}, 0);
    const std::vector<std::string> arguments = {KERNELGEN_PROGRAM, "tune",      "small",
                                                "--variant",       "modes",     "--strategy",
                                                "exhaustive",      "--tunable", "MODE=0,4,7,8,9,10"};
    Process killed =
        Process::start({.arguments = arguments, .environment = {}, .folder = folder.string(), .descriptors = {}})
            .value();
    const auto lines = [&] {
        const Result<Tuning> tuning = load_tuning(project, 1);
        return tuning ? tuning->tried.size() : 0;
    };
    for (int i = 0; i < 600 && lines() < 2; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(100));
    killed.kill();
    const std::size_t before = lines();
    ASSERT_GE(before, 2u);
    EXPECT_FALSE(load_tuning(project, 1)->outcome);

    const testing::Ran ran = kernelgen({"tune", "small", "--resume", "--json"});
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    const json tuning = ran.json()["tunings"][0];
    EXPECT_EQ(tuning["number"], 1);
    EXPECT_EQ(tuning["tried"], 6);
    expect_decided(tuning["outcome"], tuning["outcome"]["configuration"]["MODE"], 0);
    std::multiset<std::string> tried;
    for (const std::string& line : {read_file(tuning_path(project, 1)).value()}) {
        std::istringstream stream(line);
        for (std::string each; std::getline(stream, each);) {
            const json record = json::parse(each, nullptr, false);
            if (!record.is_discarded() && record["kind"] == "configuration")
                tried.insert(record["configuration"].dump());
        }
    }
    const auto second_lines = std::ranges::count_if(
        load_tuning(project, 1)->tried, [](const Tried& each) { return !each.is_ok() && each.race_seconds > 0; });
    EXPECT_LE(std::ssize(tried), std::ssize(std::set<std::string>(tried.begin(), tried.end())) + second_lines)
        << "none was tried twice, but for finalists that fell";
    EXPECT_THAT(kernelgen({"tune", "small", "--resume"}).errors, HasSubstr("tuning 1 has ended"));
}

TEST_F(Tune, TakesTheRoundThatItRecordedBeforeItWasKilled) {
    const std::filesystem::path project = project_with({0, 4}, 0);
    ASSERT_EQ(tune({"--budget", "20s"}).exit.status, 0);
    const json first = kernelgen({"rounds", "small", "--json"}).json();
    ASSERT_EQ(first["rounds"].size(), 1u) << first;
    std::istringstream lines(read_file(tuning_path(project, 1)).value());
    std::string kept;
    for (std::string line; std::getline(lines, line);) {
        if (json::parse(line)["kind"] != "outcome") kept += line + "\n";
    }
    ASSERT_TRUE(write_file_atomic(tuning_path(project, 1), kept));
    const testing::Ran ran = kernelgen({"tune", "small", "--resume", "--json"});
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    const json tuning = ran.json()["tunings"][0];
    ASSERT_EQ(tuning["outcome"]["configuration"], first["rounds"][0]["configuration"]) << "decided in another way";
    EXPECT_EQ(tuning["outcome"]["round"], first["rounds"][0]["number"]);
    EXPECT_EQ(tuning["round"]["number"], first["rounds"][0]["number"]);
    EXPECT_EQ(kernelgen({"rounds", "small", "--json"}).json()["rounds"].size(), 1u);
}

TEST_F(Tune, DoesNotRepeatARaceInWhichItWasKilled) {
    const std::filesystem::path project = project_with({0, 4, 7, 8}, 0);
    change(project, [](ordered_json& document) { document["cases"][0]["P"] = 8192; });  // races that tell of themselves
    const auto lines = [&](const std::string& kind) {
        std::multiset<std::string> all;
        std::istringstream stream(read_file(tuning_path(project, 1)).value_or(""));
        for (std::string line; std::getline(stream, line);) {
            const json record = json::parse(line, nullptr, false);
            if (!record.is_discarded() && record["kind"] == kind) all.insert(record["configuration"].dump());
        }
        return all;
    };
    Process killed =
        Process::start({.arguments = {KERNELGEN_PROGRAM, "tune", "small", "--variant", "modes", "--budget", "4m"},
                        .environment = {},
                        .folder = folder.string(),
                        .descriptors = {}})
            .value();
    for (int i = 0; i < 14'000 && lines("racing").empty(); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    killed.kill();
    const std::multiset<std::string> racing = lines("racing"), before = lines("configuration");
    ASSERT_FALSE(racing.empty());
    ASSERT_EQ(kernelgen({"tune", "small", "--resume", "--budget", "30s"}).exit.status, 0);
    const std::multiset<std::string> after = lines("configuration");
    const Tuning tuning = load_tuning(project, 1).value();
    for (const std::string& each : racing) {
        const auto kept = std::ranges::find(tuning.tried, Configuration(json::parse(each)), &Tried::configuration);
        ASSERT_NE(kept, tuning.tried.end());
        const bool is_finalist_that_fell = !kept->is_ok();
        EXPECT_TRUE(is_finalist_that_fell || after.count(each) == before.count(each)) << each << " was raced again";
    }
}

TEST_F(Tune, SaysWhatThereWasNoTimeForAndGoesOnWithIt) {
    const std::filesystem::path project = project_with({0, 4}, 0);
    const testing::Ran ran = kernelgen({"tune", "small", "--variant", "modes", "--budget", "0.01s"});
    EXPECT_EQ(ran.exit.status, 0) << ran.errors;
    EXPECT_THAT(ran.output, AllOf(HasSubstr("tie: MODE=0"), HasSubstr("left out for want of time: the search"),
                                  HasSubstr("`kernelgen tune PROJECT --resume` goes on with it")));
    ASSERT_EQ(kernelgen({"export", "small"}).exit.status, 0);
    EXPECT_THAT(read_file(project / "optimization_log.md").value(), HasSubstr("Left out for want of time: the search"));

    const testing::Ran resumed = kernelgen({"tune", "small", "--resume", "--budget", "4m", "--json"});
    ASSERT_EQ(resumed.exit.status, 0) << resumed.errors;
    const json tuning = resumed.json()["tunings"][0];
    EXPECT_EQ(tuning["tried"], 2);
    EXPECT_FALSE(tuning["outcome"].contains("left_out")) << tuning;
    EXPECT_TRUE(tuning["outcome"].contains("round"));
}

TEST_F(Tune, IsListedBehindTheRounds) {
    const std::filesystem::path project = project_with({0, 4}, 0);
    EXPECT_THAT(kernelgen({"rounds", "small"}).output, ::testing::Not(HasSubstr("tuning")));
    EXPECT_EQ(kernelgen({"rounds", "small", "--json"}).json()["tunings"], json::array());
    ASSERT_NE(tune({"--budget", "0.01s"}).exit.status, 1);
    ASSERT_TRUE(write_file_atomic(tuning_path(project, 2), "torn\n"));
    const testing::Ran text = kernelgen({"rounds", "small"});
    EXPECT_EQ(text.exit.status, 0);
    EXPECT_THAT(text.output, AllOf(HasSubstr("modes    timed  cpu"), HasSubstr(", can be continued "),
                                   HasSubstr("next: kernelgen tune small --resume")));
    EXPECT_THAT(text.errors, HasSubstr("tunings/2.jsonl:1: it is not a JSON object"));
    const json listed = kernelgen({"rounds", "small", "--json"}).json()["tunings"];
    ASSERT_EQ(listed.size(), 1u);
    EXPECT_EQ(listed[0]["number"], 1);
    EXPECT_EQ(listed[0]["variant"], "modes");
    EXPECT_EQ(listed[0]["tried"], 1);
    EXPECT_EQ(listed[0]["can_go_on"], true);
    EXPECT_EQ(listed[0]["outcome"]["outcome"], "tie");
}

TEST_F(Tune, GoesOnOnlyWithTheOptionsThatItWasBegunWith) {
    const std::filesystem::path project = project_with({0, 4, 7}, 0);
    const std::vector<std::string> begun_with = {
        "--strategy",    "random", "--seed",    "7",        "--case",      "timed",  "--baseline", "naive",
        "--evaluations", "2",      "--tunable", "MODE=4,0", "--objective", "memory", "--device",   "cpu"};
    std::vector<std::string> begin = begun_with;
    begin.insert(begin.end(), {"--budget", "0.01s"});
    ASSERT_EQ(tune(begin).exit.status, 0);
    const auto refused = [&](const std::vector<std::string>& more, const std::string& own) {
        std::vector<std::string> arguments = {"tune", "small", "--resume", "--budget", "0.01s"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const testing::Ran ran = kernelgen(arguments);
        EXPECT_EQ(ran.exit.status, 1);
        EXPECT_THAT(ran.errors, HasSubstr(more.front() + ": tuning 1, which goes on, was begun " + own +
                                          "; leave it out, or leave --resume out to begin another tuning"));
    };
    refused({"--strategy", "model"}, "with `random`");
    refused({"--seed", "8"}, "with `7`");
    refused({"--variant", "host"}, "with `modes`");
    refused({"--device", "cuda:0"}, "with `cpu`");
    refused({"--baseline", "host"}, "with `naive`");
    refused({"--case", "P=2,D=2,dtype=f32"}, "with `timed`");
    refused({"--evaluations", "3"}, "with `2`");
    refused({"--tunable", "MODE=4"}, "with `MODE=0,4`");
    refused({"--objective", "time"}, "with `memory`");
    refused({"--timeout", "3"}, "with `2`");
    refused({"--set", "MODE=4"}, "without it");
    std::vector<std::string> same = begun_with;
    same.insert(same.end(), {"--resume", "--budget", "4m"});
    const testing::Ran resumed = tune(same);
    ASSERT_EQ(resumed.exit.status, 0) << resumed.errors;
    EXPECT_EQ(resumed.json()["tunings"][0]["number"], 1);
    EXPECT_EQ(tuning_numbers(project).size(), 1u);
}

TEST_F(NightlyTune, TriesTheIncumbentAgainWhoseLineWasDamaged) {
    const std::filesystem::path project = project_with({0, 4, 7, 8}, 0);
    ASSERT_EQ(tune({"--strategy", "exhaustive", "--evaluations", "3", "--budget", "40s"}).exit.status, 0);
    std::istringstream lines(read_file(tuning_path(project, 1)).value());
    std::string kept;
    int others = 0;
    for (std::string line; std::getline(lines, line);) {
        json record = json::parse(line);
        if (record["kind"] == "tuning") record["evaluations"] = 1;  // no more than the others
        others += record["kind"] == "configuration" && record["configuration"]["MODE"] != 0;
        if (record["kind"] == "configuration" && record["configuration"]["MODE"] == 0) kept += "damaged\n";
        else if (record["kind"] != "outcome") kept += record.dump() + "\n";
    }
    ASSERT_TRUE(write_file_atomic(tuning_path(project, 1), kept));
    const testing::Ran ran = kernelgen({"tune", "small", "--resume", "--json"});
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    const json tuning = ran.json()["tunings"][0];
    EXPECT_EQ(tuning["tried"], others + 1);
    EXPECT_EQ(tuning["warnings"].size(), 1u) << tuning;
    EXPECT_THAT(tuning["outcome"]["reason"].get<std::string>(), ::testing::Not(HasSubstr("the incumbent failed")));
}

TEST_F(Tune, DoesNotGoOnWhereTheIncumbentLacksATunable) {
    const std::filesystem::path project = project_with({0, 4}, 0);
    const Project loaded = load_project(project).value();
    TuningHead head{.time = "2026-11-23T02:00:00Z", .variant = "modes", .device = "cpu"};
    head.binding = loaded.cases.front();
    head.cases = loaded.cases;
    head.incumbent = {{"OTHER", 1}};
    head.strategy = "model";
    head.objective = "time";
    head.budget_seconds = 1;
    head.source_hash = hash_of_sources(read_implementation(loaded, *loaded.find_variant("modes")).value());
    ASSERT_TRUE(TuningFile::open(project).value().begin(head));
    EXPECT_THAT(kernelgen({"tune", "small", "--resume"}).errors,
                HasSubstr("the definition, launch, tunables or restrictions of `modes` have changed"));
}

}  // namespace
}  // namespace kernelgen
