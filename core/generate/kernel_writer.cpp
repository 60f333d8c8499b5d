// SPDX-License-Identifier: Apache-2.0
#include "core/generate/kernel_writer.h"

#include <algorithm>

namespace kernelgen {

bool has_column_tiles(const Operator& definition, const Body& lowered) {
    return !lowered.has_reductions() &&
           std::ranges::all_of(definition.outputs, [&](const Tensor& output) { return has_columns(lowered, output); });
}

KernelWriter::KernelWriter(const Operator& definition, const Body& lowered, KernelStyle style)
    : KernelText(definition, lowered),
      style_(style),
      column_tiles_(has_column_tiles(definition, lowered)),
      joins_rows_(host() && column_tiles_ && body_.space.size() > 1 && every_row_is({"i"})),
      rows_in_lanes_(host() && body_.space.size() > 1 && !joins_rows_ && every_row_is({"i", "0"})),
      schedule_(schedule(definition, lowered, style == KernelStyle::host)),
      parts_(lowered.nodes.size()),
      buffers_(lowered.nodes.size()) {}

/// Whether every output is indexed by row `i`, and every input with rows or columns by one of the expressions in
/// `rows`. If `rows` is "i" alone, all tensors except scalars have all rows and columns.
bool KernelWriter::every_row_is(std::initializer_list<std::string_view> rows) const {
    const auto is_allowed = [&](const Node& node) {
        if (node.op != Op::input || (!node.per_row && !node.per_column)) return true;
        return std::ranges::find(rows, row_of(definition_.inputs[static_cast<std::size_t>(node.index)])) !=
                   rows.end() &&
               (node.per_column || rows.size() > 1);
    };
    return std::ranges::all_of(body_.nodes, is_allowed) &&
           std::ranges::all_of(definition_.outputs, [&](const Tensor& output) {
               return !has_columns(body_, output) || row_of(output) == "i";
           });
}

std::string KernelWriter::write() {
    write_head(explanation());
    write_include(cuda() ? "kernelgen.cuh" : "kernelgen.h");
    write_arithmetic(cuda());
    source_.line();
    if (cuda()) open_kernel("");
    else write_signature();
    write_row_values(schedule_.kernel_values);
    if (host()) write_constant_divisors(true);
    write_buffers();
    open_rows();
    write_row_pointers();
    write_row_values(schedule_.row_values);
    for (const Pass& pass : schedule_.passes) write_pass(pass);
    write_row_outputs();
    if (host() && body_.space.size() > 1) source_.close(rows_in_lanes_ ? "});" : "}");
    if (host()) source_.line("kg::end_of_stores<STREAM>();");
    source_.close("}");
    return source_.text();
}

std::string_view KernelWriter::explanation() const {
    if (cuda() && column_tiles_) return "A thread computes one element: what is tuned must be faster than this.";
    if (cuda())
        return "A block computes one row, a thread every 256th element: what is tuned must be faster than this.";
    if (!host()) return "One row a program, one element after the other: what is tuned must be faster than this.";
    if (!column_tiles_)
        return "A program computes BLOCK_M whole rows, more if short, a pass for each value that the next one needs.";
    return body_.space.size() > 1
               ? "A program computes a tile of BLOCK_M rows, more if short, and BLOCK_N columns, vector by vector."
               : "A program computes a tile of BLOCK_N elements, vector by vector.";
}

void KernelWriter::write_signature() {
    std::vector<std::string> parameters = KernelText::parameters("* ");
    const int axes = host() && column_tiles_ && body_.space.size() > 1 ? 2 : 1;
    for (int axis = 0; axis < 3; ++axis)
        parameters.push_back(axis < axes ? "int64_t pid" + std::to_string(axis) : "int64_t");
    // Inlining everything keeps vectors in registers.
    open_function(std::string("extern \"C\" ") + (host() ? "[[gnu::flatten]] " : "") + "void " + entry_, parameters);
}

void KernelWriter::open_rows() {
    if (cuda()) return write_thread_indices();
    const std::string columns = column_count();
    const bool has_rows = body_.space.size() > 1;
    if (!host()) {
        if (has_rows) source_.line("const int64_t i = pid0;");
        return;
    }
    const std::string tile = joins_rows_ ? "kg::Tile " : "const kg::Tile ";
    if (has_rows)
        source_.line(tile + "rows = kg::tile(pid0, BLOCK_M * kg::cdiv(256, " + columns + "), " + row_count() + ");");
    else if (!column_tiles_) source_.line("constexpr int64_t i = 0;  // the only row");
    if (column_tiles_)
        source_.line(tile + "columns = kg::tile(" + (has_rows ? "pid1" : "pid0") + ", BLOCK_N, " + columns + ");");
    if (joins_rows_) source_.line("kg::join_rows(rows, columns, " + columns + ");  // whole rows as one");
    if (rows_in_lanes_)
        source_.open("kg::for_rows<T>(rows, " + columns + ", [=](auto i) {  // row i; several, where they are short");
    else if (has_rows) source_.open("for (int64_t i = rows.first; i < rows.last; ++i) {");
}

void KernelWriter::write_thread_indices() {
    const bool has_rows = body_.space.size() > 1;
    if (!column_tiles_) {
        if (has_rows) source_.line("const int64_t i = blockIdx.x;");
        return;
    }
    const std::string columns = column_count(), rows = row_count();
    source_.line(std::string("const int64_t ") + (has_rows ? "element" : "j") +
                 " = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;");
    source_.line(std::string("if (") + (has_rows ? "element >= " + rows + " * " : "j >= ") + columns + ") return;");
    if (has_rows) source_.line("const int64_t i = element / " + columns + ", j = element % " + columns + ";");
}

void KernelWriter::write_row_pointers() {
    for (const Node& node : body_.nodes) {
        if (node.op != Op::input || !node.per_column) continue;
        const std::size_t index = static_cast<std::size_t>(node.index);
        write_row_pointer(definition_.inputs[index], inputs_[index]);
    }
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
        if (has_columns(body_, definition_.outputs[i])) write_row_pointer(definition_.outputs[i], outputs_[i]);
    }
}

