// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QApplication>
#include <QComboBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QTableView>
#include <QTest>
#include <QToolButton>

#include "app/studio/operator/analysis_view.h"
#include "app/studio/operator/definition_form.h"
#include "app/studio/operator/form_field.h"
#include "app/studio/operator/message_lines.h"
#include "app/studio/operator/operator_panel.h"
#include "app/studio/operator/project_table.h"
#include "app/studio/operator/quick_fixes.h"
#include "app/studio/operator/rename.h"
#include "app/studio/operator/section.h"
#include "app/studio/theme/banner.h"
#include "tests/studio/fixtures.h"
#include "tests/studio/registry.h"

namespace kernelgen::studio {

using testing::Studio;
using testing::waitUntil;

class OperatorPanelTest : public QObject {
    Q_OBJECT

private slots:
    void everyTableIsAConsistentModelWhileTheProjectChanges_data();
    void everyTableIsAConsistentModelWhileTheProjectChanges();
    void typingTheBodyChangesTheDocumentAsOneStep();
    void undoRefreshesAFieldWithoutMovingItsCursor();
    void anErrorIsSaidBelowTheFormAndMarksItsField();
    void nothingMovesAsErrorsComeAndGo();
    void goToFocusesTheFieldOfADiagnostic_data();
    void goToFocusesTheFieldOfADiagnostic();
    void goToPutsTheCursorAtTheErrorOfTheBody();
    void renamingASymbolRenamesItEverywhereInOneStep();
    void aNameThatIsTakenIsSaidAndRenamesNothing();
    void aTextThatIsNoNumberChangesNothingAndSaysSo();
    void theValuesOfAnInputAreADomain();
    void numbersAreReadInTheCLocale();
    void sizesReachTheLargestThatFit63Bits();
    void aSectionIsRedOnlyWhileSomethingInItIsWrong();
    void aSectionIsRedWhileATextIsRefused();
    void aToleranceThatIsClearedIsTheDefaultAgain();
    void aCaseNamedByItsSizesFollowsThem();
    void insertAndDeleteKeysAddAndRemoveRows();
    void aSymbolThatIsRemovedLeavesTheCasesToo();
    void coarseSumsAreOfferedForProductsOf8BitsOnly();
    void theAnalysisFollowsTheDefinition();
    void theAnalysisOfWhatOverflowsIsAMessage();
    void ceilingsThatWereNotMeasuredAreOffered();
    void sourcesOfAnOlderDefinitionCanBeGenerated();
    void manyEditsASecondAreCheap();
    void thePanelFits280Pixels();
    void aNameThatIsUnknownIsMendedByAQuickFix();
};

namespace {

std::unique_ptr<TableContent> contentOf(const QString& title) {
    for (auto* make : {symbolContent, inputContent, outputContent, attributeContent, constraintContent, caseContent,
                       toleranceContent}) {
        if (auto content = make(); content->title() == title) return content;
    }
    return nullptr;
}

/// The editor that has this accessible name.
template <class Widget>
Widget* named(const QWidget& within, const QString& name) {
    for (Widget* each : within.findChildren<Widget*>()) {
        if (each->accessibleName() == name) return each;
    }
    return nullptr;
}

void setCell(QAbstractItemModel& model, int row, int column, const QString& text) {
    model.setData(model.index(row, column), text, Qt::EditRole);
}

/// A shown panel over an open sample.
struct Shown {
    explicit Shown(const QString& sample = "bias_add") : studio(sample) {
        studio.open();
        panel = std::make_unique<OperatorPanel>(studio.session());
        panel->resize(330, 900);
        panel->show();
        panel->activateWindow();
        if (!QTest::qWaitForWindowExposed(panel.get())) qFatal("the panel is not shown");
    }
    ProjectDocument& document() { return studio.session().document(); }
    const Operator& definition() { return document().project().definition; }
    QAbstractItemModel& table(const QString& title) { return *named<QTableView>(*panel, title)->model(); }
    QPlainTextEdit& body() { return *named<QPlainTextEdit>(*panel, "Body"); }
    AnalysisView& analysis() { return *panel->findChild<AnalysisView*>(); }

