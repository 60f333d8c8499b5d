// SPDX-License-Identifier: Apache-2.0
#include <format>
#include <functional>
#include <numeric>

#include "core/diagnose/diagnose.h"
#include "core/project/launch_plan.h"
#include "core/report/diagnosis_words.h"
#include "core/report/log_sections.h"
#include "core/report/markdown.h"
#include "core/round/noise.h"

namespace kernelgen {

namespace {

/// A line of the table of indicators.
using Row = std::vector<std::string>;

Row indicator(const std::string& name, const std::string& measured, const std::string& goal, bool reached,
              const Phrases& say) {
    return {name, measured, goal, say(reached)};
}

Row without_goal(const std::string& name, const std::string& measured, const Phrases& say) {
    return {name, measured, say(Text::no_goal), say(Text::no_goal)};
}

Row unmeasured(const std::string& name, const std::string& goal, const std::string& reason, const Phrases& say) {
    const std::string why = say(Text::not_measured_because, as_prose(say.of_engine(reason)));
    return {name, why, goal.empty() ? say(Text::no_goal) : goal, say(Text::not_measured)};
}

/// Adds to an indicator's row what its words leave out: the two bandwidths, and why there are none.
Row with_details(Row row, const std::string& name, const RoundCase& timed, const BenchResult* timing,
                 const Phrases& say) {
    const RooflinePoint& point = timed.roofline;
    if (name == metrics::bandwidth_use.name && point.has_ceilings)
        row[1] = say(Text::share_of, row[1], say.value(metrics::bandwidth_gbps, point.bandwidth_gbps),
                     say.value(metrics::bandwidth_ceiling_gbps, point.bandwidth_ceiling_gbps));
    else if (name == metrics::bandwidth_use.name) row = unmeasured(row[0], row[2], say(Text::no_ceilings), say);
    else if (name == metrics::cache_hit_rate.name && timing == nullptr)
        row = unmeasured(row[0], row[2], say(Text::no_record), say);
    return row;
}

/// The indicators that have goals.
std::vector<Row> goal_rows(const Evidence& evidence, const RoundCase& timed, const BenchResult* timing,
                           double target_speedup, const RuleBook& book, const Phrases& say) {
    std::vector<Row> rows;
    for (const Indicator& each : indicators_of(evidence, target_speedup, book.goals))
        rows.push_back(with_details(words_of(each, say), each.name, timed, timing, say));
    return rows;
}

Row compute_row(const RooflinePoint& point, const Phrases& say) {
    if (!point.has_ceilings) return unmeasured(say(Text::compute_use), "", say(Text::no_ceilings), say);
    if (!(point.gflops_ceiling > 0)) return unmeasured(say(Text::compute_use), "", say(Text::no_flop_ceiling), say);
    return without_goal(
        say(Text::compute_use),
        say(Text::share_of, say.percent(point.gflops / point.gflops_ceiling), say.value(metrics::gflops, point.gflops),
            say.value(metrics::gflops_ceiling, point.gflops_ceiling)),
        say);
}

/// Tile programs of all launches of a call, or nothing where the variant has no launch that can be planned.
std::optional<std::int64_t> program_count(const RoundDetail& detail, const Case& binding) {
    const auto plan = plan_launches(detail.definition, detail.candidate, binding);
    if (!plan || plan->launches.empty()) return std::nullopt;
    std::int64_t count = 0;
    for (const PlannedLaunch& launch : plan->launches) {
        count += std::accumulate(launch.grid.begin(), launch.grid.end(), std::int64_t{1}, std::multiplies{});
    }
    return count;
}

Row parallelism_row(const RoundView& view, const BenchResult* timing, const Case& binding, const Phrases& say) {
    if (timing == nullptr) return unmeasured(say(Text::parallelism), "", say(Text::no_record), say);
    const std::string lost = say.percent(timing->tail_waste);
    const auto programs = program_count(*view.detail, binding);
    const int threads = view.detail->environment.threads, multiprocessors = view.detail->environment.multiprocessors;
    std::string measured = say(Text::programs_unknown, lost);
    if (programs && multiprocessors > 0) {
        measured = say(Text::programs_on_multiprocessors, say.count(*programs), multiprocessors, lost);
    } else if (programs && threads > 0) {
        measured = say(Text::programs_on_threads, say.count(*programs), threads, lost);
    }
    return without_goal(say(Text::parallelism), measured, say);
}

Row roofline_row(const RooflinePoint& point, const Phrases& say) {
    if (!point.has_ceilings) return unmeasured(say(metrics::fraction), "", say(Text::no_ceilings), say);
    const std::string share = say.value(metrics::fraction, point.fraction);
    const std::string doubt = point.implausible ? ", " + say(Text::implausible) : "";
    return without_goal(say(metrics::fraction), share + doubt, say);
}

/// What a GPU's hardware counters and sensors said, where they did.
std::vector<Row> device_rows(const BenchResult* timing, const RooflinePoint& point, double seconds,
                             const Phrases& say) {
    std::vector<Row> rows;
    if (timing == nullptr) return rows;
    const auto& values = timing->counters.values;
    const auto read = values.find(metrics::dram_read_bytes.name), written = values.find(metrics::dram_write_bytes.name);
    if (read != values.end() && written != values.end()) {
        const double wanted = point.bandwidth_gbps * 1e9 * seconds;
        rows.push_back(without_goal(say(Text::device_traffic),
                                    say(Text::read_and_written, say.value(metrics::dram_read_bytes, read->second),
                                        say.value(metrics::dram_write_bytes, written->second),
                                        say.percent((read->second + written->second) / wanted)),
                                    say));
    }
    for (const Metric& metric :
         {metrics::achieved_occupancy, metrics::multiprocessor_utilisation, metrics::tensor_utilisation}) {
        const auto found = values.find(metric.name);
        if (found != values.end()) rows.push_back(without_goal(say(metric), say.value(metric, found->second), say));
    }
    std::string conditions;
    for (const Metric& metric : {metrics::sm_clock_mhz, metrics::memory_clock_mhz, metrics::temperature_c,
                                 metrics::power_w, metrics::energy_j}) {
        const auto found = timing->conditions.find(metric.name);
        if (found == timing->conditions.end()) continue;
        conditions += (conditions.empty() ? "" : say(Text::fact_separator)) + say(metric) + " " +
                      say.value(metric, found->second);
    }
    if (!conditions.empty()) rows.push_back(without_goal(say(Text::device_conditions), conditions, say));
    return rows;
}

Row spread_row(const RoundCase& timed, const Phrases& say) {
    return indicator(say(metrics::relative_standard_deviation), say.percent(timed.rsd),
                     "≤ " + say.percent(spread_limit), timed.rsd <= spread_limit, say);
}

std::string finding_text(const Finding& finding, const Diagnosis& diagnosis, const RuleBook& book, const Phrases& say) {
    const FindingWords words = words_of(finding, diagnosis.evidence, book.rules, say);
    std::string text = say(Text::finding_line, words.title, words.gain.empty() ? words.confidence : words.gain);
    text += say(Text::sentence_separator) + words.why;
    if (!words.confirm.empty()) text += " " + say(Text::finding_confirm, words.confirm);
    if (!finding.strategies.empty()) text += " " + say(Text::finding_strategies, in_codes(finding.strategies));
    if (!words.where.empty()) text += " " + say(Text::finding_where, in_code(words.where));
    return bullet(text);
}

std::string findings_text(const Diagnosis& diagnosis, const RuleBook& book, const Phrases& say) {
    std::string text;
    for (const Finding& each : diagnosis.findings) text += finding_text(each, diagnosis, book, say);
    if (diagnosis.findings.empty()) text = bullet(say(Text::finding_none));
    for (const LayoutAdvice& each : diagnosis.evidence.layouts) text += bullet(words_of(each, say));
    return text + "\n";
}

std::string case_text(const RoundView& view, const RoundCase& timed, const RuleBook& book, const Phrases& say) {
    const BenchResult* timing = timing_of(view, timed.binding);
    const Diagnosis diagnosis = diagnose(evidence_of(detail_of(view), timed.binding), book.rules);
    MarkdownTable table{{say(Text::column_indicator), say(Text::column_measured), say(Text::column_goal),
                         say(Text::column_goal_reached)},
                        goal_rows(diagnosis.evidence, timed, timing, view.round.target_speedup, book, say)};
    for (const Row& row : {parallelism_row(view, timing, timed.binding, say), compute_row(timed.roofline, say),
                           roofline_row(timed.roofline, say), spread_row(timed, say)})
        table.rows.push_back(row);
    for (Row& row : device_rows(timing, timed.roofline, timed.seconds, say)) table.rows.push_back(std::move(row));
    std::string text;
    if (view.round.cases.size() > 1) text += paragraph("**" + as_prose(timed.binding.name) + "**");
    return text + to_markdown(table) + findings_text(diagnosis, book, say);
}

}  // namespace

RoundDetail detail_of(const RoundView& view) {
    if (view.detail) return *view.detail;
    RoundDetail detail;
    detail.round = view.round;
    return detail;
}

std::string indicator_tables(const RoundView& view, const Validated<RuleBook>& book, const Phrases& say) {
    if (!book) return paragraph(say(Text::rules_unreadable, as_prose(say.of_engine(to_string(book.error())))));
    std::string text;
    for (const RoundCase* each : timed_cases(view.round)) text += case_text(view, *each, *book, say);
    return text.empty() ? paragraph(say(Text::not_measured_because, why_not_timed(view.round, say))) : text;
}

std::string bottleneck_section(const RoundView& view, const Validated<RuleBook>& book, const Phrases& say) {
    return heading(3, say(Text::bottleneck_section)) + indicator_tables(view, book, say);
}

}  // namespace kernelgen
