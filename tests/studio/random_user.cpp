// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/studio/random_user.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QFileDialog>
#include <QMenuBar>
#include <QTabBar>
#include <QTest>
#include <QThread>
#include <QTimer>
#include <algorithm>

namespace kernelgen::studio::testing {

namespace {

constexpr int longest_dialog = 120;  ///< steps after which a dialog is closed: some forbid what closes them

int loopLevel() { return QThread::currentThread()->loopLevel(); }

/// Whether a person would aim at it.
bool isTarget(const QWidget& widget) {
    return widget.focusPolicy() != Qt::NoFocus || qobject_cast<const QAbstractButton*>(&widget) != nullptr ||
           qobject_cast<const QTabBar*>(&widget) != nullptr || qobject_cast<const QMenuBar*>(&widget) != nullptr;
}

QString nameOf(const QWidget* widget) {
    if (widget == nullptr) return QStringLiteral("nothing");
    const QString name = widget->objectName();
    return QString(widget->metaObject()->className()) + (name.isEmpty() ? QString() : " " + name);
}

/// Closes what chooses files; whether there was one.
bool closeFileDialogs() {
    bool any = false;
    for (QWidget* each : QApplication::topLevelWidgets()) {
        auto* dialog = qobject_cast<QFileDialog*>(each);
        if (dialog == nullptr || !dialog->isVisible()) continue;
        dialog->reject();
        any = true;
    }
    return any;
}

}  // namespace

RandomUser::RandomUser(quint32 seed, const QString& steps_file)
    : random_(seed), log_(std::fopen(steps_file.toUtf8().constData(), "w")) {
    if (log_ == nullptr) qFatal("cannot write %s", qPrintable(steps_file));
    clock_.start();
}

RandomUser::~RandomUser() { std::fclose(log_); }

void RandomUser::act(qint64 milliseconds) {
    end_ = clock_.elapsed() + milliseconds;
    scheduleNext();
}

/// A timer of its own each time: a dialog or a menu that a step opens has an event loop of its own, in which the next
/// steps are made.
void RandomUser::scheduleNext() { QTimer::singleShot(1, this, &RandomUser::next); }

void RandomUser::next() {
    // The events of a step are sent with others that wait, which may be this call.
    if (level_ >= loopLevel()) return scheduleNext();
    if (clock_.elapsed() > end_) return leave();
    const int level = std::exchange(level_, loopLevel());
    scheduleNext();
    const qint64 begin = clock_.elapsed();
    const int step = ++steps_;
    actOnce();
    level_ = level;
    emit stepEnded(steps_);
    const qint64 taken = clock_.elapsed() - begin;
    if (steps_ != step || taken <= longest_stall_) return;  // other steps were made in it
    longest_stall_ = taken;
    longest_step_ = last_;
}

/// Closes what is open, from the last to the first, then ends.
void RandomUser::leave() {
    if (QWidget* popup = QApplication::activePopupWidget()) popup->close();
    else if (auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget())) dialog->reject();
    else if (QWindow* dragged_in = QGuiApplication::focusWindow(); dragged_in != nullptr && loopLevel() > 1)
        QTest::keyClick(dragged_in, Qt::Key_Escape);
    if (loopLevel() > 1 || level_ > 0) return scheduleNext();
    emit finished();
}

void RandomUser::actOnce() {
    if (closeFileDialogs()) return;
    QWidget* modal = QApplication::activeModalWidget();
    if (modal != dialog_) {
        dialog_ = modal;
        dialog_since_ = steps_;
    }
    if (dialog_ != nullptr && steps_ - dialog_since_ > longest_dialog) {
        note("close " + nameOf(dialog_));
        dialog_->close();
        return;
    }
    QWidget* widget = chooseWindow();
    if (widget == nullptr || widget->windowHandle() == nullptr) return;
    const QPoint place = choosePlace(*widget);
    last_ = " at " + QString::number(place.x()) + "," + QString::number(place.y()) + " " +
            nameOf(widget->childAt(place)) + " in " + nameOf(widget);
    QWindow& window = *widget->windowHandle();
    const int choice = random_.bounded(100);
    if (choice < 42) click(window, place);
    else if (choice < 54) drag(window, place);
    else if (choice < 64) scroll(window, place);
    else if (choice < 98) pressKeys(window);
    else change(*widget);
}

