// SPDX-License-Identifier: Apache-2.0
// `attention_backward` in bodies: arguments, the spaces of its results, what is counted, and what is refused.
#include <gmock/gmock.h>

#include "core/lang/analysis.h"
#include "core/lang/attention.h"
#include "tests/core_lang/definitions.h"

namespace kernelgen {
namespace {

using ::testing::HasSubstr;

const std::string gradient_inputs = "q:B,H,N,D k:B,Hk,M,D v:B,Hk,M,D out:B,H,N,D lse:B,H,N dout:B,H,N,D",
                  gradient_outputs = "dq:B,H,N,D dk:B,Hk,M,D dv:B,Hk,M,D",
                  backward_call = "dq, dk, dv = attention_backward(q, k, v, out, lse, dout";

Operator backward_definition(const std::string& body, const std::string& inputs = gradient_inputs,
                             const std::string& outputs = gradient_outputs) {
    Operator definition = define(body, inputs, outputs);
    definition.symbols = {"B", "H", "Hk", "N", "M", "D"};
    for (Tensor& each : definition.inputs) {
        if (each.name == "lengths") each.dtype = DType::i32;
        if (each.name == "mask") each.dtype = DType::i8;
    }
    return definition;
}

std::string backward_refusal(const std::string& body, const std::string& inputs = gradient_inputs,
                             const std::string& outputs = gradient_outputs) {
    const Validated<Body> analysed = analyse(backward_definition(body, inputs, outputs));
    return analysed ? "" : to_string(analysed.error());
}

Sizes backward_sizes(std::int64_t rows, std::int64_t columns) {
    return {{"B", 2}, {"H", 4}, {"Hk", 2}, {"N", rows}, {"M", columns}, {"D", 8}};
}

TEST(AttentionBackwardInABody, HasItsInputsAndOptions) {
    const auto body = analyse(backward_definition(backward_call + ", 1 / 8, causal=1, lengths=lengths, bias=bias)",
                                                  gradient_inputs + " lengths:B bias:M"));
    ASSERT_TRUE(body) << to_string(body.error());
    EXPECT_TRUE(body->attention->is_backward());
    EXPECT_EQ(body->attention->inputs(), (std::vector{0, 1, 2, 3, 4, 5, 6, 7}));
    EXPECT_EQ(body->attention->scale, 0.125);
    EXPECT_TRUE(body->attention->is_causal);
    EXPECT_EQ(
        backward_refusal(backward_call + ")", "q:B,H,N,D k:B,Hk,M,D v:B,Hk,M,D out:B,H,N,D lse:B,H,N,1 dout:B,H,N,D"),
        "");
}

TEST(AttentionBackwardInABody, GivesResultsThatHaveRowsOfTheirOwn) {
    const Operator definition = backward_definition(backward_call + ")");
    const Body body = *analyse(definition);
    for (const auto& [rows, columns] : {std::pair(3, 20), {20, 3}, {1, 1}}) {
        const Sizes sizes = backward_sizes(rows, columns);
        const Space space = *space_of(body, sizes);
        EXPECT_EQ(space.rows, 2 * std::max(4 * rows, 2 * columns));
        EXPECT_EQ(space.columns, 8);
        const RowMap queries = row_map(body, definition.outputs[0], sizes),
                     keys = row_map(body, definition.outputs[1], sizes);
        EXPECT_EQ(queries.rows, 8 * rows);
        EXPECT_EQ(keys.rows, 4 * columns);
        EXPECT_TRUE(queries.has(8 * rows - 1));
        EXPECT_FALSE(queries.has(8 * rows));
        EXPECT_FALSE(keys.has(4 * columns));
        EXPECT_EQ(keys(4 * columns - 1), 4 * columns - 1);
    }
}

TEST(AttentionBackwardInABody, CountsTwoAndAHalfTimesTheForwardPass) {
    for (const std::string options : {"", ", causal=1"}) {
        const Operator backward = backward_definition(backward_call + options + ")");
        const Operator forward = backward_definition("out = attention(q, k, v" + options + ")",
                                                     "q:B,H,N,D k:B,Hk,M,D v:B,Hk,M,D", "out:B,H,N,D");
        const Case binding{"", DType::f32, backward_sizes(3, 5)};
        const Analysis analysis = analyse_case(backward, *analyse(backward), binding);
        EXPECT_EQ(analysis.flops, 2.5 * analyse_case(forward, *analyse(forward), binding).flops);
        EXPECT_EQ(analysis.bytes_read, 4.0 * (3 * 192 + 2 * 160 + 24));
        EXPECT_EQ(analysis.bytes_written, 4.0 * (192 + 2 * 160));
    }
}

TEST(AttentionBackwardInABody, RefusesTensorsThatDoNotFit) {
    EXPECT_THAT(
        backward_refusal("dq, dk, dv = attention_backward(q, k, v, out, dout)",
                         "q:B,H,N,D k:B,Hk,M,D v:B,Hk,M,D out:B,H,N,D dout:B,H,N,D"),
        HasSubstr("body:1:14: `attention_backward` takes queries, keys, values, the result, its log-sum-exp and "
                  "its gradient, not 5 arguments"));
    EXPECT_THAT(backward_refusal("dq, dk, dv = attention_backward(q, k, v, out, dout, lse)"),
                HasSubstr("`lse` must have the shape of the queries, [B, H, N, D], not [B, H, N]"));
    EXPECT_THAT(
        backward_refusal(backward_call + ")", "q:B,H,N,D k:B,Hk,M,D v:B,Hk,M,D out:B,H,N,D lse:B,H,M dout:B,H,N,D"),
        HasSubstr("the log-sum-exp `lse` must have shape [B, H, N] or [B, H, N, 1], not [B, H, M]"));
    EXPECT_THAT(
        backward_refusal(backward_call + ")", "q:B,H,N,D k:B,Hk,M,D v:B,Hk,M,D out:B,Hk,M,D lse:B,H,N dout:B,H,N,D"),
        HasSubstr("`out` must have the shape of the queries, [B, H, N, D], not [B, Hk, M, D]"));
    EXPECT_THAT(backward_refusal(backward_call + ")", gradient_inputs, "dq:B,H,N,D dk:B,H,M,D dv:B,Hk,M,D"),
                HasSubstr("output `dk` is declared [B, H, M, D], but its value has shape [B, Hk, M, D]"));
    EXPECT_THAT(backward_refusal("dq, dk, dv = attention_backward(q * 2, k, v, out, lse, dout)"),
                HasSubstr("a tensor of `attention_backward` must be an input"));
    EXPECT_THAT(backward_refusal("dq, dk, dv = attention_backward(q, k, v, out, lse=lse, dout=dout)"),
                HasSubstr("the first six tensors of `attention_backward` go by position"));
    Operator integers = backward_definition(backward_call + ")");
    integers.inputs[4].dtype = DType::i32;
    EXPECT_THAT(to_string(analyse(integers).error()), HasSubstr("`lse` must have a floating-point dtype"));
    EXPECT_THAT(backward_refusal("dq, dk, dv = attention_backward(q, k, v, causal=1)"),
                HasSubstr("its log-sum-exp and its gradient, not 3 arguments"));
}

TEST(AttentionBackwardInABody, RefusesDtypesInWhichWeightsAreInaccurateOrMixed) {
    Operator narrow = backward_definition(backward_call + ")");
    narrow.inputs[4].dtype = DType::bf16;
    EXPECT_THAT(to_string(analyse(narrow).error()),
                HasSubstr("the log-sum-exp `lse` must have dtype f32 or f64, not bf16"));
    narrow.inputs[4].dtype = DType::f32;
    EXPECT_TRUE(analyse(narrow));
    narrow.inputs[5].dtype = DType::f32;
    EXPECT_THAT(to_string(analyse(narrow).error()), HasSubstr("`dout` must have the dtype of the queries"));
}

/// One that leaves out a last axis of 1 would be stored in other places.
TEST(AttentionBackwardInABody, RefusesResultsWithoutTheAxisOfHeadsOfOneElement) {
    EXPECT_THAT(
        backward_refusal(backward_call + ")", "q:B,H,N,1 k:B,H,N,1 v:B,H,N,1 out:B,H,N,1 lse:B,H,N dout:B,H,N,1",
                         "dq:B,H,N dk:B,H,N,1 dv:B,H,N,1"),
        HasSubstr("output `dq` is declared [B, H, N], but its value has shape [B, H, N, 1]"));
}

TEST(AttentionBackwardInABody, RefusesAnotherNumberOfResults) {
    const std::string values = "`attention_backward` gives three values, not ";
    EXPECT_THAT(backward_refusal("dq = attention_backward(q, k, v, out, lse, dout)", gradient_inputs, "dq:B,H,N,D"),
                HasSubstr(values + "1"));
    EXPECT_THAT(backward_refusal("dq, dk = attention_backward(q, k, v, out, lse, dout)", gradient_inputs,
                                 "dq:B,H,N,D dk:B,Hk,M,D"),
                HasSubstr(values + "2"));
    EXPECT_THAT(backward_refusal("dq, dk, dv, db = attention_backward(q, k, v, out, lse, dout)"),
                HasSubstr(values + "4"));
    EXPECT_THAT(backward_refusal(backward_call + ")", gradient_inputs, "dq:B,H,N,D dk:B,Hk,M,D"),
                HasSubstr("a result of `attention_backward` must be an output: `dv`"));
}

TEST(AttentionBackwardInABody, RefusesArgumentsThatItDoesNotHave) {
    EXPECT_THAT(backward_refusal(backward_call + ", dropped=1)"),
                HasSubstr("`attention_backward` has no argument `dropped` here"));
    EXPECT_THAT(backward_refusal(backward_call + ", causal=2)"), HasSubstr("`causal` must be an integer from 0 to 1"));
    EXPECT_THAT(backward_refusal(backward_call + ", block_table=q)"),
                HasSubstr("`attention_backward` has no `block_table`"));
    EXPECT_THAT(backward_refusal(backward_call + "); x = dq * 2"), HasSubstr("is the only statement of its body"));
    EXPECT_THAT(backward_refusal("dq = 2 * attention_backward(q, k, v, out, lse, dout)", gradient_inputs, "dq:B,H,N,D"),
                HasSubstr("is the only statement of its body"));
}

}  // namespace
}  // namespace kernelgen
