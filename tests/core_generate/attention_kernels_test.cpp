// SPDX-License-Identifier: Apache-2.0
// Generated kernels of bodies with attention, against loops over doubles.
#include <gmock/gmock.h>

#include <cmath>
#include <random>

#include "core/lang/attention.h"
#include "core/lang/contraction.h"
#include "core/verify/contraction_values.h"
#include "core/verify/judge.h"
#include "tests/core_generate/emulated.h"
#include "tests/core_generate/samples.h"

namespace kernelgen::tests {

namespace {

using Tensors = std::vector<std::vector<double>>;

struct AttentionSubject {
    std::string options;
    std::vector<std::string> further = {};  ///< inputs after q, k and v
    std::string heads = "H", kv_heads = "G";
    bool has_lse = false;
    std::optional<DType> arithmetic = {};
};

const std::map<std::string, AttentionSubject>& attention_subjects() {
    static const std::map<std::string, AttentionSubject> all = {
        {"plain", {""}},
        {"causal", {", causal=1", {}, "H", "H", true}},
        {"window", {", window_left=20, window_right=3, scale=0.3", {}, "H", "1", true}},
        {"local", {", causal=1, window_left=5", {}, "4", "2"}},
        {"softcap", {", softcap=1.5", {}, "H", "G", true}},
        {"padded", {", lengths=lengths", {"lengths:B"}}},
        {"paged", {", causal=1, block_table=table", {"table:B,T"}, "H", "G", true}},
        {"paged_padded", {", lengths=lengths, block_table=table", {"lengths:B", "table:B,T"}}},
        {"biased", {", bias=bias, mask=mask", {"bias:H,N,M", "mask:B,1,1,M"}, "H", "G", true}},
        {"masked", {", mask=mask, lengths=lengths, causal=1", {"mask:N,1", "lengths:B"}, "H", "H", true}},
        {"dropout", {", dropout=0.3, seed=12345678901, causal=1", {}, "H", "G", true}},
        {"in_f64", {", bias=bias", {"bias:M"}, "H", "H", true, DType::f64}},
    };
    return all;
}

Operator attention_operator(const std::string& name) {
    const AttentionSubject& of = attention_subjects().at(name);
    const bool is_paged = of.options.contains("block_table");
    const std::string keys = is_paged ? ":P," + of.kv_heads + ",S,D" : ":B," + of.kv_heads + ",M,D";
    std::vector<std::string> inputs = {"q:B," + of.heads + ",N,D", "k" + keys, "v" + keys};
    inputs.insert(inputs.end(), of.further.begin(), of.further.end());
    std::vector<std::string> outputs = {"out:B," + of.heads + ",N,D"};
    if (of.has_lse) outputs.push_back("lse:B," + of.heads + ",N");
    Operator made =
        make_operator(name, std::string(of.has_lse ? "out, lse" : "out") + " = attention(q, k, v" + of.options + ")",
                      inputs, outputs);
    made.arithmetic = of.arithmetic;
    for (Tensor& each : made.inputs) {
        if (each.name == "lengths" || each.name == "table") each.dtype = DType::i32;
        if (each.name == "mask") each.dtype = DType::i8;
    }
    return made;
}

/// Of a paged cache, M columns in blocks of 16, or of 7 where they are few; some of the blocks that exist.
Sizes sizes_of_symbols(const Operator& definition, Sizes various) {
    various["S"] = various["M"] < 50 ? 7 : 16;
    various["T"] = (various["M"] + various["S"] - 1) / various["S"];
    various["P"] = various["T"] + 2;
    Sizes sizes;
    for (const std::string& symbol : definition.symbols) sizes[symbol] = various.at(symbol);
    fit_sizes(definition, sizes);
    return sizes;
}

std::vector<Sizes> attention_sizes(const Operator& definition) {
    const Sizes various[] = {{{"B", 1}, {"H", 1}, {"G", 1}, {"N", 1}, {"M", 1}, {"D", 1}},
                             {{"B", 2}, {"H", 4}, {"G", 2}, {"N", 37}, {"M", 70}, {"D", 24}},
                             {{"B", 2}, {"H", 2}, {"G", 1}, {"N", 70}, {"M", 33}, {"D", 64}},
                             {{"B", 1}, {"H", 1}, {"G", 1}, {"N", 5}, {"M", 300}, {"D", 100}}};
    std::vector<Sizes> all;
    for (const Sizes& each : various) {
        all.push_back(sizes_of_symbols(definition, each));
    }
    return all;
}

Tensors attention_tensors(const Operator& definition, const Sizes& sizes, DType dtype) {
    std::mt19937 random(7);
    std::normal_distribution<double> normal;
    Tensors inputs;
    for (const Tensor& each : definition.inputs) {
        std::vector<double>& values = inputs.emplace_back(static_cast<std::size_t>(*element_count(each, sizes)));
        for (double& value : values) {
            value = round_to(dtype, normal(random));
            if (each.name == "mask") value = value > -0.5 ? 1 : 0;
            if (each.name == "lengths") value = std::floor(value * 20 + 10);
            if (each.name == "table") value = std::floor(value * 3 + 4);  // some are no block's
        }
    }
    return inputs;
}

/// The attention of an operator by loops over doubles.
class AttentionLoops {
public:
    AttentionLoops(const Operator& definition, const Sizes& sizes, const Tensors& inputs)
        : definition_(definition),
          of_(*analyse(definition)->attention),
          sizes_(sizes_of(of_, sizes)),
          binding_(sizes),
          inputs_(inputs) {}

