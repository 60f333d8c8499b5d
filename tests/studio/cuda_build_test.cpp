// SPDX-License-Identifier: GPL-3.0-or-later
// What a build for a GPU that is not here shows. The builds are made up, so that no CUDA compiler is needed.
#include <QComboBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QTest>
#include <QTextDocument>

#include "app/studio/tunables/build_card.h"
#include "app/studio/window/run_bar.h"
#include "tests/studio/fixtures.h"
#include "tests/studio/registry.h"

namespace kernelgen::studio {

using testing::Studio;
using testing::waitUntil;

namespace {

/// The texts of all labels below a widget, one a line.
QString labels(const QWidget& widget) {
    QStringList texts;
    for (const QLabel* each : widget.findChildren<QLabel*>()) texts << each->text();
    return texts.join('\n');
}

BuildOutcome cudaOutcome(Session& session) {
    BuildOutcome outcome;
    outcome.variant = session.variant()->name;
    outcome.configuration = configuration_of(*session.variant());
    outcome.result.resources = {{"registers", 63},
                                {"spill_store_bytes", 0},
                                {"spill_load_bytes", 0},
                                {"static_shared_bytes", 1024},
                                {"dynamic_shared_bytes", 2048},
                                {"threads_per_block", 512},
                                {"occupancy", 0.5},
                                {"active_warps", 32},
                                {"blocks_per_multiprocessor", 2}};
    outcome.result.occupancy_limiter = "registers and shared memory";
    outcome.result.texts = {{"ptx", ".version 9.0\n"}};
    return outcome;
}

}  // namespace

class CudaBuildTest : public QObject {
    Q_OBJECT

private slots:
    void theCardSaysWhatTheKernelTakesAndWhatLimitsIt();
    void theCardCountsSpilledRegisters();
    void deviceModelsCanBeChosenAndSayThatTheyOnlyBuild();
    void aRunOnADeviceModelIsRefusedWithTheReason();
    void aMissingPyTorchLeadsToTheSettings();
    void quotesInAnErrorWithoutALineAreShownAsTheyAre();
    void aTritonBuildHasItsStages();
    void aPythonSourceThatWasOnlyReadSaysWhatIsUnknown();
};

void CudaBuildTest::theCardSaysWhatTheKernelTakesAndWhatLimitsIt() {
    Studio studio;
    studio.open();
    studio.session().setDevice("cuda:h200");
    QVERIFY(studio.session().variant() != nullptr);
    BuildCard card(studio.session());
    emit studio.session().engine().buildFinished(cudaOutcome(studio.session()));
    const QString text = labels(card);
    QVERIFY2(text.contains("Registers per thread") && text.contains("63"), qPrintable(text));
    QVERIFY2(text.contains("50.0 %") && text.contains("registers and shared memory"), qPrintable(text));
    QVERIFY2(text.contains("1024 B") && text.contains("2048 B"), qPrintable(text));
    QVERIFY2(text.contains("0 B"), qPrintable(text));
}

void CudaBuildTest::theCardCountsSpilledRegisters() {
    Studio studio;
    studio.open();
    studio.session().setDevice("cuda:h200");
    BuildCard card(studio.session());
    BuildOutcome outcome = cudaOutcome(studio.session());
    outcome.result.resources["spill_store_bytes"] = 36;
    outcome.result.resources["spill_load_bytes"] = 44;
    emit studio.session().engine().buildFinished(outcome);
    QVERIFY2(labels(card).contains("36 B") && labels(card).contains("44 B"), qPrintable(labels(card)));
}

void CudaBuildTest::deviceModelsCanBeChosenAndSayThatTheyOnlyBuild() {
    Studio studio;
    studio.open();
    RunBar bar(studio.session());
    QVERIFY(waitUntil([&] { return studio.session().engine().device("cuda:h200") != nullptr; }));
    auto* devices = bar.findChildren<QComboBox*>().back();
    for (QComboBox* each : bar.findChildren<QComboBox*>()) {
        if (each->findData("cuda:h200") >= 0) devices = each;
    }
    const int index = devices->findData("cuda:h200");
    QVERIFY(index >= 0);
    QCOMPARE(devices->itemText(index), "cuda:h200 (builds only)");
    devices->setCurrentIndex(index);
    emit devices->activated(index);
    QCOMPARE(studio.session().device(), "cuda:h200");
    QCOMPARE(studio.session().variant()->language, Language::cuda);
}

void CudaBuildTest::aRunOnADeviceModelIsRefusedWithTheReason() {
    Studio studio;
    studio.open();
    studio.session().setDevice("cuda:h200");
    QVERIFY(waitUntil([&] { return studio.session().engine().device("cuda:h200") != nullptr; }));
    QSignalSpy refused(&studio.session(), &Session::refused);
    studio.session().run("");
    QCOMPARE(refused.count(), 1);
    QVERIFY(refused.value(0).value(0).toString().contains("is a device model"));
    QVERIFY(!studio.session().engine().isRunning());
}

void CudaBuildTest::aMissingPyTorchLeadsToTheSettings() {
    Studio studio;
    studio.open();
    BuildCard card(studio.session());
    BuildOutcome outcome = cudaOutcome(studio.session());
    outcome.result.status = Status::unavailable;
    outcome.result.reason =
        "PyTorch is not installed for `python3`: `python3 -m pip install torch`, or name an interpreter that has it in "
        "KERNELGEN_PYTHON";
    emit studio.session().engine().buildFinished(outcome);
    auto* state = card.findChild<QLabel*>("build_state");
    QVERIFY2(state->text().contains("Settings &gt; Python <a href=\"settings\">"), qPrintable(state->text()));
    QSignalSpy wanted(&card, &BuildCard::settingsWanted);
    emit state->linkActivated("settings");
    QCOMPARE(wanted.size(), 1);
}

void CudaBuildTest::quotesInAnErrorWithoutALineAreShownAsTheyAre() {
    Studio studio;
    studio.open();
    BuildCard card(studio.session());
    BuildOutcome outcome = cudaOutcome(studio.session());
    outcome.result.status = Status::build_failed;
    outcome.result.messages = {{"", 0, 0, "error", "cannot find \"kernelgen.h\" <here>"}};
    emit studio.session().engine().buildFinished(outcome);
    const auto* state = card.findChild<QLabel*>("build_state");
    QTextDocument shown;
    shown.setHtml(state->text());
    QCOMPARE(shown.toPlainText(), "Failed: cannot find \"kernelgen.h\" <here>");
}

namespace {

BuildOutcome tritonOutcome(Session& session) {
    session.setVariant("triton");
    BuildOutcome outcome;
    outcome.variant = "triton";
    outcome.configuration = configuration_of(*session.variant());
    return outcome;
}

}  // namespace

void CudaBuildTest::aTritonBuildHasItsStages() {
    Studio studio;
    testing::addPythonVariants(studio.folder());
    studio.open();
    BuildOutcome outcome = tritonOutcome(studio.session());
    outcome.result.resources = {{"registers", 40}, {"num_warps", 4}, {"num_stages", 3}};
    BuildCard card(studio.session());
    emit studio.session().engine().buildFinished(outcome);
    QVERIFY2(labels(card).contains("Pipeline stages"), qPrintable(labels(card)));
}

void CudaBuildTest::aPythonSourceThatWasOnlyReadSaysWhatIsUnknown() {
    Studio studio;
    testing::addPythonVariants(studio.folder());
    studio.open();
    const BuildOutcome outcome = tritonOutcome(studio.session());
    BuildCard card(studio.session());
    emit studio.session().engine().buildFinished(outcome);
    QVERIFY2(labels(card).contains("Read, not compiled"), qPrintable(labels(card)));
}

}  // namespace kernelgen::studio

STUDIO_TEST(kernelgen::studio::CudaBuildTest)
#include "cuda_build_test.moc"
