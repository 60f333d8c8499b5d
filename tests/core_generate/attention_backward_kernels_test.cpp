// SPDX-License-Identifier: Apache-2.0
// Generated kernels of bodies with `attention_backward`, against loops over doubles.
#include <gmock/gmock.h>

#include <cmath>
#include <random>

#include "core/lang/attention.h"
#include "core/lang/contraction.h"
#include "core/project/values.h"
#include "tests/core_generate/emulated.h"
#include "tests/core_generate/samples.h"

namespace kernelgen::tests {

namespace {

using GradientTensors = std::vector<std::vector<double>>;

struct BackwardSubject {
    std::string options;
    std::vector<std::string> further = {};  ///< inputs after the first six
    std::string heads = "H", kv_heads = "G";
    std::optional<DType> arithmetic = {};
};

const std::map<std::string, BackwardSubject>& backward_subjects() {
    static const std::map<std::string, BackwardSubject> all = {
        {"plain", {""}},
        {"causal", {", causal=1", {}, "H", "H"}},
        {"window", {", window_left=20, window_right=3, scale=0.3", {}, "H", "1"}},
        {"local", {", causal=1, window_left=5", {}, "4", "2"}},
        {"softcap", {", softcap=1.5", {}, "H", "G"}},
        {"padded", {", lengths=lengths", {"lengths:B"}}},
        {"biased", {", bias=bias, mask=mask", {"bias:H,N,M", "mask:B,1,1,M"}, "H", "G"}},
        {"masked", {", mask=mask, lengths=lengths, causal=1", {"mask:N,1", "lengths:B"}, "H", "H"}},
        {"dropout", {", dropout=0.3, seed=12345678901, causal=1", {}, "H", "G"}},
        {"in_f64", {", bias=bias", {"bias:M"}, "H", "H", DType::f64}},
    };
    return all;
}

Operator backward_operator(const std::string& name) {
    const BackwardSubject& of = backward_subjects().at(name);
    const std::string rows = ":B," + of.heads + ",N,D", keys = ":B," + of.kv_heads + ",M,D";
    std::vector<std::string> inputs = {"q" + rows,   "k" + keys, "v" + keys, "out" + rows, "lse:B," + of.heads + ",N",
                                       "dout" + rows};
    inputs.insert(inputs.end(), of.further.begin(), of.further.end());
    Operator made = make_operator(name, "dq, dk, dv = attention_backward(q, k, v, out, lse, dout" + of.options + ")",
                                  inputs, {"dq" + rows, "dk" + keys, "dv" + keys});
    made.arithmetic = of.arithmetic;
    for (Tensor& each : made.inputs) {
        if (each.name == "lengths") each.dtype = DType::i32;
        if (each.name == "mask") each.dtype = DType::i8;
    }
    return made;
}

std::vector<Sizes> backward_sizes(const Operator& definition) {
    const Sizes various[] = {{{"B", 1}, {"H", 1}, {"G", 1}, {"N", 1}, {"M", 1}, {"D", 1}},
                             {{"B", 2}, {"H", 4}, {"G", 2}, {"N", 37}, {"M", 70}, {"D", 24}},
                             {{"B", 2}, {"H", 2}, {"G", 1}, {"N", 70}, {"M", 33}, {"D", 64}},
                             {{"B", 1}, {"H", 1}, {"G", 1}, {"N", 5}, {"M", 200}, {"D", 100}}};
    std::vector<Sizes> all;
    for (const Sizes& each : various) {
        Sizes& sizes = all.emplace_back();
        for (const std::string& symbol : definition.symbols) sizes[symbol] = each.at(symbol);
        fit_sizes(definition, sizes);
    }
    return all;
}

GradientTensors backward_tensors(const Operator& definition, const Sizes& sizes, DType dtype) {
    std::mt19937 random(7);
    std::normal_distribution<double> normal;
    GradientTensors inputs;
    for (const Tensor& each : definition.inputs) {
        std::vector<double>& values = inputs.emplace_back(static_cast<std::size_t>(*element_count(each, sizes)));
        for (double& value : values) {
            value = round_to(dtype, normal(random));
            if (each.name == "lse") value = round_to(dtype, 4 + std::abs(value));
            if (each.name == "mask") value = value > -0.5 ? 1 : 0;
            if (each.name == "lengths") value = std::floor(value * 20 + 10);
        }
        // A row of which the log-sum-exp says that it sees nothing must give no NaN where it sees nothing.
        const Attention of = *analyse(definition)->attention;
        const AttentionSizes all = sizes_of(of, sizes);
        if (each.name != "lse") continue;
        for (std::size_t line = 0; line < values.size(); ++line) {
            const SeenColumns seen = seen_columns(of, all, static_cast<std::int64_t>(line) % all.rows);
            if (seen.first >= seen.end) values[line] = -INFINITY;
        }
    }
    return inputs;
}

/// The gradients of an operator by loops over doubles.
class BackwardLoops {
public:
    BackwardLoops(const Operator& definition, const Sizes& sizes, const GradientTensors& inputs)
        : definition_(definition),
          of_(*analyse(definition)->attention),
          sizes_(sizes_of(of_, sizes)),
          binding_(sizes),
          inputs_(inputs) {}

