// SPDX-License-Identifier: Apache-2.0
// `kernelgen tune` on real kernels: a winner, a tie, configurations that go wrong, and a tuning that is killed.
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <format>
#include <map>
#include <set>
#include <thread>

#include "core/measure/device_lock.h"
#include "core/project/project_file.h"
#include "core/project/source_files.h"
#include "core/tune/tuning_file.h"
#include "core/tuning/tune.h"
#include "core/tuning/worker_pool.h"
#include "tests/cli/program.h"

namespace kernelgen {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// `MODE` chooses what the kernel does: 0 works eight times, 4 once; the others go wrong, and are faster than 4.
constexpr const char* modes = R"(#include <stdint.h>
#include <stdlib.h>
#if MODE == 5
#error no such mode
#endif
extern "C" void small(const DTYPE* x, const DTYPE* bias, DTYPE* out, int64_t P, int64_t D, int64_t row, int64_t, int64_t) {
    (void)P;
    int64_t columns = D, times = MODE == 0 ? 8 : 1;
    if (MODE == 1) columns = D / 2;
    if (MODE == 2) for (;;) {}
    if (MODE == 3) abort();
    if (MODE == 6 && D % 2 == 1) --columns;
    if (MODE == 11 && D == 3000) --columns;
    if (MODE == 12 && x[row * D] != x[row * D]) --columns;
    for (int64_t i = 0; i < times; ++i)
        for (int64_t d = 0; d < columns; ++d) ((volatile DTYPE*)out)[row * D + d] = x[row * D + d] + bias[d];
}
)";

/// A winner is as fast as the interval says; where others disturb the timing, the interval says less, and it is a tie.
/// Returns the configuration that was recommended.
std::int64_t expect_decided(const json& outcome, std::int64_t winner, std::int64_t incumbent) {
    const bool is_faster = outcome["lower"] > 1 && 1 / outcome["speedup"].get<double>() <= 0.99;
    EXPECT_EQ(outcome["outcome"], is_faster ? "winner" : "tie") << outcome;
    EXPECT_EQ(outcome["configuration"]["MODE"], is_faster ? winner : incumbent) << outcome;
    return outcome["configuration"]["MODE"];
}

class Tune : public testing::ProgramTest {
protected:
    /// A project whose variant `modes` has this tunable.
    std::filesystem::path project_with(const std::vector<std::int64_t>& values, std::int64_t value) {
        const std::filesystem::path project = small_project();
        EXPECT_TRUE(write_file_atomic(project / "modes.cpp", modes));
        change(project, [&](ordered_json& document) {
            document["cases"] = {{{"name", "timed"}, {"dtype", "f32"}, {"P", 128}, {"D", 3000}}};
            document["performance"]["budget_seconds"] = 0.5;
            ordered_json variant = {
                {"name", "modes"}, {"language", "cpp"}, {"source", "modes.cpp"}, {"entry", "small"}};
            variant["launch"] = {{"grid", {"P"}}, {"args", {"x", "bias", "out", "P", "D"}}};
            variant["tunables"] = {{{"name", "MODE"}, {"values", values}, {"value", value}}};
            document["variants"].push_back(variant);
        });
        return project;
    }

