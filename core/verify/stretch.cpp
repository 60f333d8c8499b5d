// SPDX-License-Identifier: Apache-2.0
#include "core/verify/stretch.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/lang/contraction.h"

namespace kernelgen {

std::vector<std::int64_t> element_counts(const std::vector<Tensor>& tensors, const Sizes& sizes) {
    std::vector<std::int64_t> counts;
    for (const Tensor& tensor : tensors) counts.push_back(element_count(tensor, sizes).value_or(0));
    return counts;
}

std::vector<std::int64_t> read_counts(const Operator& definition, const Body& body, const Sizes& sizes) {
    std::vector<Tensor> tensors = definition.inputs;
    std::ranges::copy(computed_results(body), std::back_inserter(tensors));
    return element_counts(tensors, sizes);
}

Stretches::Stretches(Space whole)
    : space(whole), per_row((whole.columns + Stretch::most_columns - 1) / Stretch::most_columns) {}

Stretch Stretches::operator[](std::int64_t number) const {
    const std::int64_t first = number % per_row * Stretch::most_columns;
    return {number / per_row, first, std::min(Stretch::most_columns, space.columns - first), number};
}

StretchEvaluator::StretchEvaluator(const Criteria& criteria)
    : criteria_(criteria),
      cache_(criteria.inputs, read_counts(criteria.definition, criteria.body, criteria.binding.sizes)),
      reference_(
          criteria.definition, criteria.body, criteria.binding.sizes,
          [this](int input, std::int64_t first, std::span<double> values) { cache_.read(input, first, values); }),
      expected_(criteria.definition.outputs.size()),
      own_(criteria.definition.outputs.size()),
      own_errors_(criteria.definition.outputs.size()) {
    if (criteria.own_inputs) {
        own_cache_.emplace(criteria.own_inputs,
                           read_counts(criteria.definition, criteria.body, criteria.binding.sizes));
    }
    make_own(f32_, f64_, Sums::with_rounding, 0);
    for (const Tensor& output : criteria.definition.outputs) {
        maps_.push_back(row_map(criteria.body, output, criteria.binding.sizes));
        dtypes_.push_back(dtype_of(output, criteria.binding));
    }
}

/// The arithmetic's evaluator; of f64 only where there are sums, since a sum alone costs what the reference's own sum
/// may not have cost.
void StretchEvaluator::make_own(std::optional<Evaluator<float>>& f32, std::optional<Evaluator<double>>& f64, Sums sums,
                                std::uint64_t roundings) {
    const auto read = [this](int input, std::int64_t first, auto values) {
        (own_cache_ ? *own_cache_ : cache_).read(input, first, values);
    };
    const Operator& definition = criteria_.definition;
    if (arithmetic_of(definition, criteria_.binding) != DType::f64) {
        f32.emplace(definition, criteria_.body, criteria_.binding.sizes, read, sums, roundings);
    } else if (criteria_.body.has_reductions() || !computed_results(criteria_.body).empty()) {
        f64.emplace(definition, criteria_.body, criteria_.binding.sizes, read, sums, roundings);
    }
}

template <class Visit>
void StretchEvaluator::for_each_block(const Visit& visit) const {
    constexpr std::int64_t block = Evaluator<double>::block_columns;
    for (std::int64_t first = stretch_.first; first < stretch_.first + stretch_.count; first += block)
        visit(first, std::min(block, stretch_.first + stretch_.count - first));
}

void StretchEvaluator::evaluate(const Stretch& stretch) {
    stretch_ = stretch;
    doubts_.clear();
    with_errors_.clear();
    is_evaluated_ = false;
    if (criteria_.known == nullptr) evaluate_both();
    for (std::size_t i = 0; i < own_errors_.size(); ++i) {
        own_errors_[i] = criteria_.known == nullptr
                             ? largest_error(i)
                             : criteria_.known->own_errors[i][static_cast<std::size_t>(stretch.number)];
    }
    if (criteria_.found != nullptr) keep_found();
}

void StretchEvaluator::evaluate_both() {
    if (is_evaluated_) return;
    is_evaluated_ = true;
    for (auto& values : expected_) values.clear();
    for (auto& values : own_) values.clear();
    for_each_block([&](std::int64_t first, std::int64_t count) {
        append(reference_, first, count, expected_);
        if (f32_) append(*f32_, first, count, own_);
        if (f64_) append(*f64_, first, count, own_);
    });
    round(own_);
}

void StretchEvaluator::keep_found() const {
    for (std::size_t i = 0; i < expected_.size(); ++i) {
        criteria_.found->own_errors[i][static_cast<std::size_t>(stretch_.number)] = own_errors_[i];
        if (expected_[i].empty()) continue;
        std::ranges::copy(expected_[i], criteria_.found->expected[i].get() + first_element(i));
    }
}

std::span<const double> StretchEvaluator::expected(std::size_t i) const {
    if (criteria_.known == nullptr) return expected_[i];
    const bool one_a_row = maps_[i].columns == 1;
    if ((one_a_row && stretch_.first > 0) || !maps_[i].has(stretch_.row)) return {};
    return {criteria_.known->expected[i].get() + first_element(i),
            static_cast<std::size_t>(one_a_row ? 1 : stretch_.count)};
}

void StretchEvaluator::doubt() {
    if (!doubts_.empty() || (!f32_ && !f64_)) return;
    evaluate_both();
    for (const std::uint64_t roundings : {1, 2, 3, 4}) {
        std::optional<Evaluator<float>> f32;
        std::optional<Evaluator<double>> f64;
        make_own(f32, f64, Sums::as_they_come, roundings);
        Values& values = doubts_.emplace_back(own_.size());
        for_each_block([&](std::int64_t first, std::int64_t count) {
            if (f32) append(*f32, first, count, values);
            if (f64) append(*f64, first, count, values);
        });
        round(values);
    }
    for (std::size_t i = 0; i < own_errors_.size(); ++i) own_errors_[i] = largest_error(i);
}

/// Rounds values to the outputs' dtypes.
void StretchEvaluator::round(Values& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        rounded_.resize(values[i].size() * size_of(dtypes_[i]));
        encode(dtypes_[i], values[i], rounded_.data());
        decode(dtypes_[i], rounded_.data(), std::span<double>(values[i]));
    }
}