    GradientTensors run() const {
        GradientTensors outputs = {std::vector<double>(inputs_[0].size()), std::vector<double>(inputs_[1].size()),
                                   std::vector<double>(inputs_[1].size())};
        for (std::int64_t head = 0; head < sizes_.batch * sizes_.heads; ++head) {
            for (std::int64_t i = 0; i < sizes_.rows; ++i) {
                for (std::int64_t j = 0; j < sizes_.columns; ++j)
                    add(head / sizes_.heads, head % sizes_.heads, i, j, outputs);
            }
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

    bool is_seen(std::int64_t b, std::int64_t h, std::int64_t i, std::int64_t j) const {
        const SeenColumns seen = seen_columns(of_, sizes_, i);
        if (j < seen.first || j >= seen.end) return false;
        if (of_.mask >= 0 && score(of_.mask, {b, h, i, j}) == 0) return false;
        return of_.lengths < 0 ||
               static_cast<double>(j) < inputs_[static_cast<std::size_t>(of_.lengths)][static_cast<std::size_t>(b)];
    }

    void add(std::int64_t b, std::int64_t h, std::int64_t i, std::int64_t j, GradientTensors& outputs) const {
        if (!is_seen(b, h, i, j)) return;
        const std::size_t size = static_cast<std::size_t>(sizes_.head_size),
                          line = static_cast<std::size_t>((b * sizes_.heads + h) * sizes_.rows + i), row = line * size,
                          key =
                              static_cast<std::size_t>((b * sizes_.kv_heads + sizes_.kv_head(h)) * sizes_.columns + j) *
                              size;
        double x = 0, product = 0, delta = 0, slope = 1;
        for (std::size_t d = 0; d < size; ++d) {
            x += inputs_[0][row + d] * inputs_[1][key + d];
            product += inputs_[5][row + d] * inputs_[2][key + d];
            delta += inputs_[5][row + d] * inputs_[3][row + d];
        }
        const double scale = scale_of(of_, sizes_);
        x *= scale;
        if (of_.softcap > 0) {
            const double share = std::tanh(x / of_.softcap);
            x = of_.softcap * share;
            slope = 1 - share * share;
        }
        if (of_.bias >= 0) x += score(of_.bias, {b, h, i, j});
        const bool is_dropped = are_dropped(of_, b, h, i, j / 4)[static_cast<std::size_t>(j % 4)];
        const double kept = is_dropped ? 0 : of_.kept_factor(), weight = std::exp(x - inputs_[4][line]),
                     gradient = weight * (kept * product - delta) * slope * scale;
        for (std::size_t d = 0; d < size; ++d) {
            outputs[0][row + d] += gradient * inputs_[1][key + d];
            outputs[1][key + d] += gradient * inputs_[0][row + d];
            outputs[2][key + d] += weight * kept * inputs_[5][row + d];
        }
    }

    const Operator& definition_;
    Attention of_;
    AttentionSizes sizes_;
    const Sizes& binding_;
    const GradientTensors& inputs_;
};

void expect_gradients(const Operator& definition, const Sizes& sizes, DType dtype, const GradientTensors& inputs,
                      const GradientTensors& outputs) {
    const GradientTensors expected = BackwardLoops(definition, sizes, inputs).run();
    const double unit = dtype == DType::f64 ? 1e-13 : dtype == DType::f32 ? 1e-5 : 1.6e-2;
    for (std::size_t output = 0; output < outputs.size(); ++output) {
        ASSERT_EQ(outputs[output].size(), expected[output].size());
        for (std::size_t i = 0; i < outputs[output].size(); ++i) {
            const double value = expected[output][i];
            ASSERT_NEAR(outputs[output][i], value, unit * (1 + std::abs(value))) << output << ' ' << i;
        }
    }
}

class BackwardKernel : public testing::TestWithParam<std::string> {
protected:
    BackwardKernel() : definition_(backward_operator(GetParam())) {}

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
            for (const Sizes& sizes : backward_sizes(definition_)) {
                const GradientTensors inputs = backward_tensors(definition_, sizes, dtype);
                expect_gradients(definition_, sizes, dtype, inputs, kernel.run(dtype, sizes, inputs));
            }
        }
    }

