// SPDX-License-Identifier: Apache-2.0
#include "core/strategy/pattern_file.h"

#include <algorithm>
#include <format>
#include <nlohmann/json.hpp>
#include <system_error>

#include "core/base/file.h"
#include "core/base/json_reader.h"
#include "core/base/text.h"
#include "core/round/best.h"
#include "core/round/history.h"
#include "core/strategy/gain.h"
#include "core/strategy/moves.h"

namespace kernelgen {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t largest_file = 16 << 20;

fs::path own_path() { return data_folder() / "patterns.jsonl"; }
fs::path imported_path() { return data_folder() / "patterns_imported.jsonl"; }

/// A file that is there; "" otherwise.
std::string text_of(const fs::path& path) { return read_file(path, largest_file).value_or(""); }

void add_all(Patterns& patterns, Patterns more) {
    std::ranges::move(more.all, std::back_inserter(patterns.all));
    std::ranges::move(more.warnings, std::back_inserter(patterns.warnings));
}

std::vector<fs::path> shipped_files() {
    std::vector<fs::path> files;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(resource_folder() / "patterns", error)) {
        if (entry.path().extension() == ".jsonl") files.push_back(entry.path());
    }
    std::ranges::sort(files);
    return files;
}

/// The lock of both files, which is held while they are read and written again.
Result<FileLock> lock_patterns() {
    if (data_folder().empty()) return fail("patterns have no folder: set HOME or XDG_DATA_HOME");
    std::error_code error;
    fs::create_directories(data_folder(), error);
    if (error) return fail("cannot make " + data_folder().string() + ": " + error.message());
    return FileLock::acquire(data_folder() / ".patterns.lock", FileLock::Mode::exclusive);
}

/// The pattern of this key, which is made where it is missing.
Pattern& pattern_of(std::vector<Pattern>& own, const PatternKey& key) {
    const auto found = std::ranges::find(own, key, &Pattern::key);
    if (found != own.end()) return *found;
    return own.emplace_back(Pattern{.key = key});
}

}  // namespace

Patterns parse_patterns(std::string_view text, const std::string& file, bool is_own) {
    Patterns patterns;
    int number = 0;
    for (const std::string& line : split(text, '\n')) {
        ++number;
        if (trim(line).empty()) continue;
        const Validated<nlohmann::json> document = parse_json(line, file);
        Result<Pattern> pattern = document ? pattern_from_json(*document) : fail(to_string(document.error().front()));
        if (!pattern) {
            patterns.warnings.push_back(std::format("{}:{}: {}", file, number, pattern.error().message));
            continue;
        }
        pattern->is_own = is_own;
        patterns.all.push_back(std::move(*pattern));
    }
    return patterns;
}

Patterns load_patterns() {
    Patterns patterns;
    if (!data_folder().empty()) {
        add_all(patterns, parse_patterns(text_of(own_path()), own_path().string(), true));
        add_all(patterns, parse_patterns(text_of(imported_path()), imported_path().string(), false));
    }
    const std::size_t users = patterns.all.size();
    const auto has_been_replaced = [&](const Pattern& shipped) {
        const auto is_it = [&](const Pattern& each) { return !each.is_own && each.key == shipped.key; };
        return std::any_of(patterns.all.begin(), patterns.all.begin() + static_cast<std::ptrdiff_t>(users), is_it);
    };
    for (const fs::path& file : shipped_files()) {
        Patterns shipped = parse_patterns(text_of(file), file.string(), false);
        std::erase_if(shipped.all, has_been_replaced);
        for (Pattern& each : shipped.all) each.is_shipped = true;
        add_all(patterns, std::move(shipped));
    }
    return patterns;
}

namespace {

/// The strategy and the finding by which a round was made; "" where none is known.
std::pair<std::string, std::string> strategy_of(const Round& round, const Round& before) {
    if (round.applied) return {round.applied->strategy, round.applied->finding};
    const bool is_alike = round.variant == before.variant && round.source_hash == before.source_hash;
    return {is_alike ? std::string(strategy_of_move(before.configuration, round.configuration)) : "", ""};
}

/// Whether a case was timed with the same kernel before: a search that found nothing better.
bool is_unchanged(const Round& round, const RoundCase& timed, const Round& before, const RoundCase& earlier) {
    return round.variant == before.variant && round.source_hash == before.source_hash &&
           configuration_of(round, timed) == configuration_of(before, earlier);
}

/// A gain that the noise leaves so uncertain teaches nothing: the ratio of its interval's ends.
constexpr double widest_interval = 1.5;

/// What a case's times before and after a strategy teach of its gain; nothing where they are too noisy.
std::optional<double> taught_gain(const Round& round, const RoundCase& timed, const Round& before,
                                  const RoundCase& earlier) {
    const auto gain = comparable(before, round) ? gain_between(earlier, timed) : std::nullopt;
    if (!gain) return std::nullopt;
    if (is_unchanged(round, timed, before, earlier)) return 1.0;
    return gain->upper <= widest_interval * gain->lower ? std::optional(gain->likely) : std::nullopt;
}

}  // namespace

