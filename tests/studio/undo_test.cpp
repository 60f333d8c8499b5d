// SPDX-License-Identifier: GPL-3.0-or-later
// One history for all edits, through the window's real keys.
#include <QClipboard>
#include <QGuiApplication>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QSlider>
#include <QSpinBox>
#include <QTabWidget>
#include <QTest>
#include <QTimer>

#include "app/studio/sources/source_editor.h"
#include "app/studio/window/main_window.h"
#include "tests/studio/fixtures.h"
#include "tests/studio/registry.h"

namespace kernelgen::studio {

using testing::Studio;

namespace {

struct OpenWindow {
    OpenWindow() {
        studio.open();
        window.show();
        if (!QTest::qWaitForWindowExposed(&window)) qFatal("the window is not shown");
        text = editor().toPlainText();
    }
    SourceEditor& editor() {
        return *static_cast<SourceEditor*>(window.findChild<QTabWidget*>("sources")->currentWidget());
    }
    void undo() { QTest::keyClick(&editor(), Qt::Key_Z, Qt::ControlModifier); }
    void redo() { QTest::keyClick(&editor(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier); }
    void type(const QString& what) { QTest::keyClicks(&editor(), what); }
    void slide(Qt::Key key) { QTest::keyClick(window.findChild<QSlider*>("BLOCK_M_slider"), key); }
    std::int64_t blockM() { return configuration_of(*studio.session().variant()).at("BLOCK_M"); }
    QUndoStack& history() { return studio.session().document().undoStack(); }
    bool modified() { return studio.session().document().isModified(); }

    Studio studio;
    MainWindow window{studio.session()};
    QString text;
};

}  // namespace

class UndoTest : public QObject {
    Q_OBJECT

private slots:
    void typingIsOneStepWhileNothingElseIsEdited();
    void typingSlidingAndTypingAreUndoneInOrder();
    void whatWasUndoneIsRedoneInOrder();
    void typingInTwoSourcesIsUndoneInOrder();
    void pastingAfterASliderIsAStepOfItsOwn();
    void typingAfterASaveMarksTheSourceModifiedAgain();
    void undoShowsTheSourceThatItChanges();
    void aRedoThatAnotherEditMadeImpossibleDoesNothing();
    void theEditorsOwnMenuUsesTheSameHistory();
    void aFieldsKeysNeverReachAnotherProject();
    void withNothingToUndoAFieldKeepsItsText();
    void aLinesMenuHasNoHistoryOfItsOwn();
    void aLineOutsideTheDocumentUndoesItsOwnText();
    void aLessonUndoesItsOwnText();
    void aTypedNumberThatIsTakenIsAStepOfTheDocument();
};

void UndoTest::typingIsOneStepWhileNothingElseIsEdited() {
    OpenWindow open;
    open.type("abc");
    QCOMPARE(open.history().count(), 1);
    open.undo();
    QCOMPARE(open.editor().toPlainText(), open.text);
    QVERIFY(!open.modified());
}

void UndoTest::typingSlidingAndTypingAreUndoneInOrder() {
    OpenWindow open;
    open.type("ab");
    open.slide(Qt::Key_Home);
    open.type("cd");  // where "ab" ended: the text's own history would join the two
    QCOMPARE(open.history().count(), 3);
    open.undo();
    QCOMPARE(open.editor().toPlainText(), "ab" + open.text);
    QCOMPARE(open.blockM(), 1);
    open.undo();
    QCOMPARE(open.blockM(), 64);
    QCOMPARE(open.editor().toPlainText(), "ab" + open.text);
    open.undo();
    QCOMPARE(open.editor().toPlainText(), open.text);
    QVERIFY(!open.modified());
}

void UndoTest::whatWasUndoneIsRedoneInOrder() {
    OpenWindow open;
    open.type("ab");
    open.slide(Qt::Key_Home);
    open.type("cd");
    for (int i = 0; i < 3; ++i) open.undo();
    open.redo();
    QCOMPARE(open.editor().toPlainText(), "ab" + open.text);
    QCOMPARE(open.blockM(), 64);
    open.redo();
    QCOMPARE(open.blockM(), 1);
    open.redo();
    QCOMPARE(open.editor().toPlainText(), "abcd" + open.text);
}

void UndoTest::typingInTwoSourcesIsUndoneInOrder() {
    OpenWindow open;
    auto* tabs = open.window.findChild<QTabWidget*>("sources");
    open.type("a");
    tabs->setCurrentIndex(1);
    const QString other = open.editor().toPlainText();
    open.type("b");
    tabs->setCurrentIndex(0);
    open.type("c");
    QCOMPARE(open.history().count(), 3);
    open.undo();
    QCOMPARE(open.editor().toPlainText(), "a" + open.text);
    open.undo();
    QCOMPARE(open.editor().toPlainText(), other);
    open.undo();
    QCOMPARE(open.editor().toPlainText(), open.text);
}

void UndoTest::pastingAfterASliderIsAStepOfItsOwn() {
    OpenWindow open;
    open.type("ab");
    open.slide(Qt::Key_Home);
    QGuiApplication::clipboard()->setText("cd");
    QTest::keyClick(&open.editor(), Qt::Key_V, Qt::ControlModifier);
    QCOMPARE(open.editor().toPlainText(), "abcd" + open.text);
    open.undo();
    QCOMPARE(open.editor().toPlainText(), "ab" + open.text);
    QCOMPARE(open.blockM(), 1);
}

void UndoTest::typingAfterASaveMarksTheSourceModifiedAgain() {
    OpenWindow open;
    open.type("a");
    QTest::keyClick(&open.window, Qt::Key_S, Qt::ControlModifier);
    QVERIFY(!open.modified());
    open.type("b");
    QVERIFY(open.modified());
    QVERIFY(open.window.isWindowModified());
    open.undo();
    QCOMPARE(open.editor().toPlainText(), "a" + open.text);
    QVERIFY(!open.modified());
    open.undo();
    QVERIFY(open.modified());
}

void UndoTest::undoShowsTheSourceThatItChanges() {
    OpenWindow open;
    auto* tabs = open.window.findChild<QTabWidget*>("sources");
    QTest::keyClick(&open.editor(), Qt::Key_End, Qt::ControlModifier);
    open.type("x");
    const int place = open.editor().textCursor().position();
    QTest::keyClick(&open.editor(), Qt::Key_Home, Qt::ControlModifier);
    tabs->setCurrentIndex(1);
    open.undo();
    QCOMPARE(tabs->currentIndex(), 0);
    QCOMPARE(open.editor().textCursor().position(), place - 1);
}

void UndoTest::aRedoThatAnotherEditMadeImpossibleDoesNothing() {
    OpenWindow open;
    open.type("a");
    open.undo();
    open.slide(Qt::Key_Home);
    open.redo();
    QCOMPARE(open.editor().toPlainText(), open.text);
    QCOMPARE(open.blockM(), 1);
    open.undo();
    QCOMPARE(open.blockM(), 64);
}

void UndoTest::theEditorsOwnMenuUsesTheSameHistory() {
    OpenWindow open;
    open.slide(Qt::Key_Home);
    QTimer::singleShot(0, &open.window, [] {
        auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        QVERIFY(menu != nullptr);
        QVERIFY(menu->actions().at(0)->isEnabled());
        menu->actions().at(0)->trigger();
        menu->close();
    });
    QContextMenuEvent event(QContextMenuEvent::Keyboard, {5, 5}, open.editor().mapToGlobal(QPoint(5, 5)));
    QApplication::sendEvent(open.editor().viewport(), &event);
    QCOMPARE(open.blockM(), 64);
}

namespace {

QPlainTextEdit& bodyField(MainWindow& window) {
    for (auto* edit : window.findChildren<QPlainTextEdit*>()) {
        if (edit->accessibleName() == "Body") return *edit;
    }
    qFatal("there is no field for the body");
}

}  // namespace

void UndoTest::aFieldsKeysNeverReachAnotherProject() {
    OpenWindow open;
    QPlainTextEdit& body = bodyField(open.window);
    const QString first = body.toPlainText();
    const Studio other("silu");
    QVERIFY(open.studio.session().document().open(other.folder()).empty());
    const QString second = bodyField(open.window).toPlainText();
    QVERIFY(first != second);
    for (const auto modifiers : {Qt::KeyboardModifiers(Qt::ControlModifier), Qt::ControlModifier | Qt::ShiftModifier}) {
        QTest::keyClick(&bodyField(open.window), Qt::Key_Z, modifiers);
        QCOMPARE(bodyField(open.window).toPlainText(), second);
    }
    QVERIFY(!open.modified());
}

void UndoTest::withNothingToUndoAFieldKeepsItsText() {
    OpenWindow open;
    QPlainTextEdit& body = bodyField(open.window);
    const QString before = body.toPlainText();
    QTest::keyClicks(&body, " ");
    QTest::keyClick(&body, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(body.toPlainText(), before);
    for (int i = 0; i < 3; ++i) {
        QTest::keyClick(&body, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(body.toPlainText(), before);
    }
    QCOMPARE(open.history().index(), 0);
}

void UndoTest::aLinesMenuHasNoHistoryOfItsOwn() {
    OpenWindow open;
    QLineEdit* name = nullptr;
    for (auto* edit : open.window.findChildren<QLineEdit*>()) {
        if (edit->accessibleName() == "Name") name = edit;
    }
    QVERIFY(name != nullptr);
    QTest::keyClicks(name, "x");
    QContextMenuEvent event(QContextMenuEvent::Mouse, {3, 3}, name->mapToGlobal(QPoint(3, 3)));
    QApplication::sendEvent(name, &event);
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    QVERIFY(menu != nullptr);
    for (const QAction* action : menu->actions()) {
        QVERIFY2(action->objectName() != "edit-undo" && action->objectName() != "edit-redo",
                 qPrintable(action->text()));
    }
    QVERIFY(!menu->actions().isEmpty());
    menu->close();
}

void UndoTest::aLineOutsideTheDocumentUndoesItsOwnText() {
    OpenWindow open;
    open.slide(Qt::Key_Home);
    for (const char* name : {"Note", "Filter rounds"}) {
        QLineEdit* line = nullptr;
        for (auto* edit : open.window.findChildren<QLineEdit*>()) {
            if (edit->accessibleName() == name) line = edit;
        }
        QVERIFY2(line != nullptr, name);
        QTest::keyClicks(line, "abc");
        QTest::keyClick(line, Qt::Key_Z, Qt::ControlModifier);
        QVERIFY2(line->text().isEmpty(), name);
        QTest::keyClick(line, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(open.blockM(), 1);
        QTest::keyClick(line, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(line->text(), "abc");
    }
    open.undo();
    QCOMPARE(open.blockM(), 64);
}

void UndoTest::aLessonUndoesItsOwnText() {
    OpenWindow open;
    open.slide(Qt::Key_Home);
    QPlainTextEdit* lesson = nullptr;
    for (auto* edit : open.window.findChildren<QPlainTextEdit*>()) {
        if (edit->accessibleName() == "Worked") lesson = edit;
    }
    QVERIFY(lesson != nullptr);
    lesson->setEnabled(true);  // as it is where a round is selected
    QTest::keyClicks(lesson, "abc");
    QTest::keyClick(lesson, Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(lesson->toPlainText().isEmpty());
    QCOMPARE(open.blockM(), 1);
}

void UndoTest::aTypedNumberThatIsTakenIsAStepOfTheDocument() {
    for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Tab}) {
        OpenWindow open;
        auto* box = open.window.findChild<QSpinBox*>("BLOCK_M_box");
        auto* line = box->findChild<QLineEdit*>();
        box->setFocus();
        line->selectAll();
        QTest::keyClicks(line, "1");
        QTest::keyClick(line, key);
        QCOMPARE(open.blockM(), 1);
        QCOMPARE(open.history().count(), 1);
        QTest::keyClick(line, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(open.blockM(), 64);
        QCOMPARE(open.history().index(), 0);
        QCOMPARE(line->text(), "64");
    }
}

}  // namespace kernelgen::studio

STUDIO_TEST(kernelgen::studio::UndoTest)
#include "undo_test.moc"
