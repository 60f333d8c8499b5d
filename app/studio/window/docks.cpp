// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/window/docks.h"

#include <QFontDatabase>
#include <QFontMetrics>
#include <QMainWindow>
#include <QMenuBar>
#include <QStatusBar>
#include <algorithm>
#include <utility>

namespace kernelgen::studio {

namespace {

constexpr int left_width = 330, right_width = 300;
constexpr int source_lines = 24;   ///< of the middle: some of them are its tabs and its margins
constexpr int stacked_lines = 34;  ///< of text, from which height on charts and rounds stand one above the other
constexpr double between_share = 0.56;

Qt::DockWidgetArea areaOf(Docks::Place place) {
    if (place == Docks::Place::left) return Qt::LeftDockWidgetArea;
    return place == Docks::Place::right ? Qt::RightDockWidgetArea : Qt::BottomDockWidgetArea;
}

/// What the middle and the docks below it share.
int heightBetweenBars(const QMainWindow& window) {
    return window.height() - window.menuBar()->sizeHint().height() - window.statusBar()->sizeHint().height() -
           2 * window.fontMetrics().height();  // the toolbar
}

int sourceHeight() {
    return source_lines * QFontMetrics(QFontDatabase::systemFont(QFontDatabase::FixedFont)).lineSpacing();
}

bool isLow(const QMainWindow& window) {
    return heightBetweenBars(window) - sourceHeight() < stacked_lines * window.fontMetrics().lineSpacing();
}

}  // namespace

Docks::Docks(QMainWindow& window) : QObject(&window), window_(window) {
    window_.setDockNestingEnabled(true);
    window_.setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    window_.setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
}

QDockWidget* Docks::add(const QString& id, const QString& title, QWidget* panel, Place place) {
    auto* dock = new QDockWidget(title);
    dock->setObjectName(id);
    dock->setWidget(panel);
    panel->setAccessibleName(title);
    window_.addDockWidget(areaOf(place), dock);
    docks_.push_back({dock, place});
    return dock;
}

QDockWidget* Docks::operator[](const QString& id) const { return window_.findChild<QDockWidget*>(id); }

std::vector<QDockWidget*> Docks::all() const {
    std::vector<QDockWidget*> docks;
    for (const Placed& each : docks_) docks.push_back(each.dock);
    return docks;
}

/// They are hidden while they are placed: side by side, if only for a moment, they would make the window wider.
void Docks::reset() {
    endWhole();
    for (const Placed& each : docks_) {
        each.dock->setFloating(false);
        each.dock->hide();
        window_.addDockWidget(areaOf(each.place), each.dock);
    }
    stack();
    for (const Placed& each : docks_) each.dock->show();
    first(Place::below)->raise();
    divideHeight();
}

QDockWidget* Docks::first(Place place) const { return std::ranges::find(docks_, place, &Placed::place)->dock; }

/// Those below as tabs of the first of them, and that between above it or behind it.
void Docks::stack() {
    QDockWidget *below = first(Place::below), *between = first(Place::between);
    if (isLow(window_)) window_.tabifyDockWidget(below, between);
    else window_.splitDockWidget(between, below, Qt::Vertical);
    for (const Placed& each : docks_) {
        if (each.place == Place::below && each.dock != below) window_.tabifyDockWidget(below, each.dock);
    }
}

/// The middle has its lines first, and the others have the rest.
void Docks::divideHeight() {
    window_.resizeDocks({first(Place::left), first(Place::right)}, {left_width, right_width}, Qt::Horizontal);
    QDockWidget *below = first(Place::below), *between = first(Place::between);
    const int rest = heightBetweenBars(window_) - sourceHeight();
    if (isLow(window_)) return window_.resizeDocks({below}, {rest}, Qt::Vertical);
    const int upper = static_cast<int>(rest * between_share);
    window_.resizeDocks({between, below}, {upper, rest - upper}, Qt::Vertical);
}

QByteArray Docks::state() const { return before_.isEmpty() ? window_.saveState() : before_; }

void Docks::restore(const QByteArray& state) { window_.restoreState(state); }

void Docks::hideAll() {
    endWhole();
    if (before_.isEmpty()) before_ = window_.saveState();
    hidden_ = true;
    for (const Placed& each : docks_) each.dock->hide();
}

void Docks::showAll() {
    hidden_ = false;
    window_.restoreState(std::exchange(before_, {}));
}

void Docks::toggleWhole(QDockWidget* dock_or_middle) {
    if (whole_) return endWhole();
    if (hidden_ || (dock_or_middle != nullptr && dock_or_middle->isFloating())) return;
    before_ = window_.saveState();
    whole_ = true;
    const QList<QDockWidget*> tabs =
        dock_or_middle == nullptr ? QList<QDockWidget*>() : window_.tabifiedDockWidgets(dock_or_middle);
    for (const Placed& each : docks_) {
        const bool stays = each.dock == dock_or_middle || each.dock->isFloating() || tabs.contains(each.dock);
        if (!stays) each.dock->hide();
    }
    window_.centralWidget()->setVisible(dock_or_middle == nullptr);
    emit wholeChanged();
}

void Docks::endWhole() {
    if (!whole_) return;
    whole_ = false;
    window_.centralWidget()->show();
    window_.restoreState(std::exchange(before_, {}));
    emit wholeChanged();
}

void Docks::raise(QDockWidget& dock) {
    if (whole_ && dock.isHidden()) endWhole();
    dock.show();
    dock.raise();
}

QDockWidget* Docks::around(const QWidget* widget) const {
    for (const Placed& each : docks_) {
        if (each.dock == widget || each.dock->isAncestorOf(widget)) return each.dock;
    }
    return nullptr;
}

}  // namespace kernelgen::studio
