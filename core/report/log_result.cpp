// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/report/build_table.h"
#include "core/report/log_sections.h"
#include "core/report/markdown.h"
#include "core/strategy/gain.h"

namespace kernelgen {

namespace {

std::string speedup_of_case_phrase(const Round& round, const Phrases& say) {
    const RoundCase* timed = deciding_case(round);
    if (timed == nullptr) return say(Text::not_measured_because, why_not_timed(round, say));
    return say(Text::speedup_of_case, say.speedup_of(*timed), as_prose(timed->binding.name));
}

}  // namespace

std::string gain_phrase(const RoundView& view, const Phrases& say) {
    const RoundCase* timed = deciding_case(view.round);
    if (timed == nullptr) return say(Text::not_measured_because, why_not_timed(view.round, say));
    if (!view.round.parent) return say(Text::gain_first);
    if (view.compared_with == nullptr) return say(Text::gain_parent_gone, *view.round.parent);
    const int other = view.compared_with->number;
    if (!comparable(view.round, *view.compared_with)) return say(Text::gain_other_conditions, other);
    const RoundCase* before = timed_case(*view.compared_with, timed->binding);
    if (before == nullptr || !(before->speedup > 0)) return say(Text::gain_no_parent_time, other);
    const auto gain = gain_between(*before, *timed);
    const bool is_noise = gain && gain->lower <= 1 && gain->upper >= 1;
    return say(is_noise ? Text::gain_in_noise : Text::gain_over, say.gain(timed->speedup / before->speedup - 1), other,
               as_prose(timed->binding.name));
}

namespace {

std::string ended_phrase(const BenchResult& timing, const Phrases& say) {
    if (timing.ended_by == "interval") return say(Text::ended_interval);
    return timing.ended_by == "budget" ? say(Text::ended_budget) : say(Text::none);
}

std::vector<std::string> timing_row(const RoundView& view, const RoundCase& timed, const Phrases& say) {
    std::vector<std::string> row = {as_prose(timed.binding.name), say.value(metrics::seconds, timed.seconds),
                                    say.value(metrics::baseline_seconds, timed.baseline_seconds),
                                    say.speedup_of(timed)};
    const BenchResult* timing = timing_of(view, timed.binding);
    if (timing == nullptr) {
        const std::string gone = say(Text::no_record);
        row.insert(row.end(), {gone, gone, gone, say.percent(timed.rsd), gone, gone});
        return row;
    }
    row.push_back(say.ratio(timing->speedup.ratio_of_medians));
    row.push_back(say.value(metrics::p_value, timing->speedup.p_value));
    row.push_back(std::to_string(timing->speedup.pairs));
    row.push_back(say.percent(timing->candidate.relative_standard_deviation) + " / " +
                  say.percent(timing->baseline_summary.relative_standard_deviation));
    row.push_back(std::to_string(timing->candidate.outliers) + " / " +
                  std::to_string(timing->baseline_summary.outliers));
    row.push_back(ended_phrase(*timing, say));
    return row;
}

std::string timing_text(const RoundView& view, const Phrases& say) {
    MarkdownTable table{say.all(Text::column_case, metrics::seconds, metrics::baseline_seconds, say.speedup_title(),
                                metrics::ratio_of_medians, metrics::p_value, metrics::pairs,
                                say(Text::of_both_sides, say(metrics::relative_standard_deviation)), metrics::outliers,
                                Text::column_ended),
                        {}};
    for (const RoundCase* each : timed_cases(view.round)) table.rows.push_back(timing_row(view, *each, say));
    const std::string reason = table.rows.empty() ? why_not_timed(view.round, say) : "";
    return heading(4, say(Text::timing_heading)) +
           (table.rows.empty() ? paragraph(say(Text::not_measured_because, reason)) : to_markdown(table));
}

double bytes_moved(const RoundCase& timed) { return timed.roofline.bandwidth_gbps * 1e9 * timed.seconds; }

std::vector<std::string> size_row(const RoundCase& timed, const Phrases& say) {
    const RooflinePoint& point = timed.roofline;
    return {as_prose(timed.binding.name),
            say.measure(bytes_moved(timed), "B"),
            say.value(metrics::seconds, timed.seconds),
            say.value(metrics::bandwidth_gbps, point.bandwidth_gbps),
            say.value(metrics::gflops, point.gflops),
            point.has_ceilings ? say.value(metrics::attainable_gbps, point.attainable_gbps) : say(Text::not_measured),
            point.has_ceilings ? say.value(metrics::fraction, point.fraction) : say(Text::not_measured),
            say.ratio(timed.speedup)};
}

/// Names the case in which the kernel comes nearest to the roofline, or, without ceilings, moves most bytes a second.
std::string best_point_phrase(const std::vector<const RoundCase*>& timed, const Phrases& say) {
    const bool known = std::ranges::all_of(timed, [](const RoundCase* each) { return each->roofline.has_ceilings; });
    const RoundCase& best = **std::ranges::max_element(timed, {}, [&](const RoundCase* each) {
        return known ? each->roofline.fraction : each->roofline.bandwidth_gbps;
    });
    const std::string merit = known ? say(Text::of_the_roofline, say.percent(best.roofline.fraction))
                                    : say.value(metrics::bandwidth_gbps, best.roofline.bandwidth_gbps);
    return say(Text::best_working_point, as_prose(best.binding.name), merit);
}

/// A table of sizes and efficiencies; nothing for fewer than two timed cases.
std::string sizes_text(const RoundView& view, const Phrases& say) {
    std::vector<const RoundCase*> timed = timed_cases(view.round);
    std::erase_if(timed, [](const RoundCase* each) { return !(each->roofline.bandwidth_gbps > 0); });
    if (timed.size() < 2) return "";
    std::ranges::stable_sort(timed, {}, [](const RoundCase* each) { return bytes_moved(*each); });
    MarkdownTable table{say.all(Text::column_case, Text::column_bytes, metrics::seconds, metrics::bandwidth_gbps,
                                metrics::gflops, metrics::attainable_gbps, metrics::fraction, metrics::speedup),
                        {}};
    for (const RoundCase* each : timed) table.rows.push_back(size_row(*each, say));
    return heading(4, say(Text::sizes_heading)) + to_markdown(table) + paragraph(best_point_phrase(timed, say));
}

std::string builds_text(const RoundView& view, const Phrases& say) {
    if (!view.detail) return "";
    MarkdownTable table = build_table(*view.detail, say);
    for (std::string& each : table.header) each = as_prose(each);
    return table.rows.empty() ? "" : heading(4, say(Text::builds_heading)) + to_markdown(table);
}

void add_field(MarkdownTable& table, Text name, const std::string& value, const Phrases& say) {
    if (!value.empty()) table.rows.push_back({say(name), as_prose(say.of_engine(value))});
}

}  // namespace

std::string environment_section(const RoundView& view, const Phrases& say) {
    const std::string text = heading(4, say(Text::environment_heading));
    if (!view.detail) return text + paragraph(say(Text::environment_unknown, in_code(view.round.environment)));
    const Environment& environment = view.detail->environment;
    MarkdownTable table{say.all(Text::column_name, Text::column_value), {}};
    add_field(table, Text::column_device, view.round.device, say);
    add_field(table, Text::environment_hardware, environment.hardware, say);
    if (environment.threads > 0) add_field(table, Text::environment_threads, std::to_string(environment.threads), say);
    if (environment.multiprocessors > 0)
        add_field(table, Text::environment_multiprocessors, std::to_string(environment.multiprocessors), say);
    add_field(table, Text::environment_caches, environment.caches, say);
    if (environment.memory_gib > 0)
        add_field(table, Text::environment_memory, say.number(environment.memory_gib) + " GiB", say);
    add_field(table, Text::environment_clocks, environment.clocks, say);
    add_field(table, Text::environment_instructions, environment.instruction_set, say);
    add_field(table, Text::environment_system, environment.operating_system, say);
    add_field(table, Text::environment_compiler, environment.compiler, say);
    add_field(table, Text::environment_libraries, environment.libraries, say);
    add_field(table, Text::environment_driver, environment.driver, say);
    add_field(table, Text::environment_kernelgen, environment.kernelgen, say);
    add_field(table, Text::environment_fingerprint, view.round.environment, say);
    const bool measured = view.detail->ceilings.measured();
    add_field(table, Text::environment_ceilings, measured ? view.detail->ceilings.measured_at : say(Text::not_measured),
              say);
    return text + to_markdown(table);
}

namespace {

std::string warnings_text(const RoundView& view, const Phrases& say) {
    if (!view.detail) return "";
    std::string text;
    for (const Said& warning : view.detail->verification.warnings) text += bullet(as_prose(say.of_engine(warning)));
    if (const std::string& printed = view.detail->verification.printed; !printed.empty())
        text += bullet(as_prose(say.of_engine(kernelgen::say("the kernel printed: {}", printed))));
    for (const BenchResult& timing : view.detail->timings) {
        for (const Said& warning : timing.warnings) {
            text += bullet(as_prose(timing.binding.name) + ": " + as_prose(say.of_engine(warning)));
        }
    }
    return text.empty() ? "" : heading(4, say(Text::warnings_heading)) + text + "\n";
}

}  // namespace

std::string result_section(const RoundView& view, const Phrases& say) {
    const Round& round = view.round;
    std::string text = heading(3, say(Text::result_section));
    text += bullet(say(Text::result_status, to_string(round.status), say(round.status)));
    if (!round.reason.empty()) text += bullet(say(Text::result_reason, as_prose(say.of_engine(round.reason))));
    text += bullet(say(Text::result_speedup, speedup_of_case_phrase(round, say)));
    text += bullet(say(Text::result_gain, gain_phrase(view, say)));
    text += bullet(say(Text::result_target, say(round.target_reached))) + "\n";
    text += timing_text(view, say) + sizes_text(view, say) + accuracy_section(view, say);
    return text + builds_text(view, say) + environment_section(view, say) + warnings_text(view, say);
}

}  // namespace kernelgen
