// SPDX-License-Identifier: GPL-3.0-or-later
// A model's operators in their window: from the file to a table, to a project of calls, and back to the whole.
#include <QClipboard>
#include <QDir>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>

#include "app/studio/dialogs/import_dialog.h"
#include "app/studio/model/model_lines.h"
#include "app/studio/model/model_window.h"
#include "app/studio/model/share_bar.h"
#include "app/studio/window/main_window.h"
#include "core/base/file.h"
#include "core/project/project_file.h"
#include "core/project/source_files.h"
#include "core/python/interpreter.h"
#include "core/round/history.h"
#include "tests/studio/fixtures.h"
#include "tests/studio/registry.h"

namespace kernelgen::studio {

using testing::Studio;
using testing::waitUntil;

namespace {

/// A session with a model's window, and a folder for the model and projects.
struct Page {
    Page() : window(studio.session(), folder.path() + "/projects") {
        window.setAttribute(Qt::WA_DeleteOnClose, false);
        window.show();
    }
    ModelStudy& model() { return studio.session().model(); }
    QString write(const QString& file, const std::string& text) const {
        if (!write_file_atomic((folder.path() + "/" + file).toStdString(), text)) qFatal("%s", qPrintable(file));
        return folder.path() + "/" + file;
    }
    /// The file is read, which starts no worker.
    bool read(const QString& file) {
        model().read(file);
        return waitUntil([&] { return !model().isReading(); });
    }
    bool wait() {
        return waitUntil([&] { return !model().isAsking() && !studio.session().engine().isRunning(); });
    }
    template <class Widget>
    Widget* part(const char* name) const {
        return window.findChild<Widget*>(name);
    }
    QString shown(const QString& table, int row, int column) const {
        return window.findChild<QTableView*>(table)->model()->index(row, column).data().toString();
    }

