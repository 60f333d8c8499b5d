// SPDX-License-Identifier: Apache-2.0
#include "core/scaling/amax_records.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "core/base/json_reader.h"
#include "core/base/text.h"
#include "core/base/text_file.h"
#include "core/scaling/read_amax.h"

namespace kernelgen {
namespace {

constexpr std::uint64_t most_record_bytes = 256ull << 20;
constexpr std::size_t most_record_errors = 20;

/// One line of a file.
struct RecordLine {
    std::string name;
    std::optional<std::int64_t> step;
    std::vector<double> amax;  ///< of the tensor, or of each channel
    bool is_per_channel = false;
    std::optional<double> relative_error;
};

void read(const JsonPlace& place, RecordLine& line) {
    JsonObject object(place);
    object.required("name", line.name);
    object.optional("step", line.step);
    object.optional("amax", AmaxList{line.amax, &line.is_per_channel});
    object.optional("relative_error", line.relative_error);
    object.finish();
}

/// Puts lines together to tensors, and says what is wrong with them.
class RecordCollector {
public:
    explicit RecordCollector(std::string_view file) : file_(file) {}

    void error(std::size_t line, Said message, Said suggestion = "") {
        if (diagnostics_.size() < most_record_errors)
            diagnostics_.push_back({file_, "line " + std::to_string(line), std::move(message), std::move(suggestion)});
    }
    bool is_full() const { return diagnostics_.size() >= most_record_errors; }
    void add(std::size_t number, RecordLine line);
    Validated<std::vector<RecordedTensor>> result();

private:
    std::optional<Said> problem(const RecordLine& line) const;
    RecordedTensor& tensor(const std::string& name) {
        const auto [place, is_new] = places_.try_emplace(name, tensors_.size());
        if (is_new) tensors_.push_back({.name = name});
        return tensors_[place->second];
    }

    std::string file_;
    Diagnostics diagnostics_;
    std::vector<RecordedTensor> tensors_;
    std::map<std::string, std::size_t> places_;
};

std::optional<Said> RecordCollector::problem(const RecordLine& line) const {
    if (line.name.empty()) return "the name is empty";
    const bool has_amax = !line.amax.empty();
    if (!has_amax && !line.relative_error) return "expected an amax or a relative error";
    const auto is_wrong = [](double value) { return !std::isfinite(value) || value < 0; };
    if (std::ranges::any_of(line.amax, is_wrong)) return "an amax must be a finite number that is not negative";
    if (line.relative_error && is_wrong(*line.relative_error))
        return "a relative error must be a finite number that is not negative";
    const auto known = places_.find(line.name);
    if (known == places_.end()) return std::nullopt;
    const RecordedTensor& before = tensors_[known->second];
    if (line.relative_error && before.relative_error) return say("`{}` has a relative error already", line.name);
    if (!has_amax || before.steps.empty()) return std::nullopt;
    const std::size_t channels = line.is_per_channel ? line.amax.size() : 0, earlier = before.steps[0].channels.size();
    if (channels != earlier) return say("`{}` had {} channels before, and has {} here", line.name, earlier, channels);
    return std::nullopt;
}

void RecordCollector::add(std::size_t number, RecordLine line) {
    if (const std::optional<Said> wrong = problem(line)) return error(number, *wrong);
    RecordedTensor& into = tensor(line.name);
    if (line.relative_error) into.relative_error = line.relative_error;
    if (line.amax.empty()) return;
    const std::int64_t next = into.steps.empty() ? 1 : into.steps.back().step + 1;
    AmaxStep step{line.step.value_or(next), std::ranges::max(line.amax), {}};
    if (!into.steps.empty() && step.step <= into.steps.back().step)
        return error(number,
                     say("step {} of `{}` does not come after step {}", step.step, line.name, into.steps.back().step),
                     "records are in the order of their steps, each step once");
    if (line.is_per_channel) step.channels = std::move(line.amax);
    into.steps.push_back(std::move(step));
}

Validated<std::vector<RecordedTensor>> RecordCollector::result() {
    if (diagnostics_.empty() && tensors_.empty())
        diagnostics_.push_back({file_, "", "no records: the file is empty", "see docs/SCALING.md for what it holds"});
    if (!diagnostics_.empty()) return std::unexpected(diagnostics_);
    return std::move(tensors_);
}

void collect_json_line(std::string_view text, std::size_t number, const std::string& file, RecordCollector& all) {
    const Validated<nlohmann::json> document = parse_json(text, file);
    if (!document) return all.error(number, document.error().front().message);
    Diagnostics diagnostics;
    RecordLine line;
    read(JsonPlace(*document, diagnostics), line);
    if (diagnostics.empty()) return all.add(number, std::move(line));
    all.error(number, to_string({"", diagnostics[0].where, diagnostics[0].message, diagnostics[0].suggestion}));
}

constexpr std::string_view csv_columns[] = {"step", "name", "amax", "relative_error"};

/// The place of each column; nothing where the first line names others.
std::optional<std::map<std::string, std::size_t>> columns_of(std::string_view header) {
    std::map<std::string, std::size_t> columns;
    for (const std::string& each : split(header, ',')) {
        const std::string name(trim(each));
        if (!std::ranges::contains(csv_columns, name) || !columns.try_emplace(name, columns.size()).second)
            return std::nullopt;
    }
    if (!columns.contains("name") || columns.size() < 2) return std::nullopt;
    return columns;
}

/// Reads a cell; an empty one is none.
class CsvCells {
public:
    CsvCells(std::vector<std::string> cells, const std::map<std::string, std::size_t>& columns)
        : cells_(std::move(cells)), columns_(columns) {}

