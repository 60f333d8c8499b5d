// SPDX-License-Identifier: Apache-2.0
// Generated kernels of bodies with a convolution, against loops over doubles.
#include <gmock/gmock.h>

#include <cmath>
#include <functional>
#include <random>

#include "core/generate/contraction_writer.h"
#include "core/generate/convolution_view.h"
#include "core/generate/convolution_writer.h"
#include "core/generate/library_product.h"
#include "core/generate/lower.h"
#include "tests/core_generate/emulated.h"
#include "tests/core_generate/samples.h"

namespace kernelgen::tests {

namespace {

using Tensors = std::vector<std::vector<double>>;

/// An operator with a convolution of inputs 0 and 1; what is done to the operands' elements, and what becomes of the
/// result's element number `at` of channel `o`.
struct ConvolutionSubject {
    Operator definition;
    std::function<double(const Tensors&, double value, std::int64_t channel)> pixel =
        [](const Tensors&, double value, std::int64_t) { return value; };
    std::function<double(const Tensors&, double sum, std::size_t at, std::int64_t o)> epilogue =
        [](const Tensors&, double sum, std::size_t, std::int64_t) { return sum; };
};

const std::map<std::string, ConvolutionSubject>& convolution_subjects() {
    static const std::map<std::string, ConvolutionSubject> all = [] {
        std::map<std::string, ConvolutionSubject> made;
        const auto bias_relu = [](const Tensors& x, double sum, std::size_t, std::int64_t o) {
            return std::max(sum + x[2][static_cast<std::size_t>(o)], 0.0);
        };
        made["bias_relu"].definition = make_operator("bias_relu", "out = relu(conv2d(x, w, padding=1) + bias)",
                                                     {"x:N,C,H,W", "w:O,C,3,3", "bias:O,1,1"}, {"out:N,O,OH,OW"});
        made["bias_relu"].epilogue = bias_relu;
        made["channels_last"].definition =
            make_operator("channels_last", "out = relu(conv2d_nhwc(x, w, stride=2, padding=1) + bias)",
                          {"x:N,H,W,C", "w:O,3,3,C", "bias:O"}, {"out:N,OH,OW,O"});
        made["channels_last"].epilogue = bias_relu;
        made["strided"].definition =
            make_operator("strided", "out = conv2d(2 * x + s, w, stride=2, padding=3, dilation=2)",
                          {"x:N,C,H,W", "w:O,C,R,S", "s:C,1,1"}, {"out:N,O,OH,OW"});
        made["strided"].pixel = [](const Tensors& x, double value, std::int64_t channel) {
            return 2 * value + x[2][static_cast<std::size_t>(channel)];
        };
        made["far_taps"].definition =  // images that are padded so far have no place in memory
            make_operator("far_taps", "out = conv2d(x, w, padding=65536, dilation=65536)", {"x:N,C,H,W", "w:O,C,3,3"},
                          {"out:N,O,H,W"});
        made["one_tap"].definition =
            make_operator("one_tap", "out = conv2d(x, w)", {"x:N,1,H,W", "w:O,1,1,1"}, {"out:N,O,H,W"});
        made["grouped"].definition = make_operator("grouped", "out = conv2d(x, w, groups=2, padding=1) * residual",
                                                   {"x:N,C,H,W", "w:O,D,3,3", "residual:N,O,OH,OW"}, {"out:N,O,OH,OW"});
        made["grouped"].epilogue = [](const Tensors& x, double sum, std::size_t at, std::int64_t) {
            return sum * x[2][at];
        };
        made["grouped_last"].definition = make_operator("grouped_last", "out = conv2d_nhwc(x, w, groups=2, padding=1)",
                                                        {"x:N,H,W,C", "w:O,3,3,D"}, {"out:N,OH,OW,O"});
        made["depthwise"].definition = make_operator("depthwise", "out = conv2d(x, w, padding=1, groups=C)",
                                                     {"x:N,C,H,W", "w:C,1,3,3"}, {"out:N,C,H,W"});
        made["depthwise_channels_last"].definition =
            make_operator("depthwise_channels_last", "out = relu(conv2d_nhwc(x, w, padding=1, groups=C) + bias)",
                          {"x:N,H,W,C", "w:C,3,3,1", "bias:C"}, {"out:N,H,W,C"});
        made["depthwise_channels_last"].epilogue = bias_relu;
        made["depthwise_wide"].definition =
            make_operator("depthwise_wide", "out = relu(conv2d(x, w, padding=3, groups=C) + bias)",
                          {"x:N,C,H,W", "w:C,1,5,3", "bias:C,1,1"}, {"out:N,C,OH,OW"});
        made["depthwise_wide"].epilogue = bias_relu;
        made["depthwise_strided"].definition =
            make_operator("depthwise_strided", "out = conv2d(x, w, padding=2, stride=2, groups=C)",
                          {"x:N,C,H,W", "w:C,1,5,3"}, {"out:N,C,OH,OW"});
        made["depthwise_last"].definition =
            make_operator("depthwise_last", "out = conv2d_nhwc(x + 1, w, padding=1, groups=C)",
                          {"x:N,H,W,C", "w:C,3,3,1"}, {"out:N,H,W,C"});
        made["depthwise_last"].pixel = [](const Tensors&, double value, std::int64_t) { return value + 1; };
        return made;
    }();
    return all;
}

/// Sizes that fit; those of symbols that an operator does not have are ignored.
std::vector<Sizes> convolution_sizes(const Operator& definition) {
    const Sizes various[] = {
        {{"N", 1}, {"C", 1}, {"D", 1}, {"H", 1}, {"W", 1}, {"O", 1}, {"R", 1}, {"S", 1}},
        {{"N", 2}, {"C", 3}, {"D", 2}, {"H", 5}, {"W", 7}, {"O", 5}, {"R", 3}, {"S", 2}},
        {{"N", 2}, {"C", 20}, {"D", 17}, {"H", 9}, {"W", 35}, {"O", 34}, {"R", 2}, {"S", 3}},
        {{"N", 1}, {"C", 33}, {"D", 8}, {"H", 18}, {"W", 16}, {"O", 70}, {"R", 3}, {"S", 3}},
        {{"N", 2}, {"C", 16}, {"D", 8}, {"H", 10}, {"W", 12}, {"O", 66}, {"R", 1}, {"S", 3}}};  // whole pieces
    std::vector<Sizes> all;
    for (const Sizes& each : various) {
        Sizes& sizes = all.emplace_back();
        for (const std::string& symbol : definition.symbols) {
            const auto found = each.find(symbol);
            sizes[symbol] = found == each.end() ? 1 : found->second;
        }
        fit_sizes(definition, sizes);
    }
    return all;
}

Tensors random_tensors(const Operator& definition, const Sizes& sizes, DType dtype) {
    std::mt19937 random(7);
    std::normal_distribution<double> normal;
    Tensors inputs;
    for (const Tensor& each : definition.inputs) {
        std::vector<double>& values = inputs.emplace_back(static_cast<std::size_t>(*element_count(each, sizes)));
        for (double& value : values) value = round_to(dtype, normal(random));
    }
    return inputs;
}

/// Σ and Σ |…| of an element's window.
struct WindowSum {
    double sum = 0, magnitude = 1;
};

class Loops {
public:
    Loops(const ConvolutionSubject& subject, const Sizes& sizes, const Tensors& inputs)
        : subject_(subject),
          of_(*convolution_of(*analyse(subject.definition))),
          all_(kernelgen::sizes_of(of_, sizes)),
          inputs_(inputs) {}

