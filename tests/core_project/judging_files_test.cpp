// SPDX-License-Identifier: Apache-2.0
// Which files the author of a judged kernel may edit.
#include "core/project/judging_files.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <fstream>

#include "tests/core_project/example.h"

namespace kernelgen {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

/// The example with a baseline of C++ beside the candidate `host`.
class JudgingFiles : public ::testing::Test {
protected:
    JudgingFiles() {
        folder_ = fs::temp_directory_path() / ("kernelgen-judges-" + std::to_string(::getpid()));
        fs::remove_all(folder_);
        fs::create_directories(folder_ / "project");
        project_ = example_project();
        project_.folder = folder_ / "project";
        Variant baseline = project_.variants[0];
        baseline.name = "naive";
        baseline.source = "naive.cpp";
        project_.variants.push_back(baseline);
        project_.performance.baseline = {{"", "naive"}};
        file("bias_add.cpp", "#include \"helper.h\"\n#include \"common.h\"\n");
        file("helper.h", "");
        file("common.h", "");
        file("naive.cpp", "#include \"common.h\"\n#include \"kernelgen/dtypes.h\"\n");
        file("notes.txt", "");
    }
    ~JudgingFiles() override { fs::remove_all(folder_); }

    void file(const std::string& path, const std::string& text) { std::ofstream(project_.folder / path) << text; }
    std::string problem(const std::string& file, const std::string& text = "int x;") const {
        return edit_problem(project_, file, text).value_or("");
    }

    fs::path folder_;
    Project project_;
};

TEST_F(JudgingFiles, LetTheCandidatesFilesBeEdited) {
    EXPECT_EQ(problem("bias_add.cpp"), "");
    EXPECT_EQ(problem("./helper.h"), "");
}

TEST_F(JudgingFiles, LetNewSourcesBeMade) { EXPECT_EQ(problem("parts/new.h"), ""); }

TEST_F(JudgingFiles, AreTheBaselineAndWhatItIncludes) {
    EXPECT_THAT(problem("naive.cpp"), HasSubstr("`naive` is the baseline"));
    EXPECT_THAT(problem("common.h"), HasSubstr("`naive` is the baseline"));
}

TEST_F(JudgingFiles, AreNotShadowedByANewFile) {
    EXPECT_THAT(problem("kernelgen/dtypes.h"), HasSubstr("`naive` is the baseline"));
}

TEST_F(JudgingFiles, AreTheDefinitionAndWhatItImports) {
    project_.definition.file = "definition.py";
    file("definition.py", "import torch\nimport shared\n");
    file("shared.py", "");
    EXPECT_THAT(problem("definition.py"), HasSubstr("it defines the operator"));
    EXPECT_THAT(problem("shared.py"), HasSubstr("it defines the operator"));
    EXPECT_THAT(problem("torch.py"), HasSubstr("it defines the operator"));
}

TEST_F(JudgingFiles, AreTheReferenceOfAProjectWithoutBody) {
    project_.performance.baseline.clear();
    project_.definition.reference = "naive";
    EXPECT_THAT(problem("naive.cpp"), HasSubstr("`naive` is the reference"));
}

TEST_F(JudgingFiles, KeepTheProjectsOwnFilesFromBeingEdited) {
    for (const char* each : {"project.json", "history.jsonl", "rounds/0/result.json", "optimization_log.md"})
        EXPECT_THAT(problem(each), HasSubstr("is one of the project's own files")) << each;
}

TEST_F(JudgingFiles, LetNothingOutsideTheFolderBeEdited) {
    EXPECT_THAT(problem("../outside.h"), HasSubstr("leaves the project's folder"));
    EXPECT_THAT(problem((folder_ / "outside.h").string()), HasSubstr("is absolute"));
    fs::create_symlink(folder_, project_.folder / "link");
    EXPECT_THAT(problem("link/outside.h"), HasSubstr("leads out of the project's folder"));
}

TEST_F(JudgingFiles, LetNoOtherFilesBeEdited) {
    EXPECT_THAT(problem("notes.txt"), HasSubstr("is no source of a variant"));
    EXPECT_THAT(problem("new.sh"), HasSubstr("is no source by its name"));
}

TEST_F(JudgingFiles, LetNoHugeFileBeMade) {
    EXPECT_THAT(problem("bias_add.cpp", std::string(5 << 20, ' ')), HasSubstr("4 MiB"));
}

}  // namespace
}  // namespace kernelgen
