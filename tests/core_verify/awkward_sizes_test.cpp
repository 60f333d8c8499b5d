// SPDX-License-Identifier: Apache-2.0
#include "core/verify/awkward_sizes.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "tests/core_verify/bias_add.h"

namespace kernelgen {
namespace {

using ::testing::HasSubstr;
using testing::kernel;
using testing::request;
using testing::right_body;
using testing::tile;
using testing::verified;

TEST(AwkwardSizes, StandAroundTilesAndRespectWhatIsAllowed) {
    Operator definition = tile("out = x + bias", {"x:P,D", "bias:D"});
    definition.constraints = {"D % 8 == 0"};
    Implementation candidate = kernel("", right_body);
    candidate.configuration = {{"BLOCK_M", 16}, {"BLOCK_N", 256}, {"UNROLL", 999}};
    candidate.variant.restrictions = {"P != 17"};
    const Body body = *analyse(definition);
    const AwkwardSizes sizes = awkward_sizes(definition, &body, candidate, DType::bf16);
    EXPECT_GT(sizes.cases.size(), 8u);
    for (const Case& each : sizes.cases) {
        EXPECT_EQ(each.sizes.at("D") % 8, 0);
        EXPECT_NE(each.sizes.at("P"), 17);
        EXPECT_EQ(each.dtype, DType::bf16);
    }
    definition.constraints.clear();
    bool below = false, above = false;
    for (const Case& each : awkward_sizes(definition, &body, candidate, DType::f32).cases) {
        below |= each.sizes.at("D") == 255;
        above |= each.sizes.at("D") == 257;
    }
    EXPECT_TRUE(below && above);
}

TEST(AwkwardSizes, StandAroundWideTilesWithFewRows) {
    const Operator definition = tile("out = x + bias", {"x:P,D", "bias:D"});
    Implementation candidate = kernel("", right_body);
    candidate.configuration = {{"BLOCK_N", 8192}};
    const Body body = *analyse(definition);
    const AwkwardSizes sizes = awkward_sizes(definition, &body, candidate, DType::f32);
    EXPECT_EQ(sizes.skipped, 0);
    EXPECT_TRUE(std::ranges::any_of(sizes.cases, [](const Case& each) { return each.sizes.at("D") == 8193; }));
    EXPECT_TRUE(std::ranges::any_of(sizes.further, [](const Case& each) { return each.sizes.at("D") == 16384; }));
}

/// A copy of x: [B, H, D], cut by the grid in B, tiles of H, and D; `loop` is the loop over a tile's rows.
VerifyRequest heads(const std::string& loop) {
    VerifyRequest made = request({});
    made.definition = tile("out = x * 2", {"x:B,H,D"}, "out:B,H,D");
    made.definition.name = "bias_add";
    made.definition.symbols = {"B", "H", "D"};
    made.cases = {{"small", DType::f32, {{"B", 2}, {"H", 64}, {"D", 32}}}};
    made.candidate.variant = kernel("", "").variant;
    made.candidate.variant.tunables = {{"BLOCK_H", {16}, 16}};
    made.candidate.configuration = {{"BLOCK_H", 16}};
    made.candidate.variant.launches[0].grid = {"B", "cdiv(H, BLOCK_H)"};
    made.candidate.variant.launches[0].args = {"x", "out", "B", "H", "D"};
    made.candidate.text =
        "#include <cstdint>\nextern \"C\" void bias_add(const float* x, float* out, int64_t, int64_t H, int64_t D, "
        "int64_t b, int64_t tile, int64_t) {\n" +
        loop + "\nfor (int64_t d = 0; d < D; ++d) out[(b * H + h) * D + d] = x[(b * H + h) * D + d] * 2;\n}\n";
    return made;
}

TEST(Verify, FindsAKernelThatLeavesTheTailOfAMiddleSymbol) {
    const VerifyResult right =
        verified(heads("for (int64_t h = tile * BLOCK_H; h < (tile + 1) * BLOCK_H && h < H; ++h)"));
    EXPECT_EQ(right.status, Status::ok) << right.reason;
    // Wrong where one head is left after the last whole tile.
    const VerifyResult wrong =
        verified(heads("const int64_t end = H > 1 && H % BLOCK_H == 1 ? H - 1 : H;"
                       "for (int64_t h = tile * BLOCK_H; h < (tile + 1) * BLOCK_H && h < end; ++h)"));
    EXPECT_EQ(wrong.status, Status::unwritten);
    EXPECT_THAT(wrong.reason, HasSubstr("H=17"));
}

TEST(AwkwardSizes, StandAroundEveryTileOfEverySymbol) {
    const VerifyRequest made = heads("");
    Implementation candidate = made.candidate;
    candidate.configuration = {{"BLOCK_H", 16}, {"BLOCK_D", 32}};
    candidate.variant.launches[0].grid = {"cdiv(B, 4)", "cdiv(H, BLOCK_H)", "cdiv(D, BLOCK_D)"};
    const Body body = *analyse(made.definition);
    const AwkwardSizes sizes = awkward_sizes(made.definition, &body, candidate, DType::f32, made.cases);
    for (const auto& [symbol, tile] : Sizes{{"B", 4}, {"H", 16}, {"D", 32}}) {
        const auto has = [&](const std::vector<Case>& cases, std::int64_t size) {
            return std::ranges::any_of(cases, [&](const Case& each) { return each.sizes.at(symbol) == size; });
        };
        for (const std::int64_t size : {std::int64_t{1}, tile - 1, tile + 1}) {
            EXPECT_TRUE(has(sizes.cases, size)) << symbol << " = " << size;
        }
        EXPECT_TRUE(has(sizes.further, tile) && has(sizes.further, 2 * tile + 1)) << symbol;
    }
    EXPECT_EQ(sizes.skipped, 0);
    EXPECT_LE(sizes.cases.size(), 20u);
}

TEST(AwkwardSizes, HaveEvenOnesThatAreNoMultiplesOfFourForEverySymbol) {
    const VerifyRequest made = heads("");
    const Body body = *analyse(made.definition);
    const AwkwardSizes sizes = awkward_sizes(made.definition, &body, made.candidate, DType::f32, made.cases);
    for (const std::string symbol : {"B", "H", "D"}) {
        for (const std::int64_t size : {2, 3, 6, 1030}) {
            EXPECT_TRUE(
                std::ranges::any_of(sizes.further, [&](const Case& each) { return each.sizes.at(symbol) == size; }))
                << symbol << " = " << size;
        }
    }
}

TEST(Verify, FindsAKernelWhosePathForPairsIsWrong) {
    const VerifyResult result =
        verified(kernel("const bool pairs = D % 2 == 0 && D % 4 != 0;",
                        "out[pid0 * D + i] = x[pid0 * D + i] + bias[pairs && i % 2 ? i - 1 : i];"));
    EXPECT_EQ(result.status, Status::mismatch) << result.checks;
}

TEST(AwkwardSizes, TakeFixedSymbolsFromTheOwnCases) {
    Operator definition = tile("out = x + bias", {"x:P,D", "bias:D"});
    definition.constraints = {"D == 3000"};
    const Body body = *analyse(definition);
    const Case own{"own", DType::f32, {{"P", 40}, {"D", 3000}}};
    const AwkwardSizes sizes = awkward_sizes(definition, &body, kernel("", right_body), DType::f32, {&own, 1});
    EXPECT_TRUE(std::ranges::any_of(sizes.cases, [](const Case& each) { return each.sizes.at("P") == 65; }));
    for (const Case& each : sizes.cases) EXPECT_EQ(each.sizes.at("D"), 3000);
}

}  // namespace
}  // namespace kernelgen
