// SPDX-License-Identifier: Apache-2.0
#include "core/report/charts.h"

#include <algorithm>
#include <cmath>
#include <format>
#include <set>

#include "core/report/plot.h"
#include "core/round/best.h"

namespace kernelgen {

namespace {

constexpr std::size_t most_series = 6;

std::string series(std::size_t place) { return std::format("series-{}", place % most_series); }

/// The cases that have a colour, by name: the first that were timed.
std::vector<std::string> cases_of(const std::vector<const Round*>& rounds) {
    std::vector<std::string> names;
    for (const Round* round : rounds) {
        for (const RoundCase* each : timed_cases(*round)) {
            if (names.size() < most_series && !std::ranges::contains(names, each->binding.name))
                names.push_back(each->binding.name);
        }
    }
    return names;
}

std::vector<const Round*> rounds_on(const History& history, const std::string& device) {
    std::vector<const Round*> rounds;
    for (const Round& each : history.rounds) {
        if (each.device == device) rounds.push_back(&each);
    }
    return rounds;
}

const RoundCase* case_named(const Round& round, const std::string& name) {
    for (const RoundCase* each : timed_cases(round)) {
        if (each->binding.name == name) return each;
    }
    return nullptr;
}

/// The next round after `place` in which this case was timed under the same conditions, or null.
const Round* next_comparable(const std::vector<const Round*>& rounds, std::size_t place, const std::string& name) {
    for (std::size_t i = place + 1; i < rounds.size(); ++i) {
        if (comparable(*rounds[place], *rounds[i]) && case_named(*rounds[i], name) != nullptr) return rounds[i];
    }
    return nullptr;
}

/// Calls `draw(series, round, case, next)` for each coloured case of each round; `next` is the round to which it is
/// joined, or null.
template <class Draw>
void for_each_point(const std::vector<const Round*>& rounds, const std::vector<std::string>& names, Draw draw) {
    for (std::size_t n = 0; n < names.size(); ++n) {
        for (std::size_t i = 0; i < rounds.size(); ++i) {
            const RoundCase* timed = case_named(*rounds[i], names[n]);
            if (timed != nullptr) draw(n, *rounds[i], *timed, next_comparable(rounds, i, names[n]));
        }
    }
}

void draw_speedups(Plot& plot, const std::vector<const Round*>& rounds, const std::vector<std::string>& names,
                   const Phrases& say) {
    for_each_point(rounds, names, [&](std::size_t n, const Round& round, const RoundCase& timed, const Round* next) {
        const SvgPoint place = plot.at(round.number, timed.speedup);
        plot.drawing().line(plot.at(round.number, timed.speedup_lower), plot.at(round.number, timed.speedup_upper),
                            series(n));
        if (next != nullptr) {
            plot.drawing().line(place, plot.at(next->number, case_named(*next, names[n])->speedup), series(n));
        }
        plot.drawing().disc(place, 3.5, series(n),
                            say(Text::round_heading_short, round.number) + ": " + say.speedup_of(timed));
    });
}

}  // namespace

std::optional<Chart> speedup_chart(const History& history, const std::string& device, const Phrases& say) {
    const std::vector<const Round*> rounds = rounds_on(history, device);
    const std::vector<std::string> names = cases_of(rounds);
    if (names.empty()) return std::nullopt;
    std::vector<double> speedups = {1}, numbers;
    for_each_point(rounds, names, [&](std::size_t, const Round& round, const RoundCase& timed, const Round*) {
        speedups.insert(speedups.end(), {timed.speedup_lower, timed.speedup_upper, round.target_speedup});
    });
    for (const Round* each : rounds) numbers.push_back(each->number);
    PlotAxis x = axis_for(numbers, false, say(Text::column_round));
    x.whole = true;
    Chart chart{say(Text::chart_speedup, device), ""};
    Plot plot(chart.title, x, axis_for(speedups, false, say(metrics::speedup)));
    plot.drawing().line(plot.at(x.from, 1), plot.at(x.to, 1), "ink");
    const double target = rounds.back()->target_speedup;
    plot.drawing().line(plot.at(x.from, target), plot.at(x.to, target), "limit");
    draw_speedups(plot, rounds, names, say);
    for (const Round* each : rounds) {
        if (each->status == Status::ok) continue;
        plot.drawing().cross(plot.at_share(each->number, 0.02), 4, "failed",
                             say(Text::round_heading_short, each->number) + ": " + say(each->status));
    }
    plot.legend(names);
    chart.svg = plot.drawing().markup();
    return chart;
}

namespace {

struct Roof {
    std::string name;
    double gbps = 0, gflops = 0;  ///< one of them

