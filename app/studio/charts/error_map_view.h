// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/studio/charts/chart_view.h"
#include "core/explain/error_map.h"

namespace kernelgen::studio {

/// Where an output is wrong: a heat map over its rows and columns, with the grid of tiles over it.
class ErrorMapView : public ChartView {
    Q_OBJECT

public:
    explicit ErrorMapView(QWidget* parent = nullptr);

    /// `check`: which check it is of, for the caption.
    void present(const ErrorMap& map, const QString& check);

protected:
    void draw() override;
    QString tipOf(const Mark& mark) const override;

private:
    void drawColours();
    void drawTiles();
    void addMarks();
    double shareOf(std::size_t bin) const;
    std::int64_t elementsOf(std::int64_t row, std::int64_t column) const;

    ErrorMap map_;
    QString check_;
};

}  // namespace kernelgen::studio
