// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QFile>
#include <QLabel>
#include <QMenu>
#include <QSpinBox>
#include <QTabWidget>
#include <QTest>
#include <QTextBlock>
#include <QToolButton>
#include <QWheelEvent>

#include "app/studio/sources/highlighter.h"
#include "app/studio/sources/source_editor.h"
#include "app/studio/sources/source_tabs.h"
#include "tests/studio/fixtures.h"
#include "tests/studio/registry.h"

namespace kernelgen::studio {

using testing::Studio;
using testing::waitUntil;

namespace {

struct OpenEditor {
    explicit OpenEditor(bool python = false) {
        if (python) testing::addPythonVariants(studio.folder());
        studio.open();
        tabs.resize(800, 500);
        tabs.show();
    }
    QTabWidget& widget() { return *tabs.findChild<QTabWidget*>("sources"); }
    QStringList titles() {
        QStringList titles;
        for (int i = 0; i < widget().count(); ++i) {
            if (widget().isTabVisible(i)) titles << widget().tabText(i);
        }
        return titles;
    }
    SourceEditor& editor() { return *static_cast<SourceEditor*>(widget().currentWidget()); }
    ProjectDocument& document() { return studio.session().document(); }
    /// The shown source becomes this text, without a history.
    void write(const QString& text) {
        editor().setPlainText(text);
        editor().document()->clearUndoRedoStacks();
        document().undoStack().clear();
    }

