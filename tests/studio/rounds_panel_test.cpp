// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/rounds/rounds_panel.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QTest>

#include "app/studio/rounds/round_pages.h"
#include "core/round/best.h"
#include "core/round/history.h"
#include "tests/studio/fixtures.h"
#include "tests/studio/registry.h"

namespace kernelgen::studio {

using testing::exampleRound;
using testing::Studio;
using testing::waitUntil;

namespace {

/// A session whose project has recorded rounds, with the panel over it.
struct Opened {
    explicit Opened(int rounds) {
        testing::writeHistory(studio.folder(), rounds);
        studio.open();
        panel.resize(1200, 300);
        panel.show();
        loaded = waitUntil([&] { return studio.session().rounds().history().rounds.size() == std::size_t(rounds); });
    }

    QTableView* table() const { return panel.findChild<QTableView*>("rounds_table"); }
    int numberIn(int row) const { return table()->model()->index(row, RoundsModel::Number).data().toInt(); }
    /// The rows are there and drawn.
    void clickRow(int row, Qt::KeyboardModifiers keys = {}) const {
        const QRect cell = table()->visualRect(table()->model()->index(row, RoundsModel::Number));
        QTest::mouseClick(table()->viewport(), Qt::LeftButton, keys, cell.center());
    }
    Session& session() { return studio.session(); }

