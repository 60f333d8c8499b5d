// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/generate/generate.h"
#include "tests/core_generate/samples.h"

namespace kernelgen::tests {

namespace {

std::string primitive(const std::string& body, const std::vector<std::string>& inputs,
                      const std::vector<Attribute>& attributes = {},
                      const std::vector<std::string>& outputs = {"out:P,D"}) {
    const auto variant = library_variant(make_operator("op", body, inputs, outputs, attributes));
    return variant ? variant->primitive : "none";
}

TEST(Library, adds_a_tensor_of_any_broadcast_shape) {
    EXPECT_EQ(primitive("out = x + bias", {"x:P,D", "bias:D"}), "binary_add");
    EXPECT_EQ(primitive("out = x + y", {"x:P,D", "y:P,1"}), "binary_add");
    EXPECT_EQ(primitive("out = x - y", {"x:N", "y:N"}, {}, {"out:N"}), "binary_sub");
}

TEST(Library, has_the_activations_in_each_of_their_spellings) {
    EXPECT_EQ(primitive("out = x > 0 ? x : 0", {"x:P,D"}), "eltwise_relu");
    EXPECT_EQ(primitive("out = max(0, x)", {"x:P,D"}), "eltwise_relu");
    EXPECT_EQ(primitive("out = sigmoid(x) * x", {"x:P,D"}), "eltwise_swish");
    EXPECT_EQ(primitive("out = 0.5 * x * (1 + tanh(0.7978845608 * (x + 0.044715 * x ** 3)))", {"x:P,D"}),
              "eltwise_gelu_tanh");
    EXPECT_EQ(primitive("out = 0.5 * x * (1 + erf(x / sqrt(2)))", {"x:P,D"}), "eltwise_gelu_erf");
}

TEST(Library, normalises_rows) {
    EXPECT_EQ(primitive("m = row_max(x); e = exp(x - m); s = row_sum(e); out = e / s", {"x:P,D"}), "softmax");
    EXPECT_EQ(primitive("out = g * ((x - row_mean(x)) / sqrt(row_var(x) + eps)) + b", {"x:P,D", "g:D", "b:D"},
                        {{"eps", 1e-5}}),
              "layer_normalization");
    EXPECT_EQ(
        primitive("out = (x - row_mean(x)) / sqrt(row_var(x) + eps) * g + b", {"x:P,D", "g:D", "b:D"}, {{"eps", 1e-5}}),
        "layer_normalization");
    EXPECT_EQ(primitive("m = row_mean(x); d = x - m; out = d * rsqrt(row_mean(d * d) + eps) * g + b",
                        {"x:P,D", "g:D", "b:D"}, {{"eps", 1e-5}}),
              "layer_normalization");
}

TEST(Library, is_not_taken_for_what_it_computes_otherwise) {
    EXPECT_EQ(primitive("out = x * sigmoid(1.702 * x)", {"x:P,D"}), "none");
    EXPECT_EQ(primitive("e = exp(x - row_max(x)); out = e / row_max(e)", {"x:P,D"}), "none");
    EXPECT_EQ(primitive("out = x + y", {"x:D", "y:P,D"}), "none");
    EXPECT_EQ(primitive("out = x * rsqrt(row_mean(x * x) + eps) * g", {"x:P,D", "g:D"}, {{"eps", 1e-6}}), "none");
}

TEST(Library, is_not_taken_for_operators_with_dtypes_of_their_own) {
    Operator definition = make_operator("op", "out = x + y", {"x:P,D", "y:D"});
    definition.inputs[1].dtype = DType::f32;
    EXPECT_FALSE(library_variant(definition));
}

}  // namespace

}  // namespace kernelgen::tests
