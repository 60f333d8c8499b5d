// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/export/log_charts.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <algorithm>
#include <set>

#include "app/studio/application/text.h"
#include "app/studio/charts/catalogue.h"
#include "app/studio/charts/chart_style.h"
#include "app/studio/charts/efficiency_view.h"
#include "app/studio/charts/error_view.h"
#include "app/studio/charts/latency_view.h"
#include "app/studio/charts/reference_round.h"
#include "app/studio/charts/roofline_view.h"
#include "app/studio/charts/speedup_view.h"
#include "app/studio/export/draw_chart.h"
#include "core/report/log_sections.h"

namespace kernelgen::studio {

namespace {

struct LogCharts {
    Q_DECLARE_TR_FUNCTIONS(LogCharts)
};

using SharedHistory = std::shared_ptr<const History>;
using SharedDetail = std::shared_ptr<const RoundDetail>;

DrawnChart drawSpeedup(const SharedHistory& history) {
    return draw<SpeedupView>("speedup.svg", LogCharts::tr("Speedup across rounds"),
                             [&](SpeedupView& view) { view.present(history); });
}

DrawnChart drawRoofline(const SharedHistory& history, const Round& round, const Ceilings& ceilings) {
    return draw<RooflineView>(fileOf("roofline", round.device), LogCharts::tr("Roofline of %1").arg(toQt(round.device)),
                              [&](RooflineView& view) { view.present(history, round.device, ceilings, round.number); });
}

DrawnChart drawEfficiency(const SharedHistory& history, const std::shared_ptr<const Round>& round) {
    return draw<EfficiencyView>(fileOf("efficiency", round->device),
                                LogCharts::tr("Size against efficiency on %1").arg(toQt(round->device)),
                                [&](EfficiencyView& view) { view.present(history, round); });
}

DrawnChart drawLatency(const SharedDetail& detail, const BenchResult& timing, int number) {
    return draw<LatencyView>(
        fileOf("latency", detail->round.device),
        LogCharts::tr("Latency of round %1: %2").arg(detail->round.number).arg(caseText(timing.binding)),
        [&](LatencyView& view) { view.present(timing, toQt(detail->candidate.variant.name), number); });
}

DrawnChart drawErrors(const SharedDetail& detail, const CaseAccuracy& accuracy, int number) {
    return draw<ErrorView>(fileOf("errors", detail->round.device),
                           LogCharts::tr("Errors of round %1: %2").arg(detail->round.number).arg(checkText(accuracy)),
                           [&](ErrorView& view) { view.present(accuracy, number); });
}

bool hasFlops(const Round& round) {
    return std::ranges::any_of(timed_cases(round), [](const RoundCase* each) { return each->roofline.gflops > 0; });
}

/// Latency and errors of the case that the round is judged by.
void addDetailCharts(const History& history, const SharedDetail& detail,
                     std::vector<std::function<DrawnChart()>>& charts) {
    const RoundCase* deciding = deciding_case(detail->round);
    if (deciding == nullptr) return;
    const int number = Catalogue(history).caseNumber(deciding->binding);
    const auto timing = std::ranges::find(detail->timings, deciding->binding, &BenchResult::binding);
    if (timing != detail->timings.end() && !timing->candidate_seconds.empty()) {
        charts.emplace_back([=] { return drawLatency(detail, *timing, number); });
    }
    const auto& checks = detail->verification.cases;
    const auto accuracy = std::ranges::find(checks, deciding->binding, &CaseAccuracy::binding);
    if (accuracy != checks.end() && accuracy->metrics.elements > accuracy->metrics.exact) {
        charts.emplace_back([=] { return drawErrors(detail, *accuracy, number); });
    }
}

}  // namespace

std::vector<std::function<DrawnChart()>> chartsOf(SharedHistory history,
                                                  const std::map<std::string, RoundDetail>& details) {
    std::vector<std::function<DrawnChart()>> charts;
    if (history->rounds.empty()) return charts;
    charts.emplace_back([history] { return drawSpeedup(history); });
    std::set<std::string> devices;
    for (const Round& round : history->rounds) devices.insert(round.device);
    for (const std::string& device : devices) {
        const Round* newest = newestTimedOn(*history, device);
        if (newest == nullptr) continue;
        const auto known = details.find(device);
        const auto detail = known == details.end() ? nullptr : std::make_shared<const RoundDetail>(known->second);
        const auto round = detail ? std::shared_ptr<const Round>(detail, &detail->round)
                                  : std::shared_ptr<const Round>(history, newest);
        if (hasFlops(*round)) {
            charts.emplace_back([=] { return drawRoofline(history, *round, detail ? detail->ceilings : Ceilings{}); });
        }
        charts.emplace_back([=] { return drawEfficiency(history, round); });
        if (detail) addDetailCharts(*history, detail, charts);
    }
    return charts;
}

bool isChartFile(const std::string& name) {
    static const QRegularExpression ours(
        "^(speedup|(roofline|efficiency|latency|errors|tuning-[a-z-]+)_[A-Za-z0-9-]+)\\.svg$");
    return ours.match(toQt(name)).hasMatch();
}

}  // namespace kernelgen::studio
