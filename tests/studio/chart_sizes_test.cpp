// SPDX-License-Identifier: GPL-3.0-or-later
// What charts do with the space that they have.
#include <QTest>
#include <functional>
#include <memory>

#include "app/studio/charts/efficiency_view.h"
#include "app/studio/charts/latency_view.h"
#include "app/studio/charts/roofline_view.h"
#include "app/studio/charts/speedup_view.h"
#include "tests/studio/fixtures.h"
#include "tests/studio/registry.h"

namespace kernelgen::studio {

using testing::exampleHistory;
using testing::expose;
using testing::sharedHistory;
using testing::waitUntil;

class ChartSizesTest : public QObject {
    Q_OBJECT

private slots:
    void aLowChartDoesWithoutItsLegend();
    void ticksCaptionAndLegendFollowTheSize();
    void titlesOfAxesAreShorterWhereThereIsLessRoom();
    void ticksAreThoseOfTheSizeAfterAResize();
    void aChartLooksTheSameWhateverSizesItHadBefore();
    void namesOfCeilingsStayWithinTheAxes();
};

void ChartSizesTest::aLowChartDoesWithoutItsLegend() {
    History history = exampleHistory(3);
    std::vector<RoundCase>& cases = history.rounds[1].cases;
    for (const char* name : {"second", "third", "fourth", "fifth", "sixth"}) {
        cases.push_back(cases.front());
        cases.back().binding.name = name;
    }
    SpeedupView view;
    view.present(std::make_shared<const History>(std::move(history)));
    expose(view);
    QVERIFY(view.plot().legend->visible());
    view.resize(200, 140);
    QVERIFY(waitUntil([&] { return !view.plot().legend->visible(); }));
    view.resize(400, 400);
    QVERIFY(waitUntil([&] { return view.plot().legend->visible(); }));
}

void ChartSizesTest::ticksCaptionAndLegendFollowTheSize() {
    History history = exampleHistory(60);
    for (std::size_t i = 30; i < 60; ++i) history.rounds[i].environment = "fedcba";
    for (Round& each : history.rounds) {
        if (each.status != Status::ok) continue;
        each.cases.push_back(each.cases.front());
        each.cases.back().binding.name = "a case with a rather long name";
    }
    SpeedupView view;
    view.present(std::make_shared<const History>(std::move(history)));
    expose(view);
    const auto most = [&](int width, int height) {
        view.resize(width, height);
        QTest::qWait(50);  // what is drawn once more after a resize
        const QCustomPlot& plot = view.plot();
        const QFontMetricsF metrics(plot.xAxis->tickLabelFont());
        const auto labels = plot.xAxis->tickVectorLabels();
        for (qsizetype i = 1; i < labels.size(); ++i) {
            const double away = plot.xAxis->coordToPixel(plot.xAxis->tickVector()[i]) -
                                plot.xAxis->coordToPixel(plot.xAxis->tickVector()[i - 1]);
            if (away < metrics.horizontalAdvance(labels[i])) return -1;
        }
        if (plot.legend->visible() && plot.legend->outerRect().right() > width) return -2;
        for (int i = 0; i < plot.plotLayout()->elementCount(); ++i) {
            const auto* grid = qobject_cast<QCPLayoutGrid*>(plot.plotLayout()->elementAt(i));
            if (grid != nullptr && grid->outerRect().right() > width) return -3;
        }
        return static_cast<int>(labels.size());
    };
    const int wide = most(900, 500), narrow = most(190, 160);
    QVERIFY2(narrow >= 2 && wide > narrow, qPrintable(QString("%1 %2").arg(wide).arg(narrow)));
    QCOMPARE(most(900, 500), wide);
}

void ChartSizesTest::titlesOfAxesAreShorterWhereThereIsLessRoom() {
    SpeedupView view;
    view.present(sharedHistory(3));
    expose(view);
    view.resize(320, 170);
    QVERIFY(waitUntil([&] { return view.plot().yAxis->label() == "Speedup"; }));
    view.resize(400, 500);
    QVERIFY(waitUntil([&] { return view.plot().yAxis->label() == "Speedup over the baseline"; }));
}

/// Ticks are chosen before the layout gives the axes their new lengths: one drawing more puts them right.
void ChartSizesTest::ticksAreThoseOfTheSizeAfterAResize() {
    SpeedupView view;
    view.present(sharedHistory(60));
    expose(view);
    const auto after = [&](int width) {
        view.resize(width, 300);
        QTest::qWait(50);
        const auto drawn = view.plot().xAxis->tickVectorLabels();
        view.plot().replot();
        return std::pair(drawn, view.plot().xAxis->tickVectorLabels());
    };
    for (const int width : {900, 200, 900}) {
        const auto [drawn, settled] = after(width);
        QCOMPARE(drawn, settled);
    }
}

namespace {

using MakeChart = std::function<std::unique_ptr<ChartView>()>;

/// Charts of a history with wide labels and a long legend.
std::vector<MakeChart> chartsToResize() {
    History history = exampleHistory(60);
    for (Round& each : history.rounds) {
        if (each.status != Status::ok) continue;
        each.cases.push_back(each.cases.front());
        each.cases.back().binding.name = "a case with a rather long name";
        each.cases.back().seconds *= 1000;
    }
    const auto shared = std::make_shared<const History>(std::move(history));
    BenchResult timing;
    for (int i = 0; i < 50; ++i) {
        timing.candidate_seconds.push_back(1e-3 + i * 1e-6);
        timing.baseline_seconds.push_back(1.01e-3 + i * 1e-6);
    }
    return {[shared] {
                auto view = std::make_unique<SpeedupView>();
                view->present(shared);
                return view;
            },
            [shared] {
                auto view = std::make_unique<RooflineView>();
                view->present(shared, "cpu", {}, 59);
                return view;
            },
            [shared] {
                auto view = std::make_unique<EfficiencyView>();
                view->present(shared, std::shared_ptr<const Round>(shared, &shared->rounds[59]));
                return view;
            },
            [timing] {
                auto view = std::make_unique<LatencyView>();
                view->present(timing, "host", 0);
                return view;
            }};
}

QImage afterSizes(ChartView& view, const QList<QSize>& sizes) {
    view.show();
    for (const QSize& each : sizes) {
        view.resize(each);
        QTest::qWait(15);  // what is drawn once more after a resize
    }
    return view.grab().toImage();
}

}  // namespace

void ChartSizesTest::aChartLooksTheSameWhateverSizesItHadBefore() {
    const QList<QSize> before{{1900, 500}, {220, 130}, {640, 200}};
    for (const MakeChart& make : chartsToResize()) {
        // In each of these a chart had other ticks than a new one.
        for (const QSize size : {QSize(480, 266), QSize(400, 222), QSize(380, 211), QSize(320, 177)}) {
            const auto fresh = make(), old = make();
            const QImage expected = afterSizes(*fresh, {size}), seen = afterSizes(*old, before + QList{size});
            QVERIFY2(seen == expected, qPrintable(QString("%1 %2").arg(fresh->title()).arg(size.width())));
        }
    }
}

void ChartSizesTest::namesOfCeilingsStayWithinTheAxes() {
    Ceilings ceilings;
    ceilings.all_threads = {{.bytes = 128 << 20, .copy_gbps = 44, .read_gbps = 30, .write_gbps = 20},
                            {.bytes = 512 << 20, .copy_gbps = 22, .read_gbps = 16, .write_gbps = 10}};
    ceilings.gflops_all_threads = {{DType::f32, 329}};
    RooflineView view;
    view.present(sharedHistory(6), "cpu", ceilings, 5);
    expose(view);
    int seen = 0;
    for (const QSize size : {QSize(480, 266), QSize(700, 420), QSize(640, 560)}) {
        view.resize(size);
        QTest::qWait(30);
        const QRectF area = view.plot().axisRect()->rect().adjusted(-2, -2, 2, 2);
        for (int i = 0; i < view.plot().itemCount(); ++i) {
            auto* text = qobject_cast<QCPItemText*>(view.plot().item(i));
            if (text == nullptr || !text->visible()) continue;
            ++seen;
            for (const QCPItemAnchor* corner : {text->topLeft, text->topRight, text->bottomLeft, text->bottomRight})
                QVERIFY2(area.contains(corner->pixelPosition()), qPrintable(text->text()));
        }
    }
    QVERIFY(seen >= 6);
}

}  // namespace kernelgen::studio

STUDIO_TEST(kernelgen::studio::ChartSizesTest)
#include "chart_sizes_test.moc"
