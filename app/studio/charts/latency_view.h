// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/studio/charts/chart_view.h"
#include "app/studio/charts/latency_data.h"

namespace kernelgen::studio {

/// How the times of one call are distributed, candidate against baseline, with their quantiles.
class LatencyView : public ChartView {
    Q_OBJECT

public:
    explicit LatencyView(QWidget* parent = nullptr);

    /// `number`: of the case, for its colour.
    void present(const BenchResult& timing, const QString& candidate, int number);

protected:
    void draw() override;
    void laidOut() override;

private:
    void drawSide(const LatencySide& side, const QString& name, const QColor& colour);
    void drawQuantile(double seconds, const QString& name, const QColor& colour, Qt::PenStyle style);

    /// Labels beside the tops of lines, each in a row of its own.
    struct Label {
        QCPItemText* text;
        double seconds;
        int rank;  ///< the higher ones are left out first where there are fewer rows
    };
    std::vector<Label> labels_;

    LatencyData data_;
    QString candidate_, baseline_, noise_;
    int number_ = 0;
};

}  // namespace kernelgen::studio
