// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

#include <functional>

namespace kernelgen::studio {

/// Ticks at round numbers, with labels that people can read.
class HumanTicker : public QCPAxisTicker {
public:
    enum class Scale { linear, integers, decimal, binary };  ///< the last two are logarithmic
    using Label = std::function<QString(double)>;

    HumanTicker(Scale scale, Label label);

    /// Gives an axis its scale and its ticks.
    static void place(QCPAxis* axis, Scale scale, Label label);

protected:
    double getTickStep(const QCPRange& range) override;
    QVector<double> createTickVector(double step, const QCPRange& range) override;
    QVector<double> createSubTickVector(int count, const QVector<double>& ticks) override;
    QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override;

private:
    Scale scale_;
    Label label_;
};

}  // namespace kernelgen::studio
