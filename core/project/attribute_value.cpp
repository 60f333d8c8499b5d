// SPDX-License-Identifier: Apache-2.0
#include "core/project/attribute_value.h"

#include <cmath>
#include <format>
#include <nlohmann/json.hpp>

#include "core/base/text.h"

namespace kernelgen {

namespace {

std::int64_t integer_of(const Attribute& attribute) { return static_cast<std::int64_t>(attribute.value); }

}  // namespace

std::string attribute_text(const Attribute& attribute) {
    switch (attribute.type) {
        case AttributeType::boolean: return attribute.value != 0 ? "true" : "false";
        case AttributeType::integer: return std::to_string(integer_of(attribute));
        case AttributeType::real: break;
    }
    const std::string text = std::format("{}", attribute.value);
    const bool is_like_integer = std::isfinite(attribute.value) && text.find_first_of(".e") == std::string::npos;
    return is_like_integer ? text + ".0" : text;
}

std::optional<Attribute> parse_attribute(std::string name, std::string_view text) {
    if (text == "true" || text == "false")
        return Attribute{std::move(name), text == "true" ? 1.0 : 0.0, AttributeType::boolean};
    long long integer = 0;
    if (parse_integer(text, integer))
        return Attribute{std::move(name), static_cast<double>(integer), AttributeType::integer};
    double number = 0;
    if (parse_number(text, number)) return Attribute{std::move(name), number, AttributeType::real};
    return std::nullopt;
}

nlohmann::json attribute_json(const Attribute& attribute) {
    switch (attribute.type) {
        case AttributeType::boolean: return attribute.value != 0;
        case AttributeType::integer: return integer_of(attribute);
        case AttributeType::real: break;
    }
    return attribute.value;
}

Attribute attribute_from_json(std::string name, const nlohmann::json& value) {
    if (value.is_boolean()) return {std::move(name), value.get<bool>() ? 1.0 : 0.0, AttributeType::boolean};
    const AttributeType type = value.is_number_integer() ? AttributeType::integer : AttributeType::real;
    return {std::move(name), value.get<double>(), type};
}

std::string_view cpp_type(AttributeType type) {
    return type == AttributeType::real ? "double" : type == AttributeType::integer ? "int64_t" : "bool";
}

std::string_view python_type(AttributeType type) {
    return type == AttributeType::real ? "float" : type == AttributeType::integer ? "int" : "bool";
}

}  // namespace kernelgen