    std::string_view operator[](const std::string& column) const {
        const auto found = columns_.find(column);
        return found == columns_.end() ? "" : trim(cells_[found->second]);
    }

private:
    std::vector<std::string> cells_;
    const std::map<std::string, std::size_t>& columns_;
};

void collect_csv_line(std::string_view text, std::size_t number, const std::map<std::string, std::size_t>& columns,
                      RecordCollector& all) {
    std::vector<std::string> split_cells = split(text, ',');
    if (split_cells.size() != columns.size())
        return all.error(number, say("{} cells, and the first line has {}", split_cells.size(), columns.size()));
    const CsvCells cells(std::move(split_cells), columns);
    RecordLine line{.name = std::string(cells["name"])};
    if (long long step = 0; parse_integer(cells["step"], step)) line.step = step;
    else if (!cells["step"].empty())
        return all.error(number, say("{} is no step: give an integer", in_backquotes(cells["step"])));
    for (const std::string& each : split(cells["amax"], ' ')) {
        if (double amax = 0; parse_number(each, amax)) line.amax.push_back(amax);
        else if (!each.empty()) return all.error(number, say("{} is no number", in_backquotes(each)));
    }
    line.is_per_channel = line.amax.size() > 1;
    if (double error = 0; parse_number(cells["relative_error"], error)) line.relative_error = error;
    else if (!cells["relative_error"].empty())
        return all.error(number, say("{} is no number", in_backquotes(cells["relative_error"])));
    all.add(number, std::move(line));
}

}  // namespace

Validated<std::vector<RecordedTensor>> parse_amax_records(std::string_view text, std::string_view file) {
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    RecordCollector all(file);
    std::optional<std::map<std::string, std::size_t>> columns;
    std::size_t number = 0;
    while (!text.empty() && !all.is_full()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = trim(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        ++number;
        if (line.empty() || line.starts_with('#')) continue;
        if (columns) collect_csv_line(line, number, *columns, all);
        else if (line.starts_with('{')) collect_json_line(line, number, std::string(file), all);
        else if (columns = columns_of(line); !columns) {
            all.error(number, "neither JSON lines nor CSV with these columns: step, name, amax, relative_error",
                      "see docs/SCALING.md for what a file of records holds");
            break;
        }
    }
    return all.result();
}

Validated<std::vector<RecordedTensor>> read_amax_records(const std::filesystem::path& file) {
    const Result<std::string> text = read_text_file(file, most_record_bytes);
    if (!text) return std::unexpected(as_diagnostics(text.error()));
    return parse_amax_records(*text, file.string());
}

}  // namespace kernelgen