    Studio studio;
    RoundsPanel panel{studio.session()};
    bool loaded = false;
};

/// Records a round of the project as it stands, without running anything.
int record(Session& session, std::int64_t block_m, const std::string& text, const Configuration& further = {}) {
    RoundDetail detail;
    detail.round = exampleRound(0);
    detail.definition = session.document().project().definition;
    const Variant& variant = session.document().project().variants[0];
    detail.candidate = {variant, text, configuration_of(variant)};
    detail.candidate.configuration["BLOCK_M"] = block_m;
    detail.candidate.configuration.insert(further.begin(), further.end());
    detail.round.configuration = detail.candidate.configuration;
    detail.round.variant = variant.name;
    if (!record_round(session.document().folder().toStdString(), detail)) qFatal("the round was not recorded");
    return detail.round.number;
}

QString textOfPage(const QString& html) {
    QTextDocument document;
    document.setHtml(html);
    return document.toPlainText();
}

}  // namespace

class RoundsPanelTest : public QObject {
    Q_OBJECT

private slots:
    void itSaysHowManyOfThePlannedRoundsAreSpent();
    void aClickSelectsTheRound();
    void theSelectedRoundIsSelectedInTheTable();
    void aRoundThatEndsWhileCtrlIsHeldIsSelectedAlone();
    void anotherProjectsRoundsAreNeitherSortedNorFilteredAsBefore();
    void aNewHistoryKeepsSelectionAndPlace();
    void theFilterDoesNotChangeWhatIsSelected();
    void withoutRoundsItSaysWhatToDo();
    void copiedRoundsAreATable();
    void tunablesHaveColumnsWhereTheyAreChosen();
    void theChosenColumnsAreKept();
    void columnsInTheSettingsThatMakeNoSenseAreLeftOut();
    void aTunableSortsByItsNumber();
    void roundsWithoutATunableHaveAnOrder();
    void theSortStaysWithItsTunable();
    void aStarredRoundStaysOnTop();
    void bestOnlyLeavesTheBestOfEachVariantAndTheStarred();
    void twoMarkedRoundsAreCompared();
    void aRestoredRoundIsTheParentOfTheNextUntilItIsUndone();
    void theRunAfterARestoreHasThatRoundAsItsParent();
    void lessonsAreRecorded();
    void lessonsThatWereNotRecordedAreWhenAnotherRoundIsSelected();
    void lessonsThatWereNotRecordedAreWhenFocusGoesElsewhere();
    void lessonsThatWereNotRecordedAreWhenTheWindowCloses();
    void lessonsThatWereNotRecordedAreThoseOfTheirProject();
    void detailsTellEverythingOfARound();
    void detailsWithoutTheFullRecordSaySo();
    void markupInTextsIsShownAsText();
    void aDifferenceTellsTunablesSourceAndFigures();
    void figuresOfOtherEnvironmentsAreNotCompared();
    void theDifferenceIsToTheParentUnlessAnotherIsChosen();
};

void RoundsPanelTest::itSaysHowManyOfThePlannedRoundsAreSpent() {
    Opened opened(3);
    QVERIFY(opened.loaded);
    const auto* count = opened.panel.findChild<QLabel*>("rounds_count");
    QCOMPARE(count->text(), "3 of 5 planned rounds spent");
    opened.session().document().edit("fewer", [](Project& project) { project.performance.max_rounds = 2; });
    QCOMPARE(count->text(), "3 rounds spent, 1 more than the 2 planned");
    QTest::keyClicks(opened.panel.findChild<QLineEdit*>("rounds_filter"), "no such round");
    QCOMPARE(count->text(), "0 of 3");
    QCOMPARE(count->toolTip(), "3 rounds spent, 1 more than the 2 planned");
}

void RoundsPanelTest::aClickSelectsTheRound() {
    Opened opened(5);
    QVERIFY(opened.loaded);
    opened.clickRow(0);
    QCOMPARE(opened.session().selectedRound(), 4);
    QTest::keyClick(opened.table(), Qt::Key_Down);
    QCOMPARE(opened.session().selectedRound(), 3);
}

void RoundsPanelTest::theSelectedRoundIsSelectedInTheTable() {
    Opened opened(50);
    opened.session().selectRound(7);
    const QModelIndexList rows = opened.table()->selectionModel()->selectedRows();
    QCOMPARE(rows.size(), 1);
    QCOMPARE(opened.numberIn(rows[0].row()), 7);
    QVERIFY(opened.table()->viewport()->rect().intersects(opened.table()->visualRect(rows[0])));
}

/// As by Ctrl+., which stops a run.
void RoundsPanelTest::aRoundThatEndsWhileCtrlIsHeldIsSelectedAlone() {
    Opened opened(5);
    opened.session().selectRound(1);
    QTest::keyPress(opened.panel.windowHandle(), Qt::Key_Control, Qt::ControlModifier);
    QVERIFY(QGuiApplication::keyboardModifiers() & Qt::ControlModifier);
    opened.session().selectRound(4);
    QTest::keyRelease(opened.panel.windowHandle(), Qt::Key_Control);
    const QModelIndexList rows = opened.table()->selectionModel()->selectedRows();
    QCOMPARE(rows.size(), 1);
    QCOMPARE(opened.numberIn(rows[0].row()), 4);
}

void RoundsPanelTest::anotherProjectsRoundsAreNeitherSortedNorFilteredAsBefore() {
    Opened opened(30);
    opened.table()->sortByColumn(RoundsModel::Speedup, Qt::AscendingOrder);
    QTest::keyClicks(opened.panel.findChild<QLineEdit*>("rounds_filter"), "mismatch");
    QVERIFY(opened.session().open(opened.studio.folder()).empty());
    QVERIFY(waitUntil([&] { return opened.table()->model()->rowCount() == 30; }));
    QCOMPARE(opened.numberIn(0), 29);
}

void RoundsPanelTest::aNewHistoryKeepsSelectionAndPlace() {
    Opened opened(200);
    opened.session().selectRound(100);
    QScrollBar* bar = opened.table()->verticalScrollBar();
    const int place = bar->value();
    QVERIFY(place > 0);
    testing::writeHistory(opened.studio.folder(), 201);
    opened.session().rounds().reload();
    QVERIFY(waitUntil([&] { return opened.session().rounds().history().rounds.size() == 201; }));
    QCOMPARE(opened.session().selectedRound(), 100);
    QCOMPARE(opened.numberIn(opened.table()->selectionModel()->selectedRows().value(0).row()), 100);
    QVERIFY(std::abs(bar->value() - place) <= 1);
}

void RoundsPanelTest::theFilterDoesNotChangeWhatIsSelected() {
    Opened opened(30);
    opened.session().selectRound(3);
    auto* filter = opened.panel.findChild<QLineEdit*>("rounds_filter");
    QTest::keyClicks(filter, "mismatch");
    QCOMPARE(opened.table()->model()->rowCount(), 3);
    QCOMPARE(opened.session().selectedRound(), 3);
    filter->clear();
    QCOMPARE(opened.numberIn(opened.table()->selectionModel()->selectedRows().value(0).row()), 3);
}

void RoundsPanelTest::withoutRoundsItSaysWhatToDo() {
    Opened opened(0);
    QVERIFY(!opened.table()->isVisible());
    const auto labels = opened.panel.findChildren<QLabel*>();
    QVERIFY(std::ranges::any_of(labels, [](QLabel* each) { return each->isVisible() && each->text().contains("F5"); }));
}

void RoundsPanelTest::copiedRoundsAreATable() {
    Opened opened(3);
    opened.clickRow(0);
    opened.clickRow(2, Qt::ShiftModifier);
    opened.panel.copyAsText();
    const QStringList lines = QGuiApplication::clipboard()->text().split('\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 4);
    QVERIFY(lines[0].startsWith("Round\tStatus\tSpeedup"));
    QVERIFY(lines[1].startsWith("2\tok\t"));
    QCOMPARE(lines[1].count('\t'), int{RoundsModel::Note});
}

namespace {

/// Chooses from the menu of columns.
void chooseColumn(const RoundsPanel& panel, const QString& text) {
    QMenu* menu = panel.findChild<QToolButton*>("rounds_columns")->menu();
    emit menu->aboutToShow();
    for (QAction* each : menu->actions()) {
        if (each->text() == text) return each->trigger();
    }
    qFatal("no column %s", qPrintable(text));
}

/// The titles of the shown columns, in their order.
QStringList titlesOf(const QTableView& table) {
    QStringList titles;
    for (int place = 0; place < table.horizontalHeader()->count(); ++place) {
        const int column = table.horizontalHeader()->logicalIndex(place);
        if (!table.isColumnHidden(column)) titles << table.model()->headerData(column, Qt::Horizontal).toString();
    }
    return titles;
}

}  // namespace

void RoundsPanelTest::tunablesHaveColumnsWhereTheyAreChosen() {
    Opened opened(6);
    const QStringList usual = titlesOf(*opened.table());
    QCOMPARE(usual.first(), QString("★"));
    QVERIFY(!usual.contains("BLOCK_M"));
    chooseColumn(opened.panel, "A column for each tunable");
    const QStringList each = titlesOf(*opened.table());
    QCOMPARE(each.indexOf("BLOCK_M"), usual.indexOf("Configuration"));
    QCOMPARE(each.indexOf("BLOCK_N"), each.indexOf("BLOCK_M") + 1);
    QVERIFY(!each.contains("Configuration"));
    const int column = RoundsModel::column_count;  // BLOCK_M, the first of them
    QCOMPARE(opened.table()->model()->index(0, column).data().toInt(),
             int(opened.session().rounds().history().rounds.back().configuration.at("BLOCK_M")));
    chooseColumn(opened.panel, "BLOCK_N");
    QVERIFY(!titlesOf(*opened.table()).contains("BLOCK_N"));
    chooseColumn(opened.panel, "The usual columns");
    QCOMPARE(titlesOf(*opened.table()), usual);
}

void RoundsPanelTest::theChosenColumnsAreKept() {
    Opened opened(3);
    chooseColumn(opened.panel, "A column for each tunable");
    chooseColumn(opened.panel, "Baseline");
    QHeaderView* header = opened.table()->horizontalHeader();
    header->moveSection(header->visualIndex(RoundsModel::Speedup), 0);
    const QStringList chosen = titlesOf(*opened.table());
    QVERIFY(!chosen.contains("Baseline"));
    const RoundsPanel second(opened.session());
    QCOMPARE(titlesOf(*second.findChild<QTableView*>("rounds_table")), chosen);
}

void RoundsPanelTest::columnsInTheSettingsThatMakeNoSenseAreLeftOut() {
    Opened opened(3);
    opened.studio.settings().setRoundColumns({"nothing", "note", "note", "tunable:GONE", ""});
    const RoundsPanel second(opened.session());
    QCOMPARE(titlesOf(*second.findChild<QTableView*>("rounds_table")), (QStringList{"Round", "Note"}));
}

void RoundsPanelTest::aTunableSortsByItsNumber() {
    Opened opened(9);
    chooseColumn(opened.panel, "A column for each tunable");
    opened.table()->sortByColumn(RoundsModel::column_count, Qt::AscendingOrder);
    int before = 0;
    for (int row = 0; row < 9; ++row) {
        const int value = opened.table()->model()->index(row, RoundsModel::column_count).data().toInt();
        QVERIFY(value >= before);
        before = value;
    }
}

void RoundsPanelTest::roundsWithoutATunableHaveAnOrder() {
    Opened opened(6);
    record(opened.session(), 16, "", {{"AAA", 7}});
    opened.session().rounds().reload();
    QVERIFY(waitUntil([&] { return opened.table()->model()->rowCount() == 7; }));
    chooseColumn(opened.panel, "A column for each tunable");
    for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
        opened.table()->sortByColumn(RoundsModel::column_count, order);
        QCOMPARE(opened.table()->model()->index(0, RoundsModel::column_count).data().toInt(), 7);
    }
    QCOMPARE(opened.numberIn(1), 5);
}

void RoundsPanelTest::theSortStaysWithItsTunable() {
    Opened opened(6);
    chooseColumn(opened.panel, "A column for each tunable");
    opened.table()->sortByColumn(RoundsModel::column_count, Qt::DescendingOrder);  // BLOCK_M
    record(opened.session(), 16, "", {{"AAA", 7}});
    opened.session().rounds().reload();
    QVERIFY(waitUntil([&] { return opened.table()->model()->rowCount() == 7; }));
    const int sorted_by = opened.table()->horizontalHeader()->sortIndicatorSection();
    QCOMPARE(opened.table()->model()->headerData(sorted_by, Qt::Horizontal).toString(), QString("BLOCK_M"));
}

void RoundsPanelTest::aStarredRoundStaysOnTop() {
    Opened opened(6);
    QCOMPARE(opened.numberIn(0), 5);
    opened.session().selectRound(2);
    opened.panel.toggleStar();
    QCOMPARE(opened.numberIn(0), 2);
    QCOMPARE(opened.numberIn(1), 5);
    opened.table()->sortByColumn(RoundsModel::Number, Qt::AscendingOrder);
    QCOMPARE(opened.numberIn(0), 2);
    QCOMPARE(opened.numberIn(1), 0);
    QCOMPARE(opened.session().selectedRound(), 2);
    const RoundsPanel second(opened.session());
    const auto* table = second.findChild<QTableView*>("rounds_table");
    QCOMPARE(table->model()->index(0, RoundsModel::Number).data().toInt(), 2);
    opened.panel.toggleStar();
    QCOMPARE(opened.numberIn(0), 0);
}

void RoundsPanelTest::bestOnlyLeavesTheBestOfEachVariantAndTheStarred() {
    Opened opened(20);
    const int all = opened.table()->model()->rowCount();
    opened.session().selectRound(1);
    opened.panel.toggleStar();
    opened.panel.setBestOnly(true);
    const int left = opened.table()->model()->rowCount();
    QVERIFY2(left >= 2 && left < all, qPrintable(QString::number(left)));
    QCOMPARE(opened.numberIn(0), 1);
    const History& history = opened.session().rounds().history();
    for (const RoundGroup& group : groups_of(history)) {
        bool shown = false;
        for (int row = 0; row < left; ++row) shown = shown || opened.numberIn(row) == best_of(group).number;
        QVERIFY(shown);
    }
    opened.panel.setBestOnly(false);
    QCOMPARE(opened.table()->model()->rowCount(), all);
}

void RoundsPanelTest::twoMarkedRoundsAreCompared() {
    Opened opened(6);
    opened.clickRow(0);
    opened.clickRow(4, Qt::ControlModifier);
    QCOMPARE(opened.session().selectedRound(), 1);
    opened.panel.compare();
    const auto* base = opened.panel.findChild<DifferenceView*>()->findChild<QComboBox*>();
    QCOMPARE(base->currentIndex(), 5);
}

void RoundsPanelTest::aRestoredRoundIsTheParentOfTheNextUntilItIsUndone() {
    Opened opened(0);
    Session& session = opened.session();
    record(session, 8, "// as it was\n");
    record(session, 16, "// later\n");
    session.rounds().reload();
    QVERIFY(waitUntil([&] { return session.rounds().detail(0) != nullptr; }));
    QVERIFY(session.restoreRound(0).empty());
    QCOMPARE(session.document().source("bias_add.cpp")->text(), "// as it was\n");
    QCOMPARE(session.plan()->options.parent, 0);
    session.document().undoStack().undo();
    QCOMPARE(session.plan()->options.parent, std::nullopt);
    session.document().undoStack().redo();
    QCOMPARE(session.plan()->options.parent, 0);
}

void RoundsPanelTest::theRunAfterARestoreHasThatRoundAsItsParent() {
    Opened opened(0);
    Session& session = opened.session();
    const std::string source = session.document().source("bias_add.cpp")->text();
    record(session, 8, source);
    record(session, 16, source);
    session.rounds().reload();
    QVERIFY(waitUntil([&] { return session.rounds().history().rounds.size() == 2; }));
    QVERIFY(waitUntil([&] { return session.rounds().detail(0) != nullptr; }));
    QVERIFY(session.restoreRound(0).empty());
    session.run("again");
    const auto* running = opened.panel.findChild<QLabel*>("rounds_running");
    QVERIFY(running->isVisible());
    QVERIFY2(running->text().startsWith("Round 2 is running"), qPrintable(running->text()));
    session.engine().stop();  // a cancelled round is recorded as well, and sooner
    QVERIFY(waitUntil([&] { return session.rounds().history().rounds.size() == 3; }));
    QVERIFY(!running->isVisible());
    QCOMPARE(session.rounds().round(2)->parent, 0);
    QCOMPARE(session.rounds().round(2)->change, ChangeKind::none);
    QCOMPARE(session.plan()->options.parent, std::nullopt);
}

void RoundsPanelTest::lessonsAreRecorded() {
    Opened opened(3);
    opened.session().selectRound(2);
    auto* form = opened.panel.findChild<LessonsForm*>();
    const auto fields = form->findChildren<QPlainTextEdit*>();
    QCOMPARE(fields.size(), 3);
    fields[0]->setPlainText("whole rows");
    QTest::mouseClick(form->findChild<QPushButton*>(), Qt::LeftButton);
    QVERIFY(waitUntil([&] { return opened.session().rounds().history().lessons.contains(2); }));
    QCOMPARE(opened.session().rounds().history().lessons.at(2).worked, "whole rows");
    QCOMPARE(fields[0]->toPlainText(), "whole rows");
    QVERIFY(!form->findChild<QPushButton*>()->isEnabled());
}

void RoundsPanelTest::lessonsThatWereNotRecordedAreWhenAnotherRoundIsSelected() {
    Opened opened(3);
    opened.session().selectRound(2);
    const auto fields = opened.panel.findChild<LessonsForm*>()->findChildren<QPlainTextEdit*>();
    fields[2]->setPlainText("prefetch");
    opened.session().selectRound(1);
    QCOMPARE(fields[2]->toPlainText(), "");
    QVERIFY(waitUntil([&] { return opened.session().rounds().history().lessons.contains(2); }));
    QCOMPARE(opened.session().rounds().history().lessons.at(2).next, "prefetch");
}

namespace {

/// The lessons of round 2 on disk, which need not be of an open project; none before they are recorded.
Lessons lessonsOnDisk(const QString& folder) {
    const auto history = load_history(folder.toStdString());
    if (!history || !history->lessons.contains(2)) return {};
    return history->lessons.at(2);
}

/// Begins to write what to try after round 2.
void writeLesson(Opened& opened) {
    opened.session().selectRound(2);
    auto* form = opened.panel.findChild<LessonsForm*>();
    for (QTabWidget* each : opened.panel.findChildren<QTabWidget*>()) each->setCurrentWidget(form);
    opened.panel.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&opened.panel));
    auto* field = form->findChildren<QPlainTextEdit*>()[2];
    field->setFocus();
    QTest::keyClicks(field, "prefetch");
}

}  // namespace

