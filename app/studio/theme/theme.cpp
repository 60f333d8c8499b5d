// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/theme/theme.h"

#include <QApplication>
#include <QLabel>
#include <QProxyStyle>
#include <QStyleFactory>
#include <QStyleHints>
#include <map>

namespace kernelgen::studio {

namespace {

struct Shades {
    const char *window, *base, *alternate, *button, *text, *placeholder, *highlight, *highlighted, *link, *edge;
};

constexpr Shades light{"#f3f4f6", "#ffffff", "#f7f8fa", "#e9ebef", "#1b1f24",
                       "#6b7480", "#2563c9", "#ffffff", "#1d5bbf", "#c3c8d0"};
constexpr Shades dark{"#23262b", "#1a1c20", "#20232a", "#32363d", "#e4e7eb",
                      "#8d96a2", "#3b7de0", "#ffffff", "#6aa6ff", "#454b55"};

QPalette paletteOf(const Shades& shades) {
    QPalette palette(QColor(shades.button), QColor(shades.window));
    const QColor text(shades.text);
    palette.setColor(QPalette::Base, QColor(shades.base));
    palette.setColor(QPalette::AlternateBase, QColor(shades.alternate));
    palette.setColor(QPalette::ToolTipBase, QColor(shades.base));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::ToolTipText}) {
        palette.setColor(role, text);
        palette.setColor(QPalette::Disabled, role, QColor(shades.placeholder));
    }
    palette.setColor(QPalette::PlaceholderText, QColor(shades.placeholder));
    palette.setColor(QPalette::Highlight, QColor(shades.highlight));
    palette.setColor(QPalette::HighlightedText, QColor(shades.highlighted));
    palette.setColor(QPalette::Accent, QColor(shades.highlight));
    palette.setColor(QPalette::Disabled, QPalette::Highlight, QColor(shades.edge));
    palette.setColor(QPalette::Link, QColor(shades.link));
    palette.setColor(QPalette::LinkVisited, QColor(shades.link));
    palette.setColor(QPalette::Mid, QColor(shades.edge));
    return palette;
}

/// Fusion with two changes. Fusion reads the icons of a dock's title from its resources whenever a dock is laid out,
/// several times a dock: half of the time that it takes to show the panels. And its tabs are so wide that a window of
/// 1280 pixels has no room for the titles of the lower panels.
class Style : public QProxyStyle {
public:
    Style() : QProxyStyle(QStyleFactory::create("Fusion")) {}

    QIcon standardIcon(StandardPixmap which, const QStyleOption* option, const QWidget* widget) const override {
        if (which != SP_TitleBarCloseButton && which != SP_TitleBarNormalButton) {
            return QProxyStyle::standardIcon(which, option, widget);
        }
        QIcon& known = title_icons_[which];
        if (known.isNull()) known = QProxyStyle::standardIcon(which, option, widget);
        return known;
    }

    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override {
        constexpr int beside_title = 10;  // pixels on both sides together
        return metric == PM_TabBarTabHSpace ? beside_title : QProxyStyle::pixelMetric(metric, option, widget);
    }

private:
    mutable std::map<StandardPixmap, QIcon> title_icons_;
};

/// A label lays out its rich text once, links in the colour of then.
void recolourLinks() {
    for (QWidget* widget : QApplication::allWidgets()) {
        auto* label = qobject_cast<QLabel*>(widget);
        if (label == nullptr || !label->text().contains("<a ")) continue;
        const QString text = label->text();
        label->clear();
        label->setText(text);
    }
}

}  // namespace

void applyTheme(Theme theme) {
    QStyleHints* hints = QGuiApplication::styleHints();
    hints->setColorScheme(theme == Theme::light  ? Qt::ColorScheme::Light
                          : theme == Theme::dark ? Qt::ColorScheme::Dark
                                                 : Qt::ColorScheme::Unknown);
    const bool is_dark =
        theme == Theme::dark || (theme == Theme::system && hints->colorScheme() == Qt::ColorScheme::Dark);
    QApplication::setStyle(new Style);
    QApplication::setPalette(paletteOf(is_dark ? dark : light));
    recolourLinks();
}

QPalette lightPalette() { return paletteOf(light); }

bool isDark(const QPalette& palette) { return palette.color(QPalette::Window).lightness() < 128; }

/// The series are Okabe and Ito's, who see to those that cannot tell red from green, shifted for each background.
Colours coloursOf(const QPalette& palette) {
    if (isDark(palette)) {
        return {"#9aa4b1",
                "#353a43",
                "#6aa6ff",
                "#4cc38a",
                "#e5a83b",
                "#ff6b6b",
                {"#6aa6ff", "#f0a04b", "#4cc9a0", "#e78ac3", "#e5d352", "#8fd3ff", "#c79bff", "#b8c0cc"}};
    }
    return {"#5b6470",
            "#e1e4e9",
            "#2563c9",
            "#127a47",
            "#8f5a00",
            "#c42b2b",
            {"#1f64c8", "#c25a00", "#00805f", "#b0408a", "#8a7400", "#1386b8", "#7546c9", "#555e6b"}};
}

QColor colourOf(Status status, const QPalette& palette) {
    const Colours colours = coloursOf(palette);
    switch (status) {
        case Status::ok: return colours.good;
        case Status::cancelled:
        case Status::unavailable:
        case Status::restricted: return colours.warning;
        default: return colours.bad;
    }
}

}  // namespace kernelgen::studio
