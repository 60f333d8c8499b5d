// SPDX-License-Identifier: Apache-2.0
#include "core/generate/triton_writer.h"

#include <algorithm>

#include "core/generate/body_text.h"
#include "core/generate/kernel_writer.h"
#include "core/generate/nan_flow.h"
#include "core/generate/row_index.h"

namespace kernelgen {

namespace {

/// As `fills_space`; a scalar fills a space of one element.
bool has_all(const Body& body, const Tensor& tensor) {
    return tensor.shape.empty() ? body.space == std::vector<std::string>{"1"} : fills_space(body, tensor);
}

bool is_flat(const Operator& definition, const Body& body) {
    return std::ranges::all_of(definition.outputs, [&](const Tensor& each) { return has_all(body, each); }) &&
           std::ranges::all_of(body.nodes, [&](const Node& node) {
               return node.op != Op::input || (!node.per_row && !node.per_column) ||
                      has_all(body, definition.inputs[static_cast<std::size_t>(node.index)]);
           });
}

bool is_extreme(Op op) { return op == Op::row_max || op == Op::row_min; }

}  // namespace

TritonForm triton_form(const Operator& definition, const Body& lowered) {
    if (convolution_of(lowered) && !is_matrix_view(lowered)) return TritonForm::tiles;
    if (lowered.contraction) return TritonForm::contraction;
    if (lowered.attention) return TritonForm::attention;
    if (!has_column_tiles(definition, lowered)) return TritonForm::rows;
    return is_flat(definition, lowered) ? TritonForm::flat : TritonForm::tiles;
}

bool is_whole_load(const Node& node, TritonForm form) {
    return node.op == Op::input && node.per_column && form != TritonForm::contraction &&
           (form == TritonForm::flat || node.per_row);
}

TritonWriter::TritonWriter(const Operator& definition, const Body& lowered, std::vector<Tunable> defaults,
                           std::vector<ConfigurationRule> rules, std::vector<StatedRule> dispatch,
                           std::vector<NamedSize> sizes)
    : definition_(definition),
      body_(lowered),
      form_(triton_form(definition, lowered)),
      tunables_(std::move(defaults)),
      rules_(std::move(rules)),
      dispatch_(std::move(dispatch)),
      schedule_(schedule(definition, lowered, false)),
      interface_(definition),
      expression_(lowered, PythonDialect::triton),
      names_(python_names()),
      sizes_(std::move(sizes)),
      values_(lowered.nodes.size()) {
    name_values();
}

void TritonWriter::name_values() {
    names_.take(interface_.function);
    names_.take(kernel_name());
    for (const std::string& each : interface_.inputs) input_pointers_.push_back(names_.take(each + "_ptr"));
    for (const std::string& each : interface_.outputs) output_pointers_.push_back(names_.take(each + "_ptr"));
    for (const std::string& each : interface_.symbols) names_.take(each);
    for (const std::string& each : interface_.attributes) names_.take(each);
    for (NamedSize& each : sizes_) each.wish = names_.take(interface_.names.take(each.wish));
    expression_.symbols = interface_.symbols;
    expression_.attributes = interface_.attributes;
    if (form_ == TritonForm::contraction) {
        parts_ = interface_.names.take("parts");
        step_ = interface_.names.take("step");
    }
    row_count_ = row_product();
    const auto is_factor = [](const std::string& dimension) { return dimension != "1"; };
    const bool is_product = std::count_if(body_.space.begin(), body_.space.end() - 1, is_factor) > 1;
    if (is_product) row_count_ = names_.take(interface_.names.take("row_count"));
    const std::vector<bool> is_named = named_values(body_);
    for (std::size_t i = 0; i < values_.size(); ++i) {
        const bool is_reduced = is_reduction(body_.nodes[i].op);
        if (is_reduced || is_read(body_.nodes[i].op) || is_named[i])
            values_[i] = names_.take(wish(static_cast<int>(i)));
    }
}

std::string TritonWriter::row_product() const {
    const auto dimension = [&](const std::string& name) { return this->dimension(name); };
    return product_text({body_.space.begin(), body_.space.end() - 1}, {.dimension = dimension});
}

std::string TritonWriter::dimension(const std::string& name) const {
    const auto size = std::ranges::find(sizes_, name, &NamedSize::text);
    return size == sizes_.end() ? interface_.dimension(name) : size->wish;
}

std::string TritonWriter::wish(int node) const {
    const Node& value = at(node);
    if (value.op == Op::input) return interface_.inputs[static_cast<std::size_t>(value.index)];
    return name_of_value(value);
}

/// Records that the kernel's lines name an integer.
std::string TritonWriter::use(const std::string& name) {
    if (name.starts_with('(')) return with_names(name, [&](const std::string& each) { return use(each); }, "//");
    used_.insert(name);
    return name;
}

/// The row of `tensor` that a row of the space reads or writes, in the kernel's words.
std::string TritonWriter::row_of(const Tensor& tensor) {
    const auto is_output = [&](const Tensor& each) { return &each == &tensor; };
    if (std::ranges::any_of(definition_.outputs, is_output) && !has_columns(body_, tensor))
        return has_rows() ? "rows" : "0";
    const auto dimension = [&](const std::string& name) { return use(this->dimension(name)); };
    return row_index_text(tensor.shape, body_.space, {"rows", " // ", dimension});
}

/// The offsets of a tensor's elements from its pointer; empty where only the first element is read.
std::string TritonWriter::place(const Tensor& tensor) {
    if (form_ == TritonForm::flat) return has_all(body_, tensor) ? "offsets" : "";
    const bool per_column = !tensor.shape.empty() && has_columns(body_, tensor);
    const std::string row = row_of(tensor);
    if (row == "0") return per_column ? "columns" : "";
    if (!per_column) return row;
    if (row == "rows") return offsets_are_named_ ? "offsets" : "rows * " + columns() + " + columns";
    return as_factor(row) + " * " + columns() + " + columns";
}

std::string TritonWriter::mask(const Tensor& tensor) {
    if (form_ == TritonForm::flat) return "mask";
    const bool per_column = !tensor.shape.empty() && has_columns(body_, tensor);
    if (row_of(tensor) == "0") return "column_mask";
    return per_column ? "mask" : "row_mask";
}

void TritonWriter::write_kernel() {
    source_.begin();
    source_.line(
        "\"\"\"" +
        std::string(
            form_ == TritonForm::contraction
                ? "A program computes a tile of BLOCK_M rows and BLOCK_N columns, BLOCK_K of the depth at a time."
            : form_ == TritonForm::attention && body_.attention->is_backward()
                ? "A program computes the gradients of BLOCK_M queries, or of BLOCK_N keys and values."
            : form_ == TritonForm::attention ? "A program computes BLOCK_M rows of a head, BLOCK_N columns at a time."
            : form_ == TritonForm::flat      ? "A program computes BLOCK_N elements."
            : form_ == TritonForm::tiles     ? "A program computes a tile of BLOCK_M rows and BLOCK_N columns."
            : has_rows()                     ? "A program computes BLOCK_M rows."
                                             : "The one program computes the row.") +
        "\"\"\"");
    if (form_ == TritonForm::contraction) write_contraction();
    else if (form_ == TritonForm::attention && body_.attention->is_backward()) write_attention_backward();
    else if (form_ == TritonForm::attention) write_attention();
    else if (form_ == TritonForm::flat) write_flat();
    else if (form_ == TritonForm::tiles) write_tile();
    else write_rows();
}

void TritonWriter::write_flat() {
    source_.line("offsets = tl.program_id(0).to(tl.int64) * BLOCK_N + tl.arange(0, BLOCK_N)");
    source_.line("mask = offsets < " + use("elements"));
    for (int node = 0; node < static_cast<int>(body_.nodes.size()); ++node) write_value(node);
    for (std::size_t i = 0; i < body_.outputs.size(); ++i) write_store(i);
}

void TritonWriter::write_tile() {
    source_.line("# The columns' axis is first, for programs that start together then read what lies together;");
    source_.line("# but no axis except the first may be longer than 65535.");
    source_.line("row_tile = tl.program_id(0 if ROWS_FIRST else 1).to(tl.int64)");
    source_.line("column_tile = tl.program_id(1 if ROWS_FIRST else 0).to(tl.int64)");
    write_rows_axis("row_tile");
    write_columns_axis("column_tile * BLOCK_N + tl.arange(0, BLOCK_N)[None, :]");
    for (int node = 0; node < static_cast<int>(body_.nodes.size()); ++node) write_value(node);
    for (std::size_t i = 0; i < body_.outputs.size(); ++i) write_store(i);
}

void TritonWriter::write_rows_axis(const std::string& program) {
    source_.line("rows = " + program + " * BLOCK_M + tl.arange(0, BLOCK_M)[:, None]");
    source_.line("row_mask = rows < " + use(row_count_));
}

void TritonWriter::write_columns_axis(const std::string& first) {
    source_.line("columns = " + first);
    source_.line("column_mask = columns < " + columns());
    if (!has_rows()) return;
    source_.line("mask = row_mask & column_mask");
    const auto uses_offsets = [&](const Tensor& each) { return row_product() != "1" && fills_space(body_, each); };
    const auto count = std::ranges::count_if(definition_.inputs, uses_offsets) +
                       std::ranges::count_if(definition_.outputs, uses_offsets);
    offsets_are_named_ = count > 1;
    if (offsets_are_named_) source_.line("offsets = rows * " + columns() + " + columns");
}

void TritonWriter::write_rows() {
    if (has_rows()) write_rows_axis("tl.program_id(0).to(tl.int64)");
    for (const int node : schedule_.kernel_values) write_value(node);
    for (const int node : schedule_.row_values) write_value(node);
    source_.open("if WHOLE_ROW:");
    source_.line("# The row fits a tile: it is read once.");
    write_whole_rows();
    source_.end();
    source_.open("else:");
    write_long_rows();
    source_.end();
}

void TritonWriter::write_whole_rows() {
    write_columns_axis("tl.arange(0, BLOCK_N)[None, :]");
    const auto is_before = [&](int node) {
        return std::ranges::contains(schedule_.kernel_values, node) ||
               std::ranges::contains(schedule_.row_values, node);
    };
    for (int node = 0; node < static_cast<int>(body_.nodes.size()); ++node) {
        if (!is_before(node)) write_value(node);
    }
    for (std::size_t i = 0; i < body_.outputs.size(); ++i) write_store(i);
}

void TritonWriter::write_long_rows() {
    for (const Pass& pass : schedule_.passes) {
        if (pass.reductions.empty() && pass.outputs.empty()) {
            for (const int node : pass.row_values) write_value(node);
        } else {
            write_pass(pass);
        }
    }
    for (const int output : schedule_.row_outputs) write_store(static_cast<std::size_t>(output));
}

void TritonWriter::write_pass(const Pass& pass) {
    const std::string tile = has_rows() ? "(BLOCK_M, BLOCK_N)" : "(1, BLOCK_N)";
    std::vector<std::string> parts;
    for (const int node : pass.reductions) {
        parts.push_back(values_[static_cast<std::size_t>(node)] + "_parts");
        const Op op = at(node).op;
        const std::string start = op == Op::row_max ? "float(\"-inf\")" : op == Op::row_min ? "float(\"inf\")" : "0.0";
        source_.line(parts.back() + " = tl.full(" + tile + ", " + start + ", T)");
    }
    source_.open("for start in range(0, " + columns() + ", BLOCK_N):");
    write_columns_axis("start + tl.arange(0, BLOCK_N)[None, :]");
    for (const int node : pass.columns) write_value(node);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const int node = pass.reductions[i];
        const Op op = at(node).op;
        const std::string values = without_padding(node);
        if (!is_extreme(op)) {
            source_.line(parts[i] + " += " + values);
        } else if (may_skip_nan(body_, node)) {
            source_.line(parts[i] + " = tl." + (op == Op::row_max ? "maximum(" : "minimum(") + parts[i] + ", " +
                         values + ")");
        } else {
            source_.line(
                parts[i] + " = " +
                expression_.function(op == Op::row_max ? "nan_maximum" : "nan_minimum", parts[i] + ", " + values));
        }
    }
    for (const int output : pass.outputs) write_store(static_cast<std::size_t>(output));
    source_.end();
    for (const int node : pass.row_values) {
        const auto found = std::ranges::find(pass.reductions, node);
        if (found == pass.reductions.end()) {
            write_value(node);
            continue;
        }
        const std::string& part = parts[static_cast<std::size_t>(found - pass.reductions.begin())];
        source_.line(values_[static_cast<std::size_t>(node)] + " = " + reduced(node, part));
        expression_.name(node, values_[static_cast<std::size_t>(node)]);
    }
}

