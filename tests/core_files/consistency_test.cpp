// SPDX-License-Identifier: Apache-2.0
// The checklist over an operator's files, and what brings them in step.
#include "core/files/consistency.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/files/companions.h"
#include "core/files/import.h"
#include "core/files/in_step.h"
#include "core/files/sources.h"
#include "core/generate/generate.h"
#include "core/project/project_file.h"
#include "core/report/sentences.h"

namespace kernelgen {
namespace {

namespace fs = std::filesystem;
using State = ChecklistCell::State;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// The imported set of the source, whose files agree, with what a test changes in them.
class Checklist : public ::testing::Test {
protected:
    void SetUp() override {
        auto set = read_python_set(fs::path(KERNELGEN_SOURCE_DIR) / "tests/core_files/sets/broadcast_v1");
        ASSERT_TRUE(set) << to_string(set.error());
        project = std::move(set->project);
        texts = std::move(set->texts);
    }
    void replace(const std::string& file, const std::string& before, const std::string& after) {
        const std::size_t at = texts.at(file).find(before);
        ASSERT_NE(at, std::string::npos) << before;
        texts[file].replace(at, before.size(), after);
    }
    Consistency check() {
        auto checked = check_consistency(project, texts);
        EXPECT_TRUE(checked) << checked.error().message;
        if (checked) expect_chinese(checked->mismatches);
        return checked ? *checked : Consistency{};
    }
    /// Whatever a test finds has its Chinese; a line to write, `from a import b`, is the same in every tongue.
    static void expect_chinese(const Diagnostics& mismatches) {
        for (const Diagnostic& each : mismatches) {
            EXPECT_NE(in_tongue(each.message, Tongue::chinese), each.message);
            if (each.suggestion.text().starts_with("from ")) continue;
            EXPECT_NE(in_tongue(each.suggestion, Tongue::chinese), each.suggestion);
        }
    }
    static State state(const Consistency& checked, Aspect aspect, FileRole role) {
        return checked.rows.at(static_cast<std::size_t>(aspect)).at(role).state;
    }

