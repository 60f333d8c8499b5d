// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <algorithm>

#include "app/studio/assembly/assembly_panel.h"
#include "app/studio/assembly/listing_model.h"
#include "app/studio/sources/source_editor.h"
#include "app/studio/window/main_window.h"
#include "tests/studio/fixtures.h"
#include "tests/studio/registry.h"
#include "tests/studio/stall_meter.h"

namespace kernelgen::studio {

using testing::child;
using testing::Studio;
using testing::waitUntil;

class AssemblyTest : public QObject {
    Q_OBJECT

private slots:
    void aBuildIsShownWithItsSourceLines();
    void theCursorInTheSourceChoosesItsCode();
    void aRowOfCodeShowsItsSourceLine();
    void ptxIsShownWhereThereIsNoSass();
    void aBuildThatFailedSaysWhy();
    void aVariantWithoutCodeSaysSo();
    void codeOfAnotherConfigurationIsNotShown();
    void whatIsNotBuiltIsNotShown();
    void aHiddenPanelColoursNothing();
    void whatIsLookedForIsFoundAroundTheEnd();
    void buildsHaveNoTextsWhileThePanelIsHidden();
    void longCodeDoesNotStallTheWindow();
    void whatDiffersFromTheCodeBeforeIsMarked();
    void theCodeOfARoundIsComparedWith();
    void aRoundThatCannotBeReadSaysSo();
    void functionsAndLoopsFoldToALine();
    void whatIsFoldedIsFoundAndStaysFolded();
    void foldingKeepsThePlace();
    void aFoldedFunctionIsLinkedWithItsSource();
};

namespace {

/// Code whose functions come from line 3 and 4 of a source, again and again.
std::string exampleCode(const std::string& file, int functions) {
    std::string text = "k.so:     file format elf64-x86-64\n";
    for (int i = 0; i < functions; ++i) {
        text += "0000000000001110 <k" + std::to_string(i) + ">:\n/x/" + file + ":3\n 10:\tvaddps %ymm0,%ymm1,%ymm1\n" +
                " 14:\tvmovups %ymm1,0x20(%rsp)\n/x/" + file + ":4\n 18:\tvmovups (%rax),%ymm1\n 1c:\tret\n";
    }
    return text;
}

BuildOutcome outcomeOf(Session& session, const std::string& kind, const std::string& text) {
    BuildOutcome outcome;
    outcome.variant = session.variant()->name;
    outcome.configuration = configuration_of(*session.variant());
    outcome.result.texts[kind] = text;
    return outcome;
}

struct ShownCode {
    Studio studio;
    AssemblyPanel panel{studio.session()};
    QTableView* table = child<QTableView>(panel, "code");

