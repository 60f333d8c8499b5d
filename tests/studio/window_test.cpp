// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractButton>
#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDesktopServices>
#include <QDialog>
#include <QDockWidget>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QPointer>
#include <QPushButton>
#include <QRegularExpression>
#include <QSet>
#include <QSignalSpy>
#include <QTest>
#include <QTimer>
#include <QToolBar>
#include <QUrl>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/language.h"
#include "app/studio/dialogs/import_dialog.h"
#include "app/studio/reports/log_preview.h"
#include "app/studio/start/windows.h"
#include "app/studio/theme/theme.h"
#include "app/studio/window/main_window.h"
#include "app/studio/window/run_bar.h"
#include "tests/studio/fixtures.h"
#include "tests/studio/registry.h"

namespace kernelgen::studio {

using testing::Studio;
using testing::waitUntil;

class WindowTest : public QObject {
    Q_OBJECT

private slots:
    void aLostWorkerIsAStateWithReconnect();
    void everyActionHasANameAShortcutAndNoneIsTaken();
    void noFieldHasTheLetterOfAMenu();
    void everyControlHasAnAccessibleName();
    void corruptSettingsFallBackToTheDefault();
    void aProjectDroppedOnTheWindowIsOpened();
    void otherFilesDroppedOnTheWindowAreOfferedForImport();
    void closingDuringARunAsksAndThenEndsItCleanly();
    void aRunGoesOnWhereTheUserStaysWithUnsavedChanges();
    void stopEndsTheRunAsCancelled();
    void aProjectThatCannotBeOpenedIsExplained();
    void anotherWindowShowsTheSameSession();
    void aLogPreviewBehindAnotherTabIsNotMade();
    void runsAreNotOfferedOnADeviceThatOnlyBuilds();
    void noPanelAdvisesToRunOnADeviceThatOnlyBuilds();
    void runsAreNotOfferedOnADeviceThatIsMissing();
    void anExportOffersToOpenTheLog();
    void aMissingInterpreterLeadsToTheSettings();
    void aStoppedRunKeepsItsNote();
    void aNoteThatNoRoundHasTakenStays();
    void aNoteWaitsForItsProject();
    void aNoteIsNotTakenIntoAnotherProject();
    void theNoteAndTheTuningsFieldsOutliveAChangeOfLanguage();
    void theRunBarSaysWhetherTheLastSpeedupIsSure();
};

namespace {

QList<QAction*> actionsOf(const QMenu* menu) {
    QList<QAction*> all;
    for (QAction* action : menu->actions()) {
        if (action->menu() != nullptr) all << actionsOf(action->menu());
        else if (!action->isSeparator()) all << action;
    }
    return all;
}

/// Presses a button of the next message box, and keeps its text.
void answerNextMessage(QMessageBox::StandardButton button, QString& text) {
    QTimer::singleShot(0, qApp, [button, &text] {
        auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
        if (box == nullptr) return answerNextMessage(button, text);
        text = box->text();
        box->button(button)->click();
    });
}

}  // namespace

void WindowTest::everyActionHasANameAShortcutAndNoneIsTaken() {
    Studio studio("");
    const MainWindow window(studio.session());
    QSet<QKeySequence> taken;
    for (const QAction* top : window.menuBar()->actions()) {
        for (const QAction* action : actionsOf(top->menu())) {
            QVERIFY(!action->text().isEmpty());
            if (action->isCheckable() && action->actionGroup() != nullptr) continue;  // one of a choice
            QVERIFY2(!action->shortcut().isEmpty(), qPrintable(action->text()));
            QVERIFY2(!taken.contains(action->shortcut()), qPrintable(action->text()));
            taken.insert(action->shortcut());
        }
    }
    QVERIFY(taken.size() > 25);
}

/// Of two that have a letter, Alt and the letter would open neither.
void WindowTest::noFieldHasTheLetterOfAMenu() {
    for (const char* code : {"en", "zh_CN"}) {
        const Language language(code);
        Studio studio;
        studio.open();
        const MainWindow window(studio.session());
        QSet<QKeySequence> of_menus;
        for (const QAction* each : window.menuBar()->actions()) of_menus << QKeySequence::mnemonic(each->text());
        QStringList texts;
        for (const QLabel* each : window.findChildren<QLabel*>()) {
            if (each->buddy() != nullptr) texts << each->text();
        }
        for (const QAbstractButton* each : window.findChildren<QAbstractButton*>()) texts << each->text();
        for (const QString& each : texts) QVERIFY2(!of_menus.contains(QKeySequence::mnemonic(each)), qPrintable(each));
    }
    QLocale::setDefault(QLocale::c());
}

void WindowTest::everyControlHasAnAccessibleName() {
    Studio studio;
    studio.open();
    MainWindow window(studio.session());
    window.show();
    QStringList nameless;
    for (const QWidget* widget : window.findChildren<QWidget*>()) {
        if ((widget->focusPolicy() & Qt::TabFocus) == 0 || widget->window() != &window) continue;
        QAccessibleInterface* face = QAccessible::queryAccessibleInterface(const_cast<QWidget*>(widget));
        if (face == nullptr || !face->text(QAccessible::Name).isEmpty()) continue;
        nameless << widget->metaObject()->className() + QString(" in ") +
                        widget->parentWidget()->metaObject()->className();
    }
    QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join("\n")));
}

