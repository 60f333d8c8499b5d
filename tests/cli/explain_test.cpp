// SPDX-License-Identifier: Apache-2.0
// A wrong kernel through the program: why it is wrong, in text and JSON, in the round and in the log; and its call
// alone.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "tests/cli/program.h"

namespace kernelgen {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::ProgramTest;
using testing::Ran;

/// `small` stores the bias and never adds x, as the definition says it should.
class Explain : public ProgramTest {
protected:
    void SetUp() override {
        ProgramTest::SetUp();
        project = small_project();
        write(R"(#include <stdint.h>
extern "C" void small(const DTYPE* x, const DTYPE* bias, DTYPE* out, int64_t P, int64_t D, int64_t pid0, int64_t pid1,
                      int64_t) {
    const int64_t rows = BLOCK_M * ((256 + D - 1) / D);
    for (int64_t p = pid0 * rows; p < P && p < (pid0 + 1) * rows; ++p)
        for (int64_t d = pid1 * BLOCK_N; d < D && d < (pid1 + 1) * BLOCK_N; ++d)
            out[p * D + d] = bias[d];
}
)");
    }
    void write(const std::string& source) { ASSERT_TRUE(write_file_atomic(project / "small.cpp", source)); }

    std::filesystem::path project;
};

TEST_F(Explain, NamesTheCauseTheLineAndTheSmallestSizes) {
    const Ran text = kernelgen({"verify", "small", "--explain"});
    EXPECT_EQ(text.exit.status, 3);
    EXPECT_THAT(text.output, HasSubstr("1. `x` is left out: the results are those of `bias` in place of `x + bias`"));
    EXPECT_THAT(text.output, HasSubstr("small.cpp:7  out[p * D + d] = bias[d];"));
    EXPECT_THAT(text.output, HasSubstr("smallest failing: P=1, D=1"));
    EXPECT_THAT(text.output, HasSubstr("all 19200 elements of `out` are wrong"));

    const json document = kernelgen({"verify", "small", "--explain", "--json"}).json();
    const json& explanation = document["explanation"];
    EXPECT_EQ(explanation["causes"][0]["kind"], "missing_term");
    EXPECT_EQ(explanation["causes"][0]["places"][0]["line"], 7);
    EXPECT_EQ(explanation["maps"][0]["output"], "out");
}

/// softmax in two launches, with a workspace that has the name of a value of the body.
class ExplainLaunches : public ProgramTest {
protected:
    void SetUp() override {
        ProgramTest::SetUp();
        std::filesystem::create_directories(folder / "parts");
        ASSERT_TRUE(write_file_atomic(folder / "parts/project.json", R"json({
"schema": "kernelgen.project/1",
"operator": {"name": "parts", "symbols": ["P", "D"], "inputs": [{"name": "x", "shape": ["P", "D"]}],
             "outputs": [{"name": "out", "shape": ["P", "D"]}],
             "body": "m = row_max(x); e = exp(x - m); out = e / row_sum(e)"},
"cases": [{"name": "case", "dtype": "f32", "P": 30, "D": 70}],
"variants": [{"name": "two", "language": "cpp", "source": "parts.cpp", "entry": "maxima",
              "workspace": [{"name": "m", "shape": ["P"]}],
              "launches": [{"grid": ["P"], "args": ["x", "m", "P", "D"]},
                           {"entry": "divide", "grid": ["P"], "args": ["x", "m", "out", "P", "D"]}]}]})json"));
    }
    void write(const std::string& maximum, const std::string& result) {
        const std::string text = R"code(#include <cmath>
#include <stdint.h>
extern "C" void maxima(const float* x, float* m, int64_t P, int64_t D, int64_t p, int64_t, int64_t) {
    float most = x[p * D];
    for (int64_t d = 0; d < D; ++d) most = x[p * D + d] < most ? most : x[p * D + d];
    m[p] = MAXIMUM;
}
extern "C" void divide(const float* x, float* m, float* out, int64_t P, int64_t D, int64_t p, int64_t, int64_t) {
    double sum = 0;
    for (int64_t d = 0; d < D; ++d) sum += std::exp(double(x[p * D + d]) - m[p]);
    for (int64_t d = 0; d < D; ++d) out[p * D + d] = RESULT;
}
)code";
        const std::string changed = replaced(replaced(text, "MAXIMUM", maximum), "RESULT", result);
        ASSERT_TRUE(write_file_atomic(folder / "parts/parts.cpp", changed));
    }

private:
    static std::string replaced(std::string text, const std::string& from, const std::string& to) {
        return text.replace(text.find(from), from.size(), to);
    }
};

