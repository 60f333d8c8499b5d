// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "app/studio/charts/chart_view.h"
#include "app/studio/charts/error_data.h"
#include "core/scaling/mode_errors.h"

namespace kernelgen::studio {

/// How the absolute errors of the modes of one tensor are distributed, over one another, with the share of elements
/// below each.
class ModeErrorsView : public ChartView {
    Q_OBJECT

public:
    explicit ModeErrorsView(QWidget* parent = nullptr);

    /// Shows modes of those that a tensor has: these numbers, from 0.
    void present(const std::vector<ModeErrors>& modes, const std::vector<int>& shown);

protected:
    void draw() override;

private:
    struct Line {
        int number = 0;  ///< of the mode, for its colour
        QString name;
        bool is_delayed = false;
        ErrorData data;
    };
    void drawLine(const Line& line);
    void addMarks(const Line& line);

    std::vector<Line> lines_;
};

}  // namespace kernelgen::studio
