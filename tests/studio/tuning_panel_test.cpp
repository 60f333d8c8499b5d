// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
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
#include "core/base/tuning_sentences.h"
#include "core/project/project_file.h"
#include "core/tune/tuning_file.h"
#include "tests/studio/fixtures.h"
#include "tests/studio/registry.h"
#include "tests/studio/stall_meter.h"

namespace kernelgen::studio {

using testing::child;
using testing::exampleTuning;
using testing::Studio;
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
    void whatThereWasNoTimeForIsShownAndCanBeContinued();
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
    void aTuningRunsToItsEndAndBecomesARound();
    void aPausedTuningIsContinuedAfterTheWindowWasClosed();
    void aPausedTuningsEntriesAreShownWhenTheProjectIsOpened();
    void stopDecidesWithWhatWasTried();
    void aPausedTuningIsContinuedWhateverVariantIsChosen();
    void anEditedSourceIsNotContinuedWith();
    void aLookAtAConfigurationDoesNotHinderContinue();
    void whatIsNeverTriedIsListedOnceItIsShown();
    void tenThousandConfigurationsAreShown();
    void tenThousandConfigurationsDoNotStallTheWindow();
};

namespace {

void press(const QWidget& panel, const char* button) { child<QPushButton>(panel, button)->click(); }

QString stateOf(const QWidget& panel) { return child<QLabel>(panel, "tuning_state")->text(); }

/// A panel that is shown, so that its charts and its table are filled.
class ShownTuning : public TuningPanel {
public:
    explicit ShownTuning(Session& session) : TuningPanel(session) {
        resize(1000, 400);
        show();
    }
};

/// The example for the tunables of a variant of the sample.
Tuning tuningOf(const Studio& studio, int count, const std::string& name = "host") {
    Tuning tuning = exampleTuning(count);
    const Validated<Project> project = load_project(studio.folder().toStdString());
    const Variant& variant = *project->find_variant(name);
    tuning.head.variant = name;
    tuning.head.parameters = variant.tunables;
    tuning.head.incumbent = configuration_of(variant);
    for (std::size_t i = 0; i < tuning.tried.size(); ++i) {
        std::size_t index = i;
        tuning.tried[i].configuration.clear();
        for (const Tunable& each : variant.tunables) {
            tuning.tried[i].configuration[each.name] = each.values[index % each.values.size()];
            index /= each.values.size();
        }
    }
    return tuning;
}

/// One that Continue can go on with.
Tuning pausedTuningOf(const Studio& studio, const std::string& variant) {
    Tuning tuning = tuningOf(studio, 5, variant);
    const Validated<Project> project = load_project(studio.folder().toStdString());
    RunOptions options;
    options.variant = variant;
    tuning.head.binding = project->cases[0];
    tuning.head.cases = project->cases;
    tuning.head.source_hash = hash_of_sources(plan_run(*project, options)->candidate);
    return tuning;
}

Configuration slidersOf(Session& session) { return configuration_of(*session.variant()); }

void letTuneQuickly(const QWidget& panel, const QString& budget) {
    child<QComboBox>(panel, "tuning_budget")->setCurrentText(budget);
    child<QComboBox>(panel, "tuning_strategy")->setCurrentText("random");
}

std::size_t triedOnDisk(const Studio& studio) {
    const Result<Tuning> tuning = load_tuning(studio.folder().toStdString(), 1);
    return tuning ? tuning->tried.size() : 0;
}

}  // namespace

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

