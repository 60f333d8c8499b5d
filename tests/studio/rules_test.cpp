// SPDX-License-Identifier: GPL-3.0-or-later
// Rules by case that tunings propose: shown with what they cost and gain, verified, adopted, taken back.
#include <QDialog>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTimer>
#include <QTreeWidget>

#include "app/studio/charts/number_text.h"
#include "app/studio/tuning/rules_dialog.h"
#include "app/studio/tuning/tuning_panel.h"
#include "core/base/file.h"
#include "core/project/project_file.h"
#include "tests/studio/fixtures.h"
#include "tests/studio/registry.h"

namespace kernelgen::studio {

using testing::Studio;
using testing::waitUntil;
using testing::writeTuning;

class RulesTest : public QObject {
    Q_OBJECT

private slots:
    void tuningsOfOneCaseProposeNone();
    void theyAreShownWithWhatTheyCostAndGain();
    void theyAreAdoptedOnceTheyAreVerifiedAndCanBeTakenBack();
    void aKernelThatIsWrongWithThemLeavesTheProjectAsItWas();
    void aProjectThatIsEditedMeanwhileIsLeftAlone();
    void aSourceThatIsEditedMeanwhileIsNotSavedWithThem();
    void aSourceThatHasChangedIsTheReasonWhyThereAreNone();
    void whatTheProjectHasAlreadyCannotBeAdopted();
};

namespace {

/// A project with a narrow and a wide case whose tunings found another configuration each.
class TunedTwice {
public:
    TunedTwice() { testing::writeTuningsOfTwoCases(studio.folder()); }

    Session& open() {
        studio.open();
        Session& session = studio.session();
        if (!waitUntil([&] { return session.tunings().shown() && session.engine().device(session.device()); }))
            qFatal("the project cannot be opened");
        return session;
    }

    Project onDisk() const { return *load_project(studio.folder().toStdString()); }

