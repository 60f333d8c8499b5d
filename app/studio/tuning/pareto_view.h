// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "app/studio/tuning/cloud.h"
#include "app/studio/tuning/tuning_view.h"
#include "core/tune/pareto.h"

namespace kernelgen::studio {

/// Time against memory or energy: all configurations that succeeded, and a line through those that none beats in both.
class ParetoView : public TuningView {
    Q_OBJECT

public:
    explicit ParetoView(QWidget* parent = nullptr);

    void setCost(TriedCost cost);

protected:
    QString prepare() override;
    void draw() override;
    void rangeChanged() override;

private:
    QString whatIsMissing() const;
    void placeAxes();
    void drawOthers();
    void drawFront();
    void drawIncumbent();
    void mark(std::size_t row);

    TriedCost cost_ = &Tried::memory_bytes;
    std::vector<std::size_t> front_;  ///< of `Tuning::tried`
    std::vector<Cloud> clouds_;
};

}  // namespace kernelgen::studio
