// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "core/project/variant.h"

namespace kernelgen::mcp {

/// The JSON Schema of a value of this type.
template <class T>
nlohmann::ordered_json schema_of(const T* = nullptr) {
    if constexpr (std::same_as<T, bool>) return {{"type", "boolean"}};
    else if constexpr (std::integral<T>) return {{"type", "integer"}};
    else if constexpr (std::floating_point<T>) return {{"type", "number"}};
    else if constexpr (std::same_as<T, std::string>) return {{"type", "string"}};
    else if constexpr (std::same_as<T, Configuration>)
        return {{"type", "object"}, {"additionalProperties", {{"type", "integer"}}}};
    else if constexpr (requires {
                           typename T::value_type;
                           requires std::same_as<T, std::optional<typename T::value_type>>;
                       })
        return schema_of<typename T::value_type>();
    else return {{"type", "array"}, {"items", schema_of<typename T::value_type>()}};
}

}  // namespace kernelgen::mcp
