// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of what is found about kernels and models: tunings, models, errors, diagnoses.
#include <QComboBox>
#include <QDockWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTabWidget>
#include <QTest>
#include <QToolButton>
#include <algorithm>

#include "app/studio/application/language.h"
#include "app/studio/diagnosis/apply_dialog.h"
#include "app/studio/diagnosis/diagnosis_panel.h"
#include "app/studio/diagnosis/finding_card.h"
#include "app/studio/diagnosis/optimize_dialog.h"
#include "app/studio/gate/gate_window.h"
#include "app/studio/model/model_window.h"
#include "app/studio/patterns/patterns_window.h"
#include "app/studio/theme/theme.h"
#include "core/base/file.h"
#include "tests/studio/photographer.h"

namespace kernelgen::studio {

using testing::activate;
using testing::focusable;
using testing::makeCasesLarger;
using testing::openTab;
using testing::Photographer;
using testing::press;
using testing::runRound;
using testing::show;
using testing::Studio;
using testing::waitUntil;

namespace {

/// The Tuning tab: what a tuning of this machine has found, and then each chart of one with many results.
void photographTuning(const Photographer& photographer, const QSize& size, const QString& suffix) {
    Studio studio;
    Tuning tuning = testing::exampleTuning(900);
    tuning.outcome = TuningOutcome{
        .kind = TuningOutcome::Kind::winner,
        .configuration =
            std::ranges::min(tuning.tried, {}, [](const Tried& each) { return each.is_ok() ? each.objective : 1; })
                .configuration,
        .reason = "the best finalist over the incumbent, in pairs: 1.412x [1.403, 1.420], 40 pairs"};
    testing::writeTuning(studio.folder(), tuning);
    studio.open();
    MainWindow window(studio.session());
    show(window);
    window.resize(size);
    press(window, "Ctrl+Shift+L");
    auto* dock = window.findChild<QDockWidget*>("tuning");
    dock->raise();
    photographer.take(window, "18-tuning-" + suffix);
    focusable(dock->widget())->setFocus();
    press(window, "F11");
    const QList<QTabWidget*> areas = dock->widget()->findChildren<QTabWidget*>();
    for (int tab = 0; tab < 4; ++tab) {
        for (QTabWidget* each : areas) each->setCurrentIndex(std::min(tab, each->count() - 1));
        photographer.take(window, QString("19-tuning-%1-%2").arg(tab).arg(suffix));
    }
    press(window, "F11");
}

/// Before the first tuning, while one runs, and after it.
void photographRunningTuning(const Photographer& photographer) {
    Studio studio;
    studio.open();
    MainWindow window(studio.session());
    show(window);
    press(window, "Ctrl+Shift+L");
    auto* dock = window.findChild<QDockWidget*>("tuning");
    dock->raise();
    waitUntil([&] { return !studio.session().engine().devices().empty(); });
    photographer.take(window, "20-tuning-empty");
    dock->findChild<QComboBox*>("tuning_budget")->setCurrentText("30s");
    press(window, "F7");
    QTest::qWait(12000);
    photographer.take(window, "21-tuning-running");
    waitUntil([&] { return !studio.session().engine().isRunning(); }, 120000);
    dock->raise();
    photographer.take(window, "22-tuning-ended");
}

/// A model's operators before anything was chosen, as they are told, and their neighbours.
void photographModel(const Photographer& photographer, const QSize& size, const QString& suffix) {
    Studio studio("");
    studio.session().applyWorkerSettings();
    ModelWindow window(studio.session(), studio.folder());
    window.setAttribute(Qt::WA_DeleteOnClose, false);
    window.resize(size);
    window.show();
    photographer.take(window, "23-model-empty-" + suffix);
    ModelReport report = testing::exampleModel();
    report.replacements = {{.folder = "/kernels/convolution_native_batch_norm",
                            .variant = "fused",
                            .round = 3,
                            .speedup = 1.41,
                            .places = {4},
                            .seconds_before = 14.3e-3,
                            .seconds_after = 10.1e-3}};
    ModelStudy& model = studio.session().model();
    const QString file = studio.folder() + "-net.py";
    if (!write_file_atomic(file.toStdString(), testing::model_text)) qFatal("the model cannot be written");
    model.read(file);
    waitUntil([&] { return !model.isReading(); });
    photographer.take(window, "23-model-read-" + suffix);
    model.take(report);
    photographer.take(window, "24-model-calls-" + suffix);
    auto* tabs = window.findChild<QTabWidget*>();
    tabs->setCurrentIndex(1);
    photographer.take(window, "25-model-neighbours-" + suffix);
    model.take(testing::exampleModel(false));
    tabs->setCurrentIndex(0);
    photographer.take(window, "26-model-no-ceilings-" + suffix);
    window.findChild<QPushButton*>("model_measure")->click();
    photographer.take(window, "27-model-running-" + suffix);
    waitUntil([&] { return !model.isAsking(); });
    photographer.take(window, "28-model-measured-" + suffix);
    model.read(studio.folder() + "/missing.py");
    waitUntil([&] { return !model.isReading(); });
    photographer.take(window, "29-model-problem-" + suffix);
}

/// A kernel that leaves rows out, after its run; then the whole error map, and what stands there without an error.
void photographErrors(const Photographer& photographer, const QSize& size, const QString& suffix) {
    Studio studio;
    studio.open();
    Session& session = studio.session();
    MainWindow window(session);
    show(window);
    window.resize(size);
    press(window, "Ctrl+Shift+L");
    openTab(window, "Error map");
    openTab(window, "误差分布图");
    window.findChild<QDockWidget*>("charts")->raise();
    photographer.take(window, "30-error-map-empty-" + suffix);
    const auto wrong = read_file(KERNELGEN_SOURCE_DIR "/tests/core_explain/planted/tail_rows_left_out.cpp");
    session.document().source("bias_add.cpp")->document().setPlainText(QString::fromStdString(*wrong));
    session.document().setTunable("host", "BLOCK_M", 8);
    session.document().setTunable("host", "BLOCK_N", 64);
    runRound(session, "rows that do not fill a tile");
    window.findChild<QDockWidget*>("charts")->raise();
    photographer.take(window, "31-error-map-" + suffix);
    focusable(window.findChild<QWidget*>("charts"))->setFocus();
    press(window, "F11");
    photographer.take(window, "32-error-map-whole-" + suffix);
    press(window, "F11");
}

/// Why the plain loop is slow, and the dialog that shows a change of a person's source.
void photographCauses(const Photographer& photographer, MainWindow& window, Session& session, const QString& suffix) {
    QTextDocument& text = session.document().source(session.variant()->source)->document();
    text.setPlainText(text.toPlainText() + "\ninline double planted() { return 0.5; }\n");
    runRound(session, "the plain loop");
    waitUntil([&] { return session.diagnoses().strategies() != nullptr; });
    photographer.take(window, "34-diagnosis-" + suffix);
    focusable(window.findChild<DiagnosisPanel*>())->setFocus();
    press(window, "F11");
    for (auto* each : window.findChildren<FindingCard*>()) {
        if (each->isVisible()) each->setOpen(true);
    }
    photographer.take(window, "35-diagnosis-whole-" + suffix);
    window.findChild<QWidget*>("diagnosis_counters")->findChild<QToolButton*>()->click();
    auto* bar = window.findChild<QScrollArea*>("diagnosis_scroll")->verticalScrollBar();
    QTest::qWait(100);
    bar->setValue(bar->maximum());
    photographer.take(window, "35-diagnosis-counters-" + suffix);
    bar->setValue(0);
    press(window, "F11");
    for (const Proposal& each : session.diagnoses().strategies()->proposals.all) {
        if (!std::holds_alternative<EditSource>(each.change)) continue;
        ApplyDialog dialog(each, *session.diagnoses().causes()->detail);
        dialog.show();
        return photographer.take(dialog, "36-apply-" + suffix);
    }
}

/// The loop while it runs, at its end, and what each of its rounds was.
void photographLoop(const Photographer& photographer, MainWindow& window, Session& session, const QString& suffix) {
    OptimizeDialog dialog(session);
    dialog.show();
    photographer.take(dialog, "37-optimize-" + suffix);
    dialog.close();
    activate(window);
    OptimizeOptions options;
    options.rounds = 3;
    options.target = 100;
    options.budget_seconds = 90;
    session.strategyActions().optimize(options);
    waitUntil([&] { return session.story().rounds().size() == 2; });
    photographer.take(window, "38-optimising-" + suffix);
    waitUntil([&] { return !session.engine().isRunning(); }, 120000);
    waitUntil([&] { return session.diagnoses().strategies() != nullptr; });
    photographer.take(window, "39-optimised-" + suffix);
    focusable(window.findChild<DiagnosisPanel*>())->setFocus();
    press(window, "F11");
    window.findChild<QWidget*>("story_card")->findChild<QToolButton*>()->click();
    window.findChild<QScrollArea*>("diagnosis_scroll")->verticalScrollBar()->setValue(0);
    photographer.take(window, "40-what-was-done-" + suffix);
    press(window, "F11");
}

/// The gate before a baseline is stored and with many checks, and the patterns that the rounds made.
void photographGate(const Photographer& photographer, MainWindow& window, Studio& studio, const QString& suffix) {
    press(window, "F9");
    auto* gate = window.findChild<GateWindow*>();
    gate->resize(window.size() * 0.75);
    photographer.take(*gate, "41-gate-empty-" + suffix);
    testing::writeChecks(studio.folder(), 60);
    studio.session().setVariant(QString::fromStdString(studio.session().rounds().round(0)->variant));
    studio.session().gates().reload();
    waitUntil([&] { return studio.session().gates().gate() && !studio.session().gates().gate()->checks.empty(); });
    photographer.take(*gate, "42-gate-" + suffix);
    gate->close();
    press(window, "Ctrl+Shift+K");
    auto* patterns = window.findChild<PatternsWindow*>();
    patterns->resize(window.width() - 20, window.height() - 160);
    photographer.take(*patterns, "43-patterns-" + suffix);
    patterns->close();
}

void photographDiagnosis(const Photographer& photographer, const QSize& size, const QString& suffix) {
    Studio studio("softmax");
    studio.open();
    Session& session = studio.session();
    makeCasesLarger(session.document());
    MainWindow window(session);
    show(window);
    window.resize(size);
    press(window, "Ctrl+Shift+L");
    session.setVariant("naive");
    window.findChild<QDockWidget*>("diagnosis")->raise();
    photographer.take(window, "33-diagnosis-empty-" + suffix);
    photographCauses(photographer, window, session, suffix);
    photographLoop(photographer, window, session, suffix);
    photographGate(photographer, window, studio, suffix);
}

}  // namespace

void testing::photographTunings(const Photographer& photographer) {
    photographTuning(photographer, {1280, 720}, "1280");
    photographTuning(photographer, {1920, 1080}, "1920");
    applyTheme(Theme::dark);
    photographTuning(photographer, {1280, 720}, "1280-dark");
    {
        const Language chinese("zh_CN");
        photographTuning(photographer, {1920, 1080}, "1920-dark-chinese");
    }
    applyTheme(Theme::light);
    photographRunningTuning(photographer);
}

void testing::photographModels(const Photographer& photographer) {
    {
        const Language english("en");
        photographModel(photographer, {1280, 720}, "1280");
        photographModel(photographer, {1920, 1080}, "1920");
        applyTheme(Theme::dark);
        photographModel(photographer, {1280, 720}, "1280-dark");
    }
    {
        const Language chinese("zh_CN");
        photographModel(photographer, {1920, 1080}, "1920-dark-chinese");
    }
    applyTheme(Theme::light);
}

void testing::photographErrorMaps(const Photographer& photographer) {
    photographErrors(photographer, {1280, 720}, "1280");
    applyTheme(Theme::dark);
    photographErrors(photographer, {1920, 1080}, "1920-dark");
    {
        const Language chinese("zh_CN");
        photographErrors(photographer, {1280, 720}, "1280-dark-chinese");
    }
    applyTheme(Theme::light);
}

void testing::photographDiagnoses(const Photographer& photographer) {
    {
        const Language english("en");
        photographDiagnosis(photographer, {1280, 720}, "1280");
        applyTheme(Theme::dark);
        photographDiagnosis(photographer, {1920, 1080}, "1920-dark");
    }
    {
        const Language chinese("zh_CN");
        photographDiagnosis(photographer, {1280, 720}, "1280-dark-chinese");
    }
    applyTheme(Theme::light);
}

}  // namespace kernelgen::studio
