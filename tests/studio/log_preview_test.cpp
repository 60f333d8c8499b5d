// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/reports/log_preview.h"

#include <QRegularExpression>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QTextTable>

#include "app/studio/reports/log_document.h"
#include "tests/studio/fixtures.h"
#include "tests/studio/registry.h"

namespace kernelgen::studio {

using testing::Studio;
using testing::waitUntil;

namespace {

QTextBrowser* pageOf(const LogPreview& preview) { return preview.findChild<QTextBrowser*>(); }

bool shows(const LogPreview& preview, const QString& text) {
    return waitUntil([&] { return pageOf(preview)->toPlainText().contains(text); }, 20000);
}

}  // namespace

class LogPreviewTest : public QObject {
    Q_OBJECT

private slots:
    void showsTheLogAsItWouldBeExported();
    void namesNoCommand();
    void isMadeOnlyWhileItIsInSight();
    void followsTheHistoryAndKeepsItsPlace();
    void speaksChinese();
    void ofManyRoundsShowsTheNewest();
    void itsButtonAsksForTheExportInItsLanguage();
    void tablesHaveBordersAndDifferencesColours();
};

void LogPreviewTest::showsTheLogAsItWouldBeExported() {
    Studio studio;
    testing::writeHistory(studio.folder(), 3);
    studio.open();
    LogPreview preview(studio.session());
    preview.show();
    QVERIFY(shows(preview, "Optimization record: round 2"));
    QVERIFY(pageOf(preview)->toPlainText().startsWith("bias_add: optimization log"));
    QVERIFY(!pageOf(preview)->toPlainText().contains("## "));
}

void LogPreviewTest::namesNoCommand() {
    Studio studio;
    History history = testing::exampleHistory(2);
    history.rounds[1].note = "";
    history.rounds[1].status = Status::unavailable;
    history.rounds[1].reason =
        "PyTorch is not installed for `python3`: `python3 -m pip install torch`, or name an interpreter that has it in "
        "KERNELGEN_PYTHON";
    testing::writeHistory(studio.folder(), history);
    studio.open();
    LogPreview preview(studio.session());
    preview.show();
    for (const int language : {0, 1}) {
        preview.findChild<QComboBox*>()->setCurrentIndex(language);
        QVERIFY(shows(preview, language == 0 ? "under Settings > Python" : "“设置 > Python”"));
        static const QRegularExpression command("kernelgen [a-z]+|--[a-z]|\\bpip\\b|KERNELGEN_");
        const QString text = pageOf(preview)->toPlainText();
        const auto found = command.match(text.section('\n', 3));  // the preface names the program's version
        QVERIFY2(!found.hasMatch(), qPrintable(text.mid(found.capturedStart() - 60, 160)));
    }
}

void LogPreviewTest::isMadeOnlyWhileItIsInSight() {
    Studio studio;
    studio.open();
    LogPreview preview(studio.session());
    QSignalSpy rendered(&preview, &LogPreview::rendered);
    studio.session().document().edit("name", [](Project& project) { project.definition.description = "other"; });
    QTest::qWait(600);
    QCOMPARE(rendered.size(), 0);
    preview.show();
    QVERIFY(waitUntil([&] { return rendered.size() > 0; }));
}

void LogPreviewTest::followsTheHistoryAndKeepsItsPlace() {
    Studio studio;
    testing::writeHistory(studio.folder(), 5);
    studio.open();
    LogPreview preview(studio.session());
    preview.resize(700, 300);
    preview.show();
    QVERIFY(shows(preview, "round 4"));
    QScrollBar* bar = pageOf(preview)->verticalScrollBar();
    QVERIFY(waitUntil([&] { return bar->maximum() > 500; }));
    bar->setValue(400);
    testing::writeHistory(studio.folder(), 6);
    studio.session().rounds().reload();
    QVERIFY(shows(preview, "round 5"));
    QCOMPARE(bar->value(), 400);
}

void LogPreviewTest::speaksChinese() {
    Studio studio;
    testing::writeHistory(studio.folder(), 1);
    studio.open();
    LogPreview preview(studio.session());
    preview.show();
    preview.findChild<QComboBox*>()->setCurrentIndex(1);
    QVERIFY(shows(preview, "算子优化日志"));
}

void LogPreviewTest::ofManyRoundsShowsTheNewest() {
    Studio studio;
    testing::writeHistory(studio.folder(), 50);
    studio.open();
    LogPreview preview(studio.session());
    preview.show();
    QVERIFY(shows(preview, "Optimization record: round 49"));
    QVERIFY(pageOf(preview)->toPlainText().contains("Optimization record: round 38"));
    QVERIFY(!pageOf(preview)->toPlainText().contains("Optimization record: round 37"));
    QVERIFY(preview.findChild<QLabel*>()->text().contains("50"));
}

void LogPreviewTest::itsButtonAsksForTheExportInItsLanguage() {
    Studio studio;
    studio.open();
    LogPreview preview(studio.session());
    preview.findChild<QComboBox*>()->setCurrentIndex(1);
    QSignalSpy wanted(&preview, &LogPreview::exportWanted);
    QTest::mouseClick(preview.findChild<QPushButton*>(), Qt::LeftButton);
    QCOMPARE(wanted.value(0).value(0).value<Tongue>(), Tongue::chinese);
}

void LogPreviewTest::tablesHaveBordersAndDifferencesColours() {
    const auto document = logDocument("| a | b |\n|---|---|\n| 1 | 2 |\n\n```diff\n-old\n+new\n```\n", {}, QFont());
    const QTextTable* table = qobject_cast<QTextTable*>(document->rootFrame()->childFrames().value(0));
    QVERIFY(table != nullptr);
    QCOMPARE(table->format().border(), 1);
    const auto colourOf = [&](const QString& line) {
        const QTextCursor found = document->find(line);
        return found.isNull() ? QColor() : found.charFormat().foreground().color();
    };
    QVERIFY(colourOf("-old").isValid());
    QVERIFY(colourOf("-old") != colourOf("+new"));
}

}  // namespace kernelgen::studio

STUDIO_TEST(kernelgen::studio::LogPreviewTest)
#include "log_preview_test.moc"
