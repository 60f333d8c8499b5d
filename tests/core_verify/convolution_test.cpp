// SPDX-License-Identifier: Apache-2.0
// How convolutions are judged: the reference is that of a plain loop, and what is wrong in a few of its terms is found.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <functional>
#include <limits>

#include "core/verify/awkward_sizes.h"
#include "tests/core_verify/judging.h"

namespace kernelgen {
namespace {

using testing::Judged;

/// What a loop over pixels and taps may get wrong, too.
struct Taps {
    std::int64_t images = 2, channels = 4, height = 9, width = 8, kernels = 6, kernel_height = 3, kernel_width = 2;
    std::int64_t stride = 1, padding = 0, dilation = 1, groups = 1;
    bool is_channels_last = false;
    bool clamps = false;                ///< padding is the edge's value
    std::int64_t left_out = -1;         ///< the number of a tap
    std::int64_t group_shift = 0;       ///< kernels read the channels of another group
    std::int64_t stride_of_height = 0;  ///< where it is another one

    std::int64_t out_height() const { return (height + 2 * padding - dilation * (kernel_height - 1) - 1) / stride + 1; }
    std::int64_t out_width() const { return (width + 2 * padding - dilation * (kernel_width - 1) - 1) / stride + 1; }

    Sizes sizes() const {
        return {{"N", images},        {"C", channels},    {"D", channels / groups}, {"H", height},
                {"W", width},         {"O", kernels},     {"R", kernel_height},     {"S", kernel_width},
                {"OH", out_height()}, {"OW", out_width()}};
    }

    Operator definition() const {
        const std::string options =
            std::format(", stride={}, padding={}, dilation={}, groups={}", stride, padding, dilation, groups);
        Operator made =
            is_channels_last
                ? testing::tile("out = conv2d_nhwc(x, w" + options + ")", {"x:N,H,W,C", "w:O,R,S,D"}, "out:N,OH,OW,O")
                : testing::tile("out = conv2d(x, w" + options + ")", {"x:N,C,H,W", "w:O,D,R,S"}, "out:N,O,OH,OW");
        if (groups == 1) {
            for (std::string& each : made.inputs[1].shape) each = each == "D" ? "C" : each;
        }
        made.symbols = {"N", "C", "H", "W", "O", "R", "S", "OH", "OW"};
        if (groups != 1) made.symbols.emplace_back("D");
        return made;
    }

    double pixel(const std::vector<double>& x, std::int64_t n, std::int64_t c, std::int64_t h, std::int64_t w) const {
        if (clamps) {
            h = std::clamp<std::int64_t>(h, 0, height - 1);
            w = std::clamp<std::int64_t>(w, 0, width - 1);
        }
        if (h < 0 || h >= height || w < 0 || w >= width) return 0;
        return x[static_cast<std::size_t>(is_channels_last ? ((n * height + h) * width + w) * channels + c
                                                           : ((n * channels + c) * height + h) * width + w)];
    }

    double sum(const std::vector<double>& x, const std::vector<double>& kernel, std::int64_t n, std::int64_t o,
               std::int64_t oh, std::int64_t ow) const {
        const std::int64_t depth = channels / groups, group = (o / (kernels / groups) + group_shift) % groups;
        double total = 0;
        for (std::int64_t c = 0; c < depth; ++c) {
            for (std::int64_t r = 0; r < kernel_height; ++r) {
                for (std::int64_t s = 0; s < kernel_width; ++s) {
                    if (r * kernel_width + s == left_out) continue;
                    const std::int64_t at = is_channels_last ? ((o * kernel_height + r) * kernel_width + s) * depth + c
                                                             : ((o * depth + c) * kernel_height + r) * kernel_width + s;
                    const std::int64_t down = stride_of_height == 0 ? stride : stride_of_height;
                    total += kernel[static_cast<std::size_t>(at)] * pixel(x, n, group * depth + c,
                                                                          oh * down + r * dilation - padding,
                                                                          ow * stride + s * dilation - padding);
                }
            }
        }
        return total;
    }

