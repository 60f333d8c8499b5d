// SPDX-License-Identifier: Apache-2.0
#include "core/base/json_format.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace kernelgen {

using nlohmann::ordered_json;

namespace {

constexpr std::size_t width = 100;
constexpr std::size_t indent = 2;

std::string scalar(const ordered_json& value) {
    return value.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

std::string key_text(const std::string& key) { return scalar(key) + ": "; }

std::string on_one_line(const ordered_json& value) {
    if (!value.is_structured()) return scalar(value);
    std::string text;
    for (const auto& [key, element] : value.items()) {
        if (!text.empty()) text += ", ";
        if (value.is_object()) text += key_text(key);
        text += on_one_line(element);
    }
    return value.is_object() ? "{" + text + "}" : "[" + text + "]";
}

bool all_scalars(const ordered_json& array) {
    return array.is_array() && std::ranges::none_of(array, [](const auto& each) { return each.is_structured(); });
}

/// An array of scalars, with as many on a line as fit.
std::string filled(const ordered_json& array, std::size_t margin) {
    const std::string line_start = "\n" + std::string(margin + indent, ' ');
    std::string text = "[" + line_start;
    std::size_t column = margin + indent;
    for (std::size_t i = 0; i < array.size(); ++i) {
        const std::string element = scalar(array[i]) + (i + 1 < array.size() ? "," : "");
        if (i > 0 && column + 1 + element.size() > width) {
            text += line_start;
            column = margin + indent;
        } else if (i > 0) {
            text += ' ';
            ++column;
        }
        text += element;
        column += element.size();
    }
    return text + "\n" + std::string(margin, ' ') + "]";
}

/// `column` is where the value begins, `margin` the indentation of its line.
std::string formatted(const ordered_json& value, std::size_t margin, std::size_t column) {
    const std::string line = on_one_line(value);
    if (!value.is_structured() || column + line.size() <= width) return line;
    if (all_scalars(value)) return filled(value, margin);
    std::string text;
    for (const auto& [key, element] : value.items()) {
        const std::string name = value.is_object() ? key_text(key) : "";
        text += (text.empty() ? "\n" : ",\n") + std::string(margin + indent, ' ') + name;
        text += formatted(element, margin + indent, margin + indent + name.size() + 1);
    }
    text += "\n" + std::string(margin, ' ');
    return value.is_object() ? "{" + text + "}" : "[" + text + "]";
}

}  // namespace

std::string format_json(const ordered_json& value) { return formatted(value, 0, 0) + "\n"; }

nlohmann::json json_number(double value) {
    if (std::isfinite(value)) return value;
    if (std::isnan(value)) return "nan";
    return value > 0 ? "inf" : "-inf";
}

double number_from_json(const nlohmann::json& value) {
    if (value.is_number()) return value.get<double>();
    if (value == "inf") return std::numeric_limits<double>::infinity();
    if (value == "-inf") return -std::numeric_limits<double>::infinity();
    return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace kernelgen
