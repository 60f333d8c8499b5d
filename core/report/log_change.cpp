// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/base/text.h"
#include "core/report/applied_words.h"
#include "core/report/log_sections.h"
#include "core/report/markdown.h"

namespace kernelgen {

namespace {

/// "[P, D] = [4096, 4096] f32", with the symbols in the definition's order where it is known.
std::string shape_phrase(const Case& binding, const std::vector<std::string>& order) {
    std::vector<std::string> symbols, sizes;
    for (const std::string& symbol : order) {
        const auto size = binding.sizes.find(symbol);
        if (size == binding.sizes.end()) continue;
        symbols.push_back(symbol);
        sizes.push_back(std::to_string(size->second));
    }
    std::string phrase(to_string(binding.dtype));
    if (!symbols.empty()) phrase = "[" + join(symbols, ", ") + "] = [" + join(sizes, ", ") + "] " + phrase;
    return as_prose(binding.name) + ": " + phrase;
}

std::vector<std::string> symbol_order(const RoundView& view, const Case& binding) {
    if (view.detail) return view.detail->definition.symbols;
    std::vector<std::string> symbols;
    for (const auto& [symbol, size] : binding.sizes) symbols.push_back(symbol);
    return symbols;
}

std::string shapes_phrase(const RoundView& view, const Phrases& say) {
    const Round& round = view.round;
    std::vector<std::string> shapes;
    for (const RoundCase& each : round.cases)
        shapes.push_back(shape_phrase(each.binding, symbol_order(view, each.binding)));
    if (shapes.empty()) return say(Text::none);
    const std::string phrase = join(shapes, "; ");
    if (round.cases.size() >= static_cast<std::size_t>(std::max(round.case_count, 0))) return phrase;
    return phrase + " (" + say(Text::shapes_left_out, round.cases.size(), round.case_count) + ")";
}

constexpr std::size_t most_files = 20;  ///< of a round that its line names

std::string source_phrase(const RoundView& view, const Phrases& say) {
    const std::string hash = in_code(view.round.source_hash.substr(0, 12));
    if (!view.detail) return say(Text::version_source, hash, say(Text::no_record));
    const Variant& variant = view.detail->candidate.variant;
    if (variant.source.empty()) return say(Text::library_source);
    const std::string folder = "rounds/" + std::to_string(view.round.number) + "/";
    std::vector<std::string> files = {in_code(folder + variant.source)};
    for (const auto& [file, text] : view.detail->candidate.files) {
        if (files.size() == most_files) {
            files.push_back("…");
            break;
        }
        files.push_back(in_code(folder + file));
    }
    return say(Text::version_source, join(files, ", "), hash);
}

std::string speedup_phrase(const Round& round, const Phrases& say) {
    const RoundCase* timed = deciding_case(round);
    if (timed == nullptr) return say(Text::not_measured_because, why_not_timed(round, say));
    return say.speedup_of(*timed);
}

/// A difference's text, with the lines over a hundred left out and counted.
std::string difference_block(const std::string& difference, const Phrases& say) {
    constexpr int most_lines = 100;
    std::size_t end = 0;
    for (int line = 0; line < most_lines && end < difference.size(); ++line) end = difference.find('\n', end) + 1;
    const auto left_out = std::count(difference.begin() + static_cast<std::ptrdiff_t>(end), difference.end(), '\n');
    std::string text = fenced("diff", difference.substr(0, end));
    if (left_out > 0) text += paragraph(say(Text::diff_cut, left_out));
    return text;
}

std::string content_of(const Change& change, const RoundView& view, const Phrases& say) {
    if (change.kind == ChangeKind::none) return paragraph(say(Text::change_nothing, *view.round.parent));
    MarkdownTable table{say.all(Text::column_part, Text::column_before, Text::column_after), {}};
    for (const Difference& each : change.differences) {
        table.rows.push_back({say(each.part, each.name), each.before ? in_code(*each.before) : say(Text::none),
                              each.after ? in_code(*each.after) : say(Text::none)});
    }
    std::string text = to_markdown(table);
    if (!change.body_difference.empty()) {
        text += paragraph(say(Text::change_body)) + difference_block(change.body_difference, say);
    }
    if (!change.source_difference.empty()) {
        const std::string source = as_prose(view.detail->candidate.variant.source);
        text += paragraph(say(Text::change_source, source)) + difference_block(change.source_difference, say);
    }
    for (const auto& [file, difference] : change.file_differences) {
        text += paragraph(say(Text::change_source, as_prose(file))) + difference_block(difference, say);
    }
    return text;
}

/// The lesson that a person noted, and in a line of its own the one that follows from what happened.
std::string lesson_text(Text label, const std::string& noted, const std::string& found, const Phrases& say) {
    std::string text;
    if (!noted.empty() || found.empty())
        text = bullet(say(Text::lesson, say(label), noted.empty() ? say(Text::lesson_missing) : as_prose(noted)));
    if (!found.empty()) text += bullet(say(Text::lesson, say(label), say(Text::lesson_found, as_prose(found))));
    return text;
}

/// The strategy by which the round was made, with what was expected and what came of it.
std::string applied_text(const Round& round, std::span<const Rule> rules, const Phrases& say) {
    if (!round.applied) return "";
    const AppliedWords words = words_of(round, rules, say);
    std::string text = paragraph(say(Text::applied_reason, as_prose(words.strategy), as_prose(words.why)));
    if (!words.finding.empty()) text += paragraph(say(Text::applied_because, as_prose(words.finding)));
    text += paragraph(say(Text::applied_expectation, words.expected));
    return text + paragraph(say(Text::applied_result, words.outcome));
}

}  // namespace

std::string version_section(const RoundView& view, const Phrases& say) {
    const Round& round = view.round;
    std::string text = heading(3, say(Text::version_section));
    text += bullet(round.parent ? say(Text::version_after, round.number, *round.parent)
                                : say(Text::version_first, round.number));
    text += bullet(say(Text::version_time, as_prose(round.time)));
    text += bullet(say(Text::version_variant, in_code(round.variant), as_prose(round.device)));
    text +=
        bullet(say(Text::version_baseline, round.baseline.empty() ? say(Text::no_baseline) : in_code(round.baseline)));
    text += bullet(say(Text::version_configuration, configuration_phrase(round.configuration, say)));
    text += bullet(source_phrase(view, say));
    text += bullet(say(Text::version_shapes, shapes_phrase(view, say)));
    text += bullet(say(Text::version_speedup, speedup_phrase(round, say)));
    text += bullet(say(Text::version_target, say.number(round.target_speedup)));
    if (round.budget_seconds > 0) text += bullet(say(Text::version_budget, say.measure(round.budget_seconds, "s")));
    return text + "\n";
}

std::string change_section(const RoundView& view, const Validated<RuleBook>& book, const Phrases& say) {
    const Round& round = view.round;
    std::string text = heading(3, say(Text::change_section));
    text += paragraph(say(Text::change_kind, say(round.change))) + paragraph(say(Text::change_content));
    if (!round.parent) {
        text += paragraph(say(Text::change_initial));
    } else if (view.change) {
        text += content_of(*view.change, view, say);
    } else {
        text += paragraph(say(Text::change_unknown, *round.parent, as_prose(say.of_engine(view.change_problem))));
    }
    text += applied_text(round, book ? std::span<const Rule>(book->rules) : std::span<const Rule>(), say);
    if (round.applied && round.note.empty()) return text;
    const std::string reason =
        round.note.empty() ? say(Text::change_reason_missing) : as_prose(say.of_engine(round.note));
    return text + paragraph(say(Text::change_reason, reason));
}

std::string lessons_section(const RoundView& view, const Phrases& say) {
    const Lessons& noted = view.lessons;
    const Lessons found = lessons_of(view.round, say);
    return heading(3, say(Text::lessons_section)) + lesson_text(Text::lessons_worked, noted.worked, found.worked, say) +
           lesson_text(Text::lessons_failed, noted.failed, found.failed, say) +
           lesson_text(Text::lessons_next, noted.next, found.next, say) + "\n";
}

}  // namespace kernelgen
