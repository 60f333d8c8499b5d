// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of the window's main states, made by doing the main job in it: screenshots FOLDER [main | layout | tuning |
// model | errors | diagnosis | windows | scaling |
// workplace | 4k | python]. "4k", the window on a screen of 3840 by 2160, wants QT_SCALE_FACTOR=2.
#include <QApplication>
#include <QDir>
#include <QDockWidget>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>
#include <QTextCursor>

#include "app/studio/application/language.h"
#include "app/studio/charts/latency_view.h"
#include "app/studio/dialogs/import_dialog.h"
#include "app/studio/dialogs/new_project_wizard.h"
#include "app/studio/dialogs/settings_dialog.h"
#include "app/studio/theme/theme.h"
#include "app/studio/tuning/rules_dialog.h"
#include "app/studio/whatif/whatif_window.h"
#include "core/base/file.h"
#include "tests/studio/photographer.h"

namespace kernelgen::studio {

namespace {

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

void makeRounds(Session& session) {
    struct Step {
        int rows, columns;
        const char* note;
    };
    constexpr Step steps[] = {{1, 64, "smallest tiles: where it starts"},
                              {8, 64, "taller tiles, the same width"},
                              {16, 256, "a tile that fits the L1 cache"},
                              {16, 1024, "longer runs of a row for the prefetcher"},
                              {64, 256, "fewer programs"}};
    for (const Step& step : steps) {
        session.document().setTunable("host", "BLOCK_M", step.rows);
        session.document().setTunable("host", "BLOCK_N", step.columns);
        runRound(session, step.note);
    }
}

void failVerification(Session& session) {
    QTextDocument& text = session.document().source("bias_add.cpp")->document();
    QTextCursor found = text.find("x_j + bias_j");
    if (found.isNull()) qFatal("the sample's source is another");
    found.insertText("x_j - bias_j");
    runRound(session, "a wrong sign");
}

void photographTabs(const Photographer& photographer, MainWindow& window) {
    openTab(window, "Efficiency");
    openTab(window, "Latency");
    openTab(window, "Difference");
    photographer.take(window, "9-latency-size-difference");
    openTab(window, "Errors");
    openTab(window, "Log preview");
    photographer.take(window, "10-errors-log-preview");
    openTab(window, "Speedup");
    openTab(window, "Roofline");
    openTab(window, "Details");
    openTab(window, "Rounds");
}

void photographAll(const Photographer& photographer) {
    Studio studio;
    Session& session = studio.session();
    session.applyWorkerSettings();
    MainWindow window(session);
    show(window);
    photographer.take(window, "1-empty");
    window.openProject(studio.folder());
    makeCasesLarger(session.document());
    photographer.take(window, "2-project-open");
    session.run("first");
    photographer.take(window, "3-running");
    waitUntil([&] { return !session.engine().isRunning(); }, 120000);
    makeRounds(session);
    photographer.take(window, "4-rounds-and-roofline");
    photographTabs(photographer, window);
    applyTheme(Theme::dark);
    photographer.take(window, "5-dark");
    applyTheme(Theme::light);
    failVerification(session);
    photographer.take(window, "6-failed-verification");
    window.resize(1180, 740);
    press(window, "Ctrl+Shift+L");
    photographer.take(window, "7-small");
}

/// A comparison as a GPU would give one, so that the pictures need none.
Comparison exampleComparison(const Project& project) {
    Comparison comparison;
    comparison.time = "2026-01-02T03:04:05Z";
    comparison.device = "cpu";
    comparison.baseline = "naive";
    comparison.environment.hardware = "an example";
    comparison.cases = {{.name = "4096x4096 f32", .dtype = DType::f32, .sizes = {}},
                        {.name = "16384x8192 bf16", .dtype = DType::bf16, .sizes = {}}};
    double speedup = 1;
    for (const Variant& each : project.variants) {
        ComparedVariant& variant = comparison.variants.emplace_back();
        variant.variant = each.name;
        variant.language = each.language;
        variant.configuration = configuration_of(each);
        if (each.library != "") {
            variant.status = Status::unavailable;
            variant.reason = "the library is not installed: install it";
            continue;
        }
        for (const Case& binding : comparison.cases) {
            RoundCase& timed = variant.cases.emplace_back();
            timed.binding = binding;
            timed.speedup = each.name == "naive" ? 1 : (speedup += 0.37);
            timed.speedup_lower = timed.speedup * 0.985;
            timed.speedup_upper = timed.speedup * 1.012;
            timed.seconds = 1.2e-3 / timed.speedup;
            timed.roofline.bandwidth_gbps = 90 * timed.speedup;
            timed.roofline.fraction = 0.2 * timed.speedup;
            timed.roofline.has_ceilings = true;
        }
    }
    return comparison;
}

void photographImport(const Photographer& photographer, Studio& studio, const QString& name) {
    ImportDialog dialog(studio.session().engine(), studio.folder() + "-imported");
    dialog.setSource(QString(KERNELGEN_SOURCE_DIR) + "/tests/core_files/sets/broadcast_v1");
    dialog.show();
    QTest::qWait(1500);
    photographer.take(dialog, name);
    dialog.setSource(QString(KERNELGEN_SOURCE_DIR) + "/tests/core_files/traced/swiglu.py");
    dialog.findChild<QLineEdit*>("import_reference")->setText("lambda a, b: torch.nn.functional.silu(a) * b");
    auto* tests = dialog.findChild<QPushButton*>("import_run_tests");
    const auto wait = [&] { return waitUntil([&] { return tests->isEnabled(); }); };
    const bool is_read = wait();
    photographer.take(dialog, name + "-file");
    if (is_read) tests->click();
    if (wait()) photographer.take(dialog, name + "-tests");
}

/// The four files of an operator, what does not agree among them, and all variants side by side.
void photographPython(const Photographer& photographer, const QSize& size, const QString& suffix) {
    Studio studio;
    testing::addPythonVariants(studio.folder());
    studio.open();
    Session& session = studio.session();
    session.comparisons().take(std::make_shared<const Comparison>(exampleComparison(session.document().project())));
    session.setVariant("triton");
    MainWindow window(session);
    show(window);
    window.resize(size);
    press(window, "Ctrl+Shift+L");
    QTest::qWait(2500);  // Python reads the files
    session.document().setTunable("triton", "BLOCK_M", 64);
    session.document().source("bias_add_baseline.py")->document().find("bias: torch").insertText("bais: torch");
    window.findChild<QDockWidget*>("consistency")->raise();
    QTest::qWait(2500);
    photographer.take(window, "11-consistency-" + suffix);
    window.findChild<QDockWidget*>("charts")->raise();
    window.findChild<QDockWidget*>("comparison")->raise();
    openTab(window, "Comparison");
    openTab(window, "并列对比");
    photographer.take(window, "12-comparison-" + suffix);
    photographImport(photographer, studio, "13-import-" + suffix);
    SettingsDialog settings(session);
    settings.show();
    QTest::qWait(1500);
    photographer.take(settings, "14-settings-" + suffix);
}

/// Rounds of two cases, some of which noise makes unsure.
History examplesOfNoise() {
    History history = testing::exampleHistory(14);
    for (Round& each : history.rounds) {
        if (each.status != Status::ok) continue;
        RoundCase& second = each.cases.emplace_back(each.cases.front());
        second.binding.name = "16384x8192 bf16";
        second.binding.dtype = DType::bf16;
        second.speedup *= 1.7;
        second.speedup_lower *= 1.7;
        second.speedup_upper *= 1.7;
        second.seconds *= 4;
        second.roofline.intensity *= 2;
        second.roofline.gflops *= 2.4;
        if (each.number % 4 == 2) each.cases.front().rsd = 0.09;
    }
    return history;
}

/// The default layout at a size, and each part as it fills the window.
void photographLayout(const Photographer& photographer, const QSize& size, const QString& suffix) {
    Studio studio;
    testing::writeHistory(studio.folder(), examplesOfNoise());
    studio.open();
    MainWindow window(studio.session());
    show(window);
    window.resize(size);
    press(window, "Ctrl+Shift+L");
    photographer.take(window, "15-layout-" + suffix);
    QDockWidget* charts = window.findChild<QDockWidget*>("charts");
    charts->raise();
    photographer.take(window, "16-charts-" + suffix);
    openTab(window, "Efficiency");
    openTab(window, "规模与效率");
    photographer.take(window, "16-efficiency-" + suffix);
    for (const char* part : {"sources", "charts", "rounds_table"}) {
        auto* widget = window.findChild<QWidget*>(part);
        QDockWidget* dock = window.findChild<QDockWidget*>(part == std::string_view("rounds_table") ? "rounds" : part);
        if (dock != nullptr) dock->raise();
        focusable(widget)->setFocus();
        press(window, "F11");
        photographer.take(window, QString("17-whole-%1-%2").arg(part, suffix));
        press(window, "F11");
    }
}

/// The quantiles of two cases' samples, in a chart that stands between the sources and the edge.
void photographLatency(const Photographer& photographer, const QString& suffix) {
    BenchResult timing;
    for (int i = 0; i < 200; ++i) {
        timing.candidate_seconds.push_back(1e-3 + (i % 23) * 1e-6 + (i % 7) * 2e-6);
        timing.baseline_seconds.push_back(1.012e-3 + (i % 19) * 1e-6 + (i % 5) * 2e-6);
    }
    for (const QSize size : {QSize(318, 240), QSize(700, 420)}) {
        LatencyView view;
        view.present(timing, "host", 0);
        view.resize(size);
        view.show();
        photographer.take(view, QString("41-latency-%1-%2").arg(size.width()).arg(suffix));
    }
}

/// A definition that somebody has edited by hand, with parts that cannot be read, and an error while typing.
void photographProblems(const Photographer& photographer, const QSize& size, const QString& suffix) {
    Studio studio;
    const std::string file = studio.folder().toStdString() + "/project.json";
    std::string text = read_file(file).value();
    text.replace(text.find(R"("tile")"), 6, R"("tyle", "colour": "red")");
    if (!write_file_atomic(file, text)) qFatal("the project cannot be written");
    studio.open();
    MainWindow window(studio.session());
    show(window);
    window.resize(size);
    press(window, "Ctrl+Shift+L");
    window.findChild<QDockWidget*>("problems")->raise();
    photographer.take(window, "42-unread-" + suffix);
    studio.session().document().dropUnread();
    studio.session().document().edit("body", [](Project& project) { project.definition.body = "out = x + bais"; });
    photographer.take(window, "43-error-" + suffix);
    studio.session().document().undoStack().undo();
    window.resize(640, 400);
    photographer.take(window, "44-crushed-" + suffix);
    window.resize(size);
    photographer.take(window, "45-grown-" + suffix);
}

void photographLayouts(const Photographer& photographer) {
    photographLatency(photographer, "light");
    photographProblems(photographer, {1280, 720}, "1280");
    photographLayout(photographer, {1280, 720}, "1280");
    photographLayout(photographer, {1920, 1080}, "1920");
    applyTheme(Theme::dark);
    photographLayout(photographer, {1280, 720}, "1280-dark");
    const Language chinese("zh_CN");
    photographProblems(photographer, {1280, 720}, "1280-dark-chinese");
    photographLayout(photographer, {1920, 1080}, "1920-dark-chinese");
    applyTheme(Theme::light);
}

/// Windows and dialogs that no other part shows: rules by case, a new project, what if, and a comparison.
void photographWindow(const Photographer& photographer, const QSize& size, const QString& suffix) {
    Studio studio;
    testing::writeTuningsOfTwoCases(studio.folder());
    testing::writeRound(studio.folder());
    studio.open();
    Session& session = studio.session();
    MainWindow window(session);
    show(window);
    window.resize(size);
    press(window, "Ctrl+Shift+L");
    waitUntil([&] { return session.rules().proposal() != nullptr; });
    RulesDialog rules(session.rules());
    rules.show();
    photographer.take(rules, "46-rules-" + suffix);
    rules.close();
    NewProjectWizard wizard(session);
    wizard.show();
    photographer.take(wizard, "47-new-project-" + suffix);
    wizard.close();
    activate(window);
    press(window, "Ctrl+Shift+W");
    photographer.take(*window.findChild<WhatifWindow*>(), "48-what-if-" + suffix);
    window.findChild<WhatifWindow*>()->close();
    activate(window);
    session.compare();
    waitUntil([&] { return !session.engine().isRunning(); }, 120000);
    photographer.take(window, "49-comparison-" + suffix);
    window.findChild<QDockWidget*>("charts")->raise();
    photographer.take(window, "50-comparison-chart-" + suffix);
}

void photographWindows(const Photographer& photographer) {
    photographWindow(photographer, {1280, 720}, "1280");
    applyTheme(Theme::dark);
    {
        const Language chinese("zh_CN");
        photographWindow(photographer, {1920, 1080}, "1920-dark-chinese");
    }
    applyTheme(Theme::light);
}

void photographChinese(const Photographer& photographer) {
    const Language chinese("zh_CN");
    Studio studio;
    testing::writeHistory(studio.folder(), 12);
    studio.open();
    MainWindow window(studio.session());
    show(window);
    photographer.take(window, "8-chinese");
}

}  // namespace

}  // namespace kernelgen::studio

