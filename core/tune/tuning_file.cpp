// SPDX-License-Identifier: Apache-2.0
#include "core/tune/tuning_file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <format>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>

#include "core/base/json_reader.h"
#include "core/base/lines.h"
#include "core/base/text.h"
#include "core/project/configuration_text.h"
#include "core/project/own_files.h"

namespace kernelgen {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view extension = ".jsonl";
constexpr std::size_t most_warnings = 100;
constexpr int largest_number = 999'999'999;

std::string text_of(const nlohmann::json& record) {
    return record.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// The number that the name of a tuning's file tells.
std::optional<int> number_of(const fs::path& file) {
    long long number = 0;
    const bool is_one = file.extension() == extension && parse_integer(file.stem().string(), number) && number > 0 &&
                        number <= largest_number && file.stem() == std::to_string(number);
    return is_one ? std::optional(static_cast<int>(number)) : std::nullopt;
}

/// Keeps one result of each configuration: the last one, at the place of the first.
void keep_last_results(std::vector<Tried>& tried) {
    std::map<Configuration, std::size_t> places;
    std::vector<Tried> kept;
    for (Tried& each : tried) {
        const auto [place, is_new] = places.emplace(each.configuration, kept.size());
        if (is_new) kept.push_back(std::move(each));
        else kept[place->second] = std::move(each);
    }
    tried = std::move(kept);
}

/// Whether the configuration is the incumbent, or of values that take part.
bool is_of_tuning(const Configuration& configuration, const TuningHead& head) {
    if (configuration == head.incumbent) return true;
    return configuration.size() == head.parameters.size() &&
           std::ranges::all_of(head.parameters, [&](const Tunable& each) {
               const auto value = configuration.find(each.name);
               return value != configuration.end() && std::ranges::contains(each.values, value->second);
           });
}

/// Leaves out results of configurations that the tuning does not have: lines that were written by hand.
void leave_out_others(std::vector<Tried>& results, Tuning& tuning) {
    std::erase_if(results, [&](const Tried& each) {
        if (is_of_tuning(each.configuration, tuning.head)) return false;
        if (tuning.warnings.size() < most_warnings)
            tuning.warnings.push_back(say("tunings/{}.jsonl: {} is left out: the tuning has no such configuration",
                                          tuning.head.number, in_backquotes(configuration_text(each.configuration))));
        return true;
    });
}

/// Whether a line that this program wrote tells of a configuration that was tried. A text in a line cannot make it look
/// so, since quotes within texts have a backslash before them.
bool is_trial(std::string_view line) {
    return line.contains(R"("kind":"configuration")") || line.contains(R"("kind":"racing")") ||
           line.contains(R"("kind":"semifinal")");
}

Descriptor open_for_reading(const fs::path& path) { return Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC)); }

bool is_same_file(const Descriptor& file, const fs::path& path) {
    struct stat own{}, present{};
    return ::fstat(file.get(), &own) == 0 && ::stat(path.c_str(), &present) == 0 && own.st_dev == present.st_dev &&
           own.st_ino == present.st_ino;
}

/// What an open file holds, also where it was removed.
Result<std::string> content_of(const Descriptor& file) {
    return read_file(std::format("/proc/self/fd/{}", file.get()), std::numeric_limits<std::uint64_t>::max());
}

/// Reads the lines of a tuning's file that `is_skipped` does not hold for.
Result<Tuning> read_tuning_file(const fs::path& project_folder, int number, bool (*is_skipped)(std::string_view)) {
    const fs::path path = tuning_path(project_folder, number);
    std::error_code error;
    if (!fs::exists(path, error)) return fail(say("there is no tuning {}: no {}", number, path.string()));
    Tuning tuning;
    int line_number = 0, head_line = 0;
    Said problem = "is empty";
    const auto take = [&](std::string_view line) {
        ++line_number;
        if (trim(line).empty() || (head_line != 0 && is_skipped(line))) return;
        const bool is_first = head_line == 0;
        if (is_first) head_line = line_number;
        const Result<void> done = read_tuning_line(line, is_first, tuning);
        const Said why = done ? "" : done.error().message;
        if (is_first && done && tuning.head.number != number)
            problem = say("is that of tuning {}; name it {}{}", tuning.head.number, tuning.head.number, extension);
        else if (is_first) problem = why;
        else if (!done && tuning.warnings.size() < most_warnings)
            tuning.warnings.push_back(
                say("tunings/{}.jsonl:{}: this line was left out: it {}", number, line_number, why));
    };
    if (const Result<void> read = for_each_line(path, take); !read) return std::unexpected(read.error());
    const std::string place = head_line == 0 ? "" : std::format(":{}", head_line);
    if (!problem.empty()) return fail(say("cannot read {}{}: it {}", path.string(), place, problem));
    keep_last_results(tuning.tried);
    keep_last_results(tuning.semifinal);
    keep_last_results(tuning.across);
    leave_out_others(tuning.tried, tuning);
    leave_out_others(tuning.semifinal, tuning);
    return tuning;
}

}  // namespace

