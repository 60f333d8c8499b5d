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

/// "" of a file that is not there. Errors: it cannot be read, or is larger than 16 MiB.
Result<std::string> text_of(const fs::path& path) {
    std::error_code error;
    if (fs::status(path, error).type() == fs::file_type::not_found) return std::string();
    return read_file(path, largest_file);
}

/// The patterns of a file; a file that cannot be read is a warning.
Patterns patterns_of(const fs::path& path, bool is_own) {
    const Result<std::string> text = text_of(path);
    if (!text) return {.warnings = {text.error().message}};
    return parse_patterns(*text, path.string(), is_own);
}

/// Reads a file's patterns, calls `change` on them and writes them again, with the lines that are no patterns as they
/// were. Errors: the file cannot be read or written, or what `change` says: the file stays as it is then.
template <class Change>
Result<void> rewrite(const fs::path& path, bool is_own, Change change) {
    const Result<std::string> text = text_of(path);
    if (!text) return std::unexpected(text.error());
    Patterns patterns = parse_patterns(*text, path.string(), is_own);
    const std::vector<Pattern> before = patterns.all;
    if (Result<void> changed = change(patterns.all); !changed) return changed;
    if (patterns.all == before) return {};
    return write_file_atomic(path, pattern_lines(patterns.all) + patterns.skipped);
}

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

bool has_disabled(const std::vector<Pattern>& patterns, const PatternKey& key) {
    return std::ranges::any_of(patterns, [&](const Pattern& each) { return each.key == key && each.is_disabled; });
}

/// The user's own pattern of this key, which is made where it is missing: disabled, where others of its key are.
Pattern& own_pattern_of(std::vector<Pattern>& patterns, const PatternKey& key) {
    const auto found =
        std::ranges::find_if(patterns, [&](const Pattern& each) { return each.is_own && each.key == key; });
    if (found != patterns.end()) return *found;
    return patterns.emplace_back(Pattern{.key = key, .is_disabled = has_disabled(patterns, key)});
}

}  // namespace

Patterns parse_patterns(std::string_view text, const std::string& file, bool is_own) {
    Patterns patterns;
    int number = 0;
    for (const std::string& line : split(text, '\n')) {
        ++number;
        if (trim(line).empty()) continue;
        const Validated<nlohmann::json> document = parse_json(line, "");  // the warning names the file
        Result<Pattern> pattern = document ? pattern_from_json(*document) : fail(to_string(document.error().front()));
        if (!pattern) {
            patterns.warnings.push_back(std::format("{}:{}: {}", file, number, pattern.error().message));
            patterns.skipped += line + "\n";
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
        add_all(patterns, patterns_of(own_path(), true));
        add_all(patterns, patterns_of(imported_path(), false));
    }
    const std::size_t users = patterns.all.size();
    const auto has_been_replaced = [&](const Pattern& shipped) {
        const auto is_it = [&](const Pattern& each) { return !each.is_own && each.key == shipped.key; };
        return std::any_of(patterns.all.begin(), patterns.all.begin() + static_cast<std::ptrdiff_t>(users), is_it);
    };
    for (const fs::path& file : shipped_files()) {
        Patterns shipped = patterns_of(file, false);
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

std::vector<Pattern> learnt_from(const RoundDetail& detail, const Round& before, std::vector<Pattern> patterns) {
    const Round& round = detail.round;
    const auto [strategy, finding] = strategy_of(round, before);
    if (strategy.empty() || round.status == Status::cancelled || round.status == Status::unavailable) return patterns;
    for (const RoundCase& each : round.cases) {
        PatternKey key = key_of(detail.definition, each.binding, round.device, detail.environment.hardware);
        key.strategy = strategy;
        key.finding = finding;
        const RoundCase* earlier = timed_case(before, each.binding);
        if (earlier == nullptr) continue;
        if (round.status != Status::ok) add_gain(own_pattern_of(patterns, key), std::nullopt);
        else if (const auto gain = taught_gain(round, each, before, *earlier))
            add_gain(own_pattern_of(patterns, key), gain);
    }
    return patterns;
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
    return rewrite(own_path(), true, [&](std::vector<Pattern>& own) -> Result<void> {
        std::vector<Pattern> all = learnt_from(detail, before, load_patterns().all);
        std::erase_if(all, [](const Pattern& each) { return !each.is_own; });
        own = std::move(all);
        return {};
    });
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
    const Result<void> written = rewrite(imported_path(), false, [&](std::vector<Pattern>& all) -> Result<void> {
        for (const Pattern& each : read.all) {
            std::erase_if(all, [&](const Pattern& old) { return old.key == each.key; });
            all.push_back(each);
        }
        return {};
    });
    if (!written) return std::unexpected(written.error());
    return static_cast<int>(read.all.size());
}

namespace {

Error is_gone(const Pattern& pattern) { return {say("pattern {} is not there any more", pattern.id())}; }

/// What a person sets of a pattern: its note, and whether all patterns of its key are disabled.
struct PatternEdit {
    const Pattern& edited;
    bool is_toggled;  ///< it was disabled and counts now, or the other way round

    void apply(std::vector<Pattern>& patterns) const {
        for (Pattern& each : patterns) {
            if (each.key != edited.key) continue;
            if (is_toggled) each.is_disabled = edited.is_disabled;
            if (each.is_own == edited.is_own) each.note = edited.note;
        }
    }
    /// The shipped patterns that it changes: they are stored among the imported ones.
    std::vector<Pattern> changed_shipped_ones(std::vector<Pattern> patterns) const {
        std::erase_if(patterns, [&](const Pattern& each) {
            return !each.is_shipped || each.key != edited.key || (edited.is_own && !is_toggled);
        });
        return patterns;
    }
};

}  // namespace

Result<void> edit_pattern(const Pattern& edited) {
    if (edited.note.size() > longest_note) return fail("a pattern's note may have 2000 bytes");
    const Result<FileLock> lock = lock_patterns();
    if (!lock) return std::unexpected(lock.error());
    const Patterns present = load_patterns();
    const auto found = std::ranges::find_if(
        present.all, [&](const Pattern& each) { return each.key == edited.key && each.is_own == edited.is_own; });
    if (found == present.all.end()) return std::unexpected(is_gone(edited));
    const PatternEdit edit{edited, found->is_disabled != edited.is_disabled};
    const Result<void> own = rewrite(own_path(), true, [&](std::vector<Pattern>& all) -> Result<void> {
        edit.apply(all);
        return {};
    });
    if (!own) return own;
    return rewrite(imported_path(), false, [&](std::vector<Pattern>& all) -> Result<void> {
        std::ranges::move(edit.changed_shipped_ones(present.all), std::back_inserter(all));
        edit.apply(all);
        return {};
    });
}

Result<void> remove_pattern(const Pattern& pattern) {
    if (pattern.is_shipped)
        return fail(say(
            "pattern {} is shipped; it loses weight by itself where your own rounds contradict it, and can be disabled",
            pattern.id()));
    const Result<FileLock> lock = lock_patterns();
    if (!lock) return std::unexpected(lock.error());
    const fs::path path = pattern.is_own ? own_path() : imported_path();
    return rewrite(path, pattern.is_own, [&](std::vector<Pattern>& all) -> Result<void> {
        const auto removed = std::erase_if(all, [&](const Pattern& each) { return each.key == pattern.key; });
        return removed == 0 ? Result<void>(std::unexpected(is_gone(pattern))) : Result<void>();
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
