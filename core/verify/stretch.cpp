// SPDX-License-Identifier: Apache-2.0
#include "core/verify/stretch.h"

#include <algorithm>
#include <cmath>

namespace kernelgen {

std::vector<std::int64_t> element_counts(const std::vector<Tensor>& tensors, const Sizes& sizes) {
    std::vector<std::int64_t> counts;
    for (const Tensor& tensor : tensors) counts.push_back(element_count(tensor, sizes).value_or(0));
    return counts;
}

Stretches::Stretches(Space whole)
    : space(whole), per_row((whole.columns + Stretch::most_columns - 1) / Stretch::most_columns) {}

Stretch Stretches::operator[](std::int64_t number) const {
    const std::int64_t first = number % per_row * Stretch::most_columns;
    return {number / per_row, first, std::min(Stretch::most_columns, space.columns - first)};
}

StretchEvaluator::StretchEvaluator(const Criteria& criteria)
    : criteria_(criteria),
      cache_(criteria.inputs, element_counts(criteria.definition.inputs, criteria.binding.sizes)),
      reference_(
          criteria.definition, criteria.body, criteria.binding.sizes,
          [this](int input, std::int64_t first, std::span<double> values) { cache_.read(input, first, values); }),
      expected_(criteria.definition.outputs.size()),
      own_(criteria.definition.outputs.size()) {
    if (arithmetic_of(criteria.definition, criteria.binding) == DType::f64) {
        // A sum alone costs what the reference's own sum may not have cost.
        if (criteria.body.has_reductions()) {
            f64_.emplace(
                criteria.definition, criteria.body, criteria.binding.sizes,
                [this](int input, std::int64_t first, std::span<double> values) { cache_.read(input, first, values); },
                Sums::with_rounding);
        }
    } else {
        if (criteria.own_inputs) {
            own_cache_.emplace(criteria.own_inputs, element_counts(criteria.definition.inputs, criteria.binding.sizes));
        }
        f32_.emplace(
            criteria.definition, criteria.body, criteria.binding.sizes,
            [this](int input, std::int64_t first, std::span<float> values) {
                (own_cache_ ? *own_cache_ : cache_).read(input, first, values);
            },
            Sums::with_rounding);
    }
    for (const Tensor& output : criteria.definition.outputs) {
        maps_.push_back(row_map(criteria.body, output, criteria.binding.sizes));
        dtypes_.push_back(dtype_of(output, criteria.binding));
    }
}

void StretchEvaluator::evaluate(const Stretch& stretch) {
    stretch_ = stretch;
    for (auto& values : expected_) values.clear();
    for (auto& values : own_) values.clear();
    constexpr std::int64_t block = Evaluator<double>::block_columns;
    for (std::int64_t first = stretch.first; first < stretch.first + stretch.count; first += block) {
        const std::int64_t count = std::min(block, stretch.first + stretch.count - first);
        append(reference_, first, count, expected_);
        if (f32_) append(*f32_, first, count, own_);
        if (f64_) append(*f64_, first, count, own_);
    }
    for (std::size_t i = 0; i < own_.size(); ++i) {
        rounded_.resize(own_[i].size() * size_of(dtypes_[i]));
        encode(dtypes_[i], own_[i], rounded_.data());
        decode(dtypes_[i], rounded_.data(), std::span<double>(own_[i]));
    }
}

template <class T>
void StretchEvaluator::append(Evaluator<T>& evaluator, std::int64_t first, std::int64_t count,
                              std::vector<std::vector<double>>& values) {
    evaluator.evaluate(stretch_.row, first, count);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const bool one_a_row = maps_[i].columns == 1;
        if (one_a_row && first > 0) continue;
        const std::span<const T> block = evaluator.output(i);
        if (block.size() == 1) {
            values[i].resize(values[i].size() + static_cast<std::size_t>(one_a_row ? 1 : count), block[0]);
        } else {
            values[i].insert(values[i].end(), block.begin(), block.end());
        }
    }
}

std::int64_t StretchEvaluator::first_element(std::size_t i) const {
    return maps_[i](stretch_.row) * maps_[i].columns + stretch_.first;
}

double StretchEvaluator::own_error(std::size_t i) const {
    double largest = 0;
    for (std::size_t k = 0; k < own_[i].size(); ++k) {
        const double error = std::abs(own_[i][k] - expected_[i][k]);
        if (std::isfinite(error) && error > largest) largest = error;
    }
    return largest;
}

bool StretchEvaluator::may_overflow() {
    if (!criteria_.body.has_reductions()) return false;
    if (!probe_) probe_ = std::make_unique<OverflowProbe>(criteria_, cache_);
    return probe_->may_overflow(stretch_.row);
}

}  // namespace kernelgen
