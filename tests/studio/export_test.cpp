// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QSignalSpy>
#include <QTest>
#include <QXmlStreamReader>

#include "app/studio/export/export_log.h"
#include "core/project/project_file.h"
#include "tests/studio/fixtures.h"
#include "tests/studio/registry.h"

namespace kernelgen::studio {

using testing::exampleHistory;
using testing::Studio;

class ExportTest : public QObject {
    Q_OBJECT

private slots:
    void writesTheLogAndItsChartsAndLinksThem();
    void chartsAreWellFormed();
    void chartsThatAreNoLongerMadeAreRemoved();
    void aProjectWithoutRoundsHasALogWithoutCharts();
    void devicesHaveChartsOfTheirOwn();
    void theNewestTuningOfAVariantHasItsCharts();
    void aFolderThatCannotBeWrittenIsAnError();
    void theProgramExportsWithoutADisplay();
    void theProgramRefusesAnInvalidProject();
};

namespace {

QByteArray bytesOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

Result<ExportedLog> exported(const QString& folder, History history) {
    const Validated<Project> project = load_project(folder.toStdString());
    if (!project) return fail(to_string(project.error()));
    LogExport job(*project, std::make_shared<const History>(std::move(history)), Tongue::english);
    QSignalSpy finished(&job, &LogExport::finished);
    job.start();
    if (finished.isEmpty() && !finished.wait(60000)) return fail("the export did not end");
    return job.result();
}

QStringList chartsIn(const QString& folder) { return QDir(folder + "/optimization_log_charts").entryList(QDir::Files); }

int runProgram(const QStringList& arguments, QByteArray* output = nullptr) {
    QProcess program;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.remove("DISPLAY");
    environment.remove("QT_QPA_PLATFORM");
    program.setProcessEnvironment(environment);
    program.setProcessChannelMode(QProcess::MergedChannels);
    program.start(KERNELGEN_STUDIO, arguments);
    if (!program.waitForFinished(60000)) return -1;
    if (output != nullptr) *output = program.readAll();
    return program.exitStatus() == QProcess::NormalExit ? program.exitCode() : -1;
}

}  // namespace

void ExportTest::writesTheLogAndItsChartsAndLinksThem() {
    const Studio studio;
    const auto result = exported(studio.folder(), exampleHistory(12));
    QVERIFY(result);
    QCOMPARE(chartsIn(studio.folder()), (QStringList{"efficiency_cpu.svg", "roofline_cpu.svg", "speedup.svg"}));
    const QByteArray log = bytesOf(studio.folder() + "/optimization_log.md");
    QVERIFY(log.contains("## Charts"));
    for (const QString& chart : chartsIn(studio.folder())) {
        QVERIFY(log.contains("](optimization_log_charts/" + chart.toUtf8() + ")"));
    }
    QCOMPARE(result->charts.size(), 3U);
}

void ExportTest::chartsAreWellFormed() {
    const Studio studio;
    QVERIFY(exported(studio.folder(), exampleHistory(12)));
    for (const QString& chart : chartsIn(studio.folder())) {
        QXmlStreamReader reader(bytesOf(studio.folder() + "/optimization_log_charts/" + chart));
        while (!reader.atEnd()) reader.readNext();
        QVERIFY2(!reader.hasError(), qPrintable(chart + ": " + reader.errorString()));
    }
    const QByteArray speedup = bytesOf(studio.folder() + "/optimization_log_charts/speedup.svg");
    QVERIFY(speedup.contains("Speedup across rounds"));
    QVERIFY(speedup.contains("4096x4096 f32"));
    QVERIFY(speedup.contains("viewBox=\"0 0 900 480\""));
}

void ExportTest::chartsThatAreNoLongerMadeAreRemoved() {
    const Studio studio;
    QDir(studio.folder()).mkdir("optimization_log_charts");
    for (const char* name : {"roofline_cuda-0.svg", "mine.svg"}) {
        QFile file(studio.folder() + "/optimization_log_charts/" + name);
        QVERIFY(file.open(QIODevice::WriteOnly));
    }
    QVERIFY(exported(studio.folder(), exampleHistory(3)));
    QVERIFY(!chartsIn(studio.folder()).contains("roofline_cuda-0.svg"));
    QVERIFY(chartsIn(studio.folder()).contains("mine.svg"));
}

void ExportTest::aProjectWithoutRoundsHasALogWithoutCharts() {
    const Studio studio;
    QVERIFY(exported(studio.folder(), {}));
    QVERIFY(!QDir(studio.folder() + "/optimization_log_charts").exists());
    QVERIFY(!bytesOf(studio.folder() + "/optimization_log.md").contains("## Charts"));
}

void ExportTest::devicesHaveChartsOfTheirOwn() {
    const Studio studio;
    History history = exampleHistory(4);
    history.rounds[3].device = "cuda:0";
    QVERIFY(exported(studio.folder(), history));
    QVERIFY(chartsIn(studio.folder()).contains("roofline_cuda-0.svg"));
}

void ExportTest::theNewestTuningOfAVariantHasItsCharts() {
    const Studio studio;
    testing::writeTuning(studio.folder(), testing::exampleTuning(60));
    testing::writeTuning(studio.folder(), testing::exampleTuning(80));
    testing::writeTuning(studio.folder(), testing::exampleTuning(0));  // of which there is nothing to draw
    QVERIFY(exported(studio.folder(), exampleHistory(3)));
    const QByteArray log = bytesOf(studio.folder() + "/optimization_log.md");
    for (const QByteArray kind : {"best", "all", "heat-map", "pareto", "parallel", "importance"}) {
        const QByteArray file = "tuning-" + kind + "_host-cpu.svg";
        QVERIFY2(log.contains("](optimization_log_charts/" + file + ")"), kind);
        const QByteArray chart = bytesOf(studio.folder() + "/optimization_log_charts/" + file);
        QVERIFY2(chart.contains("tuning 2 of host on cpu, 4096x4096 f32"), kind);
        QXmlStreamReader reader(chart);
        while (!reader.atEnd()) reader.readNext();
        QVERIFY2(!reader.hasError(), kind);
    }
}

void ExportTest::aFolderThatCannotBeWrittenIsAnError() {
    const Studio studio;
    QFile obstacle(studio.folder() + "/optimization_log_charts");
    QVERIFY(obstacle.open(QIODevice::WriteOnly));
    const auto result = exported(studio.folder(), exampleHistory(3));
    QVERIFY(!result);
    QVERIFY(result.error().message.text().contains("optimization_log_charts"));
}

void ExportTest::theProgramExportsWithoutADisplay() {
    const Studio studio;
    testing::writeHistory(studio.folder(), 8);
    QByteArray output;
    QCOMPARE(runProgram({"--export", studio.folder()}, &output), 0);
    QVERIFY(output.contains("optimization_log.md and 3 charts"));
    QCOMPARE(runProgram({"--export", studio.folder(), "--lang", "zh"}), 0);
    QVERIFY(bytesOf(studio.folder() + "/optimization_log.md").contains("## 图表"));
}

void ExportTest::theProgramRefusesAnInvalidProject() {
    QByteArray output;
    QCOMPARE(runProgram({"--export", "/nowhere"}, &output), 1);
    QVERIFY(output.contains("/nowhere"));
    QCOMPARE(runProgram({"--export"}), 1);
}

}  // namespace kernelgen::studio

STUDIO_TEST(kernelgen::studio::ExportTest)
#include "export_test.moc"
