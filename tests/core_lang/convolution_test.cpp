// SPDX-License-Identifier: Apache-2.0
// `conv2d` and `conv2d_nhwc` in bodies: shapes, options, sizes that follow, what is counted, and what is refused.
#include "core/lang/convolution.h"

#include <gmock/gmock.h>

#include <limits>

#include "core/lang/analysis.h"
#include "core/lang/contraction.h"
#include "core/lang/free_symbols.h"
#include "core/lang/integer_expression.h"
#include "tests/core_lang/definitions.h"

namespace kernelgen {
namespace {

using ::testing::HasSubstr;

const std::string convolution_images = "x:N,C,H,W w:O,C,3,3", convolution_result = "out:N,O,OH,OW";

Operator convolution_definition(const std::string& body, const std::string& inputs, const std::string& outputs) {
    Operator definition = define(body, inputs, outputs);
    definition.symbols = {"N", "C", "H", "W", "O", "OH", "OW"};
    return definition;
}

Body body_of(const std::string& body, const std::string& inputs = convolution_images,
             const std::string& outputs = convolution_result) {
    Validated<Body> analysed = analyse(convolution_definition(body, inputs, outputs));
    if (!analysed) throw std::invalid_argument(to_string(analysed.error()));
    return std::move(*analysed);
}

std::string convolution_refusal(const std::string& body, const std::string& inputs = convolution_images,
                                const std::string& outputs = convolution_result) {
    const Validated<Body> analysed = analyse(convolution_definition(body, inputs, outputs));
    return analysed ? "" : to_string(analysed.error());
}

TEST(Convolution, IsALeafOfTheEpilogueWithItsOptions) {
    const Body body =
        body_of("out = relu(conv2d(x * 2, w, stride=2, padding=1) + bias)", convolution_images + " bias:O,1,1");
    ASSERT_NE(convolution_of(body), nullptr);
    EXPECT_EQ(body.space, (Shape{"N", "O", "OH", "OW"}));
    EXPECT_EQ(convolution_of(body)->stride, 2);
    EXPECT_EQ(convolution_of(body)->padding, 1);
    EXPECT_EQ(convolution_of(body)->dilation, 1);
    EXPECT_EQ(body.contraction->depth, "C * 3 * 3");
    EXPECT_TRUE(body.contraction->left.has_prologue());
    EXPECT_FALSE(body.contraction->right.has_prologue());
}

TEST(Convolution, TakesOptionsByPositionOrByKeyword) {
    const Convolution by_position = *convolution_of(body_of("out = conv2d(x, w, 2, 1, 3)"));
    EXPECT_EQ(by_position, *convolution_of(body_of("out = conv2d(x, w, dilation=3, padding=1, stride=2)")));
    EXPECT_EQ(by_position, *convolution_of(body_of("out = conv2d(x, w, 2, dilation=3, padding=1)")));
}

TEST(Convolution, OfChannelsThatComeLastHasKernelsInThatLayout) {
    const Body body = body_of("out = conv2d_nhwc(x, w, groups=2)", "x:N,H,W,32 w:O,3,5,16", "out:N,OH,OW,O");
    EXPECT_EQ(body.space, (Shape{"N", "OH", "OW", "O"}));
    EXPECT_EQ(body.contraction->depth, "3 * 5 * 16");
    const Sizes sizes = {{"N", 2}, {"H", 9}, {"W", 9}, {"O", 6}, {"OH", 7}, {"OW", 5}};
    const ContractionSizes found = sizes_of(*body.contraction, sizes);
    EXPECT_EQ(found.batches, 2);
    EXPECT_EQ(found.interleaved, 2);
    EXPECT_EQ(found.rows, 2 * 7 * 5);
    EXPECT_EQ(found.columns, 3);
    EXPECT_EQ(found.depth, 3 * 5 * 16);
}

TEST(Convolution, CountsTwoOperationsForEachMultiplyAdd) {
    const Operator definition =
        convolution_definition("out = conv2d(x, w, padding=1)", convolution_images, convolution_result);
    const Body body = body_of(definition.body);
    const Case binding{"", DType::f32, {{"N", 2}, {"C", 4}, {"H", 8}, {"W", 8}, {"O", 16}, {"OH", 8}, {"OW", 8}}};
    const Analysis analysis = analyse_case(definition, body, binding);
    EXPECT_EQ(analysis.flops, 2.0 * 2 * 16 * 64 * 4 * 9);
    EXPECT_EQ(analysis.bytes(), 4.0 * (2 * 4 * 64 + 16 * 4 * 9 + 2 * 16 * 64));
    EXPECT_EQ(analysis.multiplied, DType::f32);
    EXPECT_TRUE(needs_all_inputs(body, binding.sizes));
}

TEST(Convolution, TellsWhatItsSizesMustMeet) {
    const auto required = [](const std::string& body, const std::string& inputs, const std::string& outputs) {
        std::string text;
        for (const DerivedSize& each : required_sizes(*convolution_of(body_of(body, inputs, outputs))))
            text += each.symbol + " = " + each.value + "; ";
        return text;
    };
    EXPECT_EQ(required("out = conv2d(x, w, padding=1)", convolution_images, convolution_result), "");
    EXPECT_EQ(required("out = conv2d(x, w, groups=C)", "x:N,C,H,W w:O,1,3,3", "out:N,O,OH,OH"),
              "O = O / C * C; OH = W - 2; ");
    EXPECT_EQ(required("out = conv2d(x, w, groups=4)", "x:N,64,H,9 w:C,16,3,3", "out:N,C,H,7"),
              "C = C / 4 * 4; H = H - 2; ");
}

TEST(Convolution, NeedsAllInputsUnlessWindowsMissSome) {
    Sizes sizes = {{"N", 2}, {"C", 4}, {"H", 8}, {"W", 8}, {"O", 16}, {"OH", 8}, {"OW", 8}};
    EXPECT_FALSE(needs_all_inputs(body_of("out = conv2d(x, w, stride=4)"), sizes));  // pixels between kernels
    const Body padded = body_of("out = conv2d(x, w, padding=1)");
    sizes["W"] = sizes["OW"] = 2;
    EXPECT_TRUE(needs_all_inputs(padded, sizes));
    sizes["W"] = sizes["OW"] = 1;  // of each row of a kernel only the middle meets the image
    EXPECT_FALSE(needs_all_inputs(padded, sizes));
}

TEST(Convolution, TellsTheSizeOfItsResult) {
    Operator definition =
        convolution_definition("out = conv2d(x, w, stride=2, padding=1)", convolution_images, convolution_result);
    Case binding{"", DType::f32, {{"N", 1}, {"C", 1}, {"H", 56}, {"W", 7}, {"O", 1}}};
    add_derived_sizes(definition, binding);
    EXPECT_EQ(binding.sizes.at("OH"), 28);
    EXPECT_EQ(binding.sizes.at("OW"), 4);
    EXPECT_TRUE(space_of(body_of(definition.body), binding.sizes).has_value());
    EXPECT_TRUE(free_symbols(definition).empty());
    EXPECT_EQ(derived_sizes(definition).at(0).value, "(H - 1) / 2 + 1");
    definition.body = "out = conv2d(x, w, padding=1)";
    EXPECT_EQ(derived_sizes(definition).at(0).value, "H");
}

std::string problem_of_sizes(const std::string& body, Sizes sizes, const std::string& inputs = convolution_images) {
    const auto space = space_of(body_of(body, inputs), sizes);
    return space ? "" : space.error().message.text();
}

TEST(Convolution, SaysWhichSizesDoNotFit) {
    const Sizes sizes = {{"N", 1}, {"C", 64}, {"H", 8}, {"W", 8}, {"O", 5}, {"OH", 8}, {"OW", 6}};
    EXPECT_THAT(problem_of_sizes("out = conv2d(x, w)", sizes),
                HasSubstr("`OH` of the result is 8; kernels of 3 on images of 8 give 6"));
    EXPECT_THAT(problem_of_sizes("out = conv2d(x, w, dilation=4)", sizes), HasSubstr("does not fit in an image of 8"));
    EXPECT_THAT(problem_of_sizes("out = conv2d(x, w, groups=4)", sizes, "x:N,C,H,W w:O,32,3,3"),
                HasSubstr("the images have 64 channels; the kernels expect 32 for each of 4 groups"));
    EXPECT_THAT(problem_of_sizes("out = conv2d(x, w, groups=2)", sizes, "x:N,C,H,W w:O,32,3,3"),
                HasSubstr("5 kernels cannot be shared out among 2 groups"));
}

TEST(Convolution, DoesNotOverflow) {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    const Sizes large = {{"N", 1}, {"C", most}, {"H", most}, {"W", most}, {"O", 4}, {"OH", 1}, {"OW", 1}};
    EXPECT_THAT(problem_of_sizes("out = conv2d(x, w, padding=1)", large), HasSubstr("`OH` of the result is 1"));
    const Body body = body_of("out = conv2d(x, w, groups=C)", "x:N,C,H,W w:O,4,3,3");
    EXPECT_TRUE(problem_of(*convolution_of(body), large).has_value());
    const Body far = body_of("out = conv2d(x, w, dilation=65536)", "x:N,C,H,W w:O,C,9223372036854775807,3");
    EXPECT_THAT(derived_sizes(*convolution_of(far)).at(0).value, HasSubstr("H - "));
    const Body grouped = body_of("out = conv2d(x, w, groups=N)", "x:1,C,H,W w:O,2,3,3", "out:1,O,OH,OW");
    Sizes fitted = {{"N", most}, {"C", 1}, {"H", 1}, {"W", 1}, {"O", most}, {"OH", 1}, {"OW", 1}};
    fit_sizes(*convolution_of(grouped), fitted);
    EXPECT_GT(fitted.at("C"), 0);
    EXPECT_GT(fitted.at("O"), 0);
    const Sizes none = {{"N", 1}, {"C", 0}, {"H", 3}, {"W", 3}, {"O", 4}, {"OH", 1}, {"OW", 1}};
    EXPECT_FALSE(problem_of(*convolution_of(body), none).has_value());  // said elsewhere
}

TEST(Convolution, ChangesSizesUntilTheyFit) {
    const Body body = body_of("out = conv2d(x, w, groups=4, stride=2)", "x:N,C,H,W w:O,8,3,3");
    Sizes sizes = {{"N", 1}, {"C", 1}, {"H", 1}, {"W", 9}, {"O", 5}, {"OH", 100}, {"OW", 6}};
    fit_sizes(*convolution_of(body), sizes);
    EXPECT_EQ(sizes, (Sizes{{"N", 1}, {"C", 32}, {"H", 3}, {"W", 9}, {"O", 8}, {"OH", 1}, {"OW", 4}}));
}

TEST(Convolution, ChangesKernelsWhereOnlyTheyMayFit) {
    const auto fitted = [](const std::string& body, const std::string& inputs, const std::string& outputs,
                           Sizes sizes) {
        Operator definition = convolution_definition(body, inputs, outputs);
        for (const auto& [symbol, size] : sizes) {
            if (!std::ranges::contains(definition.symbols, symbol)) definition.symbols.push_back(symbol);
        }
        const Body analysed = *analyse(definition);
        fit_sizes(*convolution_of(analysed), sizes);
        EXPECT_FALSE(problem_of(*convolution_of(analysed), sizes).has_value()) << inputs;
        return sizes;
    };
    const Sizes sizes = {{"N", 1}, {"C", 5}, {"D", 5}, {"H", 9}, {"W", 7}, {"O", 8}, {"R", 2}, {"S", 6}};
    EXPECT_EQ(fitted("out = conv2d(x, w, groups=4)", "x:N,64,H,W w:O,D,2,2", convolution_result, sizes).at("D"), 16);
    EXPECT_EQ(fitted("out = conv2d(x, w, groups=C)", "x:N,C,H,W w:O,D,2,2", convolution_result, sizes).at("D"), 1);
    const Sizes same = fitted("out = conv2d(x, w, padding=1)", "x:N,C,H,W w:O,C,R,S", "out:N,O,H,W", sizes);
    EXPECT_EQ(same.at("R"), 3);
    EXPECT_EQ(same.at("S"), 3);
}

TEST(Convolution, MayHaveAGroupForEachChannel) {
    const Body body = body_of("out = conv2d(x, w, padding=1, groups=C)", "x:N,C,H,W w:C,1,3,3", "out:N,C,H,W");
    EXPECT_TRUE(convolution_of(body)->is_depthwise());
    EXPECT_EQ(body.contraction->depth, "3 * 3");
    EXPECT_TRUE(derived_sizes(*convolution_of(body)).empty());
    EXPECT_FALSE(convolution_of(body_of("out = conv2d(x, w)", "x:N,1,H,W w:O,1,3,3"))->is_depthwise());
}

TEST(Convolution, RefusesWhatItCannotMean) {
    EXPECT_THAT(convolution_refusal("out = conv2d(x)"),
                HasSubstr("takes images, kernels and four options, not 1 arguments"));
    EXPECT_THAT(convolution_refusal("out = conv2d(x, w, 1, 0, 1, 1, 1)"), HasSubstr("not 7 arguments"));
    EXPECT_THAT(convolution_refusal("out = conv2d(x, w, strides=2)"), HasSubstr("no argument `strides`"));
    EXPECT_THAT(convolution_refusal("out = conv2d(x, w, 2, stride=2)"), HasSubstr("no argument `stride`"));
    EXPECT_THAT(convolution_refusal("out = conv2d(x, w, padding=1, 2)"), HasSubstr("no argument `padding`"));
    EXPECT_THAT(convolution_refusal("out = conv2d(x, w, stride=0)"), HasSubstr("`stride` must be an integer from 1"));
    EXPECT_THAT(convolution_refusal("out = conv2d(x, w, padding=0.5)"),
                HasSubstr("`padding` must be an integer from 0"));
    EXPECT_THAT(convolution_refusal("out = conv2d(x, w, stride=C)"), HasSubstr("`stride` must be an integer"));
    EXPECT_THAT(convolution_refusal("out = conv2d(x, w)", "x:N,C,H w:O,C,3,3"), HasSubstr("[N, C, H, W]"));
    EXPECT_THAT(convolution_refusal("out = conv2d(x, w)", convolution_images, "out:N,O"),
                HasSubstr("the first output has shape [N, O]"));
    EXPECT_THAT(convolution_refusal("out = conv2d(x, w)", "x:N,C,H,W w:O,H,3,3"), HasSubstr("`C` channels"));
    EXPECT_THAT(convolution_refusal("out = conv2d(x, w)", "x:N,64,H,W w:O,32,3,3"),
                HasSubstr("the images have 64 channels; the kernels expect 32 for each of 1 groups"));
    EXPECT_THAT(convolution_refusal("out = conv2d(x, w)", "x:N,8,9,9 w:8,8,3,3", "out:N,8,9,7"), HasSubstr("is 9;"));
    EXPECT_THAT(convolution_refusal("out = conv2d(x, w) + conv2d(x, w, padding=1)"),
                HasSubstr("one `@` or convolution"));
    EXPECT_THAT(convolution_refusal("out = conv2d(x - row_max(x), w)"), HasSubstr("row reduction"));
    EXPECT_THAT(convolution_refusal("out = conv2d(x, w) + row_sum(y)", convolution_images + " y:N,O,OH,OW"),
                HasSubstr("a tile has a part of a row"));
    EXPECT_THAT(convolution_refusal("out = conv2d(x, w) * y", "x:1,C,H,W w:O,C,3,3 y:N,1,1,1"),
                HasSubstr("the product has shape [1, O, OH, OW], but the body's rows are of [N, O, OH, OW]"));
    EXPECT_THAT(convolution_refusal("out = conv2d(x, w)", "x:1,C,H,W w:O,C,3,3"),
                HasSubstr("the product has shape [1, O, OH, OW]"));
    EXPECT_THAT(convolution_refusal("out = exp(x=x)", "x:N,C", "out:N,C"),
                HasSubstr("takes its arguments by position"));
    EXPECT_THAT(convolution_refusal("conv2d = x; out = conv2d", "x:N,C", "out:N,C"),
                HasSubstr("is a word of the language"));
    EXPECT_FALSE(IntegerExpression::parse("max(a=1, 2)", "grid").has_value());
}

}  // namespace
}  // namespace kernelgen
