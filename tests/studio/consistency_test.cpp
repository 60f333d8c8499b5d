// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QTextCursor>

#include "app/studio/consistency/consistency_panel.h"
#include "tests/studio/fixtures.h"
#include "tests/studio/registry.h"

namespace kernelgen::studio {

using testing::Studio;
using testing::waitUntil;

namespace {

struct Open {
    Open() {
        testing::addPythonVariants(studio.folder());
        studio.open();
        panel.resize(1000, 300);
        panel.show();
    }
    QTableView& table() { return *panel.findChild<QTableView*>("consistency_table"); }
    QListWidget& list() { return *panel.findChild<QListWidget*>("consistency_mismatches"); }
    QString state() { return panel.findChild<QLabel*>("consistency_state")->text(); }
    bool isChecked() { return table().model()->rowCount() > 0; }
    /// Gives the baseline's parameter another name than the kernel's and the definition's.
    void breakBaseline() {
        SourceFile& source = *studio.session().document().source("bias_add_baseline.py");
        source.document().find("bias: torch").insertText("bais: torch");
    }

    Studio studio;
    ConsistencyPanel panel{studio.session()};
};

Consistency differences() {
    Consistency consistency;
    consistency.variant = "triton";
    consistency.files = {"project.json", "a_triton.py", "a_baseline.py", "", ""};
    ChecklistRow& row = consistency.rows.emplace_back();
    row.aspect = Aspect::parameter_names;
    row.at(FileRole::definition) = {ChecklistCell::State::agrees, "x, bias"};
    row.at(FileRole::kernel) = {ChecklistCell::State::agrees, "x, bias"};
    row.at(FileRole::baseline) = {ChecklistCell::State::differs, "x, bais"};
    consistency.mismatches = {{"a_baseline.py", "line 4", "parameter 2 is `bais`", "name it `bias`"}};
    return consistency;
}

}  // namespace

class ConsistencyTest : public QObject {
    Q_OBJECT

private slots:
    void theModelKeepsTheRulesOfModels();
    void cellsSayWhatAgreesAndWhatDiffers();
    void aCellThatDiffersKnowsItsPlace();
    void aProjectWithoutTritonHasNothingToCompare();
    void aMismatchIsFoundAsOneTypesAndLeadsToItsLine();
    void withoutPythonThePanelSaysHowToGetIt();
    void bringingInStepIsOneStepThatUndoTakesBack();
};

void ConsistencyTest::theModelKeepsTheRulesOfModels() {
    ConsistencyModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setConsistency(differences());
    QCOMPARE(model.rowCount(), 1);
    model.clear();
    QCOMPARE(model.rowCount(), 0);
}

void ConsistencyTest::cellsSayWhatAgreesAndWhatDiffers() {
    ConsistencyModel model;
    model.setConsistency(differences());
    QCOMPARE(model.index(0, 1).data().toString(), "✓ x, bias");
    QCOMPARE(model.index(0, 2).data().toString(), "✗ x, bais");
    QCOMPARE(model.index(0, 3).data().toString(), "–");
    QCOMPARE(model.headerData(0, Qt::Vertical, Qt::DisplayRole).toString(), "Parameter names");
    QCOMPARE(model.headerData(2, Qt::Horizontal, Qt::ToolTipRole).toString(), "a_baseline.py");
}

void ConsistencyTest::aCellThatDiffersKnowsItsPlace() {
    ConsistencyModel model;
    model.setConsistency(differences());
    QVERIFY(model.mismatchAt(model.index(0, 1)) == nullptr);
    QCOMPARE(lineOf(*model.mismatchAt(model.index(0, 2))), 4);
}

void ConsistencyTest::aProjectWithoutTritonHasNothingToCompare() {
    Studio studio;
    studio.open();
    studio.session().document().edit("no Python", [](Project& project) {
        std::erase_if(project.variants, [](const Variant& each) { return is_python(each.language); });
    });
    ConsistencyPanel panel(studio.session());
    const auto* message = panel.findChild<QLabel*>("consistency_message");
    if (!testing::hasPython()) QSKIP("no Python interpreter compares the files: python3 is not on PATH");
    QVERIFY(waitUntil([&] { return message->text().contains("No variant in Triton"); }));
}

void ConsistencyTest::aMismatchIsFoundAsOneTypesAndLeadsToItsLine() {
    if (!testing::hasPython()) QSKIP("no Python interpreter compares the files: python3 is not on PATH");
    Open open;
    const auto found = [&] { return open.list().findItems("`bais`", Qt::MatchContains); };
    QVERIFY(waitUntil([&] { return open.isChecked(); }));
    QVERIFY(found().isEmpty());
    open.breakBaseline();
    QVERIFY(waitUntil([&] { return !found().isEmpty(); }));
    QVERIFY(open.panel.mismatches() > 0);
    QSignalSpy went(&open.panel, &ConsistencyPanel::goToSource);
    emit open.list().itemActivated(found().front());
    QCOMPARE(went.value(0), (QVariantList{"bias_add_baseline.py", 4, 1}));
    open.studio.session().document().undoStack().undo();
    QVERIFY(waitUntil([&] { return found().isEmpty(); }));
}

void ConsistencyTest::withoutPythonThePanelSaysHowToGetIt() {
    Studio studio;
    testing::addPythonVariants(studio.folder());
    studio.settings().setPython("/nowhere/python3");
    studio.open();
    {
        const ConsistencyPanel panel(studio.session());
        auto* message = panel.findChild<QLabel*>("consistency_message");
        QVERIFY(waitUntil([&] { return message->text().contains("Install Python"); }));
        QSignalSpy wanted(&panel, &ConsistencyPanel::settingsWanted);
        emit message->linkActivated("settings");
        QCOMPARE(wanted.size(), 1);
        QVERIFY(message->text().contains("<a href=\"settings\">"));
    }
    studio.settings().setPython({});
    studio.session().applyWorkerSettings();
}

void ConsistencyTest::bringingInStepIsOneStepThatUndoTakesBack() {
    if (!testing::hasPython()) QSKIP("no Python interpreter compares the files: python3 is not on PATH");
    Open open;
    ProjectDocument& document = open.studio.session().document();
    const auto texts = document.texts();
    document.edit("another value", [](Project& project) {  // as a change of project.json by hand
        for (Variant& each : project.variants) {
            if (each.name == "triton") each.tunables[0].value = 64;
        }
    });
    QSignalSpy done(&open.panel, &ConsistencyPanel::done);
    open.panel.bringInStep();
    QVERIFY(done.wait(20000));
    QVERIFY(document.source("bias_add_triton.py")->text().find("BLOCK_M = 64") != std::string::npos);
    document.undoStack().undo();
    QCOMPARE(document.texts(), texts);
}

}  // namespace kernelgen::studio

STUDIO_TEST(kernelgen::studio::ConsistencyTest)
#include "consistency_test.moc"
