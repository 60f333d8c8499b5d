// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

#include <functional>

namespace kernelgen::studio {

/// Ticks where a person would put them, labelled as a person would: as many as the axis has room for.
class HumanTicker : public QCPAxisTicker {
public:
    /// `bytes`: linear, with steps that are powers of two. The last two are logarithmic.
    enum class Scale { linear, integers, bytes, decimal, binary };
    using Label = std::function<QString(double)>;

    HumanTicker(const QCPAxis& axis, Scale scale, Label label);

    /// Gives an axis its scale and its ticks.
    static void place(QCPAxis* axis, Scale scale, Label label);

    void generate(const QCPRange& range, const QLocale& locale, QChar format, int precision, QVector<double>& ticks,
                  QVector<double>* sub_ticks, QVector<QString>* labels) override;

protected:
    double getTickStep(const QCPRange& range) override;
    QVector<double> createTickVector(double step, const QCPRange& range) override;
    QVector<double> createSubTickVector(int count, const QVector<double>& ticks) override;
    QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override;

private:
    bool haveRoom(const QCPRange& range, const QVector<double>& ticks, const QVector<QString>& labels) const;

    const QCPAxis& axis_;
    Scale scale_;
    Label label_;
    int thinned_ = 0;  ///< how often ticks were found to be too many
};

}  // namespace kernelgen::studio
