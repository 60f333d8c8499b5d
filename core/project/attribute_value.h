// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "core/lang/operator.h"

namespace kernelgen {

/// The largest magnitude of an integer attribute; larger ones are refused, since the value is held as a double.
inline constexpr std::int64_t largest_integer_attribute = std::int64_t{1} << 53;

/// The value as text that shows its type: "1e-05" and "2.0" are real, "2" is an integer, "true" a boolean.
std::string attribute_text(const Attribute& attribute);

/// Parses the text that `attribute_text` writes. Nothing where `text` is no such value.
std::optional<Attribute> parse_attribute(std::string name, std::string_view text);

/// The value in JSON, which has the same three types: 1e-05, 2.0, 2, true.
nlohmann::json attribute_json(const Attribute& attribute);

/// `value` must be a number or a boolean. An integer that is too large is read as an integer; `validate` refuses it.
Attribute attribute_from_json(std::string name, const nlohmann::json& value);

/// "double", "int64_t" or "bool".
std::string_view cpp_type(AttributeType type);
/// "float", "int" or "bool".
std::string_view python_type(AttributeType type);

}  // namespace kernelgen
