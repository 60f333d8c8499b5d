// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/files/companions.h"
#include "core/generate/generate.h"
#include "core/generate/torch_attention.h"
#include "core/project/by_case.h"
#include "core/project/launch_plan.h"
#include "core/project/project_file.h"
#include "core/project/values.h"
#include "core/verify/eager_dtypes.h"
#include "tests/core_generate/samples.h"

namespace kernelgen::tests {

namespace {

const std::filesystem::path samples_folder = std::filesystem::path(KERNELGEN_SOURCE_DIR) / "projects";

Project load_sample(const std::string& name) {
    auto project = load_project(samples_folder / name);
    if (!project) throw std::runtime_error(to_string(project.error()));
    return *project;
}

Validated<GeneratedVariant> generate_again(const Project& project, const Variant& of) {
    const Operator& definition = project.definition;
    const std::string& variant = of.name;
    if (variant == "triton")
        return generate_triton_variant(definition, configuration_of(of), of.configurations, stated_rules(project));
    if (variant == "torch") return generate_torch_variant(definition, eager_dtypes(project));
    if (variant == "torch_compile") return generate_torch_compile_variant(definition, eager_dtypes(project));
    if (variant == "naive") return generate_naive_variant(definition);
    if (variant == "cuda") return generate_cuda_variant(definition);
    if (variant == "cuda_atomic") return generate_cuda_atomic_variant(definition);
    if (variant == "cuda_naive") return generate_cuda_naive_variant(definition);
    return generate_host_variant(definition);
}

/// With KERNELGEN_UPDATE_SAMPLES set, the samples' sources are written again instead of compared.
void update(const Project& old) {
    Project project = old;
    for (Variant& variant : project.variants) {
        if (variant.generated.empty()) continue;
        const auto again = generate_again(project, variant);
        ASSERT_TRUE(again) << to_string(again.error());
        ASSERT_TRUE(write_file_atomic(project.folder / variant.source, again->text));
        const std::vector<Tunable> tunables = std::move(variant.tunables);
        std::vector<ConfigurationRule> rules = std::move(variant.configurations);
        variant = again->variant;
        if (!rules.empty()) variant.configurations = rules_for(variant, std::move(rules));
        if (variant.language == Language::triton) variant.companions = companions_for(project.definition);
        for (Tunable& tunable : variant.tunables) {
            for (const Tunable& before : tunables) {
                if (before.name == tunable.name) tunable = before;
            }
        }
        for (Companion& each : variant.companions) {
            const std::string text = companion_source(project, variant, each.kind);
            each.generated = hash_hex(text);
            ASSERT_TRUE(write_file_atomic(project.folder / each.source, text));
        }
    }
    ASSERT_TRUE(save_project(project));
}

class Sample : public testing::TestWithParam<std::string> {};

TEST_P(Sample, is_what_the_generator_makes_of_its_definition) {
    const Project project = load_sample(GetParam());
    if (std::getenv("KERNELGEN_UPDATE_SAMPLES") != nullptr) return update(project);
    for (const Variant& variant : project.variants) {
        if (variant.generated.empty()) continue;
        const auto again = generate_again(project, variant);
        ASSERT_TRUE(again) << to_string(again.error());
        const auto text = source_text(project, variant);
        ASSERT_TRUE(text) << text.error().message;
        EXPECT_EQ(*text, again->text) << "generate it again with KERNELGEN_UPDATE_SAMPLES=1";
        EXPECT_TRUE(is_unedited(variant, *text));
        EXPECT_EQ(variant.launches, again->variant.launches);
        for (const Companion& each : variant.companions) {
            const auto companion = read_file(project.folder / each.source);
            ASSERT_TRUE(companion) << companion.error().message;
            EXPECT_EQ(*companion, companion_source(project, variant, each.kind));
            EXPECT_EQ(each.generated, hash_hex(*companion));
        }
    }
}

TEST_P(Sample, is_measured_against_the_library_where_that_has_the_operator) {
    const Project project = load_sample(GetParam());
    if (project.find_variant("unfused") != nullptr) GTEST_SKIP() << "measured against its own variant";
    const auto library = library_variant(project.definition);
    const Variant* baseline = baseline_for(project, "cpu");
    ASSERT_NE(baseline, nullptr);
    EXPECT_EQ(baseline->name, library ? "library" : "naive");
    if (library) {
        EXPECT_EQ(*baseline, *library);
    }
    const auto cudnn = cudnn_variant(project.definition);
    ASSERT_NE(baseline_for(project, "cuda:0"), nullptr);
    const auto body = analyse(project.definition);
    const bool is_product = body->contraction || body->attention;
    const std::string in_torch =
        body->attention && TorchAttention::is_faster_compiled(*body->attention) ? "torch_compile" : "torch";
    EXPECT_EQ(baseline_for(project, "cuda:0")->name, cudnn ? "cudnn" : is_product ? in_torch : "cuda_naive");
    EXPECT_EQ(candidate_for(project, "cuda:0")->name, "cuda");
}

TEST(SoftmaxSample, has_a_configuration_for_rows_of_4096_and_one_for_rows_of_8192) {
    const Project project = load_sample("softmax");
    const Variant& cuda = *project.find_variant("cuda");
    const auto columns = [&](std::int64_t count) {
        const Case binding{"", DType::bf16, {{"P", 4096}, {"D", count}}};
        EXPECT_TRUE(std::ranges::contains(project.cases, binding.sizes, &Case::sizes)) << count;
        return for_case({cuda, "", configuration_of(cuda)}, binding).configuration;
    };
    EXPECT_EQ(columns(4096).at("BLOCK_N"), 4096);
    EXPECT_EQ(columns(4096).at("num_warps"), 4);
    EXPECT_EQ(columns(8192).at("BLOCK_N"), 8192);
    EXPECT_EQ(columns(8192).at("num_warps"), 8);
}

/// What a sample's kernel is given on a device with the shared memory of an H100, or of an RTX 3090 (80).
Implementation attention_on(std::int64_t architecture, const std::string& sample, const Case& binding) {
    const Project project = load_sample(sample);
    const Variant& cuda = *project.find_variant("cuda");
    const Sizes device = {{"architecture", architecture},
                          {"multiprocessors", 132},
                          {"shared_per_block", architecture == 80 ? 101376 : 232448}};
    return for_case({cuda, "", configuration_of(cuda), {}, device}, binding);
}

TEST(AttentionSamples, AreComputedByTensorCoresForEveryHeadSize) {
    for (const char* const sample : {"attention", "attention_causal", "attention_window"}) {
        const Project project = load_sample(sample);
        for (const std::int64_t size : {8, 64, 80, 96, 128, 160, 192, 256}) {
            for (const std::int64_t rows : {512, 4096, 16384}) {
                const Case binding{
                    "", DType::bf16, {{"B", 4}, {"H", 16}, {"N", rows}, {"D", size}, {"Hk", 4}, {"M", rows}}};
                const Implementation made = attention_on(90, sample, binding);
                EXPECT_EQ(made.configuration.at("COPY_WARPS"), 4) << sample << ' ' << size << ' ' << rows;
                EXPECT_EQ(attention_on(100, sample, binding).configuration.at("COPY_WARPS"), 0)
                    << sample << ' ' << size;
                EXPECT_FALSE(violated_restriction(made, binding)) << sample << ' ' << size;
                const auto plan = plan_launches(project.definition, made, binding);
                ASSERT_TRUE(plan) << plan.error().message;
                EXPECT_LE(plan->launches[0].shared_bytes, 232448);
                EXPECT_EQ(plan->launches[0].grid[0], 132);
                for (const PlannedTensorMap& map : plan->launches[0].tensor_maps) EXPECT_TRUE(can_be_mapped(map));
            }
        }
    }
}

TEST(AttentionSamples, AreComputedByTheKernelForFewRowsWhereQueriesAreFew) {
    const Project project = load_sample("attention_decode");
    for (const std::int64_t size : {64, 128, 256}) {
        for (const std::int64_t rows : {1, 4, 8, 16}) {
            const Case binding{
                "", DType::bf16, {{"B", 64}, {"H", 32}, {"N", rows}, {"D", size}, {"Hk", 8}, {"M", 8192}}};
            for (const std::int64_t architecture : {80, 90, 100}) {
                const Implementation made = attention_on(architecture, "attention_decode", binding);
                const bool is_few = rows <= (size <= 128 ? 8 : 4);
                EXPECT_EQ(made.configuration.at("DECODE"), is_few ? 1 : 0) << size << ' ' << rows;
                EXPECT_FALSE(violated_restriction(made, binding)) << size << ' ' << rows;
                const auto plan = plan_launches(project.definition, made, binding);
                ASSERT_TRUE(plan) << plan.error().message;
                EXPECT_LE(plan->launches[0].shared_bytes, architecture == 80 ? 101376 : 232448);
                if (is_few) {
                    EXPECT_EQ(plan->launches[0].grid[0], 132);
                }
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, Sample,
                         testing::Values("vector_add", "bias_add", "broadcast", "relu", "gelu", "silu", "softmax",
                                         "layer_norm", "rms_norm", "matmul", "linear_silu", "conv2d_bias_relu",
                                         "depthwise_conv2d", "batched_matmul", "gemv", "fp8_linear", "quantize",
                                         "attention", "attention_causal", "attention_window", "attention_decode",
                                         "attention_paged", "attention_backward", "attention_unfused", "attention_fp8",
                                         "mha"),
                         [](const auto& sample) { return sample.param; });

/// By the columns of the cases: columns and warps of the tile.
TEST(Generated, cuda_tile_is_no_wider_than_the_longest_row) {
    const Operator definition = make_operator("normalize", "out = x / row_sum(x)", {"x:P,D"});
    const auto tile = [&](const std::vector<std::int64_t>& columns) {
        std::vector<Case> cases;
        for (const std::int64_t each : columns) cases.push_back({.sizes = {{"P", 64}, {"D", each}}});
        const Configuration made = configuration_of(generate_cuda_variant(definition, cases)->variant);
        return std::pair(made.at("BLOCK_N"), made.at("num_warps"));
    };
    EXPECT_EQ(tile({}), std::pair(8192L, 8L));
    EXPECT_EQ(tile({8192}), std::pair(8192L, 8L));
    EXPECT_EQ(tile({4097}), std::pair(8192L, 8L));
    EXPECT_EQ(tile({4096}), std::pair(4096L, 4L));
    EXPECT_EQ(tile({64, 1000}), std::pair(1024L, 1L));
    EXPECT_EQ(tile({1}), std::pair(256L, 1L));
    EXPECT_EQ(tile({1000000}), std::pair(8192L, 8L));
}

TEST(Generated, is_edited_once_a_byte_of_its_source_differs) {
    const auto host = generate_host_variant(make_operator("relu", "out = relu(x)", {"x:P,D"}));
    ASSERT_TRUE(host);
    EXPECT_TRUE(is_unedited(host->variant, host->text));
    EXPECT_FALSE(is_unedited(host->variant, host->text + "\n"));
}

TEST(Generated, by_a_person_is_never_unedited) {
    Variant written;
    EXPECT_FALSE(is_unedited(written, ""));
}

TEST(Generated, cuda_source_asks_for_full_precision_where_an_output_has_its_own_dtype) {
    Operator definition = make_operator("widen", "out = exp(x)", {"x:P,D"});
    EXPECT_THAT(generate_cuda_variant(definition)->text, testing::Not(testing::HasSubstr("KG_PRECISE")));
    definition.outputs[0].dtype = DType::f32;
    EXPECT_THAT(generate_cuda_variant(definition)->text, testing::HasSubstr("#define KG_PRECISE"));
}

TEST(Generated, cuda_source_has_sigmoid_for_one_plus_tanh) {
    const auto half = generate_cuda_variant(make_operator("gate", "out = 0.5 * (tanh(x / 3) + 1)", {"x:P,D"}));
    ASSERT_TRUE(half);
    EXPECT_THAT(half->text, testing::HasSubstr("kg::sigmoid(T(2) * (x_j / by_constant))"));
    EXPECT_THAT(half->text, testing::Not(testing::HasSubstr("tanh(x_j")));
    const auto other = generate_cuda_variant(make_operator("other", "out = 2 + tanh(x)", {"x:P,D"}));
    EXPECT_THAT(other->text, testing::HasSubstr("kg::tanh(x_j)"));
}

TEST(A_new_project, reads_back_as_it_was_written) {
    const auto project =
        make_project(make_operator("scaled", "out = x * sigmoid(1.702 * x) + residual", {"x:P,D", "residual:P,D"}));
    ASSERT_TRUE(project);
    EXPECT_THAT(validate(*project), testing::IsEmpty());
    EXPECT_EQ(project->cases[0].name, "4096x4096 f32");
    EXPECT_EQ(baseline_for(*project, "cpu")->name, "naive");
    EXPECT_EQ(candidate_for(*project, "cpu")->name, "host");
}

TEST(A_new_project, shares_rows_out_among_several_leading_dimensions) {
    const auto project =
        make_project(make_operator("attention_mask", "out = x + mask", {"x:B,H,S,K", "mask:S,K"}, {"out:B,H,S,K"}));
    ASSERT_TRUE(project);
    EXPECT_EQ(project->cases[0].name, "16x16x16x4096 f32");
}

TEST(A_new_project, computes_in_f64_where_a_tensor_asks_for_it) {
    Operator definition = make_operator("wide", "out = exp(x)", {"x:P,D"});
    EXPECT_FALSE(make_project(definition)->definition.arithmetic);
    definition.inputs[0].dtype = DType::i8;
    EXPECT_FALSE(make_project(definition)->definition.arithmetic);
    EXPECT_EQ(make_project(definition)->cases.size(), 2u);
    definition.outputs[0].dtype = DType::i32;
    EXPECT_EQ(make_project(definition)->definition.arithmetic, DType::f64);
    EXPECT_EQ(make_project(definition)->cases.size(), 1u);
    definition.outputs[0].dtype = DType::f64;
    EXPECT_EQ(make_project(definition)->definition.arithmetic, DType::f64);
}

TEST(A_new_project, has_cases_that_satisfy_its_constraints) {
    Operator definition = make_operator("relu", "out = relu(x)", {"x:P,D"});
    definition.constraints = {"D <= 1024", "P >= 1"};
    const auto project = make_project(definition);
    ASSERT_TRUE(project);
    EXPECT_EQ(project->cases[0].name, "4096x1024 f32");
    definition.constraints = {"P % 7 == 0", "D % 3 == 0"};
    EXPECT_EQ(make_project(definition)->cases[0].name, "4095x4095 f32");
}

}  // namespace

}  // namespace kernelgen::tests
