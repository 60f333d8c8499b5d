// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/trace/tracer.h"

namespace kernelgen {

/// a + b, a - b or a * b; nothing where it overflows or where one of them is nothing.
std::optional<std::int64_t> checked(std::optional<std::int64_t> a, std::optional<std::int64_t> b, char symbol);

TracedValue number_or_unknown(std::optional<std::int64_t> value);

/// "256", "0x10", "4u"; a number with a fraction is unknown.
TracedValue number_of_literal(const std::string& text);

/// An operation of C++ on numbers; also a place plus a number, and the difference of two places in one buffer.
TracedValue combine(std::string_view symbol, const TracedValue& left, const TracedValue& right);

}  // namespace kernelgen
