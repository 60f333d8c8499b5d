// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/window/docks.h"

#include <QEvent>
#include <QFontDatabase>
#include <QFontMetrics>
#include <QMainWindow>
#include <QMenuBar>
#include <QMouseEvent>
#include <QStatusBar>
#include <QTabBar>
#include <algorithm>
#include <utility>

namespace kernelgen::studio {

namespace {

constexpr int left_width = 330, right_width = 300;
constexpr int source_lines = 25;   ///< of the middle: four are its tabs and its margins, one a desktop's panel may take
constexpr int stacked_lines = 34;  ///< of text, from which height on charts and rounds stand one above the other
constexpr double between_share = 0.56, wide_left_share = 0.36;
constexpr int least_height = 60;  ///< of the docks below the middle, where its lines leave them less

/// The versions of a saved state: a default layout follows the window's size also when it is restored.
constexpr int own_layout = 0, default_layout = 1;

Qt::DockWidgetArea areaOf(Docks::Place place) {
    if (place == Docks::Place::left) return Qt::LeftDockWidgetArea;
    const bool is_right = place == Docks::Place::right || place == Docks::Place::beside;
    return is_right ? Qt::RightDockWidgetArea : Qt::BottomDockWidgetArea;
}

/// The height that the middle and the docks below it share.
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
    window_.installEventFilter(this);
}

QDockWidget* Docks::add(const QString& id, const QString& title, QWidget* panel, Place place) {
    auto* dock = new QDockWidget(title);
    dock->setObjectName(id);
    dock->setWidget(panel);
    panel->setAccessibleName(title);
    window_.addDockWidget(areaOf(place), dock);
    docks_.push_back({dock, place});
    dock->installEventFilter(this);
    return dock;
}

QDockWidget* Docks::operator[](const QString& id) const { return window_.findChild<QDockWidget*>(id); }

std::vector<QDockWidget*> Docks::all() const {
    std::vector<QDockWidget*> docks;
    for (const Placed& each : docks_) docks.push_back(each.dock);
    return docks;
}

void Docks::reset() {
    QStringList shown;
    for (const Placed& each : docks_) {
        if (each.place != Place::beside) shown << each.dock->objectName();
    }
    arrange(shown, first(Place::below)->objectName());
}

/// Puts every dock at its place. Docks are hidden while they are placed: side by side, if only for a moment, they would
/// make the window wider.
void Docks::arrange(const QStringList& shown, const QString& front) {
    endWhole();
    forgetSizes();
    is_dragged_ = false;
    for (const Placed& each : docks_) {
        each.dock->setFloating(false);
        each.dock->hide();
        window_.addDockWidget(areaOf(each.place), each.dock);
    }
    stack();
    for (const Placed& each : docks_) each.dock->setVisible(shown.contains(each.dock->objectName()));
    (*this)[front]->raise();
    divideHeight();
}

QDockWidget* Docks::first(Place place) const { return std::ranges::find(docks_, place, &Placed::place)->dock; }

/// Makes the docks below tabs of the first of them. The dock between is put above that one or, in a low window, behind
/// it.
void Docks::stack() {
    QDockWidget *below = first(Place::below), *between = first(Place::between);
    if (isLow(window_)) window_.tabifyDockWidget(below, between);
    else window_.splitDockWidget(between, below, Qt::Vertical);
    window_.splitDockWidget(first(Place::beside), first(Place::right), Qt::Horizontal);
    for (const Placed& each : docks_) {
        if (each.place == Place::below && each.dock != below) window_.tabifyDockWidget(below, each.dock);
    }
}

/// The width of each column that is shown. The operator has more where no tunables are, and what is beside the middle
/// has as much as the middle.
void Docks::divideWidth() {
    const QDockWidget *left = first(Place::left), *right = first(Place::right), *beside = first(Place::beside);
    const auto takes_width = [](const QDockWidget& dock) { return !dock.isHidden() && !dock.isFloating(); };
    const bool has_room = !takes_width(*right) && !takes_width(*beside);
    const int of_left =
        has_room ? std::max(left_width, static_cast<int>(window_.width() * wide_left_share)) : left_width;
    QList<QDockWidget*> columns = {first(Place::left), first(Place::right)};
    QList<int> widths = {of_left, right_width};
    if (takes_width(*beside)) {
        const int taken = (takes_width(*left) ? of_left : 0) + (takes_width(*right) ? right_width : 0);
        columns << first(Place::beside);
        widths << (window_.width() - taken) / 2;
    }
    window_.resizeDocks(columns, widths, Qt::Horizontal);
}

/// The middle has its lines first, and the others have the rest.
void Docks::divideHeight() {
    divideWidth();
    QDockWidget *below = first(Place::below), *between = first(Place::between);
    for (const Placed& each : docks_) {
        if (each.place == Place::below && below->isHidden()) below = each.dock;
    }
    const int rest = std::max(heightBetweenBars(window_) - sourceHeight(), least_height);
    if (isLow(window_) || between->isHidden()) return window_.resizeDocks({below}, {rest}, Qt::Vertical);
    const int upper = static_cast<int>(rest * between_share);
    window_.resizeDocks({between, below}, {upper, rest - upper}, Qt::Vertical);
}

/// Whether every dock is at its place, and none has a size that the user gave it.
bool Docks::isDefault() const {
    return !is_dragged_ && std::ranges::all_of(docks_, [this](const Placed& each) {
        return each.dock->isFloating() || window_.dockWidgetArea(each.dock) == areaOf(each.place);
    });
}

/// Makes the default layout for the window's size. What was hidden stays so, and what was in front of its tabs too.
void Docks::fit() {
    QDockWidget *below = first(Place::below), *between = first(Place::between);
    const bool is_tab = window_.tabifiedDockWidgets(below).contains(between);
    if (!between->isFloating() && !between->isHidden() && is_tab != isLow(window_)) {
        const auto front = std::ranges::find_if(
            docks_, [this](const Placed& each) { return each.place == Place::below && isInFront(*each.dock); });
        QDockWidget* shown = front == docks_.end() ? below : front->dock;
        between->hide();  // side by side with the others, if only for a moment, it would make the window wider
        window_.addDockWidget(areaOf(Place::between), between);
        stack();
        between->show();
        shown->raise();
    }
    divideHeight();
}

std::vector<Docks::Extent> Docks::extents() const {
    std::vector<Extent> extents;
    for (const auto& [dock, place] : docks_) {
        const bool is_behind = !window_.rect().intersects(dock->geometry());  // that is how Qt hides them
        if (dock->isFloating() || !dock->isVisible() || is_behind) continue;
        const bool is_column = areaOf(place) != Qt::BottomDockWidgetArea;
        extents.push_back(
            {dock, is_column ? Qt::Horizontal : Qt::Vertical, is_column ? dock->width() : dock->height()});
    }
    return extents;
}

bool Docks::areCrushed() const {
    return std::ranges::any_of(useful_, [](const Extent& each) {
        const int now = each.orientation == Qt::Horizontal ? each.dock->width() : each.dock->height();
        return now < each.pixels;
    });
}

/// The height of the bar of tabs below docks that share a place: `resizeDocks` counts it.
int Docks::heightOfTabs(QDockWidget& dock) const {
    if (window_.tabifiedDockWidgets(&dock).isEmpty()) return 0;
    for (const QTabBar* each : window_.findChildren<QTabBar*>(Qt::FindDirectChildrenOnly)) {
        if (each->isVisible()) return each->height();
    }
    return 0;
}

void Docks::windowResized() {
    const QSize now = window_.size(), before = std::exchange(laid_out_, now);
    if (hidden_ || whole_) return;
    if (isDefault()) return fit();
    if (useful_.empty()) return;
    crushed_ = crushed_ || areCrushed();
    const bool grows = now.width() > before.width() || now.height() > before.height();
    if (!crushed_ || !grows) return;
    for (const Extent& each : useful_) {
        const bool is_width = each.orientation == Qt::Horizontal;
        const double share =
            is_width ? double(now.width()) / useful_in_.width() : double(now.height()) / useful_in_.height();
        const int wanted = static_cast<int>(each.pixels * std::min(share, 1.0));
        window_.resizeDocks({each.dock}, {wanted + (is_width ? 0 : heightOfTabs(*each.dock))}, each.orientation);
    }
}

void Docks::forgetSizes() {
    useful_.clear();
    crushed_ = false;
}

/// A dock that changes in a window that stays as large was dragged by its edge, or came to the front.
bool Docks::eventFilter(QObject* watched, QEvent* event) {
    const QEvent::Type type = event->type();
    if (watched == &window_) {
        const bool is_press = type == QEvent::MouseButtonPress;
        if (is_press && window_.isSeparator(static_cast<QMouseEvent*>(event)->position().toPoint())) is_dragged_ = true;
        return QObject::eventFilter(watched, event);
    }
    const bool has_changed = type == QEvent::Resize || type == QEvent::Move || type == QEvent::Show;
    if (has_changed && !hidden_ && !whole_ && window_.size() == laid_out_) {
        if (crushed_) crushed_ = areCrushed();
        if (!crushed_) {
            useful_ = extents();
            useful_in_ = laid_out_;
        }
    }
    return QObject::eventFilter(watched, event);
}

QByteArray Docks::save() const { return window_.saveState(isDefault() ? default_layout : own_layout); }

void Docks::putBack(const QByteArray& saved) {
    if (window_.restoreState(saved, own_layout)) is_dragged_ = true;
    else if (window_.restoreState(saved, default_layout)) fit();
}

QByteArray Docks::state() const { return before_.isEmpty() ? save() : before_; }

void Docks::restore(const QByteArray& state) {
    forgetSizes();
    putBack(state);
}

void Docks::hideAll() {
    endWhole();
    if (before_.isEmpty()) before_ = save();
    hidden_ = true;
    for (const Placed& each : docks_) each.dock->hide();
}

void Docks::showAll() {
    hidden_ = false;
    putBack(std::exchange(before_, {}));
}

void Docks::toggleWhole(QDockWidget* dock_or_middle) {
    if (whole_) return endWhole();
    if (hidden_ || (dock_or_middle != nullptr && dock_or_middle->isFloating())) return;
    before_ = save();
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

/// The focus stays where it is, though docks are hidden for a moment while they are placed.
void Docks::endWhole() {
    if (!whole_) return;
    whole_ = false;
    QWidget* focused = window_.focusWidget();
    window_.centralWidget()->show();
    putBack(std::exchange(before_, {}));
    if (focused != nullptr) focused->setFocus();
    emit wholeChanged();
}

void Docks::raise(QDockWidget& dock) {
    const bool was_hidden = dock.isHidden();
    if (whole_ && was_hidden) endWhole();
    dock.show();
    if (was_hidden && !dock.isFloating() && isDefault()) divideHeight();
    dock.raise();
}

QDockWidget* Docks::around(const QWidget* widget) const {
    for (const Placed& each : docks_) {
        if (each.dock == widget || each.dock->isAncestorOf(widget)) return each.dock;
    }
    return nullptr;
}

}  // namespace kernelgen::studio
