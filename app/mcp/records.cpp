// SPDX-License-Identifier: Apache-2.0
#include "app/mcp/records.h"

#include <string_view>

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/project/own_files.h"
#include "core/round/history_file.h"

namespace kernelgen::agent {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t largest_record = 1 << 30;

std::string text_of(const fs::path& file) { return read_file(file, largest_record).value_or(""); }

std::map<int, std::string> hashes_of_rounds(const fs::path& folder) {
    std::map<int, std::string> hashes;
    std::error_code error;
    for (const fs::directory_entry& each : fs::directory_iterator(rounds_folder(folder), error)) {
        long long number = 0;
        if (!parse_integer(each.path().filename().string(), number)) continue;
        const fs::path result = each.path() / own_files::round_result;
        hashes[static_cast<int>(number)] = hash_hex(text_of(result));
    }
    return hashes;
}

}  // namespace

Records::Records(const fs::path& project_folder) : rounds_(hashes_of_rounds(project_folder)) {
    const std::string history = text_of(history_path(project_folder));
    history_bytes_ = history.size();
    history_hash_ = hash_hex(history);
}

std::vector<std::string> Records::take_changes(const fs::path& project_folder) {
    std::vector<std::string> changed;
    std::map<int, std::string> now = hashes_of_rounds(project_folder);
    for (const auto& [number, hash] : rounds_) {
        const auto found = now.find(number);
        if (found == now.end() || found->second != hash)
            changed.push_back("rounds/" + std::to_string(number) + "/" + std::string(own_files::round_result));
    }
    rounds_.merge(now);
    const std::string history = text_of(history_path(project_folder));
    if (hash_hex(std::string_view(history).substr(0, history_bytes_)) != history_hash_)
        changed.push_back(history_path(project_folder).filename().string());
    else {
        history_bytes_ = history.size();
        history_hash_ = hash_hex(history);
    }
    return changed;
}

}  // namespace kernelgen::agent
