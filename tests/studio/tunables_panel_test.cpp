// SPDX-License-Identifier: GPL-3.0-or-later
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QTableWidget>
#include <QTest>

#include "app/studio/tunables/best_comparison.h"
#include "app/studio/tunables/tunables_panel.h"
#include "core/project/project_file.h"
#include "tests/studio/fixtures.h"
#include "tests/studio/registry.h"

namespace kernelgen::studio {

using testing::Studio;
using testing::waitUntil;

namespace {

std::int64_t valueOf(Session& session, const std::string& tunable) {
    return configuration_of(*session.variant()).at(tunable);
}

/// A panel over a copy of bias_add with ten recorded rounds, of which number 4 is the best.
struct OpenTunables {
    explicit OpenTunables(const QString& sample = "bias_add") : studio(sample) {
        testing::writeHistory(studio.folder(), 10);
        if (sample == "bias_add") takeConditionsOf(testing::exampleRound(0, Status::ok));
        studio.open();
        panel.resize(300, 800);
        panel.show();
        waitUntil([this] { return !studio.session().rounds().history().rounds.empty(); });
    }
    template <class Widget>
    Widget* find(const QString& name) {
        return panel.findChild<Widget*>(name);
    }
    QString text(const QString& label) { return find<QLabel>(label)->text(); }
    Session& session() { return studio.session(); }
    const Round* best() { return bestRound(session()); }

    /// Gives the project the case and the baseline that the round had.
    void takeConditionsOf(const Round& round) {
        Validated<Project> project = load_project(studio.folder().toStdString());
        project->cases = {round.cases.front().binding};
        project->performance.baseline = {{"", round.baseline}};
        QVERIFY(save_project(*project));
    }

