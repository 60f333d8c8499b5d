// SPDX-License-Identifier: Apache-2.0
// `kernelgen scale` on tensors, records and states of a person.
#include <gmock/gmock.h>

#include <cmath>

#include "core/verify/npy.h"
#include "tests/cli/program.h"

namespace kernelgen {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::Ran;

class Scale : public testing::ProgramTest {
protected:
    void tensor(const std::string& name, double deviation = 1, const std::vector<std::int64_t>& shape = {32, 64}) {
        std::vector<double> values(static_cast<std::size_t>(shape[0] * shape[1]));
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = deviation * std::sin(static_cast<double>(i) * 1.7) * std::exp(std::cos(static_cast<double>(i)));
        NpyWriter(folder / name, DType::f32, shape).append(std::span(values));
    }
    void text(const std::string& name, const std::string& content) {
        ASSERT_TRUE(write_file_atomic(folder / name, content));
    }
    Ran scale(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "scale");
        return kernelgen(arguments);
    }
};

TEST_F(Scale, TellsTheModesOfATensor) {
    tensor("w.npy");
    const Ran ran = scale({"w.npy"});
    EXPECT_EQ(ran.exit.status, 0) << ran.errors;
    EXPECT_THAT(ran.output, HasSubstr("w: f32 [32, 64], 2,048 elements"));
    EXPECT_THAT(ran.output, HasSubstr("Format: E4M3."));
    EXPECT_THAT(ran.output, HasSubstr("group of 32"));
    EXPECT_THAT(ran.output, HasSubstr("KL to Laplace"));
    EXPECT_THAT(ran.output, HasSubstr("do not divide the axis: groups of 128"));
    EXPECT_THAT(ran.output, HasSubstr("Share of the elements with a smaller error:"));
    EXPECT_THAT(ran.output, HasSubstr("█"));
}

TEST_F(Scale, TellsTheSameAsJsonAndMarkdown) {
    tensor("w.npy");
    const nlohmann::json told = scale({"w.npy", "--groups", "16,8", "--json"}).json();
    const nlohmann::json& tensor = told["layers"][0]["tensor"];
    EXPECT_EQ(tensor["modes"].size(), 4);
    EXPECT_EQ(tensor["modes"][2]["group"], 8);
    EXPECT_EQ(tensor["channel_scales"].size(), 64);
    EXPECT_EQ(tensor["group_choice"]["group"], 8);
    EXPECT_EQ(told["policy"][0]["precision"], "E4M3");
    EXPECT_GT(tensor["modes"][0]["snr_db"], 25);
    EXPECT_THAT(scale({"w.npy", "--markdown"}).output, HasSubstr("| scales | number |"));
}

TEST_F(Scale, TakesTheFormatThatIsAskedFor) {
    tensor("w.npy");
    const nlohmann::json told = scale({"w.npy", "--format", "e5m2", "--json"}).json();
    EXPECT_EQ(told["layers"][0]["format_reason"], "asked");
    EXPECT_EQ(told["layers"][0]["tensor"]["modes"][3]["format"], "E5M2");
    EXPECT_EQ(told["policy"][0]["precision"], "E5M2");
    EXPECT_EQ(scale({"w.npy", "--format", "fp8"}).exit.status, 1);
}

TEST_F(Scale, SaysItInChinese) {
    tensor("w.npy");
    text("a.csv", "name,amax\nq,1\nq,9\n");
    const Ran ran = scale({"w.npy", "x=w.npy", "a.csv", "--lang", "zh"});
    EXPECT_THAT(ran.output, HasSubstr("格式：E4M3"));
    EXPECT_THAT(ran.output, HasSubstr("精度策略"));
    EXPECT_THAT(ran.output, Not(::testing::ContainsRegex("[a-z]+ [a-z]+ [a-z]+ [a-z]+")));
    EXPECT_THAT(scale({"none.npy", "--lang", "zh"}).errors, HasSubstr("无法读取"));
    EXPECT_THAT(scale({"w.npy", "--margin", "0", "--lang", "zh"}).errors, HasSubstr("不是有效的余量"));
}

