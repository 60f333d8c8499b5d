// SPDX-License-Identifier: Apache-2.0
// `kernelgen tune --simulate`: a strategy played on recorded times.
#include <gmock/gmock.h>

#include "core/tune/tuning_file.h"
#include "tests/cli/program.h"

namespace kernelgen {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using testing::Ran;

constexpr const char* t1 = R"({"ConfigurationSpace": {"TuningParameters": [
    {"Name": "bx", "Values": "[16, 32, 64]"}, {"Name": "tx", "Values": "[1, 2, 3]"}],
    "Conditions": [{"Expression": "16 <= bx * tx <= 128", "Parameters": ["bx", "tx"]}]}, "KernelSpecification": {}})";

/// Milliseconds of bx * tx; what has tx = 3 failed, and bx = 64 was never tried.
json recording() {
    json results = json::array();
    for (const int bx : {16, 32}) {
        for (const int tx : {1, 2, 3}) {
            results.push_back({{"configuration", {{"bx", bx}, {"tx", tx}}},
                               {"invalidity", tx == 3 ? "compile" : "correct"},
                               {"measurements", {{{"name", "time"}, {"value", bx * tx}, {"unit", ""}}}},
                               {"objectives", {"time"}}});
        }
    }
    return {{"metadata", {{"timeunit", "miliseconds"}}}, {"results", results}};
}

class Simulate : public testing::ProgramTest {
protected:
    void SetUp() override {
        ProgramTest::SetUp();
        ASSERT_TRUE(write_file_atomic(folder / "space.json", t1));
        ASSERT_TRUE(write_file_atomic(folder / "recorded.json", recording().dump()));
    }

    Ran tune(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "tune");
        return kernelgen(arguments);
    }
};

TEST_F(Simulate, PrintsEachEvaluationInSeconds) {
    const Ran ran =
        tune({"--simulate", "recorded.json", "--space", "space.json", "--strategy", "exhaustive", "--json"});
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    const json evaluations = ran.json()["evaluations"];
    ASSERT_EQ(evaluations.size(), 8u);
    EXPECT_EQ(evaluations[1], (json{{"configuration", {{"bx", 16}, {"tx", 2}}}, {"seconds", 0.032}}));
    EXPECT_EQ(evaluations[2]["seconds"], nullptr);  // failed
    EXPECT_EQ(evaluations[7], (json{{"configuration", {{"bx", 64}, {"tx", 2}}}, {"seconds", nullptr}}));
    EXPECT_EQ(ran.json()["best"], evaluations[0]);
}

TEST_F(Simulate, WithoutASpaceTakesWhatWasRecorded) {
    const Ran ran = tune({"--simulate", "recorded.json", "--evaluations", "100", "--json"});
    EXPECT_EQ(ran.json()["evaluations"].size(), 6u) << ran.errors;
}

TEST_F(Simulate, PlaysInTheExportedSpaceOfATuning) {
    TuningHead head{.time = "2026-11-23T02:00:00Z"};
    head.variant = "host";
    head.device = "cpu";
    head.cases = {head.binding};
    head.parameters = {{"bx", {16, 32}, 32}, {"tx", {1, 2, 3}, 1}};
    head.restrictions = {"bx * tx < P"};
    head.sizes = {{"P", 64}};
    head.strategy = "model";
    head.objective = "time";
    ASSERT_TRUE(TuningFile::open(small_project())->begin(head));
    const Ran exported = kernelgen({"export", "small", "--tuning", "1", "--format", "t1"});
    ASSERT_EQ(exported.exit.status, 0) << exported.errors;
    const Ran ran = tune({"--simulate", "recorded.json", "--space", "small/tuning_1.T1.json", "--json"});
    EXPECT_EQ(ran.json()["evaluations"].size(), 4u) << ran.errors;
}

TEST_F(Simulate, BeginsWithTheBestOfTheHistory) {
    const Ran ran = tune({"--simulate", "recorded.json", "--history", "recorded.json", "--evaluations", "1", "--json"});
    EXPECT_EQ(ran.json()["best"]["seconds"], 0.016) << ran.errors;
}

