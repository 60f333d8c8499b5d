// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "tests/core_generate/emulated.h"
#include "tests/core_generate/samples.h"
#include "tests/core_lang/evaluate.h"

namespace kernelgen::tests {

namespace {

using Tensors = std::vector<std::vector<double>>;

const std::map<std::string, Operator>& operators() {
    static const std::map<std::string, Operator> all = [] {
        std::map<std::string, Operator> list;
        const auto add = [&](const Operator& definition) { list.emplace(definition.name, definition); };
        add(make_operator("vector_add", "out = x + y", {"x:N", "y:N"}, {"out:N"}));
        add(make_operator("bias_add", "out = x + bias", {"x:P,D", "bias:D"}));
        add(make_operator("broadcast", "out = bias", {"bias:D"}));
        add(make_operator("gelu", "out = 0.5 * x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x ** 3)))", {"x:P,D"}));
        add(make_operator("pointwise",
                          "out = x > y and not (x > 2) or x == y ? min(x, y) / 3 : clamp(x, -1, 1) - abs(y)",
                          {"x:P,D", "y:D"}));
        add(make_operator("scaled", "out = x / s * k + sigmoid(m); twice = 2 * out",
                          {"x:B,S,D", "s:B,1,1", "m:S,D", "k:"}, {"out:B,S,D", "twice:B,S,D"}));
        add(make_operator("softmax", "m = row_max(x); e = exp(x - m); out = e / row_sum(e)", {"x:P,D"}));
        add(make_operator("layer_norm", "d = x - row_mean(x); v = row_var(x); out = d * rsqrt(v + eps) * gamma + beta",
                          {"x:P,D", "gamma:D", "beta:D"}, {"out:P,D"}, {{"eps", 1e-5}}));
        add(make_operator("masked",
                          "s = x * scale + mask; big = abs(s) > 1; out = big ? s / (1 + row_sum(abs(s))) : min(s, "
                          "0.5) / 3; n = row_sum(big)",
                          {"x:B,H,D", "mask:B,1,D", "scale:H,1"}, {"out:B,H,D", "n:B,H"}));
        add(make_operator("statistics", "range = row_max(x) - row_min(x); variance = row_var(x)", {"x:P,D"},
                          {"range:P", "variance:P,1"}));
        return list;
    }();
    return all;
}

double tolerance_of(DType dtype) {
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

Tensors normal_inputs(const Operator& definition, const Sizes& sizes, DType dtype) {
    std::mt19937 random(7);
    std::normal_distribution<double> normal(0, is_integer(dtype) ? 20 : 1);
    Tensors inputs;
    for (const Tensor& each : definition.inputs) {
        inputs.emplace_back(static_cast<std::size_t>(*element_count(each, sizes)));
        for (double& value : inputs.back()) value = round_to(dtype, normal(random));
    }
    return inputs;
}

void plant_edges(Tensors& inputs, std::size_t columns) {
    const double edges[] = {std::nan(""), infinity, -infinity};
    std::size_t place = columns / 2;
    for (const double edge : edges) {
        if (place >= inputs[0].size()) return;
        inputs[0][place] = edge;
        place += columns + 1;
    }
}

void expect_as_defined(const Operator& definition, const Tensors& actual, const Sizes& sizes, const Tensors& inputs,
                       DType dtype) {
    const double tolerance = tolerance_of(dtype);
    for (std::size_t i = 0; i < actual.size(); ++i) {
        const std::vector<double> expected = evaluate<double>(definition, sizes, inputs, i);
        ASSERT_EQ(actual[i].size(), expected.size());
        for (std::size_t e = 0; e < expected.size(); ++e) {
            const double exact = round_to(dtype, expected[e]), is = actual[i][e];
            if (is == exact || (std::isnan(is) && std::isnan(exact))) continue;
            ASSERT_LE(std::abs(is - exact), tolerance * std::abs(exact) + tolerance)
                << definition.name << " " << to_string(dtype) << " " << testing::PrintToString(sizes) << " output " << i
                << " element " << e << " is " << is << ", not " << exact;
        }
    }
}

/// Sizes of the operator's symbols: rows shared out among the leading ones.
Sizes sizes_of(const Operator& definition, std::int64_t rows, std::int64_t columns) {
    Sizes sizes;
    for (const std::string& each : definition.symbols) {
        sizes[each] = each == "D" || each == "N" ? columns : each == "B" ? 2 : rows;
    }
    return sizes;
}

struct Setting {
    friend void PrintTo(const Setting& setting, std::ostream* out) { *out << setting.name; }

    std::string name, definition;
    DType dtype;
    Configuration configuration;
    std::vector<std::pair<std::int64_t, std::int64_t>> extents;
    bool naive = false, clusters = true;
};

const Configuration small_cuda_tiles = {{"BLOCK_M", 4}, {"BLOCK_N", 128},  {"num_warps", 2},  {"num_stages", 1},
                                        {"VEC", 16},    {"LOAD_CACHE", 0}, {"STORE_CACHE", 0}};
const Configuration walking = {{"BLOCK_M", 1},    {"BLOCK_N", 128}, {"num_warps", 1},
                               {"num_stages", 3}, {"VEC", 8},       {"PERSISTENT", 1}};
const Configuration wide = {{"BLOCK_M", 8}, {"BLOCK_N", 512}, {"num_warps", 4}, {"num_stages", 2}, {"VEC", 32}};

const Configuration several_rows = {{"BLOCK_M", 2}, {"BLOCK_N", 256}, {"num_warps", 4}, {"CLUSTER", 1}, {"VEC", 16}};
const Configuration warp_a_row = {{"BLOCK_M", 2}, {"BLOCK_N", 512}, {"num_warps", 2}, {"CLUSTER", 1}, {"VEC", 8}};
const Configuration four_blocks = {{"BLOCK_M", 1}, {"BLOCK_N", 256}, {"num_warps", 2}, {"CLUSTER", 4}, {"VEC", 16}};
const Configuration in_shared_memory = {{"BLOCK_M", 2}, {"BLOCK_N", 256}, {"num_warps", 4},
                                        {"CLUSTER", 2}, {"VEC", 16},      {"HOLD", 4}};
const Configuration many_partials = {{"BLOCK_M", 1}, {"BLOCK_N", 128}, {"num_warps", 8}, {"CLUSTER", 8}, {"VEC", 4}};

const Configuration walking_rows = {{"BLOCK_M", 1}, {"BLOCK_N", 256},  {"num_warps", 1}, {"CLUSTER", 2},
                                    {"VEC", 16},    {"num_stages", 2}, {"PERSISTENT", 1}};
const Configuration rows_in_flight = {{"BLOCK_M", 2}, {"BLOCK_N", 256},  {"num_warps", 2},  {"CLUSTER", 1},
                                      {"VEC", 16},    {"num_stages", 3}, {"PERSISTENT", 1}, {"HOLD", 4}};
const Configuration refilled = {{"BLOCK_M", 1}, {"BLOCK_N", 256},  {"num_warps", 2},  {"CLUSTER", 2},
                                {"VEC", 16},    {"num_stages", 1}, {"PERSISTENT", 1}, {"HOLD", 4}};

const std::vector<std::pair<std::int64_t, std::int64_t>> awkward = {{1, 1},   {3, 17},  {9, 64},
                                                                    {5, 127}, {7, 129}, {2, 1000}};
const std::vector<std::pair<std::int64_t, std::int64_t>> many_tiles = {{300, 20}, {2, 40000}, {1, 1}};
/// Around what a block of 256 columns, two, and four of them hold.
const std::vector<std::pair<std::int64_t, std::int64_t>> long_rows = {
    {1, 1}, {5, 17}, {3, 255}, {2, 256}, {4, 512}, {3, 257}, {3, 513}, {2, 1000}, {1, 1024}, {3, 2500}};

const std::vector<std::pair<std::int64_t, std::int64_t>> many_rows = {
    {700, 256}, {301, 64}, {150, 512}, {2, 17}, {140, 600}};

void add_many_rows(const std::string& name, std::vector<Setting>& all) {
    all.push_back({name + "_walking", name, DType::f32, walking_rows, many_rows});
    all.push_back({name + "_in_flight", name, DType::f32, rows_in_flight, many_rows});
    all.push_back({name + "_refilled", name, DType::f32, refilled, many_rows});
}

std::vector<Setting> settings() {
    std::vector<Setting> all;
    for (const DType dtype : all_dtypes)
        all.push_back({"bias_add_" + std::string(to_string(dtype)), "bias_add", dtype, small_cuda_tiles, awkward});
    all.push_back({"bias_add_walking", "bias_add", DType::f32, walking, many_tiles});
    all.push_back({"bias_add_wide", "bias_add", DType::bf16, wide, awkward});
    all.push_back({"vector_add", "vector_add", DType::f32, walking, many_tiles});
    all.push_back({"broadcast", "broadcast", DType::f16, small_cuda_tiles, awkward});
    all.push_back({"gelu_f32", "gelu", DType::f32, small_cuda_tiles, awkward});
    all.push_back({"gelu_bf16", "gelu", DType::bf16, wide, awkward});
    all.push_back({"pointwise", "pointwise", DType::f32, wide, awkward});
    all.push_back({"scaled", "scaled", DType::f32, small_cuda_tiles, awkward});
    all.push_back({"softmax_several_rows", "softmax", DType::f32, several_rows, long_rows});
    all.push_back({"softmax_warp_a_row", "softmax", DType::f64, warp_a_row, long_rows});
    all.push_back({"softmax_four_blocks", "softmax", DType::f32, four_blocks, long_rows});
    all.push_back({"softmax_four_blocks_bf16", "softmax", DType::bf16, four_blocks, long_rows});
    all.push_back({"softmax_many_partials", "softmax", DType::f32, many_partials, {{2, 1000}, {3, 500}}});
    all.push_back({"softmax_without_clusters", "softmax", DType::f32, four_blocks, long_rows, false, false});
    all.push_back({"layer_norm", "layer_norm", DType::f32, several_rows, long_rows});
    all.push_back({"layer_norm_four_blocks", "layer_norm", DType::bf16, four_blocks, long_rows});
    all.push_back({"masked", "masked", DType::f64, several_rows, long_rows});
    all.push_back({"masked_four_blocks", "masked", DType::f32, four_blocks, long_rows});
    all.push_back({"softmax_in_shared_memory", "softmax", DType::f32, in_shared_memory, long_rows});
    all.push_back({"masked_in_shared_memory", "masked", DType::bf16, in_shared_memory, long_rows});
    add_many_rows("masked", all);
    all.push_back({"statistics", "statistics", DType::f32, four_blocks, long_rows});
    for (const char* name : {"bias_add", "vector_add", "softmax", "layer_norm", "masked", "statistics"})
        all.push_back({std::string(name) + "_naive", name, DType::f32, {}, {{1, 1}, {3, 257}, {2, 1000}}, true});
    return all;
}

std::vector<Setting> further_settings() {
    std::vector<Setting> all;
    for (const char* name : {"softmax", "layer_norm"}) add_many_rows(name, all);
    return all;
}

class Cuda_kernel : public testing::TestWithParam<Setting> {};

TEST_P(Cuda_kernel, computes_what_its_definition_says) {
    const Setting& setting = GetParam();
    const Operator& definition = operators().at(setting.definition);
    const auto generated = setting.naive ? generate_cuda_naive_variant(definition) : generate_cuda_variant(definition);
    ASSERT_TRUE(generated) << to_string(generated.error());
    const EmulatedKernel kernel(definition, *generated, setting.dtype, setting.configuration,
                                {.is_hopper = setting.clusters});
    for (const auto& [rows, columns] : setting.extents) {
        const Sizes sizes = sizes_of(definition, rows, columns);
        Tensors inputs = normal_inputs(definition, sizes, setting.dtype);
        expect_as_defined(definition, kernel.run(sizes, inputs), sizes, inputs, setting.dtype);
        if (is_integer(setting.dtype) || setting.dtype == DType::f8e4m3) continue;
        plant_edges(inputs, static_cast<std::size_t>(columns));
        expect_as_defined(definition, kernel.run(sizes, inputs), sizes, inputs, setting.dtype);
    }
}

const auto name_of_setting = [](const auto& setting) { return setting.param.name; };
INSTANTIATE_TEST_SUITE_P(All, Cuda_kernel, testing::ValuesIn(settings()), name_of_setting);
INSTANTIATE_TEST_SUITE_P(NightlyAll, Cuda_kernel, testing::ValuesIn(further_settings()), name_of_setting);

}  // namespace

}  // namespace kernelgen::tests