    Studio studio;
};

QPushButton* buttonOf(const TuningPanel& panel) { return panel.findChild<QPushButton*>("tuning_rules"); }

/// Presses "Verify and adopt" in the dialog that the panel's button opens.
void adoptFrom(TuningPanel& panel) {
    QTimer::singleShot(20, qApp, [] {
        auto* dialog = qobject_cast<RulesDialog*>(QApplication::activeModalWidget());
        if (dialog == nullptr) qFatal("no dialog");
        dialog->findChild<QPushButton*>("rules_adopt")->click();
    });
    panel.showRules();
}

bool isLogged(Session& session, const char* text) {
    return std::ranges::any_of(session.log().entries(), [&](const LogEntry& each) { return each.text.contains(text); });
}

bool areProposed(Session& session) {
    return waitUntil([&] { return session.rules().proposal() != nullptr; });
}

}  // namespace

void RulesTest::tuningsOfOneCaseProposeNone() {
    Studio studio;
    Tuning tuning = testing::exampleTuning(5);
    tuning.outcome = TuningOutcome{.configuration = tuning.head.incumbent};
    writeTuning(studio.folder(), tuning);
    studio.open();
    TuningPanel panel(studio.session());
    QVERIFY(waitUntil([&] { return studio.session().tunings().shown() != nullptr; }));
    QTest::qWait(100);
    QVERIFY(!studio.session().rules().proposal());
    QVERIFY(buttonOf(panel)->isHidden());
}

void RulesTest::theyAreShownWithWhatTheyCostAndGain() {
    TunedTwice tuned;
    Session& session = tuned.open();
    TuningPanel panel(session);
    QVERIFY(areProposed(session));
    QVERIFY(!buttonOf(panel)->isHidden());
    const RulesDialog dialog(session.rules());
    const auto* tree = dialog.findChild<QTreeWidget*>("rules_tree");
    QCOMPARE(tree->topLevelItemCount(), 2);
    QVERIFY2(tree->topLevelItem(0)->text(0).startsWith("when D"), qPrintable(tree->topLevelItem(0)->text(0)));
    QVERIFY(tree->topLevelItem(0)->text(1).contains("BLOCK_N="));
    QCOMPARE(tree->topLevelItem(1)->text(0), QString("where no rule holds"));
    const QTreeWidgetItem* wide = tree->topLevelItem(0)->child(0);
    QCOMPARE(wide->text(2), percentText(0));
    QCOMPARE(wide->text(3), ratioText(1.5));
    QCOMPARE(wide->text(4), ratioText(1.25));
    QVERIFY(dialog.findChild<QPushButton*>("rules_adopt")->isEnabled());
}

void RulesTest::theyAreAdoptedOnceTheyAreVerifiedAndCanBeTakenBack() {
    TunedTwice tuned;
    Session& session = tuned.open();
    TuningPanel panel(session);
    QVERIFY(areProposed(session));
    const Project before = tuned.onDisk();
    adoptFrom(panel);
    QVERIFY(session.engine().isRunning());
    QVERIFY(waitUntil([&] { return isLogged(session, "Adopted the rules of tuning 1"); }, 110000));
    QCOMPARE(tuned.onDisk().find_variant("host")->configurations.size(), std::size_t{1});
    QVERIFY(session.rules().areInForce());
    QTest::qWait(300);  // for what saving asks for again
    QVERIFY2(session.rules().areInForce(), qPrintable(session.rules().whyNone()));
    session.document().undoStack().undo();
    QVERIFY(session.document().project() == before);
}

void RulesTest::aKernelThatIsWrongWithThemLeavesTheProjectAsItWas() {
    TunedTwice tuned;
    const Project before = tuned.onDisk();
    const std::string source = (before.folder / before.find_variant("host")->source).string();
    Session& session = tuned.open();
    TuningPanel panel(session);
    QVERIFY(areProposed(session));
    const std::string text = read_file(source).value();
    QVERIFY(write_file_atomic(source, text + "\n#error it does not build\n").has_value());
    adoptFrom(panel);
    QVERIFY(
        waitUntil([&] { return isLogged(session, "The rules were not adopted: the project is as it was"); }, 110000));
    QVERIFY(tuned.onDisk() == before);
}

void RulesTest::aProjectThatIsEditedMeanwhileIsLeftAlone() {
    TunedTwice tuned;
    Session& session = tuned.open();
    TuningPanel panel(session);
    QVERIFY(areProposed(session));
    adoptFrom(panel);
    session.document().edit("edit", [](Project& project) { project.definition.description = "another"; });
    QVERIFY(waitUntil([&] { return isLogged(session, "the project was edited meanwhile"); }, 110000));
    QVERIFY(session.document().project().find_variant("host")->configurations.empty());
}

void RulesTest::aSourceThatIsEditedMeanwhileIsNotSavedWithThem() {
    TunedTwice tuned;
    const Project before = tuned.onDisk();
    const std::string file = before.find_variant("host")->source, path = (before.folder / file).string();
    const std::string text = read_file(path).value();
    Session& session = tuned.open();
    TuningPanel panel(session);
    QVERIFY(areProposed(session));
    adoptFrom(panel);
    session.document().setTexts({{file, text + "// edited\n"}});
    QVERIFY(waitUntil([&] { return isLogged(session, "the project was edited meanwhile"); }, 110000));
    QVERIFY(session.document().project().find_variant("host")->configurations.empty());
    QCOMPARE(read_file(path).value(), text);
}

void RulesTest::aSourceThatHasChangedIsTheReasonWhyThereAreNone() {
    TunedTwice tuned;
    const Project project = tuned.onDisk();
    const std::string source = (project.folder / project.find_variant("host")->source).string();
    QVERIFY(write_file_atomic(source, read_file(source).value() + "\n// edited\n").has_value());
    Session& session = tuned.open();
    TuningPanel panel(session);
    QVERIFY(waitUntil([&] { return !session.rules().whyNone().isEmpty(); }));
    QVERIFY(session.rules().whyNone().contains("have changed since"));
    const RulesDialog dialog(session.rules());
    QVERIFY(!dialog.findChild<QPushButton*>("rules_adopt")->isEnabled());
    QCOMPARE(dialog.findChild<QLabel*>("rules_heading")->text(), session.rules().whyNone());
}

void RulesTest::whatTheProjectHasAlreadyCannotBeAdopted() {
    TunedTwice tuned;
    Session& session = tuned.open();
    QVERIFY(areProposed(session));
    const RuleProposal proposal = *session.rules().proposal();
    session.document().edit("rules", [&](Project& project) {
        Variant& host = *std::ranges::find(project.variants, "host", &Variant::name);
        host.configurations = configuration_rules({}, proposal.rules);
        for (Tunable& each : host.tunables) each.value = proposal.rules.back().configuration.at(each.name);
    });
    QVERIFY(session.rules().areInForce());
    QVERIFY(!RulesDialog(session.rules()).findChild<QPushButton*>("rules_adopt")->isEnabled());
}

}  // namespace kernelgen::studio

STUDIO_TEST(kernelgen::studio::RulesTest)
#include "rules_test.moc"
