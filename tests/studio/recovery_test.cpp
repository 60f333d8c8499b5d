// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include <QPushButton>
#include <QTest>
#include <QTextCursor>

#include "app/studio/window/notices.h"
#include "core/base/file.h"
#include "core/project/project_file.h"
#include "tests/studio/fixtures.h"
#include "tests/studio/registry.h"

namespace kernelgen::studio {

using testing::Studio;
using testing::waitUntil;

class RecoveryTest : public QObject {
    Q_OBJECT

private slots:
    void unsavedChangesOutliveACrash();
    void restoringIsOneUndoableStep();
    void anInvalidDefinitionIsRecoveredToo();
    void discardedChangesAreNotOfferedAgain();
    void savingTakesTheCopyAway();
    void anOrderlyEndTakesTheCopyAway();
    void whatAnotherLivingStudioHasOpenIsNotOffered();
    void aCorruptCopyIsSetAsideWithAWarning();
    void aCopyOfAnotherProjectIsSetAside();
    void aChangeOnDiskIsTakenSilentlyWithoutUnsavedEdits();
    void aChangeOnDiskIsAskedAboutWithUnsavedEdits();
    void keepingMineLeavesTheEditsToBeSaved();
    void aProjectThatCannotBeReadFromDiskIsSaid();
    void anAtomicReplaceIsNoticedEveryTime();
    void aSaveOfOneselfIsNotAChangeByAnother();
};

namespace {

constexpr int soon = 20;  ///< milliseconds

/// A document with its copies in a folder of their own.
struct Edited {
    explicit Edited(const QString& project, const QString& folder) : recovery(document, folder, soon) {
        if (!document.open(project).empty()) qFatal("the project cannot be opened");
    }
    void edit() {
        document.setTunable("host", "BLOCK_M", 1);
        QTextCursor(&document.source("bias_add.cpp")->document()).insertText("// mine\n");
    }

