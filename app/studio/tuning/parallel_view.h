// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "app/studio/tuning/parallel_lines.h"
#include "app/studio/tuning/tuning_view.h"
#include "core/tune/tuned_columns.h"

namespace kernelgen::studio {

/// Parallel coordinates: an axis for each tunable and one for the objective, and a line for each configuration. The
/// better it is, the stronger its colour, and the higher it stands within its value.
class ParallelView : public TuningView {
    Q_OBJECT

public:
    explicit ParallelView(QWidget* parent = nullptr);

protected:
    QString prepare() override;
    void draw() override;
    void rangeChanged() override { hideWhatHasNoRoom(); }
    void laidOut() override { hideWhatHasNoRoom(); }

private:
    void placeAxes();
    void drawAxis(std::size_t place);
    void drawObjective();
    void drawLines();
    void hideWhatHasNoRoom();
    double heightOf(const ParallelLine& line, std::size_t place) const;

    std::vector<TunedColumn> columns_;  ///< those with several values
    std::vector<ParallelLine> lines_;
    std::vector<std::vector<QCPItemText*>> values_;  ///< of each column, from bottom to top
    QCPRange objectives_;
};

}  // namespace kernelgen::studio
