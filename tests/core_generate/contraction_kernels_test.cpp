// SPDX-License-Identifier: Apache-2.0
// Generated kernels of bodies with a contraction, against loops over doubles.
#include <gmock/gmock.h>

#include <cmath>
#include <functional>
#include <random>

#include "core/generate/library_product.h"
#include "core/generate/lower.h"
#include "core/project/by_case.h"
#include "tests/core_generate/emulated.h"
#include "tests/core_generate/samples.h"

namespace kernelgen::tests {

namespace {

using Matrices = std::vector<std::vector<double>>;

/// An operator over M, K and N, and a batch of B, with what it computes again: the operands' elements and what becomes
/// of the product.
struct ProductSubject {
    Operator definition;
    bool has_batch = false;
    std::function<double(const Matrices&, const Sizes&, std::int64_t batch, std::int64_t i, std::int64_t k)> left;
    std::function<double(const Matrices&, const Sizes&, std::int64_t batch, std::int64_t k, std::int64_t j)> right;
    std::function<double(const Matrices&, double product, std::int64_t batch, std::int64_t j)> epilogue;
};

std::size_t place_in(std::int64_t row, std::int64_t columns, std::int64_t column) {
    return static_cast<std::size_t>(row * columns + column);
}

const std::map<std::string, ProductSubject>& product_subjects() {
    static const std::map<std::string, ProductSubject> all = [] {
        std::map<std::string, ProductSubject> made;
        made["matmul"] = {
            .definition = make_operator("matmul", "out = a @ b", {"a:M,K", "b:K,N"}, {"out:M,N"}),
            .left = [](const auto& x, const Sizes& s, auto, auto i, auto k) { return x[0][place_in(i, s.at("K"), k)]; },
            .right = [](const auto& x, const Sizes& s, auto, auto k,
                        auto j) { return x[1][place_in(k, s.at("N"), j)]; },
            .epilogue = [](const auto&, double product, auto, auto) { return product; }};
        made["linear_silu"] = {
            .definition = make_operator("linear_silu", "t = x @ transpose(w) + bias; out = t * sigmoid(t)",
                                        {"x:M,K", "w:N,K", "bias:N"}, {"out:M,N"}),
            .left = made["matmul"].left,
            .right = [](const auto& x, const Sizes& s, auto, auto k,
                        auto j) { return x[1][place_in(j, s.at("K"), k)]; },
            .epilogue =
                [](const auto& x, double product, auto, auto j) {
                    const double t = product + x[2][static_cast<std::size_t>(j)];
                    return t / (1 + std::exp(-t));
                }};
        made["batched"] = {.definition = make_operator("batched", "out = transpose(a * s) @ b * t",
                                                       {"a:B,K,M", "s:K,1", "b:K,N", "t:B,1,1"}, {"out:B,M,N"}),
                           .has_batch = true,
                           .left =
                               [](const auto& x, const Sizes& s, auto batch, auto i, auto k) {
                                   return x[0][place_in(batch * s.at("K") + k, s.at("M"), i)] *
                                          x[1][static_cast<std::size_t>(k)];
                               },
                           .right = [](const auto& x, const Sizes& s, auto, auto k,
                                       auto j) { return x[2][place_in(k, s.at("N"), j)]; },
                           .epilogue = [](const auto& x, double product, auto batch,
                                          auto) { return product * x[3][static_cast<std::size_t>(batch)]; }};
        return made;
    }();
    return all;
}

const std::vector<Sizes>& product_sizes() {
    static const std::vector<Sizes> all = {{{"B", 1}, {"M", 1}, {"K", 1}, {"N", 1}},
                                           {{"B", 2}, {"M", 3}, {"K", 17}, {"N", 5}},
                                           {{"B", 3}, {"M", 33}, {"K", 70}, {"N", 65}},
                                           {{"B", 1}, {"M", 20}, {"K", 300}, {"N", 131}},
                                           {{"B", 2}, {"M", 72}, {"K", 136}, {"N", 200}}};
    return all;
}

Matrices random_operands(const Operator& definition, const Sizes& sizes, DType dtype) {
    std::mt19937 random(11);
    std::normal_distribution<double> normal;
    Matrices inputs;
    for (const Tensor& each : definition.inputs) {
        std::vector<double>& values = inputs.emplace_back(static_cast<std::size_t>(*element_count(each, sizes)));
        for (double& value : values) value = round_to(dtype, normal(random));
    }
    return inputs;
}

/// The elements of both operands of a batch's product, `left` by rows and `right` by columns.
struct Operands {
    std::vector<double> left, right;

