// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/lang/operator.h"

namespace kernelgen {

/// An expression over symbols and tunables in exact 64-bit integers, with the operator language's grammar: launch
/// expressions, restrictions and constraints.
///
/// `/` and `//` are floor division; the result of `%` has the divisor's sign. The functions are `cdiv min max abs
/// pow2ceil`. Comparisons and `and or not` (also `&& || !`) give 0 or 1. Overflow and division by zero are errors.
class IntegerExpression {
public:
    /// `place` begins every position in a message ("grid[0]" gives "grid[0]:1:6: …").
    static Validated<IntegerExpression> parse(std::string_view text, std::string_view place);

    Result<std::int64_t> evaluate(const Sizes& values) const;
    std::vector<std::string> names() const;  ///< each once, in order of appearance
    const std::string& text() const { return text_; }

    /// The arithmetic in it: each operation or function whose value is a number and no condition, as a text, once; and
    /// the quotient where there is a remainder. `A * B % 4 == 0` has `((A * B) % 4)`, `((A * B) / 4)` and `(A * B)`.
    std::vector<std::string> parts() const;

    /// An error for each name that is not in `known`, with its position and a suggestion.
    Diagnostics check_names(const std::vector<std::string>& known) const;

private:
    struct Impl;
    std::string text_;
    std::shared_ptr<const Impl> impl_;
};

}  // namespace kernelgen
