// SPDX-License-Identifier: Apache-2.0
#include "core/generate/contraction_writer.h"

#include <algorithm>

#include "core/generate/body_text.h"
#include "core/generate/passes.h"

namespace kernelgen {

ContractionWriter::ContractionWriter(const Operator& definition, const Body& lowered, Style style)
    : KernelText(definition, lowered), style_(style) {
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
    if (host()) write_tile();
    else if (style_ == Style::naive) write_naive();
    else if (style_ == Style::cuda) write_cuda_tile();
    else write_cuda_naive();
    source_.close("}");
    return source_.text();
}

std::string_view ContractionWriter::explanation() const {
    if (host())
        return "A program computes a tile of BLOCK_M rows and BLOCK_N columns: it packs BLOCK_K of the depth at a "
               "time.";
    if (style_ == Style::cuda)
        return "A block computes a tile of BLOCK_M rows and BLOCK_N columns, BLOCK_K of the depth at a time.";
    return style_ == Style::naive
               ? "One row a program, one product after the other: what is tuned must be faster than this."
               : "A thread computes one element: what is tuned must be faster than this.";
}

void ContractionWriter::open() {
    if (is_cuda()) return open_kernel(has_tiles() ? "__launch_bounds__(32 * num_warps) " : "");
    std::vector<std::string> all = parameters("* ");
    const int axes = host() ? (has_batch() ? 3 : 2) : 1;
    for (int axis = 0; axis < 3; ++axis) all.push_back(axis < axes ? "int64_t pid" + std::to_string(axis) : "int64_t");
    open_function(std::string("extern \"C\" ") + (host() ? "[[gnu::flatten]] " : "") + "void " + entry_, all);
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

/// Writes a function of a line of the operand and of k, a vector of one of them on the host, that computes the
/// prologue.
void ContractionWriter::write_operand(const ContractionOperand& operand, bool is_left) {
    const Body& body = operand.values;
    const bool lines_are_rows = is_left != operand.is_transposed;
    const std::string line = is_left ? "i" : "j";
    const std::string row = lines_are_rows ? line : depth_, column = lines_are_rows ? depth_ : line;
    const std::string parameters =
        host() ? "int64_t " + row + ", auto " + column : "int64_t " + line + ", int64_t " + depth_;
    const std::string name = is_left ? left_ : right_;
    const std::string first_row = matrix_of(operand);
    std::string space_row = row;
    std::string head = "const auto " + name + " = ";
    if (has_tiles()) head += lines_are_rows ? "kg::along_depth(" : "kg::along_lines(";
    source_.open(head + "[=](" + parameters + ") {");
    if (first_row != "0") {
        space_row = names_.take(name + "_row");
        source_.line("const int64_t " + space_row + " = " + as_factor(first_row) + " * " +
                     dimension(body.space[body.space.size() - 2]) + " + " + row + ";");
    }
    RowWords words = row_words();
    words.row = space_row;
    ExpressionWriter expressions(definition_, body);
    expressions.symbols = symbols_;
    expressions.attributes = attributes_;
    const std::vector<bool> is_named = named_values(body);
    for (std::size_t i = 0; i < body.nodes.size(); ++i) {
        const Node& node = body.nodes[i];
        const int number = static_cast<int>(i);
        if (node.op == Op::input) {
            const Tensor& tensor = definition_.inputs[static_cast<std::size_t>(node.index)];
            const std::string tensor_row = row_index_text(tensor.shape, body.space, words);
            std::string place = inputs_[static_cast<std::size_t>(node.index)].pointer;
            if (tensor_row != "0")
                place += " + " + as_factor(tensor_row) + (node.per_column ? " * " + dimension(body.space.back()) : "");
            const std::string value = node.per_column && host()
                                          ? "kg::load(" + place + ", " + column + ")"
                                          : "kg::load_one<T>(" + place + (node.per_column ? " + " + column : "") + ")";
            if (body.nodes.size() == 1) {
                source_.line("return " + value + ";");
                continue;
            }
            const std::string value_name = names_.take(tensor.name + (node.per_column ? "_" + column : "_value"));
            source_.line((host() ? "const auto " : "const T ") + value_name + " = " + value + ";");
            expressions.name(number, value_name);
        } else if (is_named[i]) {
            const bool is_condition = expressions.is_condition(number);
            const std::string value_name = names_.take(node.label.empty() ? name_of_unlabelled(node.op) : node.label);
            source_.line((host()         ? "const auto "
                          : is_condition ? "const bool "
                                         : "const T ") +
                         value_name + " = " + expressions.definition(number) + ";");
            expressions.name(number, value_name, is_condition);
        }
    }
    if (body.nodes.size() > 1) source_.line("return " + expressions.number(body.outputs[0]) + ";");
    source_.close(has_tiles() ? "});" : "};");
}

/// The result's matrix, and the row in it, of row `i` of the space.
void ContractionWriter::write_row(const std::string& i) {
    const std::string rows = dimension(contraction().rows());
    if (!has_batch()) return;
    source_.line("const int64_t " + batch_ + " = " + i + " / " + rows + ";");
}

void ContractionWriter::write_tile() {
    const std::string rows = dimension(contraction().rows()), columns = column_count();
    if (has_batch()) source_.line("const int64_t " + batch_ + " = pid2;");
    source_.line("const kg::Tile rows = kg::tile(pid0, BLOCK_M, " + rows + ");");
    source_.line("const kg::Tile columns = kg::tile(pid1, BLOCK_N, " + columns + ");");
    write_operand(contraction().left, true);
    write_operand(contraction().right, false);
    const std::string row = has_batch() ? names_.take("row_of_batch") : "i";
    source_.open("kg::contract<T, REGISTER_M, BLOCK_K>(rows, columns, " + dimension(contraction().depth) + ", " +
                 left_ + ", " + right_ + ", [&](int64_t " + row + ", auto j, auto " + product_ + ") {");
    if (has_batch()) source_.line("const int64_t i = " + batch_ + " * " + rows + " + " + row + ";");
    write_epilogue();
    source_.close("});");
    source_.line("kg::end_of_stores<STREAM>();");
}

void ContractionWriter::write_cuda_tile() {
    const std::string tile = names_.take("tile");
    const std::string rows = dimension(contraction().rows()), columns = column_count();
    source_.line("const auto " + tile + " = kg::product_tile<BLOCK_M, BLOCK_N, GROUP_M>(" + rows + ", " + columns +
                 ");");
    if (has_batch()) source_.line("const int64_t " + batch_ + " = " + tile + ".batch;");
    write_operand(contraction().left, true);
    write_operand(contraction().right, false);
    const std::string row = has_batch() ? names_.take("row_of_batch") : "i";
    source_.line("using Products = kg::Products<T, BLOCK_M, BLOCK_N, BLOCK_K, num_warps>;");
    source_.open("Products::compute(" + tile + ", " + rows + ", " + columns + ", " + dimension(contraction().depth) +
                 ", " + left_ + ", " + right_ + ", [&](int64_t " + row + ", int64_t j, T " + product_ + ") {");
    if (has_batch()) source_.line("const int64_t i = " + batch_ + " * " + rows + " + " + row + ";");
    write_epilogue();
    source_.close("});");
}

void ContractionWriter::write_naive() {
    const std::string sums = names_.take("sums"), value = names_.take("value"), columns = column_count();
    source_.line("const int64_t i = pid0;");
    write_row("i");
    write_operand(contraction().left, true);
    write_operand(contraction().right, false);
    const std::string row = has_batch() ? "i % " + dimension(contraction().rows()) : "i";
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
    write_row("i");
    write_operand(contraction().left, true);
    write_operand(contraction().right, false);
    const std::string row = has_batch() ? "i % " + dimension(contraction().rows()) : "i";
    source_.line("T " + product_ + " = 0;");
    source_.line("for (int64_t " + depth_ + " = 0; " + depth_ + " < " + dimension(contraction().depth) + "; ++" +
                 depth_ + ") " + product_ + " += " + left_ + "(" + row + ", " + depth_ + ") * " + right_ + "(j, " +
                 depth_ + ");");
    write_epilogue();
}

void ContractionWriter::write_input(int node) {
    const Node& value = at(node);
    const std::size_t index = static_cast<std::size_t>(value.index);
    const std::string tensor_row = row_of(definition_.inputs[index]);
    std::string place = inputs_[index].pointer;
    if (tensor_row != "0") place += " + " + as_factor(tensor_row) + (value.per_column ? " * " + column_count() : "");
    const std::string suffix = value.per_column ? "_j" : value.per_row ? "_i" : "_value";
    const std::string name = names_.take(definition_.inputs[index].name + suffix);
    const bool is_vector = host() && value.per_column;
    source_.line((is_vector ? "const auto " : "const T ") + name + " = " +
                 (is_vector ? "kg::load(" + place + ", j);"
                            : "kg::load_one<T>(" + place + (value.per_column ? " + j" : "") + ");"));
    expressions_.name(node, name);
}

/// Writes what is done with one element of the product, or on the host with a vector of them.
void ContractionWriter::write_epilogue() {
    for (int node = 0; node < static_cast<int>(body_.nodes.size()); ++node) {
        if (at(node).op == Op::input) write_input(node);
        else if (at(node).op == Op::contraction) expressions_.name(node, product_);
        else if (must_be_named(node)) write_value(node, host());
    }
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

}  // namespace kernelgen
