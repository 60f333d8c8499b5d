// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "app/studio/tuning/heat_map.h"
#include "app/studio/tuning/tuning_view.h"

namespace kernelgen::studio {

/// The best result of each pair of values of two tunables, as colours.
class HeatMapView : public TuningView {
    Q_OBJECT

public:
    explicit HeatMapView(QWidget* parent = nullptr);

    void setAxes(int x, int y);  ///< places of the tuning's parameters

protected:
    QString prepare() override;
    void draw() override;

private:
    /// What stands in a cell that has the room for it.
    struct Label {
        QCPItemText* text;
        int width, height;
    };
    void placeAxis(QCPAxis* axis, const TunedColumn& column);
    void drawColours();
    void label(std::size_t column, std::size_t row);
    void hideWhatHasNoRoom();
    double shareOf(const HeatMap::Cell& cell) const;
    QColor colourAt(double share) const;

    int x_ = 0, y_ = 1;
    HeatMap map_;
    double low_ = 1, high_ = 1;  ///< the objective of the best cell and of the worst
    std::vector<Label> labels_;
};

}  // namespace kernelgen::studio
