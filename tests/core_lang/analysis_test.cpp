// SPDX-License-Identifier: Apache-2.0
// FLOPs and bytes as they are counted by hand.
#include "core/lang/analysis.h"

#include <gtest/gtest.h>

#include "tests/core_lang/definitions.h"

namespace kernelgen {
namespace {

constexpr double P = 64, D = 100;

Analysis analysis_of(const Operator& definition, DType dtype = DType::f32) {
    const Case binding{"case", dtype, {{"P", 64}, {"D", 100}}};
    return analyse_case(definition, analyse(definition).value(), binding);
}

TEST(Analysis, CountsOneAdditionAnElementOfBiasAdd) {
    const Analysis analysis = analysis_of(define("out = x + bias"));
    EXPECT_EQ(analysis.flops, P * D);
    EXPECT_EQ(analysis.transcendentals, 0);
    EXPECT_EQ(analysis.bytes_read, 4 * (P * D + D));
    EXPECT_EQ(analysis.bytes_written, 4 * P * D);
    EXPECT_DOUBLE_EQ(analysis.intensity(), P * D / (4 * (2 * P * D + D)));
}

TEST(Analysis, CountsSoftmax) {
    // row_max, −, exp, row_sum, ÷: each one an element
    const Analysis analysis = analysis_of(define("m = row_max(x); e = exp(x - m); out = e / row_sum(e)", "x:P,D"));
    EXPECT_EQ(analysis.flops, 5 * P * D);
    EXPECT_EQ(analysis.transcendentals, P * D);
    EXPECT_EQ(analysis.bytes(), 8 * P * D);
}

TEST(Analysis, CountsLayerNorm) {
    // An element: 1 of the mean, 3 of the variance, −, ×, ×, +. A row: ÷ of the mean, + eps, rsqrt.
    const Analysis analysis = analysis_of(
        define("y = (x - row_mean(x)) * rsqrt(row_var(x) + eps); out = y * gamma + beta", "x:P,D gamma:D beta:D"));
    EXPECT_EQ(analysis.flops, (1 + 3 + 4) * P * D + 3 * P);
    EXPECT_EQ(analysis.transcendentals, 0);
    EXPECT_EQ(analysis.bytes_read, 4 * (P * D + 2 * D));
}

TEST(Analysis, CountsASharedSubexpressionOnceAndUnneededOnesNever) {
    EXPECT_EQ(analysis_of(define("t = exp(x); unused = log(x); out = t + exp(x)", "x:P,D")).flops, 2 * P * D);
}

TEST(Analysis, CountsEachTensorOnceInItsOwnDtype) {
    Operator definition = define("out = x * x + bias");
    definition.inputs[1].dtype = DType::f64;
    definition.outputs[0].dtype = DType::f8e4m3;
    const Analysis analysis = analysis_of(definition, DType::bf16);
    EXPECT_EQ(analysis.bytes_read, 2 * P * D + 8 * D);
    EXPECT_EQ(analysis.bytes_written, P * D);
}

TEST(Analysis, DoesNotOverflowWithHugeSizes) {
    const Operator definition = define("out = x + 1", "x:P,D");
    const Case binding{"huge", DType::f64, {{"P", 1ll << 40}, {"D", 1ll << 20}}};
    EXPECT_EQ(analyse_case(definition, analyse(definition).value(), binding).bytes_read, 0x1p63);
}

TEST(OperationCount, TellsElementsFromRows) {
    const OperationCount count = count_operations(
        analyse(define("y = (x - row_mean(x)) * rsqrt(row_var(x) + eps); out = exp(y)", "x:P,D")).value());
    EXPECT_EQ(count.per_element, 1 + 3 + 3);
    EXPECT_EQ(count.per_row, 3);
    EXPECT_EQ(count.transcendentals_per_element, 1);
}

}  // namespace
}  // namespace kernelgen
