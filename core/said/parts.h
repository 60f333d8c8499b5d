// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace kernelgen {

/// Longer texts hold the words of another program. In bytes.
inline constexpr std::size_t longest_said = 2000;
/// How deep sentences are within one another.
inline constexpr int deepest_said = 16;
/// Of the key beside a text's, which has what the text was made of.
inline constexpr const char* said_ending = "_said";

inline std::size_t count_of_places(std::string_view format) {
    return static_cast<std::size_t>(std::ranges::count(format, '{'));
}

/// Adds to the parts of a list; strings that follow each other become one, and empty ones none.
inline void add_part(nlohmann::json& parts, nlohmann::json part) {
    if (part == "") return;
    if (part.is_array()) {
        for (nlohmann::json& each : part) add_part(parts, std::move(each));
    } else if (part.is_string() && !parts.empty() && parts.back().is_string()) {
        parts.back().get_ref<std::string&>() += part.get_ref<const std::string&>();
    } else {
        parts.push_back(std::move(part));
    }
}

}  // namespace kernelgen