std::vector<Pattern> learnt_from(const RoundDetail& detail, const Round& before, std::vector<Pattern> own) {
    const Round& round = detail.round;
    const auto [strategy, finding] = strategy_of(round, before);
    if (strategy.empty() || round.status == Status::cancelled || round.status == Status::unavailable) return own;
    for (const RoundCase& each : round.cases) {
        PatternKey key = key_of(detail.definition, each.binding, round.device, detail.environment.hardware);
        key.strategy = strategy;
        key.finding = finding;
        const RoundCase* earlier = timed_case(before, each.binding);
        if (earlier == nullptr) continue;
        if (round.status != Status::ok) add_gain(pattern_of(own, key), std::nullopt);
        else if (const auto gain = taught_gain(round, each, before, *earlier)) add_gain(pattern_of(own, key), gain);
    }
    return own;
}

Result<std::vector<Pattern>> learnt_from_project(const fs::path& folder, std::vector<Pattern> patterns) {
    const Result<History> history = load_history(folder);
    if (!history) return std::unexpected(history.error());
    for (const Round& round : history->rounds) {
        const Round* before = compared_with(*history, round);
        const Result<RoundDetail> detail = load_round_detail(folder, round.number);
        if (before != nullptr && detail) patterns = learnt_from(*detail, *before, std::move(patterns));
    }
    return patterns;
}

Result<void> learn_pattern(const RoundDetail& detail, const Round& before) {
    const Result<FileLock> lock = lock_patterns();
    if (!lock) return std::unexpected(lock.error());
    Patterns own = parse_patterns(text_of(own_path()), own_path().string(), true);
    return write_file_atomic(own_path(), pattern_lines(learnt_from(detail, before, std::move(own.all))));
}

std::string pattern_lines(std::span<const Pattern> patterns) {
    std::string text;
    for (const Pattern& each : patterns)
        text += to_json(each).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    return text;
}

Result<int> import_patterns(const fs::path& file) {
    const Result<std::string> text = read_file(file, largest_file);
    if (!text) return std::unexpected(text.error());
    Patterns read = parse_patterns(*text, file.string(), false);
    if (!read.warnings.empty()) return fail(read.warnings.front() + "; nothing was imported");
    const Result<FileLock> lock = lock_patterns();
    if (!lock) return std::unexpected(lock.error());
    std::vector<Pattern> all = parse_patterns(text_of(imported_path()), imported_path().string(), false).all;
    for (const Pattern& each : read.all) pattern_of(all, each.key) = each;
    if (auto written = write_file_atomic(imported_path(), pattern_lines(all)); !written)
        return std::unexpected(written.error());
    return static_cast<int>(read.all.size());
}

namespace {

/// Calls `change` on the patterns of the file in which this pattern is stored, under a lock, and writes them.
template <class Change>
Result<void> in_file_of(const Pattern& pattern, Change change) {
    const Result<FileLock> lock = lock_patterns();
    if (!lock) return std::unexpected(lock.error());
    const fs::path path = pattern.is_own ? own_path() : imported_path();
    std::vector<Pattern> all = parse_patterns(text_of(path), path.string(), pattern.is_own).all;
    const auto found = std::ranges::find(all, pattern.key, &Pattern::key);
    if (Result<void> changed = change(all, found); !changed) return changed;
    return write_file_atomic(path, pattern_lines(all));
}

Error is_gone(const Pattern& pattern) { return {say("pattern {} is not there any more", pattern.id())}; }

}  // namespace

Result<void> edit_pattern(const Pattern& pattern) {
    if (pattern.note.size() > longest_note) return fail("a pattern's note may have 2000 bytes");
    return in_file_of(pattern, [&](std::vector<Pattern>& all, auto found) -> Result<void> {
        if (found == all.end()) {
            if (!pattern.is_shipped) return std::unexpected(is_gone(pattern));
            found = all.insert(found, pattern);
        }
        found->is_disabled = pattern.is_disabled;
        found->note = pattern.note;
        return {};
    });
}

Result<void> remove_pattern(const Pattern& pattern) {
    if (pattern.is_shipped)
        return fail(say(
            "pattern {} is shipped; it loses weight by itself where your own rounds contradict it, and can be disabled",
            pattern.id()));
    return in_file_of(pattern, [&](std::vector<Pattern>& all, auto found) -> Result<void> {
        if (found == all.end()) return std::unexpected(is_gone(pattern));
        all.erase(found);
        return {};
    });
}

Result<Pattern> find_pattern(std::string_view id) {
    const Patterns all = load_patterns();
    std::vector<const Pattern*> found;
    for (const Pattern& each : all.all) {
        const auto is_same = [&](const Pattern* other) { return other->id() == each.id(); };
        if (!id.empty() && each.id().starts_with(id) && std::ranges::none_of(found, is_same)) found.push_back(&each);
    }
    if (found.empty()) return fail(say("no pattern has the id `{}`", id));
    std::vector<std::string> ids;
    for (const Pattern* each : found) ids.push_back(each->id());
    if (ids.size() > 1) return fail(say("several patterns have an id that begins so: {}", join(ids, ", ")));
    return *found.front();
}

Result<Pattern> remove_pattern(std::string_view id) {
    const Result<Pattern> found = find_pattern(id);
    if (!found) return found;
    if (const Result<void> removed = remove_pattern(*found); !removed) return std::unexpected(removed.error());
    return found;
}

}  // namespace kernelgen
