// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>

#include "app/studio/dialogs/import_dialog.h"
#include "core/project/project_file.h"
#include "core/python/interpreter.h"
#include "tests/studio/fixtures.h"
#include "tests/studio/registry.h"

namespace kernelgen::studio {

using testing::Studio;
using testing::waitUntil;

namespace {

/// The files of an operator as a person wrote them, in a folder of their own, and a place for projects.
struct Set {
    Set() {
        const QString shipped = QString(KERNELGEN_SOURCE_DIR) + "/tests/core_files/sets/broadcast_v1";
        QDir().mkpath(source());
        for (const QString& file : QDir(shipped).entryList({"*.py"})) {
            QFile::copy(shipped + "/" + file, source() + "/" + file);
            QFile::setPermissions(source() + "/" + file, QFile::ReadOwner | QFile::WriteOwner);
        }
    }
    QString source() const { return folder.path() + "/set"; }
    QString projects() const { return folder.path() + "/projects"; }
    void append(const QString& file, const QByteArray& text) const {
        QFile target(source() + "/" + file);
        if (!target.open(QIODevice::Append) || target.write(text) < 0) qFatal("%s", qPrintable(file));
    }

    QTemporaryDir folder;
};

void writeBytes(const QString& file, const QByteArray& text) {
    QFile target(file);
    if (!target.open(QIODevice::WriteOnly) || target.write(text) < 0) qFatal("%s", qPrintable(file));
}

QString page(const ImportDialog& dialog) { return dialog.findChild<QTextBrowser*>("import_page")->toPlainText(); }

QPushButton* importButton(const ImportDialog& dialog) {
    return dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
}

bool isRead(const ImportDialog& dialog) {
    return waitUntil([&] { return !page(dialog).contains("Reading "); });
}

}  // namespace

class ImportTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void nothingIsImportedBeforeAFolderIsChosen();
    void whatWasFoundIsShownBeforeAnythingIsWritten();
    void anAcceptedSetIsAProject();
    void noFileOfTheSetIsExecuted();
    void aFolderThatHoldsNoSetIsExplained();
    void aFolderThatHoldsAProjectIsRefused();
    void aProblemAndItsSolutionAreAProject();
    void aFolderOfProblemsIsAFolderOfProjects();
    void noTestsAreRunWhileSomethingIsTimed();
    void aFileWithTestsNeedsThemToBeRun();
};

void ImportTest::initTestCase() {
    if (!testing::hasPython()) QSKIP("no Python interpreter reads the files: python3 is not on PATH");
}

void ImportTest::nothingIsImportedBeforeAFolderIsChosen() {
    const Engine engine;
    const ImportDialog dialog(engine, "/nowhere");
    QVERIFY(page(dialog).contains("never executed"));
    QVERIFY(!importButton(dialog)->isEnabled());
}

void ImportTest::whatWasFoundIsShownBeforeAnythingIsWritten() {
    Set set;
    const Engine engine;
    ImportDialog dialog(engine, set.projects());
    dialog.setSource(set.source());
    QVERIFY(isRead(dialog));
    for (const char* each : {"broadcast_v1_triton.py", "broadcast_v1_baseline.py", "BLOCK_M", "bias"}) {
        QVERIFY2(page(dialog).contains(each), qPrintable(page(dialog)));
    }
    QVERIFY(importButton(dialog)->isEnabled());
    QVERIFY(dialog.folder().startsWith(set.projects() + "/"));
    QVERIFY(!QDir(dialog.folder()).exists());
}

void ImportTest::anAcceptedSetIsAProject() {
    Set set;
    const Engine engine;
    ImportDialog dialog(engine, set.projects());
    dialog.setSource(set.source());
    QVERIFY(isRead(dialog));
    dialog.accept();
    QCOMPARE(dialog.result(), static_cast<int>(QDialog::Accepted));
    const Validated<Project> project = load_project(dialog.folder().toStdString());
    QVERIFY(project.has_value());
    const auto triton = std::ranges::find(project->variants, kernelgen::Language::triton, &Variant::language);
    QVERIFY(triton != project->variants.end());
    QVERIFY(triton->generated.empty());
    QVERIFY(configuration_of(*triton).contains("BLOCK_M"));
}

void ImportTest::noFileOfTheSetIsExecuted() {
    Set set;
    const QString trace = set.projects() + "-executed";
    set.append("broadcast_v1_triton.py", ("\nopen(\"" + trace + "\", \"w\")\n").toUtf8());
    const Engine engine;
    ImportDialog dialog(engine, set.projects());
    dialog.setSource(set.source());
    QVERIFY(isRead(dialog));
    dialog.accept();
    QVERIFY(!QFile::exists(trace));
}

void ImportTest::aFolderThatHoldsNoSetIsExplained() {
    const Engine engine;
    ImportDialog dialog(engine, "/nowhere");
    dialog.setSource(QDir::tempPath() + "/no/such/folder");
    QVERIFY(isRead(dialog));
    QVERIFY(page(dialog).contains("cannot be imported yet"));
    QVERIFY(!importButton(dialog)->isEnabled());
}