    Tensors run() const {
        Tensors outputs(2);
        for (std::int64_t head = 0; head < sizes_.batch * sizes_.heads; ++head) {
            for (std::int64_t i = 0; i < sizes_.rows; ++i) row(head / sizes_.heads, head % sizes_.heads, i, outputs);
        }
        return outputs;
    }

private:
    double score(int input, const std::vector<std::int64_t>& place) const {
        const std::vector<std::int64_t> own = extents(definition_.inputs[static_cast<std::size_t>(input)], binding_);
        std::int64_t at = 0;
        for (std::size_t axis = 0; axis < own.size(); ++axis)
            at = at * own[axis] + (own[axis] == 1 ? 0 : place[4 - own.size() + axis]);
        return inputs_[static_cast<std::size_t>(input)][static_cast<std::size_t>(at)];
    }

    double logit(std::int64_t b, std::int64_t h, std::int64_t i, std::int64_t j) const {
        const auto& q = inputs_[0];
        const auto& k = inputs_[1];
        double x = 0;
        for (std::int64_t d = 0; d < sizes_.head_size; ++d)
            x += q[static_cast<std::size_t>(((b * sizes_.heads + h) * sizes_.rows + i) * sizes_.head_size + d)] *
                 k[key(b, h, j, d)];
        x *= scale_of(of_, sizes_);
        if (of_.softcap > 0) x = of_.softcap * std::tanh(x / of_.softcap);
        if (of_.bias >= 0) x += score(of_.bias, {b, h, i, j});
        const std::int64_t distance = j - (i + sizes_.columns - sizes_.rows);
        bool is_seen = !of_.last_seen() || distance <= *of_.last_seen();
        is_seen = is_seen && (of_.window_left < 0 || distance >= -of_.window_left);
        is_seen = is_seen && (of_.mask < 0 || score(of_.mask, {b, h, i, j}) != 0);
        if (of_.lengths >= 0)
            is_seen = is_seen && static_cast<double>(j) <
                                     inputs_[static_cast<std::size_t>(of_.lengths)][static_cast<std::size_t>(b)];
        return is_seen ? x : -INFINITY;
    }

    std::size_t key(std::int64_t b, std::int64_t h, std::int64_t j, std::int64_t d) const {
        if (of_.is_paged()) {
            const std::int64_t size = binding_.at("S"), count = binding_.at("P");
            const double number = inputs_[static_cast<std::size_t>(of_.block_table)]
                                         [static_cast<std::size_t>(b * binding_.at("T") + j / size)];
            const auto block = static_cast<std::int64_t>(std::clamp(number, 0.0, static_cast<double>(count - 1)));
            return static_cast<std::size_t>(
                ((block * sizes_.kv_heads + sizes_.kv_head(h)) * size + j % size) * sizes_.head_size + d);
        }
        return static_cast<std::size_t>(
            ((b * sizes_.kv_heads + sizes_.kv_head(h)) * sizes_.columns + j) * sizes_.head_size + d);
    }

