// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <system_error>

#include "core/base/json_format.h"
#include "core/base/text.h"
#include "core/project/own_files.h"
#include "core/project/project_file.h"
#include "core/project/source_files.h"
#include "core/python/inspection.h"
#include "core/round/change.h"
#include "core/round/history.h"
#include "core/round/history_file.h"
#include "core/round/history_line.h"

namespace kernelgen {

namespace fs = std::filesystem;

namespace {

/// Removes files that a killed process was writing; only the holder of the lock may call it.
void remove_unfinished(const fs::path& rounds) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(rounds, error)) {
        const std::string name = entry.path().filename();
        if (name.starts_with('.') && name.ends_with(".tmp")) fs::remove_all(entry.path(), error);
    }
}

/// The next round's number: one above every round that has a line or a folder.
int next_number(const History& history, const fs::path& rounds) {
    int next = history.rounds.empty() ? 0 : history.rounds.back().number + 1;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(rounds, error)) {
        long long number = 0;
        if (parse_integer(entry.path().filename().string(), number) && number >= next && number < 1'000'000'000) {
            next = static_cast<int>(number) + 1;
        }
    }
    return next;
}

/// What changed since the parent, by its full record, or where that is gone, by its line.
ChangeKind change_since(const fs::path& project_folder, const Round& parent, const RoundDetail& detail) {
    if (const Result<RoundDetail> before = load_round_detail(project_folder, parent.number)) {
        return change_between(before->definition, before->candidate, detail.definition, detail.candidate).kind;
    }
    if (parent.source_hash != detail.round.source_hash) return ChangeKind::implementation;
    return parent.configuration == detail.round.configuration ? ChangeKind::none : ChangeKind::tunables;
}

/// The round that a strategy changed, of whatever variant; else the one that `asked` names where it is one of the
/// variant, else the one that the variant stands at; or null.
const Round* find_parent(const History& history, const Round& round, std::optional<int> asked) {
    if (round.applied) {
        if (const Round* changed = find_round(history, round.applied->after)) return changed;
    }
    const auto current = history.current.find(round.variant);
    if (current == history.current.end()) return nullptr;
    const Round* const chosen = asked ? find_round(history, *asked) : nullptr;
    return chosen != nullptr && chosen->variant == round.variant ? chosen : find_round(history, current->second);
}

void set_parent(const fs::path& project_folder, const Round* parent, RoundDetail& detail) {
    detail.round.parent.reset();
    detail.round.change = ChangeKind::first;
    if (parent == nullptr) return;
    detail.round.parent = parent->number;
    detail.round.change = change_since(project_folder, *parent, detail);
}

/// Writes all files that the implementation is built of, each at its path.
Result<void> write_sources(const fs::path& folder, const Implementation& implementation) {
    if (implementation.variant.source.empty()) return {};
    SourceFiles files = implementation.files;
    files[implementation.variant.source] = implementation.text;
    for (const auto& [file, text] : implementation.files) {
        if (const auto problem = place_problem(folder, file))
            return fail("cannot write `" + file + "`: it " + *problem);
    }
    for (const auto& [file, text] : files) {
        std::error_code error;
        fs::create_directories((folder / file).parent_path(), error);
        if (auto written = write_file_atomic(folder / file, text); !written) return written;
    }
    return {};
}

Result<void> write_round(const fs::path& folder, const RoundDetail& detail) {
    std::error_code error;
    fs::create_directory(folder, error);
    if (error) return fail("cannot make " + folder.string() + ": " + error.message());
    if (auto done = write_sources(folder, detail.baseline); !done) return done;
    if (auto done = write_sources(folder, detail.candidate); !done) return done;
    const std::string text = to_json(detail).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    return write_file_atomic(folder / own_files::round_result, text);
}

/// The folder comes into being whole, by its renaming.
Result<void> make_round_folder(const fs::path& project_folder, const RoundDetail& detail) {
    const std::string name = std::to_string(detail.round.number);
    const fs::path unfinished = rounds_folder(project_folder) / ("." + name + ".tmp");
    std::error_code error;
    Result<void> written = write_round(unfinished, detail);
    if (written) {
        fs::rename(unfinished, round_folder(project_folder, detail.round.number), error);
        if (error) written = fail(say("cannot make round {}: {}", name, error.message()));
    }
    if (!written) fs::remove_all(unfinished, error);
    return written;
}

}  // namespace