    Operands(const ProductSubject& subject, const Sizes& sizes, const Matrices& inputs, std::int64_t batch) {
        const std::int64_t m = sizes.at("M"), n = sizes.at("N"), depth = sizes.at("K");
        for (std::int64_t i = 0; i < m; ++i) {
            for (std::int64_t k = 0; k < depth; ++k) left.push_back(subject.left(inputs, sizes, batch, i, k));
        }
        for (std::int64_t j = 0; j < n; ++j) {
            for (std::int64_t k = 0; k < depth; ++k) right.push_back(subject.right(inputs, sizes, batch, k, j));
        }
    }
};

void expect_products(const ProductSubject& subject, const Sizes& sizes, DType dtype, const Matrices& inputs,
                     const Matrices& outputs) {
    const std::int64_t batches = subject.has_batch ? sizes.at("B") : 1, m = sizes.at("M"), n = sizes.at("N");
    const std::int64_t depth = sizes.at("K");
    const double unit = dtype == DType::f64 ? 1e-14 : dtype == DType::f32 ? 2e-6 : dtype == DType::f16 ? 1e-3 : 8e-3;
    for (std::int64_t batch = 0; batch < batches; ++batch) {
        const Operands operands(subject, sizes, inputs, batch);
        for (std::int64_t i = 0; i < m; ++i) {
            for (std::int64_t j = 0; j < n; ++j) {
                const double* const row = operands.left.data() + i * depth;
                const double* const column = operands.right.data() + j * depth;
                double sum = 0, magnitude = 1;
                for (std::int64_t k = 0; k < depth; ++k) {
                    const double product = row[k] * column[k];
                    sum += product;
                    magnitude += std::abs(product);
                }
                const double expected = subject.epilogue(inputs, sum, batch, j);
                const double actual = outputs[0][place_in(batch * m + i, n, j)];
                ASSERT_NEAR(actual, expected, unit * magnitude) << batch << ", " << i << ", " << j;
            }
        }
    }
}

Configuration with_defaults(const Variant& variant, const Configuration& changes) {
    Configuration configuration = changes;
    for (const Tunable& each : variant.tunables) configuration.try_emplace(each.name, each.value);
    return configuration;
}

class ContractionKernel : public testing::TestWithParam<std::string> {
protected:
    const ProductSubject& subject() const { return product_subjects().at(GetParam()); }