    const std::string kernel = "broadcast_v1_triton.py", baseline = "broadcast_v1_baseline.py",
                      accuracy = "broadcast_v1_test_relu_accuracy.py";
    Project project;
    std::map<std::string, std::string> texts;
};

TEST_F(Checklist, AgreesWhereTheFilesDo) {
    const Consistency checked = check();
    EXPECT_TRUE(checked.consistent()) << to_string(checked.mismatches);
    for (const Aspect aspect : {Aspect::function_name, Aspect::parameter_count, Aspect::parameter_order,
                                Aspect::parameter_types, Aspect::return_type, Aspect::input_checks}) {
        EXPECT_EQ(state(checked, aspect, FileRole::kernel), State::agrees) << to_string(aspect);
        EXPECT_EQ(state(checked, aspect, FileRole::baseline), State::agrees) << to_string(aspect);
    }
    EXPECT_EQ(state(checked, Aspect::kernel_arguments, FileRole::kernel), State::agrees);
    EXPECT_EQ(state(checked, Aspect::function_name, FileRole::accuracy), State::agrees);
}

TEST_F(Checklist, NamesFileAndLineOfAParameterThatIsMissing) {
    replace(baseline, "x: torch.Tensor, bias: torch.Tensor", "x: torch.Tensor");
    const Consistency checked = check();
    EXPECT_FALSE(checked.consistent());
    EXPECT_EQ(state(checked, Aspect::parameter_count, FileRole::baseline), State::differs);
    EXPECT_THAT(to_string(checked.mismatches),
                HasSubstr("broadcast_v1_baseline.py: line 4: `broadcast_v1` has 1 parameters (x) where the definition "
                          "has 2 (x, bias)"));
}

TEST_F(Checklist, TellsAnotherOrderFromOtherNames) {
    replace(kernel, "x: torch.Tensor, bias: torch.Tensor", "bias: torch.Tensor, x: torch.Tensor");
    Consistency checked = check();
    EXPECT_EQ(state(checked, Aspect::parameter_names, FileRole::kernel), State::agrees);
    EXPECT_EQ(state(checked, Aspect::parameter_order, FileRole::kernel), State::differs);
    replace(kernel, "bias: torch.Tensor, x: torch.Tensor", "x: torch.Tensor, offset: torch.Tensor");
    checked = check();
    EXPECT_EQ(state(checked, Aspect::parameter_names, FileRole::kernel), State::differs);
    EXPECT_THAT(to_string(checked.mismatches),
                HasSubstr("parameter `offset` of `broadcast_v1` is not the definition's"));
}

TEST_F(Checklist, AllowsAPersonsOwnParametersWithDefaults) {
    replace(kernel, "bias: torch.Tensor)", "bias: torch.Tensor, fast: bool = True)");
    EXPECT_EQ(state(check(), Aspect::parameter_count, FileRole::kernel), State::agrees);
}

TEST_F(Checklist, FindsATypeThatIsNotTheDefinitions) {
    replace(kernel, "bias: torch.Tensor)", "bias: float)");
    replace(baseline, "-> torch.Tensor", "-> tuple[torch.Tensor, torch.Tensor]");
    const Consistency checked = check();
    EXPECT_EQ(state(checked, Aspect::parameter_types, FileRole::kernel), State::differs);
    EXPECT_EQ(state(checked, Aspect::return_type, FileRole::baseline), State::differs);
    EXPECT_THAT(to_string(checked.mismatches), HasSubstr("annotated `float`, and is a tensor in the definition"));
}

TEST_F(Checklist, TakesATypesOtherNameForATensors) {
    replace(kernel, "bias: torch.Tensor)", "bias: Array)");
    replace(baseline, "-> torch.Tensor", "-> Array");
    const Consistency checked = check();
    EXPECT_TRUE(checked.consistent()) << to_string(checked.mismatches);
}

TEST_F(Checklist, FindsAnEarlyReturnOfOtherValues) {
    replace(kernel, "    return out", "    if D == 0:\n        return out, x\n    return out");
    const Consistency checked = check();
    EXPECT_EQ(state(checked, Aspect::return_type, FileRole::kernel), State::differs);
    EXPECT_THAT(to_string(checked.mismatches),
                HasSubstr("a `return` of `broadcast_v1` gives 2 values, and the definition's outputs are out"));
}

TEST_F(Checklist, TakesAttributesBetweenTensorsInTheTestsOfAPerson) {
    project.definition.attributes = {{"eps", 1e-5}};
    replace(kernel, "x: torch.Tensor, bias: torch.Tensor", "x: torch.Tensor, eps: float, bias: torch.Tensor");
    replace(baseline, "x: torch.Tensor, bias: torch.Tensor", "x: torch.Tensor, eps: float, bias: torch.Tensor");
    const Consistency checked = check();
    EXPECT_TRUE(checked.consistent()) << to_string(checked.mismatches);
}

TEST_F(Checklist, FindsAnInputThatOnlyOneFileChecks) {
    std::string& text = texts[baseline];
    std::string kept;
    for (const std::string& line : split(text, '\n')) {
        if (!line.contains("assert") && !line.contains("numel")) kept += line + "\n";
    }
    text = kept;
    const Consistency checked = check();
    EXPECT_EQ(state(checked, Aspect::input_checks, FileRole::baseline), State::differs);
    EXPECT_EQ(state(checked, Aspect::input_checks, FileRole::kernel), State::agrees);
    EXPECT_THAT(to_string(checked.mismatches), HasSubstr("does not check its input `bias`"));
}

TEST_F(Checklist, HoldsTheLaunchAgainstTheKernelsParameters) {
    replace(kernel, "P, D,\n        stride_row, stride_row,", "P, D,\n        stride_row,");
    replace(kernel, "BLOCK_M=BLOCK_M, BLOCK_N=BLOCK_N", "BLOCK_M=BLOCK_M, BLOCKN=BLOCK_N");
    const std::string found = to_string(check().mismatches);
    EXPECT_THAT(found, HasSubstr("line 63: the launch does not pass `stride_o_row` of `broadcast_v1_kernel`"));
    EXPECT_THAT(found, HasSubstr("passes `BLOCKN`, which `broadcast_v1_kernel` has not; did you mean `BLOCK_N`?"));
    EXPECT_THAT(found, HasSubstr("does not pass `BLOCK_N`"));
}

TEST_F(Checklist, FindsAGridWithFewerAxesThanTheKernelAsksFor) {
    replace(kernel, "(triton.cdiv(P, meta['BLOCK_M']), triton.cdiv(D, meta['BLOCK_N']))",
            "(triton.cdiv(P, meta['BLOCK_M']),)");
    EXPECT_THAT(to_string(check().mismatches), HasSubstr("has a grid of rank 1, and `broadcast_v1_kernel` asks for "
                                                         "tl.program_id(1)"));
}

TEST_F(Checklist, FindsAKernelThatItsWrapperHides) {
    replace(kernel, "def broadcast_v1_kernel(", "def broadcast_v1(");
    replace(kernel, "broadcast_v1_kernel[grid]", "broadcast_v1[grid]");
    EXPECT_THAT(to_string(check().mismatches), HasSubstr("takes its place when the file is imported"));
}

TEST_F(Checklist, FindsTestsThatImportAnotherFunction) {
    replace(accuracy, "from broadcast_v1_triton import broadcast_v1", "from broadcast_v1_triton import broadcast_v2");
    const Consistency checked = check();
    EXPECT_EQ(state(checked, Aspect::function_name, FileRole::accuracy), State::differs);
    EXPECT_THAT(to_string(checked.mismatches), HasSubstr("imports `broadcast_v2` from broadcast_v1_triton"));
}

TEST_F(Checklist, HoldsTheTestsCasesAndTolerancesAgainstTheProjects) {
    EXPECT_EQ(state(check(), Aspect::cases, FileRole::performance), State::agrees);
    EXPECT_EQ(state(check(), Aspect::tolerances, FileRole::accuracy), State::agrees);
    replace(accuracy, "(1024, 1024, 1024)", "(1024, 1024, 1000)");
    replace(accuracy, "rtol=1e-3", "rtol=1e-2");
    const Consistency checked = check();
    EXPECT_EQ(state(checked, Aspect::cases, FileRole::accuracy), State::differs);
    EXPECT_EQ(state(checked, Aspect::cases, FileRole::performance), State::agrees);
    EXPECT_THAT(to_string(checked.mismatches),
                HasSubstr("is called with bias [1000] f32, x [1024, 1024, 1000] f32, which is no case of the project"));
    EXPECT_THAT(to_string(checked.mismatches),
                HasSubstr("the test's tolerance is rtol 0.01, atol 0.001, and the project's rtol 0.001, atol 0.001"));
}

TEST_F(Checklist, TakesCasesAndTolerancesThatATestListsAsTheyStand) {
    texts[accuracy] =
        "from broadcast_v1_triton import broadcast_v1\nfrom broadcast_v1_baseline import broadcast_v1 as b\n"
        "CASES = [\n    {\"name\": \"one\", \"dtype\": \"f32\", \"N1\": 512, \"N2\": 512, \"D\": 512},\n]\n"
        "TOLERANCES = {\"f32\": (1e-3, 1e-3)}\n";
    Consistency checked = check();
    EXPECT_TRUE(checked.consistent()) << to_string(checked.mismatches);
    EXPECT_EQ(checked.rows.back().at(FileRole::accuracy).text, "1 of 3");
    replace(accuracy, "\"D\": 512", "\"D\": 500");
    replace(accuracy, "(1e-3, 1e-3)", "(1e-3, 1e-2)");
    checked = check();
    EXPECT_THAT(to_string(checked.mismatches),
                HasSubstr("line 4: the file lists the case D=500 N1=512 N2=512 f32, which is no case of the project"));
    EXPECT_THAT(to_string(checked.mismatches), HasSubstr("line 6: the test's tolerance is f32: rtol 0.001, atol 0.01"));
}

TEST_F(Checklist, NamesAFileThatIsMissingOrNoPython) {
    texts.erase(baseline);
    texts[accuracy] = "def (:\n";
    const Consistency checked = check();
    EXPECT_THAT(to_string(checked.mismatches), HasSubstr("broadcast_v1_baseline.py: the file cannot be read"));
    EXPECT_THAT(to_string(checked.mismatches), HasSubstr(accuracy + ": line 1: syntax error"));
    EXPECT_EQ(state(checked, Aspect::function_name, FileRole::baseline), State::differs);
}

TEST_F(Checklist, SetsTunablesInPlaceInAFileThatAPersonWrote) {
    const std::string before = texts.at(kernel);
    project.variants[0].tunables[0].value = 1024;
    const Consistency checked = check();
    EXPECT_THAT(to_string(checked.mismatches), HasSubstr("`BLOCK_N` is 512 here and 1024 in project.json"));
    const auto step = brought_in_step(project, texts, false);
    ASSERT_TRUE(step) << to_string(step.error());
    ASSERT_EQ(step->steps.size(), 1u);
    EXPECT_EQ(step->steps[0].outcome, StepOutcome::tunables);
    std::string expected = before;
    expected.replace(expected.find("BLOCK_N = 512"), 13, "BLOCK_N = 1024");
    EXPECT_EQ(step->texts.at(kernel), expected);
    texts[kernel] = expected;
    EXPECT_TRUE(check().consistent());
}

TEST(Samples, AreConsistentWithTheirFourFiles) {
    for (const auto& entry : fs::directory_iterator(fs::path(KERNELGEN_SOURCE_DIR) / "projects")) {
        if (!entry.is_directory()) continue;
        const auto project = load_project(entry.path());
        ASSERT_TRUE(project) << to_string(project.error());
        const auto checked = check_consistency(*project, source_texts(*project));
        ASSERT_TRUE(checked) << checked.error().message;
        EXPECT_TRUE(checked->consistent()) << entry.path() << "\n" << to_string(checked->mismatches);
        EXPECT_EQ(checked->rows.size(), 11u) << entry.path();
        EXPECT_EQ(checked->rows.back().at(FileRole::performance).state, State::agrees) << entry.path();
    }
}

/// A generated project, in memory.
class Stale : public ::testing::Test {
protected:
    void SetUp() override {
        definition.name = "shift";
        definition.symbols = {"P", "D"};
        definition.inputs = {{"x", {"P", "D"}, {}}};
        definition.outputs = {{"out", {"P", "D"}, {}}};
        definition.body = "out = x + 1";
        generate();
    }
    void generate(bool with_tests = false) {
        auto made = make_project(definition);
        ASSERT_TRUE(made) << to_string(made.error());
        project = std::move(*made);
        for (Variant& variant : project.variants) {
            if (variant.language != Language::triton || !with_tests) continue;
            variant.companions = companions_for(definition);
            for (Companion& each : variant.companions) each.generated = "not yet";
        }
        auto all = regenerated(project, {}, false);
        ASSERT_TRUE(all) << to_string(all.error());
        project.variants = all->variants;
        texts = all->texts;
    }
    Consistency check() {
        auto checked = check_consistency(project, texts);
        EXPECT_TRUE(checked) << checked.error().message;
        return checked ? *checked : Consistency{};
    }
    const StaleFile* find(const Consistency& checked, const std::string& file) {
        const auto found = std::ranges::find(checked.stale, file, &StaleFile::file);
        return found == checked.stale.end() ? nullptr : &*found;
    }

