// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSet>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QToolTip>
#include <algorithm>
#include <memory>
#include <tuple>

#include "app/studio/charts/catalogue.h"
#include "app/studio/charts/chart_area.h"
#include "app/studio/charts/chart_picture.h"
#include "app/studio/charts/efficiency_view.h"
#include "app/studio/charts/error_view.h"
#include "app/studio/charts/latency_view.h"
#include "app/studio/charts/roofline_view.h"
#include "app/studio/charts/speedup_view.h"
#include "tests/studio/fixtures.h"
#include "tests/studio/registry.h"

namespace kernelgen::studio {

using testing::exampleHistory;
using testing::expose;
using testing::sharedHistory;
using testing::Studio;
using testing::waitUntil;

class ChartsTest : public QObject {
    Q_OBJECT

private slots:
    void anEmptyProjectSaysWhatToDoNext();
    void aClickOnAPointSelectsItsRound();
    void aClickOnAFailedRoundsCrossSelectsIt();
    void aClickOnTheRooflineSelectsTheRound();
    void hoveringTellsTheRoundAndReplotsNothing();
    void theWheelZoomsAndADoubleClickFits();
    void zoomIsKeptWhereARoundIsAdded();
    void arrowKeysGoFromRoundToRound();
    void anotherEnvironmentBreaksTheLine();
    void tenThousandRoundsAreDrawnByFewPoints();
    void colourFollowsThePalette();
    void theLegendCanBeHidden();
    void speedupsWithinADecadeHaveTicks();
    void speedupsThatHardlyDifferHaveTicksThatDo();
    void sizesHaveTicksAtPowersOfTwo();
    void aCaseHasOneColourInAllCharts();
    void aNoisyRoundsMarkIsHollow();
    void quantilesOfErrorsHaveLabelsThatDoNotMeet();
    void quantilesHaveLabelsThatDoNotMeet();
    void picturesAreWrittenInThreeFormats();
    void aPictureOfAnUnknownFormatIsRefused();
    void onlyChartsThatCanBeSeenAreFilled();
};

namespace {

const Mark* markOf(const ChartView& view, int round) {
    const auto found =
        std::ranges::find_if(view.marks(), [&](const Mark& each) { return each.round->number == round; });
    return found == view.marks().end() ? nullptr : &*found;
}

QPoint pixelOf(const ChartView& view, int round) { return markOf(view, round)->pixel().toPoint(); }

}  // namespace

void ChartsTest::anEmptyProjectSaysWhatToDoNext() {
    SpeedupView view;
    view.present(sharedHistory(0));
    QVERIFY(view.isEmpty());
    QVERIFY(view.message().contains("F5"));
}

void ChartsTest::aClickOnAPointSelectsItsRound() {
    SpeedupView view;
    view.present(sharedHistory(6));
    expose(view);
    QSignalSpy clicked(&view, &ChartView::roundClicked);
    QTest::mouseClick(&view.plot(), Qt::LeftButton, {}, pixelOf(view, 3));
    QCOMPARE(clicked.size(), 1);
    QCOMPARE(clicked[0][0].toInt(), 3);
    QTest::mouseClick(&view.plot(), Qt::LeftButton, {}, pixelOf(view, 3) + QPoint(30, 40));
    QCOMPARE(clicked.size(), 1);
}

void ChartsTest::aClickOnAFailedRoundsCrossSelectsIt() {
    SpeedupView view;
    view.present(sharedHistory(10));
    expose(view);
    QSignalSpy clicked(&view, &ChartView::roundClicked);
    QTest::mouseClick(&view.plot(), Qt::LeftButton, {}, pixelOf(view, 7));
    QCOMPARE(clicked.size(), 1);
    QCOMPARE(clicked[0][0].toInt(), 7);
}

void ChartsTest::aClickOnTheRooflineSelectsTheRound() {
    RooflineView view;
    view.present(sharedHistory(6), "cpu", {}, 5);
    expose(view);
    QSignalSpy clicked(&view, &ChartView::roundClicked);
    QTest::mouseClick(&view.plot(), Qt::LeftButton, {}, pixelOf(view, 2));
    QCOMPARE(clicked.size(), 1);
}

void ChartsTest::hoveringTellsTheRoundAndReplotsNothing() {
    SpeedupView view;
    view.present(sharedHistory(6));
    expose(view);
    QSignalSpy replotted(&view.plot(), &QCustomPlot::beforeReplot);
    QTest::mouseMove(&view.plot(), pixelOf(view, 2) + QPoint(2, 1));
    QVERIFY(waitUntil([] { return QToolTip::isVisible(); }));
    QVERIFY(QToolTip::text().contains("Round 2"));
    QVERIFY(QToolTip::text().contains("BLOCK_M=4"));
    QCOMPARE(replotted.size(), 0);
    QToolTip::hideText();
}

void ChartsTest::theWheelZoomsAndADoubleClickFits() {
    SpeedupView view;
    view.present(sharedHistory(20));
    expose(view);
    const QCPRange fitted = view.plot().xAxis->range();
    const QPointF middle = view.plot().axisRect()->center();
    QWheelEvent wheel(middle, view.plot().mapToGlobal(middle), {}, {0, 120}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&view.plot(), &wheel);
    QVERIFY(view.plot().xAxis->range().size() < fitted.size());
    QTest::mouseDClick(&view.plot(), Qt::LeftButton, {}, middle.toPoint() + QPoint(0, 60));
    QCOMPARE(view.plot().xAxis->range().size(), fitted.size());
}

void ChartsTest::zoomIsKeptWhereARoundIsAdded() {
    SpeedupView view;
    view.present(sharedHistory(20));
    expose(view);
    QTest::keyClick(&view.plot(), Qt::Key_Plus);
    const QCPRange zoomed = view.plot().xAxis->range();
    view.present(sharedHistory(21));
    QCOMPARE(view.plot().xAxis->range().size(), zoomed.size());
    view.fit();
    QVERIFY(view.plot().xAxis->range().upper > 20);
}

void ChartsTest::arrowKeysGoFromRoundToRound() {
    SpeedupView view;
    view.present(sharedHistory(5));
    expose(view);
    QSignalSpy clicked(&view, &ChartView::roundClicked);
    view.setSelectedRound(2);
    QTest::keyClick(&view.plot(), Qt::Key_Right);
    QTest::keyClick(&view.plot(), Qt::Key_Left);
    QCOMPARE(clicked.size(), 2);
    QCOMPARE(clicked[0][0].toInt(), 3);
    QCOMPARE(clicked[1][0].toInt(), 1);
}

void ChartsTest::anotherEnvironmentBreaksTheLine() {
    History history = exampleHistory(6);
    for (int i = 3; i < 6; ++i) history.rounds[static_cast<std::size_t>(i)].environment = "fedcba";
    SpeedupView view;
    view.present(std::make_shared<const History>(std::move(history)));
    std::vector<const QCPCurve*> curves;
    for (int i = 0; i < view.plot().plottableCount(); ++i) {
        if (const auto* curve = qobject_cast<QCPCurve*>(view.plot().plottable(i))) curves.push_back(curve);
    }
    QCOMPARE(curves.size(), 2U);
    QVERIFY(curves[0]->scatterStyle().shape() != curves[1]->scatterStyle().shape());
    QCOMPARE(curves[0]->data()->size(), 4);  // three rounds and the gap that ends a line
}

void ChartsTest::tenThousandRoundsAreDrawnByFewPoints() {
    SpeedupView speedup;
    speedup.present(sharedHistory(10000));
    RooflineView roofline;
    roofline.present(sharedHistory(10000), "cpu", {}, 9999);
    for (ChartView* view : {static_cast<ChartView*>(&speedup), static_cast<ChartView*>(&roofline)}) {
        QVERIFY(view->plot().itemCount() < 200);
        for (int i = 0; i < view->plot().graphCount(); ++i) QVERIFY(view->plot().graph(i)->dataCount() < 5000);
    }
    QVERIFY(markOf(speedup, 5000) != nullptr);
}

void ChartsTest::colourFollowsThePalette() {
    SpeedupView view;
    view.present(sharedHistory(3));
    QPalette dark = view.palette();
    dark.setColor(QPalette::Window, Qt::black);
    dark.setColor(QPalette::Base, Qt::black);
    view.setPalette(dark);
    QCOMPARE(view.plot().xAxis->basePen().color(), coloursOf(dark).muted);
    QCOMPARE(view.plot().toPixmap(50, 50).toImage().pixelColor(0, 0), QColor(Qt::black));
}

void ChartsTest::theLegendCanBeHidden() {
    SpeedupView view;
    view.present(sharedHistory(3));
    QVERIFY(view.plot().legend->visible());
    view.setLegendShown(false);
    QVERIFY(!view.plot().legend->visible());
    view.present(sharedHistory(4));
    QVERIFY(!view.plot().legend->visible());
}

/// The labels of an axis as it stands.
QStringList labelsOf(QCPAxis& axis) {
    axis.parentPlot()->replot();
    const auto labels = axis.tickVectorLabels();
    return {labels.begin(), labels.end()};
}

void ChartsTest::speedupsWithinADecadeHaveTicks() {
    History history = exampleHistory(2);
    history.rounds[0].cases[0].speedup = history.rounds[0].cases[0].speedup_lower = 0.7;
    history.rounds[1].cases[0].speedup = history.rounds[1].cases[0].speedup_upper = 3.5;
    SpeedupView view;
    view.present(std::make_shared<const History>(std::move(history)));
    expose(view);
    QCOMPARE(labelsOf(*view.plot().yAxis), (QStringList{"0.7×", "1×", "1.5×", "2×", "3×"}));
}

void ChartsTest::speedupsThatHardlyDifferHaveTicksThatDo() {
    History history = exampleHistory(1);
    RoundCase& timed = history.rounds[0].cases[0];
    std::tie(timed.speedup_lower, timed.speedup, timed.speedup_upper) = std::tuple{0.99, 1.0, 1.01};
    SpeedupView view;
    view.present(std::make_shared<const History>(std::move(history)));
    expose(view);
    const QStringList labels = labelsOf(*view.plot().yAxis);
    QVERIFY(labels.size() >= 2);
    QCOMPARE(QSet<QString>(labels.begin(), labels.end()).size(), labels.size());
}

void ChartsTest::sizesHaveTicksAtPowersOfTwo() {
    History history = exampleHistory(1);
    std::vector<RoundCase>& cases = history.rounds[0].cases;
    for (const double factor : {1.9, 3.1}) {
        cases.push_back(cases.front());
        cases.back().binding.name = std::to_string(factor);
        cases.back().seconds *= factor;
    }
    const auto shared = std::make_shared<const History>(std::move(history));
    EfficiencyView view;
    view.present(shared, std::shared_ptr<const Round>(shared, &shared->rounds[0]));
    expose(view);
    const QStringList labels = labelsOf(*view.plot().xAxis);
    QVERIFY(labels.size() >= 2);
    for (const double tick : view.plot().xAxis->tickVector()) {
        QCOMPARE(std::log2(tick), std::round(std::log2(tick)));
    }
}

/// The colour of what a legend calls so.
QColor colourIn(ChartView& view, const QString& name) {
    for (int i = 0; i < view.plot().plottableCount(); ++i) {
        const QCPAbstractPlottable* each = view.plot().plottable(i);
        if (!each->name().contains(name)) continue;
        const auto* graph = qobject_cast<const QCPGraph*>(each);
        const bool has_line = graph == nullptr || graph->lineStyle() != QCPGraph::lsNone;
        return has_line ? each->pen().color() : graph->scatterStyle().pen().color();
    }
    return {};
}

void ChartsTest::aCaseHasOneColourInAllCharts() {
    History history = exampleHistory(3);
    history.rounds[0].device = "cuda:0";  // a case that the other device never ran comes first
    history.rounds[0].cases[0].binding.name = "first";
    const auto shared = std::make_shared<const History>(std::move(history));
    const Case& second = shared->rounds[1].cases[0].binding;
    SpeedupView speedup;
    speedup.present(shared);
    const QColor colour = colourIn(speedup, "4096x4096 f32");
    QVERIFY(colour.isValid() && colour != colourIn(speedup, "first"));
    RooflineView roofline;
    roofline.present(shared, "cpu", {}, 2);
    QCOMPARE(colourIn(roofline, "4096x4096 f32"), colour);
    LatencyView latency;
    BenchResult timing;
    timing.binding = second;
    timing.candidate_seconds = timing.baseline_seconds = {1e-3, 2e-3, 3e-3};
    latency.present(timing, "host", Catalogue(*shared).caseNumber(second));
    QCOMPARE(colourIn(latency, "candidate host"), colour);
}

void ChartsTest::aNoisyRoundsMarkIsHollow() {
    const auto hollow = [](ChartView& view) {
        int count = 0;
        for (int i = 0; i < view.plot().graphCount(); ++i) {
            const QCPGraph* each = view.plot().graph(i);
            const bool is_hollow = each->scatterStyle().brush().color() == view.palette().color(QPalette::Base);
            count += is_hollow ? each->dataCount() : 0;
        }
        return count;
    };
    for (const double rsd : {0.01, 0.2}) {
        History history = exampleHistory(3);
        history.rounds.erase(history.rounds.begin());  // whose interval holds 1
        history.rounds[0].cases[0].rsd = rsd;
        const auto shared = std::make_shared<const History>(std::move(history));
        SpeedupView speedup;
        speedup.present(shared);
        RooflineView roofline;
        roofline.present(shared, "cpu", {}, 2);
        EfficiencyView efficiency;
        efficiency.present(shared, std::shared_ptr<const Round>(shared, &shared->rounds[0]));
        LatencyView latency;
        BenchResult timing;
        timing.candidate_seconds = timing.baseline_seconds = {1e-3, 2e-3, 3e-3};
        timing.candidate.relative_standard_deviation = rsd;
        latency.resize(900, 500);
        latency.present(timing, "host", 0);
        const auto captions = latency.plot().findChildren<QCPTextElement*>();
        const auto is_noise = [](const QCPTextElement* each) { return each->text().contains("Noisy"); };
        QCOMPARE(std::ranges::any_of(captions, is_noise), rsd > 0.05);
        const int expected = rsd > 0.05 ? 1 : 0;
        QCOMPARE(hollow(speedup), expected);
        QCOMPARE(hollow(roofline), expected);
        QCOMPARE(hollow(efficiency), expected);
        QStringList legend;
        for (int i = 0; i < efficiency.plot().legend->itemCount(); ++i) {
            auto* item = qobject_cast<QCPPlottableLegendItem*>(efficiency.plot().legend->item(i));
            if (item != nullptr) legend << item->plottable()->name();
        }
        QCOMPARE(legend.contains("noisy"), rsd > 0.05);
    }
}

/// Where the texts within a chart that can be seen stand, without the room below them.
QList<QRectF> labelsIn(QCustomPlot& plot) {
    QList<QRectF> labels;
    for (int i = 0; i < plot.itemCount(); ++i) {
        auto* text = qobject_cast<QCPItemText*>(plot.item(i));
        if (text == nullptr || !text->visible()) continue;
        const QPointF end = text->bottomRight->pixelPosition() - QPointF(0, text->padding().bottom());
        labels << QRectF(text->topLeft->pixelPosition(), end);
    }
    return labels;
}

void ChartsTest::quantilesOfErrorsHaveLabelsThatDoNotMeet() {
    CaseAccuracy accuracy;
    ErrorMetrics& metrics = accuracy.metrics;
    metrics.elements = 1000;
    metrics.histogram.assign(60, 10);
    metrics.p50_absolute = 1e-11;
    metrics.p90_absolute = 1.1e-11;
    metrics.p99_absolute = 1.3e-11;
    ErrorView view;
    view.present(accuracy, 0);
    expose(view);
    for (const QSize size : {QSize(320, 240), QSize(900, 500)}) {
        view.resize(size);
        QTest::qWait(50);
        const QList<QRectF> labels = labelsIn(view.plot());
        QCOMPARE(labels.size(), 3);
        for (qsizetype i = 1; i < 3; ++i) {
            for (qsizetype k = 0; k < i; ++k) QVERIFY(!labels[i].adjusted(0, 1, 0, -1).intersects(labels[k]));
        }
    }
}

void ChartsTest::quantilesHaveLabelsThatDoNotMeet() {
    BenchResult timing;
    for (int i = 0; i < 50; ++i) {
        timing.candidate_seconds.push_back(1e-3 + i * 1e-6);
        timing.baseline_seconds.push_back(1.01e-3 + i * 1e-6);
    }
    for (const QSize size : {QSize(320, 240), QSize(400, 160), QSize(900, 500)}) {
        LatencyView view;
        view.present(timing, "host", 0);
        expose(view);
        view.resize(size);
        QTest::qWait(50);
        const QList<QRectF> labels = labelsIn(view.plot());
        QVERIFY2(labels.size() >= 2, qPrintable(QString::number(labels.size())));
        for (qsizetype i = 0; i < labels.size(); ++i) {
            QVERIFY(labels[i].bottom() <= view.plot().axisRect()->bottom() + 1);
            for (qsizetype k = 0; k < i; ++k) QVERIFY(!labels[i].adjusted(1, 1, -1, -1).intersects(labels[k]));
        }
    }
}

void ChartsTest::picturesAreWrittenInThreeFormats() {
    SpeedupView view;
    view.present(sharedHistory(6));
    expose(view);
    QTemporaryDir folder;
    for (const auto& [suffix, begin] : {std::pair{"png", "\x89PNG"}, {"svg", "<?xml"}, {"pdf", "%PDF"}}) {
        const QString path = folder.filePath(QString("chart.") + suffix);
        QVERIFY(savePicture(view, path));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll().startsWith(begin));
    }
    QCOMPARE(imageOf(view).width(), 2 * view.plot().width());
}

