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
#include "tests/studio/fixtures.h"

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
};

void ImportTest::initTestCase() {
    if (!testing::hasPython()) QSKIP("no Python interpreter reads the files: python3 is not on PATH");
}

void ImportTest::nothingIsImportedBeforeAFolderIsChosen() {
    const ImportDialog dialog("/nowhere");
    QVERIFY(page(dialog).contains("never executed"));
    QVERIFY(!importButton(dialog)->isEnabled());
}

void ImportTest::whatWasFoundIsShownBeforeAnythingIsWritten() {
    Set set;
    ImportDialog dialog(set.projects());
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
    ImportDialog dialog(set.projects());
    dialog.setSource(set.source());
    QVERIFY(isRead(dialog));
    dialog.accept();
    QCOMPARE(dialog.result(), static_cast<int>(QDialog::Accepted));
    const Checked<Project> project = load_project(dialog.folder().toStdString());
    QVERIFY(project.has_value());
    const auto triton = std::ranges::find(project->variants, Language::triton, &Variant::language);
    QVERIFY(triton != project->variants.end());
    QVERIFY(triton->generated.empty());
    QVERIFY(configuration_of(*triton).contains("BLOCK_M"));
}

void ImportTest::noFileOfTheSetIsExecuted() {
    Set set;
    const QString trace = set.projects() + "-executed";
    set.append("broadcast_v1_triton.py", ("\nopen(\"" + trace + "\", \"w\")\n").toUtf8());
    ImportDialog dialog(set.projects());
    dialog.setSource(set.source());
    QVERIFY(isRead(dialog));
    dialog.accept();
    QVERIFY(!QFile::exists(trace));
}

void ImportTest::aFolderThatHoldsNoSetIsExplained() {
    ImportDialog dialog("/nowhere");
    dialog.setSource(QDir::tempPath() + "/no/such/folder");
    QVERIFY(isRead(dialog));
    QVERIFY(page(dialog).contains("cannot be imported"));
    QVERIFY(!importButton(dialog)->isEnabled());
}

void ImportTest::aFolderThatHoldsAProjectIsRefused() {
    Set set;
    ImportDialog dialog(set.projects());
    dialog.setSource(set.source());
    QVERIFY(isRead(dialog));
    auto* target = dialog.findChild<QLineEdit*>("import_target");
    const Studio studio;
    target->setText(studio.folder());
    emit target->textEdited(target->text());
    QVERIFY(!importButton(dialog)->isEnabled());
    QVERIFY(dialog.findChild<QLabel*>("import_problem")->text().contains("another"));
}

}  // namespace kernelgen::studio

QTEST_MAIN(kernelgen::studio::ImportTest)
#include "import_test.moc"
