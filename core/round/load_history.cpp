// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>

#include "core/base/file.h"
#include "core/base/lines.h"
#include "core/project/own_files.h"
#include "core/round/history.h"
#include "core/round/history_file.h"
#include "core/round/history_line.h"

namespace kernelgen {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t warnings_limit = 100;
constexpr std::uint64_t detail_limit_bytes = 256ull << 20;

void warn(History& history, Said warning) {
    if (history.warnings.size() < warnings_limit) history.warnings.push_back(std::move(warning));
    if (history.warnings.size() == warnings_limit) history.warnings.push_back("further warnings are left out");
}

/// Sorts rounds by number. Each number appears once: of two rounds with the same number the first counts.
void put_in_order(History& history) {
    std::ranges::stable_sort(history.rounds, {}, &Round::number);
    std::set<int> twice;
    const auto again = std::ranges::unique(history.rounds, [&](const Round& a, const Round& b) {
        return a.number == b.number && (twice.insert(a.number), true);
    });
    history.rounds.erase(again.begin(), again.end());
    for (const int number : twice) {
        warn(history, say("history.jsonl: round {} is recorded twice; the first counts", number));
    }
}

}  // namespace

Result<History> load_history(const fs::path& project_folder) {
    History history;
    int number = 0;
    const auto take = [&](std::string_view line) {
        ++number;
        if (line.find_first_not_of(" \t\r") == line.npos) return;
        if (const Result<void> done = read_history_line(line, history); !done) {
            warn(history, say("history.jsonl:{}: skipped, it {}", number, done.error().message));
        }
    };
    if (const Result<void> done = for_each_line(history_path(project_folder), take); !done) {
        return std::unexpected(done.error());
    }
    put_in_order(history);
    return history;
}

Result<RoundDetail> load_round_detail(const fs::path& project_folder, int round) {
    const fs::path path = round_folder(project_folder, round) / own_files::round_result;
    std::error_code error;
    if (!fs::exists(path, error)) return fail(say("there is no round {}: no {}", round, path.string()));
    const Result<std::string> text = read_file(path, detail_limit_bytes);
    if (!text) return std::unexpected(text.error());
    const nlohmann::json document = nlohmann::json::parse(*text, nullptr, false);
    if (document.is_discarded()) return fail(say("cannot read {}: it is not valid JSON", path.string()));
    Result<RoundDetail> detail = round_detail_from_json(document);
    if (!detail) return fail(say("cannot read {}: {}", path.string(), detail.error().message));
    return detail;
}

}  // namespace kernelgen
