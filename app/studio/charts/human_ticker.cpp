// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/charts/human_ticker.h"

#include <QRegularExpression>
#include <algorithm>
#include <cmath>
#include <utility>

namespace kernelgen::studio {

namespace {

constexpr double fewest_decades = 0.7;  ///< below, a logarithmic axis has linear ticks
constexpr double half_decades = 2;      ///< up to this, 2 and 5 are ticks as well
constexpr int most_powers = 7;

/// Powers of `base` from below the range to above it, not too many.
QVector<double> powers(const QCPRange& range, double base) {
    const int first = static_cast<int>(std::floor(std::log(range.lower) / std::log(base)));
    const int last = static_cast<int>(std::ceil(std::log(range.upper) / std::log(base)));
    const int step = std::max(1, (last - first + most_powers - 1) / most_powers);
    QVector<double> ticks;
    for (int exponent = first - ((first % step) + step) % step; exponent <= last; exponent += step) {
        ticks.append(std::pow(base, exponent));
    }
    return ticks;
}

bool hasDecades(const QCPRange& range) {
    return range.lower > 0 && std::log10(range.upper / range.lower) > fewest_decades;
}

}  // namespace

HumanTicker::HumanTicker(Scale scale, Label label) : scale_(scale), label_(std::move(label)) { setTickCount(6); }

void HumanTicker::place(QCPAxis* axis, Scale scale, Label label) {
    const bool logarithmic = scale == Scale::decimal || scale == Scale::binary;
    axis->setScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    axis->setTicker(QSharedPointer<HumanTicker>::create(scale, std::move(label)));
}

double HumanTicker::getTickStep(const QCPRange& range) {
    const double step = QCPAxisTicker::getTickStep(range);
    return scale_ == Scale::integers ? std::max(1.0, std::round(step)) : step;
}

QVector<double> HumanTicker::createTickVector(double step, const QCPRange& range) {
    const bool logarithmic = scale_ == Scale::decimal || scale_ == Scale::binary;
    if (!logarithmic || !hasDecades(range)) return QCPAxisTicker::createTickVector(step, range);
    if (scale_ == Scale::binary) return powers(range, 2);
    const QVector<double> whole = powers(range, 10);
    if (std::log10(range.upper / range.lower) > half_decades) return whole;
    QVector<double> ticks;
    for (const double each : whole) ticks << each << 2 * each << 5 * each;
    return ticks;
}

QVector<double> HumanTicker::createSubTickVector(int count, const QVector<double>& ticks) {
    if (scale_ == Scale::integers && ticks.size() > 1 && ticks[1] - ticks[0] <= 1) return {};
    if (scale_ == Scale::linear || scale_ == Scale::integers) return QCPAxisTicker::createSubTickVector(count, ticks);
    QVector<double> between;
    if (scale_ == Scale::binary || ticks.size() < 2 || ticks[1] / ticks[0] < 9 || ticks[1] / ticks[0] > 11)
        return between;
    for (const double each : ticks) {
        for (int i = 2; i <= 9; ++i) between.append(i * each);
    }
    return between;
}

QString HumanTicker::getTickLabel(double tick, const QLocale& /*locale*/, QChar /*format*/, int /*precision*/) {
    static const QRegularExpression needless("(\\.\\d*?)0+(?!\\d)");
    QString text = label_(tick).replace(needless, "\\1");
    return text.replace(QRegularExpression("\\.(?!\\d)"), {});
}

}  // namespace kernelgen::studio
