// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QTest>

#include "app/studio/rounds/rounds_filter.h"
#include "app/studio/rounds/words.h"
#include "app/studio/theme/theme.h"
#include "tests/studio/fixtures.h"
#include "tests/studio/registry.h"

namespace kernelgen::studio {

using testing::exampleHistory;
using testing::exampleRound;

namespace {

std::shared_ptr<const History> historyOf(std::vector<Round> rounds) {
    auto history = std::make_shared<History>();
    history->rounds = std::move(rounds);
    return history;
}

Round withSpeedup(int number, double speedup) {
    Round round = exampleRound(number);
    round.cases[0].speedup = speedup;
    round.cases[0].speedup_lower = 0.99 * speedup;
    round.cases[0].speedup_upper = 1.01 * speedup;
    return round;
}

QString cell(const RoundsModel& model, int row, RoundsModel::Column column) {
    return model.index(row, column).data().toString();
}

std::vector<int> numbersOf(const RoundsModel& model, const RoundsFilter& filter) {
    std::vector<int> numbers;
    for (int row = 0; row < filter.rowCount(); ++row) {
        numbers.push_back(model.round(filter.mapToSource(filter.index(row, 0)).row()).number);
    }
    return numbers;
}

double contrast(const QColor& a, const QColor& b) {
    const auto luminance = [](const QColor& colour) {
        const auto linear = [](float c) { return c <= 0.03928F ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
        return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
    };
    const double of_a = luminance(a), of_b = luminance(b);
    return (std::max(of_a, of_b) + 0.05) / (std::min(of_a, of_b) + 0.05);
}

}  // namespace

class RoundsModelTest : public QObject {
    Q_OBJECT

private slots:
    void keepsTheRulesOfModels();
    void aRowTellsItsRound();
    void aRoundThatFailedHasNoFigures();
    void aCrashNamesItsSignal();
    void theGainIsAgainstTheParent();
    void thereIsNoGainAgainstAnotherDevice();
    void theNewestRoundComesFirst();
    void numbersAreSortedAsNumbers();
    void whatWasNotTimedComesLastWhicheverWayOneSorts();
    void aNoisyRoundLooksOtherThanASureOne();
    void theFilterLooksIntoEveryColumn();
    void failedRoundsAreReadableInLightAndDark();
    void sortsAndFiltersTenThousandRounds();
};

void RoundsModelTest::keepsTheRulesOfModels() {
    RoundsModel model;
    RoundsFilter filter(model);
    const QAbstractItemModelTester of_model(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const QAbstractItemModelTester of_filter(&filter, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setHistory(std::make_shared<History>(exampleHistory(30)));
    filter.setText("mismatch");
    filter.sort(RoundsModel::Speedup);
    model.setHistory(std::make_shared<History>(exampleHistory(31)));
    filter.setText("");
    model.setHistory(std::make_shared<History>());
    QCOMPARE(model.rowCount(), 0);
}

void RoundsModelTest::aRowTellsItsRound() {
    RoundsModel model;
    model.setHistory(historyOf({withSpeedup(0, 1.25)}));
    QCOMPARE(cell(model, 0, RoundsModel::Number), "0");
    QCOMPARE(cell(model, 0, RoundsModel::Verdict), "ok");
    QVERIFY(cell(model, 0, RoundsModel::Speedup).startsWith("1.250 ["));
    QCOMPARE(cell(model, 0, RoundsModel::Bandwidth), "60.0");
    QCOMPARE(cell(model, 0, RoundsModel::OfCeiling), "60.0 %");
    QCOMPARE(cell(model, 0, RoundsModel::Tunables), "BLOCK_M=1 BLOCK_N=64");
    QCOMPARE(cell(model, 0, RoundsModel::Change), "first");
    QCOMPARE(cell(model, 0, RoundsModel::Note), "round 0");
}

void RoundsModelTest::aRoundThatFailedHasNoFigures() {
    RoundsModel model;
    model.setHistory(historyOf({exampleRound(0, Status::mismatch)}));
    QCOMPARE(cell(model, 0, RoundsModel::Speedup), "");
    QCOMPARE(cell(model, 0, RoundsModel::Gain), "");
    QCOMPARE(cell(model, 0, RoundsModel::OfCeiling), "");
    QVERIFY(model.index(0, RoundsModel::Verdict).data(Qt::ToolTipRole).toString().contains("it did not work"));
}

void RoundsModelTest::aCrashNamesItsSignal() {
    Round round = exampleRound(0, Status::crashed);
    round.reason = "small: the kernel's process was ended by SIGSEGV (segmentation fault) during the call";
    QCOMPARE(verdictOf(round), "crashed: SIGSEGV");
    round.reason = "the worker is gone";
    QCOMPARE(verdictOf(round), "crashed");
}

void RoundsModelTest::theGainIsAgainstTheParent() {
    RoundsModel model;
    Round third = withSpeedup(2, 1.5);
    third.parent = 0;
    model.setHistory(historyOf({withSpeedup(0, 1), withSpeedup(1, 4), third}));
    QCOMPARE(cell(model, 0, RoundsModel::Gain), "");
    QCOMPARE(cell(model, 1, RoundsModel::Gain), "+300.0 %");
    QCOMPARE(cell(model, 2, RoundsModel::Gain), "+50.0 %");
}

void RoundsModelTest::thereIsNoGainAgainstAnotherDevice() {
    RoundsModel model;
    Round second = withSpeedup(1, 2);
    second.device = "cuda:0";
    model.setHistory(historyOf({withSpeedup(0, 1), second}));
    QCOMPARE(cell(model, 1, RoundsModel::Gain), "");
}

void RoundsModelTest::theNewestRoundComesFirst() {
    RoundsModel model;
    RoundsFilter filter(model);
    model.setHistory(std::make_shared<History>(exampleHistory(12)));
    QCOMPARE(numbersOf(model, filter).front(), 11);
    QCOMPARE(numbersOf(model, filter).back(), 0);
}

void RoundsModelTest::numbersAreSortedAsNumbers() {
    RoundsModel model;
    RoundsFilter filter(model);
    model.setHistory(historyOf({withSpeedup(0, 9.5), withSpeedup(1, 10.5), withSpeedup(2, 1.5)}));
    filter.sort(RoundsModel::Speedup, Qt::AscendingOrder);
    QCOMPARE(numbersOf(model, filter), (std::vector{2, 0, 1}));
}

void RoundsModelTest::whatWasNotTimedComesLastWhicheverWayOneSorts() {
    RoundsModel model;
    RoundsFilter filter(model);
    model.setHistory(historyOf({withSpeedup(0, 0.5), exampleRound(1, Status::crashed), withSpeedup(2, 1.5)}));
    filter.sort(RoundsModel::Speedup, Qt::DescendingOrder);
    QCOMPARE(numbersOf(model, filter), (std::vector{2, 0, 1}));
    filter.sort(RoundsModel::Speedup, Qt::AscendingOrder);
    QCOMPARE(numbersOf(model, filter), (std::vector{0, 2, 1}));
    QCOMPARE(model.headerData(RoundsModel::Speedup, Qt::Horizontal, Qt::InitialSortOrderRole).toInt(),
             static_cast<int>(Qt::DescendingOrder));
}

void RoundsModelTest::aNoisyRoundLooksOtherThanASureOne() {
    RoundsModel model;
    Round spread = withSpeedup(1, 1.25), holds_one = withSpeedup(2, 1.02);
    spread.cases[0].rsd = 0.07;
    holds_one.cases[0].speedup_lower = 0.98;
    model.setHistory(historyOf({withSpeedup(0, 1.25), spread, holds_one}));
    const auto is_italic = [&](int row) {
        return model.index(row, RoundsModel::Speedup).data(Qt::FontRole).value<QFont>().italic();
    };
    const auto tip = [&](int row) {
        return model.index(row, RoundsModel::Speedup).data(Qt::ToolTipRole).toString().section('\n', 1);
    };
    QVERIFY(!is_italic(0) && is_italic(1) && is_italic(2));
    QVERIFY(cell(model, 1, RoundsModel::Speedup).startsWith("≈ 1.250"));
    QVERIFY(cell(model, 1, RoundsModel::Bandwidth).startsWith("≈ "));
    QVERIFY(!cell(model, 0, RoundsModel::Bandwidth).startsWith("≈ "));
    QCOMPARE(tip(0), QString());
    QCOMPARE(tip(1), "Noisy: the samples' RSD is 7.0 %, over 5 %");
    QCOMPARE(tip(2), "Noisy: the interval holds 1, so neither side is known to be faster");
}

void RoundsModelTest::theFilterLooksIntoEveryColumn() {
    RoundsModel model;
    RoundsFilter filter(model);
    Round noted = exampleRound(1);
    noted.note = "Whole rows of the L2 cache";
    model.setHistory(historyOf({withSpeedup(0, 7.125), noted, exampleRound(2, Status::timed_out)}));
    const std::pair<const char*, int> searches[] = {
        {"whole ROWS", 1}, {"timed out", 2}, {"7.125", 0}, {"BLOCK_M=4", 2}};
    for (const auto& [text, number] : searches) {
        filter.setText(text);
        QCOMPARE(numbersOf(model, filter), std::vector{number});
    }
    filter.setText("nowhere");
    QCOMPARE(filter.rowCount(), 0);
}

void RoundsModelTest::failedRoundsAreReadableInLightAndDark() {
    RoundsModel model;
    model.setHistory(historyOf({exampleRound(0, Status::crashed), exampleRound(1, Status::cancelled)}));
    for (const Theme theme : {Theme::light, Theme::dark}) {
        applyTheme(theme);
        model.setPalette(QGuiApplication::palette());
        for (int row = 0; row < 2; ++row) {
            const QModelIndex index = model.index(row, RoundsModel::Note);
            const double seen = contrast(index.data(Qt::ForegroundRole).value<QColor>(),
                                         index.data(Qt::BackgroundRole).value<QColor>());
            QVERIFY2(seen >= 4.5, qPrintable(QString::number(seen)));
        }
    }
}

/// Its time is printed, not judged.
void RoundsModelTest::sortsAndFiltersTenThousandRounds() {
    RoundsModel model;
    RoundsFilter filter(model);
    const auto history = std::make_shared<History>(exampleHistory(10000));
    QElapsedTimer timer;
    const auto lap = [&](const char* what) { qInfo("%s: %lld ms", what, static_cast<long long>(timer.restart())); };
    timer.start();
    model.setHistory(history);
    lap("take the history");
    for (int column = 0; column < RoundsModel::column_count; ++column) {
        filter.sort(column, Qt::AscendingOrder);
        lap(qPrintable("sort by " + model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString()));
    }
    QTest::qWait(500);
    timer.restart();
    filter.setText("mismatch");
    lap("filter");
    QCOMPARE(filter.rowCount(), 1000);
}

}  // namespace kernelgen::studio

STUDIO_TEST(kernelgen::studio::RoundsModelTest)
#include "rounds_model_test.moc"
