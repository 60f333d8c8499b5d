// SPDX-License-Identifier: Apache-2.0
#include "core/generate/cuda_row_writer.h"

#include <algorithm>

#include "core/base/text.h"

namespace kernelgen {

CudaRowWriter::CudaRowWriter(const Operator& definition, const Body& lowered)
    : CudaText(definition, lowered),
      schedule_(schedule(definition, lowered, true)),
      arrays_(lowered.nodes.size()),
      column_names_(lowered.nodes.size()) {}

std::string CudaRowWriter::write() {
    write_cuda_head(
        "A block computes BLOCK_M whole rows; the blocks of a cluster share those that are too long for one.");
    source_.line(
        "using Rows = kg::Rows<T, BLOCK_M, BLOCK_N, num_warps, num_stages, CLUSTER, HOLD, (PERSISTENT > 0), VEC, "
        "LOAD_CACHE, "
        "STORE_CACHE>;");
    source_.line();
    open_kernel("__launch_bounds__(32 * num_warps) KG_CLUSTER(CLUSTER) ");
    write_row_values(schedule_.kernel_values);
    write_constant_divisors();
    write_lists();
    source_.line("const int64_t i = row.index();");
    write_row_values(schedule_.row_values);
    for (const Pass& pass : schedule_.passes) write_pass(pass);
    write_row_outputs();
    source_.close("});");
    source_.close("}");
    return source_.text();
}

std::string CudaRowWriter::row_pointer(const Tensor& tensor, const std::string& pointer) const {
    const std::string row = row_of(tensor);
    if (row == "0") return pointer;
    return pointer + " + " + as_factor(row) + " * " + column_count();
}

bool CudaRowWriter::is_same_for_all_rows(int node) const { return !at(node).per_row && body_.space.size() > 1; }

/// Writes the arguments of `Rows::for_each`, and the head of the lambda that it calls.
void CudaRowWriter::write_lists() {
    std::vector<std::string> rows, same, outputs, row_arrays, same_arrays;
    for (const int node : input_nodes(body_)) {
        if (!at(node).per_column) continue;
        const std::size_t index = static_cast<std::size_t>(at(node).index);
        std::string& array = arrays_[static_cast<std::size_t>(node)];
        array = names_.take(definition_.inputs[index].name + "_row");
        column_names_[static_cast<std::size_t>(node)] = names_.take(definition_.inputs[index].name + "_j");
        const bool is_same = is_same_for_all_rows(node);
        (is_same ? same : rows).push_back(row_pointer(definition_.inputs[index], inputs_[index].pointer));
        (is_same ? same_arrays : row_arrays).push_back("const auto& " + array);
    }
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
        if (has_columns(body_, definition_.outputs[i])) outputs.push_back(outputs_[i].pointer);
    }
    source_.line("const auto rows = [&](int64_t i) { return kg::list(" + join(rows, ", ") + "); };");
    source_.line("const auto same = kg::list(" + join(same, ", ") + ");");
    source_.line("const auto outputs = kg::list(" + join(outputs, ", ") + ");");
    row_arrays.insert(row_arrays.begin(), "auto& row");
    row_arrays.insert(row_arrays.end(), same_arrays.begin(), same_arrays.end());
    source_.line("Rows::for_each(" + row_count() + ", " + column_count() + ", rows, same, outputs,");
    source_.open("               [&](" + join(row_arrays, ", ") + ") {");
}

void CudaRowWriter::write_pass(const Pass& pass) {
    write_kept(pass);
    for (const int node : pass.row_values) {
        if (is_reduction(at(node).op)) write_reduction(node);
    }
    write_row_values(pass.row_values);
    for (const int output : pass.outputs) {
        const std::size_t index = static_cast<std::size_t>(output);
        write_columns("row.store(" + row_pointer(definition_.outputs[index], outputs_[index].pointer) + ", ",
                      body_.outputs[index], false, ");");
    }
}

void CudaRowWriter::write_kept(const Pass& pass) {
    for (const int node : pass.kept) {
        const std::string array = names_.take(wish(node, "_row"));
        write_columns("const auto " + array + " = row.keep(", node, true, ");");
        arrays_[static_cast<std::size_t>(node)] = array;
    }
}

