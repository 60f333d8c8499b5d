// SPDX-License-Identifier: Apache-2.0
#include "core/verify/overflow_probe.h"

#include <algorithm>
#include <cmath>

namespace kernelgen {
namespace {

/// Appends a node and returns its index.
int append(Body& body, Op op, std::vector<int> operands) {
    Node node;
    node.op = op;
    for (const int operand : operands) {
        const Node& from = body.nodes[static_cast<std::size_t>(operand)];
        node.per_row |= from.per_row;
        node.per_column |= from.per_column && !is_reduction(op);
        node.depth = std::max(node.depth, from.depth + (is_reduction(op) ? 1 : 0));
        node.shape = from.shape;
    }
    node.operands = std::move(operands);
    body.depth = std::max(body.depth, node.depth);
    body.nodes.push_back(std::move(node));
    return static_cast<int>(body.nodes.size()) - 1;
}

Body probing_body(Body body) {
    body.outputs.clear();
    const auto probe = [&body](int magnitude) {
        body.outputs.push_back(append(body, Op::row_sum, {magnitude}));
        body.outputs.push_back(append(body, Op::row_max, {magnitude}));
    };
    const std::size_t count = body.nodes.size();
    for (std::size_t i = 0; i < count; ++i) {
        const Op op = body.nodes[i].op;
        if (op != Op::row_sum && op != Op::row_mean && op != Op::row_var) continue;
        const int operand = body.nodes[i].operands[0];
        probe(append(body, Op::abs, {operand}));
        if (op == Op::row_var) probe(append(body, Op::multiply, {operand, operand}));
    }
    return body;
}

template <class T>
typename Evaluator<T>::Load load_from(InputCache& cache) {
    return [&cache](int input, std::int64_t first, std::span<T> values) { cache.read(input, first, values); };
}

}  // namespace

OverflowProbe::OverflowProbe(const Criteria& criteria, InputCache& cache)
    : body_(probing_body(criteria.body)),
      columns_(space_of(body_, criteria.binding.sizes)->columns),
      f64_(criteria.definition, body_, criteria.binding.sizes, load_from<double>(cache)) {
    if (arithmetic_of(criteria.definition, criteria.binding) != DType::f64) {
        f32_.emplace(criteria.definition, body_, criteria.binding.sizes, load_from<float>(cache));
    }
}

bool OverflowProbe::may_overflow(std::int64_t row) {
    if (row != row_) result_ = probe(row);
    row_ = row;
    return result_;
}

bool OverflowProbe::probe(std::int64_t row) {
    if (body_.outputs.empty()) return false;
    const std::int64_t count = std::min(columns_, Evaluator<double>::block_columns);
    f64_.evaluate(row, 0, count);
    if (f32_) f32_->evaluate(row, 0, count);
    for (std::size_t i = 0; i < body_.outputs.size(); i += 2) {
        const double sum = f64_.output(i)[0], largest = f64_.output(i + 1)[0];
        // In f32 the reference tells an overflow from infinite terms; in f64 the terms themselves do.
        const bool overflows = f32_ ? !std::isfinite(f32_->output(i)[0]) && std::isfinite(sum)
                                    : !std::isfinite(sum) && std::isfinite(largest);
        if (overflows) return true;
    }
    return false;
}

}  // namespace kernelgen
