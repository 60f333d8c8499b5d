// SPDX-License-Identifier: Apache-2.0
// `a @ b` and `transpose` in bodies: shapes, what is split off, what is counted, and what is refused.
#include "core/lang/contraction.h"

#include <gmock/gmock.h>

#include "core/lang/analysis.h"
#include "core/lang/integer_expression.h"
#include "tests/core_lang/definitions.h"

namespace kernelgen {
namespace {

using ::testing::HasSubstr;

Body contraction_of(const std::string& body, const std::string& inputs, const std::string& outputs = "out:M,N") {
    Validated<Body> analysed = analyse(define(body, inputs, outputs));
    if (!analysed) throw std::invalid_argument(to_string(analysed.error()));
    return std::move(*analysed);
}

std::string refusal_of(const std::string& body, const std::string& inputs, const std::string& outputs = "out:M,N") {
    const Validated<Body> analysed = analyse(define(body, inputs, outputs));
    return analysed ? "" : to_string(analysed.error());
}

TEST(Contraction, IsALeafOfTheEpilogue) {
    const Body body = contraction_of("t = a @ b + bias; out = t * sigmoid(t)", "a:M,K b:K,N bias:N");
    ASSERT_NE(body.contraction, nullptr);
    EXPECT_EQ(body.space, (Shape{"M", "N"}));
    EXPECT_EQ(body.contraction->depth, "K");
    EXPECT_EQ(body.contraction->shape, (Shape{"M", "N"}));
    EXPECT_FALSE(body.contraction->left.has_prologue());
    EXPECT_FALSE(body.has_reductions());
    const auto product = std::ranges::find(body.nodes, Op::contraction, &Node::op);
    ASSERT_NE(product, body.nodes.end());
    EXPECT_TRUE(product->operands.empty());
    EXPECT_EQ(product->index, 3);
    EXPECT_TRUE(product->per_row && product->per_column);
}

TEST(Contraction, ReadsTransposedOperandsAndPrologues) {
    const Body body = contraction_of("out = transpose(a * s) @ transpose(b)", "a:K,M s:K,1 b:N,K");
    EXPECT_TRUE(body.contraction->left.is_transposed);
    EXPECT_TRUE(body.contraction->right.is_transposed);
    EXPECT_TRUE(body.contraction->left.has_prologue());
    EXPECT_EQ(body.contraction->left.values.space, (Shape{"K", "M"}));
    EXPECT_EQ(shape_of(body.contraction->left), (Shape{"M", "K"}));
}

TEST(Contraction, IsNotBroadcastItself) {
    EXPECT_THAT(refusal_of("out = a @ b + c", "a:M,K b:K,N c:B,M,N", "out:B,M,N"),
                HasSubstr("the product has shape [M, N], but the body's rows are of [B, M, N]"));
    EXPECT_THAT(refusal_of("out = a @ b", "a:1,K b:K,N"), HasSubstr("the product has shape [1, N]"));
    EXPECT_EQ(refusal_of("out = a @ b + c", "a:M,K b:K,N c:1,N"), "");
}

TEST(Contraction, BroadcastsTheBatch) {
    const Body body = contraction_of("out = a @ b", "a:B,1,M,K b:H,K,N", "out:B,H,M,N");
    EXPECT_EQ(body.contraction->shape, (Shape{"B", "H", "M", "N"}));
    const Sizes sizes = {{"B", 2}, {"H", 3}, {"M", 4}, {"K", 5}, {"N", 6}};
    const ContractionSizes found = sizes_of(*body.contraction, sizes);
    EXPECT_EQ(found.batches, 6);
    EXPECT_EQ(found.flops(), 2.0 * 6 * 4 * 5 * 6);
    const RowMap left = batch_map(*body.contraction, body.contraction->left, sizes);
    const RowMap right = batch_map(*body.contraction, body.contraction->right, sizes);
    EXPECT_EQ(left.rows, 2);
    EXPECT_EQ(right.rows, 3);
    EXPECT_EQ(left(5), 1);  // batch (1, 2)
    EXPECT_EQ(right(5), 2);
}

TEST(Contraction, CountsTwoOperationsForEachMultiplyAdd) {
    const Operator definition = define("out = (2 * a) @ b + c", "a:M,K b:K,N c:N", "out:M,N");
    const Body body = contraction_of("out = (2 * a) @ b + c", "a:M,K b:K,N c:N");
    const Case binding{"case", DType::bf16, {{"M", 10}, {"K", 20}, {"N", 30}}};
    const Analysis analysis = analyse_case(definition, body, binding);
    EXPECT_EQ(analysis.flops, 2.0 * 10 * 20 * 30 + 10 * 20 + 10 * 30);
    EXPECT_EQ(analysis.bytes(), 2.0 * (10 * 20 + 20 * 30 + 30 + 10 * 30));
    EXPECT_TRUE(needs_all_inputs(body, {}));
}

TEST(Contraction, HasThePrecedenceOfAProduct) {
    const Body body = contraction_of("out = a @ b * 2 + 1", "a:M,K b:K,N");
    EXPECT_FALSE(body.contraction->left.has_prologue());
    EXPECT_FALSE(body.contraction->right.has_prologue());
    EXPECT_TRUE(contraction_of("out = 2 * a @ b", "a:M,K b:K,N").contraction->left.has_prologue());
}

TEST(Contraction, IsForgottenWhereNoOutputNeedsIt) {
    EXPECT_EQ(contraction_of("t = a @ b; out = c", "a:M,K b:K,N c:M,N").contraction, nullptr);
}

TEST(Contraction, RefusesWhatCannotBeFused) {
    EXPECT_THAT(refusal_of("out = a @ b", "a:M,K b:N,K"), HasSubstr("`K` against `N`"));
    EXPECT_THAT(refusal_of("out = a @ b", "a:K b:K,N"), HasSubstr("it needs two axes or more"));
    EXPECT_THAT(refusal_of("out = a @ b", "a:B,M,K b:H,K,N", "out:B,M,N"), HasSubstr("do not broadcast"));
    EXPECT_THAT(refusal_of("out = a @ b @ c", "a:M,K b:K,L c:L,N"), HasSubstr("one `@` or convolution at most"));
    EXPECT_THAT(refusal_of("out = (a - row_max(a)) @ b", "a:M,K b:K,N"), HasSubstr("row reduction"));
    EXPECT_THAT(refusal_of("t = a @ b; out = t / row_sum(t)", "a:M,K b:K,N"), HasSubstr("a tile has a part of a row"));
    EXPECT_THAT(refusal_of("out = a @ b + row_sum(y)", "a:M,K b:K,N y:M,N"), HasSubstr("a tile has a part of a row"));
    EXPECT_THAT(refusal_of("out = transpose(a) + b", "a:N,M b:M,N"), HasSubstr("it would be a copy"));
    EXPECT_THAT(refusal_of("out = transpose(a)", "a:N,M"), HasSubstr("it would be a copy"));
    EXPECT_THAT(refusal_of("out = transpose(transpose(a)) @ b", "a:M,K b:K,N"), HasSubstr("it would be a copy"));
    EXPECT_THAT(refusal_of("out = transpose(a) @ b", "a:K b:K,N"), HasSubstr("exchanges the last two axes"));
    EXPECT_THAT(refusal_of("out = transpose(a, b) @ b", "a:M,K b:K,N"), HasSubstr("takes 1 argument, not 2"));
    EXPECT_THAT(refusal_of("transpose = a; out = a @ b", "a:M,K b:K,N"), HasSubstr("is a word of the language"));
    EXPECT_THAT(refusal_of("out = a @", "a:M,K b:K,N"), HasSubstr("unexpected end"));
    EXPECT_THAT(refusal_of("out = a @ b", "a:M,K b:K,N", "out:M"), HasSubstr("out"));
}

TEST(Contraction, IsNoOperatorOfIntegers) { EXPECT_FALSE(IntegerExpression::parse("M @ N", "grid").has_value()); }

}  // namespace
}  // namespace kernelgen