    ProjectDocument document;
    Recovery recovery;
};

QStringList copiesIn(const QString& folder) { return QDir(folder).entryList({"*.json"}, QDir::Files); }

/// Edits a project in a studio that then ends as by a crash: its copy is left behind.
void crash(Studio& studio, const QString& folder, const std::function<void(Edited&)>& edit) {
    const QString running = folder + "/running";
    Edited edited(studio.folder(), running);
    edit(edited);
    if (!waitUntil([&] { return !copiesIn(running).isEmpty(); })) qFatal("no copy was written");
    QFile::copy(running + "/" + copiesIn(running).front(), folder + "/" + copiesIn(running).front());
}

void writeFile(const QString& path, const std::string& text) {
    if (!write_file_atomic(path.toStdString(), text)) qFatal("cannot write %s", qPrintable(path));
}

std::string readFile(const QString& path) { return read_file(path.toStdString()).value_or(""); }

/// Rewrites project.json as another program would.
void describeOnDisk(const Studio& studio, const std::string& description) {
    Validated<Project> project = load_project(studio.folder().toStdString());
    project->definition.description = description;
    if (!save_project(*project)) qFatal("the project cannot be saved");
}

}  // namespace

void RecoveryTest::unsavedChangesOutliveACrash() {
    Studio studio;
    const QTemporaryDir copies;
    crash(studio, copies.path(), [](Edited& edited) { edited.edit(); });
    Edited again(studio.folder(), copies.path());
    QVERIFY(again.recovery.offer());
    QVERIFY(again.recovery.offer()->time.secsTo(QDateTime::currentDateTimeUtc()) < 3600);
    again.recovery.restore();
    QCOMPARE(configuration_of(again.document.project().variants[0]).at("BLOCK_M"), 1);
    QVERIFY(again.document.source("bias_add.cpp")->text().starts_with("// mine\n"));
    QVERIFY(again.document.isModified());
    QVERIFY(!again.recovery.offer());
}

void RecoveryTest::restoringIsOneUndoableStep() {
    Studio studio;
    const QTemporaryDir copies;
    crash(studio, copies.path(), [](Edited& edited) { edited.edit(); });
    Edited again(studio.folder(), copies.path());
    again.recovery.restore();
    QCOMPARE(again.document.undoStack().count(), 1);
    again.document.undoStack().undo();
    QVERIFY(!again.document.isModified());
}

void RecoveryTest::anInvalidDefinitionIsRecoveredToo() {
    Studio studio;
    const QTemporaryDir copies;
    crash(studio, copies.path(), [](Edited& edited) {
        edited.document.edit("body", [](Project& project) { project.definition.body = "out = x + ("; });
    });
    Edited again(studio.folder(), copies.path());
    again.recovery.restore();
    QCOMPARE(again.document.project().definition.body, "out = x + (");
}

void RecoveryTest::discardedChangesAreNotOfferedAgain() {
    Studio studio;
    const QTemporaryDir copies;
    crash(studio, copies.path(), [](Edited& edited) { edited.edit(); });
    {
        Edited again(studio.folder(), copies.path());
        QVERIFY(again.recovery.offer());
        again.edit();  // what is new does not replace what is offered
        QVERIFY(waitUntil([&] { return copiesIn(copies.path()).size() == 2; }));
        again.recovery.discard();
    }
    QVERIFY(copiesIn(copies.path()).isEmpty());
    const Edited later(studio.folder(), copies.path());
    QVERIFY(!later.recovery.offer());
}

void RecoveryTest::savingTakesTheCopyAway() {
    Studio studio;
    const QTemporaryDir copies;
    Edited edited(studio.folder(), copies.path());
    edited.edit();
    QVERIFY(waitUntil([&] { return !copiesIn(copies.path()).isEmpty(); }));
    QVERIFY(edited.document.save());
    QVERIFY(waitUntil([&] { return copiesIn(copies.path()).isEmpty(); }));
}

void RecoveryTest::anOrderlyEndTakesTheCopyAway() {
    Studio studio;
    const QTemporaryDir copies;
    {
        Edited edited(studio.folder(), copies.path());
        edited.edit();
        QVERIFY(waitUntil([&] { return !copiesIn(copies.path()).isEmpty(); }));
    }
    QVERIFY(QDir(copies.path()).isEmpty());
}

void RecoveryTest::whatAnotherLivingStudioHasOpenIsNotOffered() {
    Studio studio;
    const QTemporaryDir copies;
    Edited first(studio.folder(), copies.path());
    first.edit();
    QVERIFY(waitUntil([&] { return !copiesIn(copies.path()).isEmpty(); }));
    const Edited second(studio.folder(), copies.path());
    QVERIFY(!second.recovery.offer());
}

void RecoveryTest::aCorruptCopyIsSetAsideWithAWarning() {
    Studio studio;
    const QTemporaryDir copies;
    crash(studio, copies.path(), [](Edited& edited) { edited.edit(); });
    const QString copy = copies.path() + "/" + copiesIn(copies.path()).front();
    writeFile(copy, readFile(copy).substr(0, 200));
    ProjectDocument document;
    Recovery recovery(document, copies.path());
    QString warning;
    connect(&recovery, &Recovery::warned, this, [&](const QString& why) { warning = why; });
    QVERIFY(document.open(studio.folder()).empty());
    QVERIFY(!recovery.offer());
    QVERIFY(warning.contains(copy));
    QVERIFY(copiesIn(copies.path()).isEmpty());
}

void RecoveryTest::aCopyOfAnotherProjectIsSetAside() {
    Studio studio;
    const QTemporaryDir copies;
    crash(studio, copies.path(), [](Edited& edited) { edited.edit(); });
    const QString copy = copies.path() + "/" + copiesIn(copies.path()).front();
    std::string text = readFile(copy);
    text.replace(text.find(studio.folder().toStdString()), 1, "!");
    writeFile(copy, text);
    const Edited again(studio.folder(), copies.path());
    QVERIFY(!again.recovery.offer());
}

void RecoveryTest::aChangeOnDiskIsTakenSilentlyWithoutUnsavedEdits() {
    Studio studio;
    studio.open();
    const Notices notices(studio.session());
    ProjectDocument& document = studio.session().document();
    writeFile(studio.folder() + "/bias_add.cpp", "// theirs\n");
    QVERIFY(waitUntil([&] { return document.source("bias_add.cpp")->text() == "// theirs\n"; }));
    describeOnDisk(studio, "theirs");
    QVERIFY(waitUntil([&] { return document.project().definition.description == "theirs"; }));
    QVERIFY(!document.isModified());
    QVERIFY(notices.findChild<Banner*>("disk_banner")->isHidden());
    QVERIFY(studio.session().log().entries().back().text.contains("reloaded"));
    document.undoStack().undo();
    QVERIFY(document.project().definition.description != "theirs");
}

void RecoveryTest::aChangeOnDiskIsAskedAboutWithUnsavedEdits() {
    Studio studio;
    studio.open();
    Notices notices(studio.session());
    notices.show();
    ProjectDocument& document = studio.session().document();
    document.setTunable("host", "BLOCK_M", 1);
    describeOnDisk(studio, "theirs");
    const auto* banner = notices.findChild<Banner*>("disk_banner");
    QVERIFY(waitUntil([&] { return banner->isVisible(); }));
    QCOMPARE(configuration_of(document.project().variants[0]).at("BLOCK_M"), 1);
    banner->findChild<QPushButton*>()->click();
    QVERIFY(!banner->isVisible());
    QCOMPARE(document.project().definition.description, "theirs");
    QVERIFY(configuration_of(document.project().variants[0]).at("BLOCK_M") != 1);
    document.undoStack().undo();
    QCOMPARE(configuration_of(document.project().variants[0]).at("BLOCK_M"), 1);
}

void RecoveryTest::keepingMineLeavesTheEditsToBeSaved() {
    Studio studio;
    studio.open();
    ProjectDocument& document = studio.session().document();
    QTextCursor(&document.source("bias_add.cpp")->document()).insertText("// mine\n");
    const std::string mine = document.source("bias_add.cpp")->text();
    writeFile(studio.folder() + "/bias_add.cpp", "// theirs\n");
    DiskWatch& watch = studio.session().diskWatch();
    QVERIFY(waitUntil([&] { return watch.isAsking(); }));
    watch.keepMine();
    QVERIFY(!watch.isAsking());
    QVERIFY(document.isModified());
    QVERIFY(!document.changedOnDisk());
    QVERIFY(document.save());
    QCOMPARE(readFile(studio.folder() + "/bias_add.cpp"), mine);
}

void RecoveryTest::aProjectThatCannotBeReadFromDiskIsSaid() {
    Studio studio;
    studio.open();
    ProjectDocument& document = studio.session().document();
    writeFile(studio.folder() + "/project.json", "{");
    DiskWatch& watch = studio.session().diskWatch();
    QVERIFY(waitUntil([&] { return watch.isAsking(); }));
    QVERIFY(!watch.problem().isEmpty());
    QCOMPARE(document.title(), "bias_add");
    watch.keepMine();
    QVERIFY(document.isModified());
    QVERIFY(document.save());
    QVERIFY(load_project(studio.folder().toStdString()));
}

void RecoveryTest::anAtomicReplaceIsNoticedEveryTime() {
    Studio studio;
    studio.open();
    ProjectDocument& document = studio.session().document();
    for (const std::string text : {"// one\n", "// two\n", "// three\n"}) {
        writeFile(studio.folder() + "/bias_add.cpp", text);
        QVERIFY(waitUntil([&] { return document.source("bias_add.cpp")->text() == text; }, 10000));
    }
}

void RecoveryTest::aSaveOfOneselfIsNotAChangeByAnother() {
    Studio studio;
    studio.open();
    ProjectDocument& document = studio.session().document();
    document.setTunable("host", "BLOCK_M", 1);
    QVERIFY(document.save());
    const std::size_t said = studio.session().log().entries().size();
    document.setTunable("host", "BLOCK_N", 64);
    QTest::qWait(500);  // longer than the watch lets events settle
    QVERIFY(!studio.session().diskWatch().isAsking());
    QCOMPARE(studio.session().log().entries().size(), said);
    QCOMPARE(document.undoStack().count(), 2);
}

}  // namespace kernelgen::studio

STUDIO_TEST(kernelgen::studio::RecoveryTest)
#include "recovery_test.moc"
