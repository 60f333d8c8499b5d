// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "app/studio/charts/chart_view.h"
#include "app/studio/charts/roofline_data.h"
#include "app/studio/charts/thinning.h"

namespace kernelgen::studio {

/// The measured ceilings of a device, and the position of each case below them, round by round.
class RooflineView : public ChartView {
    Q_OBJECT

public:
    explicit RooflineView(QWidget* parent = nullptr);

    /// Shows the rounds that ran on `device`. `centre` is the round to which arrows lead: the selected one, or the
    /// newest.
    void present(std::shared_ptr<const History> history, const std::string& device, const Ceilings& ceilings,
                 int centre);

protected:
    void draw() override;
    void rangeChanged() override;

private:
    struct RoofLine {
        Roof roof;
        QCPGraph* line = nullptr;
        QCPItemText* label = nullptr;
    };

    void placeAxes();
    void drawRoofs();
    void drawRoof(const Roof& roof);
    void drawPoints();
    void nameCases();
    QCPGraph* addCloud(const QCPScatterStyle& mark);
    void drawSteps();
    void describe();
    void arrange();
    void placeRoofs();
    void placeLabels();
    void placeLevel(const RoofLine& level, QRectF& above, std::vector<QPointF>& taken);
    void placeDiagonal(const RoofLine& diagonal, const std::vector<QPointF>& taken, double& below);
    std::vector<QPointF> visibleMarks() const;
    void placeArrows();

    std::shared_ptr<const History> history_;
    RooflineData data_;
    int centre_ = 0;
    std::vector<PlotPoint> places_;  ///< of the points, by their decimal logarithms
    std::vector<QCPGraph*> clouds_;  ///< by `cloudOf` a point
    struct Arrow {
        QCPItemCurve* curve = nullptr;
        const RooflinePoint *from = nullptr, *to = nullptr;
    };
    std::vector<RoofLine> roofs_;
    std::vector<Arrow> arrows_;
    int rounds_with_arrows_ = 0;  ///< 0: all
};

}  // namespace kernelgen::studio