    Operator definition;
    Project project;
    std::map<std::string, std::string> texts;
};

TEST_F(Stale, NothingIsAfterGenerating) {
    const Consistency checked = check();
    EXPECT_TRUE(checked.consistent()) << to_string(checked.mismatches);
    EXPECT_EQ(checked.change, ChangeKind::none);
    EXPECT_THAT(checked.stale, IsEmpty());
}

TEST_F(Stale, FindsParametersThatGeneratedTestsCannotPass) {
    definition.attributes = {{"slope", 0.5}};
    definition.body = "out = x * slope";
    generate(true);
    const std::string signature = "x: torch.Tensor, slope: float = 0.5", file = "shift_triton.py";
    const auto mismatches_with = [&](const std::string& other) {
        std::string text = texts.at(file);
        text.replace(text.find(signature), signature.size(), other);
        auto changed = texts;
        changed[file] = text;
        const auto checked = check_consistency(project, changed);
        return checked ? to_string(checked->mismatches) : checked.error().message;
    };
    EXPECT_EQ(mismatches_with(signature), "");
    EXPECT_THAT(mismatches_with("x: torch.Tensor, slope: float = 0.25"),
                HasSubstr("parameter `slope` of `shift` has the default 0.25 where the definition has 0.5"));
    EXPECT_THAT(mismatches_with("*, " + signature), HasSubstr("parameter `x` of `shift` can be given by name only"));
    EXPECT_THAT(mismatches_with(signature + ", /"), HasSubstr("parameter `slope` of `shift` can be given by position"));
    EXPECT_THAT(mismatches_with("slope: float, x: torch.Tensor"),
                HasSubstr("where the definition's order is x, slope"));
}

TEST_F(Stale, EveryFileIsAfterTheBodyChanged) {
    project.definition.body = "out = x + 2";
    const Consistency checked = check();
    EXPECT_EQ(checked.change, ChangeKind::logic);
    ASSERT_NE(find(checked, "shift.cpp"), nullptr);
    EXPECT_EQ(find(checked, "shift.cpp")->change, ChangeKind::logic);
    EXPECT_FALSE(checked.consistent());
}

TEST_F(Stale, InterfaceIsToldFromLogic) {
    project.definition.inputs.push_back({"y", {"D"}, {}});
    project.definition.body = "out = x + y";
    const Consistency checked = check();
    EXPECT_EQ(checked.change, ChangeKind::interface);
    ASSERT_NE(find(checked, "shift.cu"), nullptr);
    EXPECT_EQ(find(checked, "shift.cu")->change, ChangeKind::interface);
}

TEST_F(Stale, AnEditedFileIsNamedAndLeftAlone) {
    texts["shift.cpp"] += "// mine\n";
    const Consistency checked = check();
    EXPECT_TRUE(checked.consistent());
    ASSERT_NE(find(checked, "shift.cpp"), nullptr);
    EXPECT_TRUE(find(checked, "shift.cpp")->edited);
    EXPECT_EQ(checked.change, ChangeKind::implementation);
    const auto step = brought_in_step(project, texts, false);
    ASSERT_TRUE(step);
    EXPECT_THAT(step->texts, IsEmpty());
    ASSERT_EQ(step->steps.size(), 1u);
    EXPECT_EQ(step->steps[0].outcome, StepOutcome::kept);
    const auto forced = brought_in_step(project, texts, true);
    ASSERT_TRUE(forced);
    EXPECT_EQ(forced->texts.size(), 1u);
}

TEST_F(Stale, BringingInStepWritesWhatIsStaleAndThenNothing) {
    project.definition.body = "out = x + 2";
    const auto step = brought_in_step(project, texts, false);
    ASSERT_TRUE(step);
    EXPECT_EQ(step->texts.size(), texts.size());
    for (const auto& [file, text] : step->texts) texts[file] = text;
    project.variants = step->variants;
    EXPECT_TRUE(check().consistent());
    const auto again = brought_in_step(project, texts, false);
    ASSERT_TRUE(again);
    EXPECT_THAT(again->steps, IsEmpty());
}

}  // namespace
}  // namespace kernelgen