Result<void> record_round(const fs::path& project_folder, RoundDetail& detail, std::optional<int> parent) {
    const Result<HistoryWriter> writer = HistoryWriter::open(project_folder);
    if (!writer) return std::unexpected(writer.error());
    const Result<History> history = load_history(project_folder);
    if (!history) return std::unexpected(history.error());
    remove_unfinished(rounds_folder(project_folder));
    detail.round.number = next_number(*history, rounds_folder(project_folder));
    set_parent(project_folder, find_parent(*history, detail.round, parent), detail);
    if (auto made = make_round_folder(project_folder, detail); !made) return made;
    const Result<void> appended = writer->append(history_line(detail.round));
    if (!appended) {
        std::error_code error;
        fs::remove_all(round_folder(project_folder, detail.round.number), error);
    }
    return appended;
}

namespace {

Result<void> require_round(const fs::path& project_folder, int round) {
    const Result<History> history = load_history(project_folder);
    if (!history) return std::unexpected(history.error());
    if (find_round(*history, round) == nullptr) return fail(say("there is no round {}", round));
    return {};
}

}  // namespace

Result<void> record_lessons(const fs::path& project_folder, int round, const Lessons& lessons) {
    if (const Result<void> known = require_round(project_folder, round); !known) return known;
    const std::string line = history_line(round, lessons);
    if (line.size() > history_line_bytes) {
        return fail(say("the lessons are too long: {} bytes where {} fit; record them one at a time, or shorter",
                        line.size(), history_line_bytes));
    }
    const Result<HistoryWriter> writer = HistoryWriter::open(project_folder);
    if (!writer) return std::unexpected(writer.error());
    return writer->append(line);
}

namespace {

/// The round's source with its configuration: a Python function's tunables are literals of the file, which take the
/// kept values in place.
Result<Implementation> kept_implementation(const Implementation& recorded) {
    Implementation kept = recorded;
    const Validated<std::string> text = in_configuration(kept.variant, kept.text, kept.configuration);
    if (!text) return fail(say("cannot set the tunables of {}", to_string(text.error().front())));
    if (kept.variant.generated == hash_hex(kept.text)) kept.variant.generated = hash_hex(*text);
    kept.text = *text;
    return kept;
}

}  // namespace

namespace {

/// The rule by which the round's variant is used, where a strategy made the round for that; the project's other rules
/// come after it.
void add_dispatch(const Round& round, Project& project) {
    if (!round.applied || round.applied->when.empty()) return;
    const DispatchRule rule{round.applied->when, round.variant};
    std::erase(project.dispatch, rule);
    project.dispatch.insert(project.dispatch.begin(), rule);
}

}  // namespace

Result<void> keep_round(Project& project, int round) {
    if (const Result<void> known = require_round(project.folder, round); !known) return known;
    const Result<RoundDetail> detail = load_round_detail(project.folder, round);
    if (!detail) return std::unexpected(detail.error());
    const Result<Implementation> candidate = kept_implementation(detail->candidate);
    if (!candidate) return std::unexpected(candidate.error());
    Project kept = project;
    const Variant& as_it_was = candidate->variant;
    const auto variant = std::ranges::find(kept.variants, as_it_was.name, &Variant::name);
    if (variant == kept.variants.end()) return fail(say("the project has no variant `{}` any more", as_it_was.name));
    *variant = as_it_was;
    for (Tunable& tunable : variant->tunables) {
        const auto chosen = candidate->configuration.find(tunable.name);
        if (chosen != candidate->configuration.end()) tunable.value = chosen->second;
    }
    add_dispatch(detail->round, kept);
    if (const Diagnostics diagnostics = validate(kept); !diagnostics.empty()) {
        return fail(say("round {} does not fit the project as it is now: {}", round, to_string(diagnostics.front())));
    }
    const Result<HistoryWriter> writer = HistoryWriter::open(project.folder);
    if (!writer) return std::unexpected(writer.error());
    if (auto done = write_sources(project.folder, *candidate); !done) return done;
    if (auto done = save_project(kept); !done) return done;
    project = std::move(kept);
    return writer->append(history_line_of_keep(round));
}

}  // namespace kernelgen