    testing::Ran tune(const std::vector<std::string>& more) {
        std::vector<std::string> arguments = {"tune", "small", "--variant", "modes", "--timeout", "2", "--json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return kernelgen(arguments);
    }
};

class NightlyTune : public Tune {};

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

TEST_F(Tune, LeavesTheConfigurationOfOtherCasesToAPerson) {
    const std::filesystem::path project = project_with({0, 4}, 0);
    const json rule = {{"when", "D < 100"}, {"values", {{"MODE", 4}}}};
    change(project, [&](ordered_json& document) {
        document["cases"].push_back({{"name", "other"}, {"dtype", "f32"}, {"P", 16}, {"D", 70}});
        document["variants"].back()["configurations"] = {rule};
    });
    const testing::Ran ran = tune({"--budget", "20s", "--case", "timed"});
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    const json tuning = ran.json()["tunings"][0];
    if (tuning["outcome"]["outcome"] == "winner") {
        EXPECT_THAT(tuning["not_adopted"].get<std::string>(), HasSubstr("for other cases"));
    }
    auto document = json::parse(read_file(project / "project.json").value());
    EXPECT_EQ(document["variants"].back()["tunables"][0]["value"], 0);

    ASSERT_EQ(kernelgen({"keep", "small", "0"}).exit.status, 0) << "its rule stays";
    document = json::parse(read_file(project / "project.json").value());
    EXPECT_EQ(document["variants"].back()["tunables"][0]["value"], tuning["outcome"]["configuration"]["MODE"]);
    EXPECT_EQ(document["variants"].back()["configurations"], json::array({rule}));
}

/// `MODE` 0 is fast on short rows alone, 1 on long ones.
constexpr const char* two_modes = R"(#include <stdint.h>
extern "C" void small(const DTYPE* x, const DTYPE* bias, DTYPE* out, int64_t P, int64_t D, int64_t row, int64_t, int64_t) {
    (void)P;
    const int64_t times = (MODE == 0) == (D < 5000) ? 1 : 8;
    for (int64_t i = 0; i < times; ++i)
        for (int64_t d = 0; d < D; ++d) ((volatile DTYPE*)out)[row * D + d] = x[row * D + d] + bias[d];
}
)";

TEST_F(Tune, ProposesRulesForSeveralCasesAndKeepAdoptsThem) {
    const std::filesystem::path project = project_with({0, 1}, 0);
    ASSERT_TRUE(write_file_atomic(project / "modes.cpp", two_modes));
    change(project, [](ordered_json& document) {
        document["cases"] = {{{"name", "short"}, {"dtype", "f32"}, {"P", 128}, {"D", 3000}},
                             {{"name", "long"}, {"dtype", "f32"}, {"P", 64}, {"D", 9000}}};
    });
    const testing::Ran ran = tune({"--strategy", "exhaustive", "--budget", "4m"});  // ends when all is tried
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    const json proposal = ran.json()["proposal"];
    ASSERT_EQ(proposal["rules"].size(), 2u) << ran.output << ran.errors;
    EXPECT_EQ(proposal["rules"][0]["when"], "D > 4096");
    EXPECT_EQ(proposal["rules"][0]["configuration"]["MODE"], 1);
    EXPECT_GT(proposal["rules"][0]["cases"][0]["over_otherwise"], 1.5);
    EXPECT_EQ(proposal["rules"][1]["configuration"]["MODE"], 0);
    const testing::Ran kept = kernelgen({"keep", "small", "--tuning", "2"});
    EXPECT_EQ(kept.exit.status, 0) << kept.errors;
    EXPECT_THAT(kept.output, AllOf(HasSubstr("when D > 4096: MODE=1"), HasSubstr("verified: ")));
    const auto document = json::parse(read_file(project / "project.json").value());
    EXPECT_EQ(document["variants"].back()["configurations"],
              json::parse(R"([{"when": "D > 4096", "values": {"MODE": 1}}])"));
    EXPECT_EQ(kernelgen({"keep", "small"}).exit.status, 1);
    EXPECT_EQ(kernelgen({"keep", "small", "0", "--tuning", "1"}).exit.status, 1);
}

/// Adopts rules of tunings whose records are given.
class KeptRules : public Tune {
protected:
    void SetUp() override {
        Tune::SetUp();
        project_ = project_with({0, 4, 6}, 0);
        change(project_, [](ordered_json& document) {
            document["cases"] = {{{"name", "short"}, {"dtype", "f32"}, {"P", 16}, {"D", 3000}},
                                 {{"name", "long"}, {"dtype", "f32"}, {"P", 8}, {"D", 9000}}};
        });
    }

    static Tried took(std::int64_t mode, double seconds) {
        Tried tried{.configuration = {{"MODE", mode}}};
        tried.objective = tried.seconds = seconds;
        return tried;
    }

