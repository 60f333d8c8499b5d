// SPDX-License-Identifier: GPL-3.0-or-later
// Files that a variant is built of beside its source, in the window.
#include <QAction>
#include <QMenu>
#include <QTabWidget>
#include <QTest>
#include <QTextCursor>
#include <QToolButton>

#include "app/studio/document/further_files.h"
#include "app/studio/rounds/round_pages.h"
#include "app/studio/sources/source_editor.h"
#include "app/studio/sources/source_tabs.h"
#include "app/studio/tunables/background_build.h"
#include "core/base/file.h"
#include "core/round/history.h"
#include "tests/studio/fixtures.h"
#include "tests/studio/registry.h"

namespace kernelgen::studio {

using testing::Studio;
using testing::waitUntil;

namespace {

/// bias_add whose source includes `inc/helper.h`.
struct OpenSources {
    OpenSources() {
        std::filesystem::create_directories(folder() / "inc");
        write("inc/helper.h", "#pragma once\n");
        write("bias_add.cpp", "#include \"inc/helper.h\"\n" + read_file(folder() / "bias_add.cpp").value());
        studio.open();
        tabs.resize(800, 500);
        tabs.show();
    }
    std::filesystem::path folder() const { return studio.folder().toStdString(); }
    void write(const std::string& file, const std::string& text) const {
        if (!write_file_atomic(folder() / file, text)) qFatal("%s", file.c_str());
    }
    ProjectDocument& document() { return studio.session().document(); }
    SourceFile* helper() { return document().source("inc/helper.h"); }
    QTabWidget& widget() { return *tabs.findChild<QTabWidget*>("sources"); }
    SourceEditor* editorOf(const QString& title) {
        for (int i = 0; i < widget().count(); ++i) {
            if (widget().isTabVisible(i) && widget().tabText(i) == title)
                return static_cast<SourceEditor*>(widget().widget(i));
        }
        return nullptr;
    }

