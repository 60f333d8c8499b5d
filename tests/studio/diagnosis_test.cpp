// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QDialog>
#include <QDir>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>
#include <QTimer>
#include <QToolButton>
#include <filesystem>

#include "app/studio/application/language.h"
#include "app/studio/diagnosis/apply_dialog.h"
#include "app/studio/diagnosis/counter_table.h"
#include "app/studio/diagnosis/diagnosis_panel.h"
#include "app/studio/diagnosis/finding_card.h"
#include "app/studio/diagnosis/optimize_dialog.h"
#include "app/studio/dialogs/settings_dialog.h"
#include "app/studio/window/main_window.h"
#include "core/diagnose/rule.h"
#include "core/measure/metrics.h"
#include "core/project/project_file.h"
#include "core/round/noise.h"
#include "tests/studio/fixtures.h"
#include "tests/studio/registry.h"

namespace kernelgen::studio {

using testing::child;
using testing::exampleRound;
using testing::Studio;
using testing::waitUntil;

class DiagnosisTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void withoutARoundThePanelSaysWhatToPress();
    void aRunShowsItsFindingsInTheOrderOfWhatTheyCanGain();
    void whyIsToldWhereItIsUnfolded();
    void behindAnotherTabNothingIsMade();
    void theDiagnosisStaysInFrontAfterARun();
    void aStrategyBecomesTheNextRound();
    void whatCannotBeAppliedSaysWhy();
    void aPersonsSourceIsShownBeforeItIsChanged();
    void aRoundThatWasNotTimedSaysSo();
    void indicatorsStandAgainstTheirGoals();
    void goalsAreSavedForTheCommandLineToo();
    void countersStandBesideThoseOfTheBestRound();
    void energyIsToldWhereADeviceTellsIt();
    void optimizeMakesRoundsAndSaysWhyItEnded();
    void aStoppedOptimizationSaysSo();
    void aBudgetThatIsNoTimeCannotBeStarted();
    void theLastOptimizationIsRecalledFromTheHistory();
    void thePanelSpeaksChinese();

private:
    QTemporaryDir data_;
};

namespace {

/// A panel that is shown, so that its cards are made.
class ShownDiagnosis : public DiagnosisPanel {
public:
    explicit ShownDiagnosis(Session& session) : DiagnosisPanel(session) {
        resize(900, 500);
        show();
    }
};

QList<FindingCard*> cardsOf(const QWidget& panel) {
    QList<FindingCard*> shown;
    for (auto* each : panel.findChildren<FindingCard*>()) {
        if (each->isVisible()) shown << each;
    }
    return shown;
}

/// The buttons that apply something, of all cards.
QList<QPushButton*> appliersOf(const QWidget& panel) {
    QList<QPushButton*> buttons;
    for (const FindingCard* card : cardsOf(panel)) {
        for (auto* each : card->findChildren<QPushButton*>("apply")) {
            if (each->text() != "By hand") buttons << each;
        }
    }
    return buttons;
}

QString lastEntry(Session& session) { return session.log().entries().back().text; }

/// A project in which the plain loop was timed once. The first studio that needs it records the round; the others have
/// a copy.
const QString& timedProject() {
    static const QTemporaryDir recorded;
    static const QString folder = recorded.path() + "/project";
    return folder;
}

void copyProject(const QString& from, const QString& to) {
    namespace fs = std::filesystem;
    fs::copy(from.toStdString(), to.toStdString(), fs::copy_options::recursive | fs::copy_options::overwrite_existing);
}

/// A studio in which the plain loop was timed once.
class TimedStudio : public Studio {
public:
    TimedStudio() {
        const bool is_recorded = QDir(timedProject()).exists();
        if (is_recorded) copyProject(timedProject(), folder());
        open();
        session().setVariant("naive");
        if (is_recorded) {
            waitForDiagnosis();
        } else {
            run();
            copyProject(folder(), timedProject());
        }
    }
    void run() {
        session().run("");
        if (!waitUntil([&] { return !session().engine().isRunning(); })) qFatal("the run does not end");
        waitForDiagnosis();
    }
    void waitForDiagnosis() {
        const bool found =
            waitUntil([&] { return session().diagnoses().causes() && session().diagnoses().strategies(); });
        if (!found) qFatal("no diagnosis: %s", qPrintable(lastEntry(session())));
    }
    const std::vector<Round>& rounds() { return session().rounds().history().rounds; }
};

/// Has `act` done with the next dialog of this name.
void withNextDialog(const QString& name, const std::function<void(QDialog&)>& act) {
    QTimer::singleShot(20, qApp, [name, act] {
        auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
        if (dialog == nullptr || dialog->objectName() != name) return withNextDialog(name, act);
        act(*dialog);
    });
}

}  // namespace