    explicit ShownCode(int functions = 2) {
        studio.open();
        studio.session().setVariant("host");
        panel.setShown(true);
        (void)waitUntil([this] { return !studio.session().engine().isBuilding(); });
        emit studio.session().engine().buildFinished(
            outcomeOf(studio.session(), "assembly", exampleCode("bias_add.cpp", functions)));
        (void)waitUntil([this, functions] {
            return panel.code() != nullptr && panel.code()->functions.size() == static_cast<std::size_t>(functions);
        });
    }
    QString mix() {
        QTest::qWait(50);
        return child<QLabel>(panel, "code_mix")->text();
    }
};

}  // namespace

void AssemblyTest::aBuildIsShownWithItsSourceLines() {
    Studio studio;
    studio.open();
    studio.session().setVariant("host");
    AssemblyPanel panel(studio.session());
    panel.setShown(true);
    QVERIFY(waitUntil([&] { return panel.code() != nullptr; }));
    QCOMPARE(panel.code()->listing.kind, CodeKind::assembly);
    QVERIFY(panel.code()->fileOf("bias_add.cpp") >= 0);
    QVERIFY(lineColoursOf(*panel.code()).at("bias_add.cpp").size() > 3);
    QVERIFY(waitUntil([&] { return child<QLabel>(panel, "code_mix")->text().startsWith("All: "); }));
}

void AssemblyTest::theCursorInTheSourceChoosesItsCode() {
    ShownCode shown;
    shown.panel.followSource("bias_add.cpp", 3);
    QCOMPARE(shown.table->currentIndex().row(), 1);
    QCOMPARE(shown.mix(),
             QString("Line 3: 4 instruction(s): 2 floating point, 2 spill; registers named: 1 general, 2 vector"));
    shown.panel.followSource("bias_add.cpp", 99);
    QVERIFY2(shown.mix().startsWith("All: 8 instruction(s)"), qPrintable(shown.mix()));
    shown.table->selectAll();
    QVERIFY2(shown.mix().startsWith("Selected: 8 instruction(s)"), qPrintable(shown.mix()));
}

void AssemblyTest::aRowOfCodeShowsItsSourceLine() {
    ShownCode shown;
    const QSignalSpy chosen(&shown.panel, &AssemblyPanel::lineChosen);
    shown.table->selectRow(3);
    QCOMPARE(chosen.size(), 1);
    QCOMPARE(chosen.first().at(0).toString(), QString("bias_add.cpp"));
    QCOMPARE(chosen.first().at(1).toInt(), 4);
    QVERIFY2(shown.mix().startsWith("Line 4: 4 instruction(s)"), qPrintable(shown.mix()));
    const QSignalSpy edited(&shown.panel, &AssemblyPanel::goToSource);
    emit shown.table->activated(shown.table->currentIndex());
    QCOMPARE(edited.size(), 1);
}

void AssemblyTest::ptxIsShownWhereThereIsNoSass() {
    Studio studio;
    studio.open();
    studio.session().setDevice("cuda:h200");
    studio.session().setVariant("cuda");
    AssemblyPanel panel(studio.session());
    panel.setShown(true);
    (void)waitUntil([&] { return !studio.session().engine().isBuilding(); });
    BuildOutcome outcome = outcomeOf(studio.session(), "ptx", ".visible .entry k(\n)\n{\n\tret;\n}\n");
    outcome.result.messages = {{"", 0, 0, "note", "no SASS: neither tool is here"}};
    emit studio.session().engine().buildFinished(outcome);
    QCOMPARE(child<QLabel>(panel, "code_state")->text(), QString("no SASS: neither tool is here"));
    auto* kind = child<QComboBox>(panel, "code_kind");
    kind->setCurrentText("PTX");
    emit kind->activated(kind->currentIndex());
    QVERIFY(waitUntil([&] { return panel.code() != nullptr; }));
    QCOMPARE(panel.code()->listing.lines.front().text, ".visible .entry k(");
}

void AssemblyTest::aBuildThatFailedSaysWhy() {
    ShownCode shown;
    BuildOutcome outcome = outcomeOf(shown.studio.session(), "assembly", "");
    outcome.result.status = Status::build_failed;
    outcome.result.reason = "bias_add.cpp:3: expected ;";
    emit shown.studio.session().engine().buildFinished(outcome);
    QCOMPARE(child<QLabel>(shown.panel, "code_state")->text(), QString("Not built: bias_add.cpp:3: expected ;"));
    QVERIFY(shown.panel.code() == nullptr);
}

void AssemblyTest::aVariantWithoutCodeSaysSo() {
    ShownCode shown;
    shown.studio.session().setVariant("library");
    QVERIFY(shown.panel.code() == nullptr);
    QVERIFY(child<QLabel>(shown.panel, "code_state")->text().contains("library"));
}

void AssemblyTest::codeOfAnotherConfigurationIsNotShown() {
    ShownCode shown;
    BuildOutcome other = outcomeOf(shown.studio.session(), "assembly", exampleCode("bias_add.cpp", 5));
    other.configuration["NOT_THE_PRESENT"] = 1;
    emit shown.studio.session().engine().buildFinished(other);
    QTest::qWait(200);
    QCOMPARE(shown.panel.code()->functions.size(), std::size_t(2));
}

void AssemblyTest::whatIsNotBuiltIsNotShown() {
    ShownCode shown;
    ProjectDocument& document = shown.studio.session().document();
    document.edit("forbid", [](Project& edited) {
        std::ranges::find(edited.variants, "host", &Variant::name)->restrictions.push_back("BLOCK_M > 100000");
    });
    QVERIFY(document.diagnostics().empty());
    QVERIFY(shown.panel.code() == nullptr);
    QCOMPARE(child<QLabel>(shown.panel, "code_state")->text(), QString("Restricted, so not built"));
    const QSignalSpy built(&shown.studio.session().engine(), &Engine::buildFinished);
    shown.panel.setShown(false);
    shown.panel.setShown(true);
    QTest::qWait(200);
    QVERIFY(built.isEmpty());
}

void AssemblyTest::aHiddenPanelColoursNothing() {
    ShownCode shown;
    emit shown.studio.session().engine().buildFinished(
        outcomeOf(shown.studio.session(), "assembly", exampleCode("bias_add.cpp", 3)));
    const QSignalSpy colours(&shown.panel, &AssemblyPanel::coloursChanged);
    shown.panel.setShown(false);
    QVERIFY(waitUntil([&] { return shown.panel.code() != nullptr && shown.panel.code()->functions.size() == 3; }));
    QCOMPARE(colours.size(), 1);
    QVERIFY(colours.first().at(0).value<LineColours>().empty());
}

void AssemblyTest::whatIsLookedForIsFoundAroundTheEnd() {
    ShownCode shown;
    auto* find = child<QLineEdit>(shown.panel, "code_find");
    find->setText("RET");
    QVERIFY(waitUntil([&] { return child<QLabel>(shown.panel, "code_found")->text() == "2 row(s)"; }, 3000));
    QTest::keyClick(find, Qt::Key_Return);
    QCOMPARE(shown.table->currentIndex().row(), 4);
    QTest::keyClick(find, Qt::Key_Return);
    QCOMPARE(shown.table->currentIndex().row(), 9);
    QTest::keyClick(find, Qt::Key_Return);
    QCOMPARE(shown.table->currentIndex().row(), 4);
    QTest::keyClick(find, Qt::Key_Return, Qt::ShiftModifier);
    QCOMPARE(shown.table->currentIndex().row(), 9);
    find->setText("nowhere");
    QVERIFY(waitUntil([&] { return child<QLabel>(shown.panel, "code_found")->text() == "None"; }, 3000));
}

void AssemblyTest::buildsHaveNoTextsWhileThePanelIsHidden() {
    Studio studio;
    studio.open();
    studio.session().setVariant("host");
    AssemblyPanel panel(studio.session());
    QSignalSpy built(&studio.session().engine(), &Engine::buildFinished);
    const auto hasText = [&] {
        built.clear();
        studio.session().build();
        (void)waitUntil([&] { return !built.isEmpty(); });
        return !built.isEmpty() && built.last().at(0).value<BuildOutcome>().result.texts.contains("assembly");
    };
    QVERIFY(!hasText());
    panel.setShown(true);
    (void)waitUntil([&] { return !studio.session().engine().isBuilding(); });
    QVERIFY(hasText());
    panel.setShown(false);
    QVERIFY(!hasText());
}

/// 100,000 lines are read, scrolled, searched and counted; the window answers all the time.
void AssemblyTest::longCodeDoesNotStallTheWindow() {
    ShownCode shown(1);
    shown.panel.resize(700, 500);
    shown.panel.show();
    (void)QTest::qWaitForWindowExposed(&shown.panel);
    BuildOutcome outcome = outcomeOf(shown.studio.session(), "assembly", exampleCode("bias_add.cpp", 20000));
    testing::StallMeter meter;
    emit shown.studio.session().engine().buildFinished(outcome);
    QVERIFY(
        waitUntil([&] { return shown.panel.code() != nullptr && shown.panel.code()->listing.lines.size() == 100000; }));
    QTest::qWait(300);
    shown.table->scrollToBottom();
    child<QLineEdit>(shown.panel, "code_find")->setText("vaddps");
    QVERIFY(waitUntil([&] { return child<QLabel>(shown.panel, "code_found")->text().startsWith("20"); }, 5000));
    shown.panel.followSource("bias_add.cpp", 3);
    QTest::qWait(300);
    shown.table->selectAll();
    QTest::qWait(500);
    const double longest = meter.processorMilliseconds();
    QVERIFY2(longest <= 50, qPrintable(QString::number(longest)));
}

void AssemblyTest::whatDiffersFromTheCodeBeforeIsMarked() {
    ShownCode shown;
    auto* against = child<QComboBox>(shown.panel, "code_against");
    const auto choose = [&](int choice) {
        against->setCurrentIndex(choice);
        emit against->activated(choice);
    };
    choose(AssemblyPanel::present);
    emit shown.studio.session().engine().buildFinished(
        outcomeOf(shown.studio.session(), "assembly", exampleCode("bias_add.cpp", 3)));
    QVERIFY(waitUntil([&] { return shown.panel.code()->functions.size() == 3; }));
    QCOMPARE(shown.panel.code()->removed, 0);
    QVERIFY(shown.panel.code()->added >= 4);
    const auto& model = *shown.table->model();
    QVERIFY(model.index(model.rowCount() - 1, ListingModel::Line).data().toString().startsWith("+"));
    QVERIFY2(shown.mix().contains("Against the code before: 0 lines removed"), qPrintable(shown.mix()));
    QVERIFY2(shown.mix().startsWith("All: 12 instruction(s)"), qPrintable(shown.mix()));
    QVERIFY(waitUntil([&] { return child<QToolButton>(shown.panel, "code_next")->isEnabled(); }));
    choose(AssemblyPanel::alone);
    QVERIFY(waitUntil([&] { return shown.panel.code()->marks.empty(); }));
}

void AssemblyTest::theCodeOfARoundIsComparedWith() {
    Studio studio;
    testing::writeRound(studio.folder());
    studio.open();
    Session& session = studio.session();
    session.setVariant("host");
    AssemblyPanel panel(session);
    panel.setShown(true);
    QVERIFY(waitUntil([&] { return panel.code() != nullptr && session.selectedRound().has_value(); }));
    auto* against = child<QComboBox>(panel, "code_against");
    QCOMPARE(against->itemText(AssemblyPanel::round), "Against round 0");
    against->setCurrentIndex(AssemblyPanel::round);
    emit against->activated(AssemblyPanel::round);
    QVERIFY(waitUntil([&] { return panel.code() != nullptr && !panel.code()->marks.empty(); }));
    QVERIFY(waitUntil([&] { return child<QLabel>(panel, "code_mix")->text().contains("Against round 0: "); }));
}

void AssemblyTest::aRoundThatCannotBeReadSaysSo() {
    Studio studio;
    testing::writeRound(studio.folder());
    QVERIFY(QDir(studio.folder() + "/rounds/0").removeRecursively());
    studio.open();
    Session& session = studio.session();
    session.setVariant("host");
    AssemblyPanel panel(session);
    panel.setShown(true);
    QVERIFY(waitUntil([&] { return panel.code() != nullptr && session.selectedRound().has_value(); }));
    auto* against = child<QComboBox>(panel, "code_against");
    const auto* mix = child<QLabel>(panel, "code_mix");
    for (int i = 0; i < 2; ++i) {  // the first reads it, the second knows
        emit against->activated(AssemblyPanel::alone);
        against->setCurrentIndex(AssemblyPanel::round);
        emit against->activated(AssemblyPanel::round);
        QVERIFY(waitUntil([&] { return mix->text().contains("Nothing to compare with in round 0: "); }));
    }
}

/// The example's functions have five lines each.
void AssemblyTest::functionsAndLoopsFoldToALine() {
    ShownCode shown;
    const auto& model = *shown.table->model();
    const auto text = [&](int row) { return model.index(row, ListingModel::Code).data().toString(); };
    QCOMPARE(model.rowCount(), 10);
    shown.table->selectRow(2);
    child<QAction>(shown.panel, "fold")->trigger();  // its block, then its function
    QCOMPARE(model.rowCount(), 7);
    child<QAction>(shown.panel, "fold")->trigger();
    QVERIFY2(model.rowCount() == 6 && text(0).contains("function, 5 line(s)"), qPrintable(text(0)));
    QCOMPARE(shown.table->currentIndex().row(), 0);
    shown.table->selectRow(0);
    child<QAction>(shown.panel, "unfold")->trigger();
    QVERIFY(model.rowCount() > 6);
    const QRect row = shown.table->visualRect(model.index(0, ListingModel::Line));
    QTest::mouseClick(shown.table->viewport(), Qt::LeftButton, {}, {row.left() + 3, row.center().y()});
    QVERIFY2(text(0).contains("function, 5 line(s)"), qPrintable(text(0)));
    shown.table->selectAll();
    QVERIFY2(shown.mix().startsWith("Selected: 8 instruction(s)"), qPrintable(shown.mix()));
}

void AssemblyTest::whatIsFoldedIsFoundAndStaysFolded() {
    ShownCode shown;
    child<QAction>(shown.panel, "fold_functions")->trigger();
    const auto& model = *shown.table->model();
    QCOMPARE(model.rowCount(), 2);
    emit shown.studio.session().engine().buildFinished(
        outcomeOf(shown.studio.session(), "assembly", exampleCode("bias_add.cpp", 3)));
    QVERIFY(waitUntil([&] { return shown.panel.code()->functions.size() == 3; }));
    QCOMPARE(model.rowCount(), 2 + 5);
    auto* find = child<QLineEdit>(shown.panel, "code_find");
    find->setText("ret");
    QVERIFY(waitUntil([&] { return child<QLabel>(shown.panel, "code_found")->text() == "3 row(s)"; }, 3000));
    QTest::keyClick(find, Qt::Key_Return);
    QCOMPARE(model.rowCount(), 5 + 1 + 5);
    QVERIFY(shown.table->currentIndex().siblingAtColumn(ListingModel::Code).data().toString().contains("ret"));
}

void AssemblyTest::foldingKeepsThePlace() {
    ShownCode shown(200);
    shown.panel.resize(700, 500);
    shown.panel.show();
    (void)QTest::qWaitForWindowExposed(&shown.panel);
    const auto& model = static_cast<const ListingModel&>(*shown.table->model());
    child<QAction>(shown.panel, "fold_functions")->trigger();
    QTest::qWait(50);
    shown.table->verticalScrollBar()->setValue(150);
    QCOMPARE(shown.table->rowAt(0), 150);
    const std::size_t line = model.lineOf(150);
    child<QAction>(shown.panel, "unfold_all")->trigger();
    QTest::qWait(50);
    QCOMPARE(model.lineOf(shown.table->rowAt(0)), line);
    // What is selected stays so, and is counted anew.
    shown.table->selectRow(752);
    child<QAction>(shown.panel, "fold")->trigger();
    const int row = shown.table->currentIndex().row();
    QCOMPARE(row, 751);
    QVERIFY(shown.table->selectionModel()->isRowSelected(row, {}));
    QVERIFY2(shown.mix().startsWith("Selected: 4 instruction(s)"), qPrintable(shown.mix()));
}

/// The line that names a function comes from no line of the source; what is folded into it does.
void AssemblyTest::aFoldedFunctionIsLinkedWithItsSource() {
    ShownCode shown;
    shown.panel.resize(700, 500);
    shown.panel.show();
    (void)QTest::qWaitForWindowExposed(&shown.panel);
    child<QAction>(shown.panel, "fold_functions")->trigger();
    const auto background = [&] {
        QTest::qWait(50);
        const QRect row = shown.table->visualRect(shown.table->model()->index(0, ListingModel::Code));
        return shown.table->viewport()->grab(row).toImage().pixelColor(row.width() - 3, row.height() / 2);
    };
    const QColor before = background();
    shown.panel.followSource("bias_add.cpp", 3);
    QVERIFY(background() != before);
}

}  // namespace kernelgen::studio

STUDIO_TEST(kernelgen::studio::AssemblyTest)
#include "assembly_test.moc"