void TuningPanelTest::whatThereWasNoTimeForIsShownAndCanBeContinued() {
    Studio studio;
    Tuning tuning = tuningOf(studio, 10);
    tuning.head.cases = {tuning.head.binding};
    tuning.outcome =
        TuningOutcome{.configuration = tuning.head.incumbent, .left_out = {std::string(sentences::left_out_round)}};
    writeTuning(studio.folder(), tuning);
    studio.open();
    const ShownTuning panel(studio.session());
    const auto* pause = child<QPushButton>(panel, "tuning_pause");
    QVERIFY(waitUntil([&] { return pause->text() == "Continue" && pause->isEnabled(); }));
    QVERIFY2(stateOf(panel).contains("Left out for want of time: the round of the configuration that is recommended; "
                                     "Continue in the Tuning tab goes on with it"),
             qPrintable(stateOf(panel)));
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

void TuningPanelTest::aTuningRunsToItsEndAndBecomesARound() {
    Studio studio;
    studio.open();
    Session& session = studio.session();
    const ShownTuning panel(session);
    QVERIFY(waitUntil([&] { return child<QPushButton>(panel, "tuning_start")->isEnabled(); }));
    letTuneQuickly(panel, "6s");
    child<QSpinBox>(panel, "tuning_most")->setValue(2);
    child<QSpinBox>(panel, "tuning_seed")->setValue(7);
    const Configuration before = slidersOf(session);
    press(panel, "tuning_start");
    QVERIFY(session.engine().isTuning());
    QVERIFY(!child<QPushButton>(panel, "tuning_start")->isEnabled());
    QVERIFY(
        waitUntil([&] { return panel.findChild<TriedTable*>()->whatFillsIt().startsWith("Nothing is tried yet"); }));
    QVERIFY(waitUntil([&] { return session.tunings().shown() && !session.tunings().shown()->tried.empty(); }));
    QVERIFY(session.tunings().shown()->tried[0].elapsed_seconds > 0);
    QVERIFY(panel.findChild<TuningSetup*>()->isHidden());  // how it stands has a line of its own in its place
    QVERIFY(waitUntil([&] { return child<QLabel>(panel, "tuning_state")->width() > panel.width() * 9 / 10; }));
    QVERIFY(waitUntil([&] { return !session.engine().isRunning(); }, 110000));
    QVERIFY(!panel.findChild<TuningSetup*>()->isHidden());
    const auto tuning = session.tunings().shown();
    QVERIFY2(tuning->outcome.has_value(), qPrintable(session.log().entries().back().text));
    QCOMPARE(triedOnDisk(studio), tuning->tried.size());
    QVERIFY(tuning->tried.size() <= 2);
    QCOMPARE(tuning->head.evaluations, std::optional(2));
    QCOMPARE(tuning->head.seed, 7U);
    QVERIFY(waitUntil([&] { return session.rounds().history().rounds.size() == 1; }));
    QVERIFY(QString::fromStdString(session.rounds().history().rounds[0].note).startsWith("tuning 1"));
    QCOMPARE(slidersOf(session), before);  // a winner, too, is the user's to adopt
    QVERIFY(child<QPushButton>(panel, "tuning_adopt")->isEnabled());
    QCOMPARE(child<QPushButton>(panel, "tuning_pause")->text(), "Pause");
}

void TuningPanelTest::aPausedTuningIsContinuedAfterTheWindowWasClosed() {
    if (!testing::isNight()) QSKIP("takes long: `./dev test all` runs it");
    Studio studio;
    auto before = std::make_unique<Session>(studio.settings());
    before->applyWorkerSettings();
    QVERIFY(before->open(studio.folder()).empty());
    auto panel = std::make_unique<ShownTuning>(*before);
    QVERIFY(waitUntil([&] { return child<QPushButton>(*panel, "tuning_start")->isEnabled(); }));
    letTuneQuickly(*panel, "15s");
    press(*panel, "tuning_start");
    QVERIFY(waitUntil([&] { return triedOnDisk(studio) >= 2; }));
    panel.reset();
    before.reset();  // closing does not ask
    const std::size_t tried = triedOnDisk(studio);
    QVERIFY(tried >= 2);
    QVERIFY(!load_tuning(studio.folder().toStdString(), 1)->outcome);

    studio.open();
    const ShownTuning again(studio.session());
    auto* go_on = child<QPushButton>(again, "tuning_pause");
    QVERIFY(waitUntil([&] { return go_on->text() == "Continue" && go_on->isEnabled(); }));
    go_on->click();
    QVERIFY(studio.session().engine().isTuning());
    QVERIFY(waitUntil([&] { return !studio.session().engine().isRunning(); }, 110000));
    const auto tuning = studio.session().tunings().shown();
    QCOMPARE(tuning->head.number, 1);
    QVERIFY(tuning->outcome.has_value());
    QVERIFY(tuning->tried.size() >= tried);
    QCOMPARE(tuning_numbers(studio.folder().toStdString()).size(), 1U);
}

void TuningPanelTest::aPausedTuningsEntriesAreShownWhenTheProjectIsOpened() {
    Studio studio;
    Tuning paused = pausedTuningOf(studio, "host");
    const Tunable first = paused.head.parameters[0];
    paused.head.strategy = "random";
    paused.head.seed = 7;
    paused.head.command_budget_seconds = 120;
    paused.head.evaluations = 30;
    paused.head.objective = "memory";
    paused.head.chosen = {{first.name, {first.values[1]}}};
    writeTuning(studio.folder(), paused);
    studio.open();
    studio.session().setVariant("host");
    const ShownTuning panel(studio.session());
    QVERIFY(waitUntil([&] { return child<QPushButton>(panel, "tuning_pause")->text() == "Continue"; }));
    QCOMPARE(child<QComboBox>(panel, "tuning_budget")->currentText(), "2m");
    QCOMPARE(child<QComboBox>(panel, "tuning_strategy")->currentText(), "random");
    QCOMPARE(child<QComboBox>(panel, "tuning_objective")->currentText(), "memory");
    QCOMPARE(child<QSpinBox>(panel, "tuning_most")->value(), 30);
    QCOMPARE(child<QSpinBox>(panel, "tuning_seed")->value(), 7);
    TuningChoices& choices = studio.session().tuningChoices();
    const Variant& host = *studio.session().variant();
    QVERIFY(!choices.takesPart(host, first.name, first.values[0]));
    QVERIFY(choices.takesPart(host, first.name, first.values[1]));

    child<QSpinBox>(panel, "tuning_seed")->setValue(8);  // what a person changes stays
    choices.setTakesPart(host, first.name, first.values[0], true);
    emit studio.session().tunings().changed();
    QCOMPARE(child<QSpinBox>(panel, "tuning_seed")->value(), 8);
    QVERIFY(choices.takesPart(host, first.name, first.values[0]));
}

void TuningPanelTest::stopDecidesWithWhatWasTried() {
    Studio studio;
    studio.open();
    Session& session = studio.session();
    const ShownTuning panel(session);
    QVERIFY(waitUntil([&] { return child<QPushButton>(panel, "tuning_start")->isEnabled(); }));
    letTuneQuickly(panel, "10m");
    press(panel, "tuning_start");
    QVERIFY(waitUntil([&] { return session.tunings().shown() && session.tunings().shown()->tried.size() > 2; }));
    press(panel, "tuning_stop");
    QVERIFY(waitUntil([&] { return !session.engine().isRunning(); }, 110000));
    QVERIFY(session.tunings().shown()->outcome.has_value());
}

void TuningPanelTest::aPausedTuningIsContinuedWhateverVariantIsChosen() {
    Studio studio;
    writeTuning(studio.folder(), pausedTuningOf(studio, "host"));
    studio.open();
    Session& session = studio.session();
    session.setVariant("naive");
    const ShownTuning panel(session);
    auto* go_on = child<QPushButton>(panel, "tuning_pause");
    QVERIFY(waitUntil([&] { return go_on->isEnabled() && go_on->text() == "Continue"; }));
    QSignalSpy refused(&session, &Session::refused);
    go_on->click();
    QVERIFY2(session.engine().isTuning(), refused.isEmpty() ? "" : qPrintable(refused[0][0].toString()));
    session.engine().stop();
    QVERIFY(waitUntil([&] { return !session.engine().isRunning(); }));
    QCOMPARE(session.tunings().shown()->head.variant, "host");
}

void TuningPanelTest::anEditedSourceIsNotContinuedWith() {
    Studio studio;
    writeTuning(studio.folder(), pausedTuningOf(studio, "host"));
    studio.open();
    Session& session = studio.session();
    const ShownTuning panel(session);
    auto* go_on = child<QPushButton>(panel, "tuning_pause");
    QVERIFY(waitUntil([&] { return go_on->isEnabled(); }));
    SourceFile* source = session.document().source("bias_add.cpp");
    source->replaceText(QString::fromStdString(source->text()) + "// another\n");
    QSignalSpy refused(&session, &Session::refused);
    go_on->click();
    QVERIFY(!session.engine().isRunning());
    QVERIFY(refused.at(0)[0].toString().contains("edited since the tuning began"));
}

void TuningPanelTest::aLookAtAConfigurationDoesNotHinderContinue() {
    if (!testing::hasPython()) QSKIP("no Python interpreter finds the literals: python3 is not on PATH");
    Studio studio;
    testing::addPythonVariants(studio.folder());
    writeTuning(studio.folder(), pausedTuningOf(studio, "triton"));
    studio.open();
    Session& session = studio.session();
    ProjectDocument& document = session.document();
    session.setVariant("triton");
    QVERIFY(waitUntil([&] { return !document.literals().of(*session.variant()).empty(); }));
    const ShownTuning panel(session);
    auto* go_on = child<QPushButton>(panel, "tuning_pause");
    auto* table = child<QTableView>(panel, "tried_table");
    QVERIFY(waitUntil([&] { return go_on->isEnabled() && table->model()->rowCount() == 5; }));
    const SourceFile* source = document.source("bias_add_triton.py");
    const std::string before = source->text();
    table->selectRow(2);
    QVERIFY(source->text() != before);
    QSignalSpy refused(&session, &Session::refused);
    for (const bool saved : {false, true}) {
        if (saved) press(panel, "tuning_adopt");
        go_on->click();
        QVERIFY2(session.engine().isTuning(), refused.isEmpty() ? "" : qPrintable(refused[0][0].toString()));
        session.engine().stop();
        QVERIFY(waitUntil([&] { return !session.engine().isRunning(); }));
    }
    QCOMPARE(slidersOf(session), session.tunings().shown()->tried[2].configuration);
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
