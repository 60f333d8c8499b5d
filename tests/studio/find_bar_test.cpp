// SPDX-License-Identifier: GPL-3.0-or-later
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>
#include <QToolButton>

#include "app/studio/document/source_file.h"
#include "app/studio/sources/find_bar.h"
#include "app/studio/sources/source_editor.h"

#include "tests/studio/registry.h"

namespace kernelgen::studio {

namespace {

/// A find bar over a source that is on no disk.
struct OpenSource {
    explicit OpenSource(const QString& text) {
        source.document().setPlainText(text);
        window.resize(700, 300);
        editor.setParent(&window);
        bar.setParent(&window);
        bar.setEditor(&editor);
        window.show();
        bar.openFor(true);
    }
    ~OpenSource() {
        editor.setParent(nullptr);
        bar.setParent(nullptr);
    }
    void look(const QString& what) {
        auto* field = bar.findChild<QLineEdit*>("find_text");
        field->clear();
        QTest::keyClicks(field, what);
    }
    void replaceWith(const QString& what) { QTest::keyClicks(bar.findChild<QLineEdit*>("replace_text"), what); }
    void press(const QString& button) { QTest::mouseClick(bar.findChild<QAbstractButton*>(button), Qt::LeftButton); }
    void enter(Qt::KeyboardModifiers modifiers = {}) {
        QTest::keyClick(bar.findChild<QLineEdit*>("find_text"), Qt::Key_Return, modifiers);
    }
    QString count() { return bar.findChild<QLabel*>("match_count")->text(); }
    int selected() { return editor.textCursor().hasSelection() ? editor.textCursor().selectionStart() : -1; }

