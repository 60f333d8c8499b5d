// SPDX-License-Identifier: Apache-2.0
#include "core/report/svg.h"

#include <cmath>
#include <format>

namespace kernelgen {

namespace {

std::string number(double value) { return std::isfinite(value) ? std::format("{:.1f}", value) : "0"; }

std::string with_tip(std::string_view element, std::string_view attributes, std::string_view tip) {
    if (tip.empty()) return std::format("<{} {}/>", element, attributes);
    return std::format("<{0} {1}><title>{2}</title></{0}>", element, attributes, escaped(tip));
}

std::string pairs(std::span<const SvgPoint> points) {
    std::string text;
    for (const SvgPoint& each : points) text += (text.empty() ? "" : " ") + number(each.x) + "," + number(each.y);
    return text;
}

}  // namespace

std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (c == '&') result += "&amp;";
        else if (c == '<') result += "&lt;";
        else if (c == '>') result += "&gt;";
        else if (c == '"') result += "&quot;";
        else if (c == '\'') result += "&#39;";
        else result += c;
    }
    return result;
}

Svg::Svg(double width, double height, std::string_view title)
    : body_(std::format(R"(<svg class="chart" role="img" viewBox="0 0 {0} {1}" width="{0}" height="{1}">)"
                        "<title>{2}</title>",
                        number(width), number(height), escaped(title))) {}

void Svg::line(SvgPoint from, SvgPoint to, std::string_view kind) {
    body_ += std::format(R"(<line class="{}" x1="{}" y1="{}" x2="{}" y2="{}"/>)", kind, number(from.x), number(from.y),
                         number(to.x), number(to.y));
}

void Svg::path(std::span<const SvgPoint> points, std::string_view kind) {
    if (points.size() > 1) body_ += std::format(R"(<polyline class="{}" points="{}"/>)", kind, pairs(points));
}

void Svg::arrow(SvgPoint from, SvgPoint to, std::string_view kind) {
    constexpr double head = 7, half_width = 3;
    const double dx = to.x - from.x, dy = to.y - from.y, length = std::hypot(dx, dy);
    if (length < 1) return;
    const double ux = dx / length, uy = dy / length;
    const SvgPoint neck{to.x - head * ux, to.y - head * uy};
    const SvgPoint corners[] = {
        to, {neck.x - half_width * uy, neck.y + half_width * ux}, {neck.x + half_width * uy, neck.y - half_width * ux}};
    line(from, length > head ? neck : to, kind);
    body_ += std::format(R"(<polygon class="{} filled" points="{}"/>)", kind, pairs(corners));
}

void Svg::rectangle(SvgPoint corner, double width, double height, std::string_view kind, std::string_view tip) {
    body_ += with_tip("rect",
                      std::format(R"(class="{}" x="{}" y="{}" width="{}" height="{}")", kind, number(corner.x),
                                  number(corner.y), number(width), number(height)),
                      tip);
}

void Svg::disc(SvgPoint centre, double radius, std::string_view kind, std::string_view tip) {
    body_ += with_tip("circle",
                      std::format(R"(class="{} filled" cx="{}" cy="{}" r="{}")", kind, number(centre.x),
                                  number(centre.y), number(radius)),
                      tip);
}

void Svg::cross(SvgPoint centre, double radius, std::string_view kind, std::string_view tip) {
    const std::string data =
        std::format("M{} {}L{} {}M{} {}L{} {}", number(centre.x - radius), number(centre.y - radius),
                    number(centre.x + radius), number(centre.y + radius), number(centre.x - radius),
                    number(centre.y + radius), number(centre.x + radius), number(centre.y - radius));
    body_ += with_tip("path", std::format(R"(class="{}" d="{}")", kind, data), tip);
}

void Svg::text(SvgPoint place, std::string_view words, Anchor anchor, double turn_degrees) {
    constexpr const char* anchors[] = {"start", "middle", "end"};
    const std::string turn = turn_degrees == 0 ? ""
                                               : std::format(R"x( transform="rotate({} {} {})")x", number(turn_degrees),
                                                             number(place.x), number(place.y));
    body_ += std::format(R"(<text x="{}" y="{}" text-anchor="{}"{}>{}</text>)", number(place.x), number(place.y),
                         anchors[static_cast<int>(anchor)], turn, escaped(words));
}

}  // namespace kernelgen
