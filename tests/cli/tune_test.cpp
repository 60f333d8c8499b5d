// SPDX-License-Identifier: Apache-2.0
// `kernelgen tune` on real kernels: a winner, a tie, configurations that go wrong, workers, and a busy device.
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <format>
#include <map>
#include <set>
#include <thread>

#include "core/measure/device_lock.h"
#include "core/project/project_file.h"
#include "core/tune/tuning_file.h"
#include "core/tuning/tune.h"
#include "core/tuning/worker_pool.h"
#include "tests/cli/tuned_modes.h"

namespace kernelgen {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::ElementsAre;
using testing::expect_decided;
using ::testing::HasSubstr;
using testing::modes;
using testing::NightlyTune;
using testing::Tune;

TEST_F(Tune, RefusesASourceThatOverridesATunable) {
    const std::filesystem::path project = project_with({0, 4}, 0);
    const std::string source = read_file(project / "modes.cpp").value();
    const auto errors_with = [&](const std::string& before) {
        EXPECT_TRUE(write_file_atomic(project / "modes.cpp", before + source));
        const testing::Ran verified = kernelgen({"verify", "small", "--variant", "modes", "--json"});
        EXPECT_EQ(tune({"--budget", "1s", "--evaluations", "1"}).errors.contains("overrides"),
                  verified.errors.contains("overrides"));
        return verified.errors;
    };
    EXPECT_THAT(errors_with("/* a\n */\n#  define MODE 4 // the best\n"),
                HasSubstr("modes.cpp: line 3: `#  define MODE 4` overrides the tunable `MODE`"));
    EXPECT_EQ(errors_with("#ifndef MODE\n#define MODE 4\n#endif\n// #define MODE 4\n#define MODES 4\n"), "");
}

TEST_F(Tune, TellsWhereAConditionMayOverrideATunable) {
    const std::filesystem::path project = project_with({0, 4}, 0);
    const std::string source = read_file(project / "modes.cpp").value();
    ASSERT_TRUE(write_file_atomic(project / "modes.cpp", "#ifdef OTHER\n#define MODE 4\n#endif\n" + source));
    EXPECT_THAT(tune({"--budget", "1s", "--evaluations", "1"}).errors,
                HasSubstr("modes.cpp: line 2: `#define MODE 4` overrides the tunable `MODE` where the condition around "
                          "it holds"));
}

TEST_F(Tune, FindsTheFastOneAmongThoseThatGoWrong) {
    const std::filesystem::path project = project_with({0, 1, 2, 3, 4, 5, 6, 11}, 0);
    const testing::Ran ran = tune({"--strategy", "exhaustive", "--budget", "4m"});
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    const json outcome = ran.json()["tunings"][0]["outcome"];
    const std::int64_t decided = expect_decided(outcome, 4, 0);
    EXPECT_EQ(outcome["tried"], 8);
    EXPECT_EQ(outcome["failed"], 6);

    std::map<std::int64_t, std::string> statuses;
    const Tuning tuning = load_tuning(project, 1).value();
    for (const Tried& each : tuning.tried) statuses[each.configuration.at("MODE")] = to_string(each.status);
    EXPECT_EQ(statuses[0], "ok");
    EXPECT_THAT(statuses[1], AnyOf("mismatch", "unwritten"));
    EXPECT_EQ(statuses[2], "timed_out");
    EXPECT_EQ(statuses[3], "crashed");
    EXPECT_EQ(statuses[4], "ok");
    EXPECT_EQ(statuses[5], "build_failed");
    EXPECT_THAT(statuses[6], AnyOf("mismatch", "unwritten")) << "wrong on other sizes alone";
    EXPECT_THAT(statuses[11], AnyOf("mismatch", "unwritten")) << "wrong on its own case alone";

    const auto document = json::parse(read_file(project / "project.json").value());
    EXPECT_EQ(document["variants"].back()["tunables"][0]["value"], decided) << "a winner is the project's now";
    const testing::Ran rounds = kernelgen({"rounds", "small", "--json"});
    const json round = rounds.json()["rounds"].back();
    EXPECT_EQ(round["configuration"]["MODE"], decided);
    EXPECT_EQ(round["status"], "ok");
    EXPECT_THAT(round["note"].get<std::string>(),
                AllOf(HasSubstr("tuning 1, " + outcome["outcome"].get<std::string>() +
                                (outcome.value("decided", true) ? "" : ", not decided") + ": tried 8 of 8"),
                      HasSubstr("0 pruned"), HasSubstr("strategy exhaustive, seed 0; the best")));
    const json listed = rounds.json()["tunings"][0];
    EXPECT_EQ(listed["seed"], 0);
    EXPECT_EQ(listed["pruned"], json::array());
    EXPECT_THAT(kernelgen({"rounds", "small"}).output,
                AllOf(HasSubstr("pruned"), HasSubstr("runner-up"), HasSubstr("the best finalist over the incumbent")));
    EXPECT_THAT(kernelgen({"rounds", "small", std::to_string(round["number"].get<int>())}).output,
                AllOf(HasSubstr("tuning 1 of modes, case timed: tried 8 of 8 configurations, 6 failed, 0 pruned, in "),
                      HasSubstr("; strategy exhaustive, seed 0\n")));
    EXPECT_EQ(kernelgen({"rounds", "small", "0", "--json"}).json()["tuning"]["number"], 1);
}

TEST_F(Tune, NeverLetsAnIncumbentStayThatIsWrong) {
    const std::filesystem::path project = project_with({0, 12}, 12);  // wrong where a row begins with NaN
    const testing::Ran ran = tune({"--budget", "4m"});
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    const json outcome = ran.json()["tunings"][0]["outcome"];
    EXPECT_EQ(outcome["outcome"], "winner") << outcome;
    EXPECT_EQ(outcome["configuration"]["MODE"], 0) << outcome;
    const auto tuning = load_tuning(project, 1);
    ASSERT_TRUE(tuning);
    for (const Tried& each : tuning->tried) EXPECT_EQ(each.is_ok(), each.configuration.at("MODE") == 0);
}

TEST_F(Tune, NamesATunableWhoseMacroWouldChangeKernelgensHeaders) {
    const std::filesystem::path project = project_with({0, 4}, 0);
    for (const std::string name : {"T", "i", "rows"}) {
        change(project, [&](ordered_json& document) { document["variants"].back()["tunables"][0]["name"] = name; });
        EXPECT_EQ(kernelgen({"info", "small"}).exit.status, 0);
        ASSERT_TRUE(write_file_atomic(project / "modes.cpp", "#include \"kernelgen.h\"\n" + std::string(modes)));
        const testing::Ran ran = kernelgen({"run", "small", "--variant", "modes"});
        EXPECT_EQ(ran.exit.status, 1) << ran.output;
        EXPECT_THAT(ran.errors,
                    AllOf(HasSubstr("variant modes: the name of the tunable `" + name + "` stands in kernelgen's `"),
                          HasSubstr("choose another name")));
    }
}

TEST_F(Tune, LeavesAProjectAloneThatWasEditedMeanwhile) {
    const std::filesystem::path project = project_with({0, 4}, 0);
    const std::string edited = std::string(modes) + "// edited\n";
    std::jthread person([&] {
        for (int i = 0; i < 600 && tuning_numbers(project).empty(); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        EXPECT_TRUE(write_file_atomic(project / "modes.cpp", edited));
    });
    const testing::Ran ran = tune({"--budget", "20s"});
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    const json tuning = ran.json()["tunings"][0];
    if (tuning["outcome"]["outcome"] == "winner") {
        EXPECT_THAT(tuning["not_adopted"].get<std::string>(), HasSubstr("have changed since"));
    }
    EXPECT_EQ(read_file(project / "modes.cpp").value(), edited);
    const auto document = json::parse(read_file(project / "project.json").value());
    EXPECT_EQ(document["variants"].back()["tunables"][0]["value"], 0);
}

TEST_F(Tune, SaysThatAProjectCannotBeReadAnyMore) {
    const std::filesystem::path project = project_with({0, 4}, 0);
    std::jthread person([&] {
        for (int i = 0; i < 600 && tuning_numbers(project).empty(); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        EXPECT_TRUE(write_file_atomic(project / "project.json", "garbage"));
    });
    const testing::Ran ran = tune({"--budget", "20s"});
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    const json tuning = ran.json()["tunings"][0];
    if (tuning["outcome"]["outcome"] == "winner") {
        EXPECT_THAT(tuning["not_adopted"].get<std::string>(), HasSubstr("the project cannot be read any more: "));
    }
    EXPECT_EQ(read_file(project / "project.json").value(), "garbage");
}

TEST_F(Tune, SaysTieWhereTheTunableChangesNothing) {
    const std::filesystem::path project = project_with({4, 7, 8, 9}, 7);
    const testing::Ran ran = tune({"--strategy", "random", "--budget", "30s"});
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    const json outcome = ran.json()["tunings"][0]["outcome"];
    EXPECT_EQ(outcome["outcome"], "tie") << outcome;
    EXPECT_EQ(outcome["configuration"]["MODE"], 7);
    const auto document = json::parse(read_file(project / "project.json").value());
    EXPECT_EQ(document["variants"].back()["tunables"][0]["value"], 7);
}

/// Another process holds the device for some seconds, as a kernelgen that measures does.
TEST_F(Tune, WaitsForAnotherProcessThatHasTheDeviceBesideItsBudget) {
    constexpr double budget = 20, held = 3, until_told = 1;
    const std::filesystem::path project = project_with({0, 4, 7, 8, 9, 10}, 0);
    TuneOptions options{.run = {.variant = "modes"}, .strategy = Strategy::exhaustive, .budget_seconds = budget};
    const Validated<TunePlan> plan = plan_tuning(load_project(project).value(), options);
    ASSERT_TRUE(plan) << to_string(plan.error());
    WorkerPool pool({{.name = "", .command = {KERNELGEN_PROGRAM, "worker"}}}, "cpu");
    std::optional<Process> holder;
    std::set<std::string> stages;
    const TuneProgress progress = [&](const TuneState& state) {
        stages.insert(state.stage);
        if (holder || state.tried == 0) return;
        holder = Process::start({.arguments = {"flock", "/tmp/kernelgen-cpu.lock", "sleep", std::format("{}", held)},
                                 .environment = {},
                                 .folder = {},
                                 .descriptors = {}})
                     .value();
    };
    const auto begin = std::chrono::steady_clock::now();
    ASSERT_TRUE(kernelgen::tune(*plan, pool, progress, {}));
    const double all = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const auto is_wait = [](const std::string& stage) { return stage.starts_with(waiting_for_lock); };
    EXPECT_TRUE(std::ranges::any_of(stages, is_wait));
    const Tuning tuning = load_tuning(project, 1).value();
    EXPECT_EQ(tuning.tried.size(), 6u);
    const TuningOutcome outcome = tuning.outcome.value();
    EXPECT_GE(outcome.waited_seconds, held - until_told);
    EXPECT_LE(outcome.seconds + outcome.waited_seconds, all);
    EXPECT_TRUE(outcome.left_out.empty()) << outcome.left_out.front();
}

TEST_F(NightlyTune, SaysWithoutATerminalThatItWaits) {
    project_with({0, 4}, 0);
    const auto holder = Process::start({.arguments = {"flock", "/tmp/kernelgen-cpu.lock", "sleep", "4"},
                                        .environment = {},
                                        .folder = {},
                                        .descriptors = {}});
    ASSERT_TRUE(holder);
    const testing::Ran ran = tune({"--strategy", "exhaustive", "--evaluations", "2", "--budget", "20s"});
    EXPECT_EQ(ran.exit.status, 0) << ran.errors;
    const std::size_t told = ran.errors.find(waiting_for_lock);
    ASSERT_NE(told, std::string::npos) << ran.errors;
    EXPECT_EQ(ran.errors.find(waiting_for_lock, told + 1), std::string::npos) << "once";
}

TEST_F(Tune, BeginsWithTheBestOfARecording) {
    const std::filesystem::path project = project_with({0, 4, 7, 8, 9}, 0);
    ASSERT_TRUE(write_file_atomic(folder / "elsewhere.json", R"({"results": [
        {"configuration": {"MODE": 7}, "invalidity": "correct", "measurements": [{"name": "time", "value": 3}]},
        {"configuration": {"MODE": 8}, "invalidity": "correct", "measurements": [{"name": "time", "value": 2}]}]})"));
    const testing::Ran ran = tune({"--history", "elsewhere.json", "--evaluations", "2"});
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    const Tuning tuning = load_tuning(project, 1).value();
    ASSERT_EQ(tuning.tried.size(), 2u);
    EXPECT_EQ(tuning.tried[0].configuration.at("MODE"), 0);
    EXPECT_EQ(tuning.tried[1].configuration.at("MODE"), 8);
    EXPECT_THAT(tuning.head.history, ElementsAre((folder / "elsewhere.json").string()));
}

TEST_F(NightlyTune, UsesSeveralWorkersOfThisMachine) {
    const std::filesystem::path project = project_with({0, 4, 7, 8, 9, 10}, 0);
    const testing::Ran ran = tune(
        {"--strategy", "exhaustive", "--worker", KERNELGEN_PROGRAM, "worker", "--worker", KERNELGEN_PROGRAM, "worker"});
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    const json outcome = ran.json()["tunings"][0]["outcome"];
    expect_decided(outcome, outcome["configuration"]["MODE"], 0);
    const Tuning tuning = load_tuning(project, 1).value();
    std::set<std::string> workers;
    for (const Tried& each : tuning.tried) {
        EXPECT_EQ(each.status, Status::ok) << each.reason;
        workers.insert(each.worker);
    }
    EXPECT_EQ(tuning.tried.size(), 6u);
    const std::string name = std::string(KERNELGEN_PROGRAM) + " worker";
    EXPECT_THAT(workers, ElementsAre(name, name + " (2)"));
}

}  // namespace
}  // namespace kernelgen