    /// One subject in every dtype, the others in f32: the emulation takes its time.
    void expect_right_on_gpu(const Validated<GeneratedVariant>& generated, const Configuration& changes) const {
        ASSERT_TRUE(generated) << to_string(generated.error());
        std::vector<DType> dtypes = {DType::f32};
        if (GetParam() == "causal") dtypes = {DType::f32, DType::f64, DType::bf16};
        for (const DType dtype : dtypes) {
            const EmulatedKernel kernel(definition_, *generated, dtype, changes);
            for (const Sizes& sizes : backward_sizes(definition_)) {
                const GradientTensors inputs = backward_tensors(definition_, sizes, dtype);
                expect_gradients(definition_, sizes, dtype, inputs, kernel.run(sizes, inputs));
            }
        }
    }

    const Operator definition_;
};

TEST_P(BackwardKernel, OfTheHostIsRight) { expect_right_on_host(generate_host_variant(definition_), {}); }

TEST_P(BackwardKernel, OfTheHostIsRightInManyBlocks) {
    expect_right_on_host(generate_host_variant(definition_),
                         {{"BLOCK_M", 16}, {"BLOCK_N", 32}, {"REGISTER_M", 6}, {"STREAM", 1}});
}

TEST_P(BackwardKernel, OfTheHostIsRightInUnevenStrips) {
    expect_right_on_host(generate_host_variant(definition_), {{"BLOCK_M", 32}, {"BLOCK_N", 64}, {"REGISTER_M", 12}},
                         "x86-64");
}

TEST_P(BackwardKernel, OfPlainLoopsIsRight) { expect_right_on_host(generate_naive_variant(definition_), {}); }

TEST_P(BackwardKernel, OfCudaIsRight) {
    expect_right_on_gpu(generate_cuda_variant(definition_),
                        {{"BLOCK_M", 32}, {"BLOCK_N", 16}, {"HEAD_SIZE", 128}, {"num_warps", 4}});
}

TEST_P(BackwardKernel, OfCudaIsRightInTilesWithMoreColumnsThanRows) {
    expect_right_on_gpu(generate_cuda_variant(definition_),
                        {{"BLOCK_M", 16}, {"BLOCK_N", 32}, {"HEAD_SIZE", 128}, {"num_warps", 4}});
}

TEST_P(BackwardKernel, OfCudaWithAtomicsIsRight) {
    expect_right_on_gpu(generate_cuda_atomic_variant(definition_),
                        {{"BLOCK_M", 16}, {"BLOCK_N", 32}, {"HEAD_SIZE", 128}, {"num_warps", 4}});
}

INSTANTIATE_TEST_SUITE_P(All, BackwardKernel,
                         testing::Values("local", "softcap", "padded", "biased", "dropout", "in_f64"),
                         [](const auto& subject) { return subject.param; });
/// What these ask is in the others too.
INSTANTIATE_TEST_SUITE_P(NightlyAll, BackwardKernel, testing::Values("plain", "causal", "window", "masked"),
                         [](const auto& subject) { return subject.param; });

/// Of those that tensor cores compute.
class TensorBackwardKernel : public BackwardKernel {
protected:
    static Configuration tiles(std::int64_t rows, std::int64_t head, std::int64_t stages, std::int64_t heads) {
        return {{"BLOCK_M", rows},      {"BLOCK_N", head > 128 ? 64 : 128},
                {"HEAD_SIZE", head},    {"num_warps", 8},
                {"num_stages", stages}, {"COPY_WARPS", 4},
                {"HEADS", heads}};
    }

