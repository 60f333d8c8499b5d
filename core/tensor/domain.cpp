// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/domain.h"

#include <algorithm>
#include <cmath>
#include <format>

#include "core/base/text.h"

namespace kernelgen {
namespace {

constexpr std::string_view positive_name = "positive", integers_prefix = "integers ";

/// The greatest value of a floating-point dtype that is at most `limit`, which is finite.
double greatest_up_to(DType dtype, double limit) {
    const double value = round_to(dtype, std::clamp(limit, -largest_finite(dtype), largest_finite(dtype)));
    if (value <= limit) return value;
    const double unit = 2 * half_ulp(dtype);
    return round_to(dtype, value - std::max(std::abs(value), smallest_normal(dtype)) * unit);
}

double least_from(DType dtype, double limit) { return -greatest_up_to(dtype, -limit); }

}  // namespace

std::optional<Bounds> bounds_in(const Domain& domain, DType dtype) {
    const double largest = largest_finite(dtype);
    if (domain.kind == Domain::Kind::positive) return Bounds{is_integer(dtype) ? 1 : smallest_normal(dtype), largest};
    Bounds bounds{std::max(domain.low, lowest_finite(dtype)), std::min(domain.high, largest)};
    if (domain.kind == Domain::Kind::integers || is_integer(dtype)) {
        bounds = {std::ceil(bounds.low), std::floor(bounds.high)};
    }
    if (!is_integer(dtype)) bounds = {least_from(dtype, bounds.low), greatest_up_to(dtype, bounds.high)};
    if (bounds.low > bounds.high) return std::nullopt;
    return bounds;
}

std::string to_string(const Domain& domain) {
    if (domain.kind == Domain::Kind::positive) return std::string(positive_name);
    const std::string_view prefix = domain.kind == Domain::Kind::integers ? integers_prefix : "";
    return std::format("{}{}..{}", prefix, domain.low, domain.high);
}

std::optional<Domain> parse_domain(std::string_view text) {
    text = trim(text);
    if (text == positive_name) return Domain{};
    Domain domain{Domain::Kind::interval, 0, 0};
    if (text.starts_with(integers_prefix)) {
        domain.kind = Domain::Kind::integers;
        text.remove_prefix(integers_prefix.size());
    }
    const std::size_t dots = text.find("..");
    if (dots == text.npos || !parse_number(std::string(trim(text.substr(0, dots))), domain.low) ||
        !parse_number(std::string(trim(text.substr(dots + 2))), domain.high)) {
        return std::nullopt;
    }
    return domain;
}

std::optional<std::string> domain_problem(const Domain& domain) {
    if (domain.kind == Domain::Kind::positive) return std::nullopt;
    if (!std::isfinite(domain.low) || !std::isfinite(domain.high)) return "needs two finite numbers";
    if (domain.low > domain.high) return say("is empty: {} is above {}", domain.low, domain.high);
    if (domain.kind == Domain::Kind::integers && std::ceil(domain.low) > std::floor(domain.high)) {
        return "holds no integer";
    }
    return std::nullopt;
}

}  // namespace kernelgen