/// Patterns and goals are kept in a folder of the test's own.
void DiagnosisTest::initTestCase() { qputenv("XDG_DATA_HOME", data_.path().toUtf8()); }

void DiagnosisTest::withoutARoundThePanelSaysWhatToPress() {
    Studio studio;
    studio.open();
    const ShownDiagnosis panel(studio.session());
    const auto* message = child<QLabel>(panel, "diagnosis_message");
    QVERIFY(waitUntil([&] { return message->text().contains("Press F5"); }));
    QVERIFY(cardsOf(panel).isEmpty());
    QVERIFY(waitUntil([&] { return child<QPushButton>(panel, "optimize")->isEnabled(); }));
}

void DiagnosisTest::aRunShowsItsFindingsInTheOrderOfWhatTheyCanGain() {
    TimedStudio studio;
    const ShownDiagnosis panel(studio.session());
    QVERIFY(waitUntil([&] { return !appliersOf(panel).isEmpty(); }));
    const QString subject = child<QLabel>(panel, "diagnosis_subject")->text();
    QVERIFY2(subject.contains("Round 0") && subject.contains("naive"), qPrintable(subject));
    const std::vector<Finding>& findings = studio.session().diagnoses().causes()->cases[0].findings;
    const QList<FindingCard*> cards = cardsOf(panel);
    QVERIFY(cards.size() >= static_cast<qsizetype>(findings.size()));
    for (std::size_t i = 0; i < findings.size(); ++i) {
        const FindingCard& card = *cards[static_cast<qsizetype>(i)];
        QCOMPARE(card.rule(), findings[i].rule);
        QVERIFY(!child<QLabel>(card, "finding_title")->text().isEmpty());
        if (findings[i].most_gain)
            QVERIFY2(child<QLabel>(card, "finding_gain")->text().contains("up to"), card.rule().c_str());
    }
}

void DiagnosisTest::whyIsToldWhereItIsUnfolded() {
    TimedStudio studio;
    const ShownDiagnosis panel(studio.session());
    QVERIFY(waitUntil([&] { return !appliersOf(panel).isEmpty(); }));
    FindingCard* card = cardsOf(panel)[0];
    const std::string rule = card->rule();
    const auto tellsWhy = [](const FindingCard& each) {
        return std::ranges::any_of(each.findChildren<QLabel*>(), [](const QLabel* label) {
            return label->isVisible() && label->text().startsWith("To confirm: ");
        });
    };
    QVERIFY(!tellsWhy(*card));
    card->findChild<QToolButton*>()->click();
    QVERIFY(tellsWhy(*card));
    const QPointer<FindingCard> before = card;
    studio.session().diagnoses().again();
    QVERIFY(waitUntil([&] { return before.isNull() && !appliersOf(panel).isEmpty(); }));
    QCOMPARE(cardsOf(panel)[0]->rule(), rule);
    QVERIFY(tellsWhy(*cardsOf(panel)[0]));  // it stays so
}

