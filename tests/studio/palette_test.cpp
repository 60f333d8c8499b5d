// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSet>
#include <QTest>

#include "app/studio/palette/command_palette.h"
#include "app/studio/palette/fuzzy_match.h"
#include "app/studio/window/main_window.h"
#include "tests/studio/fixtures.h"
#include "tests/studio/registry.h"

namespace kernelgen::studio {

using testing::child;
using testing::Studio;

class PaletteTest : public QObject {
    Q_OBJECT

private slots:
    void everyActionOfTheWindowIsInThePalette();
    void whatIsNotPossibleHasAReason();
    void someLettersFindAnAction();
    void lettersThatBeginWordsCountMore();
    void anActionIsFoundByItsKey();
    void returnDoesTheActionAndGivesTheFocusBack();
    void aDisabledActionIsNotDone();
    void escClosesIt();
};

namespace {

/// Whether an action belongs to the window itself, and has something to show.
bool isOfWindow(const QAction& action, const QWidget& window) {
    if (action.text().isEmpty() || action.isSeparator() || action.menu() != nullptr) return false;
    const QObject* owner = action.parent();
    // Qt makes these for fields and for its own menu of docks; each dock has an action in the menu View.
    if (qobject_cast<const QLineEdit*>(owner) != nullptr || qobject_cast<const QDockWidget*>(owner) != nullptr)
        return false;
    while (owner != nullptr && (!owner->isWidgetType() || qobject_cast<const QMenu*>(owner) != nullptr))
        owner = owner->parent();
    const auto* widget = qobject_cast<const QWidget*>(owner);
    return widget != nullptr && widget->window() == &window;
}

struct OpenPalette {
    Studio studio;
    std::unique_ptr<MainWindow> window;
    CommandPalette* palette = nullptr;
    QLineEdit* typed = nullptr;

    explicit OpenPalette(const QString& sample = "bias_add") : studio(sample) {
        if (!sample.isEmpty()) studio.open();
        window = std::make_unique<MainWindow>(studio.session());
        window->show();
        window->activateWindow();
        (void)QTest::qWaitForWindowActive(window.get());
        QTest::qWait(100);
        palette = child<CommandPalette>(*window, "command_palette");
        typed = child<QLineEdit>(*palette, "command_typed");
        palette->open();
    }

    QStringList titles() const {
        QStringList all;
        for (int row = 0; row < palette->model().rowCount(); ++row) {
            all << CommandModel::titleOf(palette->model().command(row));
        }
        return all;
    }
};

}  // namespace

void PaletteTest::everyActionOfTheWindowIsInThePalette() {
    const OpenPalette opened;
    QSet<const QAction*> offered;
    for (int row = 0; row < opened.palette->model().rowCount(); ++row) {
        const WindowCommand& command = opened.palette->model().command(row);
        QVERIFY2(!offered.contains(command.action), qPrintable(CommandModel::titleOf(command) + " is there twice"));
        QVERIFY2(!command.place.isEmpty(), qPrintable(command.name));
        QCOMPARE(command.keys, command.action->shortcut().toString(QKeySequence::NativeText));
        offered << command.action;
    }
    QVERIFY(offered.size() > 70);
    for (const QAction* each : opened.window->findChildren<QAction*>()) {
        if (!isOfWindow(*each, *opened.window)) continue;
        QVERIFY2(offered.contains(each), qPrintable(each->text() + " is not in the palette"));
    }
}

void PaletteTest::whatIsNotPossibleHasAReason() {
    for (const char* sample : {"", "bias_add"}) {
        const OpenPalette opened(sample);
        int disabled = 0;
        for (int row = 0; row < opened.palette->model().rowCount(); ++row) {
            const WindowCommand& command = opened.palette->model().command(row);
            QCOMPARE(command.obstacle.isEmpty(), command.action->isEnabled());
            disabled += command.obstacle.isEmpty() ? 0 : 1;
            QVERIFY2(command.obstacle != "Nothing to do it with now", qPrintable(CommandModel::titleOf(command)));
            QVERIFY2(command.obstacle != command.name, qPrintable(CommandModel::titleOf(command)));
        }
        QVERIFY(disabled > 3);
    }
}

void PaletteTest::someLettersFindAnAction() {
    const OpenPalette opened;
    opened.typed->setText("thda");
    QCOMPARE(opened.titles().value(0), QString("View › Theme › Dark"));
    opened.typed->setText("default lay");
    QCOMPARE(opened.titles().value(0), QString("View › Default layout"));
    opened.typed->setText("qqqq");
    QVERIFY(opened.titles().isEmpty());
    QVERIFY(!child<QLabel>(*opened.palette, "command_what")->text().isEmpty());
}

void PaletteTest::lettersThatBeginWordsCountMore() {
    const auto score = [](const char* typed, const char* text) {
        const auto match = fuzzyMatch(typed, text);
        return match ? match->score : -1000;
    };
    QVERIFY(score("sa", "Save as") > score("sa", "Pulsars"));
    QVERIFY(score("run", "Run") > score("run", "Round unit"));
    QVERIFY(!fuzzyMatch("nur", "Run"));
    QVERIFY(fuzzyMatch("", "anything").has_value());
    QCOMPARE(fuzzyMatch("SaA", "Save as")->places, (QList<int>{0, 1, 5}));
    QVERIFY(fuzzyMatch(QString(2000, 'a'), QString(50, 'a')) == std::nullopt);
}

void PaletteTest::anActionIsFoundByItsKey() {
    const OpenPalette opened;
    opened.typed->setText("ctrl+shift+l");
    QCOMPARE(opened.titles().value(0), QString("View › Default layout"));
}

void PaletteTest::returnDoesTheActionAndGivesTheFocusBack() {
    const OpenPalette opened;
    opened.palette->open();  // closes it
    QVERIFY(opened.palette->isHidden());
    opened.window->findChildren<QLineEdit*>().constFirst()->setFocus();
    const QWidget* before = opened.window->focusWidget();
    opened.palette->open();
    opened.typed->setText("run log");
    QCOMPARE(opened.titles().value(0), QString("View › Run log"));
    QTest::keyClick(opened.typed, Qt::Key_Return);
    QVERIFY(opened.palette->isHidden());
    QCOMPARE(opened.window->focusWidget(), before);
    QVERIFY(opened.window->findChild<QDockWidget*>("run_log")->isVisible());
}

void PaletteTest::aDisabledActionIsNotDone() {
    const OpenPalette opened;
    opened.typed->setText("stop");
    QCOMPARE(opened.titles().value(0), QString("Run › Stop"));
    QTest::keyClick(opened.typed, Qt::Key_Return);
    QVERIFY(opened.palette->isVisible());
    QCOMPARE(child<QLabel>(*opened.palette, "command_what")->text(), QString("Not now: Nothing runs"));
}

void PaletteTest::escClosesIt() {
    const OpenPalette opened;
    QVERIFY(opened.palette->isVisible());
    QTest::keyClick(opened.typed, Qt::Key_Escape);
    QVERIFY(opened.palette->isHidden());
}

}  // namespace kernelgen::studio

STUDIO_TEST(kernelgen::studio::PaletteTest)
#include "palette_test.moc"
