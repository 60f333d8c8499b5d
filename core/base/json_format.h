// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace kernelgen {

/// JSON that people can read: a value that fits within 100 columns is on one line, keys keep their order, and the text
/// ends with a newline. Bytes that are not UTF-8 become U+FFFD.
std::string format_json(const nlohmann::ordered_json& value);

/// A number as JSON, where NaN and infinities are the strings "nan", "inf" and "-inf".
nlohmann::json json_number(double value);

/// The reverse of `json_number`; anything else is NaN.
double number_from_json(const nlohmann::json& value);

}  // namespace kernelgen