void ImportTest::aFolderThatHoldsAProjectIsRefused() {
    Set set;
    const Engine engine;
    ImportDialog dialog(engine, set.projects());
    dialog.setSource(set.source());
    QVERIFY(isRead(dialog));
    auto* target = dialog.findChild<QLineEdit*>("import_target");
    const Studio studio;
    target->setText(studio.folder());
    emit target->textEdited(target->text());
    QVERIFY(!importButton(dialog)->isEnabled());
    QVERIFY(dialog.findChild<QLabel*>("import_problem")->text().contains("another"));
}

constexpr const char* problem_text = R"(import torch

class Model(torch.nn.Module):
    def forward(self, x):
        return torch.relu(x)

def get_inputs():
    return [torch.randn(8, 16)]
)";

void ImportTest::aProblemAndItsSolutionAreAProject() {
    QTemporaryDir folder;
    const QString problem = folder.filePath("relu.py"), solution = folder.filePath("mine.py");
    writeBytes(problem, problem_text);
    writeBytes(solution, "def relu(x):\n    return x.clamp(min=0)\n");
    const Engine engine;
    ImportDialog dialog(engine, folder.filePath("projects"));
    dialog.setSource(problem);
    QVERIFY(isRead(dialog));
    QVERIFY2(page(dialog).contains("by torch.compile"), qPrintable(page(dialog)));
    auto* field = dialog.findChild<QLineEdit*>("import_solution");
    field->setText(solution);
    emit field->editingFinished();
    QVERIFY(isRead(dialog));
    QVERIFY2(page(dialog).contains("solution.py"), qPrintable(page(dialog)));
    dialog.accept();
    const Validated<Project> project = load_project(dialog.folder().toStdString());
    QVERIFY(project.has_value());
    QCOMPARE(project->definition.family, Family::callable);
    QCOMPARE(project->variants.front().name, std::string("solution"));
}

void ImportTest::aFolderOfProblemsIsAFolderOfProjects() {
    QTemporaryDir folder;
    QDir().mkpath(folder.filePath("level1"));
    for (const char* each : {"level1/1_relu.py", "level1/2_more.py"}) writeBytes(folder.filePath(each), problem_text);
    writeBytes(folder.filePath("level1/3_other.py"), "x = 1\n");
    const Engine engine;
    ImportDialog dialog(engine, folder.filePath("projects"));
    dialog.setSource(folder.filePath("level1"));
    QVERIFY(isRead(dialog));
    QVERIFY2(page(dialog).contains("2 project(s)"), qPrintable(page(dialog)));
    QVERIFY2(page(dialog).contains("there is neither"), qPrintable(page(dialog)));
    dialog.accept();
    QCOMPARE(dialog.folder(), folder.filePath("projects/level1/1_relu"));
    for (const char* each : {"1_relu", "2_more"}) {
        QVERIFY(load_project(folder.filePath("projects/level1").toStdString() + "/" + each).has_value());
    }
}

void ImportTest::noTestsAreRunWhileSomethingIsTimed() {
    Studio studio;
    studio.open();
    Engine& engine = studio.session().engine();
    ImportDialog dialog(engine, "/nowhere");
    dialog.setSource(QString(KERNELGEN_SOURCE_DIR) + "/tests/core_files/traced/swiglu.py");
    QVERIFY(isRead(dialog));
    const auto* tests = dialog.findChild<QPushButton*>("import_run_tests");
    QVERIFY(waitUntil([&] { return tests->isEnabled(); }));
    studio.session().run("");
    QVERIFY(engine.isRunning());
    QVERIFY(!tests->isEnabled());
    QVERIFY2(tests->toolTip().contains("under way"), qPrintable(tests->toolTip()));
    auto* reference = dialog.findChild<QLineEdit*>("import_reference");
    QTest::keyClick(reference, Qt::Key_Return);
    QVERIFY(!page(dialog).contains("Running the tests"));
    engine.stop();
    QVERIFY(waitUntil([&] { return tests->isEnabled(); }));
}

void ImportTest::aFileWithTestsNeedsThemToBeRun() {
    const auto& python = python_interpreter();
    if (!python || python->lacks(kernelgen::Language::triton, "cpu")) QSKIP("no PyTorch and Triton");
    const Engine engine;
    ImportDialog dialog(engine, "/nowhere");
    dialog.setSource(QString(KERNELGEN_SOURCE_DIR) + "/tests/core_files/traced/swiglu.py");
    QVERIFY(isRead(dialog));
    QVERIFY2(page(dialog).contains("cannot be imported yet"), qPrintable(page(dialog)));
    auto* tests = dialog.findChild<QPushButton*>("import_run_tests");
    dialog.findChild<QLineEdit*>("import_reference")->setText("lambda gate, up: torch.nn.functional.silu(gate) * up");
    tests->click();
    QVERIFY(!tests->isEnabled());
    QVERIFY(waitUntil([&] { return !page(dialog).contains("Running "); }));
    QVERIFY2(page(dialog).contains("definition.py"), qPrintable(page(dialog)));
    QVERIFY(importButton(dialog)->isEnabled());
    emit dialog.findChild<QLineEdit*>("import_source")->editingFinished();  // it was left unchanged
    QVERIFY(importButton(dialog)->isEnabled());
}

}  // namespace kernelgen::studio

STUDIO_TEST(kernelgen::studio::ImportTest)
#include "import_test.moc"
