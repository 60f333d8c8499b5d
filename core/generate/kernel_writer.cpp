// SPDX-License-Identifier: Apache-2.0
#include "core/generate/kernel_writer.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/generate/row_index.h"

namespace kernelgen {

namespace {

constexpr std::size_t longest_line = 112;

std::string cpp_type(std::optional<DType> dtype) {
    if (!dtype) return "DTYPE";
    switch (*dtype) {
        case DType::f64: return "double";
        case DType::f32: return "float";
        case DType::i32: return "int32_t";
        case DType::i8: return "int8_t";
        default: return "kg_" + std::string(to_string(*dtype));
    }
}

/// What a value that the body gives no name is called.
std::string name_of_unlabelled(Op op) {
    switch (op) {
        case Op::row_sum: return "sum";
        case Op::row_max: return "largest";
        case Op::row_min: return "smallest";
        case Op::row_mean: return "mean";
        case Op::multiply: return "product";
        case Op::subtract: return "difference";
        case Op::exp: return "e";
        case Op::rsqrt: return "inverse_root";
        default: return "t";
    }
}

bool is_leaf(Op op) { return op <= Op::symbol; }

}  // namespace

bool has_column_tiles(const Operator& definition, const Body& lowered) {
    return !lowered.has_reductions() &&
           std::ranges::all_of(definition.outputs, [&](const Tensor& output) { return has_columns(lowered, output); });
}

std::string entry_name(const Operator& definition) {
    // Of the C library, which `extern "C"` would collide with: those that an operator is likely to be called.
    static constexpr std::string_view in_c[] = {
        "abs", "ceil", "cos",  "div",   "erf",  "erfc",  "exp",       "exp2",   "expm1", "fabs", "floor",
        "fma", "fmax", "fmin", "gamma", "log",  "log10", "log1p",     "log2",   "main",  "pow",  "round",
        "sin", "sqrt", "tan",  "tanh",  "cosh", "sinh",  "remainder", "select", "index"};
    const std::string& name = definition.name;
    const bool is_free = Names().take(name) == name && std::ranges::find(in_c, name) == std::end(in_c);
    return is_free ? name : name + "_kernel";
}

KernelWriter::KernelWriter(const Operator& definition, const Body& lowered, KernelStyle style)
    : definition_(definition),
      body_(lowered),
      style_(style),
      entry_(entry_name(definition)),
      column_tiles_(has_column_tiles(definition, lowered)),
      schedule_(schedule(definition, lowered, style == KernelStyle::host)),
      expressions_(definition, lowered),
      parts_(lowered.nodes.size()),
      buffers_(lowered.nodes.size()),
      uses_(lowered.nodes.size(), 0) {
    for (const Node& node : body_.nodes) {
        for (const int operand : node.operands) ++uses_[static_cast<std::size_t>(operand)];
    }
    for (const int output : body_.outputs) ++uses_[static_cast<std::size_t>(output)];
}

std::string KernelWriter::write() {
    name_parameters();
    write_head();
    write_signature();
    write_row_values(schedule_.kernel_values);
    write_constant_divisors();
    write_buffers();
    open_rows();
    write_row_pointers();
    write_row_values(schedule_.row_values);
    for (const Pass& pass : schedule_.passes) write_pass(pass);
    write_row_outputs();
    if (host() && body_.space.size() > 1) source_.close("}");
    if (host()) source_.line("kg::end_of_stores<STREAM>();");
    source_.close("}");
    return source_.text();
}

std::string KernelWriter::dimension(const std::string& name) const {
    const auto found = std::ranges::find(definition_.symbols, name);
    return found == definition_.symbols.end() ? name
                                              : symbols_[static_cast<std::size_t>(found - definition_.symbols.begin())];
}

std::vector<std::string> KernelWriter::dimensions(const std::vector<std::string>& shape) const {
    std::vector<std::string> result;
    for (const std::string& each : shape) result.push_back(dimension(each));
    return result;
}

void KernelWriter::name_parameters() {
    names_.take(entry_);
    for (const Tensor& input : definition_.inputs)
        inputs_.push_back({names_.take(input.name), "const " + cpp_type(input.dtype), ""});
    for (const Tensor& output : definition_.outputs)
        outputs_.push_back({names_.take(output.name), cpp_type(output.dtype), ""});
    for (const std::string& symbol : definition_.symbols) symbols_.push_back(names_.take(symbol));
    for (const Attribute& attribute : definition_.attributes) attributes_.push_back(names_.take(attribute.name));
    expressions_.symbols = symbols_;
    expressions_.attributes = attributes_;
}

void KernelWriter::write_head() {
    source_.line("// SPDX-License-Identifier: Apache-2.0");
    std::string body = definition_.body;
    std::ranges::replace(body, '\n', ';');
    std::vector<std::string> statements = split(body, ';');
    std::erase_if(statements, [](const std::string& each) { return trim(each).empty(); });
    if (statements.size() > 1) source_.line("// " + definition_.name + ":");
    for (const std::string& each : statements) {
        source_.line((statements.size() > 1 ? "//     " : "// " + definition_.name + ": ") + std::string(trim(each)));
    }
    if (!host())
        source_.line("// One row a program, one element after the other: what is tuned must be faster than this.");
    else if (column_tiles_ && body_.space.size() > 1)
        source_.line("// A program computes a tile of BLOCK_M rows and BLOCK_N columns, vector by vector.");
    else if (column_tiles_) source_.line("// A program computes a tile of BLOCK_N elements, vector by vector.");
    else
        source_.line(
            "// A program computes BLOCK_M whole rows, a pass for each value of the row that the next one needs.");
    source_.line("#include \"kernelgen.h\"");
    source_.line();
    if (!definition_.arithmetic)
        source_.line("using T = kg::arithmetic<DTYPE>;  // float, or double where DTYPE is double or an integer");
    else source_.line("using T = kg::arithmetic<" + cpp_type(definition_.arithmetic) + ">;");
    source_.line();
}

void KernelWriter::write_signature() {
    std::vector<std::string> parameters;
    for (const TensorNames& each : inputs_) parameters.push_back(each.type + "* " + each.pointer);
    for (const TensorNames& each : outputs_) parameters.push_back(each.type + "* " + each.pointer);
    for (const std::string& each : symbols_) parameters.push_back("int64_t " + each);
    for (const std::string& each : attributes_) parameters.push_back("double " + each);
    const int axes = host() && column_tiles_ && body_.space.size() > 1 ? 2 : 1;
    for (int axis = 0; axis < 3; ++axis)
        parameters.push_back(axis < axes ? "int64_t pid" + std::to_string(axis) : "int64_t");
    // Inlining everything keeps vectors in registers.
    std::string line = std::string("extern \"C\" ") + (host() ? "[[gnu::flatten]] " : "") + "void " + entry_ + "(";
    const std::string indent(line.size(), ' ');
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const std::string part = parameters[i] + (i + 1 < parameters.size() ? "," : ") {");
        if (line.size() + part.size() > longest_line) {
            source_.line(line);
            line = indent + part;
        } else {
            line += (line.ends_with('(') ? "" : " ") + part;
        }
    }
    source_.open(line);
}