    QTemporaryDir folder;
    Studio studio{""};
    ModelWindow window;
};

/// Why models cannot be measured here; "" where they can.
QString lacking() {
    const Result<PythonInterpreter>& interpreter = python_interpreter();
    if (!interpreter) return QString::fromStdString(interpreter.error().message);
    return QString::fromStdString(interpreter->lacks(kernelgen::Language::torch, "cpu").value_or(""));
}

}  // namespace

#define NEEDS_TORCH \
    if (const QString missing = lacking(); !missing.isEmpty()) QSKIP(qPrintable(missing))

class ModelTest : public QObject {
    Q_OBJECT

private slots:
    void saysWhatToDoBeforeAFileIsChosen();
    void callsStandInTheOrderOfTheirGain();
    void aColumnSortsByItsNumbers();
    void neighboursFillTheCallsOfAProject();
    void theBarChoosesARow();
    void withoutCeilingsTheOrderIsThatOfTimeAndIsSaid();
    void markdownIsWhatTheCommandPrints();
    void aFileWithoutAModelIsRefusedWithItsLine();
    void aFailingModelNamesTheLine();
    void aModelIsMeasuredAndCallsBecomeAProject();
    void aMeasurementCanBeStopped();
    void aProjectThatWasNotMadeOfTheModelIsRefused();
    void theImportOffersOperatorsOfAModel();
    void theMenuOpensOneWindow();
    void aProjectThatWasMadeIsOpenedInPlaceOfTheModel();
};

void ModelTest::saysWhatToDoBeforeAFileIsChosen() {
    Page page;
    QVERIFY(page.part<QTextBrowser>("model_message")->toPlainText().contains("get_inputs"));
    QVERIFY(!page.part<QPushButton>("model_measure")->isEnabled());
    QVERIFY(!page.part<QPushButton>("model_stop")->isEnabled());
    QVERIFY(!page.part<QPushButton>("model_make")->isEnabled());
}

void ModelTest::callsStandInTheOrderOfTheirGain() {
    Page page;
    page.model().take(testing::exampleModel());
    QCOMPARE(page.shown("model_calls", 0, ModelLines::Operator), "aten.convolution");
    QCOMPARE(page.shown("model_calls", 0, ModelLines::Module), "layer2.conv");
    QCOMPARE(page.shown("model_calls", 0, ModelLines::Time), "9.60 ms");
    QCOMPARE(page.shown("model_calls", 0, ModelLines::Flops), "680 MFLOP");
    QCOMPARE(page.shown("model_calls", 0, ModelLines::Share), "36.8 %");
    QVERIFY(page.shown("model_calls", 0, ModelLines::Reached).endsWith("% of FLOPs"));
    double before = 100;
    for (int row = 0; row < 7; ++row) {
        const double gain = page.shown("model_calls", row, ModelLines::Gain).chopped(1).toDouble();
        QVERIFY(gain >= 1 && gain <= before);
        before = gain;
    }
    QVERIFY(page.part<QTextBrowser>("model_page")->toPlainText().contains("f32[64,32,3,3]"));
    QVERIFY(page.part<QLabel>("model_whole")->text().contains("26.1 ms"));
}

void ModelTest::aColumnSortsByItsNumbers() {
    Page page;
    page.model().take(testing::exampleModel());
    page.part<QTableView>("model_calls")->sortByColumn(ModelLines::Bytes, Qt::AscendingOrder);
    QCOMPARE(page.shown("model_calls", 0, ModelLines::Bytes), "6.40 kB");
    QCOMPARE(page.shown("model_calls", 6, ModelLines::Bytes), "7.13 MB");
}

void ModelTest::neighboursFillTheCallsOfAProject() {
    Page page;
    page.model().take(testing::exampleModel());
    page.window.findChild<QTabWidget*>()->setCurrentIndex(1);
    QCOMPARE(page.shown("model_neighbours", 0, ModelLines::Calls), "4–7");
    QCOMPARE(page.part<QSpinBox>("model_first")->value(), 4);
    QCOMPARE(page.part<QSpinBox>("model_last")->value(), 7);
    QVERIFY(page.part<QTextBrowser>("model_page")->toPlainText().contains("As one kernel"));
}

void ModelTest::theBarChoosesARow() {
    Page page;
    page.model().take(testing::exampleModel());
    auto* bar = page.part<ShareBar>("model_shares");
    QTest::mouseClick(bar, Qt::LeftButton, {}, QPoint(bar->width() * 45 / 100, bar->height() / 2));
    QVERIFY(page.part<QTextBrowser>("model_page")->toPlainText().startsWith("aten.native_batch_norm"));
    QCOMPARE(page.part<QSpinBox>("model_first")->value(), 2);
}

void ModelTest::withoutCeilingsTheOrderIsThatOfTimeAndIsSaid() {
    Page page;
    page.model().take(testing::exampleModel(false));
    QCOMPARE(page.shown("model_calls", 0, ModelLines::Gain), "-");
    QCOMPARE(page.shown("model_calls", 1, ModelLines::Operator), "aten.native_batch_norm");
    QVERIFY(page.part<QLabel>("model_notes")->text().contains("No ceilings are known of cpu"));
    page.model().take(testing::exampleModel());
    QVERIFY(!page.part<QLabel>("model_notes")->isVisible());
}

void ModelTest::markdownIsWhatTheCommandPrints() {
    Page page;
    page.model().take(testing::exampleModel());
    page.part<QPushButton>("model_copy")->click();
    const QString text = QGuiApplication::clipboard()->text();
    QVERIFY(text.startsWith("/models/net.py on cpu, case default: 26.1 ms (median of 25 runs)"));
    QVERIFY(text.contains("| aten.convolution | layer2.conv |"));
    QVERIFY(text.contains("convolution > native_batch_norm > relu_ > mean"));
}

void ModelTest::aFileWithoutAModelIsRefusedWithItsLine() {
    if (!testing::hasPython()) QSKIP("no Python interpreter reads the files: python3 is not on PATH");
    Page page;
    QVERIFY(page.read(page.write("torn.py", "import torch\nclass Model(:\n")));
    QVERIFY2(page.model().problem().contains("line 2"), qPrintable(page.model().problem()));
    QVERIFY(page.part<QTextBrowser>("model_message")->toPlainText().contains("line 2"));
    QVERIFY(!page.part<QPushButton>("model_measure")->isEnabled());
    QVERIFY(page.read(page.write("none.py", "import torch\n")));
    QVERIFY(page.model().problem().contains("there is neither `reference` nor KernelBench's"));
    QVERIFY(page.read(page.folder.path() + "/missing.py"));
    QVERIFY(page.model().problem().contains("missing.py"));
}

void ModelTest::aFailingModelNamesTheLine() {
    NEEDS_TORCH;
    Page page;
    page.studio.session().applyWorkerSettings();
    QVERIFY(page.read(
        page.write("wrong.py", QString(testing::model_text).replace("randn(48, 64)", "randn(48, 65)").toStdString())));
    page.part<QPushButton>("model_measure")->click();
    QVERIFY(page.wait());
    QVERIFY2(page.model().problem().contains("wrong.py:13, in forward"), qPrintable(page.model().problem()));
    QVERIFY(page.part<QPushButton>("model_measure")->isEnabled());
}

void ModelTest::aModelIsMeasuredAndCallsBecomeAProject() {
    NEEDS_TORCH;
    Page page;
    Session& session = page.studio.session();
    session.applyWorkerSettings();
    QVERIFY(page.read(page.write("net.py", testing::model_text)));
    page.part<QPushButton>("model_measure")->click();
    QVERIFY(page.part<QPushButton>("model_stop")->isEnabled());
    QVERIFY(page.wait());
    QVERIFY2(page.model().report(), qPrintable(page.model().problem()));
    QCOMPARE(page.model().report()->profile.calls(), 8);

    page.part<QSpinBox>("model_first")->setValue(2);
    page.part<QSpinBox>("model_last")->setValue(3);
    QSignalSpy made(&page.model(), &ModelStudy::projectMade);
    page.part<QPushButton>("model_make")->click();
    QVERIFY(page.wait() && waitUntil([&] { return !made.isEmpty(); }));
    const QString folder = made.front().front().toString();
    QVERIFY(folder.startsWith(page.folder.path() + "/projects/"));
    const Validated<Project> project = load_project(folder.toStdString());
    QVERIFY(project.has_value());
    QCOMPARE(project->cases.front().name, std::string("calls_2_3"));

    page.model().putInPlace(folder);
    QVERIFY(waitUntil([&] { return !page.model().problem().isEmpty(); }));
    QVERIFY(page.model().problem().contains("has no round on cpu that is right"));
    QVERIFY(page.model().report()->replacements.empty());

    RoundDetail detail;
    detail.definition = project->definition;
    detail.candidate = read_implementation(*project, project->variants.front()).value();
    Round& round = detail.round = testing::exampleRound(1);
    round.baseline = "reference";
    round.cases.front().binding.name = "calls_2_3";
    round.cases.front().speedup = 2;
    QVERIFY(record_round(folder.toStdString(), detail).has_value());
    page.model().putInPlace(folder);
    QVERIFY(waitUntil([&] { return !page.model().report()->replacements.empty(); }));
    QCOMPARE(page.model().report()->replacements.front().places, (std::vector<int>{2, 6}));
    QVERIFY(page.part<QLabel>("model_gain")->isVisible());
    QVERIFY(page.part<QLabel>("model_notes")->text().contains("2.000×"));
    page.model().takeOutOfPlace();
    QVERIFY(!page.part<QLabel>("model_gain")->isVisible());
}

void ModelTest::aMeasurementCanBeStopped() {
    NEEDS_TORCH;
    Page page;
    page.studio.session().applyWorkerSettings();
    const QString slow =
        QString(testing::model_text).replace("for _ in", "__import__('time').sleep(100)\n        for _ in");
    QVERIFY(page.read(page.write("slow.py", slow.toStdString())));
    page.part<QPushButton>("model_measure")->click();
    QTest::qWait(500);
    QVERIFY(page.studio.session().engine().isRunning());
    page.part<QPushButton>("model_stop")->click();
    QVERIFY(page.wait());
    QVERIFY2(page.model().problem().startsWith("cancelled"), qPrintable(page.model().problem()));
}

void ModelTest::aProjectThatWasNotMadeOfTheModelIsRefused() {
    Page page;
    Studio other;
    page.model().take(testing::exampleModel());
    page.model().putInPlace(other.folder());
    QVERIFY(waitUntil([&] { return !page.model().problem().isEmpty(); }));
    QVERIFY(page.model().problem().contains("was not made of a model's calls"));
    QVERIFY(page.part<QLabel>("model_problem")->isVisible());
}

void ModelTest::theImportOffersOperatorsOfAModel() {
    if (!testing::hasPython()) QSKIP("no Python interpreter reads the files: python3 is not on PATH");
    Page page;
    const Engine engine;
    ImportDialog dialog(engine, page.folder.path());
    dialog.show();
    auto* operators = dialog.findChild<QPushButton*>("import_operators");
    QVERIFY(!operators->isVisible());
    dialog.setSource(page.write("net.py", testing::model_text));
    QVERIFY(waitUntil([&] { return operators->isVisible(); }));
    operators->click();
    QCOMPARE(dialog.result(), ImportDialog::operators_wanted);
}

void ModelTest::theMenuOpensOneWindow() {
    Studio studio("");
    MainWindow window(studio.session());
    window.show();
    for (int i = 0; i < 2; ++i) {
        for (QAction* each : window.findChildren<QAction*>()) {
            if (each->shortcut() == QKeySequence("Ctrl+Shift+M")) each->trigger();
        }
    }
    QCOMPARE(window.findChildren<ModelWindow*>().size(), 1);
    QVERIFY(window.findChild<ModelWindow*>()->isVisible());
}

void ModelTest::aProjectThatWasMadeIsOpenedInPlaceOfTheModel() {
    Studio studio;
    MainWindow window(studio.session());
    window.show();
    ModelWindow shown(studio.session(), studio.folder(), &window);
    shown.setAttribute(Qt::WA_DeleteOnClose, false);
    shown.show();
    emit studio.session().model().projectMade(studio.folder());
    QVERIFY(studio.session().document().isOpen());
    QVERIFY(!shown.isVisible());
}

}  // namespace kernelgen::studio

STUDIO_TEST(kernelgen::studio::ModelTest)
#include "model_test.moc"
