// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include "app/studio/charts/comparison_view.h"
#include "app/studio/charts/number_text.h"
#include "app/studio/comparison/comparison_panel.h"
#include "tests/studio/fixtures.h"
#include "tests/studio/registry.h"

namespace kernelgen::studio {

using testing::Studio;
using testing::waitUntil;

namespace {

ComparedVariant timed(const std::string& name, double speedup) {
    ComparedVariant variant;
    variant.variant = name;
    RoundCase& only = variant.cases.emplace_back();
    only.binding = {.name = "small", .dtype = DType::f32, .sizes = {}};
    only.speedup = speedup;
    only.speedup_lower = speedup * 0.98;
    only.speedup_upper = speedup * 1.02;
    only.seconds = 1e-3 / speedup;
    only.baseline_seconds = 1e-3;
    only.roofline.bandwidth_gbps = 100 * speedup;
    return variant;
}

/// The baseline, a faster variant, and one that is not right.
Comparison example() {
    Comparison comparison;
    comparison.time = "2026-01-02T03:04:05Z";
    comparison.device = "cpu";
    comparison.baseline = "naive";
    comparison.environment.hardware = "a processor";
    comparison.cases = {{.name = "small", .dtype = DType::f32, .sizes = {}}};
    comparison.variants = {timed("naive", 1), {}, timed("host", 2.5)};
    comparison.variants[1].variant = "wrong";
    comparison.variants[1].status = Status::mismatch;
    comparison.variants[1].reason = "3 of 9 elements differ";
    return comparison;
}

QString cell(const ComparisonModel& model, int row, int column) { return model.index(row, column).data().toString(); }

}  // namespace

class ComparisonTest : public QObject {
    Q_OBJECT

private slots:
    void theModelKeepsTheRulesOfModels();
    void theFastestStandsFirstAndWhatFailedLastWithItsReason();
    void theChartHasABarForWhatWasTimedAndAWordForWhatWasNot();
    void inALowChartNoLabelIsOnAnother();
    void inANarrowChartALabelLosesItsLastNumbers();
    void aNoisyVariantLooksOtherThanASureOne();
    void aNoisyBaselineLooksNoisyThoughItsIntervalMayHoldOne();
    void theProjectsLastComparisonIsShownWhenItIsOpened();
    void aLongNameIsWholeAndTheStatusIsSeenAtOnce();
    void withoutOneThePanelSaysHowToMakeIt();
    void aDeviceThatOnlyBuildsSaysWhyNothingIsCompared();
    void whileOneIsMadeThePanelSaysSo();
    void comparingRunsEveryVariantAndKeepsTheResult();
    void aStoppedComparisonDoesNotReplaceAWholeOne();
};

void ComparisonTest::theModelKeepsTheRulesOfModels() {
    ComparisonModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setComparison(std::make_shared<const Comparison>(example()));
    QCOMPARE(model.rowCount(), 3);
    model.setComparison(nullptr);
    QCOMPARE(model.rowCount(), 0);
}

void ComparisonTest::theFastestStandsFirstAndWhatFailedLastWithItsReason() {
    ComparisonModel model;
    model.setComparison(std::make_shared<const Comparison>(example()));
    QCOMPARE(cell(model, 0, ComparisonModel::Variant), "host");
    QCOMPARE(cell(model, 0, ComparisonModel::Median), secondsText(4e-4));
    QCOMPARE(cell(model, 0, ComparisonModel::Speedup), "2.50×");
    QCOMPARE(cell(model, 1, ComparisonModel::Variant), "naive (baseline)");
    QCOMPARE(cell(model, 2, ComparisonModel::State), "mismatch. 3 of 9 elements differ");
    QCOMPARE(cell(model, 2, ComparisonModel::Median), QString());
}

void ComparisonTest::theChartHasABarForWhatWasTimedAndAWordForWhatWasNot() {
    ComparisonView view;
    view.resize(600, 300);
    view.present(comparedCases(example(), 0), "naive", "caption", 0);
    QCOMPARE(view.marks().size(), 3u);
    int bars = 0;
    for (int i = 0; i < view.plot().plottableCount(); ++i) {
        bars += qobject_cast<QCPBars*>(view.plot().plottable(i)) != nullptr ? 1 : 0;
    }
    QCOMPARE(bars, 2);
    QVERIFY(view.marks()[2].text.contains("3 of 9 elements differ"));
    view.present({}, "naive", {}, 0);
    QVERIFY(view.isEmpty());
}

void ComparisonTest::inALowChartNoLabelIsOnAnother() {
    Comparison comparison = example();
    for (int i = 0; i < 9; ++i) comparison.variants.push_back(timed("variant_" + std::to_string(i), 1.1 + 0.1 * i));
    ComparisonView view;
    view.present(comparedCases(comparison, 0), "naive", "caption", 0);
    testing::expose(view);
    QList<int> counts;
    for (const QSize size : {QSize(700, 500), QSize(420, 130), QSize(700, 500)}) {
        view.resize(size);
        QTest::qWait(50);
        QList<QRectF> labels;
        for (int i = 0; i < view.plot().itemCount(); ++i) {
            auto* text = qobject_cast<QCPItemText*>(view.plot().item(i));
            if (text == nullptr || !text->visible()) continue;
            labels << QRectF(text->topLeft->pixelPosition(), text->bottomRight->pixelPosition());
        }
        for (qsizetype i = 0; i < labels.size(); ++i) {
            for (qsizetype k = 0; k < i; ++k) QVERIFY(!labels[i].adjusted(0, 1, 0, -1).intersects(labels[k]));
        }
        const QVector<QString> names = view.plot().yAxis->tickVectorLabels();
        QCOMPARE(std::ranges::count_if(names, [](const QString& each) { return !each.isEmpty(); }), labels.size());
        counts << static_cast<int>(labels.size());
    }
    QVERIFY(counts[1] >= 2 && counts[1] < counts[0]);
    QCOMPARE(counts[2], counts[0]);
}

void ComparisonTest::inANarrowChartALabelLosesItsLastNumbers() {
    ComparisonView view;
    view.present(comparedCases(example(), 0), "naive", "caption", 0);
    testing::expose(view);
    const auto first = [&](int width) {
        view.resize(width, 300);
        QTest::qWait(50);
        for (int i = 0; i < view.plot().itemCount(); ++i) {
            auto* text = qobject_cast<QCPItemText*>(view.plot().item(i));
            if (text == nullptr) continue;
            return text->bottomRight->pixelPosition().x() <= view.plot().axisRect()->right() + 1 ? text->text() : "cut";
        }
        return QString();
    };
    const QString whole = first(800), cut = first(240);
    QVERIFY2(whole.contains(" · ") && cut.size() < whole.size() && whole.startsWith(cut), qPrintable(cut));
    QCOMPARE(first(800), whole);
}

void ComparisonTest::aNoisyVariantLooksOtherThanASureOne() {
    Comparison comparison = example();
    ComparisonModel model;
    const auto look = [&] {
        model.setComparison(std::make_shared<const Comparison>(comparison));
        return cell(model, 0, ComparisonModel::Speedup) + " " + cell(model, 0, ComparisonModel::State);
    };
    const auto brushes = [&] {
        ComparisonView view;
        view.present(comparedCases(comparison, 0), "naive", "caption", 0);
        QList<Qt::BrushStyle> styles;
        for (int i = 0; i < view.plot().plottableCount(); ++i) {
            const auto* bar = qobject_cast<QCPBars*>(view.plot().plottable(i));
            if (bar != nullptr) styles << bar->brush().style();
        }
        return styles;
    };
    QCOMPARE(look(), "2.50× ok");
    QCOMPARE(brushes(), (QList{Qt::SolidPattern, Qt::SolidPattern}));
    for (ComparedVariant& each : comparison.variants) {
        if (each.variant == "host") each.cases[0].rsd = 0.08;
    }
    QCOMPARE(look(), "≈ 2.50× ok, noisy");
    for (const int column : {ComparisonModel::Median, ComparisonModel::Bandwidth}) {
        QVERIFY(cell(model, 0, column).startsWith("≈ "));
        QVERIFY(model.index(0, column).data(Qt::FontRole).value<QFont>().italic());
    }
    QCOMPARE(brushes(), (QList{Qt::BDiagPattern, Qt::SolidPattern}));
}

void ComparisonTest::aNoisyBaselineLooksNoisyThoughItsIntervalMayHoldOne() {
    Comparison comparison = example();
    ComparisonModel model;
    const auto baseline = [&](int column) {
        model.setComparison(std::make_shared<const Comparison>(comparison));
        return cell(model, 1, column);
    };
    QVERIFY(!baseline(ComparisonModel::Speedup).startsWith("≈"));
    for (ComparedVariant& each : comparison.variants) {
        if (each.variant == comparison.baseline) each.cases[0].baseline_rsd = 0.3;
    }
    QVERIFY(baseline(ComparisonModel::Speedup).startsWith("≈"));
    QVERIFY(baseline(ComparisonModel::State).contains("noisy"));
}

void ComparisonTest::theProjectsLastComparisonIsShownWhenItIsOpened() {
    Studio studio;
    QVERIFY(save_comparison(studio.folder().toStdString(), example()));
    studio.open();
    ComparisonPanel panel(studio.session());
    auto* table = panel.findChild<QTableView*>("comparison_table");
    QVERIFY(waitUntil([&] { return table->model()->rowCount() == 3; }));
    QVERIFY(panel.findChild<QLabel*>("comparison_head")->text().startsWith("cpu (a processor), all against naive"));
    studio.session().document().close();
    QCOMPARE(table->model()->rowCount(), 0);
}

void ComparisonTest::aLongNameIsWholeAndTheStatusIsSeenAtOnce() {
    Studio studio;
    Comparison comparison = example();
    comparison.variants[2].variant = "generated_for_the_host_2";
    comparison.variants[1].reason = std::string(200, 'x');
    QVERIFY(save_comparison(studio.folder().toStdString(), comparison));
    studio.open();
    ComparisonPanel panel(studio.session());
    panel.resize(600, 200);
    panel.show();
    auto* table = panel.findChild<QTableView*>("comparison_table");
    QVERIFY(waitUntil([&] { return table->model()->rowCount() == 3; }));
    const int cell = table->columnWidth(ComparisonModel::Variant);
    table->resizeColumnToContents(ComparisonModel::Variant);
    QCOMPARE(cell, table->columnWidth(ComparisonModel::Variant));
    const QRect state = table->visualRect(table->model()->index(2, ComparisonModel::State));
    QVERIFY2(table->viewport()->rect().contains(state), "a long reason is cut before it pushes itself out of sight");
}

void ComparisonTest::withoutOneThePanelSaysHowToMakeIt() {
    Studio studio;
    studio.open();
    ComparisonPanel panel(studio.session());
    QVERIFY(panel.findChild<QLabel*>("comparison_empty")->text().contains("F6"));
}

void ComparisonTest::aDeviceThatOnlyBuildsSaysWhyNothingIsCompared() {
    Studio studio;
    studio.open();
    ComparisonPanel panel(studio.session());
    QVERIFY(waitUntil([&] { return studio.session().engine().device("cuda:h200") != nullptr; }));
    studio.session().setDevice("cuda:h200");
    const auto* empty = panel.findChild<QLabel*>("comparison_empty");
    QVERIFY2(empty->text().contains("is a device model"), qPrintable(empty->text()));
    QVERIFY(!empty->text().contains("F6"));
}

void ComparisonTest::whileOneIsMadeThePanelSaysSo() {
    Studio studio;
    studio.open();
    ComparisonPanel panel(studio.session());
    const auto* empty = panel.findChild<QLabel*>("comparison_empty");
    studio.session().compare();
    QVERIFY(studio.session().engine().isComparing());
    QVERIFY2(empty->text().contains("being verified"), qPrintable(empty->text()));
    studio.session().engine().stop();
    QVERIFY(waitUntil([&] { return !studio.session().engine().isRunning(); }, 60000));
    QVERIFY(!studio.session().engine().isComparing());
}

void ComparisonTest::comparingRunsEveryVariantAndKeepsTheResult() {
    Studio studio;
    studio.open();
    Session& session = studio.session();
    session.document().edit("two variants", [](Project& project) {
        std::erase_if(project.variants,
                      [](const Variant& each) { return each.name != "host" && each.name != "naive"; });
    });
    QSignalSpy so_far(&session.engine(), &Engine::compared);
    session.compare();
    QVERIFY(session.engine().isRunning());
    QVERIFY(waitUntil([&] { return !session.engine().isRunning(); }, 300000));
    QCOMPARE(so_far.size(), 3);  // each variant once it was verified, and all once they were timed
    const auto comparison = session.comparisons().of("cpu");
    QVERIFY(comparison);
    QCOMPARE(comparison->variants.size(), 2u);
    QCOMPARE(comparison->variants[0].status, Status::ok);
    QCOMPARE(load_comparisons(studio.folder().toStdString()).size(), 1u);
}

void ComparisonTest::aStoppedComparisonDoesNotReplaceAWholeOne() {
    Studio studio;
    QVERIFY(save_comparison(studio.folder().toStdString(), example()));
    studio.open();
    Session& session = studio.session();
    session.compare();
    session.engine().stopAndWait();
    QVERIFY(!session.engine().isRunning());
    QCOMPARE(load_comparisons(studio.folder().toStdString())[0].time, "2026-01-02T03:04:05Z");
}

}  // namespace kernelgen::studio

STUDIO_TEST(kernelgen::studio::ComparisonTest)
#include "comparison_test.moc"
