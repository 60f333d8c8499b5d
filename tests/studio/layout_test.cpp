// SPDX-License-Identifier: GPL-3.0-or-later
// Where the window's parts are, how large, and when they are shown.
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QMainWindow>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStatusBar>
#include <QTabBar>
#include <QTabWidget>
#include <QTest>

#include "app/studio/sources/source_editor.h"
#include "app/studio/window/main_window.h"
#include "app/studio/window/run_bar.h"
#include "app/studio/window/status_line.h"
#include "tests/studio/fixtures.h"
#include "tests/studio/registry.h"

namespace kernelgen::studio {

using testing::exampleTuning;
using testing::Studio;
using testing::waitUntil;
using testing::writeTuning;

class LayoutTest : public QObject {
    Q_OBJECT

private slots:
    void theDefaultLayoutComesBack();
    void panelsAreShownOnlyWithAProject();
    void aProjectClosedWhileItIsShownLeavesTheLayoutWhole();
    void aProjectOpenedBeforeTheWindowWasDrawnIsDrawn();
    void aPanelBehindAnotherTabIsRaisedByItsKey();
    void aLongMessageOfARunLeavesTheDocksTheirWidth();
    void aLongNameInAnErrorLeavesTheDocksTheirWidth();
    void aMessageWithoutRoomLosesItsMiddle();
    void aLongNameOfAVariantLeavesTheNoteItsRoom();
    void theEditorHasTwentyLinesInASmallWindow();
    void docksThatASmallWindowCrushedComeBack();
    void aLargeWindowCanBecomeASmallOne();
    void aSmallerWindowGivesTheEditorItsLinesByItself();
    void aDefaultLayoutIsMadeForTheNextWindowToo();
    void edgesThatTheUserDraggedStay();
    void aPartFillsTheWindowByItsKeyOrADoubleClickOnItsTab();
    void aPartThatFilledTheWindowKeepsTheFocus();
    void chartsCanHaveAWindowOfTheirOwn();
    void namedLayoutsFitTheirSizes_data();
    void namedLayoutsFitTheirSizes();
};

namespace {

/// Counts how often a widget is drawn.
class PaintCounter : public QObject {
public:
    explicit PaintCounter(QWidget* widget) { widget->installEventFilter(this); }
    int count = 0;

