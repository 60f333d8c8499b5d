// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QTextCursor>
#include <QToolButton>

#include "app/studio/application/language.h"
#include "app/studio/reports/problems_panel.h"
#include "app/studio/reports/run_log_panel.h"
#include "tests/studio/fixtures.h"
#include "tests/studio/registry.h"

namespace kernelgen::studio {

using testing::Studio;
using testing::waitUntil;

namespace {

void breakBody(ProjectDocument& document) {
    document.edit("body", [](Project& project) { project.definition.body = "out = x + bais"; });
}

QTableView* tableOf(const ProblemsPanel& panel) { return panel.findChild<QTableView*>("problems_table"); }

QString cell(const ProblemsPanel& panel, int row, ProblemsModel::Column column) {
    return tableOf(panel)->model()->index(row, column).data().toString();
}

BuildResult failedBuild() {
    BuildResult result;
    result.status = Status::build_failed;
    const CompilerMessage warning{"bias_add.cpp", 3, 7, "warning", "unused variable"};
    result.messages = {{"bias_add.cpp", 12, 4, "error", "expected ';'"}, warning, warning};
    return result;
}

}  // namespace

class ProblemsTest : public QObject {
    Q_OBJECT

private slots:
    void theModelKeepsTheRulesOfModels();
    void aSoundProjectHasNoProblems();
    void anErrorOfTheDefinitionHasItsPlaceAndWhatToDo();
    void errorsOfTheDefinitionAreInChinese();
    void enterGoesToTheDefinition();
    void compilerMessagesAreListedOnceAndLeadToTheSource();
    void whyNothingCanRunIsAProblemUntilSomethingChanges();
    void theLogShowsWhatHappened();
    void theLogCanBeReducedToErrors();
    void aClearedLogShowsWhatComesNext();
    void theLogFollowsItsEndUnlessScrolledUp();
    void kernelsPrintInMonospace();
    void veryLongLogsAreShownToTheirEnd();
};

void ProblemsTest::theModelKeepsTheRulesOfModels() {
    ProblemsModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setProblems({{.message = "one", .suggestion = {}, .where = "cases[0]", .file = {}}});
    model.setProblems({});
    QCOMPARE(model.rowCount(), 0);
}

void ProblemsTest::aSoundProjectHasNoProblems() {
    Studio studio;
    studio.open();
    ProblemsPanel panel(studio.session());
    panel.show();
    QCOMPARE(panel.errors(), 0);
    QVERIFY(!tableOf(panel)->isVisible());
}

void ProblemsTest::anErrorOfTheDefinitionHasItsPlaceAndWhatToDo() {
    Studio studio;
    studio.open();
    ProblemsPanel panel(studio.session());
    QSignalSpy counted(&panel, &ProblemsPanel::countChanged);
    breakBody(studio.session().document());
    QCOMPARE(counted.size(), 1);
    QCOMPARE(panel.errors(), static_cast<int>(studio.session().document().diagnostics().size()));
    QCOMPARE(cell(panel, 0, ProblemsModel::Kind), "Error");
    QCOMPARE(cell(panel, 0, ProblemsModel::Place), "operator.body:1:11");
    QVERIFY(cell(panel, 0, ProblemsModel::Suggestion).contains("bias"));
    studio.session().document().undoStack().undo();
    QCOMPARE(panel.errors(), 0);
}

void ProblemsTest::errorsOfTheDefinitionAreInChinese() {
    const Language chinese("zh_CN");
    Studio studio;
    studio.open();
    const ProblemsPanel panel(studio.session());
    ProjectDocument& document = studio.session().document();
    static const QRegularExpression han("\\p{Han}");
    const char* wrong[] = {"out = x + bais",   "out = x +",  "out = (x",           "out == x",
                           "out = x; out = x", "out = bias", "out = exp(x, bias)", "out = later\nlater = x + bias",
                           "out = x $ bias",   "x = bias",   "y = x + bias",       "out = exp + bias",
                           "out = x // bias"};
    for (const char* body : wrong) {
        document.edit("body", [&](Project& project) { project.definition.body = body; });
        QVERIFY2(panel.errors() > 0, body);
        for (int row = 0; row < panel.errors(); ++row) {
            const QString message = cell(panel, row, ProblemsModel::Message),
                          advice = cell(panel, row, ProblemsModel::Suggestion);
            QVERIFY2(message.contains(han), qPrintable(message));
            QVERIFY2(advice.isEmpty() || advice.contains(han), qPrintable(advice));
        }
    }
    document.edit("the rest", [](Project& project) {
        project.definition.body = "out = x + bias";
        project.definition.symbols[0] = "int";
        project.cases[0].name.clear();
        project.performance.max_rounds = 0;
        project.performance.target_speedup = -1;
    });
    QVERIFY(panel.errors() >= 4);
    for (int row = 0; row < panel.errors(); ++row) {
        const QString message = cell(panel, row, ProblemsModel::Message);
        QVERIFY2(message.contains(han), qPrintable(message));
    }
    QLocale::setDefault(QLocale::c());
}

void ProblemsTest::enterGoesToTheDefinition() {
    Studio studio;
    studio.open();
    ProblemsPanel panel(studio.session());
    panel.show();
    breakBody(studio.session().document());
    QSignalSpy went(&panel, &ProblemsPanel::goToDefinition);
    tableOf(panel)->setCurrentIndex(tableOf(panel)->model()->index(0, 0));
    QTest::keyClick(tableOf(panel), Qt::Key_Return);
    QCOMPARE(went.value(0).value(0).toString(), "operator.body:1:11");
}

void ProblemsTest::compilerMessagesAreListedOnceAndLeadToTheSource() {
    Studio studio;
    studio.open();
    ProblemsPanel panel(studio.session());
    studio.session().messages().take("bias_add.cpp", failedBuild());
    QCOMPARE(tableOf(panel)->model()->rowCount(), 2);
    QCOMPARE(panel.errors(), 1);
    QCOMPARE(cell(panel, 0, ProblemsModel::Place), "bias_add.cpp:12:4");
    QCOMPARE(cell(panel, 1, ProblemsModel::Kind), "Warning");
    QSignalSpy went(&panel, &ProblemsPanel::goToSource);
    emit tableOf(panel)->activated(tableOf(panel)->model()->index(0, 0));
    QCOMPARE(went.value(0), (QVariantList{"bias_add.cpp", 12, 4}));
}

void ProblemsTest::whyNothingCanRunIsAProblemUntilSomethingChanges() {
    Studio studio;
    studio.open();
    ProblemsPanel panel(studio.session());
    emit studio.session().refused("no variant is for this device");
    QCOMPARE(panel.errors(), 1);
    QVERIFY(cell(panel, 0, ProblemsModel::Message).contains("no variant is for this device"));
    studio.session().document().setTunable("host", "BLOCK_M", 1);
    QCOMPARE(panel.errors(), 0);
}

namespace {

QPlainTextEdit* textOf(const RunLogPanel& panel) { return panel.findChild<QPlainTextEdit*>(); }

bool shows(const RunLogPanel& panel, const QString& text) {
    return waitUntil([&] { return textOf(panel)->toPlainText().contains(text); }, 5000);
}

}  // namespace

void ProblemsTest::theLogShowsWhatHappened() {
    Studio studio("");
    studio.session().log().add(Severity::information, "before the panel");
    RunLogPanel panel(studio.session());
    studio.session().log().add(Severity::error, "two\nlines");
    QVERIFY(shows(panel, "two\nlines"));
    QVERIFY(textOf(panel)->toPlainText().contains("before the panel"));
}

void ProblemsTest::theLogCanBeReducedToErrors() {
    Studio studio("");
    RunLogPanel panel(studio.session());
    studio.session().log().add(Severity::information, "as usual");
    studio.session().log().add(Severity::error, "went wrong");
    panel.findChild<QComboBox*>()->setCurrentIndex(2);
    QVERIFY(shows(panel, "went wrong"));
    QVERIFY(!textOf(panel)->toPlainText().contains("as usual"));
    panel.findChild<QComboBox*>()->setCurrentIndex(0);
    QVERIFY(shows(panel, "as usual"));
}

void ProblemsTest::aClearedLogShowsWhatComesNext() {
    Studio studio("");
    RunLogPanel panel(studio.session());
    studio.session().log().add(Severity::information, "old");
    QVERIFY(shows(panel, "old"));
    panel.findChildren<QToolButton*>().back()->click();
    studio.session().log().add(Severity::information, "new");
    QVERIFY(shows(panel, "new"));
    QVERIFY(!textOf(panel)->toPlainText().contains("old"));
}

void ProblemsTest::theLogFollowsItsEndUnlessScrolledUp() {
    Studio studio("");
    RunLogPanel panel(studio.session());
    panel.resize(400, 150);
    panel.show();
    for (int i = 0; i < 60; ++i) studio.session().log().add(Severity::information, "line");
    studio.session().log().add(Severity::information, "the end");
    QVERIFY(shows(panel, "the end"));
    QScrollBar* bar = textOf(panel)->verticalScrollBar();
    QCOMPARE(bar->value(), bar->maximum());
    bar->setValue(3);
    studio.session().log().add(Severity::information, "one more");
    QVERIFY(shows(panel, "one more"));
    QCOMPARE(bar->value(), 3);
}

void ProblemsTest::kernelsPrintInMonospace() {
    Studio studio("");
    RunLogPanel panel(studio.session());
    studio.session().log().addOutput("row 0");
    QVERIFY(shows(panel, "row 0"));
    QTextCursor cursor(textOf(panel)->document());
    cursor.movePosition(QTextCursor::End);
    QVERIFY(cursor.charFormat().font().fixedPitch() || cursor.charFormat().font().styleHint() == QFont::Monospace ||
            cursor.charFormat().fontFamilies() != textOf(panel)->font().families());
}

void ProblemsTest::veryLongLogsAreShownToTheirEnd() {
    Studio studio("");
    RunLogPanel panel(studio.session());
    for (int i = 0; i < 7000; ++i) studio.session().log().add(Severity::information, QString("entry %1.").arg(i));
    QVERIFY(shows(panel, "entry 6999."));
    QVERIFY(!textOf(panel)->toPlainText().contains("entry 1999."));
    QCOMPARE(textOf(panel)->blockCount(), 5000);
}

}  // namespace kernelgen::studio

STUDIO_TEST(kernelgen::studio::ProblemsTest)
#include "problems_test.moc"
