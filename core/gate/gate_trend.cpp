// SPDX-License-Identifier: Apache-2.0
#include "core/gate/gate_trend.h"

#include <algorithm>
#include <utility>

#include "core/gate/gate_history.h"
#include "core/gate/gate_words.h"
#include "core/report/markdown.h"
#include "core/report/plot.h"

namespace kernelgen {

namespace {

constexpr std::size_t most_series = 6;  ///< that the page has colours for

bool may_be_joined(const GateCheck& a, const GateCheck& b) {
    return a.round == b.round && a.environment == b.environment && a.archived == b.archived;
}

void add_point(Trend& trend, std::span<const GateCheck> checks, std::size_t place, const GatedCase& checked) {
    auto found =
        std::ranges::find_if(trend.cases, [&](const Case& each) { return is_same_case(each, checked.binding); });
    if (found == trend.cases.end()) found = trend.cases.insert(found, checked.binding);
    const auto binding = static_cast<std::size_t>(found - trend.cases.begin());
    TrendLine* last = nullptr;
    for (TrendLine& each : trend.lines) {
        if (each.binding == binding) last = &each;
    }
    if (last == nullptr || !may_be_joined(checks[last->points.back().check], checks[place]))
        last = &trend.lines.emplace_back(TrendLine{binding, {}});
    last->points.push_back({place, &checked});
}

/// The threshold of the last check, where all of its cases have the same.
std::optional<double> last_threshold(std::span<const GateCheck> checks) {
    std::optional<double> share;
    for (const GatedCase& each : checks.back().cases) {
        if (share && *share != each.threshold.share) return std::nullopt;
        share = each.threshold.share;
    }
    return share;
}

std::string tip_of(const GateCheck& check, const GatedCase& checked, const Phrases& say) {
    return checked.binding.name + ", " + check.time + ": " + ratio_words(checked, say) + ", " +
           verdict_words(checked, say);
}

void draw_line(Plot& plot, const TrendLine& line, std::span<const GateCheck> checks, const Phrases& say) {
    const std::string series = "series-" + std::to_string(line.binding);
    std::optional<SvgPoint> before;
    for (const auto& [place, checked] : line.points) {
        const auto x = static_cast<double>(place + 1);
        const SvgPoint now = plot.at(x, checked->ratio.median);
        plot.drawing().line(plot.at(x, checked->ratio.lower), plot.at(x, checked->ratio.upper), series);
        if (before) plot.drawing().line(*before, now, series);
        plot.drawing().disc(now, 3.5, series, tip_of(checks[place], *checked, say));
        if (is_worse(*checked)) plot.drawing().cross(now, 6, "failed", tip_of(checks[place], *checked, say));
        before = now;
    }
}

/// One variant on one device: its chart and a line for each case of the last check.
void add_part(ReportedGate& gate, std::span<const GateCheck> checks, const Phrases& say) {
    const GateCheck& last = checks.back();
    const auto count = [&](GateOutcome outcome) {
        return std::ranges::count_if(checks, [&](const GateCheck& each) { return outcome_of(each) == outcome; });
    };
    const auto worse = count(GateOutcome::slower), failed = count(GateOutcome::failed);
    gate.markdown += paragraph(say(Text::gate_checks, in_code(last.variant), as_prose(last.device), checks.size(),
                                   worse, failed, as_prose(last.time), last.round));
    if (last.status != Status::ok)
        gate.markdown += bullet(say(last.status) + " " + as_prose(say.of_engine(last.reason)));
    for (const GatedCase& each : last.cases)
        gate.markdown += bullet(say(Text::gate_case, as_prose(each.binding.name), verdict_words(each, say),
                                    ratio_words(each, say), threshold_words(each.threshold, say)));
    if (!last.hint.empty()) gate.markdown += bullet(as_prose(say.of_engine(last.hint)));
    gate.markdown += "\n";
    if (auto chart = trend_chart(checks, say)) gate.charts.push_back(std::move(*chart));
}

}  // namespace

Trend trend_of(std::span<const GateCheck> checks) {
    Trend trend;
    for (std::size_t place = 0; place < checks.size(); ++place) {
        for (const GatedCase& each : checks[place].cases) {
            if (each.runs > 0) add_point(trend, checks, place, each);
        }
    }
    return trend;
}

std::optional<Chart> trend_chart(std::span<const GateCheck> checks, const Phrases& say) {
    const Trend trend = trend_of(checks);
    if (trend.lines.empty()) return std::nullopt;
    std::vector<double> ratios = {1};
    for (const TrendLine& line : trend.lines) {
        for (const auto& [place, checked] : line.points)
            ratios.insert(ratios.end(), {checked->ratio.lower, checked->ratio.upper});
    }
    PlotAxis x = axis_for({1, static_cast<double>(checks.size())}, false, say(Text::gate_check_number));
    x.whole = true;
    Chart chart{say(Text::chart_gate, checks.back().variant, checks.back().device), ""};
    Plot plot(chart.title, x, axis_for(ratios, false, say(Text::gate_ratio)));
    plot.drawing().line(plot.at(x.from, 1), plot.at(x.to, 1), "ink");
    if (const auto share = last_threshold(checks)) {
        for (const double limit : {1 - *share, 1 + *share}) {
            if (limit > plot.y().from && limit < plot.y().to)
                plot.drawing().line(plot.at(x.from, limit), plot.at(x.to, limit), "limit");
        }
    }
    std::vector<std::string> names;
    for (const Case& each : trend.cases) {
        if (names.size() < most_series) names.push_back(each.name);
    }
    for (const TrendLine& line : trend.lines) {
        if (line.binding < most_series) draw_line(plot, line, checks, say);
    }
    plot.legend(names);
    chart.svg = plot.drawing().markup();
    return chart;
}

ReportedGate reported_gate(const std::filesystem::path& project_folder, const Phrases& say) {
    ReportedGate gate;
    std::vector<std::pair<std::string, std::string>> places;
    const CheckHistory history = load_checks(project_folder);
    for (const GateCheck& each : history.checks) {
        std::pair place{each.variant, each.device};
        if (!std::ranges::contains(places, place)) places.push_back(std::move(place));
    }
    for (const auto& [variant, device] : places) add_part(gate, last_checks_of(history.checks, variant, device), say);
    if (!history.warning.empty()) gate.markdown += paragraph(as_prose(say.of_engine(history.warning)));
    return gate;
}

}  // namespace kernelgen
