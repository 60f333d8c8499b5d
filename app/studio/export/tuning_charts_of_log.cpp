// SPDX-License-Identifier: GPL-3.0-or-later
// The charts of tunings in an exported log.
#include <QCoreApplication>
#include <algorithm>
#include <set>

#include "app/studio/application/text.h"
#include "app/studio/charts/chart_style.h"
#include "app/studio/export/draw_chart.h"
#include "app/studio/export/log_charts.h"
#include "app/studio/tuning/best_view.h"
#include "app/studio/tuning/heat_map_view.h"
#include "app/studio/tuning/importance_view.h"
#include "app/studio/tuning/parallel_view.h"
#include "app/studio/tuning/pareto_view.h"
#include "app/studio/tuning/scatter_view.h"
#include "core/tune/importance.h"
#include "core/tune/tuning_file.h"

namespace kernelgen::studio {

namespace {

constexpr int most_read = 30;  ///< tunings, the newest first

using SharedTuning = std::shared_ptr<const Tuning>;

struct TuningChartsOfLog {
    Q_DECLARE_TR_FUNCTIONS(TuningCharts)
};

/// "Best so far: tuning 3 of host on cpu, 4096x4096 f32"
QString titleOfChart(const QString& what, const TuningHead& head) {
    return TuningChartsOfLog::tr("%1: tuning %2 of %3 on %4, %5")
        .arg(what)
        .arg(head.number)
        .arg(toQt(head.variant), toQt(head.device), caseText(head.binding));
}

QString fileOfChart(const QString& kind, const TuningHead& head) {
    return fileOf("tuning-" + kind, head.variant + "-" + head.device);
}

template <class View>
void addChart(std::vector<std::function<DrawnChart()>>& charts, const SharedTuning& tuning, const QString& kind,
              const QString& what) {
    charts.emplace_back([=] {
        return draw<View>(fileOfChart(kind, tuning->head), titleOfChart(what, tuning->head),
                          [&](View& view) { view.present(tuning); });
    });
}

int placeOf(const TuningHead& head, const std::string& name) {
    return static_cast<int>(std::ranges::find(head.parameters, name, &Tunable::name) - head.parameters.begin());
}

void addHeatMap(std::vector<std::function<DrawnChart()>>& charts, const SharedTuning& tuning,
                const Importance& importance) {
    const TuningHead& head = tuning->head;
    const int across = placeOf(head, importance.tunables[0].name), up = placeOf(head, importance.tunables[1].name);
    charts.emplace_back([=] {
        return draw<HeatMapView>(fileOfChart("heat-map", tuning->head),
                                 titleOfChart(TuningChartsOfLog::tr("Best by two tunables"), tuning->head),
                                 [&](HeatMapView& view) {
                                     view.setAxes(across, up);
                                     view.present(tuning);
                                 });
    });
}

}  // namespace

std::vector<std::function<DrawnChart()>> chartsOf(const SharedTuning& tuning) {
    std::vector<std::function<DrawnChart()>> charts;
    addChart<BestView>(charts, tuning, "best", TuningChartsOfLog::tr("Best so far"));
    addChart<ScatterView>(charts, tuning, "all", TuningChartsOfLog::tr("All configurations"));
    const std::optional<Importance> importance = importance_of(*tuning);
    if (importance && importance->tunables.size() > 1) addHeatMap(charts, tuning, *importance);
    if (pareto_front(tuning->tried).size() > 1)
        addChart<ParetoView>(charts, tuning, "pareto", TuningChartsOfLog::tr("Time against memory"));
    if (tuning->head.parameters.size() > 1)
        addChart<ParallelView>(charts, tuning, "parallel", TuningChartsOfLog::tr("Parallel coordinates"));
    if (importance)
        addChart<ImportanceView>(charts, tuning, "importance", TuningChartsOfLog::tr("Which tunable matters"));
    return charts;
}

std::vector<SharedTuning> tuningsForLog(const std::filesystem::path& folder) {
    std::vector<int> numbers = tuning_numbers(folder);
    std::ranges::reverse(numbers);
    numbers.resize(std::min<std::size_t>(numbers.size(), most_read));
    std::set<std::pair<std::string, std::string>> seen;
    std::vector<SharedTuning> tunings;
    for (const int number : numbers) {
        Result<Tuning> tuning = load_tuning(folder, number);
        if (!tuning || !std::ranges::any_of(tuning->tried, &Tried::is_ok)) continue;
        if (!seen.emplace(tuning->head.variant, tuning->head.device).second) continue;
        tunings.push_back(std::make_shared<const Tuning>(std::move(*tuning)));
    }
    std::ranges::reverse(tunings);
    return tunings;
}

}  // namespace kernelgen::studio