/// The operand of a reduction. Past the row's end it is replaced by the neutral value of the reduction.
std::string TritonWriter::without_padding(int node) const {
    const Op op = at(node).op;
    const std::string neutral = op == Op::row_max ? "float(\"-inf\")" : op == Op::row_min ? "float(\"inf\")" : "0.0";
    return "tl.where(column_mask, " + expression_.tensor(at(node).operands[0]) + ", " + neutral + ")";
}

std::string TritonWriter::reduced(int node, const std::string& values) {
    const Op op = at(node).op;
    if (is_extreme(op)) {
        const std::string name(op == Op::row_max ? "max" : "min");
        if (may_skip_nan(body_, node)) return "tl." + name + "(" + values + ", axis=1, keep_dims=True)";
        return expression_.function("nan_row_" + name, values);
    }
    const std::string sum = "tl.sum(" + values + ", axis=1, keep_dims=True)";
    return op == Op::row_mean ? expression_.function("quotient", sum + ", " + columns()) : sum;
}

/// The line that computes a node, where it has one.
void TritonWriter::write_value(int node) {
    const Op op = at(node).op;
    if (op == Op::input) return write_load(node);
    if (op == Op::contraction) return form_ == TritonForm::tiles ? write_windows(node) : write_product();
    if (is_leaf(op)) return;
    std::string& name = values_[static_cast<std::size_t>(node)];
    const std::string text = is_reduction(op) ? reduced(node, without_padding(node)) : expression_.definition(node);
    if (name.empty() && text.size() > longest_python_expression) name = names_.take(wish(node));
    if (name.empty()) return;
    source_.line(name + " = " + text);
    expression_.name(node, name);
}