void KernelWriter::write_row_pointer(const Tensor& tensor, TensorNames& names) {
    const std::string row = row_of(tensor);
    names.row = names.pointer;
    if (row == "0") return;
    names.row = names_.take(tensor.name + "_row");
    if (rows_in_lanes_)
        return source_.line("const auto " + names.row + " = kg::row(" + names.pointer + ", i, " + column_count() +
                            ");");
    source_.line(names.type + "* const " + names.row + " = " + names.pointer + " + " + as_factor(row) + " * " +
                 column_count() + ";");
}

/// A thread's buffers for what a pass keeps for a later one.
void KernelWriter::write_buffers() {
    for (const Pass& pass : schedule_.passes) {
        for (const int node : pass.kept) {
            std::string& buffer = buffers_[static_cast<std::size_t>(node)];
            const auto slot = std::ranges::count_if(buffers_, [](const std::string& each) { return !each.empty(); });
            buffer = names_.take(wish(node, "_row"));
            source_.line("const auto " + buffer + " = kg::row_buffer<T, " + std::to_string(slot) + ">(" +
                         column_count() + ");  // kept for a later pass");
        }
    }
}

void KernelWriter::write_pass(const Pass& pass) {
    write_accumulators(pass);
    open_columns();
    write_columns(pass);
    write_sinks(pass);
    close_columns(pass);
    write_row_values(pass.row_values);
}

void KernelWriter::write_accumulators(const Pass& pass) {
    for (const int node : pass.reductions) {
        std::string& parts = parts_[static_cast<std::size_t>(node)];
        parts = names_.take(wish(node, host() ? "_parts" : "_so_far"));
        const Op op = at(node).op;
        const bool is_extreme = op == Op::row_max || op == Op::row_min;
        if (host()) {
            source_.line(std::string("kg::") +
                         (op == Op::row_max   ? "RowMax"
                          : op == Op::row_min ? "RowMin"
                                              : "RowSum") +
                         "<T, UNROLL> " + parts + ";");
        } else if (is_extreme) {
            source_.line("T " + parts + " = " + (op == Op::row_max ? "-" : "") + "kg::infinity<T>;");
        } else {
            source_.line((cuda() ? "T " : "double ") + parts + " = 0;");
        }
    }
}