    Studio studio;
    SourceTabs tabs{studio.session()};
};

bool isColoured(const QTextBlock& block) { return !block.layout()->formats().isEmpty(); }

}  // namespace

class SourceEditorTest : public QObject {
    Q_OBJECT

private slots:
    void theVariantsSourceHasATabThatNamesItAndItsBaselineAnother();
    void otherSourcesAreReachedByTheButton();
    void aTritonVariantHasItsFourFilesAsTabs();
    void pythonSourcesAreColoured();
    void companionsAreSavedAndTakenFromDiskAsSourcesAre();
    void aModifiedSourceHasADot();
    void theChosenVariantsSourceComesToTheFront();
    void aLibraryAsTheCandidateIsExplained();
    void anotherProjectBringsItsOwnTabs();
    void anUnreadableSourceIsShownReadOnlyWithTheReason();
    void theTabKeyGoesToTheNextMultipleOfFour();
    void selectedLinesAreIndentedAndOutdentedTogether();
    void aNewLineIsIndentedAsTheOneBefore();
    void goToShowsTheFileAtThePlace();
    void zoomKeepsTheLineInView();
    void goToLineAsksForItAndGoesThere();
    void compilerMessagesAreShownOnTheirLinesAndMoveWithThem();
    void aBuildThatFailsMarksTheSource();
    void sourcesAreColoured();
    void aSourceOfFourMebibytesIsColouredInSlices();
    void anInsertionBeforeWhatIsNotYetColouredLeavesNoGap();
    void zoomingChangesTheFontOfEverySource();
};

void SourceEditorTest::theVariantsSourceHasATabThatNamesItAndItsBaselineAnother() {
    OpenEditor open;
    QCOMPARE(open.titles(), (QStringList{"bias_add.cpp", "bias_add_naive.cpp"}));
    QVERIFY(open.widget().tabToolTip(0).contains("host"));
    QVERIFY(open.widget().tabToolTip(0).contains(open.studio.folder()));
}

void SourceEditorTest::otherSourcesAreReachedByTheButton() {
    OpenEditor open;
    auto* button = open.tabs.findChild<QToolButton*>("other_sources");
    QVERIFY(button->isVisible());
    emit button->menu()->aboutToShow();
    button->menu()->findChild<QAction*>("bias_add.cu")->trigger();
    QCOMPARE(open.widget().tabText(open.widget().currentIndex()), "bias_add.cu");
    QCOMPARE(open.titles().size(), 3);
    open.studio.session().setVariant("naive");  // other work: what was asked for has been looked at
    QVERIFY(!open.titles().contains("bias_add.cu"));
}

void SourceEditorTest::aTritonVariantHasItsFourFilesAsTabs() {
    OpenEditor open(true);
    open.studio.session().setVariant("triton");
    const QStringList files{"bias_add_triton.py", "bias_add_baseline.py", "bias_add_accuracy.py",
                            "bias_add_performance.py"};
    QCOMPARE(open.titles(), files);
    QCOMPARE(open.widget().currentIndex(), 0);
    QVERIFY(open.widget().tabToolTip(2).contains("Accuracy test of triton"));
    open.studio.session().setVariant("torch");
    QCOMPARE(open.titles(), files);
    QCOMPARE(open.widget().currentIndex(), 1);
}

void SourceEditorTest::pythonSourcesAreColoured() {
    OpenEditor open(true);
    open.studio.session().setVariant("triton");
    QVERIFY(waitUntil([&] { return isColoured(open.editor().document()->firstBlock()); }, 5000));
}

void SourceEditorTest::companionsAreSavedAndTakenFromDiskAsSourcesAre() {
    OpenEditor open(true);
    open.studio.session().setVariant("triton");
    open.widget().setCurrentIndex(2);
    QTest::keyClicks(&open.editor(), "#");
    QCOMPARE(open.widget().tabText(2), "bias_add_accuracy.py ●");
    QVERIFY(open.document().save());
    QFile file(open.studio.folder() + "/bias_add_accuracy.py");
    QVERIFY(file.open(QIODevice::ReadWrite));
    QVERIFY(file.readAll().startsWith("#from"));
    file.write("# more\n");
    file.close();
    QVERIFY(waitUntil([&] { return open.editor().toPlainText().endsWith("# more\n"); }, 10000));
    open.document().undoStack().undo();
    QVERIFY(!open.editor().toPlainText().contains("# more"));
}

void SourceEditorTest::aModifiedSourceHasADot() {
    OpenEditor open;
    QTest::keyClicks(&open.editor(), "x");
    QCOMPARE(open.widget().tabText(0), "bias_add.cpp ●");
    QVERIFY(open.document().save());
    QCOMPARE(open.widget().tabText(0), "bias_add.cpp");
}

void SourceEditorTest::theChosenVariantsSourceComesToTheFront() {
    OpenEditor open;
    QCOMPARE(open.widget().currentIndex(), 0);
    open.studio.session().setVariant("naive");
    QCOMPARE(open.widget().tabText(open.widget().currentIndex()), "bias_add_naive.cpp");
    open.widget().setCurrentIndex(0);
    open.document().setTunable("host", "BLOCK_M", 1);  // no other variant: what is shown stays
    QCOMPARE(open.widget().currentIndex(), 0);
}

void SourceEditorTest::aLibraryAsTheCandidateIsExplained() {
    OpenEditor open;
    open.studio.session().setVariant("library");
    const auto* notice = open.tabs.findChild<QLabel*>("source_notice");
    QVERIFY(notice->isVisible());
    QVERIFY(notice->text().contains("binary_add of the library onednn"));
    open.studio.session().setVariant("host");
    QVERIFY(notice->isHidden());
}

void SourceEditorTest::anotherProjectBringsItsOwnTabs() {
    OpenEditor open;
    QTest::keyClicks(&open.editor(), "x");
    Studio other("softmax");
    QVERIFY(open.studio.session().open(other.folder()).empty());
    QCOMPARE(open.widget().tabText(0), "softmax.cpp");
    QTest::keyClicks(&open.editor(), "x");
    QCOMPARE(open.widget().tabText(0), "softmax.cpp ●");
    open.document().close();
    QCOMPARE(open.widget().count(), 0);
}

void SourceEditorTest::anUnreadableSourceIsShownReadOnlyWithTheReason() {
    Studio studio;
    QVERIFY(QFile::remove(studio.folder() + "/bias_add.cpp"));
    SourceTabs tabs(studio.session());
    tabs.show();
    studio.session().document().open(studio.folder());
    if (!studio.session().document().isOpen()) QSKIP("a project without its source does not open");
    auto* editor = static_cast<SourceEditor*>(tabs.findChild<QTabWidget*>("sources")->currentWidget());
    QVERIFY(editor->isReadOnly());
    QVERIFY(tabs.findChild<QLabel*>("source_notice")->text().contains("cannot be read"));
}

void SourceEditorTest::theTabKeyGoesToTheNextMultipleOfFour() {
    OpenEditor open;
    open.write("");
    QTest::keyClicks(&open.editor(), "ab");
    QTest::keyClick(&open.editor(), Qt::Key_Tab);
    QTest::keyClicks(&open.editor(), "c");
    QCOMPARE(open.editor().toPlainText(), "ab  c");
}

void SourceEditorTest::selectedLinesAreIndentedAndOutdentedTogether() {
    OpenEditor open;
    open.write("a\nb\n\nc");
    QTest::keyClick(&open.editor(), Qt::Key_A, Qt::ControlModifier);
    QTest::keyClick(&open.editor(), Qt::Key_Tab);
    QCOMPARE(open.editor().toPlainText(), "    a\n    b\n\n    c");
    QTest::keyClick(&open.editor(), Qt::Key_A, Qt::ControlModifier);
    QTest::keyClick(&open.editor(), Qt::Key_Backtab, Qt::ShiftModifier);
    QCOMPARE(open.editor().toPlainText(), "a\nb\n\nc");
    QCOMPARE(open.document().undoStack().count(), 2);
}

void SourceEditorTest::aNewLineIsIndentedAsTheOneBefore() {
    OpenEditor open;
    open.write("    if (x) {");
    QTest::keyClick(&open.editor(), Qt::Key_End);
    QTest::keyClick(&open.editor(), Qt::Key_Return);
    QTest::keyClicks(&open.editor(), "y;");
    QTest::keyClick(&open.editor(), Qt::Key_Return);
    QTest::keyClicks(&open.editor(), "z;");
    QCOMPARE(open.editor().toPlainText(), "    if (x) {\n        y;\n        z;");
}

void SourceEditorTest::zoomKeepsTheLineInView() {
    OpenEditor open;
    QString text;
    for (int i = 0; i < 400; ++i) text += QString("line %1\n").arg(i);
    open.write(text);
    SourceEditor& editor = open.editor();
    editor.goTo(200, 1);
    open.tabs.zoom(8);
    QVERIFY(editor.viewport()->rect().contains(editor.cursorRect()));
    open.tabs.zoom(-8);
    const QPointF place(100, editor.viewport()->height() - 30);
    const int pointed = editor.blockAt(static_cast<int>(place.y())).blockNumber();
    QWheelEvent wheel(place, editor.viewport()->mapToGlobal(place), {}, {0, 120}, Qt::NoButton, Qt::ControlModifier,
                      Qt::NoScrollPhase, false);
    for (int i = 0; i < 6; ++i) QApplication::sendEvent(editor.viewport(), &wheel);
    QVERIFY(std::abs(editor.blockAt(static_cast<int>(place.y())).blockNumber() - pointed) <= 2);
}

void SourceEditorTest::goToShowsTheFileAtThePlace() {
    OpenEditor open;
    open.tabs.goTo("bias_add_naive.cpp", 3, 5);
    QCOMPARE(open.widget().tabText(open.widget().currentIndex()), "bias_add_naive.cpp");
    QCOMPARE(open.editor().textCursor().blockNumber(), 2);
    QCOMPARE(open.editor().textCursor().positionInBlock(), 4);
    open.tabs.goTo("bias_add_naive.cpp", 100000, 100000);
    QCOMPARE(open.editor().textCursor().blockNumber(), open.editor().blockCount() - 1);
    open.tabs.goTo("kernelgen.h", 1, 1);  // not of the project: nothing happens
    QCOMPARE(open.widget().tabText(open.widget().currentIndex()), "bias_add_naive.cpp");
}

void SourceEditorTest::goToLineAsksForItAndGoesThere() {
    OpenEditor open;
    open.tabs.goToLine();
    auto* line = open.tabs.findChild<QSpinBox*>("line_number");
    QVERIFY(line->isVisible());
    QTest::keyClicks(line, "7");
    QTest::keyClick(line, Qt::Key_Return);
    QVERIFY(!line->isVisible());
    QCOMPARE(open.editor().textCursor().blockNumber(), 6);
}

void SourceEditorTest::compilerMessagesAreShownOnTheirLinesAndMoveWithThem() {
    OpenEditor open;
    BuildResult result;
    result.status = Status::build_failed;
    result.messages = {{"bias_add.cpp", 3, 4, "warning", "odd"}, {"bias_add.cpp", 3, 8, "error", "wrong"}};
    open.studio.session().messages().take("bias_add.cpp", result);
    QCOMPARE(open.editor().messageAt(2)->severity, "error");
    QCOMPARE(open.editor().messagesAt(2), "warning: odd\nerror: wrong");
    QVERIFY(open.editor().messageAt(1) == nullptr);
    QTest::keyClick(&open.editor(), Qt::Key_Home, Qt::ControlModifier);
    QTest::keyClick(&open.editor(), Qt::Key_Return);
    QVERIFY(open.editor().messageAt(3) != nullptr);
    open.studio.session().messages().take("bias_add.cpp", BuildResult{});
    QVERIFY(open.editor().messageAt(3) == nullptr);
}

void SourceEditorTest::aBuildThatFailsMarksTheSource() {
    OpenEditor open;
    open.write("int ok;\nmistake;\n");
    open.studio.session().build();
    QVERIFY(waitUntil([&] { return open.editor().messageAt(1) != nullptr; }));
    QCOMPARE(open.editor().messageAt(1)->severity, "error");
}

void SourceEditorTest::sourcesAreColoured() {
    OpenEditor open;
    QVERIFY(waitUntil([&] { return isColoured(open.editor().document()->firstBlock()); }, 5000));
}

void SourceEditorTest::aSourceOfFourMebibytesIsColouredInSlices() {
    OpenEditor open;
    QString text;
    while (text.size() < (4 << 20) - 100) text += "    const float x = load(row, column) + 1.0f;  // one line\n";
    open.write(text);
    QTextDocument& document = *open.editor().document();
    auto* highlighter = open.editor().findChild<Highlighter*>();
    QVERIFY(waitUntil([&] { return isColoured(document.firstBlock()); }, 5000));
    QVERIFY(!highlighter->isDone());
    QVERIFY(!isColoured(document.lastBlock().previous()));
}

void SourceEditorTest::anInsertionBeforeWhatIsNotYetColouredLeavesNoGap() {
    OpenEditor open;
    QString text;
    for (int i = 0; i < 20000; ++i) text += "const int x = 1;\n";
    open.write(text);
    auto* highlighter = open.editor().findChild<Highlighter*>();
    QTextCursor cursor(open.editor().document());
    cursor.movePosition(QTextCursor::NextBlock, QTextCursor::KeepAnchor, 500);
    cursor.removeSelectedText();
    cursor.insertText(text.left(17 * 300));
    QVERIFY(waitUntil([&] { return highlighter->isDone(); }));
    for (QTextBlock block = open.editor().document()->begin(); block.next().isValid(); block = block.next()) {
        QVERIFY2(isColoured(block), qPrintable(QString::number(block.blockNumber())));
    }
}

void SourceEditorTest::zoomingChangesTheFontOfEverySource() {
    OpenEditor open;
    const auto size = [&](int tab) { return open.widget().widget(tab)->font().pointSizeF(); };
    const double before = size(1);
    const QPoint middle = open.editor().viewport()->rect().center();
    QWheelEvent wheel(middle, open.editor().mapToGlobal(middle), {}, {0, 120}, Qt::NoButton, Qt::ControlModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(open.editor().viewport(), &wheel);
    QCOMPARE(size(0), before + 1);
    QCOMPARE(size(1), before + 1);
    open.tabs.zoom(-2);
    QCOMPARE(size(1), before - 1);
}

}  // namespace kernelgen::studio

STUDIO_TEST(kernelgen::studio::SourceEditorTest)
#include "source_editor_test.moc"
