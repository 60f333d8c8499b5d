// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QHeaderView>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>
#include <algorithm>

#include "app/studio/charts/chart_picture.h"
#include "app/studio/charts/number_text.h"
#include "app/studio/tuning/best_so_far.h"
#include "app/studio/tuning/best_view.h"
#include "app/studio/tuning/heat_map_view.h"
#include "app/studio/tuning/importance_view.h"
#include "app/studio/tuning/parallel_lines.h"
#include "app/studio/tuning/parallel_view.h"
#include "app/studio/tuning/pareto_view.h"
#include "app/studio/tuning/pruned_model.h"
#include "app/studio/tuning/scatter_view.h"
#include "app/studio/tuning/tried_model.h"
#include "app/studio/tuning/tried_table.h"
#include "app/studio/tuning/tuning_words.h"
#include "tests/studio/fixtures.h"
#include "tests/studio/registry.h"

namespace kernelgen::studio {

using testing::exampleTuning;
using testing::expose;
using testing::waitUntil;

namespace {

std::shared_ptr<const Tuning> shared(int count) { return std::make_shared<const Tuning>(exampleTuning(count)); }

/// The last that the chart has of a row: of parallel coordinates the one on the objective's axis.
const Mark& markOfRow(const ChartView& view, int row) {
    return std::ranges::find_last(view.marks(), row, &Mark::row).front();
}

int firstFailed(const Tuning& tuning) {
    return static_cast<int>(std::ranges::find_if_not(tuning.tried, &Tried::is_ok) - tuning.tried.begin());
}

/// Points and lines that a chart draws.
int drawnBy(ChartView& view) {
    int drawn = view.plot().itemCount();
    for (int i = 0; i < view.plot().plottableCount(); ++i) {
        if (const auto* graph = qobject_cast<QCPGraph*>(view.plot().plottable(i))) drawn += graph->dataCount();
        if (const auto* curve = qobject_cast<QCPCurve*>(view.plot().plottable(i))) drawn += curve->data()->size();
    }
    return drawn;
}

const QCPGraph* graphOf(ChartView& view, const QString& name) {
    for (int i = 0; i < view.plot().graphCount(); ++i) {
        if (view.plot().graph(i)->name() == name) return view.plot().graph(i);
    }
    qFatal("no graph %s", qPrintable(name));
}

}  // namespace

class TuningChartsTest : public QObject {
    Q_OBJECT

private slots:
    void theBestSoFarFallsWithTime();
    void aCellOfTheHeatMapHasTheBestOfItsPair();
    void ofManyConfigurationsTheBestAndSomeOthersAreLines();
    void withoutATuningEveryChartSaysWhatToPress();
    void whereEverythingFailedTheChartsSaySo();
    void hoveringTellsAllOfAConfiguration();
    void theTipHasTheTimeOfTheTable();
    void aClickChoosesAConfiguration_data();
    void aClickChoosesAConfiguration();
    void whatFailedStandsInTheScatterToo();
    void aPairThatWasNotTriedSaysSo();
    void theScatterCanStandOverATunable();
    void inALowHeatMapNoTextIsOnAnother();
    void inANarrowChartEachTunablesNameKeepsToItsAxis();
    void theObjectivesAxisSaysTheBestAndTheWorst();
    void eachTunablesHeaderIsWholeInTheTable();
    void inASmallChartTitlesAreBriefAndCaptionsWhole();
    void valuesOfAnAxisThatIsTooLowAreLeftOut();
    void aTableWaitsForATuningThatRuns();
    void theImportanceNamesItsMethod();
    void theParetoFrontFallsFromTheFastestOn();
    void withoutMemoryTheParetoChartSaysSo();
    void energyIsWeighedWhereItWasMeasured();
    void tenThousandConfigurationsAreDrawnByFewPoints();
    void aPointIsAPictureInTheWindowAndAShapeInAFile();
    void theModelKeepsTheRulesOfModels();
    void theTableSortsByTimeWithWhatFailedAtItsEnd();
    void theTableKeepsItsChosenRowWhileItGrows();
    void whatIsNeverTriedIsARowWithItsReason();
};

void TuningChartsTest::theBestSoFarFallsWithTime() {
    Tuning tuning = exampleTuning(200);
    std::ranges::reverse(tuning.tried);  // what is recorded again stands at its old place
    const std::vector<BestStep> steps = bestSoFar(tuning);
    QVERIFY(steps.size() > 2);
    for (std::size_t i = 1; i < steps.size(); ++i) {
        QVERIFY(steps[i].seconds > steps[i - 1].seconds);
        QVERIFY(steps[i].objective < steps[i - 1].objective);
    }
    const auto least =
        std::ranges::min(tuning.tried, {}, [](const Tried& each) { return each.is_ok() ? each.objective : 1; });
    QCOMPARE(steps.back().objective, least.objective);
    QVERIFY(bestSoFar({}).empty());
}

void TuningChartsTest::aCellOfTheHeatMapHasTheBestOfItsPair() {
    Tuning tuning;
    tuning.head.parameters = {{"A", {1, 2}, 1}, {"B", {5, 6}, 5}, {"C", {0, 1}, 0}};
    const auto add = [&](std::int64_t a, std::int64_t b, std::int64_t c, double seconds) {
        Tried& tried = tuning.tried.emplace_back();
        tried.configuration = {{"A", a}, {"B", b}, {"C", c}};
        tried.objective = seconds;
        if (seconds == 0) tried.status = Status::crashed;
    };
    add(1, 5, 0, 3);
    add(1, 5, 1, 2);
    add(2, 5, 0, 0);
    add(2, 6, 0, 7);
    const HeatMap map = heatMap(tuning, 0, 1);
    QCOMPARE(map.at(0, 0).best, 1);
    QCOMPARE(map.at(0, 0).tried, 2);
    QCOMPARE(map.at(1, 0).best, -1);
    QCOMPARE(map.at(1, 0).failed, 1);
    QCOMPARE(map.at(0, 1).tried, 0);
    QCOMPARE(map.at(1, 1).best, 3);
}

void TuningChartsTest::ofManyConfigurationsTheBestAndSomeOthersAreLines() {
    const Tuning tuning = exampleTuning(1100);  // of which a hundred failed
    const std::vector<ParallelLine> lines = parallelLines(tuning, 100);
    QCOMPARE(lines.size(), 100U);
    QCOMPARE(lines.back().rank, 0.0);
    QCOMPARE(lines.front().rank, 1.0);
    QCOMPARE(lines[50].rank, 49 / 999.0);  // the best fifty come last
    QVERIFY(std::ranges::is_sorted(lines, std::greater(), &ParallelLine::rank));
    QCOMPARE(parallelLines(exampleTuning(22), 100).size(), 20U);
}

void TuningChartsTest::withoutATuningEveryChartSaysWhatToPress() {
    BestView best;
    ScatterView scatter;
    HeatMapView heat_map;
    ParallelView parallel;
    ParetoView pareto;
    ImportanceView importance;
    for (TuningView* each :
         std::initializer_list<TuningView*>{&best, &scatter, &heat_map, &parallel, &pareto, &importance}) {
        each->present(nullptr);
        QVERIFY2(each->message().contains("Start finds"), qPrintable(each->title()));
        each->present(shared(0));
        QVERIFY2(each->isEmpty(), qPrintable(each->title()));
        each->present(shared(100));
        QVERIFY2(!each->isEmpty(), qPrintable(each->message()));
    }
}

void TuningChartsTest::whereEverythingFailedTheChartsSaySo() {
    Tuning tuning = exampleTuning(11);
    for (Tried& each : tuning.tried) each.status = Status::crashed;
    const auto failed = std::make_shared<const Tuning>(tuning);
    BestView best;
    best.present(failed);
    QVERIFY(best.message().contains("the table says why"));
    ScatterView scatter;
    scatter.present(failed);
    QCOMPARE(scatter.marks().size(), 11U);
}

void TuningChartsTest::hoveringTellsAllOfAConfiguration() {
    ScatterView view;
    const auto tuning = shared(30);
    view.present(tuning);
    expose(view);
    const int row = firstFailed(*tuning);
    QTest::mouseMove(&view.plot(), markOfRow(view, row).pixel().toPoint() + QPoint(1, 1));
    QVERIFY(waitUntil([] { return QToolTip::isVisible(); }));
    QVERIFY2(QToolTip::text().contains("it did not work"), qPrintable(QToolTip::text()));
    QTest::mouseMove(&view.plot(), markOfRow(view, 4).pixel().toPoint() + QPoint(1, 1));
    QVERIFY(waitUntil([] { return QToolTip::text().contains("number 5"); }));
    QVERIFY(QToolTip::text().contains(secondsText(tuning->tried[4].seconds)));
    QToolTip::hideText();
}

void TuningChartsTest::aClickChoosesAConfiguration_data() {
    QTest::addColumn<int>("kind");
    QTest::newRow("best so far") << 0;
    QTest::newRow("scatter") << 1;
    QTest::newRow("heat map") << 2;
    QTest::newRow("parallel coordinates") << 3;
    QTest::newRow("Pareto front") << 4;
}

void TuningChartsTest::aClickChoosesAConfiguration() {
    QFETCH(int, kind);
    std::unique_ptr<TuningView> view;
    if (kind == 0) view = std::make_unique<BestView>();
    if (kind == 1) view = std::make_unique<ScatterView>();
    if (kind == 2) view = std::make_unique<HeatMapView>();
    if (kind == 3) view = std::make_unique<ParallelView>();
    if (kind == 4) view = std::make_unique<ParetoView>();
    const auto tuning = shared(60);
    view->present(tuning);
    expose(*view);
    const int best = bestSoFar(*tuning).back().row;
    QSignalSpy clicked(view.get(), &ChartView::rowClicked);
    QTest::mouseClick(&view->plot(), Qt::LeftButton, {}, markOfRow(*view, best).pixel().toPoint());
    QCOMPARE(clicked.size(), 1);
    QCOMPARE(clicked[0][0].toInt(), best);
    view->setSelectedRow(best);
    QTest::keyClick(&view->plot(), Qt::Key_Left);
    QCOMPARE(clicked.size(), 2);
    QVERIFY(clicked[1][0].toInt() < best);
}

void TuningChartsTest::whatFailedStandsInTheScatterToo() {
    ScatterView view;
    const auto tuning = shared(33);
    view.present(tuning);
    expose(view);
    QCOMPARE(view.marks().size(), 33U);
    QSignalSpy clicked(&view, &ChartView::rowClicked);
    const int row = firstFailed(*tuning);
    QTest::mouseClick(&view.plot(), Qt::LeftButton, {}, markOfRow(view, row).pixel().toPoint());
    QCOMPARE(clicked.at(0)[0].toInt(), row);
}

void TuningChartsTest::aPairThatWasNotTriedSaysSo() {
    HeatMapView view;
    view.present(shared(5));
    const auto untried = std::ranges::find_if(view.marks(), [](const Mark& each) { return each.row < 0; });
    QVERIFY(untried->text.contains("not tried"));
    QCOMPARE(view.marks().size(), 49U);
    view.setAxes(2, 4);
    view.present(shared(5));
    QCOMPARE(view.marks().size(), 8U);
}

void TuningChartsTest::theScatterCanStandOverATunable() {
    ScatterView view;
    view.setAxis(1);
    const auto tuning = shared(100);
    view.present(tuning);
    QCOMPARE(view.plot().xAxis->label(), "BLOCK_N");
    for (const Mark& each : view.marks()) {
        const std::int64_t value = tuning->tried[static_cast<std::size_t>(each.row)].configuration.at("BLOCK_N");
        QVERIFY(std::abs(each.x - std::log2(static_cast<double>(value) / 64)) < 0.5);
    }
}

void TuningChartsTest::inALowHeatMapNoTextIsOnAnother() {
    HeatMapView view;
    view.present(shared(500));
    expose(view);
    const auto texts = [&view] {
        return std::ranges::count_if(view.plot().findChildren<QCPItemText*>(), &QCPItemText::visible);
    };
    QCOMPARE(texts(), 49);
    view.resize(320, 130);
    waitUntil([&view] { return view.plot().height() == 130; });
    view.plot().replot();
    QCOMPARE(texts(), 0);
    const QCPAxis& up = *view.plot().yAxis;
    double last = 1e9;
    for (qsizetype i = 0; i < up.tickVector().size(); ++i) {
        if (up.tickVectorLabels()[i].isEmpty()) continue;
        const double place = up.coordToPixel(up.tickVector()[i]);
        QVERIFY(last - place >= QFontMetricsF(up.tickLabelFont()).height() - 1);
        last = place;
    }
    QVERIFY(last < 1e9);
}

void TuningChartsTest::inANarrowChartEachTunablesNameKeepsToItsAxis() {
    ParallelView view;
    view.present(shared(100));
    expose(view);
    view.resize(320, 200);
    waitUntil([&view] { return view.plot().width() == 320; });
    view.plot().replot();
    const QCPAxis& across = *view.plot().xAxis;
    const double room = across.coordToPixel(1) - across.coordToPixel(0);
    for (const QString& each : across.tickVectorLabels())
        QVERIFY2(QFontMetricsF(across.tickLabelFont()).horizontalAdvance(each) < room, qPrintable(each));
}

void TuningChartsTest::theObjectivesAxisSaysTheBestAndTheWorst() {
    const auto tuning = shared(100);
    ParallelView view;
    view.present(tuning);
    expose(view);
    double best = 1e9, worst = 0;
    for (const Tried& each : tuning->tried) {
        if (!each.is_ok()) continue;
        best = std::min(best, each.objective);
        worst = std::max(worst, each.objective);
    }
    for (const double end : {best, worst}) {
        const QString text = objectiveText(tuning->head, end);
        const auto texts = view.plot().findChildren<QCPItemText*>();
        QVERIFY2(std::ranges::contains(texts, text, &QCPItemText::text), qPrintable(text));
    }
}

void TuningChartsTest::eachTunablesHeaderIsWholeInTheTable() {
    TriedTable table;
    table.present(shared(40), false);
    const QHeaderView& header = *table.horizontalHeader();
    QCOMPARE(header.count(), TriedModel::fixed_columns + 6);
    for (int column = 0; column < header.count(); ++column) {
        const QString name = table.model()->headerData(column, Qt::Horizontal).toString();
        QVERIFY2(header.sectionSize(column) >= header.sectionSizeHint(column), qPrintable(name));
    }
}

/// As in the Tuning tab of a window of 1280x720.
void TuningChartsTest::inASmallChartTitlesAreBriefAndCaptionsWhole() {
    const auto tuning = shared(100);
    BestView best;
    ParallelView parallel;
    HeatMapView heat_map;
    ImportanceView importance;
    heat_map.setAxes(0, 1);
    for (TuningView* each : std::initializer_list<TuningView*>{&best, &parallel, &heat_map, &importance}) {
        each->resize(315, 150);
        each->present(tuning);
        expose(*each);
        each->resize(315, 150);
        waitUntil([&] { return each->plot().axisRect()->height() > 0; });
        for (const QCPTextElement* text : each->plot().findChildren<QCPTextElement*>())
            QVERIFY2(!text->text().contains(QChar(0x2026)), qPrintable(text->text()));
    }
    QCOMPARE(best.plot().yAxis->label(), "Time");
    QCOMPARE(best.plot().xAxis->label(), "Time of the tuning");
    const QVector<QString> names = parallel.plot().xAxis->tickVectorLabels();
    QVERIFY(names.contains("Time"));
    for (const QString& each : names) QVERIFY2(names.count(each) == 1, qPrintable(each));  // BL…_M and BL…_N
    best.resize(315, 110);
    QVERIFY(waitUntil([&] { return best.plot().xAxis->label().isEmpty(); }));
}

void TuningChartsTest::theTipHasTheTimeOfTheTable() {
    Tuning tuning = exampleTuning(1);
    QCOMPARE(tuning.head.objective, std::string("time"));
    tuning.tried[0].seconds = 13.6e-3;  // of a slow moment
    tuning.tried[0].objective = 12.5e-3;
    QVERIFY(tipOfTried(tuning, 0).contains(secondsText(12.5e-3)));
}

void TuningChartsTest::valuesOfAnAxisThatIsTooLowAreLeftOut() {
    ParallelView view;
    view.present(shared(100));
    expose(view);
    const auto shown = [&] {
        const auto texts = view.plot().findChildren<QCPItemText*>();
        return std::ranges::count_if(texts, &QCPItemText::visible);
    };
    view.resize(900, 500);
    const auto all = view.plot().findChildren<QCPItemText*>().size();
    QVERIFY(waitUntil([&] { return shown() == all; }));
    view.resize(900, 120);
    QVERIFY(waitUntil([&] { return shown() < all; }));
}

void TuningChartsTest::aTableWaitsForATuningThatRuns() {
    TriedTable table;
    table.present(nullptr, false);
    QVERIFY(table.whatFillsIt().startsWith("Press Start"));
    table.present(nullptr, true);
    QVERIFY(!table.whatFillsIt().contains("Start"));
}

void TuningChartsTest::theImportanceNamesItsMethod() {
    ImportanceView view;
    view.resize(1200, 400);
    view.present(shared(500));
    QCOMPARE(view.marks().size(), 6U);
    QVERIFY(view.marks()[0].text.startsWith("BLOCK_N: without it"));
    QVERIFY(std::ranges::any_of(view.plot().findChildren<QCPTextElement*>(), [](const QCPTextElement* each) {
        return each->text().startsWith("Analysis of variance");
    }));
}

void TuningChartsTest::theParetoFrontFallsFromTheFastestOn() {
    ParetoView view;
    view.present(shared(500));
    const QCPGraph* front = graphOf(view, "Pareto front");
    QVERIFY(front->dataCount() > 2);
    for (int i = 1; i < front->dataCount(); ++i) {
        QVERIFY(front->dataMainKey(i) > front->dataMainKey(i - 1));
        QVERIFY(front->dataMainValue(i) < front->dataMainValue(i - 1));
    }
    QCOMPARE(front->dataMainValue(0), 4096);  // of the fastest, whose BLOCK_N is 1024
}

void TuningChartsTest::withoutMemoryTheParetoChartSaysSo() {
    Tuning tuning = exampleTuning(100);
    for (Tried& each : tuning.tried) each.memory_bytes = 0;
    ParetoView view;
    view.present(std::make_shared<const Tuning>(tuning));
    QVERIFY2(view.message().contains("the fastest is the best"), qPrintable(view.message()));
    view.setCost(&Tried::energy_joules);
    view.present(shared(100));
    QVERIFY2(view.message().contains("No energy was measured"), qPrintable(view.message()));
}

void TuningChartsTest::energyIsWeighedWhereItWasMeasured() {
    Tuning tuning = exampleTuning(100);
    for (const std::size_t row : {3U, 5U, 8U}) tuning.tried[row].energy_joules = 0.01 * static_cast<double>(row);
    ParetoView view;
    view.setCost(&Tried::energy_joules);
    view.present(std::make_shared<const Tuning>(tuning));
    QVERIFY(!view.isEmpty());
    QVERIFY(view.plot().yAxis->label().startsWith("Energy"));
    for (const Mark& each : view.marks()) QVERIFY(each.row == 3 || each.row == 5 || each.row == 8);
    QVERIFY(!view.marks().empty());
}

void TuningChartsTest::tenThousandConfigurationsAreDrawnByFewPoints() {
    const auto tuning = shared(10000);
    BestView best;
    ScatterView scatter;
    HeatMapView heat_map;
    ParallelView parallel;
    ParetoView pareto;
    for (TuningView* each : std::initializer_list<TuningView*>{&best, &scatter, &heat_map, &parallel, &pareto}) {
        each->resize(700, 400);
        each->present(tuning);
        QVERIFY2(drawnBy(*each) < 5000, qPrintable(each->title()));
    }
    QCOMPARE(scatter.marks().size(), 10000U);
}

void TuningChartsTest::aPointIsAPictureInTheWindowAndAShapeInAFile() {
    ScatterView view;
    const auto tuning = shared(30);
    view.present(tuning);
    expose(view);
    const auto found =
        std::ranges::find_if(tuning->tried, [](const Tried& each) { return each.is_ok() && !each.left; });
    const int row = static_cast<int>(found - tuning->tried.begin());
    const QPoint place = markOfRow(view, row).pixel().toPoint();
    const QColor colour = graphOf(view, "sampled to the end")->scatterStyle().brush().color();
    QCOMPARE(view.plot().grab().toImage().pixelColor(place), colour);
    const QByteArray file = svgOf(view, {700, 400});
    QVERIFY(file.contains("<svg"));
    QVERIFY(!file.contains("<image"));
}

void TuningChartsTest::theModelKeepsTheRulesOfModels() {
    TriedModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const auto tuning = std::make_shared<Tuning>(exampleTuning(20));
    model.setTuning(tuning);
    QCOMPARE(model.rowCount(), 20);
    QCOMPARE(model.columnCount(), TriedModel::fixed_columns + 6);
    model.sort(TriedModel::Objective, Qt::DescendingOrder);
    tuning->tried = exampleTuning(40).tried;
    model.grow();
    QCOMPARE(model.rowCount(), 40);
    model.setTuning(nullptr);
    QCOMPARE(model.rowCount(), 0);
}

void TuningChartsTest::theTableSortsByTimeWithWhatFailedAtItsEnd() {
    TriedModel model;
    const auto tuning = shared(110);
    model.setTuning(tuning);
    for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
        model.sort(TriedModel::Objective, order);
        QVERIFY(!tuning->tried[model.triedAt(109)].is_ok());
        QVERIFY(!tuning->tried[model.triedAt(100)].is_ok());
        const bool best_first = order == Qt::AscendingOrder;
        QCOMPARE(static_cast<int>(model.triedAt(best_first ? 0 : 99)), bestSoFar(*tuning).back().row);
    }
    model.sort(TriedModel::fixed_columns + 1, Qt::AscendingOrder);
    QCOMPARE(model.index(0, TriedModel::fixed_columns + 1).data().toString(), "64");
}

