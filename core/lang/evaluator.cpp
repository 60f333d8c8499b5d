// SPDX-License-Identifier: Apache-2.0
#include "core/lang/evaluator.h"

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <limits>

#include "core/lang/contraction.h"
#include "core/lang/operation_value.h"

namespace kernelgen {
namespace {

/// A block's values, or one value for all columns.
template <class T>
struct Operand {
    const T* values;
    std::size_t step;
    T operator[](std::size_t i) const { return values[i * step]; }
};

template <class T>
void compute_values(Op op, Operand<T> x, Operand<T> y, Operand<T> z, std::span<T> results) {
    with_value_of<T>(op, [&](auto value) {
        for (std::size_t i = 0; i < results.size(); ++i) results[i] = value(x[i], y[i], z[i]);
    });
}

template <class T>
T pairwise_sum(std::span<const T> values) {
    if (values.size() <= 16) {
        T sum = 0;
        for (const T value : values) sum += value;
        return sum;
    }
    const std::size_t half = values.size() / 2;
    return pairwise_sum(values.first(half)) + pairwise_sum(values.subspan(half));
}

/// A running sum of blocks' sums that keeps what rounding loses (Neumaier 1974).
template <class T>
struct RunningSum {
    T sum = 0, lost = 0;
    double magnitude = 0;  ///< Σ|x|, where `sums` is with_rounding and there is more than one x