void ChartsTest::aPictureOfAnUnknownFormatIsRefused() {
    SpeedupView view;
    const Result<void> written = savePicture(view, "/tmp/chart.xyz");
    QVERIFY(!written);
    QVERIFY(written.error().message.text().contains(".svg"));
}

void ChartsTest::onlyChartsThatCanBeSeenAreFilled() {
    Studio studio;
    testing::writeHistory(studio.folder(), 20);
    ChartArea area(studio.session());
    area.resize(1000, 400);
    area.show();
    QVERIFY(QTest::qWaitForWindowExposed(&area));
    studio.open();
    auto* speedup = area.findChild<SpeedupView*>();
    auto* errors = area.findChild<ErrorView*>();
    QVERIFY(waitUntil([&] { return !speedup->isEmpty(); }));
    QVERIFY(errors->message().isEmpty());
    QTest::mouseClick(&speedup->plot(), Qt::LeftButton, {}, pixelOf(*speedup, 7));
    QCOMPARE(studio.session().selectedRound(), 7);
    for (QTabWidget* tabs : area.findChildren<QTabWidget*>()) {
        for (int i = 0; i < tabs->count(); ++i) {
            if (tabs->widget(i) == errors || tabs->widget(i)->isAncestorOf(errors)) tabs->setCurrentIndex(i);
        }
    }
    QVERIFY(waitUntil([&] { return errors->message().contains("result.json"); }));
}

}  // namespace kernelgen::studio

STUDIO_TEST(kernelgen::studio::ChartsTest)
#include "charts_test.moc"
