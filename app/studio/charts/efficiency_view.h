// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "app/studio/charts/chart_view.h"
#include "app/studio/charts/efficiency_data.h"

namespace kernelgen::studio {

/// The share of the device that a round uses at each size, for each dtype, beside other configurations of its variant.
class EfficiencyView : public ChartView {
    Q_OBJECT

public:
    explicit EfficiencyView(QWidget* parent = nullptr);

    void present(std::shared_ptr<const History> history, std::shared_ptr<const Round> reference);

protected:
    void draw() override;

private:
    void placeAxes();
    void drawOthers();
    void drawReference();
    void drawBest();
    QCPGraph* addCloud(const std::vector<EfficiencyPoint>& points);

    std::shared_ptr<const History> history_;
    std::shared_ptr<const Round> reference_;
    EfficiencyData data_;
};

}  // namespace kernelgen::studio