TEST_F(ExplainLaunches, NamesTheFirstWorkspaceThatIsWrong) {
    write("most - 1", "std::exp(double(x[p * D + d]) - m[p] - 1) / sum");
    const Ran text = kernelgen({"verify", "parts", "--explain"});
    EXPECT_EQ(text.exit.status, 3);
    EXPECT_THAT(text.output,
                HasSubstr("after launch 1, `maxima`, the workspace `m` does not hold the definition's `m` (75 %)"));
    EXPECT_THAT(text.output, HasSubstr("parts.cpp:6  m[p] = most - 1;"));
    const json document = kernelgen({"verify", "parts", "--explain", "--json"}).json();
    const json& causes = document["explanation"]["causes"];
    EXPECT_TRUE(std::ranges::any_of(causes, [](const json& each) { return each["kind"] == "wrong_workspace"; }));
}

TEST_F(ExplainLaunches, SaysAfterWhichLaunchAllIsStillRight) {
    write("most", "2 * std::exp(double(x[p * D + d]) - m[p]) / sum");
    const Ran text = kernelgen({"verify", "parts", "--explain"});
    EXPECT_EQ(text.exit.status, 3);
    EXPECT_THAT(text.output,
                HasSubstr("the workspace `m` is right after launch 1, `maxima`: what is wrong comes later"));
    EXPECT_THAT(text.output, Not(HasSubstr("does not hold")));
}

TEST_F(Explain, IsInTheRoundAndInTheLog) {
    const Ran run = kernelgen({"run", "small"});
    EXPECT_EQ(run.exit.status, 3);
    EXPECT_THAT(run.output, HasSubstr("likely: `x` is left out"));
    EXPECT_THAT(run.output, HasSubstr("--explain"));
    EXPECT_THAT(kernelgen({"rounds", "small", "0"}).output, HasSubstr("1. `x` is left out"));
    EXPECT_EQ(kernelgen({"rounds", "small", "0", "--json"}).json()["explanation"]["causes"][0]["kind"], "missing_term");
    ASSERT_EQ(kernelgen({"export", "small", "--lang", "zh"}).exit.status, 0);
    EXPECT_THAT(read_file(project / "optimization_log.md").value(), HasSubstr("遗漏了 `x`"));

    EXPECT_THAT(kernelgen({"repro", "small", "0", "--variant", "naive"}).errors, HasSubstr("round 0 is of `host`"));
    EXPECT_THAT(kernelgen({"repro", "small", "0", "--set", "BLOCK_M=1"}).errors, HasSubstr("the values that it had"));
    const Ran again = kernelgen({"repro", "small", "0", "--json"});
    EXPECT_EQ(again.exit.status, 3) << again.errors;
    EXPECT_THAT(again.json()["output"].get<std::string>(), HasSubstr("mismatch: "));
    EXPECT_EQ(again.json()["set"], "normal");
}

TEST_F(Explain, TriesTheSizesOfTheProjectsCases) {
    change(project, [](nlohmann::ordered_json& document) { document["cases"][0]["D"] = 256; });
    write(R"(#include <stdint.h>
extern "C" void small(const DTYPE* x, const DTYPE* bias, DTYPE* out, int64_t P, int64_t D, int64_t pid0, int64_t pid1,
                      int64_t) {
    const int64_t rows = BLOCK_M * ((256 + D - 1) / D);
    for (int64_t p = pid0 * rows; p < P && p < (pid0 + 1) * rows; ++p)
        for (int64_t d = pid1 * BLOCK_N; d < D && d < (pid1 + 1) * BLOCK_N; ++d)
            out[p * D + d] = x[p * D + d] + bias[d] + (P == 64 && D == 256 ? 0 : 1);
}
)");
    const Ran wrong = kernelgen({"verify", "small", "--explain", "--json"});
    const json explanation = wrong.json()["explanation"];
    const int tried = explanation["sizes_tried"], failed = explanation["sizes_failed"];
    if (tried == 0) GTEST_SKIP() << "the machine is too busy to try sizes within the time";
    EXPECT_EQ(failed, tried - 1) << wrong.output;
}

TEST_F(Explain, ReplaysARoundWithTheDefinitionThatItHad) {
    ASSERT_EQ(kernelgen({"run", "small"}).exit.status, 3);
    change(project, [](nlohmann::ordered_json& document) {  // what the kernel of the round does is right now
        document["operator"]["body"] = "out = x * 0 + bias";
        document["cases"][0]["P"] = 3;
    });
    std::filesystem::rename(project / "small.cpp", project / "gone.cpp");
    const Ran again = kernelgen({"repro", "small", "0", "--json"});
    EXPECT_EQ(again.exit.status, 3) << again.output << again.errors;
    EXPECT_NE(again.json()["case"]["P"], 3);
}

TEST_F(Explain, IsNotThereForARightKernel) {
    std::string source = read_file(project / "small.cpp").value();
    source.replace(source.find("= bias[d]"), 9, "= x[p * D + d] + bias[d]");
    write(source);
    const Ran right = kernelgen({"verify", "small", "--explain", "--json"});
    EXPECT_EQ(right.exit.status, 0);
    EXPECT_FALSE(right.json().contains("explanation"));
    EXPECT_EQ(kernelgen({"repro", "small", "--inputs", "nan", "--seed", "2"}).exit.status, 0);
}