void DiagnosisTest::behindAnotherTabNothingIsMade() {
    TimedStudio studio;
    DiagnosisPanel panel(studio.session());
    QVERIFY(panel.findChildren<FindingCard*>().isEmpty());
    panel.show();
    QVERIFY(waitUntil([&] { return !cardsOf(panel).isEmpty(); }));
}

void DiagnosisTest::theDiagnosisStaysInFrontAfterARun() {
    TimedStudio studio;
    MainWindow window(studio.session());
    window.show();
    auto* dock = window.findChild<QDockWidget*>("diagnosis");
    QVERIFY(waitUntil([&] { return dock->isVisible(); }));
    dock->raise();
    QVERIFY(waitUntil([&] { return !dock->visibleRegion().isEmpty(); }));
    studio.run();
    QTest::qWait(100);
    QVERIFY(!dock->visibleRegion().isEmpty());
}

void DiagnosisTest::aStrategyBecomesTheNextRound() {
    TimedStudio studio;
    const ShownDiagnosis panel(studio.session());
    QVERIFY(waitUntil([&] { return !appliersOf(panel).isEmpty() && appliersOf(panel)[0]->isEnabled(); }));
    const Project before = studio.session().document().project();
    const Proposal proposal = studio.session().diagnoses().strategies()->proposals.all[0];
    appliersOf(panel)[0]->click();
    QVERIFY(studio.session().engine().isMakingRound());
    QVERIFY(waitUntil([&] { return studio.rounds().size() == 2; }));
    const Round& made = studio.rounds()[1];
    QVERIFY2(made.applied.has_value(), made.reason.text().c_str());
    QCOMPARE(made.applied->after, studio.rounds()[0].number);
    QCOMPARE(made.status, Status::ok);
    QCOMPARE(studio.session().selectedRound(), std::optional(made.number));
    QVERIFY(waitUntil([&] { return panel.findChild<QLabel*>("applied_outcome") != nullptr; }));
    QVERIFY(child<QLabel>(panel, "applied_outcome")->text().contains("measured"));
}

void DiagnosisTest::whatCannotBeAppliedSaysWhy() {
    TimedStudio studio;
    const ShownDiagnosis panel(studio.session());
    Session& session = studio.session();
    QVERIFY(waitUntil([&] { return !appliersOf(panel).isEmpty() && appliersOf(panel)[0]->isEnabled(); }));
    QVERIFY(waitUntil([&] { return session.engine().device("cuda:h200") != nullptr; }));
    session.setDevice("cuda:h200");
    QVERIFY(!appliersOf(panel)[0]->isEnabled());
    QVERIFY(!appliersOf(panel)[0]->toolTip().isEmpty());
    QVERIFY(!child<QPushButton>(panel, "optimize")->isEnabled());
    session.setDevice("cpu");
    QVERIFY(appliersOf(panel)[0]->isEnabled());
    session.document().edit("body", [](Project& project) { project.definition.body += " + x * 0"; });
    QVERIFY(!appliersOf(panel)[0]->isEnabled());
    QVERIFY2(appliersOf(panel)[0]->toolTip().contains("operator was changed"),
             qPrintable(appliersOf(panel)[0]->toolTip()));
}

