// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <span>

#include "core/lang/contraction.h"
#include "core/lang/evaluator.h"
#include "core/verify/input_cache.h"

namespace kernelgen {

/// The values of an operand, evaluated in float64 or, where `is_rounded`, in float; then values that are infinite or 0
/// in the case's dtype, if it has at most 16 bits, are so: a kernel may round an operand to it.
class OperandReader {
public:
    OperandReader(const Operator& definition, const ContractionOperand& operand, const Case& binding,
                  const Elements& inputs, bool is_rounded)
        : cache_(inputs, element_counts(definition.inputs, binding.sizes)), dtype_(binding.dtype) {
        const auto load = [this](int input, std::int64_t first, auto values) { cache_.read(input, first, values); };
        if (is_rounded) f32_.emplace(definition, operand.values, binding.sizes, load);
        else f64_.emplace(definition, operand.values, binding.sizes, load);
    }

    /// Calls take(column, value) for all columns of a row of the operand's space.
    void read(std::int64_t row, std::int64_t columns, const auto& take) {
        if (f64_) return read(*f64_, row, columns, take);
        if (size_of(dtype_) > 2) return read(*f32_, row, columns, take);
        read(*f32_, row, columns, [&](std::int64_t column, double value) {
            const double rounded = round_to(dtype_, value);
            take(column, rounded == 0 || std::isinf(rounded) ? rounded : value);
        });
    }

private:
    template <class T>
    static void read(Evaluator<T>& evaluator, std::int64_t row, std::int64_t columns, const auto& take) {
        constexpr std::int64_t step = Evaluator<T>::block_columns;
        for (std::int64_t first = 0; first < columns; first += step) {
            const std::int64_t count = std::min(step, columns - first);
            evaluator.evaluate(row, first, count);
            const std::span<const T> values = evaluator.output(0);
            for (std::int64_t i = 0; i < count; ++i)
                take(first + i, static_cast<double>(values[values.size() == 1 ? 0 : static_cast<std::size_t>(i)]));
        }
    }

    InputCache cache_;
    std::optional<Evaluator<double>> f64_;
    std::optional<Evaluator<float>> f32_;
    DType dtype_;
};

}  // namespace kernelgen