    void add(std::span<const T> values, Sums sums) {
        const T value = pairwise_sum(values);
        const T total = sum + value;
        if (std::isfinite(total)) {
            lost += std::abs(sum) >= std::abs(value) ? (sum - total) + value : (value - total) + sum;
        }
        sum = total;
        if (sums == Sums::as_they_come || values.size() == 1) return;
        for (const T x : values) magnitude += std::abs(static_cast<double>(x));
    }
    T value() const {
        const T total = sum + lost;
        if (magnitude == 0 || !std::isfinite(magnitude)) return total;
        return static_cast<T>(total + std::numeric_limits<T>::epsilon() / 2 * magnitude);
    }
};

bool is_sum(Op op) { return op == Op::row_sum || op == Op::row_mean || op == Op::row_var; }

/// The operands of `wanted` and theirs, down to reductions (which are known by then), in order of evaluation.
std::vector<int> needed_nodes(const Body& body, std::vector<int> wanted) {
    std::vector<char> needed(body.nodes.size(), 0);
    while (!wanted.empty()) {
        const int node = wanted.back();
        wanted.pop_back();
        if (needed[node] || is_reduction(body.nodes[node].op)) continue;
        needed[node] = 1;
        wanted.insert(wanted.end(), body.nodes[node].operands.begin(), body.nodes[node].operands.end());
    }
    std::vector<int> nodes;
    for (std::size_t i = 0; i < needed.size(); ++i) {
        if (needed[i]) nodes.push_back(static_cast<int>(i));
    }
    return nodes;
}

}  // namespace

template <class T>
Evaluator<T>::Evaluator(const Operator& definition, const Body& body, const Sizes& sizes, Load load, Sums sums,
                        std::uint64_t roundings)
    : definition_(definition),
      body_(body),
      load_(std::move(load)),
      sums_(sums),
      roundings_(roundings),
      columns_(space_of(body, sizes)->columns),
      loaded_(body.nodes.size()),
      values_(body.nodes.size()),
      valid_(body.nodes.size(), 0),
      means_(body.nodes.size(), 0),
      level_nodes_(static_cast<std::size_t>(body.depth) + 1),
      output_nodes_(needed_nodes(body, body.outputs)) {
    input_maps_.resize(definition.inputs.size() + computed_results(body).size());
    for (std::size_t i = 0; i < body.nodes.size(); ++i) {
        const Node& node = body.nodes[i];
        if (is_read(node.op)) input_maps_[node.index] = row_map(body, read_by(definition, body, node), sizes);
        values_[i].resize(node.per_column ? std::min(columns_, block_columns) : 1);
        if (node.op == Op::constant) values_[i][0] = static_cast<T>(node.value);
        if (node.op == Op::attribute) values_[i][0] = static_cast<T>(definition.attributes[node.index].value);
        if (node.op == Op::symbol) values_[i][0] = static_cast<T>(sizes.at(definition.symbols[node.index]));
    }
    for (int depth = 1; depth <= body.depth; ++depth) {
        std::vector<int> operands;
        for (const Node& node : body.nodes) {
            if (is_reduction(node.op) && node.depth == depth) operands.push_back(node.operands[0]);
        }
        level_nodes_[depth] = needed_nodes(body, operands);
    }
}

template <class T>
void Evaluator<T>::evaluate(std::int64_t row, std::int64_t first, std::int64_t count) {
    if (row != row_) {
        row_ = row;
        block_ = {};
        std::ranges::fill(valid_, 0);
        reduce_row();
    }
    enter({first, count});
    compute(output_nodes_);
    if (roundings_ != 0) std::fesetround(FE_TONEAREST);
}

/// The direction in which a node's operation is rounded.
template <class T>
void Evaluator<T>::round_for(int node) const {
    if (roundings_ == 0) return;
    const std::uint64_t mixed = (roundings_ * 64 + static_cast<std::uint64_t>(node) + 1) * 0x9e3779b97f4a7c15ull;
    const bool is_rounding = body_.nodes[static_cast<std::size_t>(node)].op == Op::round;  // to even, whatever the mode
    std::fesetround(is_rounding ? FE_TONEAREST : mixed >> 63 ? FE_UPWARD : FE_DOWNWARD);
}

template <class T>
std::span<const T> Evaluator<T>::output(std::size_t i) const {
    const int node = body_.outputs[i];
    return std::span(values_[node]).first(body_.nodes[node].per_column ? static_cast<std::size_t>(block_.count) : 1);
}

template <class T>
void Evaluator<T>::enter(Block block) {
    if (block.first == block_.first && block.count == block_.count) return;
    block_ = block;
    for (std::size_t i = 0; i < valid_.size(); ++i) {
        if (body_.nodes[i].per_column) valid_[i] = 0;
    }
}

template <class T>
void Evaluator<T>::reduce_row() {
    for (int depth = 1; depth <= body_.depth; ++depth) {
        reduce_level(depth, false);
        const bool has_variance = std::ranges::any_of(
            body_.nodes, [&](const Node& node) { return node.op == Op::row_var && node.depth == depth; });
        if (has_variance) reduce_level(depth, true);
    }
}

/// One pass over the row for the reductions of one depth; `deviations`: the second pass of variances.
template <class T>
void Evaluator<T>::reduce_level(int depth, bool deviations) {
    std::vector<RunningSum<T>> sums(body_.nodes.size());
    std::vector<T> squares;
    for (std::int64_t first = 0; first < columns_; first += block_columns) {
        enter({first, std::min(block_columns, columns_ - first)});
        compute(level_nodes_[depth]);
        for (std::size_t i = 0; i < body_.nodes.size(); ++i) {
            const Node& node = body_.nodes[i];
            if (!is_reduction(node.op) || node.depth != depth || (deviations && node.op != Op::row_var)) continue;
            const bool per_column = body_.nodes[node.operands[0]].per_column;
            if (!per_column && first > 0) continue;
            std::span<const T> operand = std::span(values_[node.operands[0]]);
            operand = operand.first(per_column ? static_cast<std::size_t>(block_.count) : 1);
            round_for(static_cast<int>(i));
            if (deviations) {
                squares.resize(operand.size());
                std::ranges::transform(operand, squares.begin(),
                                       [&](T x) { return (x - means_[i]) * (x - means_[i]); });
                sums[i].add(squares, sums_);
            } else if (is_sum(node.op)) {
                sums[i].add(operand, sums_);
            } else {
                T& extreme = values_[i][0];
                if (first == 0) extreme = operand[0];
                for (const T x : operand) extreme = node.op == Op::row_max ? larger(extreme, x) : smaller(extreme, x);
            }
        }
    }
    for (std::size_t i = 0; i < body_.nodes.size(); ++i) {
        const Node& node = body_.nodes[i];
        if (!is_sum(node.op) || node.depth != depth || (deviations && node.op != Op::row_var)) continue;
        round_for(static_cast<int>(i));
        const T count = body_.nodes[node.operands[0]].per_column ? static_cast<T>(columns_) : T(1);
        const T total = sums[i].value();
        if (node.op == Op::row_var && !deviations) means_[i] = total / count;
        values_[i][0] = node.op == Op::row_sum ? total : total / count;
        if (round_) round_(std::span(values_[i]).first(1));
    }
}

template <class T>
void Evaluator<T>::compute(const std::vector<int>& nodes) {
    for (const int node : nodes) {
        if (valid_[node]) continue;
        compute_node(node);
        valid_[node] = 1;
    }
}

template <class T>
void Evaluator<T>::load_input(int index) {
    const Node& node = body_.nodes[index];
    const RowMap& map = input_maps_[node.index];
    if (!map.has(row_)) return;  // nobody looks at its value
    const std::int64_t first = map(row_) * map.columns + (node.per_column ? block_.first : 0);
    const std::int64_t count = node.per_column ? block_.count : 1;
    // A row that repeats (a bias) is loaded once.
    Block& loaded = loaded_[index];
    if (first == loaded.first && count <= loaded.count) return;
    if (roundings_ != 0) std::fesetround(FE_TONEAREST);  // inputs are the same however the body is rounded
    load_(node.index, first, std::span(values_[index]).first(static_cast<std::size_t>(count)));
    loaded = {first, count};
}

template <class T>
void Evaluator<T>::compute_node(int index) {
    const Node& node = body_.nodes[index];
    if (node.op == Op::constant || node.op == Op::attribute || node.op == Op::symbol) return;
    if (is_read(node.op)) load_input(index);
    if (node.op == Op::input) return;
    const auto count = static_cast<std::size_t>(node.per_column ? block_.count : 1);
    const std::span<T> results = std::span(values_[index]).first(count);
    if (is_computed(node.op)) {
        loaded_[index] = {};  // it is rounded in place
        if (round_) round_(results);
        return;
    }
    round_for(index);
    const auto operand = [&](std::size_t i) {
        const int of = node.operands[std::min(i, node.operands.size() - 1)];  // one that is not there is ignored
        return Operand<T>{values_[of].data(), body_.nodes[of].per_column ? 1u : 0u};
    };
    compute_values(node.op, operand(0), operand(1), operand(2), results);
    if (round_) round_(results);
}

template class Evaluator<double>;
template class Evaluator<float>;

}  // namespace kernelgen