void KernelWriter::open_rows() {
    const std::vector<std::string> space = dimensions(body_.space);
    const std::string rows = product_text({space.begin(), space.end() - 1});
    if (!host()) {
        if (space.size() > 1) source_.line("const int64_t i = pid0;");
        return;
    }
    if (space.size() == 1) {
        if (column_tiles_) source_.line("const kg::Tile columns = kg::tile(pid0, BLOCK_N, " + space.back() + ");");
        return;
    }
    source_.line("const kg::Tile rows = kg::tile(pid0, BLOCK_M, " + rows + ");");
    if (column_tiles_) source_.line("const kg::Tile columns = kg::tile(pid1, BLOCK_N, " + space.back() + ");");
    source_.open("for (int64_t i = rows.first; i < rows.last; ++i) {");
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
    const std::string row = row_index_text(dimensions(tensor.shape), dimensions(body_.space));
    names.row = names.pointer;
    if (row == "0") return;
    names.row = names_.take(tensor.name + "_row");
    const std::string factor = row.find(' ') == std::string::npos ? row : "(" + row + ")";
    source_.line(names.type + "* const " + names.row + " = " + names.pointer + " + " + factor + " * " +
                 dimension(body_.space.back()) + ";");
}

/// A thread's buffers for what a pass keeps for a later one.
void KernelWriter::write_buffers() {
    for (const Pass& pass : schedule_.passes) {
        for (const int node : pass.kept) {
            std::string& buffer = buffers_[static_cast<std::size_t>(node)];
            const auto slot = std::ranges::count_if(buffers_, [](const std::string& each) { return !each.empty(); });
            buffer = names_.take(wish(node, "_row"));
            source_.line("T* const " + buffer + " = kg::row_buffer<T, " + std::to_string(slot) + ">(" +
                         dimension(body_.space.back()) + ");  // kept for a later pass");
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
            source_.line("double " + parts + " = 0;");
        }
    }
}

void KernelWriter::open_columns() {
    const std::string columns = dimension(body_.space.back());
    if (!host()) source_.open("for (int64_t j = 0; j < " + columns + "; ++j) {");
    else if (column_tiles_) source_.open("kg::for_columns<T, UNROLL>(columns.first, columns.last, [&](auto j) {");
    else source_.open("kg::for_row<T, BLOCK_N, UNROLL>(" + columns + ", [&](auto j) {");
}

void KernelWriter::close_columns(const Pass& pass) {
    if (!host()) return source_.close("}");
    std::string line = "}";
    if (!column_tiles_) {
        for (const int node : pass.reductions) line += ", " + parts_[static_cast<std::size_t>(node)];
    }
    source_.close(line + ");");
}

