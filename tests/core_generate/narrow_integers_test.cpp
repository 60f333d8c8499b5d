// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "core/generate/exact_values.h"
#include "core/generate/variant_parts.h"
#include "tests/core_generate/compiled.h"
#include "tests/core_generate/samples.h"

namespace kernelgen::tests {

namespace {

using Tensors = std::vector<std::vector<double>>;

bool is_exact(const std::string& body, const std::vector<std::string>& inputs, DType of_case) {
    const Operator definition = make_operator("op", body, inputs);
    const auto lowered = lowered_body(definition);
    if (!lowered) throw std::runtime_error(to_string(lowered.error()));
    return is_exact_in_f32(definition, *lowered, of_case);
}

TEST(Exactness_in_f32, holds_for_sums_and_products_of_bytes_below_two_to_the_24) {
    const std::vector<std::string> inputs = {"a:P,D", "b:P,D", "c:P,D"};
    EXPECT_TRUE(is_exact("out = a * b + c", inputs, DType::i8));
    EXPECT_TRUE(is_exact("out = min(max(a, b), c)", inputs, DType::i8));
    EXPECT_TRUE(is_exact("out = a * b * c", inputs, DType::i8));
    EXPECT_FALSE(is_exact("out = a * b * c * a", inputs, DType::i8));
    EXPECT_FALSE(is_exact("out = a * b + c", inputs, DType::i32));
    EXPECT_FALSE(is_exact("out = a * b + c", inputs, DType::f32));
}

TEST(Exactness_in_f32, ends_at_quotients_fractions_and_sums_of_unknown_length) {
    EXPECT_FALSE(is_exact("out = x / 3", {"x:P,D"}, DType::i8));
    EXPECT_FALSE(is_exact("out = x * 0.3", {"x:P,D"}, DType::i8));
    EXPECT_FALSE(is_exact("out = x + 0 * row_sum(x)", {"x:P,D"}, DType::i8));
    EXPECT_TRUE(is_exact("out = x - row_max(x)", {"x:P,D"}, DType::i8));
}

TEST(Exactness_in_f32, holds_for_what_is_only_chosen_and_compared) {
    EXPECT_TRUE(is_exact("out = x > y ? max(x, 0) : floor(y)", {"x:P,D", "y:P,D"}, DType::f32));
    EXPECT_FALSE(is_exact("out = x > y", {"x:P,D", "y:P,D"}, DType::f64));
}

/// A body in double, element by element, rounded as storage rounds.
struct Elementwise {
    std::string body;
    std::vector<std::string> inputs;
    DType of_input, of_output;
    double (*compute)(double, double, double);
};

double fma_of(double a, double b, double c) { return a * b + c; }
double clamped(double a, double b, double c) {
    const double larger = a > b ? a : b;
    return larger < c ? larger : c;
}
double quantised(double x, double, double) { return std::nearbyint(x / 0.05); }
double scaled(double x, double s, double) { return x * s; }
double is_larger(double a, double b, double) { return a > b ? 1 : 0; }

/// Whole numbers and halves, where rounding must be to even, what no integer can hold, and NaN.
std::vector<double> values(DType dtype, std::size_t count, unsigned seed) {
    std::vector<double> made(count);
    for (double& each : made) {
        seed = seed * 1664525u + 1013904223u;
        const double number = static_cast<double>(static_cast<int>(seed >> 8) % 2048 - 1024);
        each = round_to(dtype, dtype == DType::i8 ? std::fmod(number, 128) : number / 8);
    }
    if (is_integer(dtype)) return made;
    const double special[] = {NAN, infinity, -infinity, 3e9, -3e9, 2147483648.0, 0.5, 1.5, -2.5, -0.0, 127.5, -128.5};
    for (std::size_t i = 0; i < std::size(special) && i < count; ++i) made[i] = round_to(dtype, special[i]);
    return made;
}

void expect_exact(const Elementwise& subject, const std::string& machine, DType arithmetic) {
    Operator definition = make_operator("op", subject.body, subject.inputs);
    for (Tensor& each : definition.inputs) each.dtype = subject.of_input;
    definition.outputs[0].dtype = subject.of_output;
    definition.arithmetic = arithmetic;
    const auto generated = generate_host_variant(definition);
    ASSERT_TRUE(generated);
    const CompiledKernel kernel(definition, *generated, {DType::f32}, configuration_of(generated->variant), machine);
    for (const auto& [rows, columns] : {std::pair{5, 67}, {1, 1}, {300, 3}, {3, 40}}) {
        const auto count = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
        Tensors inputs;
        for (unsigned i = 0; i < subject.inputs.size(); ++i) inputs.push_back(values(subject.of_input, count, i + 1));
        const Tensors out = kernel.run(DType::f32, {{"P", rows}, {"D", columns}}, inputs);
        for (std::size_t i = 0; i < count; ++i) {
            const auto of = [&](std::size_t input) { return input < inputs.size() ? inputs[input][i] : 0.0; };
            const double expected = round_to(subject.of_output, subject.compute(of(0), of(1), of(2)));
            ASSERT_EQ(out[0][i], expected) << subject.body << " on " << machine << " of " << of(0) << ", " << of(1);
        }
    }
}

const Elementwise elementwise_subjects[] = {
    {"out = a * b + c", {"a:P,D", "b:P,D", "c:P,D"}, DType::i8, DType::i8, fma_of},
    {"out = min(max(a, b), c)", {"a:P,D", "b:P,D", "c:P,D"}, DType::i8, DType::i8, clamped},
    {"out = a * b + c", {"a:P,D", "b:P,D", "c:P,D"}, DType::i32, DType::i32, fma_of},
    {"out = round(x / 0.05)", {"x:P,D"}, DType::f32, DType::i8, quantised},
    {"out = round(x / 0.05)", {"x:P,D"}, DType::f32, DType::i32, quantised},
    {"out = round(x / 0.05)", {"x:P,D"}, DType::bf16, DType::i8, quantised},
    {"out = x * s", {"x:P,D", "s:P,D"}, DType::f16, DType::i32, scaled},
    {"out = x * s", {"x:P,D", "s:P,D"}, DType::i8, DType::f32, scaled},
    {"out = x > y", {"x:P,D", "y:P,D"}, DType::f32, DType::i8, is_larger},
};

TEST(Integers, are_exact_saturate_and_round_to_even_on_every_machine) {
    for (const std::string machine : {"native", "x86-64-v3", "x86-64"}) {
        for (const Elementwise& each : elementwise_subjects) expect_exact(each, machine, DType::f64);
    }
}

TEST(Integers, are_stored_from_float_as_from_double) {
    for (const std::string machine : {"native", "x86-64-v3", "x86-64"}) {
        expect_exact({"out = x", {"x:P,D"}, DType::f32, DType::i32, [](double x, double, double) { return x; }},
                     machine, DType::f32);
        expect_exact({"out = x", {"x:P,D"}, DType::f32, DType::i8, [](double x, double, double) { return x; }}, machine,
                     DType::f32);
    }
}

TEST(Quotients_by_a_value_of_the_row, are_exact_where_they_become_integers) {
    Operator definition = make_operator("quantise", "out = round(x / (row_max(abs(x)) / 127))", {"x:P,D"});
    definition.outputs[0].dtype = DType::i8;
    definition.arithmetic = DType::f64;
    const auto generated = generate_host_variant(definition);
    ASSERT_TRUE(generated);
    const CompiledKernel kernel(definition, *generated, {DType::f32}, configuration_of(generated->variant));
    constexpr std::size_t columns = 4096;
    for (int largest = 1; largest < 40; ++largest) {
        Tensors inputs = {std::vector<double>(columns)};
        const double scale = largest / 127.0;
        for (std::size_t i = 0; i < columns; ++i)  // near the middle between two integers, where the last place decides
            inputs[0][i] = round_to(DType::f32, (static_cast<double>(i % 126) + 0.5) * scale);
        inputs[0][0] = largest;
        const Tensors out = kernel.run(DType::f32, {{"P", 1}, {"D", columns}}, inputs);
        for (std::size_t i = 0; i < columns; ++i) ASSERT_EQ(out[0][i], std::nearbyint(inputs[0][i] / scale)) << i;
    }
}

TEST(A_division_by_an_attribute, compiles_on_the_host_and_is_a_divisor_on_a_gpu) {
    const Operator definition = make_operator("scaled", "out = x / scale", {"x:P,D"}, {"out:P,D"}, {{"scale", 0.5}});
    const auto generated = generate_host_variant(definition);
    ASSERT_TRUE(generated);
    const CompiledKernel kernel(definition, *generated, {DType::f32}, configuration_of(generated->variant));
    EXPECT_EQ(kernel.run(DType::f32, {{"P", 1}, {"D", 2}}, {{1, 3}}), (Tensors{{2, 6}}));
    EXPECT_THAT(generate_cuda_variant(definition)->text, testing::HasSubstr("kg::Divisor<T> by_constant{T(scale)};"));
}

std::string host_text(const std::string& body, const std::vector<std::string>& inputs,
                      const std::vector<std::string>& outputs = {"out:P,D"}) {
    return generate_host_variant(make_operator("op", body, inputs, outputs))->text;
}

TEST(A_host_kernel, computes_bytes_in_float_where_that_is_exact) {
    EXPECT_THAT(host_text("out = a * b", {"a:P,D", "b:P,D"}), testing::HasSubstr("kg::narrow_arithmetic<DTYPE>"));
    EXPECT_THAT(host_text("out = a / b", {"a:P,D", "b:P,D"}), testing::HasSubstr("kg::arithmetic<DTYPE>"));
}

TEST(A_host_kernel, walks_rows_as_one_where_all_tensors_have_every_element) {
    EXPECT_THAT(host_text("out = x * y + 1", {"x:P,D", "y:P,D"}),
                testing::HasSubstr("kg::join_rows(rows, columns, D)"));
    EXPECT_THAT(host_text("out = x * y", {"x:P,D", "y:D"}), testing::Not(testing::HasSubstr("join_rows")));
    EXPECT_THAT(host_text("out = x * y", {"x:P,D", "y:P,1"}), testing::Not(testing::HasSubstr("join_rows")));
}

TEST(A_host_kernel, lets_short_rows_share_a_vector_where_all_tensors_have_the_same_rows) {
    const auto shares = testing::HasSubstr("kg::for_rows<T>(rows, D");
    EXPECT_THAT(host_text("out = row_sum(x)", {"x:P,D"}, {"out:P"}), shares);
    EXPECT_THAT(host_text("out = x * y + s", {"x:P,D", "y:D", "s:P,1"}), shares);
    const std::string other_rows = host_text("out = x + y", {"x:B,S,D", "y:S,D"}, {"out:B,S,D"});
    EXPECT_THAT(other_rows, testing::Not(shares));
    EXPECT_THAT(other_rows, testing::HasSubstr("for (int64_t i = rows.first"));
}

TEST(A_host_kernel, takes_more_rows_a_program_where_they_are_short) {
    const auto generated = generate_host_variant(make_operator("sum", "out = row_sum(x)", {"x:P,D"}, {"out:P"}));
    EXPECT_EQ(generated->variant.launches[0].grid[0], "cdiv(P, BLOCK_M * cdiv(256, D))");
}

TEST(Powers, are_near_the_exact_value_and_right_where_they_are_special) {
    const Operator definition = make_operator("power_of", "out = x ** y", {"x:P,D", "y:P,D"});
    const auto generated = generate_host_variant(definition);
    ASSERT_TRUE(generated);
    const CompiledKernel kernel(definition, *generated, {DType::f32}, configuration_of(generated->variant));
    Tensors inputs(2);
    for (const double x : {0.0, -0.0, 1.0, -1.0, -2.0, infinity, -infinity, double(NAN)}) {
        for (const double y : {0.0, 1.0, -1.0, 2.0, 3.0, 0.5, infinity, -infinity, double(NAN)}) {
            inputs[0].push_back(x);
            inputs[1].push_back(y);
        }
    }
    for (int i = 0; i < 8000; ++i) {
        inputs[0].push_back(round_to(DType::f32, std::pow(10.0, -38 + i % 760 / 10.0)));
        inputs[1].push_back(round_to(DType::f32, i % 41 / 10.0 - 2));
    }
    const auto count = static_cast<std::int64_t>(inputs[0].size());
    const Tensors out = kernel.run(DType::f32, {{"P", 1}, {"D", count}}, inputs);
    for (std::size_t i = 0; i < inputs[0].size(); ++i) {
        const float exact = static_cast<float>(std::pow(inputs[0][i], inputs[1][i]));
        const auto actual = static_cast<float>(out[0][i]);
        const bool same = actual == exact || (std::isnan(actual) && std::isnan(exact));
        ASSERT_TRUE(same || actual == std::nextafter(exact, actual)) << inputs[0][i] << " ** " << inputs[1][i];
    }
}

}  // namespace

}  // namespace kernelgen::tests
