// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace kernelgen {

/// A file of which parts could not be read.
struct UnreadFile {
    const nlohmann::json& sorted;           ///< the file
    const nlohmann::ordered_json& ordered;  ///< the same, its keys in the file's order
    const nlohmann::ordered_json& read;     ///< what reading it gave, written again
    std::vector<std::string> places;        ///< of the errors: "cases[0].dtype"
};

/// Puts every part of the file that has an error into `now`, which is what an edited project writes. Where `now`
/// differs from `read`, an edit has replaced the part, and `now` stands. Elements of lists are found again where others
/// were added, removed or moved.
void keep_unread(const UnreadFile& file, nlohmann::ordered_json& now);

}  // namespace kernelgen