    /// Records that 4 is the best mode on the short case, and `on_long` on the long one.
    void record(std::int64_t on_long) {
        const Project project = load_project(project_).value();
        const Variant& variant = *project.find_variant("modes");
        TuningFile file = TuningFile::open(project_).value();
        TuningHead head;
        head.time = "2026-11-23T02:00:00Z";
        head.variant = "modes";
        head.device = "cpu";
        head.cases = project.cases;
        head.parameters = variant.tunables;
        head.incumbent = configuration_of(variant);
        head.strategy = "random";
        head.objective = "time";
        head.source_hash = hash_of_sources(read_implementation(project, variant).value());
        for (const Case& each : project.cases) {
            const bool is_long = each.name == "long";
            head.binding = each;
            ASSERT_TRUE(file.begin(head));
            ASSERT_TRUE(file.append(TuningOutcome{.kind = TuningOutcome::Kind::winner,
                                                  .configuration = {{"MODE", is_long ? on_long : 4}}}));
            ASSERT_TRUE(file.append(took(4, is_long ? 2 : 1), TriedLine::across));
            ASSERT_TRUE(file.append(took(on_long, is_long ? 1 : 2), TriedLine::across));
        }
    }

    json rules_on_disk() {
        return json::parse(read_file(project_ / "project.json").value())["variants"].back().value("configurations",
                                                                                                  json());
    }

    std::filesystem::path project_;
};

TEST_F(KeptRules, AreRefusedWhereACheckFailsOnSizesThatTheyCover) {
    record(6);  // wrong where D is odd
    const testing::Ran kept = kernelgen({"keep", "small", "--tuning", "1", "--json"});
    EXPECT_EQ(kept.exit.status, 3) << kept.errors;
    EXPECT_EQ(kept.json()["kept"], false);
    EXPECT_THAT(kept.json()["verification"]["status"], AnyOf("mismatch", "unwritten"));
    EXPECT_EQ(rules_on_disk(), json());
}

