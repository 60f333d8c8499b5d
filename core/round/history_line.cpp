// SPDX-License-Identifier: Apache-2.0
#include "core/round/history_line.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>

#include "core/base/json_reader.h"
#include "core/base/text.h"

namespace kernelgen {

using nlohmann::json;

namespace {

constexpr std::string_view schema_prefix = "kernelgen.round/";
constexpr std::size_t text_bytes = 400;

/// Cuts a text behind a sentence where one ends before the limit, else within one, but so that no character is torn.
Said cut(const Said& said, std::size_t limit) {
    const std::string& text = said;
    if (text.size() <= limit) return said;
    Said kept;
    for (const Said& each : said.parts()) {
        if (kept.text().size() + each.text().size() > limit) break;
        kept += each;
    }
    if (!kept.empty()) return kept + "…";
    std::size_t end = limit;
    while (end > 0 && (text[end] & 0xc0) == 0x80) --end;
    const std::string_view begin = std::string_view(text).substr(0, end);
    for (const std::string_view separator : {"; ", ". "}) {
        if (const std::size_t place = begin.rfind(separator); place != begin.npos)
            return text.substr(0, place + separator.size()) + "…";
    }
    return text.substr(0, end) + "…";
}

/// Rounds a number to six significant digits.
double rounded(double value) {
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 6).ptr;
    std::from_chars(text.data(), end, value);
    return value;
}

void round_numbers(json& value) {
    if (value.is_number_float()) value = rounded(value.get<double>());
    if (!value.is_structured()) return;
    for (json& element : value) round_numbers(element);
}

std::string line_of(json record, std::string_view kind) {
    record["schema"] = std::string(schema_prefix) + std::to_string(round_schema_version);
    record["kind"] = kind;
    round_numbers(record);
    return record.dump(-1, ' ', false, json::error_handler_t::replace);
}

/// The case that decides: the first status in their order that is not ok, else the lowest speedup.
std::size_t worst_case(const std::vector<RoundCase>& cases) {
    std::size_t chosen = 0;
    for (std::size_t i = 1; i < cases.size(); ++i) {
        const Status status = cases[i].status, so_far = cases[chosen].status;
        const bool worse =
            status == so_far ? cases[i].speedup_lower < cases[chosen].speedup_lower : worst(status, so_far) == status;
        if (worse) chosen = i;
    }
    return chosen;
}

/// The first `count` cases, the last of them exchanged for the worst where it is not among them.
std::vector<RoundCase> chosen_cases(const std::vector<RoundCase>& cases, std::size_t count) {
    std::vector<RoundCase> chosen(cases.begin(), cases.begin() + static_cast<std::ptrdiff_t>(count));
    const std::size_t decisive = worst_case(cases);
    if (decisive >= count && count > 0) chosen.back() = cases[decisive];
    return chosen;
}

}  // namespace

std::string history_line(const Round& round) {
    Round summary = round;
    summary.reason = cut(round.reason, text_bytes);
    summary.note = cut(round.note, text_bytes);
    if (summary.applied) summary.applied->change = cut(round.applied->change, text_bytes / 2);
    summary.case_count = std::max(round.case_count, static_cast<int>(round.cases.size()));
    std::string line = line_of(to_json(summary), "round");
    for (std::size_t count = round.cases.size(); count > 1 && line.size() > history_line_bytes;) {
        // Enough at a time that a round of very many cases is not written once for each of them.
        count = std::max<std::size_t>(count > 16 ? count / 2 : count - 1, 1);
        summary.cases = chosen_cases(round.cases, count);
        line = line_of(to_json(summary), "round");
    }
    if (line.size() <= history_line_bytes) return line;
    json without_said = to_json(summary);
    for (const char* each : {"note_said", "reason_said"}) without_said.erase(each);
    return line_of(std::move(without_said), "round");
}

std::string history_line(int round, const Lessons& lessons) {
    return line_of({{"round", round}, {"worked", lessons.worked}, {"failed", lessons.failed}, {"next", lessons.next}},
                   "lessons");
}

std::string history_line_of_keep(int round) { return line_of({{"round", round}}, "keep"); }

namespace {

Result<void> check_schema(const json& record) {
    const auto schema = record.find("schema");
    if (schema == record.end() || !schema->is_string()) return fail("names no schema");
    const std::string& text = schema->get_ref<const std::string&>();
    long long version = 0;
    if (!text.starts_with(schema_prefix) ||
        !parse_integer(std::string_view(text).substr(schema_prefix.size()), version)) {
        return fail(say("{} is not a round of kernelgen", in_backquotes(text)));
    }
    if (version > round_schema_version) {
        return fail(say("{} is newer than this program reads ({}); update kernelgen", text, round_schema_version));
    }
    return {};
}

Result<void> read_round(const json& record, History& history) {
    Result<Round> round = round_from_json(record);
    if (!round) return std::unexpected(round.error());
    history.current[round->variant] = round->number;
    history.rounds.push_back(std::move(*round));
    return {};
}

Result<void> read_lessons(const json& record, History& history) {
    Diagnostics diagnostics;
    Lessons lessons;
    int round = -1;
    const JsonPlace place(record, diagnostics);
    JsonObject object(place);
    object.required("round", round);
    object.optional("worked", lessons.worked);
    object.optional("failed", lessons.failed);
    object.optional("next", lessons.next);
    if (!diagnostics.empty()) return fail(to_string(diagnostics.front()));
    Lessons& kept = history.lessons[round];
    if (!lessons.worked.empty()) kept.worked = lessons.worked;
    if (!lessons.failed.empty()) kept.failed = lessons.failed;
    if (!lessons.next.empty()) kept.next = lessons.next;
    return {};
}

Result<void> read_keep(const json& record, History& history) {
    Diagnostics diagnostics;
    int number = -1;
    const JsonPlace place(record, diagnostics);
    JsonObject(place).required("round", number);
    if (!diagnostics.empty()) return fail(to_string(diagnostics.front()));
    const auto round = std::ranges::find(history.rounds, number, &Round::number);
    if (round == history.rounds.end()) return fail("keeps a round that is not recorded before it");
    history.current[round->variant] = number;
    return {};
}

}  // namespace

Result<void> read_history_line(std::string_view line, History& history) {
    const json record = json::parse(line.begin(), line.end(), nullptr, false);
    if (!record.is_object()) return fail("is no record; it may have been torn by a crash");
    if (const Result<void> known = check_schema(record); !known) return known;
    const auto kind = record.find("kind");
    if (kind != record.end() && *kind == "round") return read_round(record, history);
    if (kind != record.end() && *kind == "lessons") return read_lessons(record, history);
    if (kind != record.end() && *kind == "keep") return read_keep(record, history);
    return fail("is of a kind that this program does not know");
}

}  // namespace kernelgen
