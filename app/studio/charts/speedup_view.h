// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>

#include "app/studio/charts/chart_view.h"
#include "app/studio/charts/speedup_data.h"
#include "app/studio/charts/thinning.h"

namespace kernelgen::studio {

/// Speedup across rounds: a line for each case, broken where rounds may not be compared, with their 95 % intervals, the
/// target, and the rounds that failed.
class SpeedupView : public ChartView {
    Q_OBJECT

public:
    explicit SpeedupView(QWidget* parent = nullptr);

    void present(std::shared_ptr<const History> history);

protected:
    void draw() override;
    void rangeChanged() override;

private:
    /// The lines of one case whose groups have the same mark, in one plottable with gaps between.
    struct Strand {
        QCPCurve* curve = nullptr;
        QCPErrorBars* bars = nullptr;
        QCPGraph* unsure = nullptr;
        std::vector<std::size_t> lines;
    };
    struct Crosses {
        QCPGraph* graph = nullptr;
        std::vector<PlotPoint> places;
    };
    void placeAxes();
    void drawStrands();
    void drawTarget();
    void drawFailed();
    void describe();
    void fill(const Strand& strand);
    void fill(const Crosses& crosses);

    std::shared_ptr<const History> history_;
    SpeedupData data_;
    std::vector<std::vector<PlotPoint>> places_;  ///< of each line's points
    std::vector<Strand> strands_;
    std::map<QRgb, Crosses> crosses_;  ///< of failed rounds, by colour
};

}  // namespace kernelgen::studio
