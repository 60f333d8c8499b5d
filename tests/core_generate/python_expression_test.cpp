// SPDX-License-Identifier: Apache-2.0
// The calls of functions in Python, by the forms of core/lang/operations.def.
#include "core/generate/python_expression.h"

#include <gtest/gtest.h>

#include "tests/core_generate/samples.h"

namespace kernelgen::tests {

namespace {

struct Written {
    std::string text;
    PythonNeeds needs;
};

Written written(const std::string& expression, PythonDialect dialect) {
    const Operator definition = make_operator("op", "out = x * y + " + expression, {"x:P,D", "y:P,D"});
    const Body body = analyse(definition).value();
    PythonExpression python(body, dialect);
    python.device = "d";
    for (std::size_t i = 0; i < body.nodes.size(); ++i) {
        const Node& node = body.nodes[i];
        if (node.op == Op::input)
            python.name(static_cast<int>(i), definition.inputs[static_cast<std::size_t>(node.index)].name);
    }
    const Node& sum = body.nodes[static_cast<std::size_t>(body.outputs[0])];
    const std::string text = python.definition(sum.operands[1]);
    return {text, python.needs()};
}

std::string torch(const std::string& expression) { return written(expression, PythonDialect::torch).text; }
std::string triton(const std::string& expression) { return written(expression, PythonDialect::triton).text; }

}  // namespace

TEST(PythonCalls, InPyTorchTakeTheFirstFormThatFits) {
    EXPECT_EQ(torch("min(x, y)"), "torch.minimum(x, y)");
    EXPECT_EQ(torch("min(x, 2)"), "torch.clamp(x, max=2.0)");
    EXPECT_EQ(torch("max(2, x)"), "torch.clamp(x, min=2.0)");
    EXPECT_EQ(torch("pow(x, 2.5)"), "torch.pow(x, 2.5)");
    EXPECT_EQ(torch("pow(2.5, x)"), "torch.pow(torch.tensor(2.5, dtype=T, device=d), x)");
    EXPECT_EQ(torch("clamp(x, 0, 6)"), "torch.clamp(x, 0.0, 6.0)");
    EXPECT_EQ(torch("clamp(x, y, 6)"), "torch.minimum(torch.maximum(x, y), torch.tensor(6.0, dtype=T, device=d))");
}

TEST(PythonCalls, InTritonTakeNumbersWhereFloat32HoldsThem) {
    EXPECT_EQ(triton("min(x, 2)"), "nan_minimum(x, 2.0)");
    EXPECT_EQ(triton("clamp(x, 0.1, y)"), "nan_minimum(nan_maximum(x, tl.full((), 0.1, T)), y)");
    EXPECT_EQ(triton("pow(x, 2.5)"), "precise_power(x, tl.full((), 2.5, T))");
}

TEST(PythonCalls, OfWhereHaveATensorAmongTheirValues) {
    EXPECT_EQ(torch("where(x > 0, x, 0)"), "torch.where(x > 0.0, x, 0.0)");
    EXPECT_EQ(torch("where(x > 0, 1, 0)"), "torch.where(x > 0.0, torch.tensor(1.0, dtype=T, device=d), 0.0)");
    EXPECT_EQ(triton("where(x > 0, 1, y)"), "tl.where(x > 0.0, 1.0, y)");
    EXPECT_EQ(triton("where(x > 0, 1, 0)"), "tl.where(x > 0.0, tl.full((), 1.0, T), 0.0)");
}

TEST(PythonCalls, AreRecordedWithWhatTheyNeed) {
    const PythonNeeds fast = written("exp(x)", PythonDialect::triton).needs;
    EXPECT_TRUE(fast.fast);
    EXPECT_TRUE(fast.functions.contains("precise_exp"));
    const PythonNeeds clamped = written("clamp(x, 0, 6)", PythonDialect::triton).needs;
    EXPECT_FALSE(clamped.fast);
    EXPECT_TRUE(clamped.functions.contains("nan_minimum"));
    EXPECT_TRUE(clamped.functions.contains("nan_maximum"));
}

}  // namespace kernelgen::tests