/// Whether the body's reductions are a maximum and, after it, the sum of exp(… − that maximum), as in softmax.
bool CudaRowWriter::sums_exponentials() const {
    std::vector<int> reductions;
    for (const Pass& pass : schedule_.passes)
        reductions.insert(reductions.end(), pass.reductions.begin(), pass.reductions.end());
    if (reductions.size() != 2 || at(reductions[0]).op != Op::row_max || at(reductions[1]).op != Op::row_sum)
        return false;
    const Node& exponential = at(at(reductions[1]).operands[0]);
    if (exponential.op != Op::exp || at(exponential.operands[0]).op != Op::subtract) return false;
    const Node& difference = at(exponential.operands[0]);
    return difference.operands[0] == at(reductions[0]).operands[0] && difference.operands[1] == reductions[0];
}

void CudaRowWriter::write_reduction(int node) {
    const Op op = at(node).op;
    const bool online = sums_exponentials();
    const std::string function = op == Op::row_max   ? (online ? "max_before_exp" : "max")
                                 : op == Op::row_min ? "min"
                                                     : "sum";
    const std::string name = names_.take(wish(node, ""));
    if (online && op == Op::row_sum) {
        source_.line("const T " + name + " = row.sum_of_exp();");
    } else {
        write_columns("const T " + name + " = row." + function + "(", at(node).operands[0], false,
                      op == Op::row_mean ? ") / T(" + column_count() + ");" : ");");
    }
    expressions_.name(node, name);
}

void CudaRowWriter::write_row_values(const std::vector<int>& nodes) {
    for (const int node : nodes) {
        const Node& value = at(node);
        if (value.op == Op::input) {
            const std::size_t index = static_cast<std::size_t>(value.index);
            const std::string name = names_.take(definition_.inputs[index].name + (value.per_row ? "_i" : "_value"));
            const std::string place =
                inputs_[index].pointer + (value.per_row ? " + " + row_of(definition_.inputs[index]) : "");
            source_.line("const T " + name + " = " + (value.per_row ? "row.load_value(" : "kg::load_one<T>(") + place +
                         ");");
            expressions_.name(node, name);
        } else if (!is_reduction(value.op) && must_be_named(node)) {
            write_value(node);
        }
        write_divisor(node);
    }
}

void CudaRowWriter::write_row_outputs() {
    for (const int output : schedule_.row_outputs) {
        const std::size_t index = static_cast<std::size_t>(output);
        source_.line("row.store_value(" + outputs_[index].pointer + " + i, " +
                     expressions_.number(body_.outputs[index]) + ");");
    }
}

/// Collects the values that must be computed of a column for `node`, in order, and the arrays that they start from.
void CudaRowWriter::gather(int node, bool itself, std::vector<int>& values, std::vector<int>& arrays) const {
    if (!at(node).per_column) return;
    if (!itself && !arrays_[static_cast<std::size_t>(node)].empty()) {
        if (std::ranges::find(arrays, node) == arrays.end()) arrays.push_back(node);
        return;
    }
    if (std::ranges::find(values, node) != values.end()) return;
    for (const int operand : at(node).operands) gather(operand, false, values, arrays);
    values.push_back(node);
}

void CudaRowWriter::write_columns(const std::string& before, int node, bool itself, const std::string& after) {
    std::vector<int> values, arrays;
    gather(node, itself, values, arrays);
    std::string parameters, arguments;
    for (const int each : arrays) {
        std::string& name = column_names_[static_cast<std::size_t>(each)];
        if (name.empty()) name = names_.take(wish(each, ""));
        parameters += (parameters.empty() ? "T " : ", T ") + name;
        arguments += ", " + arrays_[static_cast<std::size_t>(each)];
        expressions_.name(each, name);
    }
    std::vector<std::string> statements;
    for (const int each : values) {
        expressions_.forget(each);
        if (each == node || !must_be_named(each)) continue;
        std::string& name = column_names_[static_cast<std::size_t>(each)];
        if (name.empty()) name = names_.take(wish(each, ""));
        const bool is_mask = expressions_.is_condition(each);
        statements.push_back((is_mask ? "const bool " : "const T ") + name + " = " + expressions_.definition(each) +
                             ";");
        expressions_.name(each, name, is_mask);
    }
    const std::string head = before + "[&](" + parameters + ") {", result = "return " + expressions_.number(node) + ";";
    if (statements.empty() && head.size() + result.size() + arguments.size() + after.size() < 100) {
        source_.line(head + " " + result + " }" + arguments + after);
        return;
    }
    source_.open(head);
    for (const std::string& each : statements) source_.line(each);
    source_.line(result);
    source_.close("}" + arguments + after);
}

}  // namespace kernelgen