    bool eventFilter(QObject*, QEvent* event) override {
        count += event->type() == QEvent::Paint ? 1 : 0;
        return false;
    }
};

SourceEditor* shownEditor(const MainWindow& window) {
    return static_cast<SourceEditor*>(window.findChild<QTabWidget*>("sources")->currentWidget());
}

/// Drags the edge above a dock.
void dragUpperEdge(MainWindow& window, const QDockWidget& dock, int pixels) {
    const QPoint edge = dock.mapTo(&window, QPoint(dock.width() / 2, -2));
    QTest::mousePress(&window, Qt::LeftButton, {}, edge);
    QTest::mouseMove(&window, edge + QPoint(0, pixels));
    QTest::qWait(100);  // the window follows the pointer in a turn of its own
    QTest::mouseRelease(&window, Qt::LeftButton, {}, edge + QPoint(0, pixels));
    QTest::qWait(100);
}

bool isSeen(const MainWindow& window, const QString& dock) {
    return !window.findChild<QDockWidget*>(dock)->visibleRegion().isEmpty();
}

int linesOf(const QPlainTextEdit& editor) { return editor.viewport()->height() / editor.fontMetrics().lineSpacing(); }

}  // namespace

void LayoutTest::aLongMessageOfARunLeavesTheDocksTheirWidth() {
    Studio studio;
    studio.open();
    MainWindow window(studio.session());
    window.resize(1560, 960);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    QTest::qWait(200);
    const auto* tunables = window.findChild<QDockWidget*>("tunables");
    const int width = tunables->width();
    const auto* variant = window.findChild<RunBar*>()->findChild<QComboBox*>();
    const int width_of_variant = variant->width();
    Engine& engine = studio.session().engine();
    studio.session().run("");
    QVERIFY(engine.isRunning());
    emit engine.runProgressed("waiting for another kernelgen before bench (held by " + QString(400, 'w') + ")", 0, 0);
    QTest::qWait(200);
    QCOMPARE(tunables->width(), width);
    QCOMPARE(variant->width(), width_of_variant);
    QVERIFY(tunables->mapTo(&window, QPoint(width, 0)).x() <= window.width());
    engine.stop();
    QVERIFY(waitUntil([&] { return !engine.isRunning(); }, 10000));
}

void LayoutTest::aLongNameInAnErrorLeavesTheDocksTheirWidth() {
    Studio studio;
    studio.open();
    MainWindow window(studio.session());
    window.resize(1280, 720);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    QTest::qWait(200);
    const auto* form = window.findChild<QDockWidget*>("operator");
    const int width = form->width();
    studio.session().document().edit(
        "a long name", [](Project& project) { project.definition.body = "out = " + std::string(300, 'w') + " + x"; });
    QTest::qWait(1500);
    QCOMPARE(form->width(), width);
    QCOMPARE(window.width(), 1280);
    for (const QDockWidget* dock : window.findChildren<QDockWidget*>()) {
        QVERIFY2(dock->minimumSizeHint().width() < 700, qPrintable(dock->objectName()));
    }
}

void LayoutTest::aMessageWithoutRoomLosesItsMiddle() {
    QMainWindow window;
    window.resize(700, 200);
    StatusLine line(*window.statusBar());
    window.show();
    line.tell("Wrote /" + QString(200, 'x') + "/optimization_log.md");
    const QString shown = window.statusBar()->currentMessage();
    QVERIFY2(shown.startsWith("Wrote /xx") && shown.endsWith("/optimization_log.md"), qPrintable(shown));
    const auto width = [&] { return window.fontMetrics().horizontalAdvance(window.statusBar()->currentMessage()); };
    QVERIFY(width() < 700);
    line.offer("optimization_log.md", "Open", {}, [] {});
    QTest::qWait(50);
    QVERIFY(width() < window.findChild<QLabel*>("offered_for")->x());
}

void LayoutTest::aLongNameOfAVariantLeavesTheNoteItsRoom() {
    Studio studio;
    studio.open();
    studio.session().document().edit("rename",
                                     [](Project& project) { project.variants.front().name = std::string(64, 'w'); });
    MainWindow window(studio.session());
    window.resize(1280, 720);
    window.show();
    QTest::qWait(100);
    QVERIFY(window.findChild<RunBar*>()->findChild<QLineEdit*>()->width() > 300);
}

void LayoutTest::theDefaultLayoutComesBack() {
    Studio studio;
    studio.open();
    MainWindow window(studio.session());
    window.show();
    auto* dock = window.findChild<QDockWidget*>("tunables");
    dock->setFloating(true);
    dock->hide();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    QTest::keyClick(&window, Qt::Key_L, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(!dock->isFloating());
    QVERIFY(!dock->isHidden());
}

void LayoutTest::panelsAreShownOnlyWithAProject() {
    Studio studio;
    MainWindow window(studio.session());
    window.show();
    const auto* dock = window.findChild<QDockWidget*>("rounds");
    QVERIFY(dock->isHidden());
    window.openProject(studio.folder());
    QVERIFY(waitUntil([&] { return !dock->isHidden(); }));
    studio.session().document().close();
    QVERIFY(waitUntil([&] { return dock->isHidden(); }));
}

void LayoutTest::aProjectClosedWhileItIsShownLeavesTheLayoutWhole() {
    Studio studio;
    MainWindow window(studio.session());
    window.show();
    window.openProject(studio.folder());
    QCoreApplication::processEvents();  // some of the turns that showing the panels takes
    studio.session().document().close();
    window.openProject(studio.folder());
    for (const QDockWidget* dock : window.findChildren<QDockWidget*>()) {
        if (dock->objectName() == "assembly") continue;  // hidden in the default layout
        QVERIFY2(waitUntil([&] { return !dock->isHidden(); }, 5000), qPrintable(dock->objectName()));
    }
    QVERIFY(waitUntil([&] { return window.updatesEnabled(); }));
}

/// As the program does with a project among its arguments.
void LayoutTest::aProjectOpenedBeforeTheWindowWasDrawnIsDrawn() {
    Studio studio;
    MainWindow window(studio.session());
    PaintCounter drawn(window.findChild<QDockWidget*>("operator"));
    window.show();
    window.openProject(studio.folder());
    QVERIFY(waitUntil([&] { return drawn.count > 0; }));
}

void LayoutTest::aPanelBehindAnotherTabIsRaisedByItsKey() {
    Studio studio;
    studio.open();
    MainWindow window(studio.session());
    window.show();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    auto* problems = window.findChild<QDockWidget*>("problems");
    QVERIFY(waitUntil([&] { return window.findChild<QDockWidget*>("rounds")->isVisible(); }));
    QVERIFY(problems->visibleRegion().isEmpty());
    QTest::keyClick(&window, Qt::Key_5, Qt::AltModifier);
    QVERIFY(waitUntil([&] { return !problems->visibleRegion().isEmpty(); }));
    QTest::keyClick(&window, Qt::Key_5, Qt::AltModifier);
    QVERIFY(problems->isHidden());
}

void LayoutTest::theEditorHasTwentyLinesInASmallWindow() {
    for (const QSize size : {QSize(1280, 701), QSize(1280, 720), QSize(1920, 1080)}) {
        Studio studio;
        studio.open();
        MainWindow window(studio.session());
        window.resize(size);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QTest::keyClick(&window, Qt::Key_L, Qt::ControlModifier | Qt::ShiftModifier);
        QTest::qWait(50);
        QCOMPARE(window.size(), size);
        const auto* editor = shownEditor(window);
        QVERIFY2(linesOf(*editor) >= 20, qPrintable(QString::number(linesOf(*editor))));
        const bool charts = !window.findChild<QDockWidget*>("charts")->visibleRegion().isEmpty();
        QCOMPARE(charts, size.height() > 1000);  // a tab beside the rounds where there is no room for both
    }
}

void LayoutTest::docksThatASmallWindowCrushedComeBack() {
    Studio studio;
    studio.open();
    MainWindow window(studio.session());
    window.resize(1280, 720);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    QTest::qWait(100);
    const auto* beside = window.findChild<QDockWidget*>("operator");
    const auto* below = window.findChild<QDockWidget*>("rounds");
    const int by_itself = below->height();
    dragUpperEdge(window, *below, -60);
    const int width = beside->width(), height = below->height();
    QVERIFY2(height > by_itself + 30, qPrintable(QString::number(height - by_itself)));
    window.resize(640, 400);
    QTest::qWait(100);
    QVERIFY(below->height() < height - 50);
    for (const QSize size : {QSize(900, 500), QSize(1280, 720)}) {
        window.resize(size);
        QTest::qWait(100);
    }
    QVERIFY2(std::abs(beside->width() - width) <= 2, qPrintable(QString::number(beside->width())));
    QVERIFY2(std::abs(below->height() - height) <= 2, qPrintable(QString::number(below->height())));
}

void LayoutTest::aLargeWindowCanBecomeASmallOne() {
    Studio studio;
    writeTuning(studio.folder(), exampleTuning(40));  // its outcome takes lines of the Tuning tab
    studio.open();
    MainWindow window(studio.session());
    window.resize(1920, 1080);
    window.show();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    QTest::keyClick(&window, Qt::Key_L, Qt::ControlModifier | Qt::ShiftModifier);
    const auto* charts = window.findChild<QDockWidget*>("charts");
    QVERIFY(waitUntil([&] { return !charts->visibleRegion().isEmpty(); }));
    const auto* state = window.findChild<QLabel*>("tuning_state");
    QVERIFY(waitUntil([&] { return !state->text().isEmpty(); }));
    window.resize(1280, 720);
    QTest::qWait(100);
    QCOMPARE(window.size(), QSize(1280, 720));
    QVERIFY2(window.minimumSizeHint().height() <= 720, qPrintable(QString::number(window.minimumSizeHint().height())));
}

void LayoutTest::aSmallerWindowGivesTheEditorItsLinesByItself() {
    Studio studio;
    studio.open();
    MainWindow window(studio.session());
    window.resize(1920, 1080);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    QVERIFY(waitUntil([&] { return isSeen(window, "charts") && isSeen(window, "rounds"); }));
    window.findChild<QDockWidget*>("comparison")->hide();
    window.findChild<QDockWidget*>("problems")->raise();
    QVERIFY(waitUntil([&] { return isSeen(window, "problems"); }));
    window.resize(1280, 720);
    QVERIFY(waitUntil([&] { return !isSeen(window, "charts"); }));
    QTest::qWait(100);
    QCOMPARE(window.size(), QSize(1280, 720));
    const int lines = linesOf(*shownEditor(window));
    QVERIFY2(lines >= 20, qPrintable(QString::number(lines)));
    QVERIFY(isSeen(window, "problems") && !window.findChild<QDockWidget*>("charts")->isHidden());
    window.resize(1920, 1080);
    QVERIFY(waitUntil([&] { return isSeen(window, "charts") && isSeen(window, "problems"); }));
    QVERIFY(linesOf(*shownEditor(window)) >= 20);
    QVERIFY(window.findChild<QDockWidget*>("comparison")->isHidden());
}

void LayoutTest::aDefaultLayoutIsMadeForTheNextWindowToo() {
    Studio studio;
    studio.open();
    {
        MainWindow window(studio.session());
        window.resize(1920, 1080);
        window.show();
        QVERIFY(waitUntil([&] { return isSeen(window, "charts") && isSeen(window, "rounds"); }));
        window.keepLayout();
    }
    MainWindow next(studio.session());
    next.resize(1280, 720);
    next.show();
    QVERIFY(waitUntil([&] { return isSeen(next, "rounds"); }));
    QTest::qWait(100);
    const int lines = linesOf(*shownEditor(next));
    QVERIFY2(lines >= 20, qPrintable(QString::number(lines)));
}

void LayoutTest::edgesThatTheUserDraggedStay() {
    Studio studio;
    studio.open();
    MainWindow window(studio.session());
    window.resize(1920, 1080);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    QVERIFY(waitUntil([&] { return isSeen(window, "charts") && isSeen(window, "rounds"); }));
    const auto* charts = window.findChild<QDockWidget*>("charts");
    const int by_itself = charts->height();
    dragUpperEdge(window, *charts, -80);
    const int height = charts->height();
    QVERIFY2(height > by_itself + 40, qPrintable(QString::number(height - by_itself)));
    for (const QSize size : {QSize(1280, 720), QSize(1920, 1080)}) {
        window.resize(size);
        QTest::qWait(100);
        QVERIFY(isSeen(window, "charts") && isSeen(window, "rounds"));
    }
    QVERIFY2(std::abs(charts->height() - height) <= 2, qPrintable(QString::number(charts->height() - height)));
}

void LayoutTest::aPartFillsTheWindowByItsKeyOrADoubleClickOnItsTab() {
    Studio studio;
    studio.open();
    MainWindow window(studio.session());
    window.resize(1920, 1080);
    window.show();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    QTest::keyClick(&window, Qt::Key_L, Qt::ControlModifier | Qt::ShiftModifier);
    const auto seen = [&](const QString& dock) {
        return !window.findChild<QDockWidget*>(dock)->visibleRegion().isEmpty();
    };
    auto* editor = shownEditor(window);
    QVERIFY(waitUntil([&] { return seen("charts") && seen("rounds") && editor->isVisible(); }));
    const int lines = linesOf(*editor);
    editor->setFocus();
    QTest::keyClick(editor, Qt::Key_F11);
    QVERIFY(waitUntil([&] { return !seen("charts") && !seen("operator") && linesOf(*editor) > lines * 3 / 2; }));
    QTest::keyClick(editor, Qt::Key_F11);
    QVERIFY(waitUntil([&] { return seen("charts") && seen("operator"); }));
    const auto doubleClick = [](QTabBar* bar, int tab) {
        QTest::mouseDClick(bar, Qt::LeftButton, {}, bar->tabRect(tab).center());
    };
    auto* charts = window.findChild<QDockWidget*>("charts");
    const int height = charts->height();
    doubleClick(charts->findChild<QTabBar*>(), 0);
    QVERIFY(waitUntil([&] { return !editor->isVisible() && !seen("rounds") && charts->height() > 2 * height; }));
    doubleClick(charts->findChild<QTabBar*>(), 0);
    QVERIFY(waitUntil([&] { return editor->isVisible() && seen("rounds") && charts->height() == height; }));
    auto* rounds = window.findChild<QDockWidget*>("rounds");
    for (QTabBar* bar : window.findChildren<QTabBar*>(Qt::FindDirectChildrenOnly)) doubleClick(bar, 0);
    QVERIFY(waitUntil([&] { return !editor->isVisible() && rounds->height() > 800; }));
    window.keepLayout();  // as it is when nothing fills the window
    MainWindow next(studio.session());
    next.show();
    QVERIFY(waitUntil([&] { return shownEditor(next)->isVisible(); }));
    QVERIFY(!next.findChild<QDockWidget*>("operator")->isHidden());
}

void LayoutTest::aPartThatFilledTheWindowKeepsTheFocus() {
    Studio studio;
    testing::writeHistory(studio.folder(), 3);
    studio.open();
    MainWindow window(studio.session());
    window.resize(1920, 1080);
    window.show();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    auto* table = window.findChild<QWidget*>("rounds_table");
    QVERIFY(waitUntil([&] { return table->isVisible(); }));
    table->setFocus();
    const auto* form = window.findChild<QDockWidget*>("operator");
    for (const bool whole : {true, false, true}) {
        QTest::keyClick(table, Qt::Key_F11);
        QVERIFY(waitUntil([&] { return form->visibleRegion().isEmpty() == whole; }));
        QCOMPARE(QApplication::focusWidget(), table);
    }
}

void LayoutTest::chartsCanHaveAWindowOfTheirOwn() {
    Studio studio;
    studio.open();
    MainWindow window(studio.session());
    window.show();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    auto* charts = window.findChild<QDockWidget*>("charts");
    QTest::keyClick(&window, Qt::Key_J, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(charts->isWindow() && charts->isVisible());
    QVERIFY(charts->width() > window.width() / 2);
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    QTest::keyClick(&window, Qt::Key_J, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(!charts->isWindow() && charts->isVisible());
}

void LayoutTest::namedLayoutsFitTheirSizes_data() {
    QTest::addColumn<QSize>("size");
    QTest::newRow("small") << QSize(1280, 720);
    QTest::newRow("large") << QSize(1920, 1080);
}

/// Each shows its panels and no other; the source keeps its lines and a useful width, and the window its size.
void LayoutTest::namedLayoutsFitTheirSizes() {
    QFETCH(const QSize, size);
    Studio studio;
    studio.open();
    studio.session().setVariant("host");
    MainWindow window(studio.session());
    window.resize(size);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    QTest::qWait(200);
    struct Expected {
        const char *keys, *front;
        QStringList seen, gone;
    };
    const Expected layouts[] = {{"Ctrl+1", "problems", {"operator"}, {"tunables", "assembly", "tuning", "charts"}},
                                {"Ctrl+2", "tuning", {"tunables"}, {"operator", "assembly", "diagnosis"}},
                                {"Ctrl+3", "diagnosis", {"assembly"}, {"operator", "tunables", "tuning"}},
                                {"Ctrl+Shift+L", "rounds", {"operator", "tunables"}, {"assembly"}}};
    for (const Expected& each : layouts) {
        QAction* wanted = nullptr;
        for (QAction* action : window.findChildren<QAction*>()) {
            if (action->shortcut() == QKeySequence(each.keys)) wanted = action;
        }
        wanted->trigger();
        QTest::qWait(200);
        QVERIFY2(isSeen(window, each.front), each.front);
        for (const QString& dock : each.seen) QVERIFY2(isSeen(window, dock), qPrintable(each.keys + (" " + dock)));
        for (const QString& dock : each.gone) {
            QVERIFY2(window.findChild<QDockWidget*>(dock)->isHidden(), qPrintable(each.keys + (" " + dock)));
        }
        QCOMPARE(window.size(), size);
        QVERIFY2(linesOf(*shownEditor(window)) >= 20, each.keys);
        QVERIFY2(shownEditor(window)->width() >= 480,
                 qPrintable(each.keys + QString(" %1").arg(shownEditor(window)->width())));
    }
}

}  // namespace kernelgen::studio

STUDIO_TEST(kernelgen::studio::LayoutTest)
#include "layout_test.moc"
