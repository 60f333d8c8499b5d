// SPDX-License-Identifier: Apache-2.0
#include "core/generate/contraction_writer.h"

#include <algorithm>

#include "core/generate/body_text.h"
#include "core/generate/byte_products.h"
#include "core/generate/convolution_view.h"
#include "core/generate/row_index.h"

namespace kernelgen {

bool is_read_as_stored(const Operator& definition, const ContractionOperand& operand) {
    return !operand.has_prologue() && !definition.inputs[static_cast<std::size_t>(operand.values.nodes[0].index)].dtype;
}

bool uses_tensor_cores(const Operator& definition, const Body& lowered) {
    return is_read_as_stored(definition, lowered.contraction->left) &&
           is_read_as_stored(definition, lowered.contraction->right);
}

namespace {

/// Of an operand that is a matrix in memory, or one of each matrix of the batch. A box has 128 bytes of a row, the
/// widest that the copies exchange so that banks differ.
std::optional<TensorMap> map_of(const Operator& definition, const Contraction& contraction,
                                const ContractionOperand& operand, bool is_left) {
    const Node& read = operand.values.nodes[0];
    if (operand.has_prologue() || !read.per_row || !read.per_column) return std::nullopt;
    const std::vector<std::string>& space = operand.values.space;
    const std::vector<std::string> own(space.begin(), space.end() - 2);
    if (!own.empty() && own != contraction.batch()) return std::nullopt;
    const bool lines_are_rows = is_left != operand.is_transposed;
    TensorMap map{definition.inputs[static_cast<std::size_t>(read.index)].name, {}, 128};
    if (!own.empty()) map.box.emplace_back("1");
    // A block copies its share of the right operand's box to all blocks of its cluster.
    const std::string rows = !lines_are_rows ? "BLOCK_K" : is_left ? "BLOCK_M" : "BLOCK_N";
    map.box.push_back(is_left ? rows : rows + " / CLUSTER");
    map.box.emplace_back(byte_dtype(definition, operand) ? "128" : "64");
    return map;
}

/// Of the images and the kernels of a convolution without strides whose channels come last: a tile's pixels lie in rows
/// of 16, and a part of the depth are 64 channels of one tap.
std::vector<TensorMap> maps_of_patches(const Operator& definition, const Body& view) {
    const Convolution& of = *convolution_of(view);
    if (!of.is_channels_last || of.stride != 1 || !is_matrix_view(view)) return {};
    const auto name_of = [&](const ContractionOperand& operand) {
        return definition.inputs[static_cast<std::size_t>(operand.values.nodes[0].index)].name;
    };
    return {{name_of(view.contraction->left), {"1", "BLOCK_M / 16", "16", "64"}, 128},
            {name_of(view.contraction->right), {"BLOCK_N / CLUSTER", "1", "1", "64"}, 128}};
}

}  // namespace

std::vector<TensorMap> maps_of_operands(const Operator& definition, const Body& lowered) {
    const bool has_tensor_cores =
        uses_tensor_cores(definition, lowered) || uses_tensor_cores_for_bytes(definition, lowered);
    if (!has_tensor_cores) return {};
    if (convolution_of(lowered) != nullptr) return maps_of_patches(definition, lowered);
    const Contraction& contraction = *lowered.contraction;
    const auto left = map_of(definition, contraction, contraction.left, true);
    const auto right = map_of(definition, contraction, contraction.right, false);
    if (!left || !right) return {};
    return {*left, *right};
}

ContractionWriter::ContractionWriter(const Operator& definition, const Body& lowered, Style style)
    : KernelText(definition, lowered), style_(style) {
    if (style == Style::cuda) {
        for (const TensorMap& each : maps_of_operands(definition, lowered))
            maps_.push_back(names_.take(each.tensor + "_map"));
    }
    if (has_batch()) batch_ = names_.take("batch");
    depth_ = names_.take("k");
    product_ = names_.take("product");
    left_ = names_.take("left");
    right_ = names_.take("right");
}

std::string ContractionWriter::write() {
    write_head(explanation());
    write_include(is_cuda() ? "kernelgen.cuh" : "kernelgen.h");
    write_arithmetic(is_cuda());
    source_.line();
    open();
    write_work();
    source_.close("}");
    return source_.text();
}

void ContractionWriter::write_work() {
    if (host()) write_tile();
    else if (style_ == Style::naive) write_naive();
    else if (style_ == Style::cuda) write_cuda_tile();
    else write_cuda_naive();
}

std::string ContractionWriter::explanation() const {
    const auto why = why_bytes_are_plain(definition_, body_);
    const std::string plain = why && style_ == Style::cuda ? " Not by tensor cores: " + *why + "." : "";
    if (host())
        return "A program computes a tile of BLOCK_M rows and BLOCK_N columns: it packs BLOCK_K of the depth at a "
               "time.";
    if (style_ == Style::cuda)
        return std::string(
                   "A block computes tiles of BLOCK_M rows and BLOCK_N columns, BLOCK_K of the depth at a time.") +
               plain;
    return style_ == Style::naive
               ? "One row a program, one product after the other: what is tuned must be faster than this."
               : "A thread computes one element: what is tuned must be faster than this.";
}

void ContractionWriter::open() {
    if (style_ == Style::cuda_naive) return open_kernel(attributes_of_kernel());
    if (style_ == Style::cuda) return open_cuda_tiles();
    std::vector<std::string> all = parameters("* ");
    for (int axis = 0; axis < 3; ++axis)
        all.push_back(axis < grid_axes() ? "int64_t pid" + std::to_string(axis) : "int64_t");
    open_function(std::string("extern \"C\" ") + (host() ? "[[gnu::flatten]] " : "") + "void " + entry_, all);
}

void ContractionWriter::open_cuda_tiles() {
    std::vector<std::string> all = parameters("* __restrict__ ");
    for (const std::string& map : maps_) all.push_back("const __grid_constant__ CUtensorMap " + map);
    open_function(std::string("extern \"C\" __global__ ") +
                      (is_for_tensor_cores()
                           ? "KG_CLUSTER(CLUSTER * SPLIT_K) __launch_bounds__(32 * (num_warps + COPY_WARPS), 1) void "
                           : "__launch_bounds__(32 * num_warps) void ") +
                      entry_,
                  all);
}

/// The operand's matrix for the result's matrix `batch`.
std::string ContractionWriter::matrix_of(const ContractionOperand& operand) const {
    std::vector<std::string> own(operand.values.space.begin(), operand.values.space.end() - 2),
        all = contraction().batch();
    own.emplace_back("1");
    all.emplace_back("1");
    RowWords words = row_words();
    words.row = batch_;
    return row_index_text(own, all, words);
}

/// Where a row of a tensor begins: the pointer of the input that `node` reads, at the tensor's row for row `row` of
/// `body`'s space.
std::string ContractionWriter::place_of(const Body& body, const Node& node, const std::string& row) const {
    const auto index = static_cast<std::size_t>(node.index);
    RowWords words = row_words();
    words.row = row;
    const std::string tensor_row = row_index_text(node.shape, body.space, words);
    if (tensor_row == "0") return inputs_[index].pointer;
    return inputs_[index].pointer + " + " + as_factor(tensor_row) +
           (node.per_column ? " * " + dimension(body.space.back()) : "");
}

/// The value that `node` reads; with `is_vector` a vector where it differs between columns.
std::string ContractionWriter::loaded(const Body& body, const Node& node, const std::string& row,
                                      const std::string& column, bool is_vector) const {
    const std::string place = place_of(body, node, row);
    if (node.per_column && is_vector) return "kg::load(" + place + ", " + column + ")";
    return "kg::load_one<T>(" + place + (node.per_column ? " + " + column : "") + ")";
}

std::string ContractionWriter::boxes_of(const ContractionOperand& operand, bool is_left) const {
    return std::string("kg::boxes") + (operand.values.space.size() > 2 ? "_of_batch(" : "(") + maps_[is_left ? 0 : 1] +
           ")";
}

/// An operand without a prologue, as the CUDA kernel reads it.
std::string ContractionWriter::matrix_in_memory(const ContractionOperand& operand, bool is_left) const {
    const Body& body = operand.values;
    const bool lines_are_rows = is_left != operand.is_transposed;
    const std::string matrix = matrix_of(operand), columns = dimension(body.space.back());
    std::string place = inputs_[static_cast<std::size_t>(body.nodes[0].index)].pointer;
    if (matrix != "0")
        place += " + " + as_factor(matrix) + " * " + dimension(body.space[body.space.size() - 2]) + " * " + columns;
    const std::string boxes = maps_.empty() ? "" : ", " + boxes_of(operand, is_left);
    return std::string("kg::matrix_along_") + (lines_are_rows ? "depth" : "lines") + "<T>(" + place + ", " + columns +
           boxes + ")";
}

/// Writes a function of a line of the operand and of k, a vector of one of them on the host, that computes the
/// prologue.
void ContractionWriter::write_operand(const ContractionOperand& operand, bool is_left) {
    const Body& body = operand.values;
    const bool lines_are_rows = is_left != operand.is_transposed;
    const std::string line = is_left ? "i" : "j", name = is_left ? left_ : right_;
    const bool is_whole = body.nodes[0].per_row && body.nodes[0].per_column;
    if (style_ == Style::cuda && !operand.has_prologue() && is_whole)
        return source_.line("const auto " + name + " = " + matrix_in_memory(operand, is_left) + ";");
    const std::string column = lines_are_rows ? depth_ : line, matrix = matrix_of(operand);
    std::string row = lines_are_rows ? line : depth_;
    std::string head = "const auto " + name + " = ";
    if (has_tiles()) {
        head += lines_are_rows ? "kg::along_depth" : "kg::along_lines";
        head += host() && is_read_as_stored(definition_, operand) ? "<DTYPE>(" : "(";
    }
    source_.open(head + "[=](int64_t " + (host() ? row + ", auto " + column : line + ", int64_t " + depth_) + ") {");
    if (matrix != "0") {
        const std::string row_of_batch = names_.take(name + "_row");
        source_.line("const int64_t " + row_of_batch + " = " + as_factor(matrix) + " * " +
                     dimension(body.space[body.space.size() - 2]) + " + " + row + ";");
        row = row_of_batch;
    }
    write_element(operand, row, column, host());
    source_.close(has_tiles() ? "});" : "};");
}

/// Writes what a function of a row and column of the operand's space returns.
void ContractionWriter::write_element(const ContractionOperand& operand, const std::string& row,
                                      const std::string& column, bool is_vector) {
    const Body& body = operand.values;
    if (operand.has_prologue()) write_prologue(body, row, column, is_vector);
    else source_.line("return " + loaded(body, body.nodes[0], row, column, is_vector) + ";");
}

void ContractionWriter::write_prologue(const Body& body, const std::string& row, const std::string& column,
                                       bool is_vector) {
    ExpressionWriter expressions(definition_, body);
    expressions.symbols = symbols_;
    expressions.attributes = attributes_;
    const std::vector<bool> is_named = named_values(body);
    const auto write = [&](int node, const std::string& wish, const std::string& text, bool is_mask) {
        const std::string name = names_.take(wish);
        source_.line((is_vector ? "const auto " : is_mask ? "const bool " : "const T ") + name + " = " + text + ";");
        expressions.name(node, name, is_mask);
    };
    for (int node = 0; node < static_cast<int>(body.nodes.size()); ++node) {
        const Node& value = body.nodes[static_cast<std::size_t>(node)];
        if (value.op == Op::input) {
            const std::string& tensor = definition_.inputs[static_cast<std::size_t>(value.index)].name;
            write(node, tensor + (value.per_column ? "_" + column : "_value"),
                  loaded(body, value, row, column, is_vector), false);
        } else if (is_named[static_cast<std::size_t>(node)]) {
            write(node, value.label.empty() ? name_of_unlabelled(value.op) : value.label, expressions.definition(node),
                  expressions.is_condition(node));
        }
    }
    source_.line("return " + expressions.number(body.outputs[0]) + ";");
}

/// Writes the operands for row `i` of the space. Returns that row in its matrix.
std::string ContractionWriter::write_operands_of_row() {
    const std::string rows = dimension(contraction().rows());
    if (has_batch()) source_.line("const int64_t " + batch_ + " = i / " + rows + ";");
    write_operands();
    return has_batch() ? "i % " + rows : "i";
}

void ContractionWriter::write_operands() {
    write_operand(contraction().left, true);
    write_operand(contraction().right, false);
}

/// Writes the call of a tile's product, up to the function that gets its elements, and the epilogue in that function.
void ContractionWriter::write_call(const std::string& call) {
    const std::string row = has_batch() ? names_.take("row_of_batch") : "i";
    const std::string others = host() ? dimension(contraction().depth) + ", " + left_ + ", " + right_
                                      : left_ + ", " + right_ + ", " + outputs_of_matrix();
    source_.open(call + others + ", [&](int64_t " + row + (host() ? ", auto j, auto " : ", int64_t j, T ") + product_ +
                 ") {");
    const bool reads_rows =
        std::ranges::any_of(body_.nodes, [](const Node& each) { return each.op == Op::input && each.per_row; });
    if (has_batch() && (host() || reads_rows))
        source_.line("const int64_t i = " + batch_ + " * " + dimension(contraction().rows()) + " + " + row + ";");
    write_epilogue();
    source_.close("});");
}

/// Pointers to the matrices of the outputs that a block writes to.
std::string ContractionWriter::outputs_of_matrix() const {
    std::string all;
    for (const TensorNames& each : outputs_) {
        all += (all.empty() ? "" : ", ") + each.pointer;
        if (has_batch()) all += " + " + batch_ + " * " + dimension(contraction().rows()) + " * " + column_count();
    }
    return "kg::each(" + all + ")";
}

void ContractionWriter::write_tile() {
    const std::string rows = dimension(contraction().rows()), columns = column_count();
    if (has_batch()) source_.line("const int64_t " + batch_ + " = pid2;");
    source_.line("const kg::Tile rows = kg::tile(pid0, BLOCK_M, " + rows + ");");
    source_.line("const kg::Tile columns = kg::tile(pid1, BLOCK_N, " + columns + ");");
    write_operands();
    write_call("kg::contract<T, REGISTER_M, BLOCK_K>(rows, columns, ");
    source_.line("kg::end_of_stores<STREAM>();");
}

/// What the operands' elements are called in the source: T where they are multiplied in the plain way.
std::string ContractionWriter::elements_of_operands() const {
    if (uses_tensor_cores(definition_, body_)) return "DTYPE";
    if (!uses_tensor_cores_for_bytes(definition_, body_)) return "T";
    const auto type = [&](const ContractionOperand& operand) {
        const std::string& declared = inputs_[static_cast<std::size_t>(operand.values.nodes[0].index)].type;
        return declared.starts_with("const ") ? declared.substr(6) : declared;
    };
    return "kg::Pair<" + type(contraction().left) + ", " + type(contraction().right) + ">";
}

void ContractionWriter::write_cuda_tile() {
    const std::string tiles = names_.take("tiles"), tile = names_.take("tile"), products = names_.take("products");
    const std::string batches = has_batch() ? product_text(contraction().batch(), row_words()) : "1";
    const bool for_tensor_cores = is_for_tensor_cores();
    source_.line("const kg::ProductTiles<BLOCK_M, BLOCK_N, GROUP_M" +
                 std::string(for_tensor_cores ? ", CLUSTER, SPLIT_K" : "") + "> " + tiles + "(" + batches + ", " +
                 lines_of_tiles() + ", " + column_count() + ");");
    source_.line("using Products = kg::Products<" + elements_of_operands() +
                 ", T, BLOCK_M, BLOCK_N, BLOCK_K, num_warps" + (for_tensor_cores ? ", num_stages," : ">;"));
    if (for_tensor_cores) source_.line("                              COPY_WARPS, CLUSTER, SPLIT_K>;");
    source_.open("Products::each_tile(" + tiles + ", " + dimension(contraction().depth) + ", [&](auto& " + products +
                 ", const kg::ProductTile& " + tile + ") {");
    if (has_batch()) source_.line("const int64_t " + batch_ + " = " + tile + ".batch;");
    write_operands();
    write_call(products + ".compute(" + tile + ", ");
    source_.close("});");
}

void ContractionWriter::write_naive() {
    const std::string sums = names_.take("sums"), value = names_.take("value"), columns = column_count();
    source_.line("const int64_t i = pid0;");
    const std::string row = write_operands_of_row();
    source_.line("T* const " + sums + " = kg::row_buffer<T, 0>(" + columns + ").data;");
    source_.line("for (int64_t j = 0; j < " + columns + "; ++j) " + sums + "[j] = 0;");
    source_.open("for (int64_t " + depth_ + " = 0; " + depth_ + " < " + dimension(contraction().depth) + "; ++" +
                 depth_ + ") {");
    source_.line("const T " + value + " = " + left_ + "(" + row + ", " + depth_ + ");");
    source_.line("for (int64_t j = 0; j < " + columns + "; ++j) " + sums + "[j] += " + value + " * " + right_ + "(j, " +
                 depth_ + ");");
    source_.close("}");
    source_.open("for (int64_t j = 0; j < " + columns + "; ++j) {");
    source_.line("const T " + product_ + " = " + sums + "[j];");
    write_epilogue();
    source_.close("}");
}

void ContractionWriter::write_cuda_naive() {
    const std::string element = names_.take("element"), columns = column_count(), rows = row_count();
    source_.line("const int64_t " + element + " = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;");
    source_.line("if (" + element + " >= " + (rows == "1" ? "" : rows + " * ") + columns + ") return;");
    source_.line("const int64_t i = " + element + " / " + columns + ", j = " + element + " % " + columns + ";");
    const std::string row = write_operands_of_row();
    source_.line("T " + product_ + " = 0;");
    source_.line("for (int64_t " + depth_ + " = 0; " + depth_ + " < " + dimension(contraction().depth) + "; ++" +
                 depth_ + ") " + product_ + " += " + left_ + "(" + row + ", " + depth_ + ") * " + right_ + "(j, " +
                 depth_ + ");");
    write_epilogue();
}

void ContractionWriter::write_input(int node) {
    const Node& value = at(node);
    const std::string suffix = value.per_column ? "_j" : value.per_row ? "_i" : "_value";
    const std::string name = names_.take(definition_.inputs[static_cast<std::size_t>(value.index)].name + suffix);
    source_.line((host() && value.per_column ? "const auto " : "const T ") + name + " = " +
                 loaded(body_, value, "i", "j", host()) + ";");
    expressions_.name(node, name);
}

/// Writes what the outputs are made of, for one element of the product, or on the host for a vector of them.
void ContractionWriter::write_epilogue_values() {
    for (int node = 0; node < static_cast<int>(body_.nodes.size()); ++node) {
        if (at(node).op == Op::input) write_input(node);
        else if (at(node).op == Op::contraction) expressions_.name(node, product_);
        else if (must_be_named(node)) write_value(node, host());
    }
}

/// Writes what is done with one element of the product, or on the host with a vector of them.
void ContractionWriter::write_epilogue() {
    write_epilogue_values();
    if (style_ == Style::cuda) return write_elements();
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
        const std::string tensor_row = row_of(definition_.outputs[i]);
        const std::string place =
            outputs_[i].pointer + (tensor_row == "0" ? "" : " + " + as_factor(tensor_row) + " * " + column_count());
        const std::string value = expressions_.number(body_.outputs[i]);
        if (host()) source_.line("kg::store<STREAM>(" + place + ", j, " + value + ");");
        else
            source_.line(outputs_[i].pointer + "[" +
                         (tensor_row == "0" ? "" : as_factor(tensor_row) + " * " + column_count() + " + ") +
                         "j] = kg::to_storage<" + outputs_[i].type + ">(" + value + ");");
    }
}

/// Writes what the epilogue returns: an element of each output.
void ContractionWriter::write_elements() {
    std::string all;
    for (std::size_t i = 0; i < outputs_.size(); ++i)
        all += (i == 0 ? "" : ", ") + ("kg::to_storage<" + outputs_[i].type + ">(") +
               expressions_.number(body_.outputs[i]) + ")";
    source_.line("return kg::each(" + all + ");");
}

}  // namespace kernelgen
