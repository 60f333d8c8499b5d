// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/lang/evaluator.h"
#include "tests/core_lang/definitions.h"

namespace kernelgen {

inline constexpr double inf = std::numeric_limits<double>::infinity();
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Evaluates the first output on the given inputs, row after row, a block at a time.
template <class T>
std::vector<T> evaluate(const Operator& definition, const Sizes& sizes, const std::vector<std::vector<double>>& inputs,
                        std::size_t output = 0) {
    const Validated<Body> body = analyse(definition);
    if (!body) throw std::invalid_argument(to_string(body.error()));
    const Space space = space_of(*body, sizes).value();
    Evaluator<T> evaluator(definition, *body, sizes, [&](int input, std::int64_t first, std::span<T> values) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] =
                static_cast<T>(inputs.at(static_cast<std::size_t>(input)).at(static_cast<std::size_t>(first) + i));
        }
    });
    std::vector<T> result;
    constexpr std::int64_t step = Evaluator<T>::block_columns;
    for (std::int64_t row = 0; row < space.rows; ++row) {
        for (std::int64_t first = 0; first < space.columns; first += step) {
            evaluator.evaluate(row, first, std::min(step, space.columns - first));
            const std::span<const T> values = evaluator.output(output);
            const bool again = values.size() == 1 && first > 0;  // a row's one value, once
            if (!again) result.insert(result.end(), values.begin(), values.end());
        }
    }
    return result;
}

/// A body over one row of x, and y where it names one.
template <class T = double>
std::vector<T> on_row(const std::string& body, const std::vector<double>& x, const std::vector<double>& y = {}) {
    const Operator definition = define(body, y.empty() ? "x:D" : "x:D y:D", "out:D");
    return evaluate<T>(definition, {{"D", static_cast<std::int64_t>(x.size())}}, {x, y});
}

}  // namespace kernelgen
