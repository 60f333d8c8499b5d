// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

namespace kernelgen::agent {

/// The schema of an answer: an object that has these members, and may have more.
inline nlohmann::ordered_json answer_schema(
    std::initializer_list<std::pair<const char*, nlohmann::ordered_json>> members) {
    nlohmann::ordered_json schema = {{"type", "object"}, {"properties", nlohmann::ordered_json::object()}};
    for (const auto& [name, member] : members) {
        schema["properties"][name] = member;
        schema["required"].push_back(name);
    }
    return schema;
}

inline nlohmann::ordered_json of_type(const char* type, const char* description) {
    return {{"type", type}, {"description", description}};
}

inline nlohmann::ordered_json list_of_objects(const char* description) {
    return {{"type", "array"}, {"items", {{"type", "object"}}}, {"description", description}};
}

}  // namespace kernelgen::agent