    const ConvolutionSizes& sizes() const { return all_; }
    bool is_channels_last() const { return of_.is_channels_last; }

    WindowSum at(std::int64_t n, std::int64_t o, std::int64_t y, std::int64_t x) const {
        WindowSum total;
        const std::int64_t first = o / (all_.kernels / all_.groups) * all_.group_channels;
        for (std::int64_t c = 0; c < all_.group_channels; ++c) {
            for (std::int64_t r = 0; r < all_.kernel_height; ++r) {
                for (std::int64_t s = 0; s < all_.kernel_width; ++s) {
                    const std::int64_t h = y * of_.stride - of_.padding + r * of_.dilation;
                    const std::int64_t w = x * of_.stride - of_.padding + s * of_.dilation;
                    if (h < 0 || h >= all_.height || w < 0 || w >= all_.width) continue;
                    const double value = subject_.pixel(inputs_, inputs_[0][pixel(n, first + c, h, w)], first + c);
                    const double product = value * inputs_[1][kernel(o, c, r, s)];
                    total.sum += product;
                    total.magnitude += std::abs(product);
                }
            }
        }
        return total;
    }

private:
    std::size_t pixel(std::int64_t n, std::int64_t c, std::int64_t h, std::int64_t w) const {
        return static_cast<std::size_t>(is_channels_last()
                                            ? ((n * all_.height + h) * all_.width + w) * all_.channels + c
                                            : ((n * all_.channels + c) * all_.height + h) * all_.width + w);
    }
    std::size_t kernel(std::int64_t o, std::int64_t c, std::int64_t r, std::int64_t s) const {
        return static_cast<std::size_t>(
            is_channels_last() ? ((o * all_.kernel_height + r) * all_.kernel_width + s) * all_.group_channels + c
                               : ((o * all_.group_channels + c) * all_.kernel_height + r) * all_.kernel_width + s);
    }