    Studio studio;
    SourceTabs tabs{studio.session()};
};

void insert(SourceFile* source, const QString& text) { QTextCursor(&source->document()).insertText(text); }

}  // namespace

class FurtherFilesTest : public QObject {
    Q_OBJECT

private slots:
    void aFileThatIsIncludedHasATab();
    void anIncludeThatIsTypedBringsATab();
    void anEditOfAHeaderIsUndoneAndSaved();
    void whatRunsHasTheHeaderAsEdited();
    void theCompilersMessageStandsOnTheHeadersLine();
    void aRestoredRoundBringsItsHeaders();
    void theDifferenceOfTwoRoundsShowsTheHeaders();
    void aHeaderThatCannotBeTakenIsSaidAsTheBuildsFailure();
    void aCopyOfTheProjectHasTheHeaders();
};

void FurtherFilesTest::aFileThatIsIncludedHasATab() {
    OpenSources open;
    QVERIFY(open.editorOf("inc/helper.h") != nullptr);
    QVERIFY(open.editorOf("bias_add.cpp") != nullptr);
    QCOMPARE(open.widget().currentWidget(), open.editorOf("bias_add.cpp"));
    QVERIFY(open.widget().tabToolTip(open.widget().indexOf(open.editorOf("inc/helper.h"))).contains("host"));
}

void FurtherFilesTest::anIncludeThatIsTypedBringsATab() {
    OpenSources open;
    open.write("inc/second.h", "");
    insert(open.helper(), "#include \"second.h\"\n");
    QVERIFY(waitUntil([&] { return open.editorOf("inc/second.h") != nullptr; }, 5000));
    open.document().undoStack().undo();
    QVERIFY(waitUntil([&] { return open.editorOf("inc/second.h") == nullptr; }, 5000));
}

void FurtherFilesTest::anEditOfAHeaderIsUndoneAndSaved() {
    OpenSources open;
    insert(open.helper(), "// edited\n");
    QVERIFY(open.document().isModified());
    open.document().undoStack().undo();
    QCOMPARE(open.helper()->text(), "#pragma once\n");
    open.document().undoStack().redo();
    QVERIFY(open.document().save());
    QCOMPARE(read_file(open.folder() / "inc/helper.h").value(), "// edited\n#pragma once\n");
    QVERIFY(!open.document().isModified());
}

void FurtherFilesTest::whatRunsHasTheHeaderAsEdited() {
    OpenSources open;
    insert(open.helper(), "// edited\n");
    const Validated<RunPlan> plan = open.studio.session().plan();
    QVERIFY(plan);
    QCOMPARE(plan->candidate.files.at("inc/helper.h"), "// edited\n#pragma once\n");
}

void FurtherFilesTest::theCompilersMessageStandsOnTheHeadersLine() {
    OpenSources open;
    BackgroundBuild build(open.studio.session());
    insert(open.helper(), "\nint broken = ;\n");
    const auto said = [&] {
        const std::vector<CompilerMessage> all = open.studio.session().messages().all();
        return std::ranges::any_of(all, [](const CompilerMessage& each) {
            return each.file == "inc/helper.h" && each.line == 2 && each.severity == "error";
        });
    };
    QVERIFY(waitUntil(said));
    open.document().undoStack().undo();
    QVERIFY(waitUntil([&] { return open.studio.session().messages().all().empty(); }));
}

void FurtherFilesTest::aRestoredRoundBringsItsHeaders() {
    OpenSources open;
    RoundDetail detail;
    detail.round = testing::exampleRound(0);
    const Validated<RunPlan> plan = open.studio.session().plan();
    QVERIFY(plan);
    detail.definition = plan->project.definition;
    detail.candidate = plan->candidate;
    detail.candidate.text = "#include \"gone.h\"\n" + plan->candidate.text;
    detail.candidate.files = {{"inc/helper.h", "// as it was\n"}, {"gone.h", "// gone since\n"}};
    QVERIFY(record_round(open.folder(), detail));
    QVERIFY(waitUntil([&] { return open.studio.session().rounds().detail(0) != nullptr; }));
    QVERIFY(open.studio.session().restoreRound(0).empty());
    QCOMPARE(open.helper()->text(), "// as it was\n");
    QVERIFY(open.editorOf("gone.h ●") != nullptr);
    QVERIFY(open.document().save());
    QCOMPARE(read_file(open.folder() / "gone.h").value(), "// gone since\n");
    QCOMPARE(read_file(open.folder() / "inc/helper.h").value(), "// as it was\n");
}

void FurtherFilesTest::theDifferenceOfTwoRoundsShowsTheHeaders() {
    const auto round = [](int number, const std::string& helper) {
        RoundDetail detail;
        detail.round = testing::exampleRound(number);
        detail.candidate.variant.source = "bias_add.cpp";
        detail.candidate.files = {{"inc/helper.h", helper}};
        return std::make_shared<const RoundDetail>(detail);
    };
    const auto before = round(0, "one\n"), after = round(1, "two\n");
    const QString page = differencePage({before->round, before, {}}, {after->round, after, {}}, QPalette());
    QVERIFY(page.contains("inc/helper.h"));
    QVERIFY(page.contains("two"));
}

void FurtherFilesTest::aHeaderThatCannotBeTakenIsSaidAsTheBuildsFailure() {
    OpenSources open;
    open.write("inc/latin.h",
               "// gr\xf6\xdf"
               "e\n");
    insert(open.helper(), "#include \"latin.h\"\n");
    open.studio.session().build();
    const std::vector<CompilerMessage> all = open.studio.session().messages().all();
    QVERIFY(!all.empty());
    QVERIFY(QString::fromStdString(all[0].text).contains("is not UTF-8 text"));
    QVERIFY(!open.studio.session().plan());
}

void FurtherFilesTest::aCopyOfTheProjectHasTheHeaders() {
    OpenSources open;
    QTemporaryDir other;
    QVERIFY(open.document().saveAs(other.path() + "/copy"));
    QCOMPARE(read_file((other.path() + "/copy/inc/helper.h").toStdString()).value(), "#pragma once\n");
}

}  // namespace kernelgen::studio

STUDIO_TEST(kernelgen::studio::FurtherFilesTest)
#include "further_files_test.moc"
