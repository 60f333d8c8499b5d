// SPDX-License-Identifier: Apache-2.0
#include "core/generate/convolution_view.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "core/base/text.h"

namespace kernelgen {

namespace {

/// Neighbouring axes that become others with as many elements.
struct Joined {
    std::vector<std::string> from, to;
};

/// A shape of as many axes as all of `joined` have, in their axes.
std::optional<Shape> in_new_axes(Shape shape, const std::vector<Joined>& joined) {
    std::size_t rank = 0;
    for (const Joined& each : joined) rank += each.from.size();
    if (shape.empty()) return shape;
    shape.insert(shape.begin(), rank - shape.size(), "1");
    Shape made;
    auto at = shape.begin();
    for (const Joined& each : joined) {
        const auto end = at + static_cast<std::ptrdiff_t>(each.from.size());
        if (std::equal(at, end, each.from.begin())) made.insert(made.end(), each.to.begin(), each.to.end());
        else if (std::all_of(at, end, [](const std::string& size) { return size == "1"; }))
            made.insert(made.end(), each.to.size(), "1");
        else return std::nullopt;
        at = end;
    }
    return made;
}

bool give_new_axes(Body& body, const std::vector<Joined>& joined) {
    for (Node& node : body.nodes) {
        const auto shape = in_new_axes(node.shape, joined);
        if (!shape) return false;
        node.shape = *shape;
        node.per_row = node.per_column = false;
    }
    body.space = in_new_axes(body.space, joined).value_or(body.space);
    mark_extents(body);
    return true;
}

std::string in_parentheses(const std::string& text) { return text.find(' ') == text.npos ? text : "(" + text + ")"; }

/// The axes of the result and of the kernels in the view.
struct ViewAxes {
    std::vector<Joined> result, kernels;
    std::vector<NamedSize> sizes;
};

ViewAxes axes_of_view(const Convolution& of) {
    ViewAxes axes;
    const std::string depth = in_parentheses(of.depth());
    axes.sizes.push_back({depth, "depth"});
    Joined kernels{{of.kernels}, {of.kernels}};
    if (of.groups != "1") {
        const std::string of_group = "(" + of.kernels + " / " + of.groups + ")";
        axes.sizes.push_back({of_group, "group_kernels"});
        kernels.to = {of.groups, of_group};
    }
    const Shape taps = of.is_channels_last ? Shape{of.kernel_height, of.kernel_width, of.group_channels}
                                           : Shape{of.group_channels, of.kernel_height, of.kernel_width};
    axes.kernels = {kernels, {taps, {depth}}};
    if (of.is_channels_last) {
        for (const std::string& each : of.result()) axes.result.push_back({{each}, {each}});
        axes.sizes.push_back({"(" + of.images + " * " + of.out_height + " * " + of.out_width + ")", "pixels"});
    } else {
        const std::string pixels = "(" + of.out_height + " * " + of.out_width + ")";
        axes.result = {{{of.images}, {of.images}}, kernels, {{of.out_height, of.out_width}, {pixels}}};
        axes.sizes.push_back({pixels, "pixels"});
    }
    std::erase_if(axes.sizes, [](const NamedSize& each) { return !each.text.starts_with('('); });
    return axes;
}

}  // namespace

bool is_matrix_view(const Body& body) { return body.contraction->shape != convolution_of(body)->result(); }

std::optional<ConvolutionView> matrix_view(const Operator& definition, const Body& lowered) {
    const Convolution& of = *convolution_of(lowered);
    if (of.is_depthwise() || (of.is_channels_last && of.groups != "1")) return std::nullopt;
    const ViewAxes axes = axes_of_view(of);
    ConvolutionView view{definition, lowered, axes.sizes};
    auto contraction = std::make_shared<Contraction>(*lowered.contraction);
    if (!give_new_axes(view.body, axes.result) || !give_new_axes(contraction->right.values, axes.kernels))
        return std::nullopt;
    for (Tensor& output : view.definition.outputs) output.shape = view.body.space;
    contraction->depth = in_parentheses(of.depth());
    if (of.is_channels_last) {
        contraction->shape = {axes.sizes.back().text, of.kernels};
        contraction->right.is_transposed = true;
    } else {
        contraction->shape = view.body.space;
        std::swap(contraction->left, contraction->right);
    }
    view.body.contraction = std::move(contraction);
    return view;
}

}  // namespace kernelgen
