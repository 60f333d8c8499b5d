// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "app/studio/tuning/cloud.h"
#include "app/studio/tuning/tuning_view.h"

namespace kernelgen::studio {

/// All configurations that were tried: the objective over the order in which they were tried, or over the values of a
/// tunable; what failed stands at the bottom.
class ScatterView : public TuningView {
    Q_OBJECT

public:
    explicit ScatterView(QWidget* parent = nullptr);

    void setAxis(int parameter);  ///< of the tuning's parameters; -1: the order

protected:
    QString prepare() override;
    void draw() override;
    void rangeChanged() override;

private:
    void placeAxes();
    void collect();

    int parameter_ = -1;
    std::vector<Cloud> clouds_;
};

}  // namespace kernelgen::studio
