// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "tests/core_generate/compiled.h"
#include "tests/core_generate/samples.h"

namespace kernelgen::tests {

namespace {

using Tensors = std::vector<std::vector<double>>;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

const std::vector<DType> floating = {DType::f32, DType::f64, DType::f16, DType::bf16};

/// Random values as they are after rounding to the dtype.
std::vector<double> random_values(std::int64_t count, DType dtype, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal(0, is_integer(dtype) ? 20 : 1);
    std::vector<double> values(static_cast<std::size_t>(count));
    for (double& value : values) value = round_to(dtype, normal(random));
    return values;
}

Tensors random_inputs(const Operator& definition, const Sizes& sizes, DType dtype) {
    Tensors inputs;
    for (const Tensor& each : definition.inputs) {
        inputs.push_back(random_values(*element_count(each, sizes), dtype, static_cast<unsigned>(inputs.size()) + 1));
    }
    return inputs;
}

double relative_tolerance(DType dtype) {
    switch (dtype) {
        case DType::f64: return 1e-12;
        case DType::f32: return 2e-6;
        case DType::f16: return 1e-3;
        case DType::bf16: return 8e-3;
        case DType::f8e4m3: return 0.07;
        case DType::f8e5m2: return 0.13;
        default: return 0;
    }
}

void expect_near(const std::vector<double>& actual, const std::vector<double>& expected, DType dtype,
                 const std::string& where) {
    ASSERT_EQ(actual.size(), expected.size());
    const double tolerance = relative_tolerance(dtype);
    for (std::size_t i = 0; i < actual.size(); ++i) {
        const double exact = is_integer(dtype) ? round_to(dtype, expected[i]) : expected[i];
        const bool same = actual[i] == exact || (std::isnan(actual[i]) && std::isnan(exact));
        if (same || std::abs(actual[i] - exact) <= tolerance * std::abs(exact) + tolerance) continue;
        FAIL() << where << " element " << i << " is " << actual[i] << ", not " << exact;
    }
}

/// An operator with its definition again, as loops over doubles.
struct Subject {
    Operator definition;
    std::vector<DType> dtypes;
    std::vector<Sizes> sizes;
    std::function<Tensors(const Sizes&, const Tensors&)> compute;
};

std::vector<Sizes> awkward_sizes() {
    std::vector<Sizes> all;
    // In the last five, rows are so short that several share a vector.
    for (const auto& [rows, columns] : {std::pair{1, 1},
                                        {3, 1},
                                        {1, 17},
                                        {5, 31},
                                        {9, 64},
                                        {7, 129},
                                        {2, 1009},
                                        {2053, 1},
                                        {37, 2},
                                        {131, 3},
                                        {33, 7},
                                        {150, 8}}) {
        all.push_back({{"P", rows}, {"D", columns}});
    }
    return all;
}

/// As Tensors, from a function of row, column and the inputs' rows.
Tensors for_each_row(const Sizes& sizes,
                     const std::function<void(std::size_t first, std::size_t columns, std::vector<double>& out)>& row) {
    const auto rows = static_cast<std::size_t>(sizes.at("P")), columns = static_cast<std::size_t>(sizes.at("D"));
    std::vector<double> out(rows * columns);
    for (std::size_t i = 0; i < rows; ++i) row(i * columns, columns, out);
    return {out};
}

Tensors softmax(const Sizes& sizes, const Tensors& inputs) {
    const auto& x = inputs[0];
    return for_each_row(sizes, [&](std::size_t first, std::size_t columns, std::vector<double>& out) {
        double largest = -infinity, sum = 0;
        for (std::size_t j = 0; j < columns; ++j)
            largest = std::isnan(x[first + j]) ? nan : std::isnan(largest) ? nan : std::max(largest, x[first + j]);
        for (std::size_t j = 0; j < columns; ++j) sum += std::exp(x[first + j] - largest);
        for (std::size_t j = 0; j < columns; ++j) out[first + j] = std::exp(x[first + j] - largest) / sum;
    });
}

Tensors layer_norm(const Sizes& sizes, const Tensors& inputs) {
    const auto& x = inputs[0];
    return for_each_row(sizes, [&](std::size_t first, std::size_t columns, std::vector<double>& out) {
        double mean = 0, variance = 0;
        for (std::size_t j = 0; j < columns; ++j) mean += x[first + j] / static_cast<double>(columns);
        for (std::size_t j = 0; j < columns; ++j)
            variance += std::pow(x[first + j] - mean, 2) / static_cast<double>(columns);
        for (std::size_t j = 0; j < columns; ++j) {
            out[first + j] = (x[first + j] - mean) / std::sqrt(variance + 1e-5) * inputs[1][j] + inputs[2][j];
        }
    });
}

Tensors pointwise(const Sizes& sizes, const Tensors& inputs) {
    const auto &x = inputs[0], &y = inputs[1];
    return for_each_row(sizes, [&](std::size_t first, std::size_t columns, std::vector<double>& out) {
        for (std::size_t j = 0; j < columns; ++j) {
            const double a = x[first + j], b = y[j];
            const double smaller = std::isnan(a) || std::isnan(b) ? nan : std::min(a, b);
            const double clamped = std::isnan(a) ? nan : std::clamp(a, -1.0, 1.0);
            out[first + j] = (a > b && !(a > 2)) || a == b ? smaller / 3 : clamped - std::abs(b);
        }
    });
}

Tensors bias_add(const Sizes& sizes, const Tensors& inputs) {
    return for_each_row(sizes, [&](std::size_t first, std::size_t columns, std::vector<double>& out) {
        for (std::size_t j = 0; j < columns; ++j) out[first + j] = inputs[0][first + j] + inputs[1][j];
    });
}

/// Broadcasting over several leading dimensions, per-row scalars, a row output, and a condition kept as a number.
Tensors masked(const Sizes& sizes, const Tensors& inputs) {
    const auto at = [&](const char* name) { return static_cast<std::size_t>(sizes.at(name)); };
    const std::size_t heads = at("H"), length = at("S"), columns = at("K"), rows = at("B") * heads * length;
    std::vector<double> out(rows * columns), count(rows);
    for (std::size_t i = 0; i < rows; ++i) {
        const std::size_t batch = i / (heads * length), head = i / length % heads, place = i % length;
        std::vector<double> s(columns);
        double sum = 0;
        for (std::size_t j = 0; j < columns; ++j) {
            s[j] = inputs[0][i * columns + j] * inputs[2][head] + inputs[1][(batch * length + place) * columns + j];
            sum += std::abs(s[j]);
            count[i] += std::abs(s[j]) > 1 ? 1 : 0;
        }
        for (std::size_t j = 0; j < columns; ++j)
            out[i * columns + j] = std::abs(s[j]) > 1 ? s[j] / (1 + sum) : std::min(s[j], 0.5) / 3;
    }
    return {out, count};
}

Tensors statistics(const Sizes& sizes, const Tensors& inputs) {
    const auto rows = static_cast<std::size_t>(sizes.at("P")), columns = static_cast<std::size_t>(sizes.at("D"));
    std::vector<double> range(rows), variance(rows);
    for (std::size_t i = 0; i < rows; ++i) {
        const double* x = inputs[0].data() + i * columns;
        range[i] = *std::max_element(x, x + columns) - *std::min_element(x, x + columns);
        double mean = 0;
        for (std::size_t j = 0; j < columns; ++j) mean += x[j] / static_cast<double>(columns);
        for (std::size_t j = 0; j < columns; ++j)
            variance[i] += (x[j] - mean) * (x[j] - mean) / static_cast<double>(columns);
    }
    return {range, variance};
}

const std::map<std::string, Subject>& subjects() {
    static const std::map<std::string, Subject> all = [] {
        std::map<std::string, Subject> list;
        const auto add = [&](Subject subject) { list.emplace(subject.definition.name, std::move(subject)); };
        add({make_operator("bias_add", "out = x + bias", {"x:P,D", "bias:D"}),
             {std::begin(all_dtypes), std::end(all_dtypes)},
             awkward_sizes(),
             bias_add});
        add({make_operator("pointwise",
                           "out = x > y and not (x > 2) or x == y ? min(x, y) / 3 : clamp(x, -1, 1) - abs(y)",
                           {"x:P,D", "y:D"}),
             floating, awkward_sizes(), pointwise});
        add({make_operator("softmax", "m = row_max(x); e = exp(x - m); out = e / row_sum(e)", {"x:P,D"}), floating,
             awkward_sizes(), softmax});
        add({make_operator("layer_norm", "d = x - row_mean(x); v = row_var(x); out = d * rsqrt(v + eps) * gamma + beta",
                           {"x:P,D", "gamma:D", "beta:D"}, {"out:P,D"}, {{"eps", 1e-5}}),
             {DType::f32, DType::f64},
             awkward_sizes(),
             layer_norm});
        add({make_operator("masked",
                           "s = x * scale + mask; big = abs(s) > 1; out = big ? s / (1 + row_sum(abs(s))) : min(s, "
                           "0.5) / 3; n = row_sum(big)",
                           {"x:B,H,S,K", "mask:B,1,S,K", "scale:H,1,1"}, {"out:B,H,S,K", "n:B,H,S"}),
             {DType::f64},
             {{{"B", 2}, {"H", 3}, {"S", 5}, {"K", 37}}, {{"B", 1}, {"H", 1}, {"S", 1}, {"K", 1}}},
             masked});
        add({make_operator("statistics", "range = row_max(x) - row_min(x); variance = row_var(x)", {"x:P,D"},
                           {"range:P", "variance:P,1"}),
             {DType::f32, DType::f64},
             awkward_sizes(),
             statistics});
        return list;
    }();
    return all;
}

const Configuration small_tiles = {{"BLOCK_M", 4}, {"BLOCK_N", 64}, {"UNROLL", 2}, {"PREFETCH", 1}, {"STREAM", 1}};

/// The subject's kernel, compiled once a process.
const CompiledKernel& compiled(const std::string& subject, KernelKind kind) {
    static std::map<std::pair<std::string, KernelKind>, CompiledKernel> kernels;
    const auto found = kernels.find({subject, kind});
    if (found != kernels.end()) return found->second;
    const Subject& it = subjects().at(subject);
    const auto generated =
        kind == KernelKind::naive ? generate_naive_variant(it.definition) : generate_host_variant(it.definition);
    if (!generated) throw std::runtime_error(to_string(generated.error()));
    const std::string machine = kind == KernelKind::host_on_any_machine ? "x86-64" : "native";
    return kernels.try_emplace({subject, kind}, it.definition, *generated, it.dtypes, small_tiles, machine)
        .first->second;
}

class Kernel : public testing::TestWithParam<std::string> {
protected:
    static void expect_right(KernelKind kind) {
        const Subject& subject = subjects().at(GetParam());
        for (const DType dtype : subject.dtypes) {
            for (const Sizes& sizes : subject.sizes) {
                const Tensors inputs = random_inputs(subject.definition, sizes, dtype);
                const Tensors actual = compiled(GetParam(), kind).run(dtype, sizes, inputs);
                const Tensors expected = subject.compute(sizes, inputs);
                for (std::size_t i = 0; i < actual.size(); ++i) {
                    expect_near(actual[i], expected[i], dtype,
                                std::string(to_string(dtype)) + " " + testing::PrintToString(sizes));
                }
            }
        }
    }
};

TEST_P(Kernel, is_right_at_awkward_sizes) { expect_right(KernelKind::host); }
TEST_P(Kernel, is_right_without_wide_vectors) { expect_right(KernelKind::host_on_any_machine); }
TEST_P(Kernel, is_right_as_a_plain_loop) { expect_right(KernelKind::naive); }

INSTANTIATE_TEST_SUITE_P(All, Kernel,
                         testing::Values("bias_add", "pointwise", "softmax", "layer_norm", "masked", "statistics"),
                         [](const auto& sample) { return sample.param; });

TEST(A_softmax_kernel, makes_a_whole_row_nan_where_one_element_is) {
    const Sizes sizes = {{"P", 3}, {"D", 35}};
    Tensors inputs = {random_values(3 * 35, DType::f32, 5)};
    inputs[0][35 + 34] = nan;
    const Tensors out = compiled("softmax", KernelKind::host).run(DType::f32, sizes, inputs);
    expect_near(out[0], softmax(sizes, inputs)[0], DType::f32, "NaN");
    EXPECT_TRUE(std::isnan(out[0][35]));
    EXPECT_FALSE(std::isnan(out[0][34]));
}

TEST(A_softmax_kernel, treats_infinities_as_the_definition_does) {
    const Sizes sizes = {{"P", 3}, {"D", 20}};
    Tensors inputs = {random_values(3 * 20, DType::f32, 6)};
    inputs[0][4] = infinity;
    inputs[0][20 + 4] = -infinity;
    for (std::size_t j = 0; j < 20; ++j) inputs[0][40 + j] = -infinity;
    expect_near(compiled("softmax", KernelKind::host).run(DType::f32, sizes, inputs)[0], softmax(sizes, inputs)[0],
                DType::f32, "Inf");
}

TEST(A_pointwise_kernel, propagates_nan_and_compares_it_as_false) {
    const Sizes sizes = {{"P", 2}, {"D", 19}};
    for (const DType dtype : floating) {
        Tensors inputs = {random_values(2 * 19, dtype, 7), random_values(19, dtype, 8)};
        inputs[0][3] = nan;
        inputs[0][18] = infinity;
        inputs[0][19] = -infinity;
        inputs[1][5] = nan;
        inputs[1][18] = infinity;
        expect_near(compiled("pointwise", KernelKind::host).run(dtype, sizes, inputs)[0], pointwise(sizes, inputs)[0],
                    dtype, "edges");
    }
}

TEST(A_layer_norm_kernel, is_accurate_where_the_mean_is_large) {
    const Sizes sizes = {{"P", 1}, {"D", 8192}};
    Tensors inputs = {random_values(8192, DType::f32, 9), std::vector<double>(8192, 1), std::vector<double>(8192, 0)};
    for (double& value : inputs[0]) value = round_to(DType::f32, value + 100);
    const std::vector<double> out = compiled("layer_norm", KernelKind::host).run(DType::f32, sizes, inputs)[0];
    const std::vector<double> exact = layer_norm(sizes, inputs)[0];
    constexpr double of_mean = 5e-5;  // some last places of f32 at 100: how many depends on the width of vectors
    for (std::size_t i = 0; i < exact.size(); ++i) ASSERT_NEAR(out[i], exact[i], of_mean) << i;
}

TEST(Storage, of_every_dtype_rounds_as_the_tensor_library_does) {
    const Sizes sizes = {{"P", 1}, {"D", 4096}};
    for (const DType dtype : {DType::f16, DType::bf16, DType::f8e4m3, DType::f8e5m2}) {
        std::vector<double> x = random_values(4096, dtype, 10), bias(4096);
        for (std::size_t i = 0; i < x.size(); ++i) {
            bias[i] = round_to(dtype, x[i] * std::pow(2.0, -static_cast<double>(i % 14)) * 0.7);
            x[i] = round_to(dtype, x[i] * std::pow(2.0, static_cast<double>(i % 40) - 20));
        }
        const Tensors out = compiled("bias_add", KernelKind::host).run(dtype, sizes, {x, bias});
        for (std::size_t i = 0; i < x.size(); ++i) {
            const double expected = round_to(dtype, static_cast<float>(x[i]) + static_cast<float>(bias[i]));
            ASSERT_TRUE(out[0][i] == expected || (std::isnan(out[0][i]) && std::isnan(expected)))
                << to_string(dtype) << " " << x[i] << " + " << bias[i] << " gives " << out[0][i] << ", not "
                << expected;
        }
    }
}

}  // namespace

}  // namespace kernelgen::tests
