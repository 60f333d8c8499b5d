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

Row indicator(Text name, const std::string& measured, const std::string& goal, bool reached, const Phrases& say) {
    return {say(name), measured, goal, say(reached)};
}

Row without_goal(Text name, const std::string& measured, const Phrases& say) {
    return {say(name), measured, say(Text::no_goal), say(Text::no_goal)};
}

Row unmeasured(Text name, const std::string& goal, const std::string& reason, const Phrases& say) {
    const std::string why = say(Text::not_measured_because, as_prose(say.of_engine(reason)));
    return {say(name), why, goal.empty() ? say(Text::no_goal) : goal, say(Text::not_measured)};
}

Row bandwidth_row(const RooflinePoint& point, const Phrases& say) {
    const std::string goal = "> " + say.percent(bandwidth_goal);
    if (!point.has_ceilings) return unmeasured(Text::bandwidth_use, goal, say(Text::no_ceilings), say);
    const double use = point.bandwidth_gbps / point.bandwidth_ceiling_gbps;
    const std::string measured = say(Text::share_of, say.percent(use), say.measure(point.bandwidth_gbps * 1e9, "B/s"),
                                     say.measure(point.bandwidth_ceiling_gbps * 1e9, "B/s"));
    return indicator(Text::bandwidth_use, measured, goal, use > bandwidth_goal, say);
}

Row cache_row(const BenchResult* timing, const Phrases& say) {
    const std::string goal = "> " + say.percent(cache_hit_goal);
    if (timing == nullptr) return unmeasured(Text::cache_hit, goal, say(Text::no_record), say);
    const auto& rate = timing->counters.cache_hit_rate;
    if (rate) return indicator(Text::cache_hit, say.percent(*rate), goal, *rate > cache_hit_goal, say);
    const std::string& reason = timing->counters.reason;
    return unmeasured(Text::cache_hit, goal, reason.empty() ? say(Text::no_counter) : reason, say);
}

Row compute_row(const RooflinePoint& point, const Phrases& say) {
    if (!point.has_ceilings) return unmeasured(Text::compute_use, "", say(Text::no_ceilings), say);
    if (!(point.gflops_ceiling > 0)) return unmeasured(Text::compute_use, "", say(Text::no_flop_ceiling), say);
    return without_goal(
        Text::compute_use,
        say(Text::share_of, say.percent(point.gflops / point.gflops_ceiling), say.measure(point.gflops * 1e9, "FLOP/s"),
            say.measure(point.gflops_ceiling * 1e9, "FLOP/s")),
        say);
}

/// Tile programs of all launches of a call, or nothing where the variant has no launch that can be planned.
std::optional<std::int64_t> program_count(const RoundDetail& detail, const Case& binding) {
    const auto plan = plan_launches(detail.definition, detail.candidate, binding.sizes);
    if (!plan || plan->launches.empty()) return std::nullopt;
    std::int64_t count = 0;
    for (const PlannedLaunch& launch : plan->launches) {
        count += std::accumulate(launch.grid.begin(), launch.grid.end(), std::int64_t{1}, std::multiplies{});
    }
    return count;
}

Row parallelism_row(const RoundView& view, const BenchResult* timing, const Case& binding, const Phrases& say) {
    if (timing == nullptr) return unmeasured(Text::parallelism, "", say(Text::no_record), say);
    const std::string lost = say.percent(timing->tail_waste);
    const auto programs = program_count(*view.detail, binding);
    const int threads = view.detail->environment.threads, multiprocessors = view.detail->environment.multiprocessors;
    std::string measured = say(Text::programs_unknown, lost);
    if (programs && multiprocessors > 0) {
        measured = say(Text::programs_on_multiprocessors, say.count(*programs), multiprocessors, lost);
    } else if (programs && threads > 0) {
        measured = say(Text::programs_on_threads, say.count(*programs), threads, lost);
    }
    return without_goal(Text::parallelism, measured, say);
}

Row roofline_row(const RooflinePoint& point, const Phrases& say) {
    if (!point.has_ceilings) return unmeasured(Text::roofline_share, "", say(Text::no_ceilings), say);
    const std::string share = say.percent(point.fraction);
    const std::string doubt = point.implausible ? ", " + say(Text::implausible) : "";
    return without_goal(Text::roofline_share, share + doubt, say);
}

/// What a GPU's hardware counters and sensors said, where they did.
std::vector<Row> device_rows(const BenchResult* timing, const RooflinePoint& point, double seconds,
                             const Phrases& say) {
    std::vector<Row> rows;
    if (timing == nullptr) return rows;
    const auto& values = timing->counters.values;
    const auto read = values.find("dram_read_bytes"), written = values.find("dram_write_bytes");
    if (read != values.end() && written != values.end()) {
        const double wanted = point.bandwidth_gbps * 1e9 * seconds;
        rows.push_back(
            without_goal(Text::device_traffic,
                         say(Text::read_and_written, say.measure(read->second, "B"), say.measure(written->second, "B"),
                             say.percent((read->second + written->second) / wanted)),
                         say));
    }
    for (const auto& [name, text] : {std::pair{"achieved_occupancy", Text::achieved_occupancy},
                                     std::pair{"multiprocessor_utilisation", Text::multiprocessor_use},
                                     std::pair{"tensor_utilisation", Text::tensor_use}}) {
        const auto found = values.find(name);
        if (found != values.end()) rows.push_back(without_goal(text, say.percent(found->second), say));
    }
    std::string conditions;
    for (const auto& [name, format] :
         {std::pair{"sm_clock_mhz", "SM {:.0f} MHz"}, std::pair{"memory_clock_mhz", "memory {:.0f} MHz"},
          std::pair{"temperature_c", "{:.0f} °C"}, std::pair{"power_w", "{:.0f} W"},
          std::pair{"energy_j", "{:.0f} J"}}) {
        const auto found = timing->conditions.find(name);
        if (found == timing->conditions.end()) continue;
        conditions += (conditions.empty() ? "" : ", ") + std::vformat(format, std::make_format_args(found->second));
    }
    if (!conditions.empty()) rows.push_back(without_goal(Text::device_conditions, conditions, say));
    return rows;
}

Row spread_row(const RoundCase& timed, const Phrases& say) {
    return indicator(Text::spread, say.percent(timed.rsd), "≤ " + say.percent(spread_limit), timed.rsd <= spread_limit,
                     say);
}

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

std::string bottleneck_section(const RoundView& view, const Phrases& say) {
    std::string text;
    for (const RoundCase* each : timed_cases(view.round)) text += case_text(view, *each, say);
    if (text.empty()) text = paragraph(say(Text::not_measured_because, why_not_timed(view.round, say)));
    return heading(3, say(Text::bottleneck_section)) + text;
}

}  // namespace kernelgen