void DiagnosisTest::aPersonsSourceIsShownBeforeItIsChanged() {
    Studio studio;
    studio.open();
    Session& session = studio.session();
    session.setVariant("naive");
    const std::string source = session.variant()->source;
    QTextDocument& text = session.document().source(source)->document();
    text.setPlainText(text.toPlainText() + "\ninline double planted() { return 0.5; }\n");
    const ShownDiagnosis panel(session);
    session.run("");
    QVERIFY2(waitUntil([&] { return session.diagnoses().strategies() != nullptr; }), qPrintable(lastEntry(session)));
    const auto& all = session.diagnoses().strategies()->proposals.all;
    const auto edit = std::ranges::find(all, "single_precision", &Proposal::strategy);
    QVERIFY(edit != all.end());
    QPushButton* button = nullptr;
    QVERIFY(waitUntil([&] {
        for (QPushButton* each : appliersOf(panel)) {
            if (each->accessibleName().contains("ingle precision") && each->isEnabled()) button = each;
        }
        return button != nullptr;
    }));
    QString shown;
    withNextDialog("apply_dialog", [&](QDialog& dialog) {
        shown = child<QTextBrowser>(dialog, "apply_difference")->toPlainText();
        dialog.reject();
    });
    button->click();
    QVERIFY2(shown.contains("+inline float planted() { return 0.5f; }"), qPrintable(shown));
    QVERIFY(!session.engine().isRunning());
    withNextDialog("apply_dialog", [](QDialog& dialog) { dialog.accept(); });
    button->click();
    QVERIFY(session.engine().isMakingRound());
    QVERIFY(waitUntil([&] { return session.rounds().history().rounds.size() == 2; }));
    QVERIFY(text.toPlainText().contains("double planted"));  // the file is the person's
}

void DiagnosisTest::aRoundThatWasNotTimedSaysSo() {
    TimedStudio studio;
    Session& session = studio.session();
    session.document().source(session.variant()->source)->document().setPlainText("no C++");
    const ShownDiagnosis panel(session);
    session.run("");
    const auto* message = child<QLabel>(panel, "diagnosis_message");
    QVERIFY(waitUntil([&] { return message->text().contains("was not timed (build failed"); }));
    QVERIFY(cardsOf(panel).isEmpty());
    session.selectRound(studio.rounds()[0].number);
    QVERIFY(waitUntil([&] { return !cardsOf(panel).isEmpty(); }));
    QVERIFY(message->isHidden());
}

void DiagnosisTest::indicatorsStandAgainstTheirGoals() {
    TimedStudio studio;
    const ShownDiagnosis panel(studio.session());
    const auto texts = [&] {
        QStringList names;
        for (const auto* each : panel.findChildren<QLabel*>("indicator")) {
            if (each->isVisible()) names << each->accessibleName();
        }
        return names;
    };
    QVERIFY(waitUntil([&] { return texts().size() == 3; }));
    QVERIFY2(texts()[0].startsWith("Speedup"), qPrintable(texts()[0]));
    const bool noisy = is_noisy(studio.rounds().back().cases.front());
    QVERIFY2(texts()[0].contains("≈") == noisy, qPrintable(texts()[0]));
    for (const QString& each : texts()) {
        QVERIFY2(each.contains("goal > "), qPrintable(each));
        QVERIFY2(each.contains("reach") || each.contains("not measured"), qPrintable(each));
    }
}

void DiagnosisTest::goalsAreSavedForTheCommandLineToo() {
    TimedStudio studio;
    const auto reached = [&] { return studio.session().diagnoses().causes()->book.goals.at("bandwidth_use"); };
    QCOMPARE(reached(), 0.6);
    SettingsDialog dialog(studio.session());
    child<QDoubleSpinBox>(dialog, "goal_bandwidth_use")->setValue(72.5);
    dialog.accept();
    QCOMPARE(load_rules()->goals.at("bandwidth_use"), 0.725);
    QVERIFY(waitUntil([&] { return studio.session().diagnoses().causes() && reached() == 0.725; }));
    QFile::remove(data_.path() + "/kernelgen/diagnosis/window_goals.json");
}

