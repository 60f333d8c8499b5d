// SPDX-License-Identifier: Apache-2.0
#include "core/files/include_root.h"

#include <set>
#include <vector>

#include "core/base/text_file.h"
#include "core/project/includes.h"

namespace kernelgen {

namespace fs = std::filesystem;

namespace {

constexpr int most_levels_above = 3;
constexpr std::uint64_t most_bytes_included = 4 << 20;
constexpr std::size_t most_files_included = 2000;

bool is_below(const fs::path& file, const fs::path& folder) { return *file.lexically_relative(folder).begin() != ".."; }

/// The nearest folder above `root` that holds the file too; `root` itself where that is too far up.
fs::path widened(const fs::path& root, const fs::path& file, const fs::path& own) {
    fs::path wider = own;
    for (int level = 0; level <= most_levels_above; ++level, wider = wider.parent_path()) {
        if (is_below(root, wider) && is_below(file, wider)) return wider;
    }
    return root;
}

}  // namespace

fs::path include_root(const fs::path& file, const std::string& text) {
    const fs::path whole = fs::absolute(file).lexically_normal(), own = whole.parent_path();
    fs::path root = own;
    std::set<fs::path> seen{whole};
    std::vector<std::pair<fs::path, std::string>> waiting{{whole, text}};
    while (!waiting.empty()) {
        const auto [from, content] = std::move(waiting.back());
        waiting.pop_back();
        for (const Include& each : includes_of(content)) {
            const fs::path included = (from.parent_path() / each.name).lexically_normal();
            std::error_code error;
            if (!each.quoted || seen.size() == most_files_included || !fs::is_regular_file(included, error)) continue;
            if (!seen.insert(included).second) continue;
            const fs::path wider = widened(root, included, own);
            if (!is_below(included, wider)) continue;
            root = wider;
            if (Result<std::string> read = read_text_file(included, most_bytes_included))
                waiting.emplace_back(included, *read);
        }
    }
    return root;
}

}  // namespace kernelgen