TEST_F(Simulate, BeginsWithTheBestOfTheHistoryByAnyStrategy) {
    json other = recording();
    for (json& each : other["results"]) {
        if (each["configuration"] == json{{"bx", 32}, {"tx", 2}}) each["measurements"][0]["value"] = 1;
    }
    ASSERT_TRUE(write_file_atomic(folder / "other.json", other.dump()));
    for (const char* strategy : {"exhaustive", "random", "coarse_to_fine", "local"}) {
        const Ran ran = tune({"--simulate", "recorded.json", "--history", "other.json", "--evaluations", "1",
                              "--strategy", strategy, "--json"});
        EXPECT_EQ(ran.json()["best"]["seconds"], 0.064) << strategy << ran.errors;
    }
}

TEST_F(Simulate, RefusesOptionsThatMeanNothing) {
    const Ran ran = tune({"--simulate", "recorded.json", "small", "--budget", "5m", "--device", "cuda:0", "--resume",
                          "--objective", "memory", "--tunable", "bx=16", "--timeout", "3", "--json"});
    EXPECT_EQ(ran.exit.status, 1);
    for (const char* option : {"PROJECT", "--budget", "--device", "--resume", "--objective", "--tunable", "--timeout"})
        EXPECT_THAT(ran.errors, HasSubstr(std::string(option) + ": means nothing with --simulate")) << option;
    EXPECT_THAT(tune({"small", "--space", "space.json"}).errors, HasSubstr("--space: means nothing without"));
    EXPECT_EQ(tune({"--simulate", "recorded.json", "--worker", "none", "--"}).exit.status, 1);
}

TEST_F(Simulate, SaysHowManyLinesOfARecordingAreDamaged) {
    TuningHead head{.number = 1, .first = 1, .time = "2026-11-23T02:00:00Z", .variant = "v", .device = "cpu"};
    head.cases = {head.binding};
    head.strategy = "model";
    head.objective = "time";
    const std::string tried = to_json(Tried{.configuration = {{"bx", 16}}, .objective = 1, .seconds = 1}).dump();
    ASSERT_TRUE(write_file_atomic(folder / "1.jsonl",
                                  to_json(head).dump() + "\n" + tried + "\ntorn\n" + tried + "\n{\"torn\n"));
    const Ran ran = tune({"--simulate", "1.jsonl", "--history", "1.jsonl", "--json"});
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    const std::string warning = "1.jsonl: lines that cannot be read are left out: 2; the first is line 3";
    EXPECT_THAT(ran.errors, HasSubstr(warning));
    EXPECT_EQ(ran.json()["warnings"], json::array({warning, warning}));
    EXPECT_THAT(tune({"--simulate", "1.jsonl"}).errors, HasSubstr(warning));
}

TEST_F(Simulate, TellsAPersonHowItWent) {
    const Ran ran = tune({"--simulate", "recorded.json", "--strategy", "exhaustive"});
    EXPECT_THAT(ran.output, HasSubstr("6 of 6 configurations, 2 failed"));
    EXPECT_THAT(ran.output, HasSubstr("1.000 of the optimum  bx=16 tx=1"));
}

TEST_F(Simulate, SaysWhatToDoAboutWrongInput) {
    EXPECT_THAT(tune({}).errors, HasSubstr("PROJECT is missing"));
    EXPECT_THAT(tune({"--simulate", "space.json"}).errors, HasSubstr("not the T1 file"));
    EXPECT_THAT(tune({"--simulate", "none.json"}).errors, HasSubstr("none.json"));
    EXPECT_THAT(tune({"--simulate", "recorded.json", "--strategy", "modle"}).errors, HasSubstr("did you mean `model`"));
    EXPECT_THAT(tune({"--simulate", "recorded.json", "--evaluations", "0"}).errors, HasSubstr("--evaluations"));
    EXPECT_EQ(tune({"--simulate", "recorded.json", "--space", "recorded.json"}).exit.status, 1);
}

}  // namespace
}  // namespace kernelgen