void RoundsPanelTest::lessonsThatWereNotRecordedAreWhenFocusGoesElsewhere() {
    Opened opened(3);
    writeLesson(opened);
    opened.panel.findChild<LessonsForm*>()->findChildren<QPlainTextEdit*>()[0]->setFocus();
    QVERIFY(opened.panel.findChild<LessonsForm*>()->findChild<QPushButton*>()->isEnabled());  // still in the form
    opened.table()->setFocus();
    QVERIFY(waitUntil([&] { return lessonsOnDisk(opened.studio.folder()).next == "prefetch"; }, 5000));
}

void RoundsPanelTest::lessonsThatWereNotRecordedAreWhenTheWindowCloses() {
    Opened opened(3);
    writeLesson(opened);
    opened.panel.close();
    QVERIFY(waitUntil([&] { return lessonsOnDisk(opened.studio.folder()).next == "prefetch"; }, 5000));
}

/// Both projects have a round 2.
void RoundsPanelTest::lessonsThatWereNotRecordedAreThoseOfTheirProject() {
    Opened opened(3);
    Studio other;
    testing::writeHistory(other.folder(), 3);
    writeLesson(opened);
    QVERIFY(opened.session().open(other.folder()).empty());
    QVERIFY(waitUntil([&] { return lessonsOnDisk(opened.studio.folder()).next == "prefetch"; }, 5000));
    QVERIFY(lessonsOnDisk(other.folder()).next.empty());
}

