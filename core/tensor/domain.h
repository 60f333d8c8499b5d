// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/tensor/dtype.h"

namespace kernelgen {

/// The values that an input of an operator may have.
struct Domain {
    enum class Kind { positive, interval, integers };
    Kind kind = Kind::positive;
    double low = 0, high = 0;  ///< bounds, both included; not used by `positive`

    bool operator==(const Domain&) const = default;
};

/// The least and the greatest value of a domain that a dtype holds.
struct Bounds {
    double low = 0, high = 0;
};

/// The bounds of a domain in a dtype. `positive` begins at the smallest normal number, since hardware may flush
/// subnormal numbers to zero. Nothing where the dtype has no value of the domain.
std::optional<Bounds> bounds_in(const Domain& domain, DType dtype);

/// "positive", "-1..1", "integers 0..9": the text form in the command line and the window.
std::string to_string(const Domain& domain);
std::optional<Domain> parse_domain(std::string_view text);

/// What is wrong with a domain's bounds; nothing where they are valid.
std::optional<std::string> domain_problem(const Domain& domain);

}  // namespace kernelgen