    /// Tiles of rows that see a part of a block's columns, all and none; heads of a multiple of 8 elements.
    std::vector<Sizes> sizes(std::int64_t most) const {
        const Sizes various[] = {{{"B", 1}, {"H", 1}, {"G", 1}, {"N", 1}, {"M", 1}, {"D", 8}},
                                 {{"B", 2}, {"H", 4}, {"G", 2}, {"N", 37}, {"M", 150}, {"D", 24}},
                                 {{"B", 1}, {"H", 2}, {"G", 1}, {"N", 330}, {"M", 133}, {"D", 64}},
                                 {{"B", 1}, {"H", 1}, {"G", 1}, {"N", 140}, {"M", 300}, {"D", 104}},
                                 {{"B", 1}, {"H", 2}, {"G", 2}, {"N", 100}, {"M", 140}, {"D", 200}}};
        std::vector<Sizes> all;
        for (const Sizes& each : various) {
            if (each.at("D") > most) continue;
            Sizes& own = all.emplace_back();
            for (const std::string& symbol : definition_.symbols) own[symbol] = each.at(symbol);
            fit_sizes(definition_, own);
        }
        return all;
    }

    void expect_right(const Validated<GeneratedVariant>& generated, const Configuration& changes, DType dtype) const {
        ASSERT_TRUE(generated) << to_string(generated.error());
        const EmulatedKernel kernel(definition_, *generated, dtype, changes);
        for (const Sizes& each : sizes(changes.at("HEAD_SIZE"))) {
            const GradientTensors inputs = backward_tensors(definition_, each, dtype);
            const GradientTensors outputs = kernel.run(each, inputs);
            expect_lines(BackwardLoops(definition_, each, inputs).run(), outputs,
                         static_cast<std::size_t>(each.at("D")));
        }
    }

private:
    /// Weights and gradients of logits are rounded to 16 bits: a line of a gradient is compared by its norm.
    static void expect_lines(const GradientTensors& expected, const GradientTensors& outputs, std::size_t size) {
        for (std::size_t output = 0; output < outputs.size(); ++output) {
            ASSERT_EQ(outputs[output].size(), expected[output].size());
            double all = 0;
            for (const double value : expected[output]) all += value * value;
            const double usual = all / static_cast<double>(expected[output].size() / size);
            for (std::size_t line = 0; line < expected[output].size(); line += size) {
                double error = 0, norm = 0;
                for (std::size_t i = line; i < line + size; ++i) {
                    error += std::pow(outputs[output][i] - expected[output][i], 2);
                    norm += std::pow(expected[output][i], 2);
                }
                ASSERT_LE(std::sqrt(error), 1e-2 * std::sqrt(norm + usual) + 1e-6) << output << ' ' << line / size;
            }
        }
    }
};

TEST_P(TensorBackwardKernel, IsRight) {
    expect_right(generate_cuda_variant(definition_), tiles(64, 128, 2, 1), DType::bf16);
}

TEST_P(TensorBackwardKernel, IsRightForSmallHeads) {
    expect_right(generate_cuda_variant(definition_), tiles(128, 64, 2, 2), DType::f16);
}

TEST_P(TensorBackwardKernel, IsRightForLargeHeads) {
    expect_right(generate_cuda_variant(definition_), tiles(64, 256, 2, 1), DType::bf16);
    // Some of the window's gradients are beyond the largest f16.
    expect_right(generate_cuda_atomic_variant(definition_), tiles(64, 256, 1, 2), DType::bf16);
}

TEST_P(TensorBackwardKernel, IsRightWithAtomics) {
    expect_right(generate_cuda_atomic_variant(definition_), tiles(64, 128, 1, 4), DType::f16);
    expect_right(generate_cuda_atomic_variant(definition_), tiles(128, 64, 3, 2), DType::bf16);
}

INSTANTIATE_TEST_SUITE_P(All, TensorBackwardKernel, testing::Values("causal", "local", "padded"),
                         [](const auto& subject) { return subject.param; });
INSTANTIATE_TEST_SUITE_P(NightlyAll, TensorBackwardKernel, testing::Values("plain", "window"),
                         [](const auto& subject) { return subject.param; });

TEST(AttentionBackwardKernels, TellWhyTensorCoresDoNotComputeThem) {
    using testing::HasSubstr;
    EXPECT_THAT(generate_cuda_variant(backward_operator("softcap"))->text,
                HasSubstr("Not by tensor cores: logits have a soft cap."));
    EXPECT_THAT(generate_cuda_atomic_variant(backward_operator("dropout"))->text,
                HasSubstr("Not by tensor cores: weights are dropped."));
    Operator narrow = backward_operator("plain");
    narrow.outputs[0].dtype = DType::f32;
    EXPECT_THAT(generate_cuda_variant(narrow)->text,
                HasSubstr("Not by tensor cores: results or gradients have a dtype of their own."));
}

TEST(AttentionBackwardKernels, HaveTensorTilesOnlyForWhatTheyCanCompute) {
    const Variant variant = generate_cuda_variant(backward_operator("plain"))->variant;
    const auto is_taken = [&](Configuration configuration, DType dtype, std::int64_t size) {
        const Case binding{"", dtype, {{"B", 1}, {"H", 1}, {"G", 1}, {"N", 64}, {"M", 64}, {"D", size}}};
        for (const Tunable& each : variant.tunables) configuration.try_emplace(each.name, each.value);
        return !violated_restriction({variant, "", configuration}, binding);
    };
    const Configuration tensor = {{"BLOCK_M", 64}, {"BLOCK_N", 128}, {"COPY_WARPS", 4}, {"num_stages", 2}};
    EXPECT_TRUE(is_taken(tensor, DType::bf16, 120));
    EXPECT_FALSE(is_taken(tensor, DType::f32, 120));
    EXPECT_FALSE(is_taken(tensor, DType::bf16, 100));
    EXPECT_TRUE(is_taken({}, DType::f32, 120));
    EXPECT_FALSE(is_taken({{"BLOCK_N", 128}}, DType::f32, 120));
}

TEST(AttentionBackwardKernels, HaveNoNamesOfTensorsForTheirOwnVariables) {
    const auto named = [](const std::string& result, const std::string& lse, const std::string& gradient) {
        const std::vector<std::string> inputs = {"q:B,H,N,D",         "k:B,H,M,D",    "v:B,H,M,D",
                                                 result + ":B,H,N,D", lse + ":B,H,N", gradient + ":B,H,N,D"};
        return make_operator("a",
                             "dq, dk, dv = attention_backward(q, k, v, " + result + ", " + lse + ", " + gradient + ")",
                             inputs, {"dq:B,H,N,D", "dk:B,H,M,D", "dv:B,H,M,D"});
    };
    using testing::AllOf, testing::HasSubstr, testing::Not;
    EXPECT_THAT(generate_naive_variant(named("value_product", "weight", "gradient"))->text,
                AllOf(Not(HasSubstr("const T weight =")), Not(HasSubstr("const T gradient =")),
                      Not(HasSubstr(", value_product = 0"))));
    EXPECT_THAT(generate_cuda_atomic_variant(named("out", "sums", "step"))->text,
                AllOf(Not(HasSubstr("T* const sums =")), Not(HasSubstr("int64_t step ="))));
}

/// The kernel of keys has two sums of a block's columns, and stages of three tensors of the rows.
TEST(AttentionBackwardKernels, OfTritonHaveRoomForWhatTheKernelOfKeysHolds) {
    const Variant variant = generate_triton_variant(backward_operator("plain"))->variant;
    const auto is_taken = [&](Configuration configuration, DType dtype) {
        const Case binding{"", dtype, {{"B", 1}, {"H", 1}, {"G", 1}, {"N", 64}, {"M", 64}, {"D", 256}}};
        for (const Tunable& each : variant.tunables) configuration.try_emplace(each.name, each.value);
        return !violated_restriction({variant, "", configuration}, binding);
    };
    EXPECT_TRUE(is_taken({}, DType::f32));
    EXPECT_FALSE(is_taken({{"BLOCK_M", 128}, {"BLOCK_N", 16}, {"num_warps", 8}, {"num_stages", 4}}, DType::bf16));
    EXPECT_FALSE(is_taken({{"BLOCK_N", 128}, {"num_stages", 1}, {"num_warps", 8}}, DType::bf16));
}

TEST(AttentionBackwardProject, HasWeightsAsLargeAsThoseOfASoftmax) {
    const auto project = make_project(backward_operator("causal"));
    ASSERT_TRUE(project) << to_string(project.error());
    std::vector<std::string> names;
    for (const Variant& each : project->variants) names.push_back(each.name);
    EXPECT_THAT(names,
                testing::ElementsAre("host", "naive", "cuda", "cuda_atomic", "triton", "torch", "torch_compile"));
    EXPECT_FALSE(project->find_variant("cuda_atomic")->deterministic);
    EXPECT_FALSE(has_cuda_atomic_variant(make_operator("relu", "out = relu(x)", {"x:P,D"})));
    EXPECT_EQ(project->definition.inputs[4].domain, (Domain{Domain::Kind::interval, 6, 7}));
}

}  // namespace

}  // namespace kernelgen::tests
