// SPDX-License-Identifier: Apache-2.0
#include "core/report/plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <format>

#include "core/base/text.h"

namespace kernelgen {

namespace {

constexpr double label_gap = 6, row_gap = 18;

/// 1, 2 or 5 times a power of ten, so that about six steps cover the range.
double step_for(double range) {
    const double rough = range / 6, power = std::pow(10.0, std::floor(std::log10(rough)));
    for (const double each : {1.0, 2.0, 5.0}) {
        if (each * power >= rough) return each * power;
    }
    return 10 * power;
}

std::vector<double> linear_marks(const PlotAxis& axis) {
    std::vector<double> marks;
    double step = step_for(axis.to - axis.from);
    if (axis.whole) step = std::max(1.0, std::ceil(step));
    for (double k = std::ceil(axis.from / step); k * step <= axis.to * (1 + 1e-9) && marks.size() < 20; ++k)
        marks.push_back(k * step);
    return marks;
}

std::vector<double> logarithmic_marks(const PlotAxis& axis) {
    const double decades = std::log10(axis.to / axis.from);
    const std::vector<double> within = decades < 1.5 ? std::vector<double>{1, 2, 5} : std::vector<double>{1};
    const int skip = std::max(1, static_cast<int>(decades / 8) + (decades > 8 ? 1 : 0));
    std::vector<double> marks;
    for (int power = static_cast<int>(std::floor(std::log10(axis.from))); std::pow(10.0, power) <= axis.to * 1.0001;
         power += skip) {
        for (const double each : within) {
            const double mark = each * std::pow(10.0, power);
            if (mark >= axis.from * 0.9999 && mark <= axis.to * 1.0001) marks.push_back(mark);
        }
    }
    return marks;
}

/// A text, cut after so many characters of UTF-8.
std::string shortened(std::string_view text, std::size_t most) {
    std::size_t count = 0, end = 0;
    for (; end < text.size(); ++end) {
        const bool begins = (static_cast<unsigned char>(text[end]) & 0xC0) != 0x80;
        if (begins && ++count > most) return std::string(text.substr(0, end)) + "…";
    }
    return std::string(text);
}

}  // namespace

double PlotAxis::share(double value) const {
    return logarithmic ? std::log(value / from) / std::log(to / from) : (value - from) / (to - from);
}

std::vector<double> PlotAxis::marks() const { return logarithmic ? logarithmic_marks(*this) : linear_marks(*this); }

PlotAxis axis_for(const std::vector<double>& values, bool logarithmic, std::string title) {
    constexpr double margin = 0.08, factor = 1.6;
    PlotAxis axis{.logarithmic = logarithmic, .title = std::move(title)};
    if (values.empty()) return axis;
    const auto [least, most] = std::ranges::minmax(values);
    if (logarithmic) {
        axis.from = least / factor;
        axis.to = most * factor;
        return axis;
    }
    const double room = margin * std::max(most - least, std::abs(most) * 0.1 + 1e-12);
    axis.from = least >= 0 && least < (most - least) ? 0 : least - room;
    axis.to = most + room;
    return axis;
}

std::string mark_text(double value) {
    const double size = std::abs(value);
    if (size != 0 && (size < 1e-3 || size >= 1e6)) return std::format("{:.0e}", value);
    return size >= 1000 ? std::format("{:.0f}", value) : std::format("{:.4g}", value);
}

Plot::Plot(std::string_view title, PlotAxis x, PlotAxis y)
    : x_(std::move(x)), y_(std::move(y)), drawing_(width, height, title) {
    draw_axes();
}

SvgPoint Plot::at(double x, double y) const { return at_share(x, y_.share(y)); }

SvgPoint Plot::at_share(double x, double share) const {
    const auto inside = [](double place) { return std::clamp(place, 0.0, 1.0); };
    return {left + inside(x_.share(x)) * inner_width(), top + (1 - inside(share)) * inner_height()};
}

void Plot::draw_axes() {
    const double floor = height - bottom;
    for (const double mark : x_.marks()) {
        const SvgPoint place = at_share(mark, 0);
        drawing_.line(place, {place.x, top}, "grid");
        drawing_.text({place.x, floor + row_gap}, mark_text(mark), Svg::Anchor::middle);
    }
    for (const double mark : y_.marks()) {
        const SvgPoint place = at(x_.from, mark);
        drawing_.line(place, {width - right, place.y}, "grid");
        drawing_.text({left - label_gap, place.y + 4}, mark_text(mark), Svg::Anchor::end);
    }
    drawing_.line({left, floor}, {width - right, floor}, "ink");
    drawing_.line({left, top}, {left, floor}, "ink");
    drawing_.text({left + inner_width() / 2, floor + 2.1 * row_gap}, x_.title, Svg::Anchor::middle);
    drawing_.text({row_gap, top + inner_height() / 2}, y_.title, Svg::Anchor::middle, -90);
}

void Plot::share_axis(const std::string& title) {
    drawing_.line({width - right, top}, {width - right, height - bottom}, "ink");
    for (int percent = 0; percent <= 100; percent += 25) {
        const double y = top + (1 - percent / 100.0) * inner_height();
        drawing_.text({width - right + label_gap, y + 4}, std::format("{} %", percent));
    }
    drawing_.text({width - label_gap, top + inner_height() / 2}, title, Svg::Anchor::middle, -90);
}

void Plot::legend(const std::vector<std::string>& names) {
    constexpr std::size_t most_in_row = 2, rows = 3, longest = 44;
    const double cell = (inner_width() + right) / most_in_row;
    for (std::size_t i = 0; i < std::min<std::size_t>(names.size(), rows * most_in_row); ++i) {
        const double x = left + static_cast<double>(i % most_in_row) * cell;
        const double y = height - bottom + 3.3 * row_gap + static_cast<double>(i / most_in_row) * row_gap;
        drawing_.disc({x, y - 4}, 4, std::format("series-{}", i));
        drawing_.text({x + 10, y}, shortened(names[i], longest));
    }
}

}  // namespace kernelgen
