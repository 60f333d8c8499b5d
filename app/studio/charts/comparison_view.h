// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/studio/charts/chart_view.h"
#include "app/studio/charts/comparison_data.h"

namespace kernelgen::studio {

/// All variants of a comparison in one case, the fastest on top: a bar for the speedup with its interval, beside it
/// time and bandwidth, or the reason why there is none.
class ComparisonView : public ChartView {
    Q_OBJECT

public:
    explicit ComparisonView(QWidget* parent = nullptr);

    /// `baseline`: what the speedups are over; `caption`: where and when it was measured; `number`: of the case, for
    /// its colour.
    void present(std::vector<ComparedCase> cases, const QString& baseline, const QString& caption, int number);

protected:
    void draw() override;
    void sizeChanged() override;
    void laidOut() override;

private:
    void placeAxes();
    void drawBaseline();
    void drawBar(const ComparedCase& compared, double place);
    void drawLabel(const ComparedCase& compared, double place);
    QBrush brushOfBar(const ComparedCase& compared, const QColor& colour) const;

    std::vector<ComparedCase> cases_;
    struct Label {
        QCPItemText* item;
        QStringList parts;  ///< of the text; the last ones are left out where they have no room
    };
    std::vector<Label> labels_;  ///< beside the bars
    QString baseline_, caption_;
    int number_ = 0;
};

}  // namespace kernelgen::studio