QWidget* RandomUser::chooseWindow() {
    if (QWidget* popup = QApplication::activePopupWidget()) return popup;
    if (QWidget* modal = QApplication::activeModalWidget()) return modal;
    QWidgetList shown;
    for (QWidget* each : QApplication::topLevelWidgets()) {
        if (each->isVisible() && each->windowType() != Qt::ToolTip) shown << each;
    }
    std::ranges::sort(shown, {}, [](const QWidget* each) { return -each->width() * each->height(); });
    if (shown.isEmpty()) return nullptr;
    return happens(2) ? shown.front() : shown[random_.bounded(int(shown.size()))];
}

/// Half of the places are anywhere, so mostly in what is large; half are in a widget that may be small.
QPoint RandomUser::choosePlace(const QWidget& window) {
    const auto in = [this](const QRect& area) {
        return area.topLeft() +
               QPoint(random_.bounded(std::max(1, area.width())), random_.bounded(std::max(1, area.height())));
    };
    QWidgetList targets;
    if (happens(2)) {
        for (QWidget* each : window.findChildren<QWidget*>()) {
            if (each->window() == &window && isTarget(*each) && !each->visibleRegion().isEmpty()) targets << each;
        }
    }
    if (targets.isEmpty()) return in(window.rect());
    const QWidget& target = *targets[random_.bounded(int(targets.size()))];
    const QRect seen = target.visibleRegion().boundingRect();
    return target.mapTo(&window, in(seen));
}

Qt::KeyboardModifiers RandomUser::someModifiers() {
    constexpr Qt::KeyboardModifier some[] = {Qt::ShiftModifier, Qt::ControlModifier, Qt::AltModifier};
    return happens(8) ? Qt::KeyboardModifiers(some[random_.bounded(3)]) : Qt::KeyboardModifiers();
}

void RandomUser::click(QWindow& window, const QPoint& place) {
    const Qt::MouseButton button = happens(8) ? Qt::RightButton : happens(20) ? Qt::MiddleButton : Qt::LeftButton;
    const bool twice = happens(8);
    const Qt::KeyboardModifiers modifiers = someModifiers();
    note(QString(twice ? "double click %1" : "click %1").arg(button));
    const QPointer<QWindow> alive(&window);  // a press may end a menu
    QTest::mouseMove(&window, place);
    if (alive != nullptr && twice) return QTest::mouseDClick(alive, button, modifiers, place);
    if (alive != nullptr) QTest::mousePress(alive, button, modifiers, place);
    if (alive != nullptr) QTest::mouseRelease(alive, button, modifiers, place);
}

void RandomUser::drag(QWindow& window, const QPoint& from) {
    const QPoint last(window.width() - 1, window.height() - 1);
    const bool is_short = happens(2);
    const QPoint to = is_short ? from + QPoint(random_.bounded(-60, 60), random_.bounded(-60, 60))
                               : QPoint(random_.bounded(last.x() + 1), random_.bounded(last.y() + 1));
    const QPoint inside(std::clamp(to.x(), 0, last.x()), std::clamp(to.y(), 0, last.y()));
    note("drag to " + QString::number(inside.x()) + "," + QString::number(inside.y()));
    const QPointer<QWindow> alive(&window);
    QTest::mousePress(&window, Qt::LeftButton, someModifiers(), from);
    if (alive != nullptr) QTest::mouseMove(alive, (from + inside) / 2);
    if (alive != nullptr) QTest::mouseMove(alive, inside);
    if (alive != nullptr) QTest::mouseRelease(alive, Qt::LeftButton, Qt::NoModifier, inside);
}

