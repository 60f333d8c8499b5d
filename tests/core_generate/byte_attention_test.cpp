// SPDX-License-Identifier: Apache-2.0
// Generated kernels of attention whose operands have 8 bits and scales, by the judge's rule for narrow weights.
#include <gmock/gmock.h>

#include "core/lang/attention.h"
#include "core/lang/contraction.h"
#include "core/verify/contraction_values.h"
#include "core/verify/judge.h"
#include "tests/core_generate/emulated.h"
#include "tests/core_generate/samples.h"

namespace kernelgen::tests {

namespace {

struct ByteSubject {
    std::string options;
    std::vector<std::string> scales = {};
    DType dtype = DType::f8e4m3;
    std::string kv_heads = "H";
    bool has_lse = false;
};

const std::map<std::string, ByteSubject>& byte_subjects() {
    static const std::map<std::string, ByteSubject> all = {
        {"unscaled", {", causal=1"}},
        {"by_tensor", {", q_scale=qs, k_scale=ks, v_scale=0.5", {"qs:1", "ks:1"}, DType::f8e4m3, "G", true}},
        {"by_block",
         {", q_scale=qs, k_scale=ks, v_scale=vs", {"qs:B,H,P", "ks:B,G,R", "vs:B,G,R"}, DType::f8e4m3, "G"}},
        {"causal_by_block", {", q_scale=qs, v_scale=vs, causal=1", {"qs:B,H,P", "vs:B,H,R"}, DType::f8e4m3, "H", true}},
        {"capped", {", k_scale=ks, v_scale=vs, softcap=2", {"ks:B,H,R", "vs:1"}}},
        {"wide_exponents", {", q_scale=qs, v_scale=vs, window_left=90", {"qs:1", "vs:1"}, DType::f8e5m2}},
        {"small_blocks", {", k_scale=ks, scale_block=32", {"ks:B,H,R"}}},
    };
    return all;
}

Operator byte_attention(const std::string& name) {
    const ByteSubject& of = byte_subjects().at(name);
    const std::string keys = ":B," + of.kv_heads + ",M,D";
    std::vector<std::string> inputs = {"q:B,H,N,D", "k" + keys, "v" + keys};
    inputs.insert(inputs.end(), of.scales.begin(), of.scales.end());
    std::vector<std::string> outputs = {"out:B,H,N,D"};
    if (of.has_lse) outputs.push_back("lse:B,H,N");
    Operator made =
        make_operator(name, std::string(of.has_lse ? "out, lse" : "out") + " = attention(q, k, v" + of.options + ")",
                      inputs, outputs);
    for (std::size_t i = 0; i < made.inputs.size(); ++i) made.inputs[i].dtype = i < 3 ? of.dtype : DType::f32;
    if (of.has_lse) made.outputs[1].dtype = DType::f32;
    return make_project(made)->definition;  // with `accumulate`, and domains of scales
}

std::vector<Sizes> byte_sizes(const Operator& definition) {
    const Sizes various[] = {{{"B", 1}, {"H", 1}, {"G", 1}, {"N", 1}, {"M", 1}, {"D", 16}},
                             {{"B", 1}, {"H", 4}, {"G", 2}, {"N", 150}, {"M", 300}, {"D", 32}},
                             {{"B", 2}, {"H", 2}, {"G", 1}, {"N", 70}, {"M", 133}, {"D", 50}}};
    std::vector<Sizes> all;
    for (const Sizes& each : various) {
        Sizes& sizes = all.emplace_back();
        for (const std::string& symbol : definition.symbols)
            sizes[symbol] = each.contains(symbol) ? each.at(symbol) : 1;
        fit_sizes(definition, sizes);
    }
    return all;
}

/// The judge's verdict on what `run` gives for inputs of a set.
template <class Run>
CaseAccuracy judged_run(const Operator& definition, const Case& binding, InputSet set, const Run& run) {
    const Body body = *analyse(definition);
    const Elements elements = generated_inputs(definition, binding, set, 1);
    std::vector<std::vector<double>> inputs;
    for (const Tensor& each : definition.inputs) {
        const auto number = static_cast<int>(inputs.size());
        inputs.emplace_back(static_cast<std::size_t>(*element_count(each, binding.sizes)));
        elements(number, 0, inputs.back());
    }
    const std::vector<std::vector<double>> outputs = run(inputs);
    std::vector<std::vector<std::byte>> stored;
    std::vector<const std::byte*> pointers;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const DType dtype = dtype_of(definition.outputs[i], binding);
        encode(dtype, outputs[i], stored.emplace_back(outputs[i].size() * size_of(dtype)).data());
        pointers.push_back(stored.back().data());
    }
    const Accuracy accuracy;
    const auto [exact, rounded] = with_contraction(definition, body, binding, elements);
    return judge({definition, body, binding, accuracy, exact, rounded}, pointers, {});
}

class ByteAttentionKernel : public testing::TestWithParam<std::string> {
protected:
    void expect_right_on_host(const Validated<GeneratedVariant>& generated) const {
        ASSERT_TRUE(generated) << to_string(generated.error());
        Configuration configuration;
        for (const Tunable& each : generated->variant.tunables) configuration[each.name] = each.value;
        const std::vector<DType> dtypes = {DType::f32, DType::f64, DType::bf16};
        const CompiledKernel kernel(definition_, *generated, dtypes, configuration, "native");
        for (const DType dtype : dtypes) {
            for (const Sizes& sizes : byte_sizes(definition_)) {
                const CaseAccuracy found =
                    judged_run(definition_, {"", dtype, sizes}, InputSet::normal,
                               [&](const auto& inputs) { return kernel.run(dtype, sizes, inputs); });
                EXPECT_EQ(found.status, Status::ok) << to_string(dtype) << ": " << found.reason.text();
            }
        }
    }