void RoundsPanelTest::detailsTellEverythingOfARound() {
    auto detail = std::make_shared<RoundDetail>();
    detail->round = exampleRound(3);
    detail->round.environment = "fingerprint";
    detail->environment.hardware = "a processor";
    detail->verification.checks = 7;
    CaseAccuracy& check = detail->verification.cases.emplace_back();
    check.binding = detail->round.cases[0].binding;
    check.metrics.elements = 1000;
    check.metrics.mismatches = 2;
    check.first_mismatches = {{.output = "out", .index = {4, 2}, .expected = 1.5, .actual = -2.5}};
    BenchResult& timing = detail->timings.emplace_back();
    timing.binding = check.binding;
    timing.candidate.p99 = 123e-6;
    timing.warnings = {"the samples spread"};
    detail->verification.printed = "printed by the kernel";
    detail->verification.builds[DType::f32] = {"", {{"registers", 63}}, "blocks"};
    detail->baseline_builds[DType::f32] = {"", {{"registers", 77}}, ""};
    const Lessons lessons{.worked = "whole rows", .failed = {}, .next = "prefetch"};
    const QString page = textOfPage(detailsPage({detail->round, detail, {}}, lessons, {}));
    for (const char* told : {"Round 3: ok", "round 3", "BLOCK_M=8 BLOCK_N=512", "123 µs", "out[4, 2]", "-2.5",
                             "2 of 1,000", "the samples spread", "printed by the kernel", "a processor", "fingerprint",
                             "whole rows", "prefetch", "7 check", "Registers per thread", "63", "77", "blocks"}) {
        QVERIFY2(page.contains(told), told);
    }
}

