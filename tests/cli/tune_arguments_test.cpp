// SPDX-License-Identifier: Apache-2.0
// What a tuning is told: wrong arguments, and values that take part or never can.
#include <gmock/gmock.h>

#include <map>
#include <set>

#include "core/tune/tuning_file.h"
#include "tests/cli/tuned_modes.h"

namespace kernelgen {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::Tune;

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
    std::vector<std::string> of_one = list;
    of_one.insert(of_one.end(), {"--tunable", "MODE=4"});
    EXPECT_THAT(kernelgen(of_one).output, HasSubstr("1 configuration may be tried\n"));

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
    EXPECT_THAT(errors_of({"--budget", "1e300h"}), HasSubstr("`1e300h` is no time"));
    EXPECT_THAT(errors_of({"--resume"}), HasSubstr("there is no tuning yet; to begin one, leave --resume out"));
    std::filesystem::create_directory(folder / "small" / "tunings");
    ASSERT_TRUE(write_file_atomic(folder / "small" / "tunings" / "1.jsonl", ""));
    EXPECT_THAT(errors_of({"--resume"}), HasSubstr("tunings/1.jsonl: it is empty"));
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
