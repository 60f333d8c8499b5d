// SPDX-License-Identifier: Apache-2.0
// `kernelgen optimize`, `run --apply` and `patterns` on a real kernel and on what a user types wrong.
#include <gmock/gmock.h>

#include "core/strategy/pattern_file.h"
#include "tests/cli/program.h"

namespace kernelgen {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class OptimizeCommand : public testing::ProgramTest {
protected:
    testing::Ran optimize(const std::vector<std::string>& arguments) {
        std::vector<std::string> all = {"optimize", "small"};
        all.insert(all.end(), arguments.begin(), arguments.end());
        return kernelgen(all, own);
    }

    void SetUp() override {
        ProgramTest::SetUp();
        own["XDG_DATA_HOME"] = (folder / "data").string();
    }

    std::map<std::string, std::string> own;  ///< environment
};

TEST_F(OptimizeCommand, RefusesWhatCannotBe) {
    small_project();
    EXPECT_THAT(optimize({"--rounds", "0"}).errors, HasSubstr("--rounds"));
    EXPECT_THAT(optimize({"--target", "-1"}).errors, HasSubstr("--target"));
    EXPECT_THAT(optimize({"--budget", "soon"}).errors, HasSubstr("--budget"));
    EXPECT_THAT(optimize({"--dry-run"}).errors,
                AllOf(HasSubstr("make one: `kernelgen run "), HasSubstr(" --device cpu`")));
    EXPECT_THAT(kernelgen({"run", "small", "--dry-run"}, own).errors, HasSubstr("--apply larger_tile"));
    EXPECT_THAT(kernelgen({"run", "small", "--apply", "larger_tile"}, own).errors,
                AllOf(HasSubstr("make one: `kernelgen run "), HasSubstr(" --device cpu`")));
}

TEST_F(OptimizeCommand, PrintsCommandsForTheVariantAndDeviceThatWereAskedFor) {
    const testing::Ran listed = kernelgen({"optimize", std::string(KERNELGEN_SOURCE_DIR) + "/projects/bias_add",
                                           "--variant", "cuda", "--device", "cuda:0", "--dry-run"},
                                          own);
    EXPECT_THAT(listed.output, HasSubstr("/bias_add --variant cuda --device cuda:0 --apply 'tune: BLOCK_M"))
        << listed.errors;
}

TEST_F(OptimizeCommand, PrintsPatternsOfOthersWithoutWhatATerminalObeys) {
    Pattern pattern{.key = {.strategy = "tune",
                            .finding = "unexplained",
                            .operator_class = "rows",
                            .dtype = "f32",
                            .shape_class = "large, long rows",
                            .device = "\x1b[31ma CPU",
                            .kind = "cpu"}};
    pattern.note = "one\ntwo";
    add_gain(pattern, 1.5);
    ASSERT_TRUE(write_file_atomic(folder / "theirs.jsonl", pattern_lines(std::vector{pattern})));
    ASSERT_EQ(kernelgen({"patterns", "import", "theirs.jsonl"}, own).exit.status, 0);
    const testing::Ran listed = kernelgen({"patterns"}, own);
    EXPECT_THAT(listed.output, ::testing::Not(HasSubstr("\x1b")));
    EXPECT_THAT(listed.output, HasSubstr("one two"));
}

class NightlyOptimize : public OptimizeCommand {};

/// Measuring the ceilings of a machine takes longer than this budget: it begins afterwards.
TEST_F(NightlyOptimize, ItsBudgetIsNotSpentOnCeilings) {
    small_project();
    own["XDG_CACHE_HOME"] = (folder / "new cache").string();
    const testing::Ran ran = optimize({"--variant", "naive", "--budget", "10s", "--target", "1000", "--json"});
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    EXPECT_FALSE(ran.json()["rounds"].empty()) << ran.json()["reason"];
}

/// The kernel edits its own source while it is verified, as a person could do meanwhile.
TEST_F(OptimizeCommand, KeepsNothingOverWhatWasEditedMeanwhile) {
    const auto project = small_project();
    const std::string source = (project / "small.cpp").string();
    const std::string editor = "#include <fstream>\nstatic const bool edited = [] { std::ofstream(\"" + source +
                               "\", std::ios::app) << \"// mine\\n\"; return true; }();\n";
    ASSERT_TRUE(write_file_atomic(source, editor + read_file(source).value()));
    const testing::Ran ran = optimize({"--variant", "host", "--target", "0.001", "--keep"});
    EXPECT_THAT(ran.errors, HasSubstr("not kept: `host` was edited meanwhile; `kernelgen keep"));
    EXPECT_EQ(ran.exit.status, 1) << ran.output;
    EXPECT_THAT(read_file(source).value(), HasSubstr("// mine"));
}

TEST_F(OptimizeCommand, ListsImportsExportsAndRemovesPatterns) {
    Pattern pattern{.key = {.strategy = "tune",
                            .finding = "unexplained",
                            .operator_class = "rows",
                            .dtype = "f32",
                            .shape_class = "large, long rows",
                            .device = "a CPU",
                            .kind = "cpu"}};
    add_gain(pattern, 1.5);
    add_gain(pattern, 1.6);
    ASSERT_TRUE(write_file_atomic(folder / "theirs.jsonl", pattern_lines(std::vector{pattern})));
    EXPECT_THAT(kernelgen({"patterns", "import", "theirs.jsonl"}, own).output, HasSubstr("imported 1 patterns"));
    const testing::Ran listed = kernelgen({"patterns", "--json"}, own);
    EXPECT_THAT(listed.output, HasSubstr(pattern.id()));
    EXPECT_THAT(kernelgen({"patterns"}, own).output, HasSubstr("1.549×"));
    EXPECT_EQ(kernelgen({"patterns", "export", "mine.jsonl", "--json"}, own).json()["exported"], 0);
    EXPECT_EQ(kernelgen({"patterns", "remove", pattern.id()}, own).exit.status, 0);
    EXPECT_THAT(kernelgen({"patterns", "remove", pattern.id()}, own).errors, HasSubstr("no pattern has the id"));
    EXPECT_EQ(kernelgen({"patterns", "import"}, own).exit.status, 1);
    EXPECT_THAT(kernelgen({"patterns", "list", "tune"}, own).errors, HasSubstr("`tune` means nothing here"));
    EXPECT_THAT(kernelgen({"patterns", "remove", "3f0a", "--from", "small"}, own).errors,
                HasSubstr("`--from` means nothing here"));
    EXPECT_EQ(kernelgen({"patterns", "import", "missing.jsonl"}, own).exit.status, 1);
}

/// A real round, a real search and the log of both.
TEST_F(NightlyOptimize, MakesRoundsFromTheNaiveLoop) {
    const std::filesystem::path project = small_project("out = exp(x) * sigmoid(x) + bias");
    change(project, [](nlohmann::ordered_json& document) {
        document["cases"] = {{{"name", "timed"}, {"dtype", "f32"}, {"P", 512}, {"D", 1024}}};
        document["performance"]["baseline"] = "naive";
    });
    const testing::Ran ran =
        optimize({"--variant", "naive", "--rounds", "2", "--target", "1000", "--budget", "40s", "--json"});
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    const nlohmann::json found = ran.json();
    ASSERT_FALSE(found["rounds"].empty());
    EXPECT_EQ(found["rounds"][0]["applied"]["strategy"], "another_skeleton");
    EXPECT_GT(found["rounds"][0]["applied"]["gain"]["likely"], 1.0);
    const testing::Ran kept = kernelgen({"keep", "small", std::to_string(found["best"].get<int>())}, own);
    EXPECT_EQ(kept.exit.status, 0) << kept.errors;
    EXPECT_EQ(kernelgen({"export", "small"}, own).exit.status, 0);
    EXPECT_THAT(read_file(project / "optimization_log.md").value(), HasSubstr("(found by the optimization)"));
    EXPECT_THAT(kernelgen({"patterns"}, own).output, HasSubstr("another_skeleton"));
}

}  // namespace
}  // namespace kernelgen
