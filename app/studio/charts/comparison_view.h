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

    /// `baseline`: the name of the baseline; `caption`: where and when the comparison was made.
    void present(std::vector<ComparedCase> cases, const QString& baseline, const QString& caption);

protected:
    void draw() override;

private:
    void placeAxes();
    void drawBaseline();
    void drawBar(const ComparedCase& compared, double place);
    void drawLabel(const ComparedCase& compared, double place);
    QColor colourOfBar(const ComparedCase& compared) const;

    std::vector<ComparedCase> cases_;
    QString baseline_, caption_;
};

}  // namespace kernelgen::studio
