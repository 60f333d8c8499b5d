// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

#include "app/studio/application/language.h"
#include "app/studio/patterns/patterns_window.h"
#include "core/base/file.h"
#include "tests/studio/fixtures.h"
#include "tests/studio/registry.h"

namespace kernelgen::studio {

using testing::Studio;
using testing::waitUntil;

class PatternsTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void eachPatternIsARowWithItsNumbersAndItsFindingInWords();
    void theBoxDisablesAPatternAndTheNoteIsKept();
    void aPatternIsDeleted();
    void patternsAreImportedAndExported();
    void aFileThatHasNoPatternSaysWhy();
    void theFilterLeavesWhatHasItsWords();
    void theWindowSpeaksChinese();

private:
    std::unique_ptr<QTemporaryDir> data_;
};

namespace {

Pattern patternOf(const std::string& strategy, const std::vector<double>& gains) {
    Pattern pattern{.key = {.strategy = strategy,
                            .finding = "tail_wave",
                            .operator_class = "rows",
                            .dtype = "f32",
                            .shape_class = "large, long rows",
                            .device = "a CPU",
                            .kind = "cpu"}};
    for (const double each : gains) add_gain(pattern, each);
    return pattern;
}

/// The window, once it has read the patterns.
class ShownPatterns : public PatternsWindow {
public:
    explicit ShownPatterns(Session& session) : PatternsWindow(session) {
        setAttribute(Qt::WA_DeleteOnClose, false);
        show();
        auto* empty = findChild<QLabel*>("patterns_empty");
        if (!waitUntil([&] { return rows() > 0 || !empty->text().contains("Reading"); })) qFatal("not read");
    }
    QTableView* table() const { return findChild<QTableView*>("patterns_table"); }
    int rows() const { return table()->model()->rowCount(); }
    QModelIndex at(int row, int column) const { return table()->model()->index(row, column); }
    QString text(int row, int column) const { return at(row, column).data().toString(); }
    void press(const char* name) const { findChild<QPushButton*>(name)->click(); }
};

}  // namespace

/// Patterns of the test's own: another folder for each of its functions.
void PatternsTest::init() {
    data_ = std::make_unique<QTemporaryDir>();
    qputenv("XDG_DATA_HOME", data_->path().toUtf8());
}

static void writeOwn(const QTemporaryDir& data, const std::vector<Pattern>& patterns) {
    QDir(data.path()).mkpath("kernelgen");
    const auto written =
        write_file_atomic(data.path().toStdString() + "/kernelgen/patterns.jsonl", pattern_lines(patterns));
    if (!written) qFatal("%s", written.error().message.text().c_str());
}

void PatternsTest::eachPatternIsARowWithItsNumbersAndItsFindingInWords() {
    // With larger gains than those that are shipped, so that they stand first.
    writeOwn(*data_, {patternOf("larger_tile", {9, 9.5, 0.9}), patternOf("tune", {9.9})});
    Studio studio;
    const ShownPatterns window(studio.session());
    QVERIFY(window.rows() >= 2);
    QCOMPARE(window.text(0, PatternsModel::Gain), "9.90×");  // the largest gain first
    QCOMPARE(window.text(0, PatternsModel::Next), "");
    QCOMPARE(window.text(1, PatternsModel::Strategy), "larger tiles");
    QCOMPARE(window.text(1, PatternsModel::Finding), "Time is lost in a partial last wave");
    QCOMPARE(window.text(1, PatternsModel::Rounds), "3");
    QCOMPARE(window.text(1, PatternsModel::Counterexamples), "1");
    QCOMPARE(window.text(1, PatternsModel::Origin), "own");
    QVERIFY(window.text(1, PatternsModel::Next).contains(" … "));
    QVERIFY(window.table()->columnWidth(PatternsModel::Origin) > window.fontMetrics().horizontalAdvance("imported"));
}