    double at(double intensity) const { return gbps > 0 ? gbps * intensity : gflops; }
};

/// Bandwidth of the largest measured size, and the FMA rates of what the cases compute in.
std::vector<Roof> roofs_of(const Ceilings& ceilings, const std::vector<const Round*>& rounds) {
    std::vector<Roof> roofs;
    if (!ceilings.all_threads.empty()) roofs.push_back({"copy", ceilings.all_threads.back().copy_gbps, 0});
    std::set<double> rates;
    for (const Round* round : rounds) {
        for (const RoundCase* each : timed_cases(*round)) rates.insert(each->roofline.gflops_ceiling);
    }
    for (const double rate : rates) {
        if (rate > 0) roofs.push_back({"FMA", 0, rate});
    }
    return roofs;
}

void draw_roofs(Plot& plot, const std::vector<Roof>& roofs, const Phrases& say) {
    double highest = 0;
    for (const Roof& each : roofs) highest = std::max(highest, each.gflops);
    for (const Roof& each : roofs) {
        const bool is_slope = each.gbps > 0;
        const double ridge = is_slope && highest > 0 ? std::min(highest / each.gbps, plot.x().to) : plot.x().to;
        const double from = is_slope ? std::max(plot.x().from, plot.y().from / each.gbps) : plot.x().from;
        plot.drawing().line(plot.at(from, each.at(from)), plot.at(ridge, each.at(ridge)), "ink");
        const double middle = is_slope ? std::sqrt(from * ridge) : plot.x().from;
        SvgPoint label = plot.at(middle, each.at(middle));
        label.x += is_slope ? -8 : 6;
        label.y -= 6;
        plot.drawing().text(
            label,
            each.name + " " +
                (is_slope ? say.value(metrics::bandwidth_gbps, each.gbps) : say.value(metrics::gflops, each.gflops)),
            is_slope ? Svg::Anchor::end : Svg::Anchor::start);
    }
}

}  // namespace

std::optional<Chart> roofline_chart(const History& history, const std::string& device, const Ceilings& ceilings,
                                    const Phrases& say) {
    const std::vector<const Round*> rounds = rounds_on(history, device);
    const std::vector<std::string> names = cases_of(rounds);
    std::vector<double> intensities, rates;
    for_each_point(rounds, names, [&](std::size_t, const Round&, const RoundCase& timed, const Round*) {
        if (!(timed.roofline.gflops > 0)) return;
        intensities.push_back(timed.roofline.intensity);
        rates.push_back(timed.roofline.gflops);
    });
    if (intensities.empty() || !ceilings.measured()) return std::nullopt;
    const std::vector<Roof> roofs = roofs_of(ceilings, rounds);
    for (const Roof& each : roofs) {
        if (each.gbps > 0) rates.push_back(each.at(std::ranges::max(intensities)));
        else rates.push_back(each.gflops);
    }
    if (roofs.front().gbps > 0 && roofs.size() > 1) intensities.push_back(roofs.back().gflops / roofs.front().gbps);
    Chart chart{say(Text::chart_roofline, device), ""};
    Plot plot(chart.title,
              axis_for(intensities, true, say(metrics::intensity) + " (" + std::string(metrics::intensity.unit) + ")"),
              axis_for(rates, true, std::string(metrics::gflops.unit)));
    draw_roofs(plot, roofs, say);
    for_each_point(rounds, names, [&](std::size_t n, const Round& round, const RoundCase& timed, const Round* next) {
        if (!(timed.roofline.gflops > 0)) return;
        const SvgPoint place = plot.at(timed.roofline.intensity, timed.roofline.gflops);
        if (next != nullptr) {
            const RooflinePoint& to = case_named(*next, names[n])->roofline;
            if (to.gflops > 0) plot.drawing().arrow(place, plot.at(to.intensity, to.gflops), series(n));
        }
        plot.drawing().disc(place, 3.5, series(n),
                            say(Text::round_heading_short, round.number) + ", " + names[n] + ": " +
                                say.value(metrics::gflops, timed.roofline.gflops));
    });
    plot.legend(names);
    chart.svg = plot.drawing().markup();
    return chart;
}

std::optional<Chart> error_chart(const CaseAccuracy& check, const Phrases& say) {
    constexpr double bins_of_a_decade = 4;
    const ErrorMetrics& errors = check.metrics;
    std::vector<double> edges, counts;
    const auto edge = [&](std::size_t bin) {
        return std::pow(10.0, errors.first_exponent + static_cast<double>(bin) / bins_of_a_decade);
    };
    for (std::size_t i = 0; i < errors.histogram.size(); ++i) {
        if (errors.histogram[i] == 0) continue;
        edges.insert(edges.end(), {edge(i), edge(i + 1)});
        counts.push_back(static_cast<double>(errors.histogram[i]));
    }
    if (counts.empty() || errors.elements == 0) return std::nullopt;
    counts.push_back(1);
    Chart chart{say(Text::chart_errors, check.binding.name), ""};
    Plot plot(chart.title, axis_for(edges, true, say(Text::absolute_error)),
              axis_for(counts, true, say(Text::column_elements)));
    plot.share_axis(say(Text::share_below));
    const auto all = static_cast<double>(errors.elements);
    double below = static_cast<double>(errors.exact);
    std::vector<SvgPoint> share = {plot.at_share(plot.x().from, below / all)};
    for (std::size_t i = 0; i < errors.histogram.size(); ++i) {
        if (errors.histogram[i] == 0) continue;
        const auto count = static_cast<double>(errors.histogram[i]);
        const SvgPoint upper = plot.at(edge(i), count), lower = plot.at_share(edge(i + 1), 0);
        share.push_back(plot.at_share(edge(i), below / all));
        share.push_back(plot.at_share(edge(i + 1), (below += count) / all));
        plot.drawing().rectangle(upper, std::max(1.0, lower.x - upper.x - 1), lower.y - upper.y, "series-0",
                                 say(Text::count_of, say.count(errors.histogram[i]), say.count(errors.elements)));
    }
    share.push_back(plot.at_share(plot.x().to, below / all));
    plot.drawing().path(share, "series-1");
    chart.svg = plot.drawing().markup();
    return chart;
}

}  // namespace kernelgen
