// SPDX-License-Identifier: Apache-2.0
// `attention` in bodies: arguments, shapes, what is counted, and what is refused.
#include "core/lang/attention.h"

#include <gmock/gmock.h>

#include <cmath>

#include "core/lang/analysis.h"
#include "core/lang/contraction.h"
#include "core/lang/philox.h"
#include "tests/core_lang/definitions.h"

namespace kernelgen {
namespace {

using ::testing::HasSubstr;

const std::string attention_inputs = "q:B,H,N,D k:B,Hk,M,D v:B,Hk,M,D", attention_outputs = "out:B,H,N,D lse:B,H,N";

Operator attention_definition(const std::string& body, const std::string& inputs, const std::string& outputs) {
    Operator definition = define(body, inputs, outputs);
    definition.symbols = {"B", "H", "Hk", "N", "M", "D"};
    if (inputs.contains("table")) definition.symbols = {"B", "H", "Hk", "N", "D", "P", "S", "T"};
    for (Tensor& each : definition.inputs) {
        if (each.name == "lengths" || each.name == "table") each.dtype = DType::i32;
        if (each.name == "mask") each.dtype = DType::i8;
    }
    return definition;
}

Body attention_body(const std::string& body, const std::string& inputs = attention_inputs,
                    const std::string& outputs = "out:B,H,N,D") {
    Validated<Body> analysed = analyse(attention_definition(body, inputs, outputs));
    if (!analysed) throw std::invalid_argument(to_string(analysed.error()));
    return std::move(*analysed);
}

std::string attention_refusal(const std::string& body, const std::string& inputs = attention_inputs,
                              const std::string& outputs = "out:B,H,N,D") {
    const Validated<Body> analysed = analyse(attention_definition(body, inputs, outputs));
    return analysed ? "" : to_string(analysed.error());
}

Sizes sizes_of_attention(std::int64_t rows, std::int64_t columns) {
    return {{"B", 2}, {"H", 4}, {"Hk", 2}, {"N", rows}, {"M", columns}, {"D", 8}};
}

TEST(AttentionInABody, HasItsInputsAndDimensions) {
    const Body body = attention_body("out = attention(q, k, v)");
    ASSERT_NE(body.attention, nullptr);
    EXPECT_EQ(body.attention->inputs(), (std::vector{0, 1, 2}));
    EXPECT_EQ(body.attention->scores(), (Shape{"B", "H", "N", "M"}));
    EXPECT_EQ(body.space, (Shape{"B", "H", "N", "D"}));
    EXPECT_FALSE(body.attention->scale.has_value());
    EXPECT_FALSE(body.attention->last_seen().has_value());
}

TEST(AttentionInABody, GivesTheLogSumExpToASecondName) {
    const Body body = attention_body("out, lse = attention(q, k, v)", attention_inputs, attention_outputs);
    ASSERT_EQ(body.outputs.size(), 2u);
    EXPECT_EQ(body.nodes[static_cast<std::size_t>(body.outputs[1])].index, 4);
    EXPECT_EQ(body.reduced_outputs, (std::vector<std::string>{"lse"}));
}

TEST(AttentionInABody, TakesNumbersByPositionOrByKeyword) {
    const Body by_place = attention_body("out = attention(q, k, v, 1 / 8, 1, 511, 0, 30)");
    const Body by_name =
        attention_body("out = attention(q, k, v, softcap=30, window_right=0, window_left=511, causal=1, scale=0.125)");
    for (const Body* each : {&by_place, &by_name}) {
        EXPECT_EQ(each->attention->scale, 0.125);
        EXPECT_TRUE(each->attention->is_causal);
        EXPECT_EQ(each->attention->window_left, 511);
        EXPECT_EQ(each->attention->window_right, 0);
        EXPECT_EQ(each->attention->softcap, 30);
    }
}

TEST(AttentionInABody, DropsWeightsByPhilox) {
    // The words of Random123's known answers (kat_vectors, philox4x32 10).
    EXPECT_EQ(philox(0, {0, 0, 0, 0}), (std::array<std::uint32_t, 4>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
    EXPECT_EQ(philox(0xffffffffffffffff, {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}),
              (std::array<std::uint32_t, 4>{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
    EXPECT_EQ(philox(0x299f31d0a4093822, {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}),
              (std::array<std::uint32_t, 4>{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
    const Attention attention = *attention_body("out = attention(q, k, v, dropout=0.25, seed=42)").attention;
    EXPECT_EQ(attention.seed, 42u);
    EXPECT_EQ(attention.dropped_below(), 1u << 30);
    std::int64_t dropped = 0;
    for (std::int64_t row = 0; row < 100; ++row) {
        for (std::int64_t group = 0; group < 100; ++group)
            dropped += std::ranges::count(are_dropped(attention, 1, 2, row, group), true);
    }
    EXPECT_NEAR(static_cast<double>(dropped), 10000, 4 * std::sqrt(40000 * 0.25 * 0.75));
    EXPECT_THAT(attention_refusal("out = attention(q, k, v, dropout=1)"), HasSubstr("from 0 to below 1"));
    EXPECT_THAT(attention_refusal("out = attention(q, k, v, seed=-1)"), HasSubstr("`seed` must be an integer from 0"));
}

TEST(AttentionInABody, TakesLengthsABiasAndAMask) {
    const Body body = attention_body("out = attention(q, k, v, lengths=lengths, bias=bias, mask=mask)",
                                     attention_inputs + " lengths:B bias:H,1,M mask:N,M");
    EXPECT_EQ(body.attention->inputs(), (std::vector{0, 1, 2, 3, 4, 5}));
}

TEST(AttentionInABody, SeesColumnsFromTheLastRowsCorner) {
    const Body causal = attention_body("out = attention(q, k, v, causal=1)");
    const AttentionSizes sizes = sizes_of(*causal.attention, sizes_of_attention(3, 5));
    EXPECT_EQ(seen_columns(*causal.attention, sizes, 0).end, 3);
    EXPECT_EQ(seen_columns(*causal.attention, sizes, 2).end, 5);
    const Body window = attention_body("out = attention(q, k, v, window_left=1, window_right=1)");
    EXPECT_EQ(seen_columns(*window.attention, sizes, 0).first, 1);
    EXPECT_EQ(seen_columns(*window.attention, sizes, 0).end, 4);
    const Body both = attention_body("out = attention(q, k, v, causal=1, window_right=3)");
    EXPECT_EQ(both.attention->last_seen(), 0);
    const AttentionSizes more_rows = sizes_of(*causal.attention, sizes_of_attention(5, 3));
    EXPECT_LE(seen_columns(*causal.attention, more_rows, 1).end, 0);
}

TEST(AttentionInABody, CountsTheScoresThatAreSeen) {
    const auto flops = [](const std::string& options, std::int64_t rows, std::int64_t columns) {
        const Operator definition =
            attention_definition("out = attention(q, k, v" + options + ")", attention_inputs, "out:B,H,N,D");
        return analyse_case(definition, *analyse(definition), {"", DType::f32, sizes_of_attention(rows, columns)})
            .flops;
    };
    EXPECT_EQ(flops("", 3, 5), 4.0 * 2 * 4 * 15 * 8);
    EXPECT_EQ(flops(", causal=1", 3, 5), 4.0 * 2 * 4 * (3 + 4 + 5) * 8);
    EXPECT_EQ(flops(", causal=1", 5, 3), 4.0 * 2 * 4 * (1 + 2 + 3) * 8);
    EXPECT_EQ(flops(", window_left=0, window_right=0", 4, 4), 4.0 * 2 * 4 * 4 * 8);
}

TEST(AttentionInABody, CountsAsManyScoresAsRowsSee) {
    for (const char* options : {", causal=1", ", window_left=2", ", window_right=3", ", window_left=1, window_right=0",
                                ", causal=1, window_left=4", ", window_left=100, window_right=100"}) {
        const Attention attention = *attention_body("out = attention(q, k, v" + std::string(options) + ")").attention;
        for (const auto& [rows, columns] : {std::pair(7, 7), {3, 20}, {20, 3}, {1, 1}, {1, 9}, {9, 1}}) {
            const AttentionSizes sizes = sizes_of(attention, sizes_of_attention(rows, columns));
            std::int64_t seen = 0;
            for (std::int64_t row = 0; row < rows; ++row) {
                const SeenColumns of_row = seen_columns(attention, sizes, row);
                seen += std::max<std::int64_t>(0, of_row.end - of_row.first);
            }
            EXPECT_EQ(seen_scores(attention, sizes), 8.0 * static_cast<double>(seen))
                << options << ' ' << rows << ' ' << columns;
        }
    }
}

TEST(AttentionInABody, NeedsAllInputsWhereEveryRowAndColumnIsSeen) {
    const auto needs = [](const std::string& options, std::int64_t rows, std::int64_t columns) {
        return needs_all_inputs(attention_body("out = attention(q, k, v" + options + ")"),
                                sizes_of_attention(rows, columns));
    };
    EXPECT_TRUE(needs("", 3, 5));
    EXPECT_TRUE(needs(", causal=1", 3, 5));
    EXPECT_FALSE(needs(", causal=1", 5, 3));
    EXPECT_FALSE(needs(", window_left=1", 3, 5));
}

TEST(AttentionInABody, RefusesShapesThatDoNotFit) {
    EXPECT_THAT(attention_refusal("out = attention(q, k, v)", "q:B,N,D k:B,M,D v:B,M,D", "out:B,N,D"),
                HasSubstr("body:1:7: `attention` takes queries [B, H, N, D] with keys and values [B, Hk, M, D], not "
                          "[B, N, D], [B, M, D] and [B, M, D]"));
    EXPECT_THAT(attention_refusal("out = attention(q, k, v)", "q:B,H,N,D k:B,Hk,M,D v:B,Hk,N,D"), HasSubstr("takes"));
    EXPECT_THAT(attention_refusal("out = attention(q, k, v)", "q:B,6,N,D k:B,4,M,D v:B,4,M,D", "out:B,6,N,D"),
                HasSubstr("the queries have 6 heads, which the 4 heads of the keys do not divide"));
    EXPECT_THAT(attention_refusal("out = attention(q, k, v, lengths=lengths)", attention_inputs + " lengths:N"),
                HasSubstr("`lengths` must have shape [B], not [N]"));
    EXPECT_THAT(attention_refusal("out = attention(q, k, v, bias=bias)", attention_inputs + " bias:M,N"),
                HasSubstr("`bias` must broadcast to [B, H, N, M], and has shape [M, N]"));
    EXPECT_THAT(attention_refusal("out, lse = attention(q, k, v)", attention_inputs, "out:B,H,N,D lse:B,H,N,D"),
                HasSubstr("output `lse` is declared [B, H, N, D], but its value has shape [B, H, N, 1]"));
    EXPECT_THAT(attention_refusal("out = attention(q, k, v)", "q:B,1,N,D k:B,1,M,D v:B,1,M,D"),
                HasSubstr("output `out` is declared [B, H, N, D], but its value has shape [B, 1, N, D]"));
    EXPECT_THAT(attention_refusal("out = attention(q, k, v)", attention_inputs, "out:2,B,H,N,D"),
                HasSubstr("but its value has shape [B, H, N, D]"));
    EXPECT_THAT(attention_refusal("out = attention(q, k, v, softcap=1e39)"), HasSubstr("from 1e-30 to 1e30"));
    EXPECT_THAT(attention_refusal("out = attention(q, k, v)", attention_inputs, "out:B,H,M,D"),
                HasSubstr("output `out` is declared [B, H, M, D], but its value has shape [B, H, N, D]"));
}

TEST(AttentionInABody, RefusesArgumentsThatItDoesNotHave) {
    EXPECT_THAT(attention_refusal("out = attention(q, k)"),
                HasSubstr("takes queries, keys and values, not 2 arguments"));
    EXPECT_THAT(attention_refusal("out = attention(q, k, v, causal=2)"),
                HasSubstr("body:1:33: `causal` must be an integer from 0 to 1"));
    EXPECT_THAT(attention_refusal("out = attention(q, k, v, window_left=-2)"), HasSubstr("from -1 to"));
    EXPECT_THAT(attention_refusal("out = attention(q, k, v, scale=D)"),
                HasSubstr("`scale` must be 0 or a number from 1e-30"));
    EXPECT_THAT(attention_refusal("out = attention(q, k, v, softcap=-1)"),
                HasSubstr("`softcap` must be 0 or a number"));
    EXPECT_THAT(attention_refusal("out = attention(q, k, v, causal=1, causal=1)"),
                HasSubstr("no argument `causal` here"));
    EXPECT_THAT(attention_refusal("out = attention(q, k, v, mask=q)"), HasSubstr("must broadcast"));
}

TEST(AttentionInABody, OfAPagedCacheHasTheColumnsOfItsTable) {
    const std::string inputs = "q:B,H,N,D k:P,Hk,S,D v:P,Hk,S,D table:B,T";
    const Body body = attention_body("out = attention(q, k, v, block_table=table)", inputs);
    const Sizes sizes = {{"B", 2}, {"H", 4}, {"Hk", 2}, {"N", 1}, {"D", 8}, {"P", 5}, {"S", 16}, {"T", 3}};
    EXPECT_TRUE(body.attention->is_paged());
    EXPECT_EQ(sizes_of(*body.attention, sizes).columns, 48);
    EXPECT_EQ(seen_scores(*body.attention, sizes_of(*body.attention, sizes)), 2 * 4 * 48);
}

TEST(AttentionInABody, OfAPagedCacheTellsWhichShapesItTakes) {
    const std::string call = "out = attention(q, k, v, block_table=table)", queries = "q:B,H,N,D ";
    EXPECT_THAT(attention_refusal(call, queries + "k:P,Hk,S,D v:P,Hk,S,D table:T"),
                HasSubstr("`block_table` must have shape [B, T], the blocks of each batch, not [T]"));
    EXPECT_THAT(attention_refusal(call, queries + "k:P,Hk,S,D v:P,Hk,S,D table:P,T"), HasSubstr("not [P, T]"));
    EXPECT_THAT(attention_refusal(call, queries + "k:P,S,D v:P,S,D table:B,T"),
                HasSubstr("keys and values [P, Hk, S, D], blocks of S columns, not [B, H, N, D], [P, S, D]"));
    EXPECT_THAT(attention_refusal("out = attention(q, k, v, block_table=k)", queries + "k:B,T v:B,T"),
                HasSubstr("with `block_table` `attention` takes"));
    EXPECT_THAT(attention_refusal("out = attention(q, k, v, k_scale=2, block_table=table)",
                                  queries + "k:P,Hk,S,D v:P,Hk,S,D table:B,T"),
                HasSubstr("does not go with operands of 8 bits or with scales"));
    EXPECT_THAT(attention_refusal("out = attention(q, k, v, block_table=blocks)",
                                  queries + "k:P,Hk,S,D v:P,Hk,S,D blocks:B,T table:B,T"),
                HasSubstr("`block_table` must have dtype i32"));
}

TEST(AttentionInABody, SaysWhatCannotBeFused) {
    const std::string own = "make an operator of";
    EXPECT_THAT(attention_refusal("out = attention(q * 2, k, v)"), HasSubstr("must be an input"));
    EXPECT_THAT(attention_refusal("out = attention(q * 2, k, v)"), HasSubstr(own));
    EXPECT_THAT(attention_refusal("out = attention(q, k, v) * 2"), HasSubstr("is the only statement of its body"));
    EXPECT_THAT(attention_refusal("t = attention(q, k, v); out = t * 2"),
                HasSubstr("is the only statement of its body"));
    EXPECT_THAT(attention_refusal("a, b = attention(q, k, v)"), HasSubstr("output `out` is not assigned"));
    EXPECT_THAT(attention_refusal("out, b = attention(q, k, v)"),
                HasSubstr("a result of `attention` must be an output: `b`"));
    EXPECT_THAT(attention_refusal("out, b = relu(q)"),
                HasSubstr("only `attention` and `attention_backward` give several"));
    EXPECT_THAT(attention_refusal("out, = attention(q, k, v)"), HasSubstr("expected a name"));
}

/// Operands of E4M3, and scales in f32.
Operator scaled_definition(const std::string& body, const std::string& scales, DType dtype = DType::f8e4m3) {
    Operator made = attention_definition(body, attention_inputs + " " + scales, "out:B,H,N,D");
    made.symbols.insert(made.symbols.end(), {"P", "R"});
    for (std::size_t i = 0; i < made.inputs.size(); ++i) made.inputs[i].dtype = i < 3 ? dtype : DType::f32;
    return made;
}

std::string scale_refusal(const std::string& options, const std::string& scales, DType dtype = DType::f8e4m3) {
    const Validated<Body> analysed =
        analyse(scaled_definition("out = attention(q, k, v, " + options + ")", scales, dtype));
    return analysed ? "" : to_string(analysed.error());
}

TEST(AttentionInABody, TakesScalesOfTensorsAndOfBlocks) {
    const Operator definition = scaled_definition(
        "out = attention(q, k, v, q_scale=a, k_scale=0.5, v_scale=b, scale_block=64)", "a:1 b:B,Hk,R");
    const Attention attention = *analyse(definition)->attention;
    EXPECT_EQ(attention.query_scale, (OperandScale{.input = 3}));
    EXPECT_EQ(attention.key_scale, (OperandScale{.number = 0.5}));
    EXPECT_EQ(attention.value_scale, (OperandScale{.input = 4, .blocks = "R"}));
    EXPECT_EQ(attention.inputs(), (std::vector{0, 1, 2, 3, 4}));
    EXPECT_EQ(required_sizes(definition), (std::vector<DerivedSize>{{"H", "H / Hk * Hk"}, {"R", "(M + 63) / 64"}}));
    Sizes sizes = sizes_of_attention(3, 130);
    sizes["R"] = 2;
    EXPECT_THAT(space_of(*analyse(definition), sizes).error().message.text(),
                HasSubstr("a head has 130 rows, of which every 64 share a scale, so 3 scales, not 2"));
    fit_sizes(definition, sizes);
    EXPECT_EQ(sizes.at("R"), 3);
    EXPECT_EQ(scale_refusal("q_scale=a", "a:B,H,P", DType::f8e5m2), "");
}

TEST(AttentionInABody, RefusesScalesThatDoNotFit) {
    EXPECT_THAT(scale_refusal("q_scale=a", "a:1", DType::bf16),
                HasSubstr("`q_scale` is for operands of dtype f8e4m3 or f8e5m2"));
    EXPECT_THAT(
        scale_refusal("k_scale=a", "a:B,H,R"),
        HasSubstr("`k_scale` must have shape [1], or [B, Hk, blocks] with a scale for every 128 rows of a head, "
                  "not [B, H, R]"));
    EXPECT_THAT(scale_refusal("v_scale=0", "a:1"), HasSubstr("`v_scale` must be a number from 1e-30 to 1e30"));
    EXPECT_THAT(scale_refusal("scale_block=0", "a:1"), HasSubstr("`scale_block` must be an integer from 1 to"));
    EXPECT_THAT(scale_refusal("v_scale=v", "a:1"), HasSubstr("`v_scale` must have dtype f32, f64, f16 or bf16"));
    Operator twice = scaled_definition("out = attention(q, k, k, k_scale=a)", "a:1");
    twice.inputs.erase(twice.inputs.begin() + 2);
    EXPECT_THAT(to_string(analyse(twice).error()), HasSubstr("`k` is given twice, with scales that differ"));
}

TEST(AttentionInABody, HasSizesThatFit) {
    const Operator definition = attention_definition("out = attention(q, k, v)", attention_inputs, "out:B,H,N,D");
    const Body body = *analyse(definition);
    Sizes sizes = sizes_of_attention(3, 5);
    EXPECT_TRUE(space_of(body, sizes));
    sizes["Hk"] = 3;
    EXPECT_THAT(space_of(body, sizes).error().message.text(), HasSubstr("which the 3 heads of the keys do not divide"));
    fit_sizes(definition, sizes);
    EXPECT_EQ(sizes.at("Hk"), 2);
    sizes["Hk"] = 70;
    fit_sizes(definition, sizes);
    EXPECT_EQ(sizes.at("Hk"), 4);
    EXPECT_EQ(required_sizes(definition), (std::vector<DerivedSize>{{"H", "H / Hk * Hk"}}));
}

}  // namespace
}  // namespace kernelgen