    const ConvolutionSubject& subject_;
    Convolution of_;
    ConvolutionSizes all_;
    const Tensors& inputs_;
};

void expect_convolved(const ConvolutionSubject& subject, const Sizes& sizes, DType dtype, const Tensors& inputs,
                      const Tensors& outputs) {
    const Loops loops(subject, sizes, inputs);
    const ConvolutionSizes& all = loops.sizes();
    const double unit = dtype == DType::f64 ? 1e-14 : dtype == DType::f32 ? 2e-6 : dtype == DType::f16 ? 1e-3 : 8e-3;
    for (std::int64_t n = 0; n < all.images; ++n) {
        for (std::int64_t o = 0; o < all.kernels; ++o) {
            for (std::int64_t y = 0; y < all.out_height; ++y) {
                for (std::int64_t x = 0; x < all.out_width; ++x) {
                    const auto at = static_cast<std::size_t>(
                        loops.is_channels_last() ? ((n * all.out_height + y) * all.out_width + x) * all.kernels + o
                                                 : ((n * all.kernels + o) * all.out_height + y) * all.out_width + x);
                    const WindowSum total = loops.at(n, o, y, x);
                    const double expected = subject.epilogue(inputs, total.sum, at, o);
                    ASSERT_NEAR(outputs[0][at], expected, unit * (total.magnitude + std::abs(expected)))
                        << n << ", " << o << ", " << y << ", " << x;
                }
            }
        }
    }
}

class ConvolutionKernel : public testing::TestWithParam<std::string> {
protected:
    const ConvolutionSubject& subject() const { return convolution_subjects().at(GetParam()); }

    void expect_right_on_host(const Validated<GeneratedVariant>& generated, const Configuration& changes,
                              const std::string& machine = "native") {
        ASSERT_TRUE(generated) << to_string(generated.error());
        Configuration configuration;
        for (const Tunable& each : generated->variant.tunables) {
            const auto changed = changes.find(each.name);
            configuration[each.name] = changed == changes.end() ? each.value : changed->second;
        }
        const std::vector<DType> dtypes = {DType::f32, DType::f64, DType::bf16};
        const CompiledKernel kernel(subject().definition, *generated, dtypes, configuration, machine);
        for (const DType dtype : dtypes) {
            for (const Sizes& sizes : convolution_sizes(subject().definition)) {
                const Tensors inputs = random_tensors(subject().definition, sizes, dtype);
                expect_convolved(subject(), sizes, dtype, inputs, kernel.run(dtype, sizes, inputs));
            }
        }
    }