void KernelWriter::open_columns() {
    const std::string columns = column_count();
    if (cuda() && column_tiles_) return;
    if (cuda()) source_.open("for (int64_t j = threadIdx.x; j < " + columns + "; j += blockDim.x) {");
    else if (!host()) source_.open("for (int64_t j = 0; j < " + columns + "; ++j) {");
    else if (rows_in_lanes_ && column_tiles_) source_.open("kg::for_columns<T, UNROLL>(i, columns, [&](auto j) {");
    else if (column_tiles_) source_.open("kg::for_columns<T, UNROLL>(columns.first, columns.last, [&](auto j) {");
    else source_.open("kg::for_row<T, BLOCK_N, UNROLL>(i, " + columns + ", [&](auto j) {");
}

void KernelWriter::close_columns(const Pass& pass) {
    if (cuda() && column_tiles_) return;
    if (!host()) return source_.close("}");
    std::string line = "}";
    if (!column_tiles_) {
        for (const int node : pass.reductions) line += ", " + parts_[static_cast<std::size_t>(node)];
    }
    source_.close(line + ");");
}

void KernelWriter::write_columns(const Pass& pass) {
    write_prefetches(pass);
    for (int node = 0; node < static_cast<int>(body_.nodes.size()); ++node) {
        const bool recalled = std::ranges::find(pass.recalled, node) != pass.recalled.end();
        const bool computed = std::ranges::find(pass.columns, node) != pass.columns.end();
        if (!recalled && !computed) continue;
        if (at(node).op == Op::input) {
            write_input(node);
            continue;
        }
        const std::string& buffer = buffers_[static_cast<std::size_t>(node)];
        if (!recalled && buffer.empty() && !must_be_named(node)) {
            expressions_.forget(node);
            continue;
        }
        const std::string name =
            expressions_.has_name(node) ? expressions_.name_of_node(node) : names_.take(wish(node, ""));
        const std::string type = host() ? "const auto " : expressions_.is_condition(node) ? "const bool " : "const T ";
        source_.line(type + name + " = " + (recalled ? "kg::load(" + buffer + ", j)" : expressions_.definition(node)) +
                     ";");
        expressions_.name(node, name, expressions_.is_condition(node));
        if (std::ranges::find(pass.kept, node) != pass.kept.end())
            source_.line("kg::store(" + buffer + ", j, " + name + ");");
    }
}

void KernelWriter::write_input(int node) {
    const std::size_t index = static_cast<std::size_t>(at(node).index);
    const std::string name = expressions_.has_name(node) ? expressions_.name_of_node(node)
                                                         : names_.take(definition_.inputs[index].name + "_j");
    if (host()) source_.line("const auto " + name + " = kg::load(" + inputs_[index].row + ", j);");
    else source_.line("const T " + name + " = kg::load_one<T>(" + inputs_[index].row + " + j);");
    expressions_.name(node, name);
}

/// Writes prefetches. Within a tile they ask for memory some lines ahead. Where rows are walked several times, the
/// second pass asks for the next row: the row that it reads itself is in the caches by then.
void KernelWriter::write_prefetches(const Pass& pass) {
    const std::size_t asking = std::min<std::size_t>(1, schedule_.passes.size() - 1);
    if (!host() || &pass != &schedule_.passes[asking]) return;
    for (const Node& node : body_.nodes) {
        if (node.op != Op::input || !node.per_column || (!node.per_row && body_.space.size() > 1)) continue;
        const TensorNames& input = inputs_[static_cast<std::size_t>(node.index)];
        const Tensor& tensor = definition_.inputs[static_cast<std::size_t>(node.index)];
        if (!column_tiles_ && row_of(tensor) != "i") continue;
        prefetches_ = true;
        source_.line(column_tiles_ ? "kg::prefetch<PREFETCH>(" + input.row + ", j);"
                                   : "kg::prefetch_row<PREFETCH>(" + input.row + ", " + column_count() + ", j);");
    }
}

