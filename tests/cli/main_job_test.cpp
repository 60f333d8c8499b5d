// SPDX-License-Identifier: Apache-2.0
// The main job through the program, as a user does it.
#include <fstream>

#include "tests/cli/program.h"

namespace kernelgen {
namespace {

using nlohmann::json;
using testing::ProgramTest;
using testing::Ran;

class MainJob : public ProgramTest {};

TEST_F(MainJob, GoesFromABodyToALogInFourCommands) {
    const Ran made =
        kernelgen({"new", "scaled", "--name", "scaled", "--body", "out = x * sigmoid(1.702 * x) + residual", "--input",
                   "x:P,D", "--input", "residual:P,D", "--output", "out:P,D", "--case", "P=100,D=333,dtype=f32"});
    ASSERT_EQ(made.exit.status, 0) << made.errors;
    const Ran verified = kernelgen({"verify", "scaled", "--json"});
    ASSERT_EQ(verified.exit.status, 0) << verified.errors;
    EXPECT_EQ(verified.json()["status"], "ok");
    EXPECT_GT(verified.json()["checks"], 50);
    const Ran ran = kernelgen({"run", "scaled", "--note", "where we start", "--json"});
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    const json round = ran.json();
    EXPECT_EQ(round["status"], "ok");
    EXPECT_EQ(round["number"], 0);
    EXPECT_GT(round["cases"][0]["speedup"], 0);
    EXPECT_LE(round["cases"][0]["speedup_lower"], round["cases"][0]["speedup"]);
    const Ran exported = kernelgen({"export", "scaled"});
    ASSERT_EQ(exported.exit.status, 0) << exported.errors;
    const std::string log = read_file(folder / "scaled" / "optimization_log.md").value();
    EXPECT_NE(log.find("where we start"), std::string::npos);
    const Ran chinese = kernelgen({"export", "scaled", "--lang", "zh", "-o", "log_zh.md"});
    ASSERT_EQ(chinese.exit.status, 0) << chinese.errors;
    EXPECT_NE(read_file(folder / "log_zh.md").value().find("优化"), std::string::npos);
    const Ran document = kernelgen({"export", "scaled", "--definition", "-o", "definition.md"});
    EXPECT_EQ(document.exit.status, 0) << document.errors;
}

TEST_F(MainJob, RefusesAnOperatorThatIsUndefinedOnItsInputsUntilTheyHaveADomain) {
    const std::vector<std::string> command = {
        "new",     "kl",    "--name",   "kl",    "--body", "out = row_sum(x * log(x / y))", "--input", "x:P,D",
        "--input", "y:P,D", "--output", "out:P", "--case", "P=64,D=100,dtype=f32"};
    ASSERT_EQ(kernelgen(command).exit.status, 0);
    const Ran refused = kernelgen({"verify", "kl", "--json"});
    EXPECT_EQ(refused.json()["status"], "unavailable");
    EXPECT_NE(refused.json()["reason"].get<std::string>().find("`domain`"), std::string::npos) << refused.output;
    std::vector<std::string> bounded = command;
    bounded[1] = "bounded";
    bounded[7] += ":positive";
    bounded[9] += ":f32:0.1..10";
    const Ran made = kernelgen(bounded);
    ASSERT_EQ(made.exit.status, 0) << made.errors;
    EXPECT_EQ(kernelgen({"verify", "bounded"}).exit.status, 0) << kernelgen({"verify", "bounded"}).errors;
    EXPECT_NE(kernelgen({"info", "bounded"}).output.find("y[P, D] f32 in 0.1..10"), std::string::npos);
}

TEST_F(MainJob, ReplaysAStoryOfRoundsAndReturnsToOne) {
    const auto project = small_project();
    const Ran ran = kernelgen({"run", "small"});
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    EXPECT_TRUE(ran.output.ends_with("1 of 5 planned rounds spent\n")) << ran.output;
    ASSERT_EQ(
        kernelgen({"run", "small", "--set", "BLOCK_M=1", "--set", "BLOCK_N=64", "--note", "smaller tiles"}).exit.status,
        0);
    ASSERT_EQ(kernelgen({"note", "small", "1", "--worked", "less waste", "--failed", "overhead", "--next", "wider"})
                  .exit.status,
              0);
    const json rounds = kernelgen({"rounds", "small", "--json"}).json();
    ASSERT_EQ(rounds["rounds"].size(), 2u) << rounds;
    EXPECT_EQ(rounds["rounds"][1]["change"], "tunables");
    EXPECT_EQ(rounds["rounds"][1]["parent"], 0);
    EXPECT_EQ(rounds["rounds"][1]["configuration"]["BLOCK_N"], 64);
    EXPECT_EQ(rounds["rounds_spent"], 2);
    EXPECT_EQ(rounds["max_rounds"], 5);
    EXPECT_NE(kernelgen({"rounds", "small"}).output.find("2 of 5 planned rounds spent\n"), std::string::npos);
    const json first = kernelgen({"rounds", "small", "0", "--json"}).json();
    EXPECT_EQ(first["number"], 0) << first;
    EXPECT_GT(first["verification"]["builds"]["f32"]["resources"]["vector_loops"], 0) << first;
    const Ran second = kernelgen({"rounds", "small", "1"});
    EXPECT_NE(second.output.find("round 1: "), std::string::npos) << second.output;
    EXPECT_EQ(kernelgen({"rounds", "small", "2"}).exit.status, 1);
    ASSERT_EQ(kernelgen({"keep", "small", "1"}).exit.status, 0);
    const json kept = json::parse(read_file(project / "project.json").value());
    EXPECT_EQ(kept["variants"][0]["tunables"][0]["value"], 1) << kept;
    const Ran roofline = kernelgen({"roofline", "small", "--json"});
    ASSERT_EQ(roofline.exit.status, 0) << roofline.errors;
    ASSERT_EQ(kernelgen({"export", "small"}).exit.status, 0);
    EXPECT_NE(read_file(project / "optimization_log.md").value().find("less waste"), std::string::npos);
}

TEST_F(MainJob, DrivesAWorkerThatAnotherProcessCarries) {
    small_project();
    const Ran ran = kernelgen({"run", "small", "--json", "--no-counters", "--worker", "sh", "-c",
                               "echo a login banner; exec \"" + std::string(KERNELGEN_PROGRAM) + "\" worker"});
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    EXPECT_EQ(ran.json()["status"], "ok");
    EXPECT_EQ(ran.json()["timings"][0]["counters"]["reason"], "left out by --no-counters");
    const Ran dead = kernelgen({"run", "small", "--worker", "sh", "-c", "exit 3"});
    EXPECT_EQ(dead.exit.status, 4);
    EXPECT_FALSE(dead.errors.empty());
}

TEST_F(MainJob, TakesAKernelThatAPersonWrote) {
    const auto project = small_project();
    const Ran edited = kernelgen({"run", "small"});
    ASSERT_EQ(edited.exit.status, 0) << edited.errors;
    std::ofstream(project / "mine.cpp") << "#include <stdint.h>\nextern \"C\" void mine(const float* x, const float* "
                                           "bias, float* out, int64_t P, int64_t D,\n"
                                           "  int64_t pid0, int64_t pid1, int64_t pid2) {\n  for (int64_t d = 0; d < "
                                           "D; ++d) out[pid0 * D + d] = x[pid0 * D + d] + bias[d];\n}\n";
    change(project, [](nlohmann::ordered_json& document) {
        document["variants"].push_back({{"name", "mine"},
                                        {"language", "cpp"},
                                        {"source", "mine.cpp"},
                                        {"entry", "mine"},
                                        {"launch", {{"grid", {"P"}}, {"args", {"x", "bias", "out", "P", "D"}}}}});
    });
    const Ran ran = kernelgen({"run", "small", "--variant", "mine"});
    EXPECT_EQ(ran.exit.status, 0) << ran.errors << ran.output;
}

TEST_F(MainJob, KeepsAnEditedSourceUntilToldOtherwise) {
    const auto project = small_project();
    const std::string source = json::parse(read_file(project / "project.json").value())["variants"][0]["source"];
    const std::string text = read_file(project / source).value();
    ASSERT_TRUE(write_file_atomic(project / source, text + "// mine\n"));
    ASSERT_EQ(kernelgen({"generate", "small"}).exit.status, 0);
    EXPECT_EQ(read_file(project / source).value(), text + "// mine\n");
    ASSERT_EQ(kernelgen({"generate", "small", "--force"}).exit.status, 0);
    EXPECT_EQ(read_file(project / source).value(), text);
}

/// Copies of the sample projects, on small cases.
class Sample : public ProgramTest, public ::testing::WithParamInterface<const char*> {
protected:
    void SetUp() override {
        ProgramTest::SetUp();
        const std::filesystem::path source = std::filesystem::path(KERNELGEN_SOURCE_DIR) / "projects" / GetParam();
        std::filesystem::create_directory(folder / "sample");
        for (const auto& entry : std::filesystem::directory_iterator(source)) {
            if (entry.is_regular_file())
                std::filesystem::copy(entry.path(), folder / "sample" / entry.path().filename());
        }
        std::int64_t size = 37;
        const json project = json::parse(read_file(source / "project.json").value());
        if (std::string(project["operator"]["body"]).contains("conv2d")) sizes_ = ",N=2,C=5,H=9,W=19";
        else if (std::string(project["operator"]["body"]).contains("block_table"))
            sizes_ = ",B=2,H=4,Hk=2,N=3,P=5,S=7,T=9,D=24";
        else if (std::string(project["operator"]["body"]).contains("q_scale"))
            sizes_ = ",B=2,H=4,Hk=2,N=37,M=165,D=24,P=1,R=2";
        else if (std::string(project["operator"]["body"]).contains("attention"))
            sizes_ = ",B=2,H=4,Hk=2,N=37,M=65,D=24";
        else
            for (const std::string symbol : project["operator"]["symbols"])
                sizes_ += "," + symbol + "=" + std::to_string(size += 28);
        if (project["operator"]["name"] == "conv2d_bias_relu") sizes_ += ",O=7";
        change(folder / "sample",
               [](nlohmann::ordered_json& document) { document["performance"]["budget_seconds"] = 0.3; });
    }
    /// A command on the case of this dtype.
    Ran on_small_case(const std::string& command, const std::string& dtype) {
        return kernelgen({command, "sample", "--case", "dtype=" + dtype + sizes_, "--json"});
    }

private:
    std::string sizes_;
};

TEST_P(Sample, IsVerifiedOnASmallCase) {
    for (const char* dtype : {"f32", "bf16"}) {
        const Ran verified = on_small_case("verify", dtype);
        EXPECT_EQ(verified.exit.status, 0) << verified.errors << verified.output;
    }
}

class TimedSample : public Sample {};

TEST_P(TimedSample, RunsOnASmallCase) {
    const Ran ran = on_small_case("run", "f32");
    ASSERT_EQ(ran.exit.status, 0) << ran.errors << ran.output;
    EXPECT_EQ(ran.json()["status"], "ok");
}

const auto sample_name = [](const auto& each) { return std::string(each.param); };
INSTANTIATE_TEST_SUITE_P(Projects, Sample,
                         ::testing::Values("vector_add", "bias_add", "broadcast", "relu", "gelu", "silu", "softmax",
                                           "layer_norm", "rms_norm", "matmul", "linear_silu", "conv2d_bias_relu",
                                           "depthwise_conv2d", "batched_matmul", "gemv", "fp8_linear", "quantize",
                                           "attention", "attention_decode", "attention_backward"),
                         sample_name);
INSTANTIATE_TEST_SUITE_P(NightlyProjects, Sample,
                         ::testing::Values("attention_causal", "attention_window", "attention_paged", "attention_fp8"),
                         sample_name);
INSTANTIATE_TEST_SUITE_P(Projects, TimedSample, ::testing::Values("gelu", "softmax", "linear_silu"), sample_name);
INSTANTIATE_TEST_SUITE_P(NightlyProjects, TimedSample,
                         ::testing::Values("vector_add", "bias_add", "broadcast", "relu", "silu", "layer_norm",
                                           "rms_norm", "matmul", "conv2d_bias_relu", "depthwise_conv2d", "attention",
                                           "attention_causal", "attention_window"),
                         sample_name);

}  // namespace
}  // namespace kernelgen