    Studio studio;
    std::unique_ptr<OperatorPanel> panel;
};

}  // namespace

void OperatorPanelTest::everyTableIsAConsistentModelWhileTheProjectChanges_data() {
    QTest::addColumn<QString>("title");
    for (const char* title : {"Symbols", "Inputs", "Outputs", "Attributes", "Constraints", "Cases", "Tolerances"}) {
        QTest::newRow(title) << title;
    }
}

void OperatorPanelTest::everyTableIsAConsistentModelWhileTheProjectChanges() {
    QFETCH(const QString, title);
    Studio studio("layer_norm");
    ProjectDocument& document = studio.session().document();
    ProjectTable table(document, contentOf(title));
    const QAbstractItemModelTester tester(&table, QAbstractItemModelTester::FailureReportingMode::QtTest);
    studio.open();
    table.add(-1);
    table.add(table.rowCount() - 1);
    table.move(0, 1);
    setCell(table, 0, table.columnCount() - 1, "7");
    table.remove(0);
    document.edit("symbols", [](Project& project) { project.definition.symbols.push_back("Q"); });
    document.edit("cases", [](Project& project) { project.cases.clear(); });
    while (document.undoStack().canUndo()) document.undoStack().undo();
    while (document.undoStack().canRedo()) document.undoStack().redo();
    QCOMPARE(table.columnCount(), table.content().headers(document.project()).size());
    QCOMPARE(table.rowCount(), static_cast<int>(table.content().rows(document.project()).size()));
    document.close();
    QCOMPARE(table.rowCount(), 0);
}

void OperatorPanelTest::typingTheBodyChangesTheDocumentAsOneStep() {
    Shown shown;
    shown.body().setFocus();
    shown.body().selectAll();
    QTest::keyClicks(&shown.body(), "out = 2 * x + bias");
    QCOMPARE(shown.definition().body, "out = 2 * x + bias");
    QCOMPARE(shown.document().undoStack().count(), 1);
    shown.document().undoStack().undo();
    QCOMPARE(shown.body().toPlainText(), "out = x + bias");
}

void OperatorPanelTest::undoRefreshesAFieldWithoutMovingItsCursor() {
    Shown shown;
    shown.body().setFocus();
    QTextCursor cursor = shown.body().textCursor();
    cursor.setPosition(4);
    shown.body().setTextCursor(cursor);
    shown.document().edit("body", [](Project& project) { project.definition.body = "out = x + bias + 1"; });
    QCOMPARE(shown.body().toPlainText(), "out = x + bias + 1");
    QCOMPARE(shown.body().textCursor().position(), 4);
    shown.document().undoStack().undo();
    QCOMPARE(shown.body().toPlainText(), "out = x + bias");
    QCOMPARE(shown.body().textCursor().position(), 4);
}

void OperatorPanelTest::anErrorIsSaidBelowTheFormAndMarksItsField() {
    Shown shown;
    shown.document().edit("body", [](Project& project) { project.definition.body = "out = x + bais"; });
    QVERIFY(shown.body().accessibleDescription().contains("bais"));
    QVERIFY(shown.body().accessibleDescription().contains("bias"));
    QCOMPARE(shown.body().extraSelections().size(), shown.document().diagnostics().size());
    QCOMPARE(shown.body().extraSelections().front().cursor.selectedText(), "bais");
    const auto& lines = *shown.panel->findChild<MessageLines*>();
    QVERIFY(lines.messages().front().startsWith("Body: "));
    shown.body().setFocus();
    QVERIFY(waitUntil([&] { return !lines.messages().front().startsWith("Body: "); }));
    QVERIFY(lines.messages().front().contains("bais"));
    shown.document().undoStack().undo();
    QVERIFY(lines.messages().isEmpty());
    QVERIFY(shown.body().accessibleDescription().isEmpty());
    QVERIFY(shown.body().extraSelections().isEmpty());
    setCell(shown.table("Inputs"), 1, 1, "Q");
    QVERIFY(shown.table("Inputs").index(1, 1).data(ProjectTable::ProblemRole).toString().contains("Q"));
    QVERIFY(shown.table("Inputs").index(0, 1).data(ProjectTable::ProblemRole).toString().isEmpty());
}

void OperatorPanelTest::nothingMovesAsErrorsComeAndGo() {
    Shown shown;
    const auto places = [&] {
        QCoreApplication::processEvents();
        QList<QRect> all;
        for (const QWidget* each : shown.panel->findChildren<FormField*>())
            all << QRect(each->mapTo(shown.panel.get(), QPoint()), each->size());
        return all;
    };
    const QList<QRect> before = places();
    shown.document().edit("body", [](Project& project) { project.definition.body = "out = x + bais"; });
    setCell(shown.table("Inputs"), 1, 1, "Q");
    auto* budget = named<QLineEdit>(*shown.panel, "Seconds a case");
    budget->selectAll();
    QTest::keyClicks(budget, "inf");
    QVERIFY(!shown.document().diagnostics().empty());
    QCOMPARE(places(), before);
}

void OperatorPanelTest::goToFocusesTheFieldOfADiagnostic_data() {
    QTest::addColumn<QString>("where");
    QTest::addColumn<QString>("field");
    QTest::newRow("shape") << "operator.inputs[1].shape" << "Inputs";
    QTest::newRow("case") << "cases[0].P" << "Cases";
    QTest::newRow("body") << "body:1:3" << "Body";
    QTest::newRow("name") << "operator.name" << "Name";
    QTest::newRow("tolerance") << "accuracy.bf16.rtol" << "Tolerances";
    QTest::newRow("baseline") << "performance.baseline" << "Baseline";
    QTest::newRow("baseline of a kind") << "performance.baseline.cuda" << "Baseline on cuda";
    QTest::newRow("budget") << "performance.budget_seconds" << "Seconds a case";
}

void OperatorPanelTest::goToFocusesTheFieldOfADiagnostic() {
    QFETCH(const QString, where);
    QFETCH(const QString, field);
    Shown shown;
    shown.panel->goTo(where);
    const QWidget* focused = shown.panel->focusWidget();
    QVERIFY(focused != nullptr);
    QCOMPARE(focused->accessibleName(), field);
    QVERIFY(focused->isVisible());
    QVERIFY(!focused->visibleRegion().isEmpty());
}

void OperatorPanelTest::goToPutsTheCursorAtTheErrorOfTheBody() {
    Shown shown;
    shown.document().edit("body", [](Project& project) { project.definition.body = "é = 1\nout = x + bais"; });
    shown.panel->goTo("operator.body:2:11");
    QCOMPARE(shown.body().textCursor().blockNumber(), 1);
    QCOMPARE(shown.body().textCursor().positionInBlock(), 10);
}

void OperatorPanelTest::renamingASymbolRenamesItEverywhereInOneStep() {
    Shown shown;
    const Project before = shown.document().project();
    setCell(shown.table("Symbols"), 0, 0, "Rows");
    const Project& project = shown.document().project();
    QVERIFY2(shown.document().diagnostics().empty(), to_string(shown.document().diagnostics()).text().c_str());
    QCOMPARE(project.definition.inputs[0].shape[0], "Rows");
    QVERIFY(std::ranges::contains(project.definition.constraints, "Rows >= 1"));
    QVERIFY(project.cases[0].sizes.contains("Rows"));
    QCOMPARE(project.variants[0].launches[0].grid[0], "cdiv(Rows, BLOCK_M * cdiv(256, D))");
    QCOMPARE(shown.document().undoStack().count(), 1);
    shown.document().undoStack().undo();
    QVERIFY(shown.document().project() == before);
}

void OperatorPanelTest::aNameThatIsTakenIsSaidAndRenamesNothing() {
    Shown shown;
    const Project before = shown.document().project();
    setCell(shown.table("Symbols"), 0, 0, "D");
    QCOMPARE(shown.definition().inputs[0].shape[0], "P");
    QVERIFY(!shown.document().diagnostics().empty());
    setCell(shown.table("Symbols"), 0, 0, "P");
    QVERIFY(shown.document().project() == before);
    setCell(shown.table("Symbols"), 0, 0, "2 words");
    QVERIFY(shown.document().project() == before);
}

void OperatorPanelTest::aTextThatIsNoNumberChangesNothingAndSaysSo() {
    Shown shown;
    auto* budget = named<QLineEdit>(*shown.panel, "Seconds a case");
    const double before = shown.document().project().performance.budget_seconds;
    budget->selectAll();
    QTest::keyClicks(budget, "inf");
    QCOMPARE(shown.document().project().performance.budget_seconds, before);
    QVERIFY(budget->accessibleDescription().contains("inf"));
    budget->selectAll();
    QTest::keyClicks(budget, "2.5e-1");
    QCOMPARE(shown.document().project().performance.budget_seconds, 0.25);
    QVERIFY(budget->accessibleDescription().isEmpty());
}

void OperatorPanelTest::theValuesOfAnInputAreADomain() {
    Shown shown;
    QAbstractItemModel& inputs = shown.table("Inputs");
    QCOMPARE(inputs.columnCount(), 4);
    setCell(inputs, 0, 3, " integers 0..9 ");
    QVERIFY(shown.definition().inputs[0].domain == (Domain{Domain::Kind::integers, 0, 9}));
    QCOMPARE(inputs.index(0, 3).data().toString(), "integers 0..9");
    setCell(inputs, 0, 3, "negative");
    QVERIFY(shown.definition().inputs[0].domain == (Domain{Domain::Kind::integers, 0, 9}));
    setCell(inputs, 0, 3, "");
    QVERIFY(!shown.definition().inputs[0].domain);
    QCOMPARE(shown.table("Outputs").columnCount(), 3);
}

void OperatorPanelTest::numbersAreReadInTheCLocale() {
    const QLocale before;
    QLocale::setDefault(QLocale(QLocale::German));
    Shown shown("layer_norm");
    setCell(shown.table("Attributes"), 0, 1, "1e-6");
    QCOMPARE(shown.definition().attributes[0].value, 1e-6);
    QCOMPARE(shown.table("Attributes").index(0, 1).data(Qt::EditRole).toString(), "1e-06");
    setCell(shown.table("Attributes"), 0, 1, "0,5");
    QCOMPARE(shown.definition().attributes[0].value, 1e-6);
    for (const char* text : {"2", "2.0", "true"}) {  // an integer, a number, a boolean
        setCell(shown.table("Attributes"), 0, 1, text);
        QCOMPARE(shown.table("Attributes").index(0, 1).data(Qt::EditRole).toString(), text);
    }
    QCOMPARE(shown.definition().attributes[0].type, AttributeType::boolean);
    QLocale::setDefault(before);
}

void OperatorPanelTest::sizesReachTheLargestThatFit63Bits() {
    Shown shown;
    setCell(shown.table("Cases"), 0, 2, "9223372036854775807");
    QCOMPARE(shown.document().project().cases[0].sizes.at("P"), std::numeric_limits<std::int64_t>::max());
    setCell(shown.table("Cases"), 0, 2, "9223372036854775808");
    QCOMPARE(shown.document().project().cases[0].sizes.at("P"), std::numeric_limits<std::int64_t>::max());
    setCell(shown.table("Cases"), 0, 2, "0");
    QVERIFY(!shown.table("Cases").index(0, 2).data(ProjectTable::ProblemRole).toString().isEmpty());
}

/// The colour of the title above a table.
QColor titleColour(const QWidget& panel, const QString& title) {
    return named<QToolButton>(panel, title)->palette().color(QPalette::ButtonText);
}

void OperatorPanelTest::aSectionIsRedOnlyWhileSomethingInItIsWrong() {
    Shown shown;
    const QColor usual = titleColour(*shown.panel, "Cases");
    setCell(shown.table("Cases"), 0, 2, "0");
    QVERIFY(titleColour(*shown.panel, "Cases") != usual);
    setCell(shown.table("Cases"), 0, 2, "64");
    QCOMPARE(titleColour(*shown.panel, "Cases"), usual);
}

void OperatorPanelTest::aSectionIsRedWhileATextIsRefused() {
    Shown shown;
    const QColor usual = titleColour(*shown.panel, "Cases");
    setCell(shown.table("Cases"), 0, 2, "many");
    QVERIFY(titleColour(*shown.panel, "Cases") != usual);
    setCell(shown.table("Cases"), 0, 2, "77");
    QCOMPARE(titleColour(*shown.panel, "Cases"), usual);
}

void OperatorPanelTest::aToleranceThatIsClearedIsTheDefaultAgain() {
    Shown shown;
    QAbstractItemModel& table = shown.table("Tolerances");
    QCOMPARE(table.index(3, 0).data().toString(), "bf16");
    setCell(table, 3, 1, "0.5");
    QCOMPARE(shown.document().project().accuracy.named.at(DType::bf16).rtol, 0.5);
    QCOMPARE(shown.document().project().accuracy.named.at(DType::bf16).atol, 1e-2);
    setCell(table, 3, 1, "");
    QVERIFY(!shown.document().project().accuracy.named.contains(DType::bf16));
    QCOMPARE(table.index(3, 1).data().toString(), "0.016");
    setCell(table, 1, 1, "");
    setCell(table, 1, 2, "");
    QVERIFY(!shown.document().project().accuracy.f32);
}

void OperatorPanelTest::aCaseNamedByItsSizesFollowsThem() {
    Shown shown;
    QAbstractItemModel& table = shown.table("Cases");
    setCell(table, 0, 0, "96x96 f32");
    setCell(table, 0, 3, "128");
    QCOMPARE(table.index(0, 0).data().toString(), "96x128 f32");
    setCell(table, 0, 0, "mine");
    setCell(table, 0, 1, "bf16");
    QCOMPARE(table.index(0, 0).data().toString(), "mine");
    QCOMPARE(shown.document().project().cases[0].dtype, DType::bf16);
}

void OperatorPanelTest::insertAndDeleteKeysAddAndRemoveRows() {
    Shown shown;
    auto* view = named<QTableView>(*shown.panel, "Cases");
    view->setFocus();
    view->setCurrentIndex(view->model()->index(0, 0));
    QTest::keyClick(view, Qt::Key_Insert);
    QCOMPARE(shown.document().project().cases.size(), 2U);
    QVERIFY2(shown.document().diagnostics().empty(), to_string(shown.document().diagnostics()).text().c_str());
    QCOMPARE(view->currentIndex().row(), 1);
    const std::string added = shown.document().project().cases[1].name;
    QTest::keyClick(view, Qt::Key_Up, Qt::AltModifier);
    QCOMPARE(shown.document().project().cases[0].name, added);
    QTest::keyClick(view, Qt::Key_Delete);
    QCOMPARE(shown.document().project().cases.size(), 1U);
    QVERIFY(shown.document().project().cases[0].name != added);
}

void OperatorPanelTest::aSymbolThatIsRemovedLeavesTheCasesToo() {
    Shown shown;
    auto& symbols = static_cast<ProjectTable&>(shown.table("Symbols"));
    const int row = symbols.add(1);
    QVERIFY2(shown.document().diagnostics().empty(), to_string(shown.document().diagnostics()).text().c_str());
    QCOMPARE(shown.document().project().cases[0].sizes.size(), 3U);
    symbols.remove(row);
    QCOMPARE(shown.document().project().cases[0].sizes.size(), 2U);
    QVERIFY(shown.document().diagnostics().empty());
}

void OperatorPanelTest::theAnalysisFollowsTheDefinition() {
    Shown shown;
    QCOMPARE(shown.analysis().textOf("FLOPs"), "9.22 kFLOP");  // 96 · 96
    shown.document().edit("body", [](Project& project) { project.definition.body = "out = exp(x) + bias"; });
    QCOMPARE(shown.analysis().textOf("FLOPs"), "18.4 kFLOP, 9.22 k transcendental");
    QCOMPARE(shown.analysis().textOf("Bytes"), "37.2 kB read, 36.9 kB written");
}

void OperatorPanelTest::coarseSumsAreOfferedForProductsOf8BitsOnly() {
    Shown shown("linear_silu");
    const auto* sums = named<QComboBox>(*shown.panel, "Sums of products");
    QVERIFY(sums != nullptr && !sums->isVisible());
    shown.document().edit("8 bits", [](Project& project) {
        project.definition.inputs[0].dtype = project.definition.inputs[1].dtype = DType::f8e4m3;
    });
    QVERIFY(waitUntil([&] { return sums->isVisible(); }));
    shown.document().undoStack().undo();
    QVERIFY(waitUntil([&] { return !sums->isVisible(); }));
    shown.document().edit("wrong", [](Project& project) { project.definition.accumulate = Accumulation::f22; });
    QVERIFY2(waitUntil([&] { return sums->isVisible(); }), "the field shows the error");
}

void OperatorPanelTest::theAnalysisOfWhatOverflowsIsAMessage() {
    Shown shown;
    QAbstractItemModel& cases = shown.table("Cases");
    setCell(cases, 0, 2, "9223372036854775807");
    setCell(cases, 0, 3, "9223372036854775807");
    bool said = false;
    for (const QLabel* label : shown.analysis().findChildren<QLabel*>()) {
        said = said || (label->isVisible() && label->text().contains("2^63"));
    }
    QVERIFY(said);
    shown.document().edit("none", [](Project& project) { project.cases.clear(); });
    shown.document().undoStack().undo();
    shown.document().undoStack().undo();
    shown.document().undoStack().undo();
    QCOMPARE(shown.analysis().textOf("FLOPs"), "9.22 kFLOP");
}

void OperatorPanelTest::ceilingsThatWereNotMeasuredAreOffered() {
    Shown shown;
    if (shown.studio.session().ceilings().measured()) QSKIP("this machine's ceilings have been measured");
    const auto* link = named<QLabel>(shown.analysis(), "Measure ceilings");
    QVERIFY(link != nullptr && link->isVisible());
    QVERIFY(link->text().contains("cpu"));
}

void OperatorPanelTest::sourcesOfAnOlderDefinitionCanBeGenerated() {
    Shown shown;
    const auto* banner = shown.panel->findChild<Banner*>("stale_banner");
    shown.document().edit("body", [](Project& project) { project.definition.body = "out = x - bias"; });
    const auto* form = shown.panel->findChild<DefinitionForm*>();
    const QPoint place = form->mapTo(shown.panel.get(), QPoint());
    QVERIFY(waitUntil([&] { return banner->isVisible(); }));
    QTest::qWait(50);
    QCOMPARE(form->mapTo(shown.panel.get(), QPoint()), place);  // what somebody types into does not move
    banner->findChild<QPushButton*>()->click();
    QVERIFY(waitUntil([&] { return !banner->isVisible(); }));
    QVERIFY(shown.document().source("bias_add_naive.cpp")->text().contains("-"));
    shown.document().undoStack().undo();
    QVERIFY(waitUntil([&] { return banner->isVisible(); }));
}

void OperatorPanelTest::manyEditsASecondAreCheap() {
    Shown shown("layer_norm");
    QElapsedTimer timer;
    timer.start();
    constexpr int edits = 200;
    for (int i = 0; i < edits; ++i) {
        shown.document().edit("size", [&](Project& project) { project.cases[0].sizes["P"] = 1 + i; }, "size");
    }
    qInfo("%.2f ms an edit with its form", static_cast<double>(timer.elapsed()) / edits);
    QCOMPARE(shown.document().undoStack().count(), 1);
    QCOMPARE(shown.table("Cases").index(0, 2).data().toString(), QString::number(edits));
}

void OperatorPanelTest::thePanelFits280Pixels() {
    Shown shown("layer_norm");
    for (Section* each : shown.panel->findChildren<Section*>()) each->setOpen(true);
    shown.document().edit("body", [](Project& project) { project.definition.body = "out = x + bais"; });
    QCoreApplication::processEvents();
    QVERIFY2(shown.panel->minimumSizeHint().width() <= 280,
             qPrintable(QString::number(shown.panel->minimumSizeHint().width())));
    shown.panel->resize(280, 900);
    QCoreApplication::processEvents();
    for (const QWidget* each : shown.panel->findChildren<QTableView*>()) {
        QVERIFY2(each->mapTo(shown.panel.get(), QPoint(each->width(), 0)).x() <= 280,
                 qPrintable(each->accessibleName()));
    }
}

void OperatorPanelTest::aNameThatIsUnknownIsMendedByAQuickFix() {
    Studio studio;
    studio.open();
    ProjectDocument& document = studio.session().document();
    OperatorPanel panel(studio.session());
    QVERIFY(!panel.offerFixes());
    const std::string right = document.project().definition.body;
    document.edit("misspell", [](Project& project) { project.definition.body = "out = x + biass * resid + biass"; });
    const auto titles = [&] {
        QStringList all;
        for (const QuickFix& each : quickFixes(document.project(), document.diagnostics())) all << each.title;
        return all;
    };
    QCOMPARE(titles(), (QStringList{"Write bias in place of biass", "Add biass as an input", "Add resid as an input"}));
    QVERIFY(panel.offerFixes());
    QPointer<QMenu> menu = panel.findChild<QMenu*>("quick_fixes");
    menu->actions().at(0)->trigger();
    QCOMPARE(document.project().definition.body, std::string("out = x + bias * resid + bias"));
    menu->close();
    document.edit("add", quickFixes(document.project(), document.diagnostics()).front().apply);
    QCOMPARE(document.project().definition.inputs.back().name, std::string("resid"));
    QVERIFY2(document.diagnostics().empty(), to_string(document.diagnostics()).text().c_str());
    for (int i = 0; i < 3; ++i) document.undoStack().undo();
    QCOMPARE(document.project().definition.body, right);
    document.edit("function", [](Project& project) { project.definition.body = "out = sqrtt(x) + bias"; });
    QCOMPARE(titles(), QStringList{"Write sqrt in place of sqrtt"});
}

}  // namespace kernelgen::studio

STUDIO_TEST(kernelgen::studio::OperatorPanelTest)
#include "operator_panel_test.moc"
