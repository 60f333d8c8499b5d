// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/studio/charts/chart_view.h"
#include "app/studio/charts/error_data.h"

namespace kernelgen::studio {

/// How the absolute errors of one check are distributed, with the share of elements below each.
class ErrorView : public ChartView {
    Q_OBJECT

public:
    explicit ErrorView(QWidget* parent = nullptr);

    /// `number`: of the case, for its colour.
    void present(const CaseAccuracy& accuracy, int number);

protected:
    void draw() override;

private:
    void drawCounts();
    void drawShares();
    /// `row`: of its label, from below: those of quantiles that are close stand above each other.
    void drawQuantile(double error, const QString& name, Qt::PenStyle style, int row);

    ErrorData data_;
    ErrorMetrics metrics_;
    int number_ = 0;
};

}  // namespace kernelgen::studio