    void expect_right_on_gpu(const Configuration& changes, const std::vector<DType>& dtypes,
                             const std::vector<InputSet>& sets, const EmulatedDevice& device = {}) const {
        const Validated<GeneratedVariant> generated = generate_cuda_variant(definition_);
        ASSERT_TRUE(generated) << to_string(generated.error());
        for (const DType dtype : dtypes) {
            const EmulatedKernel kernel(definition_, *generated, dtype, changes, device);
            for (const Sizes& sizes : byte_sizes(definition_)) {
                for (const InputSet set : sets) {
                    const CaseAccuracy found =
                        judged_run(definition_, {"", dtype, sizes}, set,
                                   [&](const auto& inputs) { return kernel.run(sizes, inputs); });
                    EXPECT_EQ(found.status, Status::ok)
                        << to_string(dtype) << ' ' << to_string(set) << ": " << found.reason.text();
                }
            }
        }
    }

    const Operator definition_ = byte_attention(GetParam());
};

TEST_P(ByteAttentionKernel, OfTheHostIsRight) { expect_right_on_host(generate_host_variant(definition_)); }

TEST_P(ByteAttentionKernel, OfPlainLoopsIsRight) { expect_right_on_host(generate_naive_variant(definition_)); }

TEST_P(ByteAttentionKernel, OfCudaIsRightWithoutTensorCores) {
    expect_right_on_gpu({{"BLOCK_M", 16}, {"BLOCK_N", 32}, {"HEAD_SIZE", 64}, {"num_warps", 2}},
                        {DType::f32, DType::f64, DType::bf16}, {InputSet::normal});
}

class TensorByteAttention : public ByteAttentionKernel {
protected:
    static Configuration tiles(std::int64_t head, std::int64_t stages, std::int64_t turns) {
        return {{"BLOCK_M", 128},    {"BLOCK_N", 128},  {"HEAD_SIZE", head}, {"num_warps", 8}, {"num_stages", stages},
                {"QUERY_STAGES", 2}, {"COPY_WARPS", 4}, {"TURNS", turns},    {"PERSISTENT", 1}};
    }
    static constexpr EmulatedDevice small = {.multiprocessors = 2};
};

TEST_P(TensorByteAttention, IsRight) {
    expect_right_on_gpu(tiles(64, 2, 0), {DType::bf16, DType::f32}, {InputSet::normal}, small);
}

TEST_P(TensorByteAttention, IsRightForLargerHeadsInTurns) {
    expect_right_on_gpu(tiles(128, 3, 1), {DType::bf16}, {InputSet::normal}, small);
}

TEST_P(TensorByteAttention, PassesTheJudgeOnEdgeValues) {
    expect_right_on_gpu(tiles(64, 2, 0), {DType::bf16},
                        std::vector<InputSet>(std::begin(edge_sets), std::end(edge_sets)), small);
}

TEST_P(TensorByteAttention, IsThePlainOneOfItsTilesOnOtherDevices) {
    expect_right_on_gpu(tiles(64, 2, 0), {DType::bf16}, {InputSet::normal}, {.is_hopper = false, .multiprocessors = 2});
}

INSTANTIATE_TEST_SUITE_P(All, ByteAttentionKernel,
                         testing::Values("by_tensor", "causal_by_block", "wide_exponents", "small_blocks"),
                         [](const auto& subject) { return subject.param; });
INSTANTIATE_TEST_SUITE_P(NightlyAll, ByteAttentionKernel, testing::Values("unscaled", "by_block", "capped"),
                         [](const auto& subject) { return subject.param; });
INSTANTIATE_TEST_SUITE_P(All, TensorByteAttention, testing::Values("by_tensor", "causal_by_block", "wide_exponents"),
                         [](const auto& subject) { return subject.param; });
INSTANTIATE_TEST_SUITE_P(NightlyAll, TensorByteAttention, testing::Values("unscaled", "by_block", "capped"),
                         [](const auto& subject) { return subject.param; });

TEST(ByteAttentionSource, HasAKernelForItsValuesAndTellsWhyItHasNone) {
    const auto generated = generate_cuda_variant(byte_attention("by_block"));
    ASSERT_TRUE(generated) << to_string(generated.error());
    EXPECT_EQ(generated->variant.entry, "by_block_values");
    ASSERT_EQ(generated->variant.launches.size(), 2u);
    EXPECT_EQ(generated->variant.launches[1].tensor_maps.size(), 2u);
    EXPECT_EQ(generated->variant.workspace.size(), 1u);
    const auto plain = generate_cuda_variant(byte_attention("small_blocks"));
    EXPECT_THAT(plain->text, testing::HasSubstr("blocks of scales are no multiples of 128 rows"));
    Operator exact = byte_attention("by_block");
    exact.accumulate = std::nullopt;
    EXPECT_THAT(generate_cuda_variant(exact)->text, testing::HasSubstr("has no \"accumulate\": \"f22\""));
}

}  // namespace

}  // namespace kernelgen::tests