fs::path tunings_folder(const fs::path& project_folder) { return project_folder / own_files::tunings; }

fs::path tuning_path(const fs::path& project_folder, int number) {
    return tunings_folder(project_folder) / (std::to_string(number) + std::string(extension));
}

std::vector<int> tuning_numbers(const fs::path& project_folder) {
    std::vector<int> numbers;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(tunings_folder(project_folder), error)) {
        if (const std::optional<int> number = number_of(entry.path())) numbers.push_back(*number);
    }
    std::ranges::sort(numbers);
    return numbers;
}

std::vector<Said> files_without_number(const fs::path& project_folder) {
    std::vector<Said> why;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(tunings_folder(project_folder), error)) {
        if (entry.path().extension() != extension || number_of(entry.path())) continue;
        why.push_back(say("tunings/{} is left out: its name must be a number from 1 to {}, followed by .jsonl",
                          entry.path().filename().string(), largest_number));
    }
    std::ranges::sort(why, {}, &Said::text);
    return why;
}

Result<Tuning> load_tuning(const fs::path& project_folder, int number) {
    return read_tuning_file(project_folder, number, [](std::string_view) { return false; });
}

Result<Tuning> load_tuning_untried(const fs::path& project_folder, int number) {
    return read_tuning_file(project_folder, number, is_trial);
}

bool can_go_on(const fs::path& project_folder, const Tuning& last) {
    const TuningHead& head = last.head;
    if (!last.outcome) return true;
    std::vector<Tuning> tunings;
    for (int number = head.first; number <= head.number; ++number) {
        Result<Tuning> tuning = load_tuning_untried(project_folder, number);
        if (!tuning || tuning->head.first != head.first) continue;
        if (!tuning->outcome || !tuning->outcome->left_out.empty()) return true;
        tunings.push_back(std::move(*tuning));
    }
    const auto is_tuned = [&](const Case& each) {
        return std::ranges::contains(tunings, each, [](const Tuning& tuning) { return tuning.head.binding; });
    };
    return !std::ranges::all_of(head.cases, is_tuned) || lacks_race_across(tunings);
}

Result<TuningFile> TuningFile::open(const fs::path& project_folder) {
    std::error_code error;
    fs::create_directories(tunings_folder(project_folder), error);
    if (error) return fail(say("cannot make {}: {}", tunings_folder(project_folder).string(), error.message()));
    Result<FileLock> lock = FileLock::try_acquire(tunings_folder(project_folder) / ".lock", FileLock::Mode::exclusive);
    if (!lock) return std::unexpected(lock.error());
    if (!lock->held()) return fail("another process tunes this project: wait until it has ended, or stop it");
    return TuningFile(project_folder, std::move(*lock));
}

Result<void> TuningFile::begin(TuningHead& head) {
    const std::vector<int> known = tuning_numbers(folder_);
    const int own = files_.empty() ? 0 : files_.rbegin()->first;
    head.number = std::max(known.empty() ? 0 : known.back(), own) + 1;
    if (head.first == 0) head.first = head.number;
    number_ = head.number;
    path_ = tuning_path(folder_, number_);
    Result<void> written = append_line(path_, text_of(to_json(head)));
    if (!written) forget();  // a full disk has left it empty
    else go_on(number_);
    return written;
}

void TuningFile::go_on(int number) {
    number_ = number;
    path_ = tuning_path(folder_, number);
    if (!files_.contains(number)) files_.emplace(number, open_for_reading(path_));
}

void TuningFile::forget() {
    std::error_code ignored;
    fs::remove(path_, ignored);
    files_.erase(number_);
}

/// Makes sure that the file is still that of the tuning.
Result<void> TuningFile::bring_back() {
    Descriptor& file = files_.at(number_);
    if (is_same_file(file, path_)) return {};
    const std::string name = std::format("tunings/{}.jsonl", number_);
    const Result<std::string> content = content_of(file);
    std::error_code error;
    if (fs::exists(path_, error)) {  // an editor has saved it, perhaps
        const Result<std::string> present = content_of(open_for_reading(path_));
        if (!content || !present || first_line(*present) != first_line(*content))
            return fail(
                say("{} has become another file while its tuning goes on; move that away, and go on with "
                    "`kernelgen tune PROJECT --resume`",
                    name));
    } else {
        if (!content || !fs::exists(folder_, error)) return fail(say("{} was removed while its tuning goes on", name));
        fs::create_directories(path_.parent_path(), error);
        if (Result<void> written = write_file_atomic(path_, *content); !written) return written;
        warnings_.push_back(say("{} was removed or renamed while its tuning went on, and is written again", name));
    }
    file = open_for_reading(path_);
    return {};
}

Result<void> TuningFile::append_text(const std::string& text) {
    if (Result<void> there = bring_back(); !there) return there;
    return append_line(path_, text);
}

Result<void> TuningFile::append(const Tried& tried, TriedLine line) {
    return append_text(text_of(to_json(tried, line)));
}

Result<void> TuningFile::append(const TuningOutcome& outcome) { return append_text(text_of(to_json(outcome))); }

}  // namespace kernelgen
