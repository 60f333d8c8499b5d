// SPDX-License-Identifier: Apache-2.0
#include "core/generate/row_index.h"
#include "core/generate/triton_writer.h"

namespace kernelgen {

namespace {

/// "x * 2 - 1": the first element of an image that a window covers.
std::string first_covered(const std::string& place, const Convolution& of) {
    return place + (of.stride == 1 ? "" : " * " + std::to_string(of.stride)) +
           (of.padding == 0 ? "" : " - " + std::to_string(of.padding));
}

std::string times(const std::string& text, std::int64_t factor) {
    return factor == 1 ? text : text + " * " + std::to_string(factor);
}

}  // namespace

/// Writes where a tap lies in the images, and the mask of the elements that are no padding. The lines before it name
/// `top` and `left`, where the windows begin. Returns the names of both places.
TritonWriter::Tap TritonWriter::write_tap(const std::string& tap, const std::string& top, const std::string& left,
                                          const std::string& mask) {
    const Convolution& of = *body_.contraction->convolution;
    const Tap made{local("h"), local("w"), local("inside")};
    const std::string width = use(dimension(of.kernel_width));
    source_.line(made.h + " = " + top + " + " + times(tap + " // " + width, of.dilation));
    source_.line(made.w + " = " + left + " + " + times(tap + " % " + width, of.dilation));
    source_.line(made.inside + " = " + mask + " & (" + made.h + " >= 0) & (" + made.h + " < " +
                 use(dimension(of.height)) + ") & (" + made.w + " >= 0) & (" + made.w + " < " +
                 use(dimension(of.width)) + ")");
    return made;
}

/// Writes the lines that load elements of the images. Returns their name.
std::string TritonWriter::write_pixels(const ContractionOperand& images, const std::string& side,
                                       const std::string& row, const std::string& column, const std::string& mask,
                                       const std::string& dtype) {
    const std::string rows = local(side + "_row"), columns = local(side + "_column");
    source_.line(rows + ", " + columns + " = tl.broadcast(" + row + ", " + column + ")");
    return write_elements(images, side, {rows, columns, mask, mask, mask, dtype});
}

/// Writes the lines that load a tile of patches. Returns its name.
std::string TritonWriter::write_patches(const ContractionOperand& images, bool is_left) {
    const Convolution& of = *body_.contraction->convolution;
    const std::string side = is_left ? "left" : "right", k = local(side + "_depth");
    source_.line(k + " = start + tl.arange(0, BLOCK_K)" + (is_left ? "[None, :]" : "[:, None]"));
    const std::string bounds = std::string(is_left ? "row_mask" : "column_mask") + " & (" + k + " < " +
                               use(dimension(body_.contraction->depth)) + ")";
    const std::string line = is_left ? matrix_rows() : "columns", out_width = use(dimension(of.out_width));
    const std::string channels = use(dimension(of.group_channels)), height = use(dimension(of.height));
    const std::string taps = use(dimension(of.kernel_height)) + " * " + use(dimension(of.kernel_width));
    const std::string y = local("y"), top = local("top"), left = local("left_edge"), tap = local("tap");
    const bool last = of.is_channels_last;
    source_.line(y + " = " + line + " // " + out_width);
    source_.line(top + " = " + first_covered(last ? y + " % " + use(dimension(of.out_height)) : y, of));
    source_.line(left + " = " + first_covered(line + " % " + out_width, of));
    source_.line(tap + " = " + k + (last ? " // " + channels : " % (" + taps + ")"));
    const Tap place = write_tap(tap, top, left, bounds);
    if (last) {
        const std::string image = y + " // " + use(dimension(of.out_height));
        return write_pixels(
            images, side,
            "(" + image + " * " + height + " + " + place.h + ") * " + use(dimension(of.width)) + " + " + place.w,
            k + " % " + channels, place.inside, multiplied_dtype());
    }
    return write_pixels(
        images, side,
        "(" + local("batch") + " * " + channels + " + " + k + " // (" + taps + ")) * " + height + " + " + place.h,
        place.w, place.inside, multiplied_dtype());
}

/// Writes the lines in which each element of a tile adds up its window of the images, one product after the other.
void TritonWriter::write_windows(int node) {
    const Contraction& contraction = *body_.contraction;
    const Convolution& of = *contraction.convolution;
    const bool last = of.is_channels_last;
    const auto size = [&](const std::string& name) { return use(dimension(name)); };
    const std::string& name = values_[static_cast<std::size_t>(node)];
    const std::string inner = size(last ? of.out_width : of.out_height),
                      outer = size(last ? of.out_height : of.kernels);
    const std::string image = local("image"), kernel = last ? "columns" : local("kernel"), k = local("k");
    const std::string top = local("top"), left = local("left_edge"), tap = local("tap"), channel = local("channel");
    const std::string taps = size(of.kernel_height) + " * " + size(of.kernel_width);
    source_.line("# Each element adds up its window of the image.");
    source_.line(image + " = rows // " + inner + " // " + outer);
    if (!last) source_.line(kernel + " = rows // " + inner + " % " + outer);
    source_.line(top + " = " + first_covered(last ? "rows // " + inner + " % " + outer : "rows % " + inner, of));
    source_.line(left + " = " + first_covered(last ? "rows % " + inner : "columns", of));
    source_.line(name + " = tl.zeros((BLOCK_M, BLOCK_N), T)");
    source_.open("for " + k + " in range(0, " + size(of.group_channels) + " * " + taps + "):");
    source_.line(tap + " = " + k + (last ? " // " + size(of.group_channels) : " % (" + taps + ")"));
    source_.line(channel + " = " + k + (last ? " % " + size(of.group_channels) : " // (" + taps + ")"));
    // The channels of a group differ along columns; without groups all columns of a row read the same pixel.
    const Tap place = write_tap(tap, top, left, last && of.groups == "1" ? "row_mask" : "mask");
    const std::string of_image = of.groups == "1" ? channel
                                                  : kernel + " // (" + size(of.kernels) + " // " + size(of.groups) +
                                                        ") * " + size(of.group_channels) + " + " + channel;
    const std::string pixels = last ? write_pixels(contraction.left, "image",
                                                   "(" + image + " * " + size(of.height) + " + " + place.h + ") * " +
                                                       size(of.width) + " + " + place.w,
                                                   of_image, place.inside, "T")
                                    : write_pixels(contraction.left, "image",
                                                   "(" + image + " * " + size(of.channels) + " + " + of_image + ") * " +
                                                       size(of.height) + " + " + place.h,
                                                   place.w, place.inside, "T");
    const std::string kernel_row = local("kernel_row");
    source_.line(kernel_row + " = " +
                 (last ? kernel + " * " + taps + " + " + tap
                       : "(" + kernel + " * " + size(of.group_channels) + " + " + channel + ") * " +
                             size(of.kernel_height) + " + " + tap + " // " + size(of.kernel_width)));
    const std::string mask = last ? "column_mask" : "row_mask";  // what has no row is the same for all kernels
    const std::string weights =
        write_elements(contraction.right, "kernels",
                       {kernel_row, last ? channel : tap + " % " + size(of.kernel_width), mask, mask, "", "T"});
    source_.line(name + " += " + pixels + " * " + weights);
    source_.end();
    expression_.name(node, name);
}

}  // namespace kernelgen