void TritonWriter::write_load(int node) {
    const std::size_t index = static_cast<std::size_t>(at(node).index);
    Tensor tensor = definition_.inputs[index];
    tensor.shape = at(node).shape;  // in the space's axes
    const std::string& name = values_[static_cast<std::size_t>(node)];
    const std::string at_place = place(tensor), pointer = input_pointers_[index];
    const std::string other = form_ == TritonForm::rows ? ", other=0.0" : "";
    const bool has_policy = !at_place.empty() && is_whole_load(at(node), form_);
    uses_policy_ |= has_policy;
    const std::string policy = has_policy ? ", eviction_policy=POLICY" : "";
    source_.line(name + " = tl.load(" + pointer +
                 (at_place.empty() ? "" : " + " + at_place + ", mask=" + mask(tensor) + other + policy) + ").to(T)");
    expression_.name(node, name);
}

void TritonWriter::write_store(std::size_t output) {
    const Tensor whole{"", body_.space, definition_.outputs[output].dtype};
    const Tensor& tensor = sizes_.empty() ? definition_.outputs[output] : whole;
    const std::string at_place = place(tensor);
    std::string value = expression_.tensor(body_.outputs[output]);
    if (tensor.dtype && is_integer(*tensor.dtype))
        value = expression_.function(
            "to_integer", value + (*tensor.dtype == DType::i8 ? ", -128.0, 127.0" : ", -2147483648.0, 2147483647.0"));
    const bool is_one = at_place.empty();
    source_.line("tl.store(" + output_pointers_[output] + " + " + (is_one ? "tl.arange(0, 1)[None, :]" : at_place) +
                 ", " + value + (is_one ? "" : ", mask=" + mask(tensor)) + ")");
}

}  // namespace kernelgen
