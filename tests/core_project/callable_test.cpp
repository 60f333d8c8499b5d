// SPDX-License-Identifier: Apache-2.0
// Projects whose operator is defined by a Python file.
#include <gmock/gmock.h>

#include "core/project/project_file.h"

namespace kernelgen {
namespace {

using testing::HasSubstr;

std::string project_with(const std::string& definition, const std::string& variant = "") {
    return R"({"schema": "kernelgen.project/1", "operator": {"name": "relu", "family": "callable", )" + definition +
           R"(}, "cases": [{"name": "default", "dtype": "f32"}], "variants": [{"name": "mine", )" +
           (variant.empty() ? R"("language": "torch", "source": "mine.py", "entry": "ModelNew")" : variant) + "}]}";
}

std::string errors_of_callable(const std::string& text) {
    const Validated<Project> project = parse_project(text, "project.json");
    return project ? "" : to_string(project.error());
}

TEST(CallableProject, NeedsADefinitionAndNoTensors) {
    const Validated<Project> project = parse_project(project_with(R"("definition": "definition.py")"), "project.json");
    ASSERT_TRUE(project) << to_string(project.error());
    EXPECT_EQ(project->definition.family, Family::callable);
    EXPECT_EQ(project->definition.file, "definition.py");
}

TEST(CallableProject, IsWrittenAsItWasRead) {
    const std::string text = project_with(R"("definition": "definition.py", "symbols": [])");
    const Validated<Project> project = parse_project(text, "project.json");
    ASSERT_TRUE(project) << to_string(project.error());
    const Validated<Project> again = parse_project(project_text(*project), "project.json");
    ASSERT_TRUE(again) << to_string(again.error());
    EXPECT_EQ(*project, *again);
    EXPECT_THAT(project_text(*project), Not(HasSubstr("inputs")));
}

TEST(CallableProject, WithoutADefinitionSaysWhichKeyIsMissing) {
    EXPECT_THAT(errors_of_callable(project_with(R"("description": "none")")),
                HasSubstr("the key `definition` is missing"));
}

TEST(CallableProject, RefusesWhatItsFileSays) {
    const std::string errors =
        errors_of_callable(project_with(R"("definition": "definition.py", "body": "out = x", "reference": "mine")"));
    EXPECT_THAT(errors, HasSubstr("family `callable` has no `body`: its Python file says it"));
    EXPECT_THAT(errors, HasSubstr("family `callable` has no `reference`"));
}

TEST(CallableProject, RefusesADefinitionThatLeavesTheFolderOrIsNoPythonFile) {
    EXPECT_THAT(errors_of_callable(project_with(R"("definition": "../definition.py")")),
                HasSubstr("operator.definition"));
    EXPECT_THAT(errors_of_callable(project_with(R"("definition": "definition.txt")")), HasSubstr("is no Python file"));
}

struct RefusedExtension {
    const char *keys, *reason;
};

TEST(CallableProject, RefusesAnExtensionThatCannotBeBuilt) {
    const std::string definition = R"("definition": "definition.py")";
    const std::string right =
        R"("language": "extension", "source": "mine.cu", "entry": "mine::relu", "flags": ["-lm"])";
    EXPECT_EQ(errors_of_callable(project_with(definition, right)), "");
    const RefusedExtension all[] = {
        {R"("source": "mine.py", "entry": "f")", "`mine.py` is no file of C++ or CUDA C++"},
        {R"("source": "mine.cu", "entry": "f", "interface": "plane")", "unknown interface `plane`"},
        {R"("source": "mine.cu", "entry": "f x")", "`f x` is no identifier"},
        {R"("source": "mine.cu")", "`` is empty"},
        {R"("source": "mine.cu", "entry": "f", "flags": ["-ffast-math"])", "is refused"},
        {R"("source": "mine.cu", "entry": "f", "compile": true)", "has no meaning for language `extension`"},
        {R"("source": "mine.cu", "entry": "f", "launch": {"grid": [1], "args": []})", "has no launches"},
    };
    for (const RefusedExtension& each : all) {
        EXPECT_THAT(
            errors_of_callable(project_with(definition, std::string(R"("language": "extension", )") + each.keys)),
            HasSubstr(each.reason));
    }
    EXPECT_THAT(errors_of_callable(project_with(definition, R"("language": "torch", "source": "a.py", "entry": "f",
                                                      "interface": "plain")")),
                HasSubstr("has no meaning for language `torch`"));
}

TEST(CallableProject, RunsCudaSourcesOnAGpuOnly) {
    Variant variant{.name = "mine", .language = Language::extension, .source = "mine.cpp"};
    EXPECT_TRUE(runs_on(variant, "cpu"));
    EXPECT_TRUE(runs_on(variant, "cuda:0"));
    variant.sources = {"more.cu"};
    EXPECT_FALSE(runs_on(variant, "cpu"));
}

TEST(CallableProject, RefusesVariantsInOtherLanguages) {
    const std::string cpp = R"("language": "cpp", "source": "mine.cpp", "entry": "f")";
    EXPECT_THAT(errors_of_callable(project_with(R"("definition": "definition.py")", cpp)),
                HasSubstr("family `callable` has no variants in `cpp`"));
}

TEST(CallableProject, OfAnotherFamilyHasNoDefinition) {
    std::string text = project_with(R"("definition": "definition.py", "symbols": [], "inputs": [], "outputs": [])");
    text.replace(text.find("callable"), 8, "custom");
    EXPECT_THAT(errors_of_callable(text), HasSubstr("family `custom` has no Python file as its definition"));
}

}  // namespace
}  // namespace kernelgen