void TuningChartsTest::whatIsNeverTriedIsARowWithItsReason() {
    PrunedModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    PrunedCase pruned;
    pruned.listed = {{{{"A", 4}, {"B", 1}}, "restriction `A < 4`"},
                     {{{"A", 2}, {"B", 8}}, "`B` is larger than the case"},
                     {{{"A", 1}, {"B", 9}}, "`B` is larger than the case"}};
    model.setListed(std::make_shared<const PrunedCase>(pruned), {"A", "B"});
    QCOMPARE(model.rowCount(), 3);
    QCOMPARE(model.columnCount(), 3);
    QCOMPARE(model.index(0, 0).data().toString(), "4");
    QCOMPARE(model.index(0, 2).data().toString(), "restriction A < 4");
    QVERIFY(model.index(0, 1).data(Qt::ToolTipRole).toString().contains("A=4"));
    model.sort(0, Qt::AscendingOrder);
    QCOMPARE(model.index(0, 1).data().toString(), "9");
    model.sort(2, Qt::DescendingOrder);
    QCOMPARE(model.index(0, 0).data().toString(), "4");
    model.sort(-1, Qt::AscendingOrder);
    QCOMPARE(model.index(1, 0).data().toString(), "2");
    model.setListed(nullptr, {});
    QCOMPARE(model.rowCount(), 0);
}

void TuningChartsTest::theTableKeepsItsChosenRowWhileItGrows() {
    TriedModel model;
    const auto tuning = std::make_shared<Tuning>(exampleTuning(50));
    model.setTuning(tuning);
    model.sort(TriedModel::Objective, Qt::AscendingOrder);
    const QPersistentModelIndex chosen = model.index(30, 0);
    const std::size_t meant = model.triedAt(30);
    tuning->tried = exampleTuning(400).tried;
    model.grow();
    QVERIFY(chosen.row() != 30);
    QCOMPARE(model.triedAt(chosen.row()), meant);
}

}  // namespace kernelgen::studio

STUDIO_TEST(kernelgen::studio::TuningChartsTest)
#include "tuning_charts_test.moc"