    Studio studio;
    TunablesPanel panel{studio.session()};
};

}  // namespace

class TunablesPanelTest : public QObject {
    Q_OBJECT

private slots:
    void aSliderStepsThroughTheAllowedValuesByKeyboard();
    void aClickBesideTheHandleTakesTheValueThere();
    void theBoxStepsThroughTheAllowedValuesAlone();
    void anAllowedValueCanBeTyped();
    void aTunableWithoutValuesHasNoRow();
    void aValueThatIsNotAllowedBecomesTheNearestAndSaysSo();
    void everyControlHasANameAndABuddy();
    void aRestrictionThatDoesNotHoldIsExplainedWhileTheSliderMoves();
    void rulesByCaseAreShownBelowTheSliders();
    void bestTakesTheBestRoundsValuesAsOneStep();
    void noRoundOfOtherCasesIsCalledTheBest();
    void resetTakesTheSavedValuesAsOneStep();
    void theComparisonShowsWhatDiffersInBold();
    void theBestRoundIsShownWithWholeNamesAndItsNoise();
    void theBuildFollowsTheSlider();
    void aBuildThatFailsNamesItsFirstErrorAndLeadsThere();
    void anErrorIsCopiedAsTheCompilerWroteIt();
    void whatCannotBeTunedSaysWhyAndWhatToDo();
    void undoMovesTheSliderBack();
};

void TunablesPanelTest::aSliderStepsThroughTheAllowedValuesByKeyboard() {
    OpenTunables open;
    auto* slider = open.find<QSlider>("BLOCK_M_slider");
    QTest::keyClick(slider, Qt::Key_Home);
    QCOMPARE(valueOf(open.session(), "BLOCK_M"), 1);
    QTest::keyClick(slider, Qt::Key_Right);
    QCOMPARE(valueOf(open.session(), "BLOCK_M"), 2);
    QTest::keyClick(slider, Qt::Key_End);
    QCOMPARE(valueOf(open.session(), "BLOCK_M"), 64);
    QTest::keyClick(slider, Qt::Key_PageDown);
    QCOMPARE(valueOf(open.session(), "BLOCK_M"), 32);
    QCOMPARE(open.find<QSpinBox>("BLOCK_M_box")->text(), "32");
    QCOMPARE(open.session().document().undoStack().count(), 1);
}

void TunablesPanelTest::aClickBesideTheHandleTakesTheValueThere() {
    OpenTunables open;
    auto* slider = open.find<QSlider>("BLOCK_N_slider");
    QTest::mouseClick(slider, Qt::LeftButton, {}, {slider->width() - 4, slider->height() / 3});
    QCOMPARE(valueOf(open.session(), "BLOCK_N"), 4096);
    QTest::mouseClick(slider, Qt::LeftButton, {}, {slider->width() / 2, slider->height() / 3});
    QCOMPARE(valueOf(open.session(), "BLOCK_N"), 512);
}

void TunablesPanelTest::theBoxStepsThroughTheAllowedValuesAlone() {
    OpenTunables open;
    auto* box = open.find<QSpinBox>("BLOCK_N_box");
    QTest::keyClick(box, Qt::Key_Up);
    QCOMPARE(valueOf(open.session(), "BLOCK_N"), 512);
    QTest::keyClick(box, Qt::Key_Down);
    QTest::keyClick(box, Qt::Key_Down);
    QCOMPARE(valueOf(open.session(), "BLOCK_N"), 128);
}

void TunablesPanelTest::aTunableWithoutValuesHasNoRow() {
    OpenTunables open;
    open.session().document().edit("empty", [](Project& project) { project.variants[0].tunables[0].values.clear(); });
    const QString name = QString::fromStdString(open.session().variant()->tunables[0].name);
    QTRY_VERIFY(open.panel.findChild<QSpinBox*>(name + "_box") == nullptr);
}

void TunablesPanelTest::anAllowedValueCanBeTyped() {
    OpenTunables open;
    auto* box = open.find<QSpinBox>("BLOCK_N_box");
    box->selectAll();
    QTest::keyClicks(box, "1024");
    QTest::keyClick(box, Qt::Key_Return);
    QCOMPARE(valueOf(open.session(), "BLOCK_N"), 1024);
    QVERIFY(open.find<QLabel>("BLOCK_N_correction")->isHidden());
}

void TunablesPanelTest::aValueThatIsNotAllowedBecomesTheNearestAndSaysSo() {
    OpenTunables open;
    auto* box = open.find<QSpinBox>("BLOCK_N_box");
    box->selectAll();
    QTest::keyClicks(box, "1500");
    QTest::keyClick(box, Qt::Key_Return);
    QCOMPARE(valueOf(open.session(), "BLOCK_N"), 1024);
    QCOMPARE(box->text(), "1024");
    QVERIFY(open.find<QLabel>("BLOCK_N_correction")->isVisible());
    QCOMPARE(open.text("BLOCK_N_correction"), "1500 is not allowed: the nearest is 1024");
}

void TunablesPanelTest::everyControlHasANameAndABuddy() {
    OpenTunables open;
    for (QSlider* each : open.panel.findChildren<QSlider*>()) QVERIFY(each->accessibleName().endsWith(" slider"));
    const auto labels = open.panel.findChildren<QLabel*>();
    for (QSpinBox* each : open.panel.findChildren<QSpinBox*>()) {
        QVERIFY(!each->accessibleName().isEmpty());
        QVERIFY(std::ranges::any_of(labels, [&](const QLabel* label) { return label->buddy() == each; }));
    }
}

void TunablesPanelTest::aRestrictionThatDoesNotHoldIsExplainedWhileTheSliderMoves() {
    OpenTunables open;
    auto* slider = open.find<QSlider>("BLOCK_N_slider");
    QVERIFY(open.find<QLabel>("restriction")->isHidden());
    QTest::keyClick(slider, Qt::Key_End);
    QVERIFY(open.find<QLabel>("restriction")->isVisible());
    QVERIFY(open.text("restriction").contains("BLOCK_M * BLOCK_N <= 65536"));
    QVERIFY(open.text("restriction").contains("recorded as restricted"));
    QCOMPARE(open.text("build_state"), "Restricted, so not built");
    QTest::keyClick(slider, Qt::Key_Home);
    QVERIFY(open.find<QLabel>("restriction")->isHidden());
}

void TunablesPanelTest::rulesByCaseAreShownBelowTheSliders() {
    OpenTunables open;
    QVERIFY(open.find<QLabel>("rules")->isHidden());
    open.session().document().edit("rule", [](Project& project) {
        project.variants[0].configurations = {{"D > 8192", {{"BLOCK_M", 1}, {"BLOCK_N", 256}}}};
        project.dispatch = {{"D < 8", project.variants[1].name}, {"P < 8", "cuda"}};
    });
    QVERIFY(open.find<QLabel>("rules")->isVisible());
    QCOMPARE(open.text("rules"), "Where D > 8192: BLOCK_M=1 BLOCK_N=256\nWhere D < 8: variant naive");
}

void TunablesPanelTest::bestTakesTheBestRoundsValuesAsOneStep() {
    OpenTunables open;
    QTest::mouseClick(open.find<QPushButton>("take_best"), Qt::LeftButton);
    const Round* best = open.best();
    QCOMPARE(valueOf(open.session(), "BLOCK_M"), best->configuration.at("BLOCK_M"));
    QCOMPARE(valueOf(open.session(), "BLOCK_N"), best->configuration.at("BLOCK_N"));
    QCOMPARE(open.session().document().undoStack().count(), 1);
    QCOMPARE(valueOf(open.session(), "UNROLL"), 4);  // the round had no such tunable: it stays
}

void TunablesPanelTest::noRoundOfOtherCasesIsCalledTheBest() {
    OpenTunables open;
    open.session().document().edit("another case", [](Project& project) { project.cases[0].sizes["D"] = 65536; });
    QCOMPARE(open.best(), nullptr);
    QVERIFY(!open.find<QPushButton>("take_best")->isEnabled());
    QVERIFY(open.text("best_heading").startsWith("No round of this variant is ok on cpu"));
}

void TunablesPanelTest::resetTakesTheSavedValuesAsOneStep() {
    OpenTunables open;
    auto* reset = open.find<QPushButton>("reset_tunables");
    QVERIFY(!reset->isEnabled());
    QTest::keyClick(open.find<QSlider>("BLOCK_M_slider"), Qt::Key_Home);
    QTest::keyClick(open.find<QSlider>("UNROLL_slider"), Qt::Key_Home);
    QTest::mouseClick(reset, Qt::LeftButton);
    QCOMPARE(valueOf(open.session(), "BLOCK_M"), 64);
    QCOMPARE(valueOf(open.session(), "UNROLL"), 4);
    QCOMPARE(open.session().document().undoStack().count(), 3);
    QVERIFY(!reset->isEnabled());
}

void TunablesPanelTest::theComparisonShowsWhatDiffersInBold() {
    OpenTunables open;
    auto* table = open.find<QTableWidget>("best_table");
    const Round* best = open.best();
    QCOMPARE(table->horizontalHeaderItem(2)->text(), QString("Round %1").arg(best->number));
    QCOMPARE(table->item(0, 0)->text(), "BLOCK_M");
    QCOMPARE(table->item(0, 1)->text(), "64");
    QCOMPARE(table->item(0, 2)->text(), QString::number(best->configuration.at("BLOCK_M")));
    QVERIFY(table->item(0, 2)->font().bold());
    open.panel.takeBest();
    QVERIFY(!table->item(0, 2)->font().bold());
    QVERIFY(open.text("best_heading").contains(QString("round %1").arg(best->number)));
}

void TunablesPanelTest::theBestRoundIsShownWithWholeNamesAndItsNoise() {
    OpenTunables open;
    open.session().document().edit(
        "a long name", [](Project& project) { project.variants[0].tunables[0].name = "SPLIT_K_SLICES_OF_A"; });
    auto* table = open.find<QTableWidget>("best_table");
    QCOMPARE(table->item(0, 0)->text(), "SPLIT_K_SLICES_OF_A");
    QFont bold = table->font();
    bold.setBold(true);
    const int needed = QFontMetrics(bold).horizontalAdvance(table->item(0, 0)->text());
    QVERIFY2(table->columnWidth(0) >= needed + 6, qPrintable(QString::number(table->columnWidth(0))));
    QVERIFY(!open.text("best_heading").contains("Noisy"));
    OpenTunables noisy;
    History history = testing::exampleHistory(10);
    for (Round& each : history.rounds) {
        for (RoundCase& timed : each.cases) timed.baseline_rsd = 0.2;
    }
    testing::writeHistory(noisy.studio.folder(), history);
    noisy.session().rounds().reload();
    QVERIFY(waitUntil([&] { return noisy.text("best_heading").contains("Noisy: the samples' RSD is 20.0 %"); }));
    QVERIFY(noisy.text("best_heading").contains("≈ 1.4"));
}

void TunablesPanelTest::theBuildFollowsTheSlider() {
    OpenTunables open;
    std::vector<BuildOutcome> outcomes;
    connect(&open.session().engine(), &Engine::buildFinished, this,
            [&](const BuildOutcome& each) { outcomes.push_back(each); });
    QTest::keyClick(open.find<QSlider>("BLOCK_M_slider"), Qt::Key_Home);
    const auto built = [&](std::int64_t value) {
        return waitUntil([&] { return !outcomes.empty() && outcomes.back().configuration.at("BLOCK_M") == value; });
    };
    QVERIFY(built(1));
    QVERIFY2(open.text("build_state").startsWith("Built"), qPrintable(open.text("build_state")));
    QTest::keyClick(open.find<QSlider>("BLOCK_M_slider"), Qt::Key_Right);
    QVERIFY(built(2));
    QTest::keyClick(open.find<QSlider>("BLOCK_M_slider"), Qt::Key_Left);
    QVERIFY(built(1));
    QCOMPARE(open.text("build_state"), "Built, from the cache");
}

void TunablesPanelTest::aBuildThatFailsNamesItsFirstErrorAndLeadsThere() {
    OpenTunables open;
    QSignalSpy went(&open.panel, &TunablesPanel::goToSource);
    open.session().document().source("bias_add.cpp")->replaceText("int ok;\nmistake;\n");
    QVERIFY(waitUntil([&] { return open.text("build_state").startsWith("Failed: "); }));
    QVERIFY(open.text("build_state").contains("bias_add.cpp:2"));
    emit open.find<QLabel>("build_state")->linkActivated("error");
    QCOMPARE(went.count(), 1);
    QCOMPARE(went[0][0].toString(), "bias_add.cpp");
    QCOMPARE(went[0][1].toInt(), 2);
}

/// In a message long words have places to break that nobody sees.
void TunablesPanelTest::anErrorIsCopiedAsTheCompilerWroteIt() {
    OpenTunables open;
    const QString name(60, 'm');
    open.session().document().source("bias_add.cpp")->replaceText("int ok;\n" + name + ";\n");
    QVERIFY(waitUntil([&] { return open.text("build_state").startsWith("Failed: "); }));
    auto* state = open.find<QLabel>("build_state");
    state->setSelection(0, 95);
    QTest::keySequence(state, QKeySequence::Copy);
    const QString copied = QGuiApplication::clipboard()->text();
    QVERIFY2(copied.contains(name), qPrintable(copied));
}

void TunablesPanelTest::whatCannotBeTunedSaysWhyAndWhatToDo() {
    OpenTunables open;
    open.session().setVariant("library");
    QVERIFY(open.find<QLabel>("tunables_empty")->isVisible());
    QVERIFY(open.text("tunables_empty").contains("library onednn"));
    QVERIFY(open.panel.findChildren<QSlider*>().isEmpty());
    open.session().setVariant("naive");
    QVERIFY(open.text("tunables_empty").startsWith("naive has no tunables"));
    open.session().setVariant("host");
    QVERIFY(open.find<QLabel>("tunables_empty")->isHidden());
    open.session().document().close();
    QVERIFY(open.text("tunables_empty").startsWith("Open a project"));
}

void TunablesPanelTest::undoMovesTheSliderBack() {
    OpenTunables open;
    auto* slider = open.find<QSlider>("BLOCK_M_slider");
    const int before = slider->value();
    QTest::keyClick(slider, Qt::Key_Home);
    open.session().document().undoStack().undo();
    QCOMPARE(slider->value(), before);
    QCOMPARE(open.find<QSpinBox>("BLOCK_M_box")->text(), "64");
}

}  // namespace kernelgen::studio

STUDIO_TEST(kernelgen::studio::TunablesPanelTest)
#include "tunables_panel_test.moc"