int main(int count, char** values) {
    using namespace kernelgen::studio;
    using namespace kernelgen::studio::testing;
    QApplication application(count, values);
    const QString folder = count > 1 ? values[1] : "screenshots", part = count > 2 ? values[2] : "";
    QDir().mkpath(folder);
    applyTheme(Theme::light);
    const Photographer photographer(folder);
    if (part.isEmpty() || part == "main") photographAll(photographer);
    if (part.isEmpty() || part == "main") photographChinese(photographer);
    if (part.isEmpty() || part == "layout") photographLayouts(photographer);
    if (part.isEmpty() || part == "tuning") photographTunings(photographer);
    if (part.isEmpty() || part == "model") photographModels(photographer);
    if (part.isEmpty() || part == "errors") photographErrorMaps(photographer);
    if (part.isEmpty() || part == "diagnosis") photographDiagnoses(photographer);
    if (part.isEmpty() || part == "windows") photographWindows(photographer);
    if (part.isEmpty() || part == "scaling") photographScales(photographer);
    if (part.isEmpty() || part == "workplace") photographWorkplace(photographer);
    if (part == "4k") photographAt200Percent(photographer);
    if (!part.isEmpty() && part != "python") return 0;
    photographPython(photographer, {1280, 800}, "small");
    photographPython(photographer, {1920, 1080}, "large");
    applyTheme(Theme::dark);
    photographPython(photographer, {1280, 800}, "dark");
    applyTheme(Theme::light);
    const Language chinese("zh_CN");
    photographPython(photographer, {1280, 800}, "chinese");
}
