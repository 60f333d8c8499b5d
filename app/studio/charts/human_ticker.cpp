// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/charts/human_ticker.h"

#include <QRegularExpression>
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/studio/charts/chart_style.h"

namespace kernelgen::studio {

namespace {

constexpr int most_ticks = 8;
constexpr int most_thinned = 40;
constexpr double across_gap = 14, up_gap = 10;  ///< pixels between two labels
constexpr double fewest_decades = 0.7;          ///< below, a logarithmic axis has linear ticks
constexpr double least_binary = 2;              ///< ratio of a range's ends; below, powers of two are too far apart

/// The multiples of a power of ten that have ticks in a range of at most so many decades; the densest first.
struct Decade {
    double most_decades;
    QVector<double> factors;
};
const Decade decade_ticks[] = {{1.3, {1, 1.5, 2, 3, 5, 7}}, {2, {1, 2, 5}}, {HUGE_VAL, {1}}};

/// Every `step`-th power of `base` from below the range to above it.
QVector<double> powers(const QCPRange& range, double base, int step) {
    const int first = static_cast<int>(std::floor(std::log(range.lower) / std::log(base)));
    const int last = static_cast<int>(std::ceil(std::log(range.upper) / std::log(base)));
    QVector<double> ticks;
    for (int exponent = first - ((first % step) + step) % step; exponent <= last; exponent += step) {
        ticks.append(std::pow(base, exponent));
    }
    return ticks;
}

/// The densest ticks that suit so many decades, and then fewer and fewer of them.
QVector<double> decimalTicks(const QCPRange& range, int thinned) {
    const double decades = std::log10(range.upper / range.lower);
    auto first = std::ranges::find_if(decade_ticks, [&](const Decade& each) { return decades <= each.most_decades; });
    const auto left = static_cast<int>(std::end(decade_ticks) - first) - 1;
    if (thinned > left) return powers(range, 10, thinned - left + 1);
    QVector<double> ticks;
    for (const double power : powers(range, 10, 1)) {
        for (const double factor : (first + thinned)->factors) ticks << power * factor;
    }
    return ticks;
}

}  // namespace

HumanTicker::HumanTicker(const QCPAxis& axis, Scale scale, Label label)
    : axis_(axis), scale_(scale), label_(std::move(label)) {}

void HumanTicker::place(QCPAxis* axis, Scale scale, Label label) {
    const bool logarithmic = scale == Scale::decimal || scale == Scale::binary;
    axis->setScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    axis->setTicker(QSharedPointer<HumanTicker>::create(*axis, scale, std::move(label)));
}

void HumanTicker::generate(const QCPRange& range, const QLocale& locale, QChar format, int precision,
                           QVector<double>& ticks, QVector<double>* sub_ticks, QVector<QString>* labels) {
    QVector<QString> texts;
    for (thinned_ = 0; thinned_ <= most_thinned; ++thinned_) {
        setTickCount(std::max(2, most_ticks - thinned_));
        QCPAxisTicker::generate(range, locale, format, precision, ticks, sub_ticks, &texts);
        if (haveRoom(range, ticks, texts)) break;
    }
    if (labels != nullptr) *labels = texts;
}

bool HumanTicker::haveRoom(const QCPRange& range, const QVector<double>& ticks, const QVector<QString>& labels) const {
    if (ticks.size() <= 2) return true;
    if (ticks.size() > most_ticks + 2) return false;
    const bool across = axis_.orientation() == Qt::Horizontal, is_log = axis_.scaleType() == QCPAxis::stLogarithmic;
    const QFontMetricsF metrics(axis_.tickLabelFont());
    const auto extent = [&](qsizetype i) { return across ? metrics.horizontalAdvance(labels[i]) : metrics.height(); };
    for (qsizetype i = 1; i < ticks.size(); ++i) {
        if (labels[i] == labels[i - 1]) return false;  // rounded to the same number
        const double share = is_log ? std::log(ticks[i] / ticks[i - 1]) / std::log(range.upper / range.lower)
                                    : (ticks[i] - ticks[i - 1]) / range.size();
        if (share * lengthOf(axis_) < (extent(i) + extent(i - 1)) / 2 + (across ? across_gap : up_gap)) return false;
    }
    return true;
}

double HumanTicker::getTickStep(const QCPRange& range) {
    const double step = QCPAxisTicker::getTickStep(range);
    if (scale_ == Scale::bytes) return std::exp2(std::round(std::log2(step)));
    return scale_ == Scale::integers ? std::max(1.0, std::round(step)) : step;
}

QVector<double> HumanTicker::createTickVector(double step, const QCPRange& range) {
    const double ratio = range.lower > 0 ? range.upper / range.lower : 0;
    if (scale_ == Scale::binary && ratio >= least_binary) return powers(range, 2, thinned_ + 1);
    if (scale_ == Scale::decimal && ratio > std::pow(10, fewest_decades)) return decimalTicks(range, thinned_);
    return QCPAxisTicker::createTickVector(step, range);
}

QVector<double> HumanTicker::createSubTickVector(int count, const QVector<double>& ticks) {
    if (scale_ == Scale::integers && ticks.size() > 1 && ticks[1] - ticks[0] <= 1) return {};
    if (scale_ < Scale::decimal) return QCPAxisTicker::createSubTickVector(count, ticks);
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