void DiagnosisTest::countersStandBesideThoseOfTheBestRound() {
    TimedStudio studio;
    studio.session().setVariant("host");
    studio.run();
    const std::vector<Round>& rounds = studio.rounds();
    QCOMPARE(rounds.size(), 2U);
    const bool first_is_best = rounds[0].cases[0].speedup > rounds[1].cases[0].speedup;
    const int best = first_is_best ? 0 : 1, other = 1 - best;
    const ShownDiagnosis panel(studio.session());
    studio.session().selectRound(other);
    const QString title = QString("Counters beside those of the best, round %1").arg(best);
    const auto caption = [&] {
        auto* section = panel.findChild<QWidget*>("diagnosis_counters");
        return section == nullptr ? QString() : section->findChild<QToolButton*>()->text();
    };
    QVERIFY2(waitUntil([&] { return caption() == title; }), qPrintable(caption()));
    const QString told = child<QLabel>(panel, "counter_table")->text();
    QVERIFY2(told.contains("Median time") && told.contains(QString("Best: round %1").arg(best)), qPrintable(told));
    QVERIFY(told.contains("Energy: this device does not tell it"));
    studio.session().selectRound(best);
    QVERIFY(waitUntil([&] { return caption() == "Counters"; }));
    QVERIFY(child<QLabel>(panel, "counter_table")->text().contains("is the best one of its kind"));
}

void DiagnosisTest::energyIsToldWhereADeviceTellsIt() {
    Evidence here, best;
    here.put(metrics::energy_j.name, 12, EvidenceSource::counter);
    here.put(metrics::power_w.name, 300, EvidenceSource::counter);
    here.put(metrics::written_share.name, 0.5, EvidenceSource::definition);
    best.put(metrics::power_w.name, 250, EvidenceSource::counter);
    const std::vector<ComparedMetric> compared = comparedMetrics(here, &best);
    QCOMPARE(compared.size(), 2U);
    QCOMPARE(compared[0].name, metrics::power_w.name);
    QCOMPARE(compared[0].best, std::optional(250.0));
    QCOMPARE(compared[1].name, metrics::energy_j.name);
    QCOMPARE(compared[1].here, std::optional(12.0));
    QVERIFY(!compared[1].best);
    QCOMPARE(comparedMetrics(best, nullptr).size(), 2U);  // energy, which it does not have, is named
}

void DiagnosisTest::optimizeMakesRoundsAndSaysWhyItEnded() {
    Studio studio;
    studio.open();
    Session& session = studio.session();
    session.setVariant("naive");
    ShownDiagnosis panel(session);
    QVERIFY(waitUntil([&] { return child<QPushButton>(panel, "optimize")->isEnabled(); }));
    withNextDialog("optimize_dialog", [](QDialog& dialog) {
        child<QSpinBox>(dialog, "optimize_rounds")->setValue(2);
        child<QDoubleSpinBox>(dialog, "optimize_target")->setValue(900);
        child<QComboBox>(dialog, "optimize_budget")->setCurrentText("20s");
        child<QPushButton>(dialog, "optimize_start")->click();
    });
    child<QPushButton>(panel, "optimize")->click();
    QVERIFY(session.engine().isMakingRound());
    QVERIFY(child<QPushButton>(panel, "story_stop")->isVisible());
    std::size_t seen = 0;  // of its rounds, while it ran
    connect(&session.rounds(), &RoundStore::changed, this, [&] {
        if (session.engine().isRunning()) seen = session.rounds().history().rounds.size();
    });
    QVERIFY(waitUntil([&] { return !session.engine().isRunning(); }, 110000));
    QVERIFY(seen >= 1);
    QVERIFY(!session.story().reason().isEmpty());
    const QString state = child<QLabel>(panel, "story_state")->text();
    QVERIFY2(state.contains("ended after") && state.contains(session.story().reason()), qPrintable(state));
    QVERIFY(session.story().rounds().size() >= 2);
    const QString story = child<QLabel>(panel, "story_rounds")->text();
    QVERIFY2(story.contains("Expected: ") && story.contains("What came of it: "), qPrintable(story));
    QVERIFY(!child<QPushButton>(panel, "story_stop")->isVisible());
    child<QPushButton>(panel, "story_best")->click();
    QCOMPARE(session.selectedRound(), session.story().best());
    QCOMPARE(session.settings().optimizeRounds(), 2);
}