    void row(std::int64_t b, std::int64_t h, std::int64_t i, Tensors& outputs) const {
        std::vector<double> logits;
        for (std::int64_t j = 0; j < sizes_.columns; ++j) logits.push_back(logit(b, h, i, j));
        const double largest = std::ranges::max(logits);
        double total = 0;
        for (double& each : logits) total += each = largest == -INFINITY ? 0 : std::exp(each - largest);
        for (std::int64_t d = 0; d < sizes_.head_size; ++d) {
            double sum = 0;
            for (std::int64_t j = 0; j < sizes_.columns; ++j) {
                const bool is_dropped = are_dropped(of_, b, h, i, j / 4)[static_cast<std::size_t>(j % 4)];
                const double factor = is_dropped ? 0 : of_.kept_factor();
                sum += logits[static_cast<std::size_t>(j)] * factor * inputs_[2][key(b, h, j, d)];
            }
            outputs[0].push_back(total == 0 ? 0 : sum / total);
        }
        outputs[1].push_back(total == 0 ? -INFINITY : largest + std::log(total));
    }

    const Operator& definition_;
    Attention of_;
    AttentionSizes sizes_;
    const Sizes& binding_;
    const Tensors& inputs_;
};

void expect_attended(const Operator& definition, const Sizes& sizes, DType dtype, const Tensors& inputs,
                     const Tensors& outputs) {
    const Tensors expected = AttentionLoops(definition, sizes, inputs).run();
    const double unit = dtype == DType::f64 ? 1e-13 : dtype == DType::f32 ? 3e-6 : dtype == DType::f16 ? 2e-3 : 1.6e-2;
    for (std::size_t output = 0; output < outputs.size(); ++output) {
        ASSERT_EQ(outputs[output].size(), expected[output].size());
        for (std::size_t i = 0; i < outputs[output].size(); ++i) {
            const double value = expected[output][i];
            if (std::isinf(value)) ASSERT_EQ(outputs[output][i], value) << output << ' ' << i;
            else ASSERT_NEAR(outputs[output][i], value, unit * (1 + std::abs(value))) << output << ' ' << i;
        }
    }
}

class AttentionKernel : public testing::TestWithParam<std::string> {
protected:
    AttentionKernel() : definition_(attention_operator(GetParam())) {}

    void expect_right_on_host(const Validated<GeneratedVariant>& generated, const Configuration& changes,
                              const std::string& machine = "native") const {
        ASSERT_TRUE(generated) << to_string(generated.error());
        Configuration configuration;
        for (const Tunable& each : generated->variant.tunables) {
            const auto changed = changes.find(each.name);
            configuration[each.name] = changed == changes.end() ? each.value : changed->second;
        }
        const std::vector<DType> dtypes = {DType::f32, DType::f64, DType::bf16};
        const CompiledKernel kernel(definition_, *generated, dtypes, configuration, machine);
        for (const DType dtype : dtypes) {
            for (const Sizes& sizes : attention_sizes(definition_)) {
                const Tensors inputs = attention_tensors(definition_, sizes, dtype);
                expect_attended(definition_, sizes, dtype, inputs, kernel.run(dtype, sizes, inputs));
            }
        }
    }

    void expect_right_on_gpu(const Configuration& changes, const std::vector<DType>& dtypes,
                             const EmulatedDevice& device = {}) const {
        expect_right_on_gpu(attention_sizes(definition_), changes, dtypes, device);
    }
    void expect_right_on_gpu(const std::vector<Sizes>& all, const Configuration& changes,
                             const std::vector<DType>& dtypes, const EmulatedDevice& device) const {
        const Validated<GeneratedVariant> generated = generate_cuda_variant(definition_);
        ASSERT_TRUE(generated) << to_string(generated.error());
        for (const DType dtype : dtypes) {
            const EmulatedKernel kernel(definition_, *generated, dtype, changes, device);
            for (const Sizes& sizes : all) {
                const Tensors inputs = attention_tensors(definition_, sizes, dtype);
                expect_attended(definition_, sizes, dtype, inputs, kernel.run(sizes, inputs));
            }
        }
    }

