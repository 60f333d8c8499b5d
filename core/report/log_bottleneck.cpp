// SPDX-License-Identifier: Apache-2.0
#include <format>
#include <functional>
#include <numeric>

#include "core/project/launch_plan.h"
#include "core/report/bottleneck.h"
#include "core/report/log_sections.h"
#include "core/report/markdown.h"

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

Row bandwidth_row(const RooflinePoint& point, const Phrases& say) {
    const std::string goal = "> " + say.percent(bandwidth_goal);
    if (!point.has_ceilings) return unmeasured(say(Text::bandwidth_use), goal, say(Text::no_ceilings), say);
    const double use = point.bandwidth_gbps / point.bandwidth_ceiling_gbps;
    const std::string measured =
        say(Text::share_of, say.percent(use), say.value(metrics::bandwidth_gbps, point.bandwidth_gbps),
            say.value(metrics::bandwidth_ceiling_gbps, point.bandwidth_ceiling_gbps));
    return indicator(say(Text::bandwidth_use), measured, goal, use > bandwidth_goal, say);
}

Row cache_row(const BenchResult* timing, const Phrases& say) {
    const std::string goal = "> " + say.percent(cache_hit_goal);
    if (timing == nullptr) return unmeasured(say(metrics::cache_hit_rate), goal, say(Text::no_record), say);
    const auto& rate = timing->counters.cache_hit_rate;
    if (rate) return indicator(say(metrics::cache_hit_rate), say.percent(*rate), goal, *rate > cache_hit_goal, say);
    const std::string& reason = timing->counters.reason;
    return unmeasured(say(metrics::cache_hit_rate), goal, reason.empty() ? say(Text::no_counter) : reason, say);
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

}  // namespace

std::string finding_phrase(const BottleneckFinding& finding, const Phrases& say) {
    const auto sentence = [&](Text key) {
        return say(key, say.percent(finding.value), say.percent(finding.threshold));
    };
    switch (finding.kind) {
        case Bottleneck::near_ceiling: return sentence(Text::finding_near_ceiling);
        case Bottleneck::memory_bandwidth:
            return sentence(finding.value < finding.threshold ? Text::finding_memory_low : Text::finding_memory);
        case Bottleneck::compute: return sentence(Text::finding_compute);
        case Bottleneck::cache: return sentence(Text::finding_cache);
        case Bottleneck::parallelism: return sentence(Text::finding_parallelism);
        case Bottleneck::spread: return sentence(Text::finding_spread);
        case Bottleneck::unknown: break;
    }
    return say(Text::finding_unknown);
}

namespace {

std::string findings_text(const RoundCase& timed, const BenchResult* timing, const Phrases& say) {
    BenchResult summary;
    summary.candidate.relative_standard_deviation = timed.rsd;
    std::string text;
    for (const BottleneckFinding& finding : find_bottlenecks(timing != nullptr ? *timing : summary, timed.roofline)) {
        text += bullet(say(text.empty() ? Text::main_bottleneck : Text::also, finding_phrase(finding, say)));
    }
    return text + "\n";
}

std::string case_text(const RoundView& view, const RoundCase& timed, const Phrases& say) {
    const BenchResult* timing = timing_of(view, timed.binding);
    MarkdownTable table{
        {say(Text::column_indicator), say(Text::column_measured), say(Text::column_goal),
         say(Text::column_goal_reached)},
        {bandwidth_row(timed.roofline, say), cache_row(timing, say), parallelism_row(view, timing, timed.binding, say),
         compute_row(timed.roofline, say), roofline_row(timed.roofline, say), spread_row(timed, say)}};
    for (Row& row : device_rows(timing, timed.roofline, timed.seconds, say)) table.rows.push_back(std::move(row));
    std::string text;
    if (view.round.cases.size() > 1) text += paragraph("**" + as_prose(timed.binding.name) + "**");
    return text + to_markdown(table) + findings_text(timed, timing, say);
}

}  // namespace

std::string indicator_tables(const RoundView& view, const Phrases& say) {
    std::string text;
    for (const RoundCase* each : timed_cases(view.round)) text += case_text(view, *each, say);
    return text.empty() ? paragraph(say(Text::not_measured_because, why_not_timed(view.round, say))) : text;
}

std::string bottleneck_section(const RoundView& view, const Phrases& say) {
    return heading(3, say(Text::bottleneck_section)) + indicator_tables(view, say);
}

}  // namespace kernelgen