void WindowTest::corruptSettingsFallBackToTheDefault() {
    Studio studio;
    studio.settings().setWindow("no geometry", "no layout");
    studio.settings().setSplitter("charts", "no sizes");
    studio.settings().setLanguage("klingon");
    studio.settings().setCallTimeoutSeconds(-3);
    studio.settings().setNewBudgetSeconds(1e300);
    studio.open();
    MainWindow window(studio.session());
    window.show();
    QCOMPARE(studio.settings().callTimeoutSeconds(), 30.0);
    QCOMPARE(studio.settings().newBudgetSeconds(), 5.0);
    QCOMPARE(studio.settings().language(), QString());
    for (const QDockWidget* dock : window.findChildren<QDockWidget*>()) {
        QVERIFY2(!dock->isFloating() && dock->isHidden() == (dock->objectName() == "assembly"),
                 qPrintable(dock->objectName()));
    }
}

/// Whether the window takes it.
bool drop(MainWindow& window, const QString& path) {
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(path)});
    QDragEnterEvent enter({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &enter);
    QDropEvent drop({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &drop);
    return enter.isAccepted();
}

void WindowTest::aProjectDroppedOnTheWindowIsOpened() {
    Studio studio;
    MainWindow window(studio.session());
    window.show();
    QVERIFY(drop(window, studio.folder()));
    QVERIFY(waitUntil([&] { return studio.session().document().isOpen(); }));
}

void WindowTest::otherFilesDroppedOnTheWindowAreOfferedForImport() {
    Studio studio;
    MainWindow window(studio.session());
    window.show();
    const QString file = QString(KERNELGEN_SOURCE_DIR) + "/tests/core_files/traced/swiglu.py";
    QVERIFY(drop(window, file));
    QString source;
    QTimer poll;
    connect(&poll, &QTimer::timeout, &window, [&] {
        auto* dialog = window.findChild<ImportDialog*>();
        if (dialog == nullptr) return;
        source = dialog->findChild<QLineEdit*>("import_source")->text();
        dialog->reject();
    });
    poll.start(20);
    QVERIFY(waitUntil([&] { return source == file; }));
    QVERIFY(!studio.session().document().isOpen());
}

void WindowTest::closingDuringARunAsksAndThenEndsItCleanly() {
    Studio studio;
    studio.open();
    MainWindow window(studio.session());
    window.show();
    Engine& engine = studio.session().engine();
    studio.session().run("");
    QString text;
    answerNextMessage(QMessageBox::No, text);
    window.close();
    QVERIFY(window.isVisible());
    QVERIFY(text.contains("Stop the run"));
    if (!engine.isRunning()) studio.session().run("");
    answerNextMessage(QMessageBox::Yes, text);
    window.close();
    QVERIFY(!window.isVisible());
    QVERIFY(!engine.isRunning());
}

void WindowTest::aRunGoesOnWhereTheUserStaysWithUnsavedChanges() {
    Studio studio;
    studio.open();
    Session& session = studio.session();
    session.document().edit("edit", [](Project& project) { project.performance.budget_seconds = 5; });
    MainWindow window(session);
    window.show();
    session.run("");
    QString first, second;
    answerNextMessage(QMessageBox::Yes, first);
    QTimer::singleShot(200, &window, [&] { answerNextMessage(QMessageBox::Cancel, second); });
    window.close();
    QVERIFY(first.contains("Stop the run") && second.contains("Save the changes"));
    QVERIFY(window.isVisible());
    QVERIFY(session.engine().isRunning());
    session.document().undoStack().undo();
    session.engine().stopAndWait();
}

void WindowTest::stopEndsTheRunAsCancelled() {
    Studio studio;
    studio.open();
    studio.session().document().edit("long", [](Project& project) { project.performance.budget_seconds = 600; });
    bool timing = false;
    Engine& engine = studio.session().engine();
    connect(&engine, &Engine::runProgressed, this,
            [&](const QString& stage) { timing = timing || stage.startsWith("bench"); });
    studio.session().run("");
    QVERIFY(waitUntil([&] { return timing || !engine.isRunning(); }));
    QVERIFY(engine.isRunning());
    engine.stop();
    QVERIFY(waitUntil([&] { return !engine.isRunning(); }, 10000));
    QVERIFY(waitUntil([&] { return studio.session().rounds().history().rounds.size() == 1; }));
    QCOMPARE(studio.session().rounds().history().rounds[0].status, Status::cancelled);
    QCOMPARE(studio.session().log().entries().back().text, "Round 0: cancelled by the user");
}

void WindowTest::aProjectThatCannotBeOpenedIsExplained() {
    Studio studio("");
    MainWindow window(studio.session());
    window.show();
    QString text;
    answerNextMessage(QMessageBox::Ok, text);
    window.openProject("/nonexistent/project");
    QVERIFY(text.contains("/nonexistent/project"));
    QVERIFY(!studio.session().document().isOpen());
}

void WindowTest::anotherWindowShowsTheSameSession() {
    Studio studio;
    studio.open();
    studio.session().document().setTunable("host", "BLOCK_M", 1);
    auto first = std::make_unique<MainWindow>(studio.session());
    first->show();
    first.reset();
    MainWindow second(studio.session());
    second.show();
    QVERIFY(second.windowTitle().contains("bias_add"));
    QVERIFY(second.isWindowModified());
}

void WindowTest::aLogPreviewBehindAnotherTabIsNotMade() {
    Studio studio;
    testing::writeHistory(studio.folder(), 3);
    MainWindow window(studio.session());
    window.show();
    auto* preview = window.findChild<LogPreview*>();
    QSignalSpy made(preview, &LogPreview::rendered);
    window.openProject(studio.folder());
    QVERIFY(waitUntil([&] { return studio.session().rounds().history().rounds.size() == 3; }));
    QTest::qWait(600);
    QCOMPARE(made.size(), 0);
    window.findChild<QDockWidget*>("log_preview")->raise();
    QVERIFY(waitUntil([&] { return made.size() == 1; }));
}

namespace {

/// How many of the actions that run something are offered; -1 where one is not and does not say why.
int runsOffered(const MainWindow& window, const QString& why_not) {
    int count = 0;
    for (const QAction* each : actionsOf(window.menuBar()->actions()[2]->menu())) {
        const bool runs = each->shortcut() == QKeySequence("F5") || each->shortcut() == QKeySequence("Shift+F5") ||
                          each->shortcut() == QKeySequence("F6") || each->shortcut() == QKeySequence("Ctrl+M");
        if (runs && !each->isEnabled() && !each->toolTip().contains(why_not)) return -1;
        count += runs && each->isEnabled() ? 1 : 0;
    }
    return count;
}

}  // namespace

void WindowTest::runsAreNotOfferedOnADeviceThatOnlyBuilds() {
    Studio studio;
    studio.open();
    const MainWindow window(studio.session());
    QVERIFY(waitUntil([&] { return studio.session().engine().device("cuda:h200") != nullptr; }));
    const QString why = "is a device model";
    QCOMPARE(runsOffered(window, why), 4);
    studio.session().setDevice("cuda:h200");
    QCOMPARE(runsOffered(window, why), 0);
    studio.session().setDevice("cpu");
    QCOMPARE(runsOffered(window, why), 4);
}

void WindowTest::noPanelAdvisesToRunOnADeviceThatOnlyBuilds() {
    Studio studio;
    studio.open();
    MainWindow window(studio.session());
    window.resize(1920, 1080);
    window.show();
    QVERIFY(waitUntil([&] { return studio.session().engine().device("cuda:h200") != nullptr; }));
    const auto advice = [&] {
        QStringList texts;
        for (const auto* dock : window.findChildren<QDockWidget*>()) {
            for (const auto* each : dock->findChildren<QLabel*>()) {
                if (each->text().contains(QRegularExpression("\\bF[56]\\b"))) texts << each->text();
            }
        }
        return texts;
    };
    QVERIFY(waitUntil([&] { return advice().size() >= 5; }));
    studio.session().setDevice("cuda:h200");
    QVERIFY2(waitUntil([&] { return advice().isEmpty(); }, 5000), qPrintable(advice().join("\n")));
}

void WindowTest::runsAreNotOfferedOnADeviceThatIsMissing() {
    Studio studio;
    studio.open();
    const MainWindow window(studio.session());
    const Engine& engine = studio.session().engine();
    QVERIFY(waitUntil([&] { return engine.device("cuda:0") != nullptr; }));
    if (engine.device("cuda:0")->info.available) QSKIP("there is a GPU");
    const QString why = inWords(engine.device("cuda:0")->info.reason);
    const auto* devices = window.findChild<RunBar*>()->findChildren<QComboBox*>()[1];
    const int place = devices->findData("cuda:0");
    QVERIFY2(devices->itemText(place).contains("not usable"), qPrintable(devices->itemText(place)));
    QCOMPARE(devices->itemData(place, Qt::ToolTipRole).toString(), why);
    studio.session().setDevice("cuda:0");
    QCOMPARE(runsOffered(window, why), 0);
}

/// Takes what is opened with the desktop's programs.
class Desktop : public QObject {
    Q_OBJECT

public:
    Desktop() { QDesktopServices::setUrlHandler("file", this, "open"); }
    ~Desktop() override { QDesktopServices::unsetUrlHandler("file"); }
    QUrl opened;

public slots:
    void open(const QUrl& url) { opened = url; }
};

void WindowTest::anExportOffersToOpenTheLog() {
    Desktop desktop;
    Studio studio;
    testing::writeHistory(studio.folder(), 3);
    studio.open();
    const MainWindow window(studio.session());
    QVERIFY(waitUntil([&] { return studio.session().rounds().history().rounds.size() == 3; }));
    auto* offer = window.findChild<QPushButton*>("offer");
    QVERIFY(offer->isHidden());
    window.findChild<QAction*>("export_log")->trigger();
    QVERIFY(waitUntil([&] { return !offer->isHidden(); }));
    QCOMPARE(window.findChild<QLabel*>("offered_for")->text(), "optimization_log.md");
    offer->click();
    QCOMPARE(desktop.opened.toLocalFile(), studio.folder() + "/optimization_log.md");
    QVERIFY(offer->isHidden());
    QVERIFY(window.findChild<QLabel*>("offered_for")->isHidden());
}

void WindowTest::aMissingInterpreterLeadsToTheSettings() {
    Studio studio;
    studio.open();
    MainWindow window(studio.session());
    window.show();
    RunOutcome outcome;
    outcome.detail.round.status = Status::unavailable;
    outcome.detail.round.reason =
        "PyTorch is not installed for `python3`: `python3 -m pip install torch`, or name an interpreter that has it in "
        "KERNELGEN_PYTHON";
    studio.session().log().add(Severity::error, "unavailable");
    emit studio.session().engine().runFinished(outcome);
    auto* offer = window.findChild<QPushButton*>("offer");
    QVERIFY(!offer->isHidden());
    QString focused;
    QTimer::singleShot(300, qApp, [&] {
        auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
        if (dialog == nullptr) return;
        if (dialog->focusWidget() != nullptr) focused = dialog->focusWidget()->objectName();
        dialog->reject();
    });
    offer->click();
    QCOMPARE(focused, "python");
}

void WindowTest::aStoppedRunKeepsItsNote() {
    Studio studio;
    studio.open();
    RunBar bar(studio.session());
    bar.findChild<QLineEdit*>()->setText("why this is tried");
    RunOutcome outcome;
    outcome.recorded = true;
    outcome.detail.round = testing::exampleRound(1, Status::cancelled);
    emit studio.session().engine().runFinished(outcome);
    QCOMPARE(bar.note(), "why this is tried");
    outcome.detail.round = testing::exampleRound(2);
    outcome.detail.round.note = "why this is tried";
    emit studio.session().engine().runFinished(outcome);
    QCOMPARE(bar.note(), QString());
}

void WindowTest::aNoteThatNoRoundHasTakenStays() {
    Studio studio;
    studio.open();
    RunBar bar(studio.session());
    bar.findChild<QLineEdit*>()->setText("for the next one");
    RunOutcome outcome;
    outcome.recorded = true;
    outcome.detail.round = testing::exampleRound(2);  // began with another note
    emit studio.session().engine().runFinished(outcome);
    QCOMPARE(bar.note(), "for the next one");
}

void WindowTest::aNoteWaitsForItsProject() {
    Studio studio;
    studio.open();
    const QString folder = studio.session().document().folder();
    {
        RunBar bar(studio.session());
        bar.findChild<QLineEdit*>()->setText("why this is tried");
        studio.session().document().close();
        QCOMPARE(bar.note(), QString());
        QVERIFY(studio.session().open(folder).empty());
        QCOMPARE(bar.note(), "why this is tried");
        bar.findChild<QLineEdit*>()->setText("or this");
    }
    RunBar bar(studio.session());
    QCOMPARE(bar.note(), "or this");
    bar.findChild<QLineEdit*>()->clear();
    studio.session().document().close();
    QVERIFY(studio.session().open(folder).empty());
    QCOMPARE(bar.note(), QString());
}

void WindowTest::aNoteIsNotTakenIntoAnotherProject() {
    Studio studio;
    studio.open();
    RunBar bar(studio.session());
    bar.findChild<QLineEdit*>()->setText("why this is tried");
    studio.session().document().close();
    QCOMPARE(bar.note(), QString());
}

void WindowTest::theNoteAndTheTuningsFieldsOutliveAChangeOfLanguage() {
    Studio studio;
    studio.open();
    Windows windows(studio.session());
    windows.window().setNote("taller tiles");
    windows.window().findChild<QComboBox*>("tuning_budget")->setCurrentText("40s");
    auto* cases = windows.window().findChild<QComboBox*>("tuning_case");
    cases->setCurrentIndex(0);
    emit cases->activated(0);
    const QPointer<MainWindow> before = &windows.window();
    studio.settings().setLanguage("zh_CN");
    emit windows.window().languageChosen();
    QVERIFY(waitUntil([&] { return before.isNull(); }));
    QCOMPARE(windows.window().note(), "taller tiles");
    QCOMPARE(windows.window().findChild<QComboBox*>("tuning_budget")->currentText(), "40s");
    QCOMPARE(windows.window().findChild<QComboBox*>("tuning_case")->currentIndex(), 0);
    QCOMPARE(windows.window().findChild<QDockWidget*>("operator")->windowTitle(), "算子");
    QLocale::setDefault(QLocale::c());
}

void WindowTest::theRunBarSaysWhetherTheLastSpeedupIsSure() {
    Studio studio;
    studio.open();
    QToolBar toolbar;
    toolbar.addWidget(new RunBar(studio.session()));
    const auto* verdict = toolbar.findChild<QLabel*>("verdict");
    const auto colour = [&] { return verdict->palette().color(verdict->foregroundRole()); };
    QVERIFY(verdict->isHidden());
    RunOutcome outcome;
    outcome.recorded = true;
    outcome.detail.round = testing::exampleRound(3);
    emit studio.session().engine().runFinished(outcome);
    QCOMPARE(verdict->text(), "Round 3: 1.448× [1.433, 1.462]");
    QCOMPARE(colour(), coloursOf(toolbar.palette()).good);
    outcome.detail.round.cases[0].rsd = 0.3;
    emit studio.session().engine().runFinished(outcome);
    QCOMPARE(verdict->text(), "Round 3: ≈ 1.448× [1.433, 1.462], noisy");
    QCOMPARE(colour(), coloursOf(toolbar.palette()).warning);
    QVERIFY(verdict->toolTip().contains("RSD is 30.0 %"));
}

void WindowTest::aLostWorkerIsAStateWithReconnect() {
    Studio studio;
    studio.open();
    Session& session = studio.session();
    MainWindow window(session);
    window.show();
    QVERIFY(waitUntil([&] { return !session.engine().devices().empty(); }));
    studio.settings().setWorkerCommand({"/nowhere/kernelgen", "worker"});
    session.applyWorkerSettings();
    auto* offer = window.findChild<QPushButton*>("offer");
    QVERIFY(waitUntil([&] { return offer->isVisible(); }));
    QCOMPARE(offer->text(), QString("Reconnect"));
    const auto isLost = [&] {
        return std::ranges::any_of(window.findChildren<QComboBox*>(),
                                   [](const QComboBox* each) { return each->currentText().contains("no connection"); });
    };
    QVERIFY(isLost());
    session.document().setTunable("host", "BLOCK_M", 8);  // all else goes on
    session.setVariant(session.variant()->name == "host" ? "library" : "host");
    QVERIFY(offer->isVisible());  // it is lost as before
    studio.settings().setWorkerCommand({KERNELGEN_PROGRAM, "worker"});
    offer->click();
    QVERIFY(waitUntil([&] { return !isLost(); }));
    QVERIFY(offer->isHidden());
    studio.settings().setWorkerCommand({"/nowhere/kernelgen", "worker"});
    session.applyWorkerSettings();
    QVERIFY(waitUntil([&] { return offer->isVisible(); }));
    studio.settings().setWorkerCommand({KERNELGEN_PROGRAM, "worker"});
    session.applyWorkerSettings();  // what Ctrl+Alt+R does
    QVERIFY(waitUntil([&] { return !isLost(); }));
    QVERIFY(offer->isHidden());
}

}  // namespace kernelgen::studio

STUDIO_TEST(kernelgen::studio::WindowTest)
#include "window_test.moc"