    void expect_right_on_gpu(const Validated<GeneratedVariant>& generated, const Configuration& changes,
                             const std::vector<DType>& dtypes = {DType::f32, DType::bf16},
                             const EmulatedDevice& device = {}) {
        ASSERT_TRUE(generated) << to_string(generated.error());
        for (const DType dtype : dtypes) {
            const EmulatedKernel kernel(subject().definition, *generated, dtype, changes, device);
            for (const Sizes& sizes : convolution_sizes(subject().definition)) {
                const Tensors inputs = random_tensors(subject().definition, sizes, dtype);
                expect_convolved(subject(), sizes, dtype, inputs, kernel.run(sizes, inputs));
            }
        }
    }
};

TEST_P(ConvolutionKernel, OfTheHostIsRight) { expect_right_on_host(generate_host_variant(subject().definition), {}); }

TEST_P(ConvolutionKernel, OfTheHostIsRightInManyTilesAndParts) {
    const Configuration small = {{"BLOCK_M", 16}, {"BLOCK_N", 64}, {"BLOCK_K", 64}, {"REGISTER_M", 6}, {"STREAM", 1}};
    expect_right_on_host(generate_host_variant(subject().definition), small);
}

TEST_P(ConvolutionKernel, OfTheHostIsRightWithoutWideVectors) {
    expect_right_on_host(generate_host_variant(subject().definition), {{"BLOCK_K", 64}}, "x86-64");
}

TEST_P(ConvolutionKernel, OfPlainLoopsIsRight) {
    expect_right_on_host(generate_naive_variant(subject().definition), {});
}

TEST_P(ConvolutionKernel, OfPlainCudaIsRight) {
    expect_right_on_gpu(generate_cuda_naive_variant(subject().definition), {});
}

TEST_P(ConvolutionKernel, OfCudaIsRight) {
    const auto view = matrix_view(subject().definition, lower(*analyse(subject().definition)));
    const auto generated = generate_cuda_variant(subject().definition);
    if (has_sliding_windows(subject().definition, lower(*analyse(subject().definition)))) {
        for (const auto& [bytes, strip, warps, stages] : {std::tuple(4, 7, 4, 3), {8, 28, 8, 2}, {16, 7, 4, 2}})
            expect_right_on_gpu(generated,
                                {{"VEC", bytes}, {"STRIP", strip}, {"num_warps", warps}, {"num_stages", stages}},
                                bytes < 16 ? std::vector{DType::f32, DType::bf16} : std::vector{DType::f64, DType::f16},
                                {.multiprocessors = 2});
        return;
    }
    if (!view) {
        for (const int strip : {1, 4, 16}) expect_right_on_gpu(generated, {{"num_warps", 2}, {"STRIP", strip}});
        return;
    }
    const bool has_tensor_cores = uses_tensor_cores(view->definition, view->body);
    const Configuration plain = {{"BLOCK_M", 32}, {"BLOCK_N", 64}, {"BLOCK_K", 8}, {"GROUP_M", 4}, {"num_warps", 2}};
    const Configuration stages = {{"BLOCK_M", 64}, {"BLOCK_N", 64},  {"BLOCK_K", 64},
                                  {"GROUP_M", 4},  {"num_warps", 4}, {"num_stages", 3}};
    expect_right_on_gpu(generated, plain, {DType::f32});
    expect_right_on_gpu(generated, has_tensor_cores ? stages : plain, {DType::bf16});
    expect_right_on_gpu(generated, has_tensor_cores ? stages : plain, {DType::f16}, {.is_hopper = false});
}

INSTANTIATE_TEST_SUITE_P(All, ConvolutionKernel,
                         testing::Values("bias_relu", "channels_last", "strided", "grouped", "depthwise",
                                         "depthwise_channels_last", "depthwise_wide"),
                         [](const auto& subject) { return subject.param; });
/// What these ask is in the others too.
INSTANTIATE_TEST_SUITE_P(NightlyAll, ConvolutionKernel,
                         testing::Values("far_taps", "one_tap", "grouped_last", "depthwise_strided", "depthwise_last"),
                         [](const auto& subject) { return subject.param; });

TEST(ConvolutionOfCuda, IsRightWhereTheCopyEngineCopiesPatches) {
    ConvolutionSubject subject;
    subject.definition = make_operator("copied", "out = relu(conv2d_nhwc(x, w, padding=1, dilation=2) + bias)",
                                       {"x:N,H,W,C", "w:O,3,2,C", "bias:O"}, {"out:N,OH,OW,O"});
    subject.epilogue = [](const Tensors& x, double sum, std::size_t, std::int64_t o) {
        return std::max(sum + x[2][static_cast<std::size_t>(o)], 0.0);
    };
    const GeneratedVariant generated = generate_cuda_variant(subject.definition).value();
    ASSERT_EQ(generated.variant.launches[0].tensor_maps.size(), 2u);
    for (const auto& [rows, cluster] : {std::pair(64, 2), {128, 1}}) {
        const Configuration values = {{"BLOCK_M", rows}, {"BLOCK_N", 64},      {"BLOCK_K", 64},
                                      {"GROUP_M", 4},    {"num_warps", 4},     {"num_stages", 3},
                                      {"COPY_WARPS", 4}, {"CLUSTER", cluster}, {"PERSISTENT", 1}};
        const EmulatedKernel kernel(subject.definition, generated, DType::bf16, values, {.multiprocessors = 4});
        for (const auto& [channels, kernels] : {std::pair(64, 72), {128, 8}, {24, 16}}) {  // 24: the warps gather
            Sizes sizes = {{"N", 2}, {"C", channels}, {"H", 9}, {"W", 19}, {"O", kernels}};
            fit_sizes(subject.definition, sizes);
            const Tensors inputs = random_tensors(subject.definition, sizes, DType::bf16);
            expect_convolved(subject, sizes, DType::bf16, inputs, kernel.run(sizes, inputs));
        }
    }
}

TEST(ConvolutionOfTheHost, IsRightWhereRowsAreLongAndKernelsAreWide) {
    ConvolutionSubject subject;
    subject.definition =
        make_operator("row_filter", "out = conv2d(x, w)", {"x:N,C,H,W", "w:O,C,1,S"}, {"out:N,O,H,OW"});
    const GeneratedVariant generated = generate_host_variant(subject.definition).value();
    Configuration values;
    for (const Tunable& each : generated.variant.tunables) values[each.name] = each.value;
    const CompiledKernel kernel(subject.definition, generated, {DType::f32}, values, "native");
    for (const auto& [height, width, taps] : {std::tuple(1, 5000, 3), {300, 40, 40}, {40, 300, 290}, {2, 3000, 1}}) {
        Sizes sizes = {{"N", 1}, {"C", 3}, {"H", height}, {"W", width}, {"O", 5}, {"S", taps}};
        fit_sizes(subject.definition, sizes);
        const Tensors inputs = random_tensors(subject.definition, sizes, DType::f32);
        expect_convolved(subject, sizes, DType::f32, inputs, kernel.run(DType::f32, sizes, inputs));
    }
}

Body view_of(const std::string& body, const std::vector<std::string>& inputs, const std::string& output) {
    const Operator definition = make_operator("op", body, inputs, {output});
    const auto view = matrix_view(definition, lower(*analyse(definition)));
    return view ? view->body : Body();
}

TEST(ConvolutionView, IsAProductOfMatrices) {
    const Body first = view_of("out = conv2d(x, w) + b", {"x:N,C,H,W", "w:O,C,3,3", "b:O,1,1"}, "out:N,O,OH,OW");
    EXPECT_EQ(first.contraction->shape, (Shape{"N", "O", "(OH * OW)"}));
    EXPECT_EQ(first.contraction->depth, "(C * 3 * 3)");
    EXPECT_EQ(first.contraction->left.values.space, (Shape{"O", "(C * 3 * 3)"}));
    const Body grouped = view_of("out = conv2d(x, w, groups=2)", {"x:N,C,H,W", "w:O,D,3,3"}, "out:N,O,OH,OW");
    EXPECT_EQ(grouped.space, (Shape{"N", "2", "(O / 2)", "(OH * OW)"}));
    const Body last = view_of("out = conv2d_nhwc(x, w) + b", {"x:N,H,W,C", "w:O,3,3,C", "b:O"}, "out:N,OH,OW,O");
    EXPECT_EQ(last.contraction->shape, (Shape{"(N * OH * OW)", "O"}));
    EXPECT_TRUE(last.contraction->right.is_transposed);
}

TEST(ConvolutionView, IsNothingWhereAxesCannotBecomeOne) {
    EXPECT_TRUE(view_of("out = conv2d(x, w) + b", {"x:N,C,H,W", "w:O,C,3,3", "b:OW"}, "out:N,O,OH,OW").nodes.empty());
    EXPECT_TRUE(view_of("out = conv2d(x, w * s)", {"x:N,C,H,W", "w:O,C,3,3", "s:3,1"}, "out:N,O,OH,OW").nodes.empty());
    EXPECT_TRUE(view_of("out = conv2d(x, w, groups=C)", {"x:N,C,H,W", "w:C,1,3,3"}, "out:N,C,OH,OW").nodes.empty());
}

std::string convolution_of_library(const std::string& body, const std::vector<std::string>& inputs,
                                   const std::string& output) {
    const Operator definition = make_operator("op", body, inputs, {output});
    const auto product = library_product(definition, lower(*analyse(definition)));
    return product ? to_string(*product) : "";
}

TEST(LibraryConvolution, IsFoundWithWhatALibraryFuses) {
    const std::vector<std::string> plain = {"x:N,C,H,W", "w:O,D,3,3"},
                                   with_bias = {"x:N,C,H,W", "w:O,C,3,3", "b:O,1,1"};
    EXPECT_EQ(convolution_of_library("out = conv2d(x, w, stride=2, groups=4)", plain, "out:N,O,OH,OW"),
              "conv2d_s2_p0_d1");
    EXPECT_EQ(convolution_of_library("out = relu(conv2d(x, w, padding=1) + b)", with_bias, "out:N,O,OH,OW"),
              "conv2d_s1_p1_d1+bias+eltwise_relu");
    EXPECT_EQ(convolution_of_library("out = conv2d_nhwc(x, w, dilation=2) + b", {"x:N,H,W,C", "w:O,3,3,C", "b:O"},
                                     "out:N,OH,OW,O"),
              "conv2d_nhwc_s1_p0_d2+bias");
    EXPECT_EQ(convolution_of_library("out = conv2d(x, w) + b", {"x:N,C,H,W", "w:O,C,3,3", "b:OW"}, "out:N,O,OH,OW"),
              "");
    EXPECT_EQ(convolution_of_library("out = conv2d(2 * x, w, groups=2)", plain, "out:N,O,OH,OW"), "");
}

TEST(LibraryConvolution, IsReadFromItsName) {
    for (const char* name : {"conv2d_s1_p0_d1", "conv2d_nhwc_s2_p3_d4+bias", "conv2d_s1_p1_d1+bias+eltwise_relu"})
        EXPECT_EQ(to_string(parse_library_product(name).value()), name);
    for (const char* name : {"conv2d", "conv2d_s1_p0", "conv2d_s_p0_d1", "conv2d_nchw_s1_p0_d1", "conv2d_s1_p0_d1+b"})
        EXPECT_FALSE(parse_library_product(name).has_value()) << name;
}

TEST(ConvolutionProject, HasCasesThatFit) {
    const auto project = make_project(
        make_operator("conv", "out = conv2d(x, w, stride=2, groups=4)", {"x:N,C,H,W", "w:O,D,3,3"}, {"out:N,O,OH,OW"}));
    ASSERT_TRUE(project) << to_string(project.error());
    EXPECT_EQ(project->cases[0].name, "8x256x56x56x64x3x3 f32");
    EXPECT_EQ(project->cases[0].sizes.at("OH"), 27);
    EXPECT_EQ(project->performance.baseline.at("cpu"), "library");
    EXPECT_EQ(project->performance.baseline.at("cuda"), "torch");
}

}  // namespace

}  // namespace kernelgen::tests