void RoundsPanelTest::detailsWithoutTheFullRecordSaySo() {
    const QString page = textOfPage(detailsPage({exampleRound(1), nullptr, "rounds/1 is gone"}, {}, {}));
    QVERIFY(page.contains("Only the summary is left: rounds/1 is gone"));
    QVERIFY(page.contains("4096x4096 f32"));
}

void RoundsPanelTest::markupInTextsIsShownAsText() {
    Round round = exampleRound(1, Status::mismatch);
    round.reason = "a <b> in `out`\nand a second line";
    const QString page = textOfPage(detailsPage({round, nullptr, {}}, {}, {}));
    QVERIFY(page.contains("a <b> in `out`"));
    QVERIFY(page.contains("\nand a second line") || page.contains(QChar(QChar::LineSeparator)));
}

namespace {

KnownRound knownRound(int number, std::int64_t block_m, const std::string& text) {
    auto detail = std::make_shared<RoundDetail>();
    detail->round = exampleRound(number);
    detail->candidate.variant.source = "kernel.cpp";
    detail->candidate.text = text;
    detail->candidate.configuration = {{"BLOCK_M", block_m}};
    return {detail->round, detail, {}};
}

}  // namespace

void RoundsPanelTest::aDifferenceTellsTunablesSourceAndFigures() {
    KnownRound before = knownRound(0, 16, "first\nsecond\n"), after = knownRound(1, 64, "first\nthird\n");
    before.round.cases[0].speedup = 1;
    after.round.cases[0].speedup = 1.5;
    const QString page = textOfPage(differencePage(before, after, {}));
    for (const char* told :
         {"implementation", "tunable BLOCK_M", "16", "64", "-second", "+third", "1.500×", "Comparable"}) {
        QVERIFY2(page.contains(told), told);
    }
}

void RoundsPanelTest::figuresOfOtherEnvironmentsAreNotCompared() {
    const KnownRound before = knownRound(0, 16, "");
    KnownRound after = knownRound(1, 16, "");
    after.round.device = "cuda:0";
    const QString page = textOfPage(differencePage(before, after, {}));
    QVERIFY(page.contains("Not comparable: they differ in devices cpu and cuda:0"));
    QVERIFY(page.contains("Nothing changed"));
}

void RoundsPanelTest::theDifferenceIsToTheParentUnlessAnotherIsChosen() {
    Opened opened(6);
    opened.session().selectRound(4);
    auto* view = opened.panel.findChild<DifferenceView*>();
    const auto* base = view->findChild<QComboBox*>();
    QCOMPARE(base->currentIndex(), 3);
    view->compareWith(0);
    QCOMPARE(base->currentIndex(), 0);
    opened.session().selectRound(0);
    QCOMPARE(base->currentIndex(), -1);
}

}  // namespace kernelgen::studio

STUDIO_TEST(kernelgen::studio::RoundsPanelTest)
#include "rounds_panel_test.moc"