void DiagnosisTest::aStoppedOptimizationSaysSo() {
    Studio studio;
    studio.open();
    Session& session = studio.session();
    session.setVariant("naive");
    const ShownDiagnosis panel(session);
    OptimizeOptions options;
    options.target = 900;
    session.strategyActions().optimize(options);
    QVERIFY(session.engine().isRunning());
    QVERIFY(waitUntil([&] { return session.story().rounds().size() == 1; }));
    child<QPushButton>(panel, "story_stop")->click();
    QVERIFY(waitUntil([&] { return !session.engine().isRunning(); }, 10000));
    QVERIFY2(session.story().reason().contains("cancelled"), qPrintable(session.story().reason()));
    QVERIFY(waitUntil([&] { return session.rounds().history().rounds.size() == session.story().rounds().size(); }));
}

void DiagnosisTest::aBudgetThatIsNoTimeCannotBeStarted() {
    Studio studio;
    studio.open();
    const OptimizeDialog dialog(studio.session());
    child<QComboBox>(dialog, "optimize_budget")->setCurrentText("soon");
    QVERIFY(!child<QPushButton>(dialog, "optimize_start")->isEnabled());
    QVERIFY(child<QLabel>(dialog, "optimize_problem")->text().contains("no time"));
    child<QComboBox>(dialog, "optimize_budget")->setCurrentText("90s");
    QVERIFY(child<QPushButton>(dialog, "optimize_start")->isEnabled());
    QVERIFY(child<QPushButton>(dialog, "optimize_start")->isDefault());
    QCOMPARE(dialog.options().budget_seconds, 90.0);
}

void DiagnosisTest::theLastOptimizationIsRecalledFromTheHistory() {
    History history;
    for (int number = 1; number <= 4; ++number) history.rounds.push_back(exampleRound(number));
    for (int number = 3; number <= 4; ++number) {
        Round& round = history.rounds[static_cast<std::size_t>(number - 1)];
        round.applied = AppliedStrategy{.strategy = "larger_tile", .finding = "tiny_tile", .after = number - 1};
    }
    history.rounds[2].applied->gain = Gain{1.2, 1.1, 1.3};
    history.rounds[3].applied->gain = Gain{1.05, 0.9, 1.2};  // faster, but within the noise: as when it ran, no best
    history.rounds[3].applied->ended = "rounds_spent";
    Studio studio;
    testing::writeHistory(studio.folder(), history);
    studio.open();
    const OptimizationStory& story = studio.session().story();
    QVERIFY(waitUntil([&] { return !story.rounds().empty(); }));
    QCOMPARE(story.rounds().size(), 3U);
    QCOMPARE(story.rounds().front().number, 2);
    QCOMPARE(story.reason(), "all rounds are spent");
    {
        const Language chinese("zh_CN");
        QCOMPARE(story.reason(), "轮次已用完");
    }
    QCOMPARE(story.best(), 3);
    const ShownDiagnosis panel(studio.session());
    const auto* told = child<QLabel>(panel, "story_rounds");
    QVERIFY2(waitUntil([&] { return told->text().contains("Because of &quot;Tiles are tiny&quot; (tiny_tile)"); }),
             qPrintable(told->text()));
}

void DiagnosisTest::thePanelSpeaksChinese() {
    const Language chinese("zh_CN");
    TimedStudio studio;
    const ShownDiagnosis panel(studio.session());
    QVERIFY(waitUntil([&] { return !cardsOf(panel).isEmpty(); }));
    for (const auto* each : panel.findChildren<QPushButton*>("apply")) QVERIFY(!each->text().contains("Apply"));
    const auto is_chinese = [](QChar each) { return each.script() == QChar::Script_Han; };
    for (const FindingCard* card : cardsOf(panel)) {
        const QString title = child<QLabel>(*card, "finding_title")->text();
        QVERIFY2(std::ranges::any_of(title, is_chinese), qPrintable(title));
    }
}

}  // namespace kernelgen::studio

STUDIO_TEST(kernelgen::studio::DiagnosisTest)
#include "diagnosis_test.moc"
