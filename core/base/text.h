// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/said.h"

namespace kernelgen {

/// "did you mean `bias`?" for the nearest of `known` by edit distance, or "" when none is near.
Said did_you_mean(std::string_view word, std::span<const std::string> known);

/// The `name` of each item.
std::vector<std::string> names_of(const auto& items) {
    std::vector<std::string> names;
    for (const auto& item : items) names.push_back(item.name);
    return names;
}

std::vector<std::string> split(std::string_view text, char separator);
std::string join(std::span<const std::string> parts, std::string_view separator);
std::string_view trim(std::string_view text);
std::string_view first_line(std::string_view text);

/// The whole text as one integer or number, or nothing; independent of the locale.
bool parse_integer(std::string_view text, long long& value);
bool parse_number(std::string_view text, double& value);

/// A 128-bit XXH3 hash as 32 hexadecimal digits; stable across runs and machines.
std::string hash_hex(std::string_view bytes);

/// "4.2 GB/s"-style text: three significant digits and an SI prefix before `unit`.
std::string with_si_prefix(double value, std::string_view unit);

/// This moment in ISO 8601, UTC: "2026-11-21T14:07:00Z".
std::string now_utc();

}  // namespace kernelgen
