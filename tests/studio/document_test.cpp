// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include <QTest>
#include <QTextCursor>

#include "core/base/file.h"
#include "core/lang/body.h"
#include "core/project/project_file.h"
#include "tests/studio/fixtures.h"
#include "tests/studio/registry.h"

namespace kernelgen::studio {

using testing::Studio;

class DocumentTest : public QObject {
    Q_OBJECT

private slots:
    void anEditCanBeUndoneAndRedone();
    void aDragOfASliderIsOneStep();
    void aDragBackToWhereItBeganLeavesNothingToUndo();
    void editsOfTextAndDefinitionAreUndoneInOrder();
    void typingAfterASaveMarksTheDocumentModified();
    void revertCanBeUndone();
    void anInvalidProjectLeavesTheOpenOneAsItWas();
    void errorsAreFoundAsTheyAreMade();
    void aProjectWithErrorsIsSavedAndOpenedAgain();
    void whatCannotBeReadIsAProblemAndStaysOnSave();
    void whatCannotBeReadIsRemovedWhenAskedFor();
    void onlyAFileThatIsNoJsonIsRefused();
    void saveAsMakesACopyWithoutRounds();
    void aFileThatCannotBeReadStaysAsItIs();
    void aSourceThatWasRemovedIsWrittenAgain();
    void withoutOutputsItHasAProblemAndNoSources();
};

void DocumentTest::anEditCanBeUndoneAndRedone() {
    Studio studio;
    studio.open();
    ProjectDocument& document = studio.session().document();
    document.edit("describe", [](Project& project) { project.definition.description = "another"; });
    QVERIFY(document.isModified());
    document.undoStack().undo();
    QVERIFY(document.project().definition.description != "another");
    QVERIFY(!document.isModified());
    document.undoStack().redo();
    QCOMPARE(document.project().definition.description, "another");
}

void DocumentTest::aDragOfASliderIsOneStep() {
    Studio studio;
    studio.open();
    ProjectDocument& document = studio.session().document();
    for (const int value : {1, 2, 4, 8}) document.setTunable("host", "BLOCK_M", value);
    QCOMPARE(document.undoStack().count(), 1);
    document.undoStack().undo();
    QCOMPARE(configuration_of(document.project().variants[0]).at("BLOCK_M"), 64);
}

void DocumentTest::aDragBackToWhereItBeganLeavesNothingToUndo() {
    Studio studio;
    studio.open();
    ProjectDocument& document = studio.session().document();
    document.setTunable("host", "BLOCK_M", 1);
    document.setTunable("host", "BLOCK_M", 64);
    QCOMPARE(document.undoStack().count(), 0);
    QVERIFY(!document.isModified());
}

void DocumentTest::editsOfTextAndDefinitionAreUndoneInOrder() {
    Studio studio;
    studio.open();
    ProjectDocument& document = studio.session().document();
    SourceFile* source = document.source("bias_add.cpp");
    const std::string before = source->text();
    QTextCursor(&source->document()).insertText("// one\n");
    document.setTunable("host", "BLOCK_M", 1);
    QTextCursor cursor(&source->document());
    cursor.movePosition(QTextCursor::End);
    cursor.insertText("// two\n");
    document.undoStack().undo();
    QCOMPARE(source->text(), "// one\n" + before);
    document.undoStack().undo();
    QCOMPARE(configuration_of(document.project().variants[0]).at("BLOCK_M"), 64);
    document.undoStack().undo();
    QCOMPARE(source->text(), before);
    QVERIFY(!document.isModified());
}

void DocumentTest::typingAfterASaveMarksTheDocumentModified() {
    Studio studio;
    studio.open();
    ProjectDocument& document = studio.session().document();
    QTextCursor cursor(&document.source("bias_add.cpp")->document());
    cursor.insertText("/");
    QVERIFY(document.save());
    QVERIFY(!document.isModified());
    cursor.insertText("/");
    QVERIFY(document.isModified());
}

void DocumentTest::revertCanBeUndone() {
    Studio studio;
    studio.open();
    ProjectDocument& document = studio.session().document();
    document.setTunable("host", "BLOCK_M", 1);
    QTextCursor(&document.source("bias_add.cpp")->document()).insertText("// mine\n");
    QVERIFY(document.revert().empty());
    QVERIFY(!document.isModified());
    document.undoStack().undo();
    QCOMPARE(configuration_of(document.project().variants[0]).at("BLOCK_M"), 1);
    QVERIFY(document.source("bias_add.cpp")->text().starts_with("// mine"));
}

void DocumentTest::anInvalidProjectLeavesTheOpenOneAsItWas() {
    Studio studio;
    studio.open();
    ProjectDocument& document = studio.session().document();
    QVERIFY(!document.open("/nonexistent").empty());
    QVERIFY(document.isOpen());
    QCOMPARE(document.title(), "bias_add");
}

void DocumentTest::errorsAreFoundAsTheyAreMade() {
    Studio studio;
    studio.open();
    ProjectDocument& document = studio.session().document();
    document.edit("body", [](Project& project) { project.definition.body = "out = x + bais"; });
    QVERIFY(!document.diagnostics().empty());
    QVERIFY(document.body() == nullptr);
    QCOMPARE(document.diagnostics()[0].where, "operator.body:1:11");
}

void DocumentTest::aProjectWithErrorsIsSavedAndOpenedAgain() {
    Studio studio;
    studio.open();
    ProjectDocument& document = studio.session().document();
    document.edit("body", [](Project& project) { project.definition.body = "out = x + bais"; });
    QVERIFY(document.save());
    document.close();
    QVERIFY(document.open(studio.folder()).empty());
    QCOMPARE(document.project().definition.body, "out = x + bais");
    QCOMPARE(document.diagnostics()[0].where, "operator.body:1:11");
    QVERIFY(!document.isModified());
    document.edit("body", [](Project& project) { project.definition.body = "out = x + bias"; });
    QVERIFY(document.revert().empty());
    QCOMPARE(document.project().definition.body, "out = x + bais");
}

namespace {

/// Replaces one text of the project's file.
void editByHand(const Studio& studio, const std::string& before, const std::string& after) {
    const std::string file = (studio.folder() + "/project.json").toStdString();
    std::string text = read_file(file).value();
    const std::size_t at = text.find(before);
    if (at == text.npos) qFatal("the project has no such text");
    if (!write_file_atomic(file, text.replace(at, before.size(), after))) qFatal("cannot write the project");
}

}  // namespace

void DocumentTest::whatCannotBeReadIsAProblemAndStaysOnSave() {
    Studio studio;
    editByHand(studio, R"("tile")", R"("tyle", "colour": "red")");
    studio.open();
    ProjectDocument& document = studio.session().document();
    QVERIFY(document.isOpen());
    QCOMPARE(document.diagnostics().size(), 2U);
    QCOMPARE(document.diagnostics()[0].where, "operator.family");
    QCOMPARE(document.diagnostics()[1].where, "operator.colour");
    QVERIFY(!studio.session().plan());
    QVERIFY(!document.regenerate(false));
    document.edit("describe", [](Project& project) { project.definition.description = "another"; });
    QVERIFY(document.save());
    const std::string saved = read_file((studio.folder() + "/project.json").toStdString()).value();
    for (const char* kept : {R"("family": "tyle")", R"("colour": "red")", "another"}) QVERIFY(saved.contains(kept));
    QVERIFY(!document.isModified());
    QVERIFY(!load_project(studio.folder().toStdString()));
}

void DocumentTest::whatCannotBeReadIsRemovedWhenAskedFor() {
    Studio studio;
    editByHand(studio, R"("dtype": "f32")", R"("dtype": "f33")");
    studio.open();
    ProjectDocument& document = studio.session().document();
    QCOMPARE(document.diagnostics()[0].where, "cases[0].dtype");
    document.dropUnread();
    QVERIFY(document.diagnostics().empty());
    QVERIFY(document.isModified());
    document.undoStack().undo();
    QCOMPARE(document.diagnostics().size(), 1U);
    document.undoStack().redo();
    QVERIFY(document.save());
    QVERIFY(load_project(studio.folder().toStdString()));
}

void DocumentTest::onlyAFileThatIsNoJsonIsRefused() {
    Studio studio;
    editByHand(studio, "\"operator\":", "\"operator\"");
    QVERIFY(!studio.session().document().open(studio.folder()).empty());
    QVERIFY(!studio.session().document().isOpen());
}

void DocumentTest::saveAsMakesACopyWithoutRounds() {
    Studio studio;
    testing::writeHistory(studio.folder(), 3);
    studio.open();
    ProjectDocument& document = studio.session().document();
    document.setTunable("host", "BLOCK_M", 1);
    const QString copy = studio.folder() + "-copy";
    QVERIFY(document.saveAs(copy));
    QCOMPARE(document.folder(), copy);
    QCOMPARE(configuration_of(document.project().variants[0]).at("BLOCK_M"), 1);
    QVERIFY(!QFile::exists(copy + "/history.jsonl"));
}

void DocumentTest::aSourceThatWasRemovedIsWrittenAgain() {
    Studio studio;
    studio.open();
    QDir(studio.folder()).removeRecursively();
    QVERIFY(studio.session().document().save());
    QVERIFY(QFile::exists(studio.folder() + "/bias_add.cpp"));
}

void DocumentTest::withoutOutputsItHasAProblemAndNoSources() {
    Studio studio("silu");
    studio.open();
    ProjectDocument& document = studio.session().document();
    document.edit("remove", [](Project& project) { project.definition.outputs.clear(); });
    QVERIFY(!validate(document.project()).empty());
    QVERIFY(!analyse(document.project().definition));
}

void DocumentTest::aFileThatCannotBeReadStaysAsItIs() {
    Studio studio;
    const std::string file = (studio.folder() + "/bias_add_accuracy.py").toStdString(), bytes = "# caf\xe9\n";
    QVERIFY(write_file_atomic(file, bytes));
    studio.open();
    ProjectDocument& document = studio.session().document();
    QVERIFY(document.source("bias_add_accuracy.py")->problem().contains("not UTF-8"));
    document.setTunable("host", "BLOCK_M", 1);
    QVERIFY(document.save());
    QCOMPARE(read_file(file).value(), bytes);
    QVERIFY(!document.source("bias_add_accuracy.py")->changedOnDisk());
    document.source("bias_add.cpp")->replaceText("// edited\n");
    QVERIFY(!document.saveAs(studio.folder() + "-copy"));
    QVERIFY(document.isModified());  // nothing of it counts as saved
    QVERIFY(!QFile::exists(studio.folder() + "-copy"));
    QCOMPARE(document.folder(), studio.folder());
}

}  // namespace kernelgen::studio

STUDIO_TEST(kernelgen::studio::DocumentTest)
#include "document_test.moc"
