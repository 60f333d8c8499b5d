// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/charts/number_text.h"

#include <QCoreApplication>
#include <QStringList>
#include <array>
#include <cmath>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/metric_words.h"
#include "app/studio/application/noise_words.h"
#include "app/studio/application/status_words.h"
#include "app/studio/application/text.h"

namespace kernelgen::studio {

namespace {

struct Unit {
    double scale = 1;
    const char* name = "";
};

/// A value in the largest of ascending units that leaves at least one; 0 is given in the unit itself.
template <std::size_t N>
QString inUnits(double value, const std::array<Unit, N>& units) {
    const Unit* best = &units.front();
    for (const Unit& each : units) {
        if (value == 0 ? each.scale == 1 : std::abs(value) >= each.scale * 0.9995) best = &each;
    }
    return threeDigits(value / best->scale) + QChar(0x202f) + QString::fromUtf8(best->name);
}

/// A value that counts 10^9, with the prefix that suits it in place of the unit's own.
QString inGiga(double value, const Metric& metric) {
    static constexpr std::array prefixes = {Unit{1e-3, "M"}, Unit{1, "G"}, Unit{1e3, "T"}};
    return inUnits(value, prefixes) + unitOf(metric).mid(1);
}

struct ChartText {
    Q_DECLARE_TR_FUNCTIONS(ChartText)
};

QString row(const QString& name, const QString& value) {
    return QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td>%2</td></tr>").arg(name, value.toHtmlEscaped());
}

QString timingRows(const RoundCase& timing) {
    const RooflinePoint& place = timing.roofline;
    QString rows;
    if (timing.speedup > 0) {
        rows += row(titleOf(metrics::speedup), QStringLiteral("%1  [%2, %3]")
                                                   .arg(ratioText(timing.speedup), ratioText(timing.speedup_lower),
                                                        ratioText(timing.speedup_upper)));
    }
    if (const QString noise = noiseInWords(timing); !noise.isEmpty()) rows += row(ChartText::tr("Noise"), noise);
    rows += row(
        titleOf(metrics::seconds),
        timing.baseline_seconds > 0
            ? ChartText::tr("%1, baseline %2").arg(secondsText(timing.seconds), secondsText(timing.baseline_seconds))
            : secondsText(timing.seconds));
    rows += row(titleOf(metrics::bandwidth_gbps), bandwidthText(place.bandwidth_gbps));
    if (place.gflops > 0) {
        rows += row(titleOf(metrics::gflops), flopsText(place.gflops));
        rows += row(titleOf(metrics::intensity), threeDigits(place.intensity) + ' ' + unitOf(metrics::intensity));
    }
    rows += row(titleOf(metrics::fraction),
                place.has_ceilings ? percentText(place.fraction) : ChartText::tr("ceilings were not measured"));
    return rows;
}

}  // namespace

QString threeDigits(double value) {
    if (value == 0 || !std::isfinite(value)) return QString::number(value);
    const double size = std::abs(value);
    if (size >= 999.5 || size < 1e-3) return QString::number(value, 'g', size >= 999.5 && size < 1e6 ? 6 : 3);
    const int before = size < 1 ? 0 : static_cast<int>(std::floor(std::log10(size * 1.0005))) + 1;
    return QString::number(value, 'f', size < 1 ? 3 : 3 - before);
}

QString secondsText(double seconds) {
    static constexpr std::array units = {Unit{1e-9, "ns"}, Unit{1e-6, "µs"}, Unit{1e-3, "ms"}, Unit{1, "s"}};
    return inUnits(seconds, units);
}

QString ratioText(double ratio) { return threeDigits(ratio) + QChar(0xd7); }

QString bytesText(double bytes) {
    static constexpr std::array units = {Unit{1, "B"}, Unit{1024, "KiB"}, Unit{1048576, "MiB"},
                                         Unit{1073741824, "GiB"}};
    return inUnits(bytes, units);
}

QString joulesText(double joules) {
    static constexpr std::array units = {Unit{1e-9, "nJ"}, Unit{1e-6, "µJ"}, Unit{1e-3, "mJ"}, Unit{1, "J"}};
    return inUnits(joules, units);
}

QString bandwidthText(double gbps) { return inGiga(gbps, metrics::bandwidth_gbps); }

QString flopsText(double gflops) { return inGiga(gflops, metrics::gflops); }

QString percentText(double fraction) { return threeDigits(fraction * 100) + QChar(0x202f) + QChar('%'); }

QString roundTip(const Round& round, const RoundCase* timing) {
    QString title = ChartText::tr("Round %1").arg(round.number);
    if (timing != nullptr) title += QStringLiteral(" · ") + toQt(timing->binding.name);
    QString rows;
    if (round.status != Status::ok) rows += row(ChartText::tr("Status"), word(round.status));
    if (!round.reason.empty()) rows += row(ChartText::tr("Reason"), inWords(round.reason).left(300));
    if (timing != nullptr) rows += timingRows(*timing);
    rows += row(ChartText::tr("Variant"), toQt(round.variant));
    if (!round.configuration.empty())
        rows += row(ChartText::tr("Configuration"), configurationText(round.configuration));
    rows += row(ChartText::tr("Device"), toQt(round.device));
    if (!round.baseline.empty()) rows += row(ChartText::tr("Baseline"), toQt(round.baseline));
    if (!round.environment.empty()) rows += row(ChartText::tr("Environment"), toQt(round.environment.substr(0, 8)));
    if (!round.note.empty()) rows += row(ChartText::tr("Note"), inWords(round.note).left(200));
    return QStringLiteral("<b>%1</b><table cellspacing=0>%2</table>").arg(title.toHtmlEscaped(), rows);
}

}  // namespace kernelgen::studio
