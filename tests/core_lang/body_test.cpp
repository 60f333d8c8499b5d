// SPDX-License-Identifier: Apache-2.0
// Shapes, the iteration space and how tensors follow its rows.
#include "core/lang/body.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/lang/shape.h"
#include "tests/core_lang/definitions.h"

namespace kernelgen {
namespace {

const Sizes sizes = {{"B", 2}, {"P", 3}, {"Q", 5}, {"D", 7}};

std::string shape_of_sum(const std::string& a, const std::string& b) {
    Said problem;
    const auto shape = broadcast(tensor_of("a:" + a).shape, tensor_of("b:" + b).shape, problem);
    return shape ? to_string(*shape) : problem.text();
}

TEST(Broadcast, FollowsNumPyFromTheLastAxis) {
    EXPECT_EQ(shape_of_sum("", ""), "[]");
    EXPECT_EQ(shape_of_sum("", "P,D"), "[P, D]");
    EXPECT_EQ(shape_of_sum("D", "P,D"), "[P, D]");
    EXPECT_EQ(shape_of_sum("P,1", "D"), "[P, D]");
    EXPECT_EQ(shape_of_sum("P,1", "1,D"), "[P, D]");
    EXPECT_EQ(shape_of_sum("B,1,Q,1", "P,1,D"), "[B, P, Q, D]");
    EXPECT_EQ(shape_of_sum("1", "1,1"), "[1, 1]");
    EXPECT_EQ(shape_of_sum("P,D", "Q,D"), "shapes [P, D] and [Q, D] do not broadcast: `P` against `Q`");
}

Body body_of(const Operator& definition) {
    Validated<Body> body = analyse(definition);
    if (!body) throw std::invalid_argument(to_string(body.error()));
    return std::move(*body);
}

TEST(Body, HasTheBroadcastOfEverythingAsItsSpace) {
    const Body body = body_of(define("out = x + y", "x:P,1 y:D"));
    EXPECT_EQ(body.space, (Shape{"P", "D"}));
    EXPECT_FALSE(body.has_reductions());
    const Space space = space_of(body, sizes).value();
    EXPECT_EQ(space.rows, 3);
    EXPECT_EQ(space.columns, 7);
}

TEST(Body, FlattensLeadingDimensionsToRows) {
    const Space space = space_of(body_of(define("out = x", "x:B,P,Q,D", "out:B,P,Q,D")), sizes).value();
    EXPECT_EQ(space.rows, 2 * 3 * 5);
    EXPECT_EQ(space.columns, 7);
}

TEST(Body, OfScalarsHasOneElement) {
    const Space space = space_of(body_of(define("out = x * 2", "x:", "out:")), sizes).value();
    EXPECT_EQ(space.rows, 1);
    EXPECT_EQ(space.columns, 1);
}

TEST(Body, SharesEqualSubexpressionsAndDropsWhatNoOutputNeeds) {
    const Body body = body_of(define("unused = exp(bias)\nout = (x - row_max(x)) * (x - row_max(x)) + bias"));
    int reductions = 0, exponentials = 0;
    for (const Node& node : body.nodes) {
        reductions += is_reduction(node.op);
        exponentials += node.op == Op::exp;
    }
    EXPECT_EQ(reductions, 1);
    EXPECT_EQ(exponentials, 0);
}

TEST(Body, CountsReductionsThatLieAboveOneAnother) {
    EXPECT_EQ(body_of(define("m = row_max(x); e = exp(x - m); out = e / row_sum(e)", "x:P,D")).depth, 2);
    EXPECT_EQ(body_of(define("out = x - row_max(x) + row_min(x)", "x:P,D")).depth, 1);
}

TEST(Body, MarksWhatDiffersBetweenRowsAndBetweenColumns) {
    const Body body = body_of(define("m = row_mean(x); c = x - m; b = exp(bias); out = c + b"));
    const auto extent_of = [&](const std::string& label) {
        const auto node = std::ranges::find(body.nodes, label, &Node::label);
        return std::string(node->per_row ? "rows " : "") + (node->per_column ? "columns" : "");
    };
    EXPECT_EQ(extent_of("m"), "rows ");
    EXPECT_EQ(extent_of("c"), "rows columns");
    EXPECT_EQ(extent_of("b"), "columns");
}

TEST(Body, WritesSquaresAndCubesAsProducts) {
    for (const Node& node : body_of(define("out = x ** 2 + pow(x, 3)", "x:P,D")).nodes) EXPECT_NE(node.op, Op::power);
}

TEST(Space, NeedsEverySizeToBeGivenAndPositive) {
    const Body body = body_of(define("out = x", "x:P,D"));
    EXPECT_EQ(space_of(body, {{"P", 3}}).error().message, "the size of `D` is not given");
    EXPECT_EQ(space_of(body, {{"P", 0}, {"D", 1}}).error().message, "`P` is 0; sizes are at least 1");
    EXPECT_EQ(space_of(body, {{"P", 4}, {"D", -4}}).error().message, "`D` is -4; sizes are at least 1");
}

TEST(Space, RefusesMoreThan2To63Elements) {
    const Body body = body_of(define("out = x", "x:P,D"));
    EXPECT_TRUE(space_of(body, {{"P", 1ll << 31}, {"D", 1ll << 31}}));
    EXPECT_EQ(space_of(body, {{"P", 1ll << 32}, {"D", 1ll << 31}}).error().message,
              "[P, D] has more than 2^63 elements");
}

TEST(ElementCount, IsNothingWhereItDoesNotFit) {
    EXPECT_EQ(element_count(tensor_of("x:P,D,4"), sizes), 3 * 7 * 4);
    EXPECT_EQ(element_count(tensor_of("x:"), sizes), 1);
    EXPECT_EQ(element_count(tensor_of("x:P,D"), {{"P", 1ll << 32}, {"D", 1ll << 32}}), std::nullopt);
    EXPECT_EQ(element_count(tensor_of("x:R"), sizes), std::nullopt);
}

/// The row of the tensor that each row of the space reads.
std::vector<std::int64_t> rows_read(const Operator& definition, const Tensor& tensor) {
    const Body body = body_of(definition);
    const RowMap map = row_map(body, tensor, sizes);
    std::vector<std::int64_t> rows;
    for (std::int64_t row = 0; row < space_of(body, sizes)->rows; ++row) rows.push_back(map(row));
    return rows;
}

TEST(RowMap, RepeatsABiasOnEveryRow) {
    const Operator definition = define("out = x + bias");
    EXPECT_EQ(rows_read(definition, definition.inputs[0]), (std::vector<std::int64_t>{0, 1, 2}));
    EXPECT_EQ(rows_read(definition, definition.inputs[1]), (std::vector<std::int64_t>{0, 0, 0}));
    EXPECT_EQ(row_map(body_of(definition), definition.inputs[1], sizes).columns, 7);
}

TEST(RowMap, GivesOneColumnToATensorOfOneColumn) {
    const Operator definition = define("out = x * scale", "x:P,D scale:P,1");
    EXPECT_EQ(rows_read(definition, definition.inputs[1]), (std::vector<std::int64_t>{0, 1, 2}));
    EXPECT_EQ(row_map(body_of(definition), definition.inputs[1], sizes).columns, 1);
}

TEST(RowMap, SkipsTheDimensionsThatATensorLacks) {
    const Operator definition = define("out = x + inner + outer", "x:B,P,D inner:P,D outer:B,1,D", "out:B,P,D");
    EXPECT_EQ(rows_read(definition, definition.inputs[0]), (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(rows_read(definition, definition.inputs[1]), (std::vector<std::int64_t>{0, 1, 2, 0, 1, 2}));
    EXPECT_EQ(rows_read(definition, definition.inputs[2]), (std::vector<std::int64_t>{0, 0, 0, 1, 1, 1}));
}

TEST(RowMap, WeighsDimensionsOfRankFourByTheTensorsOwnStrides) {
    const Operator definition = define("out = x + y", "x:B,P,Q,D y:B,1,Q,1", "out:B,P,Q,D");
    const RowMap map = row_map(body_of(definition), definition.inputs[1], sizes);
    EXPECT_EQ(map.rows, 2 * 5);
    EXPECT_EQ(map((1 * 3 + 2) * 5 + 4), 1 * 5 + 4);  // b = 1, p = 2, q = 4
}

TEST(RowMap, FollowsOutputsWhoseReducedAxisIsLeftOut) {
    const Operator definition = define("out = row_sum(x)", "x:P,D", "out:P");
    const RowMap map = row_map(body_of(definition), definition.outputs[0], sizes);
    EXPECT_EQ(map.rows, 3);
    EXPECT_EQ(map.columns, 1);
    EXPECT_EQ(rows_read(definition, definition.outputs[0]), (std::vector<std::int64_t>{0, 1, 2}));
}

TEST(RowMap, TellsTheReducedAxisOfASquareFromTheOther) {
    const Operator definition = define("out = row_sum(x) + 0 * row_sum(bias)", "x:D,D bias:D", "out:D");
    const Body body = body_of(definition);
    EXPECT_EQ(row_map(body, definition.outputs[0], sizes).columns, 1);
    EXPECT_EQ(row_map(body, definition.outputs[0], sizes).rows, 7);
    EXPECT_EQ(row_map(body, definition.inputs[1], sizes).columns, 7);
}

TEST(RowMap, TakesAScalarOutputOfARow) {
    const Operator definition = define("out = row_max(x)", "x:D", "out:");
    EXPECT_EQ(row_map(body_of(definition), definition.outputs[0], sizes).columns, 1);
}

}  // namespace
}  // namespace kernelgen