template <class T>
void StretchEvaluator::append(Evaluator<T>& evaluator, std::int64_t first, std::int64_t count, Values& values) {
    evaluator.evaluate(stretch_.row, first, count);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const bool one_a_row = maps_[i].columns == 1;
        if ((one_a_row && first > 0) || !maps_[i].has(stretch_.row)) continue;
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

double StretchEvaluator::largest_error(std::size_t i) const {
    double largest = 0;
    for (std::size_t k = 0; k < own_[i].size(); ++k) {
        if (!std::isfinite(own_[i][k])) continue;  // rounded down, what overflows is a large number
        const auto take = [&](double value) {
            const double error = std::abs(value - expected_[i][k]);
            if (std::isfinite(error) && error > largest) largest = error;
        };
        take(own_[i][k]);
        for (const Values& values : doubts_) take(values[i][k]);
    }
    return largest;
}

bool StretchEvaluator::own_is_of_another_kind(std::size_t i, std::size_t element, double stored) {
    evaluate_both();
    if (own_[i].empty()) return false;
    const double own = own_[i][element];
    if (std::isfinite(own) != std::isfinite(stored) || std::isnan(own) != std::isnan(stored)) return true;
    if (std::isinf(own) && own != stored) return true;
    return std::ranges::any_of(doubts_, [&](const Values& values) {
        const double doubt = values[i][element];  // rounded down, an infinity is a large number
        return std::isnan(doubt) != std::isnan(stored) || (std::isinf(doubt) && std::isfinite(stored));
    });
}

void StretchEvaluator::evaluate_with_errors() {
    for (const double factor : {4.0, -4.0}) {
        const auto read = [&](int input, std::int64_t first, auto values) {
            std::vector<double> rounded(values.size());
            cache_.read(input, first, values);
            own_cache_->read(input, first, std::span(rounded));
            for (std::size_t k = 0; k < values.size(); ++k) {
                if (rounded[k] != values[k]) values[k] += factor * (rounded[k] - values[k]);
            }
        };
        Evaluator<double> in_f64(criteria_.definition, criteria_.body, criteria_.binding.sizes, read);
        Values& values = with_errors_.emplace_back(own_.size());
        for_each_block([&](std::int64_t first, std::int64_t count) { append(in_f64, first, count, values); });
        round(values);
    }
}

bool StretchEvaluator::contractions_decide_kind(std::size_t i, std::size_t element, double stored) {
    if (!own_cache_) return false;
    if (with_errors_.empty()) evaluate_with_errors();
    return std::ranges::any_of(with_errors_, [&](const Values& values) {
        const double other = values[i][element];
        return std::isfinite(other) != std::isfinite(stored) || std::isnan(other) != std::isnan(stored) ||
               (std::isinf(other) && other != stored);
    });
}

bool StretchEvaluator::may_overflow() {
    if (!criteria_.body.has_reductions()) return false;
    if (!probe_) probe_ = std::make_unique<OverflowProbe>(criteria_, cache_);
    return probe_->may_overflow(stretch_.row);
}

}  // namespace kernelgen