/// The reference of a body with a contraction or an attention is computed for the call, too.
TEST_F(ProgramTest, ReproFindsRightContractionsRight) {
    const auto is_found_right = [&](const std::vector<std::string>& definition) {
        std::vector<std::string> words = {"new", "one", "--name", "one", "--body"};
        std::ranges::copy(definition, std::back_inserter(words));
        const Ran made = kernelgen(words);
        ASSERT_EQ(made.exit.status, 0) << made.errors;
        const Ran ran = kernelgen({"repro", "one", "--variant", "naive"});
        EXPECT_EQ(ran.exit.status, 0) << ran.output << ran.errors;
        std::filesystem::remove_all(folder / "one");
    };
    is_found_right({"out = a @ b", "--input", "a:M,K", "--input", "b:K,N", "--output", "out:M,N", "--case",
                    "M=33,N=17,K=65,dtype=f32"});
    is_found_right({"out = attention(q, k, v, causal=1)", "--input", "q:B,H,S,D", "--input", "k:B,H,S,D", "--input",
                    "v:B,H,S,D", "--output", "out:B,H,S,D", "--case", "B=1,H=2,S=33,D=16,dtype=f16"});
}

TEST_F(Explain, LeavesNoProcessOfAReplayedKernelBehind) {
    std::string source = read_file(project / "small.cpp").value();
    source.replace(source.find("extern"), 0, "#include <sys/prctl.h>\n#include <unistd.h>\n");
    source.replace(source.find('{') + 1, 0, R"(
    if (fork() == 0) {
        setsid();
        prctl(PR_SET_NAME, "left_behind");
        for (;;) pause();
    })");
    write(source);
    const auto left_behind = [] {
        return std::ranges::count_if(std::filesystem::directory_iterator("/proc"), [](const auto& process) {
            return read_file(process.path() / "comm").value_or("").starts_with("left_behind");
        });
    };
    ASSERT_EQ(left_behind(), 0);
    EXPECT_EQ(kernelgen({"repro", "small"}).exit.status, 3);
    EXPECT_EQ(left_behind(), 0);
}

TEST_F(Explain, TellsWhatACompilersErrorMeans) {
    write("extern \"C\" void small() { int a = BLOCK_K; }\n");
    const Ran built = kernelgen({"build", "small"});
    EXPECT_THAT(built.output, HasSubstr("why: a name is used that nothing defines: `BLOCK_K`"));
    EXPECT_THAT(built.output, HasSubstr("what to do: "));
}

TEST_F(Explain, SaysWhatIsMissingForAReplay) {
    EXPECT_THAT(kernelgen({"repro", "small", "--inputs", "magic"}).errors, HasSubstr("no set of inputs"));
    EXPECT_THAT(kernelgen({"repro", "small", "--guard", "middle"}).errors, HasSubstr("none of none, end, start"));
    EXPECT_THAT(kernelgen({"repro", "small", "7"}).errors, HasSubstr("7"));
    EXPECT_THAT(kernelgen({"repro", "small", "--compute-sanitizer"}).errors, HasSubstr("CUDA kernels"));
    const std::filesystem::path tools = folder / "tools";  // a shell and a compiler, and no debugger
    std::filesystem::create_directory(tools);
    for (const char* each : {"sh", "g++", "as", "ld"})
        std::filesystem::create_symlink("/usr/bin/" + std::string(each), tools / each);
    EXPECT_THAT(kernelgen({"repro", "small", "--gdb"}, {{"PATH", tools.string()}}).errors, HasSubstr("install it"));
}

/// The debugger here only prints how it was started.
TEST_F(Explain, PrintsACommandThatStartsTheDebuggerAgain) {
    const std::filesystem::path debugger = folder / "tools" / "gdb";
    std::filesystem::create_directory(debugger.parent_path());
    ASSERT_TRUE(write_file_atomic(debugger, "#!/bin/sh\necho started: \"$@\"\nexit 3\n"));
    std::filesystem::permissions(debugger, std::filesystem::perms::owner_all);
    const std::string path = debugger.parent_path().string() + ":/usr/bin:/bin";
    const Ran ran = kernelgen({"repro", "small", "--gdb"}, {{"PATH", path}});
    EXPECT_THAT(ran.output, HasSubstr("again: gdb -q -batch -ex 'set breakpoint pending on'"));
    EXPECT_THAT(ran.output, HasSubstr("-ex quit $_isvoid($_exitcode) ? 4 : $_exitcode --args"));
    EXPECT_EQ(ran.exit.status, 3);
}

}  // namespace
}  // namespace kernelgen
