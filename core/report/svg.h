// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace kernelgen {

/// Text for HTML or SVG: characters with a meaning there are escaped, also for use in quotes.
std::string escaped(std::string_view text);

struct SvgPoint {
    double x = 0, y = 0;
};

/// A drawing as SVG text, from the upper left corner, in pixels. Every shape has a class ("grid", "ink", "series-0" …)
/// that the styles of the page colour (core/report/html.h), so it is readable on light and on dark. `tip` is shown when
/// a pointer rests on a shape.
class Svg {
public:
    enum class Anchor { start, middle, end };

    /// `title` says what is drawn, to those who cannot see it.
    Svg(double width, double height, std::string_view title);

    void line(SvgPoint from, SvgPoint to, std::string_view kind);
    void path(std::span<const SvgPoint> points, std::string_view kind);
    void arrow(SvgPoint from, SvgPoint to, std::string_view kind);
    void rectangle(SvgPoint corner, double width, double height, std::string_view kind, std::string_view tip = "");
    void disc(SvgPoint centre, double radius, std::string_view kind, std::string_view tip = "");
    void cross(SvgPoint centre, double radius, std::string_view kind, std::string_view tip = "");
    void text(SvgPoint place, std::string_view words, Anchor anchor = Anchor::start, double turn_degrees = 0);

    /// One line, which holds no reference to anything outside.
    std::string markup() const { return body_ + "</svg>"; }

private:
    std::string body_;
};

}  // namespace kernelgen
