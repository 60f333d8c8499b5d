// SPDX-License-Identifier: Apache-2.0
#include "core/report/report_sections.h"

#include <algorithm>
#include <format>

#include "core/base/text.h"
#include "core/diagnose/diagnose.h"
#include "core/diagnose/evidence.h"
#include "core/report/diagnosis_words.h"
#include "core/report/markdown.h"
#include "core/tune/tuning_file.h"

namespace kernelgen {

namespace {

/// "BLOCK_M: 64 → 16; source": what differs from the parent.
std::string difference_phrase(const RoundView& view, const Phrases& say) {
    if (!view.change) return view.round.parent ? say(Text::no_record) : say(Text::none);
    std::vector<std::string> parts;
    for (const Difference& each : view.change->differences) {
        const std::string part = say(each.part, each.name);
        const bool is_short = each.before && each.after && each.before->size() + each.after->size() < 60;
        parts.push_back(is_short ? part + ": " + in_code(*each.before) + " → " + in_code(*each.after) : part);
    }
    if (!view.change->source_difference.empty()) parts.push_back(say(Text::report_source_changed));
    if (!view.change->body_difference.empty()) parts.push_back(say(Text::report_body_changed));
    for (const auto& [file, difference] : view.change->file_differences) parts.push_back(in_code(file));
    return parts.empty() ? say(Text::none) : join(parts, "; ");
}

std::vector<std::string> evolution_row(const RoundView& view, const Phrases& say) {
    const Round& round = view.round;
    const RoundCase* timed = deciding_case(round);
    const std::string unknown = say(Text::not_measured);
    return {std::to_string(round.number),
            in_code(round.variant) + ", " + as_prose(round.device),
            say(round.change),
            difference_phrase(view, say),
            in_code(to_string(round.status)),
            timed ? say.value(metrics::seconds, timed->seconds) : unknown,
            timed ? say.value(metrics::gflops, timed->roofline.gflops) : unknown,
            timed ? say.value(metrics::bandwidth_gbps, timed->roofline.bandwidth_gbps) : unknown,
            timed ? say.speedup_of(*timed) : unknown,
            timed ? gain_phrase(view, say) : unknown,
            round.note.empty() ? say(Text::not_noted) : as_prose(say.of_engine(round.note))};
}

/// What the findings of a round's deciding case are, and the strategies that may mend them.
std::string advice_on(const RoundView& view, const RuleBook& book, const Phrases& say) {
    const RoundCase* timed = deciding_case(view.round);
    if (timed == nullptr)
        return bullet(say(Text::advice_failed, view.round.number, in_code(to_string(view.round.status))));
    const Diagnosis diagnosis = diagnose(evidence_of(detail_of(view), timed->binding), book.rules);
    std::string text;
    for (const Finding& each : diagnosis.findings) {
        const FindingWords words = words_of(each, diagnosis.evidence, book.rules, say);
        std::string advice = say(Text::finding_line, words.title, words.gain.empty() ? words.confidence : words.gain);
        if (!each.strategies.empty())
            advice += say(Text::sentence_separator) + say(Text::finding_strategies, in_codes(each.strategies));
        text += bullet(as_prose(timed->binding.name) + ": " + advice);
    }
    return text;
}

bool was_tuned(const Project& project, const Round& round) {
    return std::ranges::any_of(tuning_numbers(project.folder), [&](int number) {
        const Result<Tuning> tuning = load_tuning(project.folder, number);
        return tuning && tuning->head.variant == round.variant && tuning->head.device == round.device &&
               tuning->outcome.has_value();
    });
}

/// The highest speedup so far, after each comparable round.
std::string best_so_far(const RoundGroup& group, const Phrases& say) {
    std::vector<std::string> steps;
    double best = 0;
    for (const Round* each : group) {
        const double speedup = deciding_case(*each)->speedup;
        if (speedup <= best) continue;
        best = speedup;
        steps.push_back(say(Text::report_best_step, each->number, say.ratio(best)));
    }
    return join(steps, " → ");
}

}  // namespace

std::vector<TellingRound> telling_rounds(const ReportedProject& reported) {
    const std::vector<RoundGroup> groups = groups_of(reported.history);
    std::vector<TellingRound> telling;
    for (const Round& round : reported.history.rounds) {
        auto found =
            std::ranges::find_if(telling, [&](const TellingRound& each) { return each.round->device == round.device; });
        if (found == telling.end()) {
            telling.push_back({&round, {}});
            found = std::prev(telling.end());
        }
        if (found->group.empty()) found->round = &round;
        for (const RoundGroup& group : groups) {
            if (group.back() != &round) continue;
            RoundGroup own = group;
            std::erase_if(own, [&](const Round* each) { return !has_present_definition(*each, reported.project); });
            const bool of_project = !own.empty() && is_of_project(round, reported.project);
            if (!of_project && !found->group.empty() && found->of_project) continue;
            if (!of_project) own = group;
            *found = {&best_of(own), own, of_project};
        }
    }
    return telling;
}

std::string evolution_section(const ReportedProject& reported, const Phrases& say) {
    MarkdownTable table{say.all(Text::column_round, Text::column_variant, Text::column_change,
                                Text::report_what_changed, Text::column_status, metrics::seconds, metrics::gflops,
                                metrics::bandwidth_gbps, say.speedup_title(), Text::report_gain, Text::column_reason),
                        {}};
    for (const Round& each : reported.history.rounds)
        table.rows.push_back(evolution_row(view_of(reported.project.folder, reported.history, each), say));
    return heading(3, say(Text::report_evolution)) + paragraph(say(Text::report_evolution_rule)) + to_markdown(table);
}

std::string roofline_section(const History& history, const Phrases& say) {
    MarkdownTable table{say.all(Text::report_step, Text::column_case, metrics::intensity, metrics::bandwidth_gbps,
                                metrics::gflops, metrics::fraction),
                        {}};
    const auto change = [&](const Metric& metric, double before, double after) {
        return say.value(metric, before) + " → " + say.value(metric, after);
    };
    for (const Round& round : history.rounds) {
        const Round* before = compared_with(history, round);
        if (before == nullptr || !comparable(*before, round)) continue;
        for (const RoundCase* each : timed_cases(round)) {
            const RoundCase* earlier = timed_case(*before, each->binding);
            if (earlier == nullptr || !each->roofline.has_ceilings || !earlier->roofline.has_ceilings) continue;
            const RooflinePoint &from = earlier->roofline, &to = each->roofline;
            table.rows.push_back({std::format("{} → {}", before->number, round.number), as_prose(each->binding.name),
                                  change(metrics::intensity, from.intensity, to.intensity),
                                  change(metrics::bandwidth_gbps, from.bandwidth_gbps, to.bandwidth_gbps),
                                  change(metrics::gflops, from.gflops, to.gflops),
                                  change(metrics::fraction, from.fraction, to.fraction)});
        }
    }
    const std::string text = heading(3, say(Text::report_roofline));
    return text + (table.rows.empty() ? paragraph(say(Text::report_no_steps)) : to_markdown(table));
}

std::string trend_section(const std::vector<TellingRound>& telling, const History& history, const Phrases& say) {
    std::string text = heading(3, say(Text::report_trend));
    for (const TellingRound& each : telling) {
        if (each.group.empty()) continue;
        const Round &first = *each.group.front(), &best = *each.round;
        const double gain = deciding_case(best)->speedup / deciding_case(first)->speedup - 1;
        text += bullet(as_prose(best.device) + ": " + best_so_far(each.group, say));
        text += bullet(best.number == first.number ? say(Text::report_first_is_best, as_prose(best.device), best.number)
                                                   : say(Text::report_gain_over_first, as_prose(best.device),
                                                         best.number, say.gain(gain), first.number));
    }
    const auto failed = std::ranges::count_if(history.rounds, [](const Round& each) {
        return each.status != Status::ok && each.status != Status::cancelled;
    });
    return text + bullet(say(Text::failed_rounds, failed, history.rounds.size())) + "\n";
}

std::string recommendation_section(const ReportedProject& reported, const std::vector<TellingRound>& telling,
                                   const Validated<RuleBook>& book, const Phrases& say) {
    std::string text = heading(3, say(Text::report_recommendations));
    for (const TellingRound& each : telling) {
        const Round& round = *each.round;
        if (book) text += advice_on(view_of(reported.project.folder, reported.history, round), *book, say);
        const bool is_timed = deciding_case(round) != nullptr;
        if (is_timed && !round.target_reached)
            text += bullet(say(Text::advice_target, as_prose(round.device), say.number(round.target_speedup)));
        const Variant* variant = reported.project.find_variant(round.variant);
        if (is_timed && variant != nullptr && !variant->tunables.empty() && !was_tuned(reported.project, round))
            text += bullet(say(Text::advice_tune, in_code(round.variant), as_prose(round.device)));
        const auto current = reported.history.current.find(round.variant);
        if (is_timed && current != reported.history.current.end() && current->second != round.number)
            text += bullet(say(Text::advice_keep, round.number, in_code(round.variant)));
    }
    const int planned = reported.project.performance.max_rounds;
    return text + bullet(say.rounds_spent(reported.history.rounds.size(), planned)) + "\n";
}

std::string noted_lessons(const History& history, const Phrases& say) {
    MarkdownTable table{say.all(Text::column_round, Text::lessons_worked, Text::lessons_failed, Text::lessons_next),
                        {}};
    const auto or_none = [&](const std::string& text) { return text.empty() ? say(Text::none) : as_prose(text); };
    for (const auto& [round, lessons] : history.lessons)
        table.rows.push_back(
            {std::to_string(round), or_none(lessons.worked), or_none(lessons.failed), or_none(lessons.next)});
    return table.rows.empty() ? "" : heading(3, say(Text::lessons_section)) + to_markdown(table);
}

std::string method_section(const Phrases& say) {
    std::string text = heading(3, say(Text::report_method));
    for (const Text each :
         {Text::method_verified, Text::method_timed, Text::method_interval, Text::method_roofline, Text::method_groups})
        text += bullet(say(each));
    MarkdownTable table{say.all(Text::column_name, Text::report_unit, Text::report_meaning), {}};
    for (const Metric& each :
         {metrics::speedup, metrics::seconds, metrics::relative_standard_deviation, metrics::p_value,
          metrics::intensity, metrics::bandwidth_gbps, metrics::gflops, metrics::attainable_gbps, metrics::fraction,
          metrics::cache_hit_rate, metrics::max_absolute, metrics::mean_absolute, metrics::p99_absolute})
        table.rows.push_back(
            {say(each), each.unit.empty() ? say(Text::none) : std::string(each.unit), say.of_engine(each.meaning)});
    return text + "\n" + heading(3, say(Text::report_numbers)) + to_markdown(table);
}

std::vector<Chart> charts_of(const ReportedProject& reported, const Phrases& say) {
    std::vector<Chart> charts;
    const auto add = [&](std::optional<Chart> chart) {
        if (chart) charts.push_back(std::move(*chart));
    };
    const std::vector<TellingRound> telling = telling_rounds(reported);
    for (const TellingRound& each : telling) {
        add(speedup_chart(reported.history, each.round->device, say));
        const RoundView view = view_of(reported.project.folder, reported.history, *each.round);
        if (!view.detail) continue;
        add(roofline_chart(reported.history, each.round->device, view.detail->ceilings, say));
        for (const CaseAccuracy& check : view.detail->verification.cases) {
            if (check.own_case) add(error_chart(check, say));
        }
    }
    return charts;
}

}  // namespace kernelgen
