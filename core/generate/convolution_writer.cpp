// SPDX-License-Identifier: Apache-2.0
#include "core/generate/convolution_writer.h"

#include "core/base/text.h"

namespace kernelgen {

namespace {

/// "kg::Window<false, 2, 1, 1>": what is known when the kernel is compiled.
std::string window_type(const Convolution& of) {
    return std::string("kg::Window<") + (of.is_channels_last ? "true" : "false") + ", " + std::to_string(of.stride) +
           ", " + std::to_string(of.padding) + ", " + std::to_string(of.dilation) + ">";
}

/// The sizes of a window, in the order of its members.
std::vector<std::string> window_sizes(const Convolution& of) {
    return {of.channels,      of.height,       of.width,      of.kernels,  of.group_channels,
            of.kernel_height, of.kernel_width, of.out_height, of.out_width};
}

}  // namespace

bool has_sliding_windows(const Operator& definition, const Body& lowered) {
    const Convolution& of = *convolution_of(lowered);
    const auto is_small = [](const std::string& size) { return size.size() == 1 && size >= "1" && size <= "7"; };
    return of.is_depthwise() && of.groups == of.channels && of.kernels == of.channels && of.stride == 1 &&
           of.dilation == 1 && is_small(of.kernel_height) && is_small(of.kernel_width) &&
           is_read_as_stored(definition, lowered.contraction->left);
}

DirectConvolutionWriter::DirectConvolutionWriter(const Operator& definition, const Body& lowered, Style style,
                                                 Threads threads)
    : ContractionWriter(definition, lowered, style), threads_(threads) {
    window_ = names_.take("window");
    image_ = names_.take("image");
    kernels_ = names_.take("kernels");
}

std::string DirectConvolutionWriter::explanation() const {
    if (has_vectors())
        return "A program computes BLOCK_M rows, a vector of elements at a time: each adds up its window of the image.";
    if (threads_ == Threads::slides)
        return "A block goes down STRIP rows of the images: a thread has VEC bytes of each, and the sums of a few rows "
               "in registers.";
    if (threads_ == Threads::strips)
        return "A thread computes STRIP elements beside one another, and reads once what their windows of the image "
               "share.";
    return style_ == Style::naive ? "One row a program: each element adds up its window of the image."
                                  : "A thread computes one element: it adds up its window of the image.";
}

void DirectConvolutionWriter::write_window() {
    const Convolution& of = *contraction().convolution;
    std::vector<std::string> sizes;
    for (const std::string& each : window_sizes(of)) sizes.push_back(dimension(each));
    source_.line("const " + window_type(of) + " " + window_ + "{" + join(sizes, ", ") + "};");
    if (threads_ != Threads::slides) write_tensor(contraction().left, image_, has_vectors());
    write_tensor(contraction().right, kernels_, false);
}

/// Writes a function that gives elements of an operand, by row and column of its space.
void DirectConvolutionWriter::write_tensor(const ContractionOperand& operand, const std::string& name,
                                           bool gives_vectors) {
    const std::string row = names_.take(name + "_row"), column = names_.take(name + "_column");
    source_.open("const auto " + name + " = [=](int64_t " + row + ", " + (gives_vectors ? "auto " : "int64_t ") +
                 column + ") {");
    write_element(operand, row, column, gives_vectors);
    source_.close("};");
}

void DirectConvolutionWriter::write_work() {
    if (has_vectors()) return write_rows();
    if (threads_ == Threads::strips) return write_strips();
    if (threads_ == Threads::slides) return write_slides();
    const std::string columns = column_count();
    if (style_ == Style::naive) {
        source_.line("const int64_t i = pid0;");
        write_window();
        source_.open("for (int64_t j = 0; j < " + columns + "; ++j) {");
    } else {
        const std::string element = names_.take("element");
        source_.line("const int64_t " + element + " = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;");
        source_.line("if (" + element + " >= " + row_count() + " * " + columns + ") return;");
        source_.line("const int64_t i = " + element + " / " + columns + ", j = " + element + " % " + columns + ";");
        write_window();
    }
    source_.line("const T " + product_ + " = kg::window_product<T>(" + window_ + ", i, j, " + image_ + ", " + kernels_ +
                 ");");
    write_epilogue();
    if (style_ == Style::naive) source_.close("}");
}

void DirectConvolutionWriter::write_strips() {
    write_window();
    source_.open("kg::window_strips<T, STRIP>(" + window_ + ", " + row_count() + ", " + column_count() + ", " + image_ +
                 ", " + kernels_ + ", [&](int64_t i, int64_t j, T " + product_ + ") {");
    write_epilogue();
    source_.close("});");
}

std::string DirectConvolutionWriter::attributes_of_kernel() const {
    if (threads_ != Threads::slides) return "";
    // As many threads of a multiprocessor as have registers for their weights and sums.
    const Convolution& of = *contraction().convolution;
    const bool is_small = of.kernel_height <= "3" && of.kernel_width <= "3";
    const std::string most = of.is_channels_last ? "512" : "640";
    return "__launch_bounds__(32 * num_warps, " + (is_small ? "(sizeof(T) > 4 ? 256 : " + most + ")" : "256") +
           " / (32 * num_warps)) ";
}

void DirectConvolutionWriter::write_slides() {
    const Convolution& of = *contraction().convolution;
    write_window();
    std::string outputs;
    for (const TensorNames& each : outputs_) outputs += (outputs.empty() ? "" : ", ") + each.pointer;
    const std::string& image = inputs_[static_cast<std::size_t>(contraction().left.values.nodes[0].index)].pointer;
    source_.line("kg::sliding_windows<T, " + of.kernel_height + ", " + of.kernel_width +
                 ", kg::pack_size<VEC>, STRIP, num_warps, num_stages>(");
    source_.open("    " + window_ + ", " + row_count() + ", " + image + ", " + kernels_ + ", kg::each(" + outputs +
                 "), [&](int64_t i, int64_t j, T " + product_ + ") {");
    write_epilogue_values();
    write_elements();
    source_.close("});");
}

void DirectConvolutionWriter::write_rows() {
    const std::string rows = names_.take("rows"), products = names_.take("products");
    source_.line("const kg::Tile " + rows + " = kg::tile(pid0, BLOCK_M, " + row_count() + ");");
    write_window();
    source_.line("const auto " + products + " = kg::window_products<T>(" + window_ + ", " + image_ + ", " + kernels_ +
                 ");");
    source_.open("for (int64_t i = " + rows + ".first; i < " + rows + ".last; ++i) {");
    source_.open("kg::for_columns<T, UNROLL>(0, " + column_count() + ", [&](auto j) {");
    source_.line("const auto " + product_ + " = " + products + "(i, j);");
    write_epilogue();
    source_.close("});");
    source_.close("}");
    source_.line("kg::end_of_stores<STREAM>();");
}

ConvolutionWriter::ConvolutionWriter(const ConvolutionView& view, Style style)
    : ContractionWriter(view.definition, view.body, style), view_(view) {
    for (const NamedSize& each : view.sizes) sizes_[each.text] = names_.take(each.wish);
    window_ = names_.take("window");
    image_ = names_.take("image");
    lines_ = names_.take("lines");
}

std::string ConvolutionWriter::explanation() const {
    const bool is_last = contraction().convolution->is_channels_last;
    if (host())
        return is_last ? "Pixels by kernels: a program computes a tile of BLOCK_M by BLOCK_N, and packs BLOCK_K of the "
                         "depth at a time."
                       : "Kernels by pixels: a program computes a tile of BLOCK_M by BLOCK_N, and packs BLOCK_K of the "
                         "depth at a time.";
    return is_last ? "Pixels by kernels: a block computes tiles of BLOCK_M by BLOCK_N, BLOCK_K of the depth at a time."
                   : "Kernels by pixels: a block computes tiles of BLOCK_M by BLOCK_N, BLOCK_K of the depth at a time.";
}

void ConvolutionWriter::write_work() {
    const Convolution& of = *contraction().convolution;
    for (const NamedSize& each : view_.sizes) {
        const std::string text = each.text.substr(1, each.text.size() - 2);  // without parentheses
        source_.line("const int64_t " + sizes_.at(each.text) + " = " + integers(text) + ";");
    }
    std::vector<std::string> sizes;
    for (const std::string& each : window_sizes(of)) sizes.push_back(dimension(each));
    source_.line("const " + window_type(of) + " " + window_ + "{" + join(sizes, ", ") + "};");
    if (!maps_.empty())
        source_.line("const int64_t " + lines_ + " = kg::lines_of_patches<BLOCK_M, COPY_WARPS>(" + window_ + ", " +
                     ContractionWriter::lines_of_tiles() + ");");
    ContractionWriter::write_work();
}

/// Of the kernels: the patches have boxes by their own call.
std::string ConvolutionWriter::boxes_of(const ContractionOperand&, bool) const {
    return "kg::boxes_of_kernels(" + maps_[1] + ", " + window_ + ")";
}

std::string ConvolutionWriter::lines_of_tiles() const {
    return maps_.empty() ? ContractionWriter::lines_of_tiles() : lines_;
}

/// The operand of patches, or the kernels.
void ConvolutionWriter::write_operand(const ContractionOperand& operand, bool is_left) {
    const Convolution& of = *contraction().convolution;
    if (is_left != of.is_channels_last) return ContractionWriter::write_operand(operand, is_left);
    if (!host() && of.is_channels_last && uses_tensor_cores(definition_, body_)) {
        const std::string& pointer = inputs_[static_cast<std::size_t>(operand.values.nodes[0].index)].pointer;
        const std::string call =
            maps_.empty() ? "kg::pixel_patches<T>(" : "kg::copied_patches<T, BLOCK_M, COPY_WARPS>(";
        return source_.line("const auto " + left_ + " = " + call + pointer + ", " + window_ +
                            (maps_.empty() ? "" : ", " + maps_[0]) + ");");
    }
    const std::string row = names_.take("image_row"), column = names_.take("image_column");
    source_.open("const auto " + image_ + " = [=](int64_t " + row + ", " + (host() ? "auto " : "int64_t ") + column +
                 ") {");
    write_element(operand, row, column, host());
    source_.close("};");
    const std::string first_row =
        of.is_channels_last ? "0" : batch_ + " * " + dimension(of.group_channels) + " * " + dimension(of.height);
    const std::string head = "const auto " + (is_left ? left_ : right_) + " = ";
    if (host()) {
        const std::string type = is_read_as_stored(definition_, operand) ? "DTYPE" : "void";
        return source_.line(head + (of.is_channels_last ? "kg::pixel_patches<" : "kg::plane_patches<") + type + ">(" +
                            window_ + ", " + (of.is_channels_last ? "" : first_row + ", ") + image_ + ");");
    }
    const std::string line = is_left ? "i" : "j";
    source_.open(head + (is_left ? "kg::along_depth" : "kg::along_lines") + "([=](int64_t " + line + ", int64_t " +
                 depth_ + ") {");
    source_.line("return kg::patch_element<T>(" + window_ + ", " + first_row + ", " + line + ", " + depth_ + ", " +
                 image_ + ");");
    source_.close("});");
}

}  // namespace kernelgen
