// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "app/studio/charts/chart_view.h"
#include "app/studio/charts/efficiency_data.h"

namespace kernelgen::studio {

/// How much of the device a round uses at each size, with a line for each dtype, beside its variant's other
/// configurations.
class EfficiencyView : public ChartView {
    Q_OBJECT

public:
    explicit EfficiencyView(QWidget* parent = nullptr);

    void present(std::shared_ptr<const History> history, std::shared_ptr<const Round> reference);

protected:
    void draw() override;

private:
    void placeAxes();
    void drawReference();
    void drawBest();
    void nameUnsure();
    void drawCloud(const std::vector<EfficiencyPoint>& points, double opacity, double size);

    std::shared_ptr<const History> history_;
    std::shared_ptr<const Round> reference_;
    EfficiencyData data_;
};

}  // namespace kernelgen::studio
