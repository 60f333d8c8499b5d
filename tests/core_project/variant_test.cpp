// SPDX-License-Identifier: Apache-2.0
// Choosing configurations, cases, baselines and candidates.
#include "core/project/variant.h"

#include <gtest/gtest.h>

#include "core/project/values.h"
#include "tests/core_project/example.h"

namespace kernelgen {
namespace {

TEST(WithChanges, ReplacesValuesOfTunables) {
    const Variant host = example_project().variants[0];
    EXPECT_EQ(configuration_of(host), (Configuration{{"BLOCK_M", 16}, {"BLOCK_N", 256}}));
    EXPECT_EQ(with_changes(host, configuration_of(host), {{"BLOCK_M", 64}}).value(),
              (Configuration{{"BLOCK_M", 64}, {"BLOCK_N", 256}}));
    EXPECT_EQ(with_changes(host, configuration_of(host), {}).value(), configuration_of(host));
}

TEST(WithChanges, SaysWhichTunablesAndValuesThereAre) {
    const Project project = example_project();
    const auto message = [&](std::size_t variant, const Configuration& changes) {
        return with_changes(project.variants[variant], {}, changes).error().message;
    };
    EXPECT_EQ(message(0, {{"BLOCK_K", 16}}), "variant `host` has no tunable `BLOCK_K`; did you mean `BLOCK_M`?");
    EXPECT_EQ(message(0, {{"stages", 16}}), "variant `host` has no tunable `stages`; it has BLOCK_M, BLOCK_N");
    EXPECT_EQ(message(1, {{"BLOCK_M", 16}}), "variant `library` has no tunable `BLOCK_M`; it has none");
    EXPECT_EQ(message(0, {{"BLOCK_M", 17}}), "`BLOCK_M` cannot be 17; its values are 1, 16, 64");
}

TEST(Restrictions, ForbidConfigurationsWithTheirValues) {
    const Variant host = example_project().variants[0];
    const Sizes sizes = {{"P", 4096}, {"D", 100}};
    EXPECT_EQ(violated_restriction({host, "", {{"BLOCK_M", 16}, {"BLOCK_N", 256}}}, {"", DType::f32, sizes}),
              std::nullopt);
    EXPECT_EQ(violated_restriction({host, "", {{"BLOCK_M", 64}, {"BLOCK_N", 256}}}, {"", DType::f32, sizes}),
              "restriction `BLOCK_M * BLOCK_N <= 8192` does not hold with BLOCK_M = 64, BLOCK_N = 256");
    EXPECT_EQ(
        violated_restriction({host, "", {{"BLOCK_M", 16}, {"BLOCK_N", 256}}}, {"", DType::f32, {{"P", 1}, {"D", 3}}}),
        "restriction `BLOCK_N <= 4 * D` does not hold with BLOCK_N = 256, D = 3");
}

TEST(Restrictions, AreParsedOnceForManyCasesAndConfigurations) {
    Variant host = example_project().variants[0];
    host.let = {"rows = cdiv(P, BLOCK_M)"};
    host.restrictions = {"rows > 1"};
    const Restrictions restrictions(host);
    const auto violated = [&](std::int64_t block, std::int64_t size) {
        const Implementation implementation{host, "", {{"BLOCK_M", block}, {"BLOCK_N", 64}}};
        return restrictions.violated(implementation, {"", DType::f32, {{"P", size}, {"D", 1}}});
    };
    EXPECT_EQ(violated(16, 32), std::nullopt);
    EXPECT_EQ(violated(64, 32), "restriction `rows > 1` does not hold with rows = 1");
    EXPECT_EQ(violated(16, 16), "restriction `rows > 1` does not hold with rows = 1");
}

TEST(Restrictions, KnowTheDeviceAndTheValuesOfLet) {
    Variant host = example_project().variants[0];
    host.let = {"rows = cdiv(P, BLOCK_M)"};
    host.restrictions = {"rows >= device.threads"};
    const Sizes sizes = {{"P", 64}, {"D", 1}};
    const Configuration configuration = {{"BLOCK_M", 16}, {"BLOCK_N", 256}};
    EXPECT_EQ(violated_restriction({host, "", configuration, {}, {{"threads", 4}}}, {"", DType::f32, sizes}),
              std::nullopt);
    EXPECT_EQ(violated_restriction({host, "", configuration, {}, {{"threads", 5}}}, {"", DType::f32, sizes}),
              "restriction `rows >= device.threads` does not hold with rows = 4, device.threads = 5");
}

TEST(Restrictions, ThatCannotBeEvaluatedForbidToo) {
    Variant host = example_project().variants[0];
    host.let = {"rows = P / 0"};
    host.restrictions = {"rows > 1"};
    EXPECT_EQ(violated_restriction({host, "", configuration_of(host)}, {"", DType::f32, {{"P", 1}, {"D", 1}}}),
              "restriction `rows > 1` cannot be evaluated: let[0]:1:10: division by zero");
    host.let = {};
    host.restrictions = {"P / (BLOCK_M - 16) > 1"};
    EXPECT_EQ(violated_restriction({host, "", configuration_of(host)}, {"", DType::f32, {{"P", 1}, {"D", 1}}}),
              "restriction `P / (BLOCK_M - 16) > 1` cannot be evaluated: restriction:1:3: division by zero");
}

TEST(AdHocCase, IsReadFromTheCommandLine) {
    const Operator definition = example_project().definition;
    const Case binding = parse_ad_hoc_case("P=1000, D=333,dtype=bf16", definition).value();
    EXPECT_EQ(binding.name, "P=1000, D=333,dtype=bf16");
    EXPECT_EQ(binding.dtype, DType::bf16);
    EXPECT_EQ(binding.sizes, (Sizes{{"P", 1000}, {"D", 333}}));
    EXPECT_EQ(parse_ad_hoc_case("D=1,P=2", definition)->dtype, DType::f32);
}

TEST(AdHocCase, SaysWhatIsWrongWithIt) {
    const Operator definition = example_project().definition;
    const auto message = [&](std::string_view text) { return parse_ad_hoc_case(text, definition).error().message; };
    EXPECT_EQ(message("P=1000"), "case `P=1000`: symbol `D` has no size");
    EXPECT_EQ(message("P=0,D=-1"), "case `P=0,D=-1`: size -1 of `D` is below 1; size 0 of `P` is below 1");
    EXPECT_EQ(message("P=1,D=1,Q=2"), "case `P=1,D=1,Q=2`: unknown symbol `Q`; one of: P, D");
    EXPECT_EQ(message("P=1,D=1,dtype=fp16"), "case `P=1,D=1,dtype=fp16`: unknown dtype `fp16`; did you mean `f16`?");
    EXPECT_EQ(message("P=1,D=1.5"), "case `P=1,D=1.5`: size `1.5` of `D` is no integer");
    EXPECT_EQ(message("P=1,D=99999999999999999999"),
              "case `P=1,D=99999999999999999999`: size `99999999999999999999` of `D` is no integer");
    EXPECT_EQ(message("P=1,P=2,D=1"), "case `P=1,P=2,D=1`: `P` is given twice");
    EXPECT_EQ(message("P=1,D=1,dtype=f32,dtype=f64"), "case `P=1,D=1,dtype=f32,dtype=f64`: `dtype` is given twice");
    EXPECT_EQ(message("squaer"), "case `squaer`: `squaer` is no assignment such as `P=1024`");
    EXPECT_EQ(message("P=1,,D=1"), "case `P=1,,D=1`: `` is no assignment such as `P=1024`");
    EXPECT_EQ(message("P=4611686018427387904,D=4"),
              "case `P=4611686018427387904,D=4`: input `x` of 4611686018427387904 × 4 elements overflows 2^63 bytes; "
              "choose smaller "
              "sizes; output `out` of 4611686018427387904 × 4 elements overflows 2^63 bytes; choose smaller sizes");
}

TEST(Baseline, IsOneVariantOrOneForEachKindOfDevice) {
    Project project = example_project();
    EXPECT_EQ(baseline_for(project, "cpu")->name, "library");
    EXPECT_EQ(baseline_for(project, "cuda:0"), nullptr);  // onednn does not run there
    Variant cudnn = project.variants[1];
    cudnn.name = "cudnn", cudnn.library = "cudnn";
    project.variants.push_back(cudnn);
    project.performance.baseline = {{"cpu", "library"}, {"cuda", "cudnn"}};
    EXPECT_EQ(baseline_for(project, "cpu")->name, "library");
    EXPECT_EQ(baseline_for(project, "cuda:3")->name, "cudnn");
    project.performance.baseline = {};
    EXPECT_EQ(baseline_for(project, "cpu"), nullptr);
}

TEST(Candidate, IsTheFirstVariantThatRunsThereAndIsNotTheBaseline) {
    Project project = example_project();
    EXPECT_EQ(candidate_for(project, "cpu")->name, "host");
    EXPECT_EQ(candidate_for(project, "cuda:0"), nullptr);
    project.performance.baseline = {{"", "host"}};
    EXPECT_EQ(candidate_for(project, "cpu")->name, "library");
}

TEST(RunsOn, FollowsTheLanguageAndTheVariantsDevices) {
    Variant variant{.name = "v", .language = Language::triton};
    EXPECT_TRUE(runs_on(variant, "cuda:1"));
    EXPECT_TRUE(runs_on(variant, "cpu"));  // through Triton's interpreter
    variant = {.name = "v", .language = Language::cuda};
    EXPECT_FALSE(runs_on(variant, "cpu"));
    variant = {.name = "v", .language = Language::cpp, .devices = {"cuda"}};
    EXPECT_FALSE(runs_on(variant, "cpu"));
}

TEST(Find, NamesVariantsAndCases) {
    const Project project = example_project();
    EXPECT_EQ(project.find_variant("host"), &project.variants[0]);
    EXPECT_EQ(project.find_variant("nothing"), nullptr);
    EXPECT_EQ(project.find_case("odd"), &project.cases[1]);
}

TEST(Languages, HaveNamesThatParse) {
    for (const Language language :
         {Language::cpp, Language::cuda, Language::triton, Language::torch, Language::library}) {
        EXPECT_EQ(parse_language(to_string(language)), language);
    }
    EXPECT_EQ(parse_language("c++"), std::nullopt);
}

}  // namespace
}  // namespace kernelgen
