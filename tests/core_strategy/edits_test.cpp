// SPDX-License-Identifier: Apache-2.0
#include "core/strategy/edits.h"

#include <gmock/gmock.h>

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/project/project_file.h"
#include "core/project/source_files.h"
#include "tests/core_strategy/story.h"

namespace kernelgen {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

std::string story_text() { return read_file(testing::story / "bias_add_triton.py").value(); }

Implementation written(Language language, const std::string& text) {
    Variant variant;
    variant.name = "mine";
    variant.language = language;
    variant.entry = "scale";
    variant.launches.emplace_back();
    variant.launches[0].grid = {"cdiv(N, 256)"};
    variant.launches[0].block = {"32 * num_warps"};
    return {.variant = variant, .text = text, .configuration = {}};
}

std::vector<EditSource> edits(std::string_view strategy, Language language, const std::string& text) {
    Operator definition;
    definition.outputs = {{.name = "out", .shape = {"P", "D"}, .dtype = {}}};
    definition.inputs = {{.name = "x", .shape = {"P", "D"}, .dtype = {}},
                         {.name = "bias", .shape = {"D"}, .dtype = {}}};
    return edits_of(strategy, definition, written(language, text), {});
}

TEST(Grid2d, TurnsTheWalkOverColumnsIntoASecondAxis) {
    const auto text = with_grid_2d(story_text());
    ASSERT_TRUE(text);
    EXPECT_THAT(*text, HasSubstr("    start = tl.program_id(axis=1) * BLOCK_N\n    col_ids = start + tl.arange"));
    EXPECT_THAT(*text,
                HasSubstr("grid = lambda meta: (triton.cdiv(P, meta['BLOCK_M']), triton.cdiv(D, meta['BLOCK_N']))\n"));
    EXPECT_THAT(*text, Not(HasSubstr("for start in range")));
    EXPECT_EQ(with_grid_2d(*text), std::nullopt);  // it is done
}

TEST(Grid2d, LeavesALoopAloneThatCarriesAValue) {
    std::string text = story_text();
    const std::string store = "        tl.store(";
    text.insert(text.find(store), "        total += tl.sum(x_tile)\n");
    EXPECT_EQ(with_grid_2d(text), std::nullopt);
}

TEST(Grid2d, LeavesALoopAloneAfterWhichMoreIsDone) {
    std::string text = story_text();
    const std::string next = "\n\ndef bias_add(";
    text.insert(text.find(next), "    tl.store(out_ptr, 1.0)\n");
    EXPECT_EQ(with_grid_2d(text), std::nullopt);
}

TEST(Edits, GiveCudaKernelsLaunchBounds) {
    const auto found =
        edits("launch_bounds", Language::cuda, "// __global__ void in a comment\n__global__ void scale(float* x) {}\n");
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_THAT(found[0].text, HasSubstr("\n__global__ void __launch_bounds__(32 * num_warps) scale(float* x)"));
    EXPECT_EQ(found[0].line, 2);
    EXPECT_THAT(edits("launch_bounds", Language::cuda, found[0].text), IsEmpty());
    EXPECT_THAT(edits("launch_bounds", Language::triton, story_text()), IsEmpty());
}

TEST(Edits, TakeTheLeastNumberOfBlocksOutOfLaunchBounds) {
    const auto found = edits("looser_launch_bounds", Language::cuda,
                             "__global__ void __launch_bounds__(max(64, 32), 8) scale(float* x) {}");
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_EQ(found[0].text, "__global__ void __launch_bounds__(max(64, 32)) scale(float* x) {}");
}

TEST(Edits, MakeDoubleConstantsAndFunctionsSingle) {
    const auto found = edits("single_precision", Language::cuda,
                             "out[i] = 0.5 * x * (1.0 + tanh(0.79788456 * x)) + 1e-3 + 2 + 0.25f; /* 0.5 */");
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_EQ(found[0].text, "out[i] = 0.5f * x * (1.0f + tanhf(0.79788456f * x)) + 1e-3f + 2 + 0.25f; /* 0.5 */");
}

TEST(Edits, KeepDoubleWhereTheDefinitionAsksForIt) {
    Operator definition;
    definition.arithmetic = DType::f64;
    EXPECT_THAT(edits_of("single_precision", definition, written(Language::cuda, "y = 0.5 * x;"), {}), IsEmpty());
}

TEST(Edits, TellTheCompilerThatPointersDoNotOverlap) {
    const auto found = edits("restrict_pointers", Language::cuda,
                             "__global__ void scale(const float* x, float *out, int n) { float* y = out; }");
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_EQ(
        found[0].text,
        "__global__ void scale(const float* __restrict__ x, float * __restrict__ out, int n) { float* y = out; }");
}

TEST(Edits, ReadSourcesWithVeryLongCommentsNamesAndGaps) {
    for (const std::string& gap : {"/*" + std::string(400'000, '*') + "*/", std::string(400'000, '\n')}) {
        const std::string text =
            "__global__ void scale(const float*" + gap + "x, float *out, int n) { double y = 1.5; }";
        EXPECT_THAT(edits("restrict_pointers", Language::cuda, text), SizeIs(1));
        EXPECT_THAT(edits("single_precision", Language::cuda, text), SizeIs(1));
    }
    const std::string name(400'000, 'x');
    EXPECT_THAT(
        edits("fewer_warps", Language::triton, "f(" + name + " = 8, num_warps=8, n=" + std::string(400'000, '1')),
        SizeIs(1));
}

TEST(Edits, LetSharedInputsStayInTheCache) {
    const auto found = edits("eviction_policy", Language::triton, story_text());
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_THAT(found[0].text,
                HasSubstr("tl.load(bias_ptr + col_ids, mask=mask_cols, other=0.0, eviction_policy='evict_last')"));
    EXPECT_THAT(found[0].text,
                HasSubstr("tl.load(x_ptr + offsets, mask=mask, other=0.0, eviction_policy='evict_first')"));
}

TEST(Edits, AddAnArgumentBehindATrailingComma) {
    std::string text = story_text();
    const std::string load = "tl.load(x_ptr + offsets, mask=mask, other=0.0)";
    text.replace(text.find(load), load.size(), "tl.load(\n        x_ptr + offsets,\n        mask=mask,\n    )");
    const auto found = edits("eviction_policy", Language::triton, text);
    ASSERT_FALSE(found.empty());
    EXPECT_THAT(found[0].text, HasSubstr("mask=mask, eviction_policy='evict_first',\n    )"));
}

TEST(Edits, MoveLiteralsThatAreNoTunables) {
    const auto found = edits("fewer_warps", Language::triton, story_text());
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_THAT(found[0].text, HasSubstr("num_warps=4, num_stages=3"));
    const auto smaller = edits("smaller_tile", Language::triton, story_text());
    ASSERT_FALSE(smaller.empty());
    EXPECT_THAT(smaller[0].text, HasSubstr("BLOCK_M = 32\n"));
}

TEST(Edits, ExchangeTheOrderOfAHostGrid) {
    Implementation host = written(Language::cpp, "void scale() {}");
    host.variant.launches[0].grid = {"P", "cdiv(D, 64)"};
    const auto found = edits_of("grid_order", {}, host, {});
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_EQ(found[0].launches[0].order, (std::vector{1, 0}));
    const Implementation changed = changed_by(found[0], host).value();
    EXPECT_EQ(changed.variant.launches[0].order, (std::vector{1, 0}));
    EXPECT_EQ(changed.text, host.text);
}

}  // namespace
}  // namespace kernelgen
