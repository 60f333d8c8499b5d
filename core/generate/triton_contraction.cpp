// SPDX-License-Identifier: Apache-2.0
#include "core/generate/body_text.h"
#include "core/generate/row_index.h"
#include "core/generate/triton_writer.h"

namespace kernelgen {

void TritonWriter::write_contraction() {
    write_tile_places();
    for (int node = 0; node < static_cast<int>(body_.nodes.size()); ++node) write_value(node);
    for (std::size_t i = 0; i < body_.outputs.size(); ++i) write_store(i);
}

/// Which tile a program computes, and its rows and columns.
void TritonWriter::write_tile_places() {
    const Contraction& contraction = *body_.contraction;
    const std::string rows = use(interface_.dimension(contraction.rows()));
    const bool has_batch = contraction.shape.size() > 2;
    source_.line(
        "# Programs that start together read the same rows and columns: GROUP_M tiles of rows by all of columns.");
    source_.line("program = tl.program_id(0)");
    source_.line("row_tiles = tl.cdiv(" + rows + ", BLOCK_M)");
    source_.line("group_size = GROUP_M * tl.cdiv(" + columns() + ", BLOCK_N)");
    source_.line("first_row_tile = program // group_size * GROUP_M");
    source_.line("group_rows = min(row_tiles - first_row_tile, GROUP_M)");
    source_.line("row_tile = (first_row_tile + program % group_size % group_rows).to(tl.int64)");
    source_.line("column_tile = (program % group_size // group_rows).to(tl.int64)");
    if (has_batch) source_.line("batch = tl.program_id(1).to(tl.int64)");
    const std::string matrix_rows = has_batch ? "matrix_rows" : "rows";
    source_.line(matrix_rows + " = row_tile * BLOCK_M + tl.arange(0, BLOCK_M)[:, None]");
    source_.line("row_mask = " + matrix_rows + " < " + rows);
    if (has_batch) source_.line("rows = batch * " + rows + " + matrix_rows");
    write_columns_axis("column_tile * BLOCK_N + tl.arange(0, BLOCK_N)[None, :]");
}

void TritonWriter::write_product() {
    const Contraction& contraction = *body_.contraction;
    int node = 0;
    while (at(node).op != Op::contraction) ++node;
    const std::string name = values_[static_cast<std::size_t>(node)];
    source_.line(name + " = tl.zeros((BLOCK_M, BLOCK_N), T)");
    source_.open("for start in range(0, " + use(interface_.dimension(contraction.depth)) + ", BLOCK_K):");
    const std::string left = write_operand(contraction.left, true), right = write_operand(contraction.right, false);
    source_.line(name + " = tl.dot(" + left + ", " + right + ", " + name + ", input_precision=\"ieee\", out_dtype=T)");
    source_.end();
    expression_.name(node, name);
}

/// Writes the lines that load a tile of an operand and compute its prologue. Beyond the end it is 0. Returns its name.
std::string TritonWriter::write_operand(const ContractionOperand& operand, bool is_left) {
    const Contraction& contraction = *body_.contraction;
    const Body& body = operand.values;
    const bool has_batch = contraction.shape.size() > 2;
    const bool lines_are_rows = is_left != operand.is_transposed;
    const auto dimension = [&](const std::string& name) { return use(interface_.dimension(name)); };
    const std::string depth = "start + tl.arange(0, BLOCK_K)" + std::string(is_left ? "[None, :]" : "[:, None]");
    const std::string k = is_left ? "left_depth" : "right_depth";
    const std::string line = is_left ? (has_batch ? "matrix_rows" : "rows") : "columns";
    const std::string line_mask = is_left ? "row_mask" : "column_mask";
    source_.line(k + " = " + depth);
    source_.line((is_left ? "left_mask = " : "right_mask = ") + line_mask + " & (" + k + " < " +
                 dimension(contraction.depth) + ")");
    const std::string mask = is_left ? "left_mask" : "right_mask";
    const std::string row = lines_are_rows ? line : k, column = lines_are_rows ? k : line;
    std::vector<std::string> own(body.space.begin(), body.space.end() - 2), all = contraction.batch();
    own.emplace_back("1");
    all.emplace_back("1");
    const std::string matrix = row_index_text(own, all, {"batch", " // ", dimension});
    const std::string space_row = matrix == "0" ? row
                                                : "(" + as_factor(matrix) + " * " +
                                                      dimension(body.space[body.space.size() - 2]) + " + " + row + ")";
    PythonExpression expression(body, PythonDialect::triton);
    expression.symbols = interface_.symbols;
    expression.attributes = interface_.attributes;
    std::string dtype;
    for (std::size_t i = 0; i < body.nodes.size(); ++i) {
        const Node& node = body.nodes[i];
        if (node.op != Op::input) continue;
        const Tensor& tensor = definition_.inputs[static_cast<std::size_t>(node.index)];
        const std::string pointer = input_pointers_[static_cast<std::size_t>(node.index)];
        const std::string tensor_row = row_index_text(tensor.shape, body.space, {space_row, " // ", dimension});
        std::string place = pointer;
        if (tensor_row != "0")
            place += " + " + as_factor(tensor_row) + (node.per_column ? " * " + dimension(body.space.back()) : "");
        if (node.per_column) place += " + " + column;
        if (dtype.empty()) dtype = pointer + ".dtype.element_ty";
        const bool is_whole = node.per_row && node.per_column;
        const std::string own_mask = is_whole                            ? mask
                                     : node.per_column == lines_are_rows ? k + " < " + dimension(contraction.depth)
                                                                         : line_mask;
        const std::string name = names_.take(interface_.inputs[static_cast<std::size_t>(node.index)] + "_tile");
        const bool is_alone = body.nodes.size() == 1;
        source_.line(name + " = tl.load(" + place +
                     (node.per_row || node.per_column ? ", mask=" + own_mask + ", other=0.0" : "") + ")" +
                     (is_alone ? "" : ".to(T)"));
        if (is_alone) return name;
        expression.name(static_cast<int>(i), name);
    }
    const std::string name = names_.take(is_left ? "left" : "right");
    source_.line(name + " = tl.where(" + mask + ", " + expression.tensor(body.outputs[0]) + ", 0.0).to(" + dtype + ")");
    const PythonNeeds& needs = expression.needs();
    needs_of_operands_.functions.insert(needs.functions.begin(), needs.functions.end());
    needs_of_operands_.names.insert(needs.names.begin(), needs.names.end());
    needs_of_operands_.fast |= needs.fast;
    return name;
}

}  // namespace kernelgen
