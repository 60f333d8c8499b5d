// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/lang/operator.h"
#include "core/lang/shape.h"
#include "core/lang/syntax.h"

namespace kernelgen {

inline constexpr std::string_view convolution_name = "conv2d";
inline constexpr std::string_view channels_last_convolution_name = "conv2d_nhwc";

/// A convolution of a body: `conv2d` of images [N, C, H, W] with kernels [O, C / groups, R, S], or `conv2d_nhwc` of
/// [N, H, W, C] with [O, R, S, C / groups] (PyTorch's channels_last memory). As PyTorch defines it; beyond its edges an
/// image is 0, after its prologue. Dimensions are symbols or numbers.
struct Convolution {
    bool is_channels_last = false;
    std::int64_t stride = 1, padding = 0, dilation = 1;  ///< of height and width
    std::string groups = "1";
    std::string images, channels, height, width;
    std::string kernels, group_channels, kernel_height, kernel_width;
    std::string out_height, out_width;

    Shape result() const;
    /// Of each group one channel: no product of matrices.
    bool is_depthwise() const { return group_channels == "1" && groups != "1"; }
    std::string depth() const;  ///< products of an element, as a text: "C * 3 * 3"

    bool operator==(const Convolution&) const = default;
};

struct ConvolutionSizes {
    std::int64_t images, channels, height, width;
    std::int64_t kernels, group_channels, kernel_height, kernel_width;
    std::int64_t out_height, out_width, groups;
};
ConvolutionSizes sizes_of(const Convolution& convolution, const Sizes& sizes);

/// Takes an error at a place of the body, with a suggestion.
using ReportError = std::function<void(Position, Said, Said)>;

/// The options of a call: which function, stride, padding, dilation and groups, by position or by keyword. Nothing
/// after an error.
std::optional<Convolution> convolution_options(const Expression& call, const Operator& definition,
                                               const ReportError& error);

/// Gives a convolution its dimensions. `output` is the shape of the operator's output: its height and width are those
/// of the result. Returns whether they fit, as far as numbers tell; `problem` says why not.
bool set_dimensions(Convolution& convolution, const Shape& image, const Shape& kernels, const Shape& output,
                    Said& problem);

/// Why a case's sizes do not fit: channels, kernels that are no multiple of the groups, or the size of the result.
/// Sizes that are not given, or below 1, are not checked.
std::optional<Said> problem_of(const Convolution& convolution, const Sizes& sizes);

/// A symbol whose size follows from those of others, by an integer expression.
struct DerivedSize {
    std::string symbol, value;

    bool operator==(const DerivedSize&) const = default;
};
/// The height and the width of the result, where they are symbols that the operands do not have.
std::vector<DerivedSize> derived_sizes(const Convolution& convolution);
/// What else the sizes of the operands must meet, as far as numbers do not tell: a dimension, and the expression that
/// it is equal to.
std::vector<DerivedSize> required_sizes(const Convolution& convolution);
/// Sets the derived sizes that a case does not give and whose symbols it gives.
void add_derived_sizes(const Convolution& convolution, Sizes& sizes);
/// Changes sizes until they fit: channels and kernels become multiples, images as large as a kernel, and the result's
/// size follows.
void fit_sizes(const Convolution& convolution, Sizes& sizes);

}  // namespace kernelgen