    QUndoStack history;
    SourceFile source{"/nonexistent", "kernel.cpp"};
    QWidget window;
    SourceEditor editor{source, history};
    FindBar bar;
};

}  // namespace

class FindBarTest : public QObject {
    Q_OBJECT

private slots:
    void matchesAreCountedAsOneTypes();
    void typingGoesToTheFirstMatchFromWhereItBegan();
    void returnGoesToTheNextMatchAroundTheEndAndShiftReturnBack();
    void caseAndWholeWordsCanBeAskedFor();
    void aRegularExpressionFindsLineByLine();
    void whatIsNoExpressionSaysSo();
    void anExpressionThatBacktracksForeverDoesNotHoldUpTheWindow();
    void replaceReplacesOneAndGoesOn();
    void replaceAllIsOneStepOfTheHistory();
    void groupsCanBeUsedInTheReplacement();
    void everyMatchInSightIsMarked();
    void escapeClosesTheBarAndItsMarks();
    void theSelectedWordIsLookedFor();
};

void FindBarTest::matchesAreCountedAsOneTypes() {
    OpenSource open("one two one\none");
    open.look("one");
    QCOMPARE(open.count(), "1 of 3");
    open.look("two");
    QCOMPARE(open.count(), "1 of 1");
    open.look("three");
    QCOMPARE(open.count(), "No matches");
}

void FindBarTest::typingGoesToTheFirstMatchFromWhereItBegan() {
    QString text = "near\n";
    for (int i = 0; i < 500; ++i) text += "line\n";
    OpenSource open(text + "nest of far");
    open.editor.goTo(3, 1);
    open.bar.openFor(false);
    open.look("ne");
    QCOMPARE(open.editor.textCursor().selectedText(), "ne");
    QCOMPARE(open.editor.textCursor().blockNumber(), 2);  // of "line"
    open.look("nest");
    QCOMPARE(open.editor.textCursor().blockNumber(), 501);
    QVERIFY(open.editor.viewport()->rect().contains(open.editor.cursorRect()));
    open.look("nested");
    QCOMPARE(open.editor.textCursor().blockNumber(), 2);
}

void FindBarTest::returnGoesToTheNextMatchAroundTheEndAndShiftReturnBack() {
    OpenSource open("one two one\none");
    open.look("one");
    for (const int place : {8, 12, 0}) {
        open.enter();
        QCOMPARE(open.selected(), place);
    }
    QCOMPARE(open.count(), "1 of 3");
    open.enter(Qt::ShiftModifier);
    QCOMPARE(open.selected(), 12);
    open.enter(Qt::ShiftModifier);
    QCOMPARE(open.selected(), 8);
}

void FindBarTest::caseAndWholeWordsCanBeAskedFor() {
    OpenSource open("row rows Row");
    open.look("row");
    QCOMPARE(open.count(), "1 of 3");
    open.press("match_case");
    QCOMPARE(open.count(), "1 of 2");
    open.press("whole_word");
    QCOMPARE(open.count(), "1 of 1");
}

void FindBarTest::aRegularExpressionFindsLineByLine() {
    OpenSource open("x1 = y;\nx22 = y;");
    open.press("regular_expression");
    open.look("^x[0-9]+");
    QCOMPARE(open.count(), "1 of 2");
    open.enter();
    QCOMPARE(open.editor.textCursor().selectedText(), "x22");
}

void FindBarTest::whatIsNoExpressionSaysSo() {
    OpenSource open("(");
    open.press("regular_expression");
    open.look("(");
    QCOMPARE(open.count(), "Not an expression");
    open.enter();
    QCOMPARE(open.selected(), -1);
}

void FindBarTest::anExpressionThatBacktracksForeverDoesNotHoldUpTheWindow() {
    OpenSource open(QString(40, 'a') + "!");
    open.press("regular_expression");
    open.look("(a+)+$");
    QCOMPARE(open.count(), "No matches");
}

void FindBarTest::replaceReplacesOneAndGoesOn() {
    OpenSource open("a b a b a");
    open.look("a");
    open.replaceWith("cc");
    open.press("replace_one");
    QCOMPARE(open.editor.toPlainText(), "cc b a b a");
    QCOMPARE(open.selected(), 5);
    open.press("replace_one");
    QCOMPARE(open.editor.toPlainText(), "cc b cc b a");
}

void FindBarTest::replaceAllIsOneStepOfTheHistory() {
    QString text;
    for (int i = 0; i < 1000; ++i) text += "one row of many rows\n";
    OpenSource open(text);
    int steps = 0;
    connect(&open.source.document(), &QTextDocument::undoCommandAdded, this, [&] { ++steps; });
    open.look("row");
    open.replaceWith("line");
    open.press("replace_all");
    QCOMPARE(open.count(), "Replaced 2000");
    QVERIFY(open.editor.toPlainText().startsWith("one line of many lines\none line"));
    QCOMPARE(steps, 1);
    open.source.document().undo();
    QCOMPARE(open.editor.toPlainText(), text);
}

void FindBarTest::groupsCanBeUsedInTheReplacement() {
    OpenSource open("load(a, b); load(c, d);");
    open.press("regular_expression");
    open.look("load\\((\\w), (\\w)\\)");
    open.replaceWith("store(\\2, \\1)");
    open.press("replace_all");
    QCOMPARE(open.editor.toPlainText(), "store(b, a); store(d, c);");
}

void FindBarTest::everyMatchInSightIsMarked() {
    OpenSource open("one two one");
    const auto before = open.editor.extraSelections().size();
    open.look("one");
    QCOMPARE(open.editor.extraSelections().size(), before + 2);
}

void FindBarTest::escapeClosesTheBarAndItsMarks() {
    OpenSource open("one");
    const auto before = open.editor.extraSelections().size();
    open.look("one");
    QTest::keyClick(open.bar.findChild<QLineEdit*>("find_text"), Qt::Key_Escape);
    QVERIFY(open.bar.isHidden());
    QCOMPARE(open.editor.extraSelections().size(), before);
    open.bar.openFor(false);
    QTest::keyClick(&open.editor, Qt::Key_Escape);
    QVERIFY(open.bar.isHidden());
}

void FindBarTest::theSelectedWordIsLookedFor() {
    OpenSource open("alpha beta");
    QTextCursor cursor(&open.source.document());
    cursor.select(QTextCursor::WordUnderCursor);
    open.editor.setTextCursor(cursor);
    open.bar.openFor(false);
    QCOMPARE(open.bar.findChild<QLineEdit*>("find_text")->text(), "alpha");
    QVERIFY(!open.bar.findChild<QLineEdit*>("replace_text")->isVisible());
}

}  // namespace kernelgen::studio

STUDIO_TEST(kernelgen::studio::FindBarTest)
#include "find_bar_test.moc"
