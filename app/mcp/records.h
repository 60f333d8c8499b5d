// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace kernelgen::agent {

/// What a project had recorded when it was last looked at. Records only grow: a kernel that changes them forges
/// results.
class Records {
public:
    explicit Records(const std::filesystem::path& project_folder);

    /// The files that have changed since, other than by growing: "rounds/3/result.json", "history.jsonl". What is new
    /// is taken as known from now on; a file that has changed is told of again.
    std::vector<std::string> take_changes(const std::filesystem::path& project_folder);

private:
    std::map<int, std::string> rounds_;  ///< hashes of what each round's folder says, by number
    std::size_t history_bytes_ = 0;
    std::string history_hash_;  ///< of these first bytes
};

}  // namespace kernelgen::agent
