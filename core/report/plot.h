// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/report/svg.h"

namespace kernelgen {

/// An axis from one value to a greater one; those of a logarithmic one are positive.
struct PlotAxis {
    double from = 0, to = 1;
    bool logarithmic = false;
    bool whole = false;  ///< marks only at whole numbers
    std::string title;

    double share(double value) const;  ///< 0 at `from`, 1 at `to`
    std::vector<double> marks() const;
};

/// The axis that holds all values, with a margin; a linear one also holds 0 where that is near.
PlotAxis axis_for(const std::vector<double>& values, bool logarithmic, std::string title);

/// "1.5", "2e+06": as a mark of an axis says it.
std::string mark_text(double value);

/// A frame with two axes, in which values are drawn.
class Plot {
public:
    Plot(std::string_view title, PlotAxis x, PlotAxis y);

    SvgPoint at(double x, double y) const;
    Svg& drawing() { return drawing_; }
    const PlotAxis& x() const { return x_; }
    const PlotAxis& y() const { return y_; }

    /// A second vertical axis at the right, from 0 to 1 as percent.
    void share_axis(const std::string& title);
    SvgPoint at_share(double x, double share) const;

    /// Names of what has the class "series-N", below the frame; at most six fit.
    void legend(const std::vector<std::string>& names);

    static constexpr double width = 720, height = 420;

private:
    static constexpr double left = 70, right = 60, top = 16, bottom = 104;
    double inner_width() const { return width - left - right; }
    double inner_height() const { return height - top - bottom; }
    void draw_axes();

    PlotAxis x_, y_;
    Svg drawing_;
};

}  // namespace kernelgen