    std::vector<double> result(const std::vector<double>& x, const std::vector<double>& kernel) const {
        std::vector<double> all(static_cast<std::size_t>(images * kernels * out_height() * out_width()));
        std::size_t at = 0;
        const auto put = [&](std::int64_t n, std::int64_t o, std::int64_t oh, std::int64_t ow) {
            all[at++] = sum(x, kernel, n, o, oh, ow);
        };
        for (std::int64_t n = 0; n < images; ++n) {
            for (std::int64_t i = 0; i < (is_channels_last ? out_height() : kernels); ++i)
                for (std::int64_t j = 0; j < (is_channels_last ? out_width() : out_height()); ++j)
                    for (std::int64_t k = 0; k < (is_channels_last ? kernels : out_width()); ++k)
                        is_channels_last ? put(n, k, i, j) : put(n, i, j, k);
        }
        return all;
    }
};

/// The case of `right`, with outputs as `computed` computes them.
CaseAccuracy judged_as(const Taps& right, const Taps& computed, DType dtype = DType::f32) {
    Judged judged(right.definition(), right.sizes(), dtype);
    const Elements elements = generated_inputs(judged.definition, judged.binding, judged.set, judged.seed);
    std::vector<double> x(static_cast<std::size_t>(*element_count(judged.definition.inputs[0], right.sizes())));
    std::vector<double> w(static_cast<std::size_t>(*element_count(judged.definition.inputs[1], right.sizes())));
    elements(0, 0, x);
    elements(1, 0, w);
    judged.outputs[0] = computed.result(x, w);
    return judged.judge();
}

const std::vector<Taps>& various_taps() {
    static const std::vector<Taps> all = {
        {},
        {.stride = 2, .padding = 1},
        {.padding = 2, .dilation = 2},
        {.stride = 3, .padding = 4, .dilation = 3, .groups = 2},
        {.kernels = 4, .padding = 1, .groups = 4},
        {.images = 1, .channels = 1, .height = 1, .width = 1, .kernels = 1, .padding = 1},
        {.channels = 70, .height = 13, .width = 17, .kernels = 65, .padding = 1}};
    return all;
}

TEST(ConvolutionJudge, HasTheReferenceOfAPlainLoop) {
    for (Taps taps : various_taps()) {
        for (const bool is_channels_last : {false, true}) {
            taps.is_channels_last = is_channels_last;
            const CaseAccuracy judged = judged_as(taps, taps, DType::f64);
            EXPECT_EQ(judged.status, Status::ok) << taps.definition().body << ": " << judged.reason.text();
        }
    }
}

TEST(ConvolutionJudge, FindsWhatIsWrongInAFewTerms) {
    for (const bool is_channels_last : {false, true}) {
        for (const DType dtype : {DType::f32, DType::bf16}) {
            const Taps right{.channels = 64,
                             .height = 12,
                             .width = 12,
                             .kernels = 32,
                             .padding = 1,
                             .groups = 2,
                             .is_channels_last = is_channels_last};
            const auto expect_found = [&](const char* what, const std::function<void(Taps&)>& change) {
                Taps wrong = right;
                change(wrong);
                EXPECT_EQ(judged_as(right, wrong, dtype).status, Status::mismatch) << what;
            };
            EXPECT_EQ(judged_as(right, right, dtype).status, Status::ok);
            expect_found("a tap is left out", [](Taps& taps) { taps.left_out = 4; });
            expect_found("padding is the edge", [](Taps& taps) { taps.clamps = true; });
            expect_found("groups are exchanged", [](Taps& taps) { taps.group_shift = 1; });
        }
    }
}

TEST(ConvolutionJudge, FindsOptionsThatAreNotTheDefinitions) {
    const Taps right{.channels = 8, .height = 13, .width = 13, .stride = 2, .padding = 2, .dilation = 2};
    Taps wrong = right;
    wrong.stride_of_height = 1;
    EXPECT_EQ(judged_as(right, wrong).status, Status::mismatch) << "stride";
    wrong = right;
    wrong.dilation = 1;
    wrong.padding = 1;  // of the same size
    ASSERT_EQ(right.out_height(), wrong.out_height());
    EXPECT_EQ(judged_as(right, wrong).status, Status::mismatch) << "dilation";
}

TEST(ConvolutionJudge, FindsSumsThatBeginWithThoseOfTheTileBefore) {
    const Taps taps{.channels = 8, .padding = 1};
    Judged judged(taps.definition(), taps.sizes(), DType::bf16);
    for (std::size_t i = judged.outputs[0].size(); i-- > 16;) judged.outputs[0][i] += judged.outputs[0][i - 16];
    EXPECT_EQ(judged.judge().status, Status::mismatch);
}

/// 0 · infinity is NaN where a kernel multiplies the padding, and nothing where it does not.
TEST(ConvolutionJudge, LeavesOutWhatMultipliesPaddingByAnInfinity) {
    const Taps taps{.padding = 1};
    Judged judged(taps.definition(), taps.sizes(), DType::f32, InputSet::mixed);
    judged.outputs = judged.evaluate(judged.definition);
    EXPECT_EQ(judged.judge().status, Status::ok);
    for (double& each : judged.outputs[0]) each = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(judged.judge().status, Status::mismatch);
}

TEST(ConvolutionJudge, IsQuickWhereAPrologueGivesNaN) {
    const Taps taps{.images = 1, .channels = 2048, .kernels = 16, .padding = 1};
    Operator definition = taps.definition();
    definition.body.replace(definition.body.find("x,"), 2, "log(x),");
    const auto start = std::chrono::steady_clock::now();
    EXPECT_TRUE(std::isnan(Judged(definition, taps.sizes(), DType::f32).outputs[0][0]));
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

TEST(ConvolutionJudge, HasAwkwardSizesThatFit) {
    Operator definition = Taps{.stride = 2, .padding = 1, .groups = 2}.definition();
    const Body body = *analyse(definition);
    Implementation implementation;
    implementation.variant.name = "plain";
    implementation.variant.launches.resize(1);
    implementation.variant.launches[0].grid = {"N * O", "OH", "OW"};
    const AwkwardSizes sizes = awkward_sizes(definition, &body, implementation, DType::f32);
    EXPECT_GE(sizes.cases.size(), 15u);
    EXPECT_LE(sizes.skipped, 1);
    for (const Case& each : sizes.cases) EXPECT_TRUE(space_of(body, each.sizes).has_value()) << each.name;
}

}  // namespace
}  // namespace kernelgen
