// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/lang/integer_expression.h"
#include "core/project/variant.h"

namespace kernelgen {

/// A line of a variant's `let`: "tiles = cdiv(P, BLOCK_M)".
struct Let {
    std::string name;
    IntegerExpression expression;
};

/// Errors: no name, or no expression; positions begin with `place`, and count from the line's begin.
Validated<Let> parse_let(std::string_view line, std::string_view place);

/// In expressions, the bytes of an element of the case's dtype.
inline constexpr std::string_view dtype_bytes = "dtype_bytes";

/// What the expressions of a variant may name on a case: sizes of symbols, `dtype_bytes`, values of tunables, numbers
/// of the device, and the values of `let`.
struct Values {
    Sizes known;
    Said problem;  ///< why the first `let` that is not known cannot be computed; "" where all are known
};

Values values_of(const Implementation& implementation, const Case& binding);

/// The device's numbers that a variant of this language may name: "device.multiprocessors".
std::vector<std::string> device_names(Language language);

/// The restrictions of a variant with its `let`, parsed once: for those that ask for many cases or configurations.
class Restrictions {
public:
    explicit Restrictions(const Variant& variant);
    /// As `violated_restriction`. The implementation must be of a variant with the same restrictions and `let`.
    std::optional<Said> violated(const Implementation& implementation, const Case& binding) const;

private:
    std::vector<Validated<Let>> lets_;
    std::vector<Validated<IntegerExpression>> restrictions_;
};

/// A sentence about the first restriction that does not hold on a case, in the configuration that the implementation
/// has there, with the values; nothing where all hold.
std::optional<Said> violated_restriction(const Implementation& implementation, const Case& binding);

}  // namespace kernelgen
