// SPDX-License-Identifier: GPL-3.0-or-later
// Tunings that run, pause and go on.
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
#include <QTest>

#include "app/studio/document/literals.h"
#include "app/studio/tuning/tried_table.h"
#include "app/studio/tuning/tuning_setup.h"
#include "core/base/tuning_sentences.h"
#include "core/tune/tuning_file.h"
#include "tests/studio/fixtures.h"
#include "tests/studio/registry.h"
#include "tests/studio/shown_tuning.h"

namespace kernelgen::studio {

using testing::child;
using testing::letTuneQuickly;
using testing::pausedTuningOf;
using testing::press;
using testing::ShownTuning;
using testing::slidersOf;
using testing::stateOf;
using testing::Studio;
using testing::triedOnDisk;
using testing::tuningOf;
using testing::waitUntil;
using testing::writeTuning;

class TuningRunsTest : public QObject {
    Q_OBJECT

private slots:
    void whatThereWasNoTimeForIsShownAndCanBeContinued();
    void aTuningRunsToItsEndAndBecomesARound();
    void aPausedTuningIsContinuedAfterTheWindowWasClosed();
    void aPausedTuningsEntriesAreShownWhenTheProjectIsOpened();
    void stopDecidesWithWhatWasTried();
    void aPausedTuningIsContinuedWhateverVariantIsChosen();
    void anEditedSourceIsNotContinuedWith();
    void aLookAtAConfigurationDoesNotHinderContinue();
};

void TuningRunsTest::whatThereWasNoTimeForIsShownAndCanBeContinued() {
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

void TuningRunsTest::aTuningRunsToItsEndAndBecomesARound() {
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

void TuningRunsTest::aPausedTuningIsContinuedAfterTheWindowWasClosed() {
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

void TuningRunsTest::aPausedTuningsEntriesAreShownWhenTheProjectIsOpened() {
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

void TuningRunsTest::stopDecidesWithWhatWasTried() {
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

void TuningRunsTest::aPausedTuningIsContinuedWhateverVariantIsChosen() {
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

void TuningRunsTest::anEditedSourceIsNotContinuedWith() {
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

void TuningRunsTest::aLookAtAConfigurationDoesNotHinderContinue() {
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

}  // namespace kernelgen::studio

STUDIO_TEST(kernelgen::studio::TuningRunsTest)
#include "tuning_runs_test.moc"
