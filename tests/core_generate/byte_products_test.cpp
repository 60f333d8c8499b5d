// SPDX-License-Identifier: Apache-2.0
// Generated CUDA kernels of products of 8-bit floating-point operands, on integers whose sums the tensor cores of
// sm_90a have exactly within 128 products, and lose beyond.
#include <gmock/gmock.h>

#include <random>

#include "core/generate/contraction_writer.h"
#include "core/generate/lower.h"
#include "core/project/by_case.h"
#include "tests/core_generate/emulated.h"
#include "tests/core_generate/samples.h"

namespace kernelgen::tests {

namespace {

using Values = std::vector<std::vector<double>>;

/// x·wᵀ, scaled by row and column, with a batch of B where `batch` is "B,".
Operator byte_linear(DType left, DType right, const std::string& batch = "") {
    Operator made =
        make_operator("fp8", "out = (x @ transpose(w)) * sx * sw",
                      {"x:" + batch + "M,K", "w:" + batch + "N,K", "sx:M,1", "sw:N"}, {"out:" + batch + "M,N"});
    made.inputs[0].dtype = left;
    made.inputs[1].dtype = right;
    made.inputs[2].dtype = made.inputs[3].dtype = made.outputs[0].dtype = DType::f32;
    made.accumulate = Accumulation::f22;
    return made;
}

/// Operands that are integers from `low` to 3; the scales are powers of two.
Values integers(const Operator& definition, const Sizes& sizes, int low) {
    std::mt19937 random(5);
    std::uniform_int_distribution<int> element(low, 3), exponent(-2, 2);
    Values inputs;
    for (const Tensor& each : definition.inputs) {
        auto& values = inputs.emplace_back(static_cast<std::size_t>(*element_count(each, sizes)));
        const bool is_operand = each.dtype != DType::f32;
        for (double& value : values) value = is_operand ? element(random) : std::ldexp(1.0, exponent(random));
    }
    return inputs;
}

void expect_exact_products(const EmulatedKernel& kernel, const Operator& definition, const Sizes& sizes, int low) {
    const Values inputs = integers(definition, sizes, low);
    const Values outputs = kernel.run(sizes, inputs);
    const std::int64_t m = sizes.at("M"), n = sizes.at("N"), depth = sizes.at("K");
    for (std::size_t at = 0; at < outputs[0].size(); ++at) {
        const auto row = static_cast<std::int64_t>(at) / n, column = static_cast<std::int64_t>(at) % n;
        double sum = 0;
        for (std::int64_t k = 0; k < depth; ++k)
            sum += inputs[0][static_cast<std::size_t>(row * depth + k)] *
                   inputs[1][static_cast<std::size_t>((row / m * n + column) * depth + k)];
        const double scale = inputs[2][static_cast<std::size_t>(row % m)] * inputs[3][static_cast<std::size_t>(column)];
        ASSERT_EQ(outputs[0][at], sum * scale) << row << ", " << column << " of " << m << "×" << n << "×" << depth;
    }
}

const Configuration byte_tiles = {{"BLOCK_M", 64},  {"BLOCK_N", 64},   {"BLOCK_K", 128}, {"GROUP_M", 4},
                                  {"num_warps", 4}, {"num_stages", 3}, {"CLUSTER", 1},   {"PERSISTENT", 0},
                                  {"SPLIT_K", 1},   {"COPY_WARPS", 0}};

Configuration with(Configuration configuration, const Configuration& changes) {
    for (const auto& [name, value] : changes) configuration[name] = value;
    return configuration;
}

void expect_right(const Operator& definition, const Configuration& configuration, const EmulatedDevice& device = {}) {
    const auto generated = generate_cuda_variant(definition);
    ASSERT_TRUE(generated) << to_string(generated.error());
    const EmulatedKernel kernel(definition, *generated, DType::bf16, configuration, device);
    const std::vector<Sizes> all = {{{"B", 2}, {"M", 1}, {"K", 1}, {"N", 1}},
                                    {{"B", 3}, {"M", 33}, {"K", 70}, {"N", 65}},
                                    {{"B", 1}, {"M", 72}, {"K", 272}, {"N", 136}},
                                    {{"B", 2}, {"M", 20}, {"K", 400}, {"N", 131}}};
    for (const Sizes& sizes : all) expect_exact_products(kernel, definition, sizes, -3);
}

TEST(ByteProducts, NameTheirFormats) {
    const auto text = [](DType left, DType right) { return generate_cuda_variant(byte_linear(left, right))->text; };
    EXPECT_THAT(text(DType::f8e4m3, DType::f8e4m3),
                testing::HasSubstr("kg::Products<kg::Pair<kg_f8e4m3, kg_f8e4m3>, T,"));
    EXPECT_THAT(text(DType::f8e5m2, DType::f8e4m3),
                testing::HasSubstr("kg::Products<kg::Pair<kg_f8e5m2, kg_f8e4m3>, T,"));
}

TEST(ByteProducts, AreRightInAllFormats) {
    for (const DType left : {DType::f8e4m3, DType::f8e5m2}) {
        for (const DType right : {DType::f8e4m3, DType::f8e5m2})
            expect_right(byte_linear(left, right), with(byte_tiles, {{"COPY_WARPS", 4}}));
    }
}

TEST(ByteProducts, AreRightWhereAllWarpsCopy) { expect_right(byte_linear(DType::f8e4m3, DType::f8e4m3), byte_tiles); }

TEST(ByteProducts, AreRightInClustersOfLargeTilesThatStay) {
    const Configuration large = with(
        byte_tiles,
        {{"BLOCK_M", 128}, {"BLOCK_N", 256}, {"num_warps", 8}, {"CLUSTER", 2}, {"COPY_WARPS", 4}, {"PERSISTENT", 1}});
    expect_right(byte_linear(DType::f8e4m3, DType::f8e4m3), large, {.multiprocessors = 2});
}

TEST(ByteProducts, AreRightInABatchAndInLongParts) {
    expect_right(byte_linear(DType::f8e4m3, DType::f8e4m3, "B,"),
                 with(byte_tiles, {{"BLOCK_K", 256}, {"COPY_WARPS", 4}}));
}

TEST(ByteProducts, AreRightWhereBlocksShareTheDepth) {
    expect_right(byte_linear(DType::f8e4m3, DType::f8e4m3), with(byte_tiles, {{"SPLIT_K", 2}, {"COPY_WARPS", 4}}));
    expect_right(byte_linear(DType::f8e5m2, DType::f8e4m3), with(byte_tiles, {{"SPLIT_K", 4}, {"COPY_WARPS", 4}}));
    expect_right(byte_linear(DType::f8e4m3, DType::f8e4m3), with(byte_tiles, {{"SPLIT_K", 8}, {"BLOCK_K", 256}}));
}

/// Own columns of a block are 8 bytes of a row then.
TEST(ByteProducts, AreRightWhereBlocksShareTheDepthOfResultsOf8Bits) {
    Operator definition = byte_linear(DType::f8e4m3, DType::f8e4m3);
    definition.outputs[0].dtype = DType::f8e5m2;
    const auto generated = generate_cuda_variant(definition);
    ASSERT_TRUE(generated) << to_string(generated.error());
    const EmulatedKernel kernel(definition, *generated, DType::bf16,
                                with(byte_tiles, {{"SPLIT_K", 8}, {"COPY_WARPS", 4}}));
    const Sizes sizes = {{"M", 33}, {"K", 1}, {"N", 64}};
    Values inputs = integers(definition, sizes, 1);
    for (double& value : inputs[1]) value = 1;  // products that E5M2 has
    const Values outputs = kernel.run(sizes, inputs);
    for (std::size_t at = 0; at < outputs[0].size(); ++at)
        ASSERT_EQ(outputs[0][at], inputs[0][at / 64] * inputs[2][at / 64] * inputs[3][at % 64]);
}

TEST(ByteProducts, AreRightInClustersOfFour) {
    expect_right(byte_linear(DType::f8e4m3, DType::f8e4m3), with(byte_tiles, {{"CLUSTER", 4}, {"COPY_WARPS", 4}}));
}

TEST(ByteProducts, HaveRulesByCase) {
    const auto chosen = [](std::int64_t size, const std::string& name) {
        const auto generated = generate_cuda_variant(byte_linear(DType::f8e4m3, DType::f8e4m3));
        const Implementation implementation{
            generated->variant, "", {}, {}, {{"multiprocessors", 132}, {"shared_per_block", 232448}}};
        const Case cube{"", DType::bf16, {{"M", size}, {"K", size}, {"N", size}}};
        return for_case(implementation, cube).configuration.at(name);
    };
    EXPECT_EQ(chosen(512, "BLOCK_N"), 64);
    EXPECT_EQ(chosen(1024, "BLOCK_N"), 128);
    EXPECT_EQ(chosen(2048, "CLUSTER"), 1);  // one round of tiles
    EXPECT_EQ(chosen(4096, "CLUSTER"), 2);
}

/// On a device without wgmma the same source computes in f32.
TEST(ByteProducts, AreRightWithoutTensorCores) {
    expect_right(byte_linear(DType::f8e4m3, DType::f8e5m2), byte_tiles, {.is_hopper = false});
}

/// 2¹⁴ + 1 has more digits than tensor cores keep: the emulated ones lose the 1, and arithmetic in f32 would not.
TEST(ByteProducts, AreMultipliedByTensorCores) {
    const Operator definition = byte_linear(DType::f8e4m3, DType::f8e4m3);
    const auto generated = generate_cuda_variant(definition);
    const Sizes sizes = {{"M", 1}, {"N", 1}, {"K", 2}};
    const Values inputs = {{128, 1}, {128, 1}, {1}, {1}};
    const auto sum = [&](const EmulatedDevice& device) {
        return EmulatedKernel(definition, *generated, DType::bf16, byte_tiles, device).run(sizes, inputs)[0][0];
    };
    EXPECT_EQ(sum({}), 128 * 128);
    EXPECT_EQ(sum({.is_hopper = false}), 128 * 128 + 1);
}

/// 3 · 128 has few digits. Beyond 16,384 the tensor cores' sums are even.
TEST(ByteProducts, AreAddedInFloatAfter128) {
    const Operator definition = byte_linear(DType::f8e4m3, DType::f8e4m3);
    const auto generated = generate_cuda_variant(definition);
    const EmulatedKernel kernel(definition, *generated, DType::bf16, with(byte_tiles, {{"COPY_WARPS", 4}}));
    expect_exact_products(kernel, definition, {{"M", 3}, {"N", 5}, {"K", 8192}}, 3);
}

std::string way_of(const Operator& definition) {
    const Validated<Body> body = analyse(definition);
    EXPECT_TRUE(body.has_value());
    const Body lowered = lower(*body);
    if (uses_tensor_cores_for_bytes(definition, lowered)) return "tensor cores";
    return why_bytes_are_plain(definition, lowered).value_or("nothing to tell");
}

TEST(ByteProducts, TellWhyTensorCoresDoNotTakeThem) {
    EXPECT_EQ(way_of(byte_linear(DType::f8e4m3, DType::f8e5m2)), "tensor cores");
    Operator definition = byte_linear(DType::f8e4m3, DType::f8e4m3);
    definition.accumulate = std::nullopt;
    EXPECT_EQ(way_of(definition), "the operator has no \"accumulate\": \"f22\", as exact as they add");
    Operator other = make_operator("nn", "out = a @ b", {"a:M,K", "b:K,N"}, {"out:M,N"});
    EXPECT_EQ(way_of(other), "nothing to tell");
    other.inputs[0].dtype = other.inputs[1].dtype = DType::f8e4m3;
    other.accumulate = Accumulation::f22;
    EXPECT_EQ(way_of(other), "they take 8 bits as `x @ transpose(w)` only");
    const auto generated = generate_cuda_variant(other);
    ASSERT_TRUE(generated) << to_string(generated.error());
    EXPECT_THAT(generated->text, testing::HasSubstr("Not by tensor cores: they take 8 bits as"));
    EXPECT_TRUE(generated->variant.launches[0].tensor_maps.empty());
}

/// Where tensor cores need it, and nowhere else.
TEST(ByteProducts, AreAddedCoarselyInNewProjects) {
    const auto made = [](Operator definition) {
        definition.accumulate = std::nullopt;
        return make_project(definition)->definition.accumulate;
    };
    Operator definition = byte_linear(DType::f8e4m3, DType::f8e5m2);
    EXPECT_EQ(made(definition), Accumulation::f22);
    definition.inputs[1].dtype = DType::bf16;
    EXPECT_EQ(made(definition), std::nullopt);
    EXPECT_EQ(made(make_operator("matmul", "out = a @ transpose(b)", {"a:M,K", "b:N,K"}, {"out:M,N"})), std::nullopt);
}

/// PyTorch multiplies them as they are, in one call where nothing is left to do after it.
TEST(ByteProducts, ArePassedToCublas) {
    const auto text = [](const std::string& body, DType left, DType right) {
        Operator definition = byte_linear(left, right);
        definition.body = body;
        definition.outputs[0].dtype = std::nullopt;
        definition.inputs.push_back(tensor("bias:N"));
        return generate_torch_variant(definition)->text;
    };
    const DType e4m3 = DType::f8e4m3, e5m2 = DType::f8e5m2;
    const std::string by_vectors = "out = bias + sw * (x @ transpose(w)) * sx", whole = text(by_vectors, e5m2, e4m3);
    EXPECT_THAT(whole, testing::HasSubstr("        return torch._scaled_mm(\n"
                                          "            x, w.t(),\n"
                                          "            scale_a=sx,\n"
                                          "            scale_b=sw.view(1, -1),\n"
                                          "            bias=bias,\n"
                                          "            out_dtype=bias.dtype,\n"
                                          "            use_fast_accum=False,\n"));
    EXPECT_THAT(whole, testing::HasSubstr("K % 16 == 0 and N % 16 == 0 and bias.dtype == torch.bfloat16"));
    EXPECT_THAT(whole, testing::HasSubstr("out_dtype=torch.float32, use_fast_accum=False,"));   // of other dtypes
    EXPECT_THAT(text(by_vectors, e4m3, e5m2), testing::Not(testing::HasSubstr("scale_b=sw")));  // sm_90 alone has it
    const std::string part = text("t = x @ transpose(w); out = relu(t * sx * sw) + bias", e4m3, e5m2);
    EXPECT_THAT(part, testing::HasSubstr("out_dtype=torch.float32, use_fast_accum=False,"));
    EXPECT_THAT(part, testing::HasSubstr("torch.matmul(x.to(T), w.to(T).transpose(-1, -2))"));
    EXPECT_THAT(text("out = (x @ transpose(w)) * sx * sw + bias", e5m2, e5m2),
                testing::Not(testing::HasSubstr("_scaled_mm")));  // one must be E4M3
}

TEST(ByteProducts, HaveRulesForTheirSizes) {
    const auto generated = generate_cuda_variant(byte_linear(DType::f8e4m3, DType::f8e4m3));
    ASSERT_TRUE(generated) << to_string(generated.error());
    const auto value = [&](const std::string& name, std::int64_t m, std::int64_t k, std::int64_t n) {
        const Implementation implementation{
            generated->variant, "", {}, {}, {{"multiprocessors", 132}, {"shared_per_block", 232448}}};
        return for_case(implementation, {"", DType::bf16, {{"M", m}, {"K", k}, {"N", n}}}).configuration.at(name);
    };
    EXPECT_EQ(value("BLOCK_N", 4096, 4096, 4096), 256);
    EXPECT_EQ(value("COPY_WARPS", 4096, 4096, 4096), 4);
    EXPECT_EQ(value("COPY_WARPS", 4096, 4095, 4096), 0);  // rows that are no multiple of 16 bytes
    EXPECT_EQ(value("BLOCK_M", 16, 4096, 4096), 64);
}

}  // namespace

}  // namespace kernelgen::tests