void RandomUser::scroll(QWindow& window, const QPoint& place) {
    const int by = (random_.bounded(3) + 1) * (happens(2) ? 120 : -120);
    note("scroll by " + QString::number(by));
    QTest::wheelEvent(&window, place, happens(5) ? QPoint(by, 0) : QPoint(0, by), {}, someModifiers());
}

/// Keys of the window's actions, keys that move and edit, menus by Alt, and some text. In a menu without Alt and the
/// like, which alone end a menu: the key that follows would go to a window that is gone.
void RandomUser::pressKeys(QWindow& window) {
    const auto press = [&window, this](QKeyCombination keys) {
        if (QApplication::activePopupWidget() != nullptr) keys = keys.key();
        note("key " + QKeySequence(keys).toString());
        const QPointer<QWindow> alive(&window);
        QTest::keyPress(&window, keys.key(), keys.keyboardModifiers());
        if (alive != nullptr) QTest::keyRelease(alive, keys.key(), keys.keyboardModifiers());
    };
    if (happens(3)) {
        QList<QKeySequence> possible;
        for (const QWidget* widget : QApplication::topLevelWidgets()) {
            for (const QAction* each : widget->findChildren<QAction*>()) {
                if (!each->shortcut().isEmpty() && each->isEnabled()) possible << each->shortcut();
            }
        }
        if (!possible.isEmpty()) return press(possible[random_.bounded(int(possible.size()))][0]);
    }
    if (happens(3)) {
        constexpr Qt::Key letters[] = {Qt::Key_X,         Qt::Key_Y,          Qt::Key_B,         Qt::Key_0,
                                       Qt::Key_1,         Qt::Key_8,          Qt::Key_Plus,      Qt::Key_Asterisk,
                                       Qt::Key_ParenLeft, Qt::Key_ParenRight, Qt::Key_Equal,     Qt::Key_Comma,
                                       Qt::Key_Period,    Qt::Key_Semicolon,  Qt::Key_Underscore};
        return press(letters[random_.bounded(int(std::size(letters)))]);
    }
    constexpr QKeyCombination keys[] = {Qt::Key_Tab,
                                        Qt::Key_Backtab,
                                        Qt::Key_Return,
                                        Qt::Key_Escape,
                                        Qt::Key_Up,
                                        Qt::Key_Down,
                                        Qt::Key_Left,
                                        Qt::Key_Right,
                                        Qt::Key_Space,
                                        Qt::Key_Home,
                                        Qt::Key_End,
                                        Qt::Key_PageUp,
                                        Qt::Key_PageDown,
                                        Qt::Key_Delete,
                                        Qt::Key_Backspace,
                                        Qt::Key_F2,
                                        Qt::Key_F10,
                                        Qt::Key_Menu,
                                        Qt::CTRL | Qt::Key_A,
                                        Qt::CTRL | Qt::Key_C,
                                        Qt::CTRL | Qt::Key_V,
                                        Qt::CTRL | Qt::Key_X,
                                        Qt::CTRL | Qt::Key_Z,
                                        Qt::CTRL | Qt::Key_Tab,
                                        Qt::CTRL | Qt::Key_Space,
                                        Qt::ALT | Qt::Key_Down,
                                        Qt::ALT | Qt::Key_F,
                                        Qt::ALT | Qt::Key_V,
                                        Qt::SHIFT | Qt::Key_Down,
                                        Qt::SHIFT | Qt::Key_End};
    press(keys[random_.bounded(int(std::size(keys)))]);
}

/// The window gets another size, or a further window is closed.
void RandomUser::change(QWidget& widget) {
    const bool is_first = widget.parentWidget() == nullptr;
    if (!is_first && !widget.windowFlags().testFlag(Qt::Popup) && happens(2)) {
        note("close");
        widget.close();
    } else if (is_first) {
        note("resize");
        widget.resize(random_.bounded(500, 2000), random_.bounded(350, 1200));
    }
}

void RandomUser::note(const QString& step) {
    last_ = step + last_;
    std::fprintf(log_, "%d %s\n", steps_, qPrintable(last_));
    std::fflush(log_);
}

}  // namespace kernelgen::studio::testing
