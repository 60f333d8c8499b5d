// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "core/report/report.h"
#include "tests/core_report/sample_project.h"

namespace kernelgen {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string document(const Project& project, const Ceilings& ceilings = {}, Tongue tongue = Tongue::english) {
    return definition_document(project, ceilings, tongue).value();
}

TEST(DefinitionDocument, HasTheTemplatesSections) {
    const std::string english = document(sample_project());
    for (const char* title :
         {"# bias_add: operator definition and analysis\n", "\n## 1. Operator definition\n", "\n### (1) Requirement\n",
          "\n### (3) Inputs\n", "\n### 2.1 Complexity\n", "\n### 2.5 Data flow\n",
          "\n## 3. Strategies: launch, tunables, memory\n", "\n### 3.3 Warps, stages and blocks\n",
          "\n### 3.4 Memory access\n", "\n### 3.5 Data reuse\n", "\n### 3.6 Sizes that change\n",
          "\n## 4. Where a goal is missed\n", "\n### 4.3 Record\n", "\n## 5. Consistency of the interfaces\n"}) {
        EXPECT_THAT(english, HasSubstr(title));
    }
    const std::string chinese = document(sample_project(), {}, Tongue::chinese);
    for (const char* title :
         {"# bias_add 算子定义与分析文档\n", "### （1）原始需求\n", "### （2）算子基本信息\n", "### （3）输入参数\n",
          "### （4）输出参数\n", "### （5）自动优化最大迭代轮次\n", "### 2.2 计算密度分析\n",
          "### 2.3 Roofline模型分析\n", "## 3. 性能优化策略\n", "### 3.3 Warp和Stage配置\n", "### 3.5 数据复用\n",
          "### 3.6 动态Shape处理\n", "## 4. 未达目标修改方案\n", "### 4.1 问题诊断框架\n", "### 4.2 具体修改方案\n"}) {
        EXPECT_THAT(chinese, HasSubstr(title));
    }
}

TEST(DefinitionDocument, StatesSignatureFormulaAndConstraints) {
    const std::string text = document(sample_project());
    EXPECT_THAT(text, HasSubstr("bias_add(x: [P, D], bias: [D]) -> (out: [P, D])"));
    EXPECT_THAT(text, HasSubstr("```text\nout = x + bias\n```"));
    EXPECT_THAT(text, HasSubstr("| Constraints | `P >= 1`, `D >= 1` |"));
    EXPECT_THAT(text, HasSubstr("Adds one bias a column."));
}

TEST(DefinitionDocument, DerivesFlopsBytesAndIntensityOfEachCase) {
    const std::string text = document(sample_project());
    EXPECT_THAT(text,
                HasSubstr("Time: O(P × D); operations an element: 1, of which transcendental: 0; operations a row: 0"));
    EXPECT_THAT(text, HasSubstr("| 4096x512 f32 | 2.10 M | 0 | 8.39 MB | 8.39 MB | 0.125 FLOP/byte |"));
}

TEST(DefinitionDocument, ListsTolerancesOfEachCase) {
    EXPECT_THAT(document(sample_project()),
                HasSubstr("| 64x512 f32 | P = 64, D = 512 | f32 | f32 | `out` 1.3e-06 / 1e-05 |"));
}

TEST(DefinitionDocument, SaysThatCeilingsWereNotMeasured) {
    const std::string text = document(sample_project());
    EXPECT_THAT(text, HasSubstr("not measured: the device's ceilings were not measured"));
    EXPECT_THAT(text, Not(HasSubstr("memory-bandwidth-bound")));
}

TEST(DefinitionDocument, PlacesEachCaseUnderMeasuredCeilings) {
    const std::string text = document(sample_project(), sample_ceilings());
    EXPECT_THAT(text, HasSubstr("from the ceilings of device `cpu`, measured 2026-01-01T00:00:00Z"));
    EXPECT_THAT(text, HasSubstr("Case 4096x512 f32: memory-bandwidth-bound"));
}

TEST(DefinitionDocument, ShowsWhichInputIsBroadcast) {
    const std::string text = document(sample_project());
    EXPECT_THAT(text, HasSubstr("| `bias` | D | P elements (broadcast) |"));
    EXPECT_THAT(text, HasSubstr("| `x` | P × D | one element of the iteration space |"));
}

TEST(DefinitionDocument, SaysHowRowsLieInMemory) {
    Project project = sample_project();
    project.cases.push_back({.name = "odd", .dtype = DType::f32, .sizes = {{"P", 3}, {"D", 333}}});
    EXPECT_THAT(document(project), HasSubstr("| `x` | `D` | 2,048, whole lines | 2,048, whole lines | 1,332, not whole "
                                             "lines |"));
}

TEST(DefinitionDocument, SaysWhatReuseOfABroadcastInputSaves) {
    EXPECT_THAT(document(sample_project()), HasSubstr("| `bias` | 4096x512 f32 | 2.05 kB | 8.39 MB |"));
}

TEST(DefinitionDocument, NamesTheGoalsAndWhatToDoWhereOneIsMissed) {
    EXPECT_THAT(document(sample_project()), HasSubstr("| Bandwidth use | > 60.0 % | Wider and contiguous"));
}

TEST(DefinitionDocument, ListsTheValuesOfABodyWithReductions) {
    Project project = sample_project();
    project.definition.inputs.pop_back();
    project.definition.body = "m = row_max(x); e = exp(x - m); out = e / row_sum(e)";
    const std::string text = document(project);
    EXPECT_THAT(text, HasSubstr("| `m` | [P, 1] | per row | `x` |"));
    EXPECT_THAT(text, HasSubstr("| `e` | [P, D] | per element | `m`, `x` |"));
    EXPECT_THAT(text, HasSubstr("Reductions lie 2 deep"));
}

TEST(DefinitionDocument, ListsLaunchesProgramsTunablesAndRestrictions) {
    const std::string text = document(sample_project());
    EXPECT_THAT(text, HasSubstr("| `host` | cpp | `bias_add` | `cdiv(P, BLOCK_M)`, `cdiv(D, 256)` | "
                                "`x`, `bias`, `out`, `P`, `D` | 4 | 256 |"));
    EXPECT_THAT(text, HasSubstr("| `host` | `BLOCK_M` | 16, 32, 64 | 32 |"));
    EXPECT_THAT(text, HasSubstr("Restrictions of `host`: `BLOCK_M <= P`"));
}

TEST(DefinitionDocument, FindsAnInputThatAVariantDoesNotTake) {
    Project project = sample_project();
    EXPECT_THAT(document(project), HasSubstr("| `host` | all | all | yes |"));
    project.variants[0].launches[0].args = {"x", "out", "P", "D"};
    EXPECT_THAT(document(project), HasSubstr("| `host` | not `bias` | all | yes |"));
}

TEST(DefinitionDocument, SaysWhatCannotBeDerivedWithoutAFormula) {
    Project project = sample_project();
    project.definition.family = Family::custom;
    project.definition.body = "";
    project.definition.reference = "library";
    const std::string text = document(project);
    EXPECT_THAT(text, HasSubstr("Family `custom` has no formula; variant `library` is the reference."));
    EXPECT_THAT(text, HasSubstr("Nothing can be derived: family `custom` has no formula."));
}

TEST(DefinitionDocument, ReportsABodyThatDoesNotCheck) {
    Project project = sample_project();
    project.definition.body = "out = x + bais";
    const auto result = definition_document(project, {}, Tongue::english);
    ASSERT_FALSE(result);
    EXPECT_THAT(to_string(result.error().at(0)), HasSubstr("bais"));
}

}  // namespace
}  // namespace kernelgen