    const Operator definition_;
};

TEST_P(AttentionKernel, OfTheHostIsRight) { expect_right_on_host(generate_host_variant(definition_), {}); }

TEST_P(AttentionKernel, OfTheHostIsRightInManyBlocks) {
    expect_right_on_host(generate_host_variant(definition_),
                         {{"BLOCK_M", 16}, {"BLOCK_N", 64}, {"REGISTER_M", 6}, {"STREAM", 1}});
}

TEST_P(AttentionKernel, OfTheHostIsRightWithoutWideVectors) {
    expect_right_on_host(generate_host_variant(definition_), {}, "x86-64");
}

TEST_P(AttentionKernel, OfPlainLoopsIsRight) { expect_right_on_host(generate_naive_variant(definition_), {}); }

TEST_P(AttentionKernel, OfCudaIsRight) {
    expect_right_on_gpu({{"BLOCK_M", 16}, {"BLOCK_N", 32}, {"HEAD_SIZE", 128}, {"num_warps", 2}},
                        {DType::f32, DType::f64, DType::bf16});
}

INSTANTIATE_TEST_SUITE_P(All, AttentionKernel,
                         testing::Values("local", "softcap", "padded", "paged_padded", "biased", "dropout", "in_f64"),
                         [](const auto& subject) { return subject.param; });
/// What these ask is in the others too.
INSTANTIATE_TEST_SUITE_P(NightlyAll, AttentionKernel, testing::Values("plain", "causal", "window", "masked", "paged"),
                         [](const auto& subject) { return subject.param; });

/// Of those that tensor cores compute.
class TensorAttentionKernel : public AttentionKernel {
protected:
    /// A block computes several tiles.
    static Configuration tiles(std::int64_t rows, std::int64_t columns, std::int64_t head, std::int64_t query_stages,
                               std::int64_t turns, std::int64_t persistent = 1) {
        return {{"BLOCK_M", rows},        {"BLOCK_N", columns}, {"HEAD_SIZE", head},
                {"num_warps", rows / 16}, {"num_stages", 2},    {"QUERY_STAGES", query_stages},
                {"COPY_WARPS", 4},        {"TURNS", turns},     {"PERSISTENT", persistent}};
    }
    static constexpr EmulatedDevice small = {.multiprocessors = 2};
};

TEST_P(TensorAttentionKernel, IsRight) {
    expect_right_on_gpu(tiles(128, 64, 128, 2, 1), {DType::bf16, DType::f16}, small);
}

/// The judge's verdict on what a kernel gives for inputs of a set.
CaseAccuracy judged_attention(const Operator& definition, const EmulatedKernel& kernel, const Case& binding,
                              InputSet set) {
    const Body body = *analyse(definition);
    const Elements elements = generated_inputs(definition, binding, set, 1);
    Tensors inputs;
    for (const Tensor& each : definition.inputs) {
        const auto number = static_cast<int>(inputs.size());
        inputs.emplace_back(static_cast<std::size_t>(*element_count(each, binding.sizes)));
        elements(number, 0, inputs.back());
    }
    const Tensors outputs = kernel.run(binding.sizes, inputs);
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

/// Logits of up to 2.9e38, which times log2 e are beyond the largest float.
TEST_P(TensorAttentionKernel, IsRightForLargeNumbers) {
    Sizes sizes = attention_sizes(definition_)[1];
    for (const char* const name : {"N", "M", "D"}) sizes[name] = *name == 'D' ? 1 : 150;
    Tensors inputs = attention_tensors(definition_, sizes, DType::bf16);
    for (std::size_t input = 0; input < 3; ++input) {
        for (double& value : inputs[input]) value = round_to(DType::bf16, 1.7e19 * std::tanh(value));
    }
    const EmulatedKernel kernel(definition_, *generate_cuda_variant(definition_), DType::bf16, tiles(128, 64, 64, 2, 1),
                                small);
    expect_attended(definition_, sizes, DType::bf16, inputs, kernel.run(sizes, inputs));
}

TEST(TensorAttention, HasNaNWhereAQueryOrASeenKeyHas) {
    const Operator definition = attention_operator("causal");
    const std::int64_t rows = 150, size = 24, query = 20, key = 100;
    const Sizes sizes = {{"B", 1}, {"H", 1}, {"N", rows}, {"M", rows}, {"D", size}};
    Tensors inputs = attention_tensors(definition, sizes, DType::bf16);
    const EmulatedKernel kernel(definition, *generate_cuda_variant(definition), DType::bf16,
                                {{"BLOCK_M", 64},
                                 {"BLOCK_N", 64},
                                 {"HEAD_SIZE", 64},
                                 {"num_warps", 4},
                                 {"QUERY_STAGES", 1},
                                 {"num_stages", 2},
                                 {"COPY_WARPS", 4}});
    const Tensors clean = kernel.run(sizes, inputs);
    inputs[0][query * size + 3] = inputs[1][key * size + 5] = NAN;
    const Tensors outputs = kernel.run(sizes, inputs);
    for (std::int64_t i = 0; i < rows * size; ++i) {
        const std::int64_t row = i / size;
        if (row == query || row >= key) EXPECT_TRUE(std::isnan(outputs[0][static_cast<std::size_t>(i)])) << row;
        else EXPECT_EQ(outputs[0][static_cast<std::size_t>(i)], clean[0][static_cast<std::size_t>(i)]) << row;
    }
}

/// Of other shapes than most cases have.
class OtherTensorAttention : public TensorAttentionKernel {};

TEST_P(OtherTensorAttention, IsRightByOneWarpgroup) {
    expect_right_on_gpu(tiles(64, 80, 128, 1, 0), {DType::bf16}, small);
}

TEST_P(OtherTensorAttention, IsRightByThreeWarpgroups) {
    expect_right_on_gpu(tiles(192, 96, 128, 1, 1), {DType::bf16}, small);
}

TEST_P(OtherTensorAttention, IsRightForLargeHeads) {
    expect_right_on_gpu(tiles(128, 112, 192, 1, 0, 0), {DType::bf16}, small);
    expect_right_on_gpu(tiles(128, 80, 256, 1, 0), {DType::f16}, small);
}

TEST_P(OtherTensorAttention, IsThePlainOneOfItsTilesOnOtherDevices) {
    expect_right_on_gpu(tiles(128, 128, 128, 1, 0), {DType::bf16}, {.is_hopper = false, .multiprocessors = 2});
    expect_right_on_gpu(tiles(192, 128, 128, 1, 0), {DType::f16}, {.is_hopper = false, .multiprocessors = 2});
}

TEST_P(OtherTensorAttention, PassesTheJudgeOnEdgeValues) {
    const EmulatedKernel kernel(definition_, *generate_cuda_variant(definition_), DType::bf16, tiles(128, 64, 64, 2, 1),
                                small);
    const std::vector<Sizes> sizes = attention_sizes(definition_);
    for (std::size_t each = 0; each < 2; ++each) {
        for (const InputSet set : edge_sets) {
            const CaseAccuracy found = judged_attention(definition_, kernel, {"", DType::bf16, sizes[each]}, set);
            EXPECT_EQ(found.status, Status::ok) << to_string(set) << ' ' << each << ": " << found.reason.text();
        }
    }
}

/// The kernel for few rows.
class DecodeAttentionKernel : public AttentionKernel {
protected:
    static std::vector<Sizes> few_rows(const Operator& definition) {
        const Sizes various[] = {{{"B", 1}, {"H", 1}, {"G", 1}, {"N", 1}, {"M", 1}, {"D", 1}},
                                 {{"B", 3}, {"H", 4}, {"G", 2}, {"N", 3}, {"M", 133}, {"D", 64}},
                                 {{"B", 1}, {"H", 2}, {"G", 1}, {"N", 8}, {"M", 300}, {"D", 40}},
                                 {{"B", 36}, {"H", 2}, {"G", 2}, {"N", 2}, {"M", 5}, {"D", 20}}};
        std::vector<Sizes> all;
        for (const Sizes& each : various) {
            all.push_back(sizes_of_symbols(definition, each));
        }
        return all;
    }
    static Configuration few(std::int64_t rows, std::int64_t columns, std::int64_t warps) {
        return {{"BLOCK_M", rows}, {"BLOCK_N", columns}, {"HEAD_SIZE", 128}, {"num_warps", warps},
                {"DECODE", 1},     {"num_stages", 2},    {"PERSISTENT", 1}};
    }
};

TEST_P(DecodeAttentionKernel, IsRight) {
    expect_right_on_gpu(few_rows(definition_), few(32, 16, 4), {DType::bf16}, {.multiprocessors = 5});
}

TEST_P(DecodeAttentionKernel, IsRightByOneWarpATeam) {
    expect_right_on_gpu(few_rows(definition_), few(16, 32, 2), {DType::f16}, {.multiprocessors = 4});
}

INSTANTIATE_TEST_SUITE_P(All, DecodeAttentionKernel, testing::Values("window", "softcap", "padded", "paged_padded"),
                         [](const auto& subject) { return subject.param; });
INSTANTIATE_TEST_SUITE_P(NightlyAll, DecodeAttentionKernel, testing::Values("plain", "causal", "paged"),
                         [](const auto& subject) { return subject.param; });

INSTANTIATE_TEST_SUITE_P(All, TensorAttentionKernel, testing::Values("causal", "local", "softcap", "padded"),
                         [](const auto& subject) { return subject.param; });
INSTANTIATE_TEST_SUITE_P(NightlyAll, TensorAttentionKernel, testing::Values("plain", "window"),
                         [](const auto& subject) { return subject.param; });
/// By tiles of many rows.
class PagedTensorAttention : public TensorAttentionKernel {};

TEST_P(PagedTensorAttention, IsRight) { expect_right_on_gpu(tiles(64, 64, 128, 1, 0), {DType::bf16}, small); }

INSTANTIATE_TEST_SUITE_P(All, PagedTensorAttention, testing::Values("paged_padded"),
                         [](const auto& subject) { return subject.param; });
INSTANTIATE_TEST_SUITE_P(NightlyAll, PagedTensorAttention, testing::Values("paged"),
                         [](const auto& subject) { return subject.param; });
INSTANTIATE_TEST_SUITE_P(All, OtherTensorAttention, testing::Values("causal", "window"),
                         [](const auto& subject) { return subject.param; });

TEST(AttentionSource, TellsWhyTensorCoresDoNotComputeIt) {
    for (const auto& [name, why] : {std::pair{"biased", "logits have a bias"},
                                    {"masked", "a mask hides columns"},
                                    {"dropout", "weights are dropped"},
                                    {"in_f64", "the arithmetic is f64"}}) {
        const auto generated = generate_cuda_variant(attention_operator(name));
        ASSERT_TRUE(generated) << to_string(generated.error());
        EXPECT_THAT(generated->text, testing::HasSubstr(std::string("Not by tensor cores: ") + why + "."));
        EXPECT_TRUE(generated->variant.launches[0].tensor_maps.empty());
    }
    const auto generated = generate_cuda_variant(attention_operator("causal"));
    ASSERT_TRUE(generated) << to_string(generated.error());
    EXPECT_THAT(generated->text, testing::Not(testing::HasSubstr("Not by tensor cores")));
    EXPECT_EQ(generated->variant.launches[0].tensor_maps.size(), 3u);
}

TEST(AttentionProject, HasCasesAndABaselineOfEachKindOfDevice) {
    const auto project = make_project(attention_operator("causal"));
    ASSERT_TRUE(project) << to_string(project.error());
    EXPECT_EQ(project->cases[0].name, "1x8x1024x1024x64 f32");
    std::vector<std::string> names;
    for (const Variant& each : project->variants) names.push_back(each.name);
    EXPECT_THAT(names, testing::ElementsAre("host", "naive", "cuda", "triton", "torch", "torch_compile"));
    EXPECT_EQ(project->performance.baseline.at("cpu"), "naive");
    EXPECT_EQ(project->performance.baseline.at("cuda"), "torch");
}

TEST(AttentionProject, HasNoPlainCudaKernel) {
    const auto generated = generate_cuda_naive_variant(attention_operator("plain"));
    ASSERT_FALSE(generated);
    EXPECT_THAT(to_string(generated.error()), testing::HasSubstr("there is no plain CUDA kernel of `attention`"));
}

}  // namespace

}  // namespace kernelgen::tests