void PatternsTest::theBoxDisablesAPatternAndTheNoteIsKept() {
    writeOwn(*data_, {patternOf("larger_tile", {9.2, 9.3})});
    Studio studio;
    ShownPatterns window(studio.session());
    QVERIFY(window.table()->model()->setData(window.at(0, 0), Qt::Unchecked, Qt::CheckStateRole));
    const auto is_disabled = [&] {
        return window.at(0, 0).data(Qt::CheckStateRole).value<Qt::CheckState>() == Qt::Unchecked;
    };
    QVERIFY(waitUntil(is_disabled));
    QVERIFY(load_patterns().all.at(0).is_disabled);
    window.table()->selectRow(0);
    QCOMPARE(window.findChild<QPushButton*>("patterns_toggle")->text(), "Enable");
    window.press("patterns_toggle");
    QVERIFY(waitUntil([&] { return !is_disabled(); }));
    QVERIFY(window.table()->model()->setData(window.at(0, PatternsModel::Note), "only when cold", Qt::EditRole));
    QVERIFY(waitUntil([&] { return window.text(0, PatternsModel::Note) == "only when cold"; }));
    QCOMPARE(load_patterns().all.at(0).note, "only when cold");
    QCOMPARE(window.table()->selectionModel()->selectedRows().size(), 1);  // it stays chosen
}

void PatternsTest::aPatternIsDeleted() {
    writeOwn(*data_, {patternOf("larger_tile", {9.2}), patternOf("smaller_tile", {9.9})});
    Studio studio;
    const ShownPatterns window(studio.session());
    const int before = window.rows();
    QVERIFY(!window.findChild<QPushButton*>("patterns_remove")->isEnabled());
    window.table()->selectRow(0);
    window.press("patterns_remove");
    QVERIFY(waitUntil([&] { return window.rows() == before - 1; }));
    QCOMPARE(window.text(0, PatternsModel::Strategy), "larger tiles");
}

void PatternsTest::patternsAreImportedAndExported() {
    writeOwn(*data_, {patternOf("larger_tile", {1.2, 1.3})});
    const QString file = data_->path() + "/theirs.jsonl", mine = data_->path() + "/mine.jsonl";
    QVERIFY(write_file_atomic(file.toStdString(), pattern_lines(std::vector{patternOf("tune", {2, 2})})).has_value());
    Studio studio;
    ShownPatterns window(studio.session());
    const int before = window.rows();
    window.importFile(file);
    QVERIFY(waitUntil([&] { return window.rows() == before + 1; }));
    const auto* told = window.findChild<QLabel*>("patterns_told");
    QVERIFY2(told->text().contains("Imported 1 pattern"), qPrintable(told->text()));
    window.exportTo(mine);
    QVERIFY(waitUntil([&] { return told->text().contains("Exported 1 pattern"); }));
    QCOMPARE(parse_patterns(*read_file(mine.toStdString()), "mine", true).all.size(), 1U);
}

void PatternsTest::aFileThatHasNoPatternSaysWhy() {
    const QString file = data_->path() + "/theirs.jsonl";
    QVERIFY(write_file_atomic(file.toStdString(), "no pattern\n").has_value());
    Studio studio;
    ShownPatterns window(studio.session());
    window.importFile(file);
    const auto* told = window.findChild<QLabel*>("patterns_told");
    QVERIFY(waitUntil([&] { return told->isVisible(); }));
    QVERIFY2(told->text().contains("nothing was imported"), qPrintable(told->text()));
}

void PatternsTest::theFilterLeavesWhatHasItsWords() {
    writeOwn(*data_, {patternOf("larger_tile", {9.2}), patternOf("smaller_tile", {9.9})});
    Studio studio;
    const ShownPatterns window(studio.session());
    window.findChild<QLineEdit*>("patterns_filter")->setText("LARGER");
    QVERIFY(window.rows() >= 1);
    QCOMPARE(window.text(0, PatternsModel::Strategy), "larger tiles");
}

void PatternsTest::theWindowSpeaksChinese() {
    writeOwn(*data_, {patternOf("larger_tile", {9.2})});
    const Language chinese("zh_CN");
    Studio studio;
    const ShownPatterns window(studio.session());
    QVERIFY(waitUntil([&] { return window.rows() > 0; }));
    QCOMPARE(window.text(0, PatternsModel::Finding), "时间损失在不完整的最后一波");
    QVERIFY(window.text(0, PatternsModel::Shape).contains("长行"));
}

}  // namespace kernelgen::studio

STUDIO_TEST(kernelgen::studio::PatternsTest)
#include "patterns_test.moc"
