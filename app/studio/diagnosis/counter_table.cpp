// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/diagnosis/counter_table.h"

#include <algorithm>
#include <cmath>

#include "app/studio/application/metric_words.h"
#include "app/studio/theme/theme.h"
#include "core/measure/metrics.h"

namespace kernelgen::studio {

namespace {

bool isShown(EvidenceSource source) {
    return source == EvidenceSource::timing || source == EvidenceSource::counter || source == EvidenceSource::build ||
           source == EvidenceSource::launch;
}

std::optional<double> shownValue(const Evidence& evidence, const std::string& name) {
    const auto found = evidence.values.find(name);
    if (found == evidence.values.end() || !isShown(found->second.source)) return std::nullopt;
    return found->second.value;
}

bool isEnergy(const std::string& name) { return name == metrics::energy_j.name; }

/// Whether the numbers of two rounds say something beside each other: energy is that of all samples, and differs with
/// their number.
bool canBeCompared(const ComparedMetric& each) {
    return each.here && each.best && *each.best != 0 && !isEnergy(each.name);
}

/// "−12 %"; "=" where nothing changed.
QString changeText(const ComparedMetric& each) {
    if (!canBeCompared(each)) return {};
    const double change = *each.here / *each.best - 1;
    if (std::abs(change) < 0.0005) return QStringLiteral("=");
    if (change >= 9.995) return QStringLiteral("×%1").arg(change + 1, 0, 'g', 3);
    return QStringLiteral("%1%2 %")
        .arg(change > 0 ? "+" : "")
        .arg(100 * change, 0, 'f', std::abs(change) < 0.1 ? 1 : 0);
}

QColor changeColour(const ComparedMetric& each, const Metric& metric, const Colours& colours) {
    if (!canBeCompared(each) || metric.better == Better::neither || *each.here == *each.best) return colours.muted;
    const bool is_more = *each.here > *each.best;
    return is_more == (metric.better == Better::higher) ? colours.good : colours.bad;
}

QString cell(const QString& text, const QColor& colour, const char* align = "right") {
    return QStringLiteral("<td align='%1' style='padding-right: 20px'><span style='color: %2'>%3</span></td>")
        .arg(align, colour.name(), text.toHtmlEscaped());
}

QString valueCell(const Metric& metric, const std::optional<double>& value, const QColor& text, const QColor& muted) {
    return value ? cell(valueOf(metric, *value), text) : cell(CounterTable::tr("not measured"), muted);
}

}  // namespace

std::vector<ComparedMetric> comparedMetrics(const Evidence& here, const Evidence* best) {
    std::vector<ComparedMetric> compared;
    for (const Metric& metric : all_metrics) {
        ComparedMetric each{metric.name, shownValue(here, metric.name), std::nullopt};
        if (best != nullptr) each.best = shownValue(*best, metric.name);
        if (each.here || each.best || isEnergy(each.name)) compared.push_back(std::move(each));
    }
    return compared;
}

CounterTable::CounterTable(const FoundCauses& causes, std::size_t place, QWidget* parent) : QLabel(parent) {
    setObjectName("counter_table");
    setTextFormat(Qt::RichText);
    setWordWrap(true);
    setContentsMargins(16, 0, 0, 0);
    setTextInteractionFlags(Qt::TextSelectableByMouse);
    const Colours colours = coloursOf(palette());
    const QColor text = palette().color(QPalette::WindowText);
    const Evidence* best = causes.best ? &causes.of_best[place] : nullptr;
    QString rows = cell(tr("Metric"), colours.muted, "left") +
                   cell(tr("Round %1").arg(causes.detail->round.number), colours.muted);
    if (best != nullptr)
        rows += cell(tr("Best: round %1").arg(causes.best->number), colours.muted) + cell(tr("Change"), colours.muted);
    bool has_energy = false;
    for (const ComparedMetric& each : comparedMetrics(causes.cases[place].evidence, best)) {
        const Metric& metric = *find_metric(each.name);
        rows += "</tr><tr>" + cell(titleOf(metric), text, "left") + valueCell(metric, each.here, text, colours.muted);
        if (best != nullptr)
            rows += valueCell(metric, each.best, text, colours.muted) +
                    cell(changeText(each), changeColour(each, metric, colours));
        has_energy = has_energy || (isEnergy(each.name) && each.here);
    }
    const QString energy =
        has_energy ? meaningOf(metrics::energy_j)
                   : tr("Energy: this device does not tell it. A GPU whose driver has an energy counter tells it, such "
                        "as NVIDIA's since Volta; a tuning for energy measures that of one call.");
    const QString alone = best == nullptr ? tr("This round is the best one of its kind.") : QString();
    setText(QStringLiteral("%1<table cellspacing='0'><tr>%2</tr></table><span style='color: %3'>%4</span>")
                .arg(alone, rows, colours.muted.name(), energy.toHtmlEscaped()));
}

}  // namespace kernelgen::studio
