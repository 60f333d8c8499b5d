// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/generate/byte_products.h"
#include "core/generate/passes.h"
#include "core/generate/row_index.h"
#include "core/generate/triton_writer.h"

namespace kernelgen {

void TritonWriter::write_contraction() {
    write_tile_places();
    int product = 0;
    while (at(product).op != Op::contraction) ++product;
    write_value(product);
    source_.open("if STEP == 1:");
    source_.line("tl.store(" + place_of_part(local("part")) + ", " + values_[static_cast<std::size_t>(product)] +
                 ", mask=mask)");
    source_.end();
    source_.open("else:");
    for (int node = 0; node < static_cast<int>(body_.nodes.size()); ++node) {
        if (node != product) write_value(node);
    }
    for (std::size_t i = 0; i < body_.outputs.size(); ++i) write_store(i);
    source_.end();
}

/// Where the sums of a part of the depth lie for the tile.
std::string TritonWriter::place_of_part(const std::string& part) {
    return local("parts_ptr") + " + (" + part + " * " + as_factor(use(row_count_)) + " + rows) * " + columns() +
           " + columns";
}

/// The kernel's name for a variable of its own, which no parameter has.
std::string TritonWriter::local(const std::string& wish) {
    const auto found = locals_.find(wish);
    return found != locals_.end() ? found->second : locals_[wish] = names_.take(wish);
}

/// Which tile a program computes, and its rows and columns.
void TritonWriter::write_tile_places() {
    const std::string rows = use(this->dimension(body_.contraction->rows()));
    const std::string program = local("program"), row_tiles = local("row_tiles"), group_size = local("group_size");
    const std::string first = local("first_row_tile"), group_rows = local("group_rows");
    source_.line(
        "# Programs that start together read the same rows and columns: GROUP_M tiles of rows by all of columns.");
    source_.line(program + " = tl.program_id(0)");
    source_.line(row_tiles + " = tl.cdiv(" + rows + ", BLOCK_M)");
    if (has_batch()) {
        // All in the grid's first axis: the others end at 65,535.
        const std::string tiles = local("tiles");
        source_.line(tiles + " = " + row_tiles + " * tl.cdiv(" + columns() + ", BLOCK_N)");
        source_.line(local("batch") + " = (" + program + " // " + tiles + ").to(tl.int64)");
        source_.line(program + " %= " + tiles);
    }
    source_.line(group_size + " = GROUP_M * tl.cdiv(" + columns() + ", BLOCK_N)");
    source_.line(first + " = " + program + " // " + group_size + " * GROUP_M");
    source_.line(group_rows + " = min(" + row_tiles + " - " + first + ", GROUP_M)");
    source_.line("row_tile = (" + first + " + " + program + " % " + group_size + " % " + group_rows + ").to(tl.int64)");
    source_.line("column_tile = (" + program + " % " + group_size + " // " + group_rows + ").to(tl.int64)");
    source_.line(matrix_rows() + " = row_tile * BLOCK_M + tl.arange(0, BLOCK_M)[:, None]");
    source_.line("row_mask = " + matrix_rows() + " < " + rows);
    if (has_batch()) source_.line("rows = " + local("batch") + " * " + rows + " + " + matrix_rows());
    write_columns_axis("column_tile * BLOCK_N + tl.arange(0, BLOCK_N)[None, :]");
}

bool TritonWriter::has_prologue() const {
    return body_.contraction->left.has_prologue() || body_.contraction->right.has_prologue();
}

/// The dtype in which operands are multiplied: that of the case, where an input tells it; the arithmetic's where an
/// operand has a prologue, whose rounding would count where sums cancel, where an output is wider, or where no input
/// has it. "": as operands are stored.
std::string TritonWriter::multiplied_dtype() const {
    if (uses_tensor_cores_for_bytes(definition_, body_)) return "";
    if (has_prologue()) return "T";
    const bool is_wider = std::ranges::any_of(
        definition_.outputs, [](const Tensor& each) { return each.dtype && size_of(*each.dtype) >= 4; });
    for (const int input : inputs_read(body_)) {
        const auto place = static_cast<std::size_t>(input);
        if (!is_wider && !definition_.inputs[place].dtype) return input_pointers_[place] + ".dtype.element_ty";
    }
    return "T";
}

/// How operands in f32 are multiplied. Where the case's dtype has 16 bits, three products of TF32 are as good as one of
/// f32, and tensor cores have them.
std::string TritonWriter::precision() const {
    if (has_prologue()) {
        for (const int input : inputs_read(body_)) {
            const auto place = static_cast<std::size_t>(input);
            if (!definition_.inputs[place].dtype)
                return "\"tf32x3\" if " + input_pointers_[place] +
                       ".dtype.element_ty.primitive_bitwidth == 16 else \"ieee\"";
        }
    }
    return "\"ieee\"";
}

void TritonWriter::write_product() {
    const Contraction& contraction = *body_.contraction;
    int node = 0;
    while (at(node).op != Op::contraction) ++node;
    const std::string name = values_[static_cast<std::size_t>(node)];
    const std::string depth = use(this->dimension(contraction.depth)), part = local("part"), end = local("end");
    source_.line(name + " = tl.zeros((BLOCK_M, BLOCK_N), T)");
    source_.line(part + " = tl.program_id(1).to(tl.int64)");
    source_.open("if STEP == 2:  # the sums of all parts of the depth, in their order");
    source_.open("for " + local("each_part") + " in range(0, SPLIT_K):");
    source_.line(name + " += tl.load(" + place_of_part("(" + part + " + " + local("each_part") + ")") +
                 ", mask=mask, other=0.0)");
    source_.end();
    source_.line(end + " = 0");
    source_.end();
    source_.open("else:");
    source_.line(end + " = " + depth);
    source_.end();
    source_.line(local("first") + " = 0");
    source_.open("if STEP == 1:");
    source_.line(local("first") + " = " + part + " * tl.cdiv(tl.cdiv(" + depth + ", BLOCK_K), SPLIT_K) * BLOCK_K");
    source_.line(end + " = min(" + depth + ", " + local("first") + " + tl.cdiv(tl.cdiv(" + depth +
                 ", BLOCK_K), SPLIT_K) * BLOCK_K)");
    source_.end();
    source_.open("for start in range(" + local("first") + ", " + end + ", BLOCK_K):");
    const std::string left = write_operand(contraction.left, true), right = write_operand(contraction.right, false);
    source_.open("if T == tl.float64:  # BLOCK_K is 1");
    source_.line(name + " += " + left + ".to(T) * " + right + ".to(T)");
    source_.end();
    source_.open("elif ON_CPU:  # the interpreter would multiply the codes of bfloat16");
    source_.line(name + " = tl.dot(" + left + ".to(T), " + right + ".to(T), " + name + ", out_dtype=T)");
    source_.end();
    source_.open("else:");
    if (uses_tensor_cores_for_bytes(definition_, body_)) {
        source_.line("# Tensor cores add products of 8 bits coarsely: no more than 128 before a sum in float32.");
        source_.line(name + " = tl.dot(" + left + ", " + right + ", " + name +
                     ", max_num_imprecise_acc=128 if BLOCK_K > 128 else BLOCK_K, out_dtype=T)");
    } else {
        source_.line(name + " = tl.dot(" + left + ", " + right + ", " + name + ", input_precision=" + precision() +
                     ", out_dtype=T)");
    }
    source_.end();
    source_.end();
    expression_.name(node, name);
}

/// Writes the lines that load a tile of an operand and compute its prologue. Beyond the end it is 0. Returns its name.
std::string TritonWriter::write_operand(const ContractionOperand& operand, bool is_left) {
    const Convolution* convolution = convolution_of(body_);
    if (convolution != nullptr && convolution->is_channels_last == is_left) return write_patches(operand, is_left);
    const bool lines_are_rows = is_left != operand.is_transposed;
    const std::string side = is_left ? "left" : "right", k = local(side + "_depth"), mask = local(side + "_mask");
    const std::string line = is_left ? matrix_rows() : "columns";
    const std::string depth_mask = k + " < " + use(this->dimension(body_.contraction->depth));
    const std::string line_mask = is_left ? "row_mask" : "column_mask";
    source_.line(k + " = start + tl.arange(0, BLOCK_K)" + (is_left ? "[None, :]" : "[:, None]"));
    source_.line(mask + " = " + line_mask + " & (" + depth_mask + ")");
    const std::string row = row_in_batch(operand, lines_are_rows ? line : k), column = lines_are_rows ? k : line;
    const std::string row_mask = lines_are_rows ? line_mask : depth_mask;
    const std::string column_mask = lines_are_rows ? depth_mask : line_mask;
    return write_elements(operand, side, {row, column, mask, row_mask, column_mask, multiplied_dtype()});
}

/// Writes the lines that load elements of an operand and compute its prologue; 0 where the mask is not set. Returns
/// their name.
std::string TritonWriter::write_elements(const ContractionOperand& operand, const std::string& side,
                                         const Places& places) {
    const Body& body = operand.values;
    PythonExpression expression(body, PythonDialect::triton);
    expression.symbols = interface_.symbols;
    expression.attributes = interface_.attributes;
    for (std::size_t i = 0; i < body.nodes.size(); ++i) {
        const Node& node = body.nodes[i];
        if (node.op != Op::input) continue;
        const auto index = static_cast<std::size_t>(node.index);
        const std::string name = names_.take(interface_.inputs[index] + "_tile");
        const std::string own_mask = node.per_row && node.per_column ? places.mask
                                     : node.per_row                  ? places.row_mask
                                     : node.per_column               ? places.column_mask
                                                                     : "";
        source_.line(name + " = tl.load(" + place_of(body, node, places.row, places.column) +
                     (own_mask.empty() ? "" : ", mask=" + own_mask + ", other=0.0") + ")" +
                     (operand.has_prologue()            ? ".to(T)"
                      : places.dtype.empty()            ? ""
                      : definition_.inputs[index].dtype ? ".to(" + places.dtype + ")"
                      : places.dtype == "T"             ? ".to(T)"
                                                        : ""));
        if (!operand.has_prologue()) return name;
        expression.name(static_cast<int>(i), name);
    }
    const std::string name = names_.take(side);
    const std::string value = expression.tensor(body.outputs[0]);
    source_.line(name + " = " +
                 (places.mask.empty() ? "(" + value : "tl.where(" + places.mask + ", " + value + ", 0.0") + ").to(" +
                 places.dtype + ")");
    const PythonNeeds& needs = expression.needs();
    needs_of_operands_.functions.insert(needs.functions.begin(), needs.functions.end());
    needs_of_operands_.names.insert(needs.names.begin(), needs.names.end());
    needs_of_operands_.fast |= needs.fast;
    return name;
}

/// The row of an operand's space that is row `row` of the matrix that the program's batch reads.
std::string TritonWriter::row_in_batch(const ContractionOperand& operand, const std::string& row) {
    const std::vector<std::string>& space = operand.values.space;
    std::vector<std::string> own(space.begin(), space.end() - 2), all = body_.contraction->batch();
    own.emplace_back("1");
    all.emplace_back("1");
    const auto dimension = [&](const std::string& name) { return use(this->dimension(name)); };
    const std::string matrix = row_index_text(own, all, {local("batch"), " // ", dimension});
    if (matrix == "0") return row;
    return "(" + as_factor(matrix) + " * " + dimension(space[space.size() - 2]) + " + " + row + ")";
}

/// The pointers to the elements that `node` reads at a row and column of `body`'s space.
std::string TritonWriter::place_of(const Body& body, const Node& node, const std::string& row,
                                   const std::string& column) {
    const auto index = static_cast<std::size_t>(node.index);
    const auto dimension = [&](const std::string& name) { return use(this->dimension(name)); };
    const std::string tensor_row = row_index_text(node.shape, body.space, {row, " // ", dimension});
    std::string place = input_pointers_[index];
    if (tensor_row != "0")
        place += " + " + as_factor(tensor_row) + (node.per_column ? " * " + dimension(body.space.back()) : "");
    return node.per_column ? place + " + " + column : place;
}

}  // namespace kernelgen
