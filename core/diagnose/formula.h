// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/lang/syntax.h"

namespace kernelgen {

/// An expression over named numbers, in the operator language's grammar with `min max abs sqrt`. A condition is 1 or 0.
/// An expression has no value where a number is unknown, or where it divides by zero; but `a or b` holds where one side
/// is known to hold, and `a and b` fails where one is known to fail.
class Formula {
public:
    /// The value of a name, or nothing.
    using Lookup = std::function<std::optional<double>(const std::string&)>;

    /// `place` begins every position in a message.
    static Validated<Formula> parse(std::string_view text, std::string_view place);

    std::optional<double> evaluate(const Lookup& known) const;
    std::vector<std::string> names() const;  ///< each once, in order of appearance
    const std::string& text() const { return text_; }

    /// Each comparison of a name with something: the name, and the value of the other side. These are the figures of a
    /// condition with their thresholds.
    struct Compared {
        std::string name;
        std::optional<double> limit;
    };
    std::vector<Compared> comparisons(const Lookup& known) const;

private:
    std::string text_;
    std::shared_ptr<const Expression> root_;
};

}  // namespace kernelgen