void KernelWriter::write_sinks(const Pass& pass) {
    for (const int node : pass.reductions) {
        const std::string& parts = parts_[static_cast<std::size_t>(node)];
        const std::string value = expressions_.number(at(node).operands[0]);
        const Op op = at(node).op;
        if (host()) source_.line(parts + ".take(j, " + value + ");");
        else if (op == Op::row_max) source_.line(parts + " = kg::maximum(" + parts + ", " + value + ");");
        else if (op == Op::row_min) source_.line(parts + " = kg::minimum(" + parts + ", " + value + ");");
        else source_.line(parts + " += " + value + ";");
    }
    for (const int output : pass.outputs) write_store(output);
}

void KernelWriter::write_store(int output) {
    const TensorNames& names = outputs_[static_cast<std::size_t>(output)];
    const int node = body_.outputs[static_cast<std::size_t>(output)];
    std::string value = expressions_.number(node);
    if (value.size() > 90 && at(node).per_column) {
        const std::string name = names_.take(names.pointer + "_j");
        source_.line((host() ? "const auto " : "const T ") + name + " = " + value + ";");
        value = name;
    }
    if (host()) source_.line("kg::store<STREAM>(" + names.row + ", j, " + value + ");");
    else source_.line(names.row + "[j] = kg::to_storage<" + names.type + ">(" + value + ");");
}

void KernelWriter::write_row_outputs() {
    const std::string i = body_.space.size() > 1 ? "i" : "0";
    for (const int output : schedule_.row_outputs) {
        const TensorNames& names = outputs_[static_cast<std::size_t>(output)];
        const std::string value = expressions_.number(body_.outputs[static_cast<std::size_t>(output)]);
        if (host()) {
            source_.line("kg::store_value(" + names.pointer + ", i, " + value + ");");
            continue;
        }
        source_.line((cuda() ? "if (threadIdx.x == 0) " : "") + names.pointer + "[" + i + "] = kg::to_storage<" +
                     names.type + ">(" + value + ");");
    }
}

void KernelWriter::write_row_values(const std::vector<int>& nodes) {
    for (const int node : nodes) {
        const Node& value = at(node);
        if (is_reduction(value.op)) {
            write_reduction(node);
        } else if (value.op == Op::input) {
            const std::size_t index = static_cast<std::size_t>(value.index);
            const std::string row = row_of(definition_.inputs[index]);
            const std::string name = names_.take(definition_.inputs[index].name + (value.per_row ? "_i" : "_value"));
            if (rows_in_lanes_ && value.per_row) {
                source_.line("const auto " + name + " = kg::load_value<T>(" + inputs_[index].pointer + ", i);");
            } else {
                const std::string place = row == "0" ? inputs_[index].pointer : inputs_[index].pointer + " + " + row;
                source_.line("const T " + name + " = kg::load_one<T>(" + place + ");");
            }
            expressions_.name(node, name);
        } else if (must_be_named(node)) {
            write_value(node, rows_in_lanes_ && value.per_row);
        }
        if (host()) write_divisor(node, true);
    }
}

void KernelWriter::write_reduction(int node) {
    const std::string& parts = parts_[static_cast<std::size_t>(node)];
    const std::string name = names_.take(wish(node, ""));
    const Op op = at(node).op;
    std::string value = host() ? parts + ".result(i)" : parts;
    if (cuda()) {
        const std::string_view operation = op == Op::row_max ? "max" : op == Op::row_min ? "min" : "sum";
        value = "kg::block_" + std::string(operation) + "(" + parts + ")";
    }
    const bool in_double = !host() && !cuda() && (op == Op::row_mean || op == Op::row_sum);
    if (op == Op::row_mean) value += (in_double ? " / double(" : " / T(") + column_count() + ")";
    source_.line((rows_in_lanes_ ? "const auto " : "const T ") + name + " = " +
                 (in_double ? "T(" + value + ")" : value) + ";");
    expressions_.name(node, name);
}

}  // namespace kernelgen