TEST_F(KeptRules, AreAdoptedWhereEveryCheckPasses) {
    record(0);
    const testing::Ran kept = kernelgen({"keep", "small", "--tuning", "1", "--json"});
    EXPECT_EQ(kept.exit.status, 0) << kept.errors;
    EXPECT_EQ(kept.json()["kept"], true);
    EXPECT_EQ(kept.json()["verification"]["status"], "ok");
    EXPECT_EQ(rules_on_disk(), json::parse(R"([{"when": "D > 4096", "values": {"MODE": 0}}])"));
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

TEST_F(Tune, DoesNotRepeatARaceInWhichItWasKilled) {
    const std::filesystem::path project = project_with({0, 4, 7, 8}, 0);
    change(project, [](ordered_json& document) { document["cases"][0]["P"] = 2048; });  // a race takes a while
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
        Process::start({.arguments = {KERNELGEN_PROGRAM, "tune", "small", "--variant", "modes", "--budget", "30s"},
                        .environment = {},
                        .folder = folder.string(),
                        .descriptors = {}})
            .value();
    for (int i = 0; i < 12'000 && lines("racing").empty(); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    killed.kill();
    const std::multiset<std::string> racing = lines("racing"), before = lines("configuration");
    ASSERT_FALSE(racing.empty());
    ASSERT_EQ(kernelgen({"tune", "small", "--resume"}).exit.status, 0);
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

TEST_F(Tune, SaysWhatIsWrongWithItsHistory) {
    project_with({0, 4}, 0);
    ASSERT_TRUE(write_file_atomic(folder / "other.json", R"({"results": [{"configuration": {"TILE": 7},
        "invalidity": "correct", "measurements": [{"name": "time", "value": 3}]}]})"));
    const testing::Ran unlike = tune({"--history", "other.json"});
    EXPECT_EQ(unlike.exit.status, 1);
    EXPECT_THAT(unlike.errors, AllOf(HasSubstr("other.json: no configuration in it is one of variant `modes`"),
                                     HasSubstr("whose tunables are MODE")));
    const testing::Ran missing = tune({"--history", "none.json"});
    EXPECT_EQ(missing.exit.status, 1);
    EXPECT_THAT(missing.errors, HasSubstr("none.json"));
    const testing::Ran neither = tune({"--history", "small/project.json"});
    EXPECT_EQ(neither.exit.status, 1);
    EXPECT_THAT(neither.errors, HasSubstr("give the file that a tuning wrote"));
}

TEST_F(Tune, SaysWhatIsWrongWithItsWorkers) {
    project_with({0, 4}, 0);
    const auto errors_of = [&](const std::vector<std::string>& arguments, int status) {
        const testing::Ran ran = kernelgen(arguments);
        EXPECT_EQ(ran.exit.status, status) << ran.errors;
        return ran.errors;
    };
    EXPECT_THAT(errors_of({"tune", "small", "--variant", "modes", "--workers", "slurm:0"}, 1),
                HasSubstr("such as --workers slurm:4"));
    EXPECT_THAT(errors_of({"tune", "small", "--variant", "modes", "--workers", "pbs:4"}, 1),
                HasSubstr("`pbs:4` names no workers"));
    EXPECT_THAT(errors_of({"run", "small", "--worker", "a", "--worker", "b"}, 1),
                HasSubstr("only `kernelgen tune` uses several workers"));
    EXPECT_THAT(errors_of({"tune", "small", "--worker", "--worker", "b"}, 1), HasSubstr("--worker needs the command"));
    EXPECT_THAT(
        errors_of({"tune", "small", "--variant", "modes", "--worker", "false", "--worker", "/none/kernelgen"}, 4),
        AllOf(HasSubstr("worker `false`: no worker behind `false`: the worker exited with status 1"),
              HasSubstr("worker `/none/kernelgen`: cannot start the worker")));
    std::filesystem::create_directory(folder / "programs");
    std::filesystem::create_symlink("/bin/sh", folder / "programs" / "sh");  // which starts kernelgen
    const testing::Ran no_slurm = kernelgen({"tune", "small", "--variant", "modes", "--workers", "slurm:2"},
                                            {{"PATH", (folder / "programs").string()}});
    EXPECT_EQ(no_slurm.exit.status, 1);
    EXPECT_THAT(no_slurm.errors, HasSubstr("there is no `srun` on PATH"));
}

TEST_F(Tune, ListsWhatItWouldNeverTryWithoutBuildingIt) {
    const std::filesystem::path project = project_with({0, 4, 5, 7}, 0);
    change(project, [](ordered_json& document) { document["variants"].back()["restrictions"] = {"MODE != 7"}; });
    const std::map<std::string, std::string> no_compiler = {{"KERNELGEN_CXX", "/none"}};
    const std::vector<std::string> list = {"tune", "small", "--variant", "modes", "--list-pruned"};
    const testing::Ran text = kernelgen(list, no_compiler);
    ASSERT_EQ(text.exit.status, 0) << text.errors;
    EXPECT_THAT(text.output,
                AllOf(HasSubstr("modes on cpu, case timed: 3 configurations may be tried\n"),
                      HasSubstr("never tried: 1 (restriction `MODE != 7`)\n    MODE=7: restriction `MODE != 7`\n")));
    EXPECT_TRUE(tuning_numbers(project).empty());

    ASSERT_EQ(tune({"--strategy", "exhaustive", "--budget", "60s"}).exit.status, 0);
    std::vector<std::string> in_json = list;
    in_json.push_back("--json");
    const json listed = kernelgen(in_json).json()["cases"][0];
    EXPECT_EQ(listed["configurations"], 2);
    EXPECT_EQ(listed["not_listed"], 0);
    ASSERT_EQ(listed["listed"].size(), 2u) << listed;
    EXPECT_EQ(listed["listed"][1]["configuration"]["MODE"], 5);
    EXPECT_THAT(listed["listed"][1]["reason"].get<std::string>(),
                HasSubstr("in tuning 1 it did not build: modes.cpp:4: #error no such mode"));

    const testing::Ran refused = kernelgen({"tune", "small", "--list-pruned", "--seed", "3"});
    EXPECT_EQ(refused.exit.status, 1);
    EXPECT_THAT(refused.errors, HasSubstr("--seed: means nothing with --list-pruned"));
}

TEST_F(Tune, TriesOnlyTheChosenValuesAndThePresentOne) {
    const std::filesystem::path project = project_with({0, 4, 7, 8}, 0);
    const testing::Ran ran = tune({"--strategy", "exhaustive", "--budget", "4m", "--tunable", "MODE=4, 7"});
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    EXPECT_EQ(ran.json()["tunings"][0]["configurations"], 2);
    const Tuning tuning = load_tuning(project, 1).value();
    EXPECT_EQ(tuning.head.chosen, (ChosenValues{{"MODE", {4, 7}}}));
    std::set<std::int64_t> tried;
    for (const Tried& each : tuning.tried) tried.insert(each.configuration.at("MODE"));
    EXPECT_EQ(tried, (std::set<std::int64_t>{0, 4, 7}));
}

TEST_F(Tune, SaysWhatIsWrongWithItsArguments) {
    project_with({4}, 4);
    const auto errors_of = [&](const std::vector<std::string>& more) {
        const testing::Ran ran = tune(more);
        EXPECT_EQ(ran.exit.status, 1) << ran.errors;
        return ran.errors;
    };
    EXPECT_THAT(errors_of({}), HasSubstr("only one configuration is allowed: nothing to tune"));
    EXPECT_THAT(errors_of({"--strategy", "modle"}), HasSubstr("did you mean `model`?"));
    EXPECT_THAT(errors_of({"--objective", "energy"}), HasSubstr("a CPU does not tell its energy"));
    EXPECT_THAT(errors_of({"--objective", "tim"}), HasSubstr("did you mean `time`?"));
    EXPECT_THAT(errors_of({"--budget", "0"}), HasSubstr("the budget must be above 0"));
    EXPECT_THAT(errors_of({"--budget", "soon"}), HasSubstr("`soon` is no time"));
    EXPECT_THAT(errors_of({"--evaluations", "0"}), HasSubstr("at least one configuration must be tried"));
    EXPECT_THAT(errors_of({"--case", "timd"}), HasSubstr("did you mean `timed`?"));
    EXPECT_THAT(errors_of({"--tunable", "MODE"}), HasSubstr("`MODE` is not NAME=VALUE,VALUE,…"));
    EXPECT_THAT(errors_of({"--tunable", "MODE=4,4"}), HasSubstr("`MODE=4,4` names the value 4 twice"));
    EXPECT_THAT(errors_of({"--tunable", "MOD=4"}), HasSubstr("did you mean `MODE`?"));
    EXPECT_THAT(errors_of({"--tunable", "MODE=5"}), HasSubstr("`MODE` cannot be 5; it can be: 4"));
    EXPECT_THAT(errors_of({"--resume"}), HasSubstr("there is no tuning yet"));
    const testing::Ran naive = kernelgen({"tune", "small", "--variant", "naive"});
    EXPECT_EQ(naive.exit.status, 1);
    EXPECT_THAT(naive.errors, HasSubstr("`naive` has no tunables"));
    EXPECT_THAT(kernelgen({"tunee", "small"}).errors, HasSubstr("did you mean `tune`?"));
    change(folder / "small", [](ordered_json& document) {
        document["variants"].back()["tunables"][0]["values"] = {4, 7};
        ordered_json other = document["variants"].back();
        other["name"] = "elsewhere";
        other["language"] = "cuda";
        other["launch"]["block"] = {64};
        other["let"] = {"blocks = device.multiprocessors"};
        document["variants"].push_back(other);
    });
    const testing::Ran elsewhere = kernelgen({"tune", "small", "--variant", "elsewhere"});
    EXPECT_EQ(elsewhere.exit.status, 1);
    EXPECT_THAT(elsewhere.errors, HasSubstr("--variant: variant `elsewhere` is in `cuda`, which does not run on `cpu`; "
                                            "these have some: host, triton, modes"));
    change(folder / "small", [](ordered_json& document) { document["performance"].erase("baseline"); });
    EXPECT_THAT(errors_of({}), HasSubstr("the project names no baseline for `cpu`"));
}

}  // namespace
}  // namespace kernelgen