TEST_F(Scale, TellsWhichRecordedStepsAreClippedOrJump) {
    text("a.csv", "step,name,amax\n1,q,1\n2,q,1\n3,q,1\n4,q,1\n5,q,1.5\n6,q,1\n7,q,50\n");
    const Ran ran = scale({"a.csv"});
    EXPECT_EQ(ran.exit.status, 0) << ran.errors;
    EXPECT_THAT(ran.output, HasSubstr("2 of 6 steps clipped (33.3 %), 1 anomalies"));
    EXPECT_THAT(ran.output, HasSubstr("with a margin of 1.50 no step but the anomalies would have been clipped"));
    EXPECT_THAT(ran.output, HasSubstr("clipped, anomaly"));
    EXPECT_THAT(scale({"a.csv", "--margin", "60"}).output, HasSubstr("0 of 6 steps clipped"));
}

TEST_F(Scale, KeepsAStateFromCallToCall) {
    tensor("1.npy");
    tensor("2.npy", 3);
    EXPECT_EQ(scale({"x=1.npy", "--state", "s.json"}).exit.status, 0);
    const std::string kept = read_file(folder / "s.json").value();
    EXPECT_THAT(kept, HasSubstr("\"scaling_state\": 1"));
    const nlohmann::json told = scale({"x=2.npy", "--state", "s.json", "--json"}).json();
    EXPECT_EQ(told["layers"][0]["delayed"]["clipped"], 1);
    EXPECT_NE(read_file(folder / "s.json").value(), kept);
}

TEST_F(Scale, LeavesTheStateAsItWasWhereItFails) {
    tensor("1.npy");
    scale({"x=1.npy", "--state", "s.json"});
    const std::string kept = read_file(folder / "s.json").value();
    EXPECT_EQ(scale({"x=1.npy", "x=none.npy", "--state", "s.json"}).exit.status, 1);
    EXPECT_EQ(read_file(folder / "s.json").value(), kept);
    text("s.json", R"({"scaling_state": 9, "tensors": {}})");
    const Ran refused = scale({"x=1.npy", "--state", "s.json"});
    EXPECT_EQ(refused.exit.status, 1);
    EXPECT_THAT(refused.errors, HasSubstr("this is version 9 of the state"));
}

TEST_F(Scale, GivesEachLayerAPrecision) {
    tensor("mlp.npy");
    tensor("lm_head.npy");
    text("e.jsonl", "{\"name\": \"bad\", \"relative_error\": 0.3}\n");
    const nlohmann::json told = scale({"mlp.npy", "lm_head.npy", "e.jsonl", "--json"}).json();
    EXPECT_EQ(told["policy"][0]["precision"], "E4M3");
    EXPECT_EQ(told["policy"][1]["reason"], "critical");
    EXPECT_EQ(told["policy"][2]["precision"], "FP16");
    EXPECT_TRUE(told["accumulated"]["in_fp8"]["exceeds_whole"]);
    const nlohmann::json none = scale({"lm_head.npy", "--critical", "", "--json"}).json();
    EXPECT_EQ(none["policy"][0]["precision"], "E4M3");
}

TEST_F(Scale, RefusesBadInputsAsWrongUsage) {
    tensor("w.npy");
    text("torn.npy", read_file(folder / "w.npy").value().substr(0, 500));
    text("torn.jsonl", "{\"name\": \"x\", \"amax\": ");
    const std::pair<std::vector<std::string>, const char*> cases[] = {
        {{"torn.npy"}, "torn.npy is damaged"},
        {{"torn.jsonl"}, "torn.jsonl: line 1"},
        {{"w.npy", "--axis", "4"}, "no axis 4: the tensor has 2 dimensions"},
        {{"w.npy", "--groups", "7"}, "none of the groups (7) divides the 64 elements"},
        {{"w.npy", "--groups", "0"}, "--groups: 0 is no group size"},
        {{"w.npy", "--smoothing", "1"}, "--smoothing: 1 is no share"},
        {{"w.npy", "--margin", "nan"}, "--margin"},
        {{"w.npy", "--clip-target", "2"}, "--clip-target: 2 is no share of elements"},
        {{}, "FILE"}};
    for (const auto& [arguments, message] : cases) {
        const Ran ran = scale(arguments);
        EXPECT_EQ(ran.exit.status, 1) << message;
        EXPECT_THAT(ran.errors, HasSubstr(message));
    }
}

}  // namespace
}  // namespace kernelgen
