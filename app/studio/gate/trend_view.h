// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "app/studio/charts/chart_view.h"
#include "app/studio/session/gates.h"
#include "core/gate/gate_trend.h"

namespace kernelgen::studio {

/// The last 100 checks of a gate: the ratio of each case with its 95 % interval, the thresholds of the last check, and
/// a cross where a case became slower or less accurate. A click on a mark emits `rowClicked` with the check's place.
class TrendView : public ChartView {
    Q_OBJECT

public:
    explicit TrendView(QWidget* parent = nullptr);

    void present(std::shared_ptr<const Gate> gate);

protected:
    void draw() override;

private:
    void placeAxes();
    void drawThresholds();
    void drawLine(const TrendLine& line);
    void drawWorse();
    void describe();

    std::shared_ptr<const Gate> gate_;
    Trend trend_;
};

}  // namespace kernelgen::studio
