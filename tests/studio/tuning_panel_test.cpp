// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>
#include <QTest>

#include "app/studio/charts/chart_view.h"
#include "app/studio/document/literals.h"
#include "app/studio/tunables/tunables_panel.h"
#include "app/studio/tuning/tried_table.h"
#include "app/studio/tuning/tuning_panel.h"
#include "app/studio/tuning/tuning_setup.h"
#include "app/studio/window/main_window.h"
#include "core/base/file.h"
#include "core/project/project_file.h"
#include "core/tune/tuning_file.h"
#include "tests/studio/fixtures.h"
#include "tests/studio/registry.h"
#include "tests/studio/shown_tuning.h"
#include "tests/studio/stall_meter.h"

namespace kernelgen::studio {

using testing::child;
using testing::exampleTuning;
using testing::press;
using testing::ShownTuning;
using testing::slidersOf;
using testing::stateOf;
using testing::Studio;
using testing::tuningOf;
using testing::waitUntil;
using testing::writeTuning;

class TuningPanelTest : public QObject {
    Q_OBJECT

private slots:
    void withoutATuningThePanelSaysWhatToPress();
    void theLastTuningIsShownWhenTheProjectIsOpened();
    void theLastThatCanBeReadIsShownAndSaidWhichCannot();
    void anEarlierTuningCanBeShown();
    void theOutcomeCanBeReadInANarrowPanel();
    void inALowPanelTheOptionsMakeWayForTheCharts();
    void aClickOnARowMovesTheSliders();
    void adoptSavesTheChosenConfiguration();
    void adoptTakesTheRecommendedOneWhereNoneIsChosen();
    void onlyWhatIsCheckedTakesPart();
    void theLastCheckedValueStays();
    void aTunableThatTakesNoPartStaysAtItsSlider();
    void theChecksAreUndone();
    void theChecksAreShownWithTheTuning();
    void aBudgetThatIsNoTimeIsRefused();
    void fieldsThatHaveNoRoomTakeFurtherLines();
    void aCaseCanBeToldFromTheNext();
    void whatIsNeverTriedIsListedOnceItIsShown();
    void tenThousandConfigurationsAreShown();
    void tenThousandConfigurationsDoNotStallTheWindow();
};

void TuningPanelTest::withoutATuningThePanelSaysWhatToPress() {
    Studio studio;
    studio.open();
    const ShownTuning panel(studio.session());
    QVERIFY(waitUntil([&] { return child<QPushButton>(panel, "tuning_start")->isEnabled(); }));
    QVERIFY(!child<QPushButton>(panel, "tuning_pause")->isEnabled());
    QVERIFY(!child<QPushButton>(panel, "tuning_stop")->isEnabled());
    QVERIFY(!child<QPushButton>(panel, "tuning_adopt")->isEnabled());
    const auto charts = panel.findChildren<ChartView*>();
    QCOMPARE(charts.size(), 6);
    QVERIFY(waitUntil([&] {
        return std::ranges::any_of(
            charts, [](const ChartView* each) { return each->isVisible() && each->message().contains("Start finds"); });
    }));
    QVERIFY(panel.findChild<TriedTable*>()->whatFillsIt().startsWith("Press Start"));
}

void TuningPanelTest::theLastThatCanBeReadIsShownAndSaidWhichCannot() {
    Studio studio;
    writeTuning(studio.folder(), tuningOf(studio, 40));
    QVERIFY(write_file_atomic(tuning_path(studio.folder().toStdString(), 2), "torn\n"));
    QSignalSpy failed(&studio.session().tunings(), &Tunings::failed);
    studio.open();
    const ShownTuning panel(studio.session());
    QVERIFY(waitUntil([&] { return child<QTableView>(panel, "tried_table")->model()->rowCount() == 40; }));
    QVERIFY(!failed.isEmpty());
    QVERIFY2(failed[0][0].toString().contains("tunings/2.jsonl:1"), qPrintable(failed[0][0].toString()));
}

void TuningPanelTest::theLastTuningIsShownWhenTheProjectIsOpened() {
    Studio studio;
    writeTuning(studio.folder(), tuningOf(studio, 40));
    studio.open();
    const ShownTuning panel(studio.session());
    auto* table = child<QTableView>(panel, "tried_table");
    QVERIFY(waitUntil([&] { return table->model()->rowCount() == 40; }));
    QVERIFY2(stateOf(panel).contains("40 of 12544"), qPrintable(stateOf(panel)));
    QCOMPARE(child<QPushButton>(panel, "tuning_pause")->text(), "Continue");
    studio.session().document().close();
    QVERIFY(waitUntil([&] { return table->model()->rowCount() == 0; }));
    QVERIFY(!child<QPushButton>(panel, "tuning_start")->isEnabled());
}

void TuningPanelTest::anEarlierTuningCanBeShown() {
    Studio studio;
    Tuning first = tuningOf(studio, 10);
    first.outcome = TuningOutcome{.configuration = first.head.incumbent};
    writeTuning(studio.folder(), first);
    writeTuning(studio.folder(), tuningOf(studio, 20));
    studio.open();
    const ShownTuning panel(studio.session());
    auto* table = child<QTableView>(panel, "tried_table");
    auto* tunings = child<QComboBox>(panel, "tunings");
    QVERIFY(waitUntil([&] { return table->model()->rowCount() == 20; }));
    QCOMPARE(tunings->count(), 2);
    emit tunings->activated(0);
    QVERIFY(waitUntil([&] { return table->model()->rowCount() == 10; }));
    QVERIFY(stateOf(panel).startsWith("Tie"));
    QCOMPARE(tunings->currentText(), "Tuning 1");
}

void TuningPanelTest::aClickOnARowMovesTheSliders() {
    Studio studio;
    writeTuning(studio.folder(), tuningOf(studio, 20));
    studio.open();
    Session& session = studio.session();
    const ShownTuning panel(session);
    auto* table = child<QTableView>(panel, "tried_table");
    QVERIFY(waitUntil([&] { return table->model()->rowCount() == 20; }));
    const Configuration before = slidersOf(session);
    table->selectRow(3);
    QCOMPARE(slidersOf(session), session.tunings().shown()->tried[3].configuration);
    table->selectRow(5);
    QCOMPARE(slidersOf(session), session.tunings().shown()->tried[5].configuration);
    QVERIFY(session.document().isModified());
    session.document().undoStack().undo();  // all clicks are one step
    QCOMPARE(slidersOf(session), before);
}

void TuningPanelTest::adoptSavesTheChosenConfiguration() {
    Studio studio;
    writeTuning(studio.folder(), tuningOf(studio, 20));
    studio.open();
    const ShownTuning panel(studio.session());
    auto* table = child<QTableView>(panel, "tried_table");
    QVERIFY(waitUntil([&] { return table->model()->rowCount() == 20; }));
    table->selectRow(7);
    press(panel, "tuning_adopt");
    const Validated<Project> saved = load_project(studio.folder().toStdString());
    QCOMPARE(configuration_of(*saved->find_variant("host")),
             studio.session().tunings().shown()->tried[7].configuration);
    QVERIFY(!studio.session().document().isModified());
}

void TuningPanelTest::adoptTakesTheRecommendedOneWhereNoneIsChosen() {
    Studio studio;
    Tuning tuning = tuningOf(studio, 20);
    tuning.outcome = TuningOutcome{.kind = TuningOutcome::Kind::winner, .configuration = tuning.tried[9].configuration};
    writeTuning(studio.folder(), tuning);
    studio.open();
    const ShownTuning panel(studio.session());
    QVERIFY(waitUntil([&] { return child<QPushButton>(panel, "tuning_adopt")->isEnabled(); }));
    QVERIFY(stateOf(panel).startsWith("Winner"));
    press(panel, "tuning_adopt");
    QCOMPARE(slidersOf(studio.session()), tuning.tried[9].configuration);
}

void TuningPanelTest::onlyWhatIsCheckedTakesPart() {
    Studio studio;
    studio.open();
    Session& session = studio.session();
    const TunablesPanel sliders(session);
    const TuningPanel panel(session);
    const QString all = child<QLabel>(panel, "tuning_count")->text();
    child<QCheckBox>(sliders, "BLOCK_M_2")->click();
    child<QCheckBox>(sliders, "BLOCK_M_4")->click();
    QVERIFY(child<QLabel>(panel, "tuning_count")->text() != all);
    const ChosenValues chosen = session.tuningChoices().of(*session.variant());
    QCOMPARE(chosen.size(), 1U);
    QVERIFY(!std::ranges::contains(chosen.at("BLOCK_M"), 2));
    QVERIFY(std::ranges::contains(chosen.at("BLOCK_M"), 8));
    child<QCheckBox>(sliders, "BLOCK_M_2")->click();
    child<QCheckBox>(sliders, "BLOCK_M_4")->click();
    QVERIFY(session.tuningChoices().of(*session.variant()).empty());
    QCOMPARE(child<QLabel>(panel, "tuning_count")->text(), all);
}

void TuningPanelTest::theLastCheckedValueStays() {
    Studio studio;
    studio.open();
    const TunablesPanel sliders(studio.session());
    const std::vector<std::int64_t> values = studio.session().variant()->tunables[0].values;
    const QString name = QString::fromStdString(studio.session().variant()->tunables[0].name);
    const auto box = [&](std::int64_t value) {
        return child<QCheckBox>(sliders, qPrintable(QStringLiteral("%1_%2").arg(name).arg(value)));
    };
    for (const std::int64_t each : values) box(each)->click();
    QVERIFY(box(values.back())->isChecked());
    QVERIFY(!box(values.front())->isChecked());
}

void TuningPanelTest::aTunableThatTakesNoPartStaysAtItsSlider() {
    Studio studio;
    studio.open();
    Session& session = studio.session();
    const TunablesPanel sliders(session);
    child<QCheckBox>(sliders, "BLOCK_M_tuned")->click();
    session.document().setTunable("host", "BLOCK_M", 4);
    QCOMPARE(session.tuningChoices().of(*session.variant()).at("BLOCK_M"), std::vector<std::int64_t>{4});
    QVERIFY(!child<QCheckBox>(sliders, "BLOCK_M_2")->isEnabled());
}

void TuningPanelTest::theChecksAreUndone() {
    Studio studio;
    studio.open();
    Session& session = studio.session();
    const TunablesPanel sliders(session);
    QUndoStack& undo = session.document().undoStack();
    auto* value = child<QCheckBox>(sliders, "BLOCK_M_2");
    auto* tunable = child<QCheckBox>(sliders, "BLOCK_M_tuned");
    value->click();
    tunable->click();
    QCOMPARE(undo.undoText(), "tune without BLOCK_M");
    undo.undo();
    QVERIFY(tunable->isChecked());
    QVERIFY(!value->isChecked());
    QCOMPARE(undo.undoText(), "tune without BLOCK_M=2");
    undo.undo();
    QVERIFY(value->isChecked());
    QVERIFY(session.tuningChoices().of(*session.variant()).empty());
    undo.redo();
    QVERIFY(!value->isChecked());
    QVERIFY(!session.document().isModified());
}

void TuningPanelTest::theChecksAreShownWithTheTuning() {
    Studio studio;
    studio.open();
    MainWindow window(studio.session());
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    auto* box = child<QCheckBox>(window, "BLOCK_M_tuned");
    QVERIFY(waitUntil([&] { return !box->isVisible(); }));
    child<QDockWidget>(window, "tuning")->raise();
    QVERIFY(waitUntil([&] { return box->isVisible(); }));
    child<QDockWidget>(window, "rounds")->raise();
    QVERIFY(waitUntil([&] { return !box->isVisible(); }));
}

void TuningPanelTest::aBudgetThatIsNoTimeIsRefused() {
    Studio studio;
    studio.open();
    const ShownTuning panel(studio.session());
    QVERIFY(waitUntil([&] { return child<QPushButton>(panel, "tuning_start")->isEnabled(); }));
    QSignalSpy refused(&studio.session(), &Session::refused);
    child<QComboBox>(panel, "tuning_budget")->setCurrentText("soon");
    press(panel, "tuning_start");
    child<QComboBox>(panel, "tuning_budget")->setCurrentText("1m");
    child<QComboBox>(panel, "tuning_objective")->setCurrentText("energy");
    press(panel, "tuning_start");
    QCOMPARE(refused.size(), 2);
    QVERIFY(refused[0][0].toString().contains("5m"));
    QVERIFY(!studio.session().engine().isRunning());
}

void TuningPanelTest::theOutcomeCanBeReadInANarrowPanel() {
    Studio studio;
    writeTuning(studio.folder(), tuningOf(studio, 40));
    studio.open();
    ShownTuning panel(studio.session());
    panel.resize(620, 400);
    const auto* state = child<QLabel>(panel, "tuning_state");
    QVERIFY(waitUntil([&] { return !state->text().isEmpty(); }));
    const auto all_is_shown = [&] {
        const QRect room(0, 0, state->width(), 1000);
        const QRect needed = state->fontMetrics().boundingRect(room, Qt::TextWordWrap, state->text());
        return needed.height() <= state->height();
    };
    QVERIFY(waitUntil(all_is_shown));
}

void TuningPanelTest::inALowPanelTheOptionsMakeWayForTheCharts() {
    Studio studio;
    studio.open();
    ShownTuning panel(studio.session());
    const auto* setup = panel.findChild<TuningSetup*>();
    panel.resize(635, 260);
    QVERIFY(waitUntil([&] { return setup->isVisible(); }));  // there is no chart yet
    writeTuning(studio.folder(), tuningOf(studio, 40));
    studio.open();
    QVERIFY(waitUntil([&] { return setup->isHidden(); }));
    panel.resize(635, 600);
    QVERIFY(waitUntil([&] { return setup->isVisible(); }));
    panel.resize(635, 260);
    QVERIFY(waitUntil([&] { return setup->isHidden(); }));
    press(panel, "tuning_options");
    QVERIFY(setup->isVisible());
    panel.resize(640, 260);
    QTest::qWait(50);
    QVERIFY(setup->isVisible());  // the user wants them
}

void TuningPanelTest::fieldsThatHaveNoRoomTakeFurtherLines() {
    Studio studio;
    studio.open();
    const TuningSetup setup(studio.session());
    const int one_line = setup.heightForWidth(2500);
    QVERIFY(setup.heightForWidth(500) >= 2 * one_line);
    QVERIFY(setup.heightForWidth(500) < 5 * one_line);
}

void TuningPanelTest::aCaseCanBeToldFromTheNext() {
    Studio studio;
    studio.open();
    const TuningSetup setup(studio.session());
    const auto* box = setup.findChild<QComboBox*>("tuning_case");
    for (const Case& each : studio.session().document().project().cases) {
        const int width = box->fontMetrics().horizontalAdvance(QString::fromStdString(each.name));
        QVERIFY(box->sizeHint().width() > width + 20);  // with the arrow
    }
}

void TuningPanelTest::whatIsNeverTriedIsListedOnceItIsShown() {
    Studio studio;
    Tuning tuning = tuningOf(studio, 5);
    const Validated<Project> project = load_project(studio.folder().toStdString());
    tuning.head.binding = project->cases[0];
    for (auto& [symbol, size] : tuning.head.binding.sizes) size = 4;
    tuning.head.setup_hash = setup_hash(*project, "host");
    writeTuning(studio.folder(), tuning);
    studio.open();
    const ShownTuning panel(studio.session());
    auto* table = child<QTableView>(panel, "pruned_table");
    QVERIFY(waitUntil([&] { return studio.session().tunings().shown() != nullptr; }));
    QTest::qWait(300);
    QCOMPARE(table->model()->rowCount(), 0);
    auto* tabs = qobject_cast<QTabWidget*>(table->parentWidget()->parentWidget()->parentWidget());
    tabs->setCurrentWidget(table->parentWidget());
    QVERIFY(waitUntil([&] { return table->model()->rowCount() > 0; }));
    const QAbstractItemModel& rows = *table->model();
    QCOMPARE(rows.columnCount(), static_cast<int>(tuning.head.parameters.size()) + 1);
    QVERIFY(rows.index(0, rows.columnCount() - 1).data().toString().contains("is larger than the case"));

    studio.session().document().edit("no limits", [](Project& edited) {
        std::ranges::find(edited.variants, "host", &Variant::name)->restrictions.push_back("BLOCK_M > 0");
    });
    studio.session().tunings().setFolder(studio.folder());
    QVERIFY(waitUntil([&] { return studio.session().prunedListing().whyNone().contains("was changed since"); }));
    QCOMPARE(rows.rowCount(), 0);
}

void TuningPanelTest::tenThousandConfigurationsAreShown() {
    Studio studio;
    writeTuning(studio.folder(), exampleTuning(10000));
    studio.open();
    const ShownTuning panel(studio.session());
    auto* table = child<QTableView>(panel, "tried_table");
    QVERIFY(waitUntil([&] { return table->model()->rowCount() == 10000; }));
    for (QTabWidget* tabs : panel.findChildren<QTabWidget*>()) {
        for (int i = 0; i < tabs->count(); ++i) {
            tabs->setCurrentIndex(i);
            const auto* own = qobject_cast<ChartView*>(tabs->widget(i));
            const auto* chart = own != nullptr ? own : tabs->widget(i)->findChild<ChartView*>();
            QVERIFY2(waitUntil([&] { return chart == nullptr || !chart->isEmpty(); }), qPrintable(tabs->tabText(i)));
        }
    }
}

/// Of the processor's time, which others on a busy machine do not take. The figures are in docs/PERFORMANCE.md; a
/// multiple of the 50 ms that are meant means that something walks over all rows again and again.
void TuningPanelTest::tenThousandConfigurationsDoNotStallTheWindow() {
    constexpr double meant = 50, sanitizers_and_slow_machines = 8;
    Studio studio;
    const Tuning tuning = exampleTuning(10000);
    writeTuning(studio.folder(), exampleTuning(10));
    studio.open();
    const ShownTuning panel(studio.session());
    Tunings& tunings = studio.session().tunings();
    QVERIFY(waitUntil([&] { return tunings.shown() != nullptr; }));
    auto* table = child<QTableView>(panel, "tried_table");
    testing::StallMeter stall;
    TuningNews news{{}, tuning.head, {}};
    news.head->number = 2;
    for (int part = 0; part < 10; ++part) {
        for (QTabWidget* tabs : panel.findChildren<QTabWidget*>()) tabs->setCurrentIndex(part % tabs->count());
        news.tried.assign(tuning.tried.begin() + part * 1000, tuning.tried.begin() + (part + 1) * 1000);
        tunings.take(news);
        QTest::qWait(300);
    }
    QVERIFY(waitUntil([&] { return table->model()->rowCount() == 10000 || !table->isVisible(); }));
    for (QTabWidget* tabs : panel.findChildren<QTabWidget*>()) tabs->setCurrentIndex(0);
    QVERIFY(waitUntil([&] { return table->model()->rowCount() == 10000; }));
    for (const int column : {2, 6, 1}) {
        table->sortByColumn(column, Qt::AscendingOrder);
        QTest::qWait(100);
    }
    const double longest = stall.processorMilliseconds();
    QVERIFY2(longest < meant * sanitizers_and_slow_machines, qPrintable(QString::number(longest)));
}

}  // namespace kernelgen::studio

STUDIO_TEST(kernelgen::studio::TuningPanelTest)
#include "tuning_panel_test.moc"