bool KernelWriter::must_be_named(int node) const {
    const Node& value = at(node);
    if (is_leaf(value.op)) return false;
    const int uses = uses_[static_cast<std::size_t>(node)];
    return uses > 1 || !buffers_[static_cast<std::size_t>(node)].empty() ||
           (!value.label.empty() && !is_output(node)) || is_for_columns(node);
}

bool KernelWriter::is_output(int node) const { return std::ranges::find(body_.outputs, node) != body_.outputs.end(); }

/// Whether a value without columns is used for every column.
bool KernelWriter::is_for_columns(int node) const {
    return !at(node).per_column && std::ranges::any_of(body_.nodes, [&](const Node& user) {
        return user.per_column && std::ranges::find(user.operands, node) != user.operands.end();
    });
}

std::string KernelWriter::wish(int node, const std::string& suffix) const {
    const Node& value = at(node);
    if (value.label.empty()) return name_of_unlabelled(value.op) + suffix;
    // An output's own name is that of its pointer.
    return value.label + (is_output(node) && suffix.empty() ? (value.per_column ? "_j" : "_i") : suffix);
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
        if (!recalled && !must_be_named(node)) {
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

/// Within a tile some lines ahead. Where rows are walked several times, the second pass asks for the next row: what it
/// reads itself is near by then.
void KernelWriter::write_prefetches(const Pass& pass) {
    const std::size_t asking = std::min<std::size_t>(1, schedule_.passes.size() - 1);
    if (!host() || &pass != &schedule_.passes[asking]) return;
    for (const Node& node : body_.nodes) {
        if (node.op != Op::input || !node.per_column || (!node.per_row && body_.space.size() > 1)) continue;
        const TensorNames& input = inputs_[static_cast<std::size_t>(node.index)];
        const Tensor& tensor = definition_.inputs[static_cast<std::size_t>(node.index)];
        if (column_tiles_) {
            source_.line("kg::prefetch<PREFETCH>(" + input.row + ", j);");
        } else if (row_index_text(dimensions(tensor.shape), dimensions(body_.space)) == "i") {
            source_.line("kg::prefetch_row<PREFETCH>(" + input.row + ", " + dimension(body_.space.back()) + ", j);");
        }
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
        source_.line(names.pointer + "[" + i + "] = kg::to_storage<" + names.type + ">(" + value + ");");
    }
}

void KernelWriter::write_row_values(const std::vector<int>& nodes) {
    for (const int node : nodes) {
        const Node& value = at(node);
        if (is_reduction(value.op)) {
            write_reduction(node);
        } else if (value.op == Op::input) {
            const std::size_t index = static_cast<std::size_t>(value.index);
            const std::string row =
                row_index_text(dimensions(definition_.inputs[index].shape), dimensions(body_.space));
            const std::string name = names_.take(definition_.inputs[index].name + (value.per_row ? "_i" : "_value"));
            const std::string place = row == "0" ? inputs_[index].pointer : inputs_[index].pointer + " + " + row;
            source_.line("const T " + name + " = kg::load_one<T>(" + place + ");");
            expressions_.name(node, name);
        } else if (must_be_named(node)) {
            const bool mask = expressions_.is_condition(node);
            const std::string name = names_.take(wish(node, ""));
            source_.line((mask ? "const bool " : "const T ") + name + " = " + expressions_.definition(node) + ";");
            expressions_.name(node, name, mask);
        }
        write_divisor(node);
    }
}

void KernelWriter::write_reduction(int node) {
    const std::string& parts = parts_[static_cast<std::size_t>(node)];
    const std::string name = names_.take(wish(node, ""));
    std::string value = host() ? parts + ".result()" : parts;
    const std::string columns = dimension(body_.space.back());
    if (at(node).op == Op::row_mean) value += host() ? " / T(" + columns + ")" : " / double(" + columns + ")";
    const bool is_double = !host() && (at(node).op == Op::row_mean || at(node).op == Op::row_sum);
    source_.line("const T " + name + " = " + (is_double ? "T(" + value + ")" : value) + ";");
    expressions_.name(node, name);
}

void KernelWriter::write_constant_divisors() {
    for (int node = 0; node < static_cast<int>(body_.nodes.size()); ++node) {
        if (is_leaf(at(node).op) && at(node).op != Op::input) write_divisor(node);
    }
}

void KernelWriter::write_divisor(int node) {
    const auto divides_columns = [&](const Node& each) {
        return each.op == Op::divide && each.operands[1] == node && at(each.operands[0]).per_column;
    };
    if (!host() || at(node).per_column || std::ranges::none_of(body_.nodes, divides_columns)) return;
    const std::string value = expressions_.number(node);
    const bool is_word = value.find_first_of("(. ") == std::string::npos;
    const std::string name = names_.take(is_word ? "by_" + value : "by_constant");
    source_.line("const kg::Divisor<T> " + name + "(" + value + ");");
    expressions_.name_divisor(node, name);
}

}  // namespace kernelgen