    void expect_right_on_host(const Validated<GeneratedVariant>& generated, const Configuration& changes,
                              const std::string& machine = "native") {
        ASSERT_TRUE(generated) << to_string(generated.error());
        const std::vector<DType> dtypes = {DType::f32, DType::f64, DType::bf16};
        const CompiledKernel kernel(subject().definition, *generated, dtypes,
                                    with_defaults(generated->variant, changes), machine);
        for (const DType dtype : dtypes) {
            for (const Sizes& sizes : product_sizes()) {
                const Matrices inputs = random_operands(subject().definition, sizes, dtype);
                expect_products(subject(), sizes, dtype, inputs, kernel.run(dtype, sizes, inputs));
            }
        }
    }
};

TEST_P(ContractionKernel, OfTheHostIsRightInOneTile) {
    expect_right_on_host(generate_host_variant(subject().definition), {});
}

TEST_P(ContractionKernel, OfTheHostIsRightInManyTilesAndParts) {
    const Configuration small = {{"BLOCK_M", 16}, {"BLOCK_N", 64}, {"BLOCK_K", 64}, {"REGISTER_M", 6}, {"STREAM", 1}};
    expect_right_on_host(generate_host_variant(subject().definition), small);
}

TEST_P(ContractionKernel, OfTheHostIsRightWithoutWideVectors) {
    expect_right_on_host(generate_host_variant(subject().definition), {{"BLOCK_K", 64}}, "x86-64");
}

/// An instruction that multiplies pairs of bf16 takes subnormal numbers as 0.
TEST(HostProducts, OfSubnormalNumbersAreRight) {
    const ProductSubject& subject = product_subjects().at("matmul");
    const auto generated = generate_host_variant(subject.definition);
    const CompiledKernel kernel(subject.definition, *generated, {DType::bf16}, with_defaults(generated->variant, {}),
                                "native");
    const Sizes sizes = {{"M", 3}, {"N", 33}, {"K", 5}};
    Matrices inputs = random_operands(subject.definition, sizes, DType::bf16);
    std::ranges::fill(inputs[0], 0x1p-128);
    std::ranges::fill(inputs[1], 0x1p127);
    expect_products(subject, sizes, DType::bf16, inputs, kernel.run(DType::bf16, sizes, inputs));
}

TEST_P(ContractionKernel, OfPlainLoopsIsRight) {
    expect_right_on_host(generate_naive_variant(subject().definition), {});
}

TEST_P(ContractionKernel, OfPlainCudaIsRight) {
    const auto generated = generate_cuda_naive_variant(subject().definition);
    ASSERT_TRUE(generated) << to_string(generated.error());
    for (const DType dtype : {DType::f32, DType::bf16}) {
        const EmulatedKernel kernel(subject().definition, *generated, dtype, {});
        for (const Sizes& sizes : product_sizes()) {
            const Matrices inputs = random_operands(subject().definition, sizes, dtype);
            expect_products(subject(), sizes, dtype, inputs, kernel.run(sizes, inputs));
        }
    }
}

/// What the emulated GPU computes.
void expect_right_on_gpu(const ProductSubject& subject, DType dtype, const Configuration& configuration,
                         const EmulatedDevice& device = {}, const std::vector<Sizes>& all = product_sizes()) {
    const auto generated = generate_cuda_variant(subject.definition);
    ASSERT_TRUE(generated) << to_string(generated.error());
    const EmulatedKernel kernel(subject.definition, *generated, dtype, configuration, device);
    for (const Sizes& sizes : all) {
        const Matrices inputs = random_operands(subject.definition, sizes, dtype);
        expect_products(subject, sizes, dtype, inputs, kernel.run(sizes, inputs));
    }
}

TEST_P(ContractionKernel, OfCudaIsRightInTiles) {
    const Configuration small = {{"BLOCK_M", 32}, {"BLOCK_N", 64}, {"BLOCK_K", 8}, {"GROUP_M", 4}, {"num_warps", 2}};
    expect_right_on_gpu(subject(), DType::f32, small);
}

const Configuration small_tensor_tiles = {{"BLOCK_M", 64}, {"BLOCK_N", 64},  {"BLOCK_K", 64},
                                          {"GROUP_M", 4},  {"num_warps", 4}, {"num_stages", 3}};

TEST_P(ContractionKernel, OfCudaIsRightByInstructionsOfWarpgroups) {
    expect_right_on_gpu(subject(), DType::bf16, small_tensor_tiles);
    expect_right_on_gpu(subject(), DType::f16, small_tensor_tiles);
}

Configuration with_copy_warps(Configuration configuration, std::int64_t cluster) {
    configuration["COPY_WARPS"] = 4;
    configuration["CLUSTER"] = cluster;
    return configuration;
}

/// Where the copy engine cannot read the operands, the copying warps gather them.
TEST_P(ContractionKernel, OfCudaIsRightWithCopyingWarps) {
    expect_right_on_gpu(subject(), DType::bf16, with_copy_warps(small_tensor_tiles, 1));
    expect_right_on_gpu(subject(), DType::f16, with_copy_warps(small_tensor_tiles, 1), {.is_hopper = false});
}

TEST_P(ContractionKernel, OfCudaIsRightInClustersThatShareAnOperand) {
    expect_right_on_gpu(subject(), DType::bf16, with_copy_warps(small_tensor_tiles, 2));
    expect_right_on_gpu(subject(), DType::bf16, with_copy_warps(small_tensor_tiles, 4));
}

Configuration with_split_depth(Configuration configuration, std::int64_t split) {
    configuration["SPLIT_K"] = split;
    return configuration;
}

/// Blocks of a cluster share the depth of a tile; some have no part of a short one.
TEST_P(ContractionKernel, OfCudaIsRightWhereBlocksShareTheDepth) {
    expect_right_on_gpu(subject(), DType::bf16, with_split_depth(small_tensor_tiles, 2));
    expect_right_on_gpu(subject(), DType::bf16, with_split_depth(with_copy_warps(small_tensor_tiles, 1), 4));
    expect_right_on_gpu(subject(), DType::bf16, with_split_depth(with_copy_warps(small_tensor_tiles, 1), 8));
    Configuration large = with_split_depth(with_copy_warps(small_tensor_tiles, 1), 2);
    large["BLOCK_M"] = large["BLOCK_N"] = 128;
    large["num_warps"] = 8;
    large["PERSISTENT"] = 1;
    expect_right_on_gpu(subject(), DType::f16, large, {.multiprocessors = 2});
}

/// Without clusters that multiply from shared memory, the first block computes the tile.
TEST_P(ContractionKernel, OfCudaIsRightWithoutBlocksThatCouldShareTheDepth) {
    expect_right_on_gpu(subject(), DType::bf16, with_split_depth(small_tensor_tiles, 2), {.is_hopper = false});
}

TEST_P(ContractionKernel, OfCudaIsRightByInstructionsOfWarps) {
    expect_right_on_gpu(subject(), DType::bf16, small_tensor_tiles, {.is_hopper = false});
    expect_right_on_gpu(subject(), DType::f16, small_tensor_tiles, {.is_hopper = false});
}

/// Rows beyond the first 16 too, lines that are no multiple of 16 bytes, and a depth that no warp has whole.
TEST(FewRows, AreRightWhereLinesFollowTheDepth) {
    const ProductSubject& subject = product_subjects().at("linear_silu");
    const Configuration few = {{"BLOCK_M", 16}, {"BLOCK_N", 32}, {"BLOCK_K", 64}, {"num_warps", 2}, {"num_stages", 3}};
    expect_right_on_gpu(subject, DType::bf16, few);
    expect_right_on_gpu(subject, DType::f16, few, {.is_hopper = false});
}

/// The same where columns follow each other, also in a number that is no multiple of 8.
TEST(FewRows, AreRightWhereColumnsFollowEachOther) {
    const ProductSubject& subject = product_subjects().at("matmul");
    const Configuration few = {{"BLOCK_M", 16}, {"BLOCK_N", 64}, {"BLOCK_K", 64}, {"num_warps", 2}, {"num_stages", 3}};
    expect_right_on_gpu(subject, DType::bf16, few);
    expect_right_on_gpu(subject, DType::f16, few, {.is_hopper = false});
}

/// A warp loads the next parts while it multiplies: once and a half, twice, and so deep that some warps have one part
/// more.
TEST(FewRows, AreRightWhereTheDepthIsLong) {
    const Configuration few = {{"BLOCK_M", 16}, {"BLOCK_N", 32}, {"BLOCK_K", 64}, {"num_warps", 2}, {"num_stages", 3}};
    Configuration of_columns = few;
    of_columns["BLOCK_N"] = 64;
    std::vector<Sizes> all;
    for (const std::int64_t depth : {192, 288, 384, 1096}) all.push_back({{"B", 1}, {"M", 5}, {"K", depth}, {"N", 72}});
    expect_right_on_gpu(product_subjects().at("linear_silu"), DType::bf16, few, {}, all);
    expect_right_on_gpu(product_subjects().at("matmul"), DType::bf16, of_columns, {}, all);
}

TEST(FewRows, HaveARuleWhereRowsFollowTheDepth) {
    const auto values = [](const std::string& subject, std::int64_t rows) {
        const auto generated = generate_cuda_variant(product_subjects().at(subject).definition);
        const Implementation implementation{
            generated->variant, "", {}, {}, {{"multiprocessors", 132}, {"shared_per_block", 232448}}};
        const Case small{"", DType::bf16, {{"M", rows}, {"K", 64}, {"N", 64}}};
        return for_case(implementation, small).configuration.at("BLOCK_M");
    };
    EXPECT_EQ(values("linear_silu", 16), 16);
    EXPECT_EQ(values("linear_silu", 17), 64);
    EXPECT_EQ(values("matmul", 16), 16);
}

TEST(SplitDepth, HasARuleWhereTilesWouldNotFillTheDevice) {
    const auto split = [](std::int64_t rows, std::int64_t depth, std::int64_t columns) {
        const auto generated = generate_cuda_variant(product_subjects().at("matmul").definition);
        const Implementation implementation{
            generated->variant, "", {}, {}, {{"multiprocessors", 132}, {"shared_per_block", 232448}}};
        const Case small{"", DType::bf16, {{"M", rows}, {"K", depth}, {"N", columns}}};
        const Configuration chosen = for_case(implementation, small).configuration;
        return chosen.contains("SPLIT_K") ? chosen.at("SPLIT_K") : 1;
    };
    EXPECT_EQ(split(256, 8192, 256), 8);
    EXPECT_EQ(split(256, 2048, 256), 4);
    EXPECT_EQ(split(512, 4096, 512), 2);  // 32 clusters of 4 have no room beside one another
    EXPECT_EQ(split(512, 8192, 1024), 2);
    EXPECT_EQ(split(256, 512, 256), 1);  // not deep
    EXPECT_EQ(split(4096, 8192, 4096), 1);
    EXPECT_EQ(split(32, 8192, 1024), 8);
}

TEST(NarrowTiles, HaveARuleWhereWiderOnesWouldNotFillHalfOfTheDevice) {
    const auto columns = [](std::int64_t size) {
        const auto generated = generate_cuda_variant(product_subjects().at("matmul").definition);
        const Implementation implementation{
            generated->variant, "", {}, {}, {{"multiprocessors", 132}, {"shared_per_block", 232448}}};
        const Case cube{"", DType::bf16, {{"M", size}, {"K", size}, {"N", size}}};
        return for_case(implementation, cube).configuration.at("BLOCK_N");
    };
    EXPECT_EQ(columns(512), 64);
    EXPECT_EQ(columns(1024), 128);
    EXPECT_EQ(columns(2048), 256);
}

/// Both operands are boxes of tensors with a matrix for each of the batch.
TEST(BatchedContraction, IsRightByCopiesOfBoxes) {
    const ProductSubject batched = {
        .definition = make_operator("batched", "out = a @ transpose(b)", {"a:B,M,K", "b:B,N,K"}, {"out:B,M,N"}),
        .has_batch = true,
        .left = [](const auto& x, const Sizes& s, auto batch, auto i,
                   auto k) { return x[0][place_in(batch * s.at("M") + i, s.at("K"), k)]; },
        .right = [](const auto& x, const Sizes& s, auto batch, auto k,
                    auto j) { return x[1][place_in(batch * s.at("N") + j, s.at("K"), k)]; },
        .epilogue = [](const auto&, double product, auto, auto) { return product; }};
    const auto generated = generate_cuda_variant(batched.definition);
    ASSERT_TRUE(generated) << to_string(generated.error());
    EXPECT_EQ(generated->variant.launches[0].tensor_maps.size(), 2u);
    // Several tiles a block, two warpgroups, two blocks that share an operand.
    Configuration configuration = with_copy_warps(small_tensor_tiles, 2);
    configuration["num_warps"] = 8;
    configuration["BLOCK_M"] = 128;
    configuration["PERSISTENT"] = 1;
    const Sizes sizes = {{"B", 9}, {"M", 72}, {"K", 136}, {"N", 72}};
    const EmulatedKernel kernel(batched.definition, *generated, DType::bf16, configuration, {.multiprocessors = 2});
    const Matrices inputs = random_operands(batched.definition, sizes, DType::bf16);
    expect_products(batched, sizes, DType::bf16, inputs, kernel.run(sizes, inputs));
}

INSTANTIATE_TEST_SUITE_P(All, ContractionKernel, testing::Values("matmul", "linear_silu", "batched"),
                         [](const auto& subject) { return subject.param; });

std::string product_of_library(const std::string& body, const std::vector<std::string>& inputs) {
    const Operator definition = make_operator("op", body, inputs, {"out:M,N"});
    const Validated<Body> analysed = analyse(definition);
    EXPECT_TRUE(analysed.has_value());
    const auto product = library_product(definition, lower(*analysed));
    return product ? to_string(*product) : "";
}

TEST(LibraryProduct, IsFoundWithWhatALibraryFuses) {
    EXPECT_EQ(product_of_library("out = a @ b", {"a:M,K", "b:K,N"}), "matmul");
    EXPECT_EQ(product_of_library("out = transpose(a) @ b", {"a:K,M", "b:K,N"}), "matmul_tn");
    EXPECT_EQ(product_of_library("out = a @ transpose(b) + c", {"a:M,K", "b:N,K", "c:N"}), "matmul_nt+bias");
    EXPECT_EQ(product_of_library("t = c + a @ b; out = t * sigmoid(t)", {"a:M,K", "b:K,N", "c:N"}),
              "matmul+bias+eltwise_swish");
    EXPECT_EQ(product_of_library("out = relu(a @ b)", {"a:M,K", "b:K,N"}), "matmul+eltwise_relu");
    EXPECT_EQ(product_of_library("out = relu(a @ b) + c", {"a:M,K", "b:K,N", "c:N"}), "");
    EXPECT_EQ(product_of_library("out = (2 * a) @ b", {"a:M,K", "b:K,N"}), "");
    EXPECT_EQ(product_of_library("out = b @ a", {"a:K,N", "b:M,K"}), "");
}

TEST(LibraryProduct, IsReadFromItsName) {
    for (const char* name : {"matmul", "matmul_tt", "matmul_nt+bias", "matmul+bias+eltwise_relu"})
        EXPECT_EQ(to_string(parse_library_product(name).value()), name);
    for (const char* name :
         {"", "softmax", "matmul_nn", "matmul+", "matmul+relu", "matmul+bias+bias", "matmul+bias+eltwise_relu+x"})
        EXPECT_FALSE(parse_library_product(name).has_value()) << name;
}

}  // namespace

}  // namespace kernelgen::tests
