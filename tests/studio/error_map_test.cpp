// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>

#include "app/studio/charts/causes_view.h"
#include "app/studio/charts/error_map_page.h"
#include "app/studio/charts/error_map_view.h"
#include "tests/studio/fixtures.h"
#include "tests/studio/registry.h"

namespace kernelgen::studio {

using testing::expose;
using testing::Studio;

namespace {

/// The map of an output of 40 × 30, in bins of one row and one column; its last two columns are wrong.
ErrorMap exampleMap() {
    ErrorMap map{.output = "out", .extents = {40, 30}, .grid = {40, 30}, .wrong = {}, .worst = {}, .kept = {}};
    map.tile_rows = 8;
    map.tile_columns = 14;
    for (std::int64_t i = 0; i < map.grid.elements(); ++i) {
        const bool is_wrong = map.grid.column_of(i) >= 28;
        map.wrong.push_back(is_wrong);
        map.worst.push_back(is_wrong ? 0.5 : 0);
    }
    map.kept = {{.row = 3, .column = 28, .expected = 1.25, .actual = 0.75}};
    return map;
}

std::shared_ptr<const RoundDetail> failedRound() {
    auto detail = std::make_shared<RoundDetail>();
    Explanation& explanation = detail->explanation.emplace();
    explanation.binding.name = "40x30 f32";
    explanation.smallest = "P=1, D=15";
    explanation.maps = {exampleMap()};
    explanation.causes = {{.kind = CauseKind::tail_columns,
                           .confidence = 0.9,
                           .text = "the tail of the rows of `out` is left out or not masked: columns 28 to 29 of 30",
                           .evidence = {"every element elsewhere is right"},
                           .advice = "look at the branch or the comparison on that input",
                           .places = {{.file = "bias_add.cpp", .line = 12, .text = "for (;;)"}}}};
    return detail;
}

}  // namespace

class ErrorMapTest : public QObject {
    Q_OBJECT

private slots:
    void everyBinHasAMarkThatTellsWhatIsThere();
    void aRightRoundSaysWhatTheMapIsFor();
    void aFailedRoundShowsItsMapAndItsCauses();
    void aLineOfTheSourceIsALink();
    void aKernelThatLeftNoOutputHasNoMap();
};

void ErrorMapTest::everyBinHasAMarkThatTellsWhatIsThere() {
    ErrorMapView view;
    view.resize(500, 400);
    view.present(exampleMap(), "40x30 f32, inputs normal");
    expose(view);
    QCOMPARE(view.marks().size(), std::size_t{40 * 30});
    const auto tip = [&](std::size_t mark) {
        QTest::mouseMove(&view.plot(), QPoint(1, 1));
        QTest::mouseMove(&view.plot(), view.marks()[mark].pixel().toPoint());
        return QToolTip::text();
    };
    QVERIFY2(tip(0).contains("row 0, column 0: right"), qPrintable(tip(0)));
    const QString wrong = tip(3 * 30 + 28);
    QVERIFY2(wrong.contains("1 of 1 elements wrong; largest error 0.5"), qPrintable(wrong));
    QVERIFY2(wrong.contains("[3, 28]: expected 1.25, actual 0.75"), qPrintable(wrong));
    ErrorMap unwritten = exampleMap();
    for (KeptElement& each : unwritten.kept) each.is_unwritten = true;
    unwritten.worst.assign(unwritten.worst.size(), 0);
    unwritten.unwritten = unwritten.wrong_elements();
    view.present(unwritten, "40x30 f32, inputs normal");
    const QString empty = tip(3 * 30 + 28);
    QVERIFY2(empty.contains("[3, 28]: expected 1.25, not written"), qPrintable(empty));
    QVERIFY2(empty.contains("1 of 1 elements not written") && !empty.contains("error"), qPrintable(empty));
}

void ErrorMapTest::aRightRoundSaysWhatTheMapIsFor() {
    Studio studio("");
    ErrorMapPage page(studio.settings());
    page.present(std::make_shared<RoundDetail>());
    QVERIFY(page.map()->isEmpty());
    QVERIFY(page.map()->message().contains("likely causes"));
    QVERIFY(page.findChild<CausesView*>()->isHidden());
}

void ErrorMapTest::aFailedRoundShowsItsMapAndItsCauses() {
    Studio studio("");
    ErrorMapPage page(studio.settings());
    page.present(failedRound());
    QVERIFY(!page.map()->isEmpty());
    const QString text = page.findChild<CausesView*>()->toPlainText();
    QVERIFY2(text.contains("columns 28 to 29 of 30"), qPrintable(text));
    QVERIFY2(text.contains("90 %"), qPrintable(text));
    QVERIFY2(text.contains("bias_add.cpp:12"), qPrintable(text));
    QVERIFY2(text.contains("Smallest failing: P=1, D=15"), qPrintable(text));
}

void ErrorMapTest::aLineOfTheSourceIsALink() {
    Studio studio("");
    ErrorMapPage page(studio.settings());
    page.present(failedRound());
    QSignalSpy went(&page, &ErrorMapPage::goToSource);
    auto* causes = page.findChild<CausesView*>();
    emit causes->anchorClicked(QUrl("cause:0:0"));
    emit causes->anchorClicked(QUrl("cause:7:0"));
    QCOMPARE(went.size(), 1);
    QCOMPARE(went[0][0].toString(), QString("bias_add.cpp"));
    QCOMPARE(went[0][1].toInt(), 12);
}

void ErrorMapTest::aKernelThatLeftNoOutputHasNoMap() {
    Studio studio("");
    ErrorMapPage page(studio.settings());
    auto detail = std::make_shared<RoundDetail>(*failedRound());
    detail->explanation->maps.clear();
    detail->explanation->status = Status::crashed;
    page.present(detail);
    QVERIFY(page.map()->message().contains("nothing to map"));
    auto by_chance = std::make_shared<RoundDetail>(*detail);
    by_chance->explanation->status = Status::nondeterministic;
    page.present(by_chance);
    QVERIFY(page.map()->message().contains("differ from run to run"));
    QVERIFY(!page.findChild<CausesView*>()->isHidden());
}

}  // namespace kernelgen::studio

STUDIO_TEST(kernelgen::studio::ErrorMapTest)
#include "error_map_test.moc"
