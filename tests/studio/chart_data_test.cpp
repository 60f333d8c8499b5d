// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>

#include "app/studio/charts/efficiency_data.h"
#include "app/studio/charts/error_data.h"
#include "app/studio/charts/latency_data.h"
#include "app/studio/charts/number_text.h"
#include "app/studio/charts/roofline_data.h"
#include "app/studio/charts/speedup_data.h"
#include "app/studio/charts/text_place.h"
#include "app/studio/charts/thinning.h"
#include "tests/studio/fixtures.h"
#include "tests/studio/registry.h"

namespace kernelgen::studio {

using testing::exampleHistory;
using testing::exampleRound;

class ChartDataTest : public QObject {
    Q_OBJECT

private slots:
    void speedupHasALineForEachCase();
    void speedupNeverJoinsRoundsOfAnotherEnvironment();
    void speedupJoinsRoundsOfOneDeviceAcrossThoseOfAnother();
    void speedupLeavesFailedRoundsOutOfLinesAndNamesThem();
    void speedupFollowsTheTargetWhereItChanges();
    void rooflineShowsTheRoundsOfOneDevice();
    void rooflineStepsJoinComparableRoundsOnly();
    void rooflineStepsAreOfTheLastRoundsOnly();
    void rooflineLeavesOutAnOperatorWithoutArithmetic();
    void roofsAreOneLineWhereCeilingsAreNear();
    void roofsAddTheCachesWhereCasesFitThem();
    void latencySharesAddUpToOneOnEachSide();
    void latencyQuantilesAreThoseOfTheSamples();
    void latencyOfEqualSamplesHasABin();
    void errorsCumulateFromTheExactOnes();
    void errorsOfAnExactResultHaveNoBins();
    void efficiencyIsAscendingInBytesForEachDtype();
    void efficiencyTakesTheNewestRoundOfEachOtherConfiguration();
    void efficiencyIsBandwidthWhereCeilingsAreUnknown();
    void thinnedLineKeepsExtremesAndNeighbours();
    void thinnedLineKeepsAllWhereThereAreFew();
    void thinnedCloudKeepsTheNewestOfACell();
    void aTextAlongALineBeginsBehindTheMarksThatItWouldTouch();
    void aTextWithoutRoomAlongALineHasNoPlace();
    void numbersAreWrittenForPeople();
};

namespace {

RoundCase caseOf(const std::string& name, DType dtype, double bytes, double fraction) {
    RoundCase timing = exampleRound(0).cases.front();
    timing.binding = {.name = name, .dtype = dtype, .sizes = {{"P", static_cast<std::int64_t>(bytes)}}};
    timing.seconds = bytes / (timing.roofline.bandwidth_gbps * 1e9);
    timing.roofline.fraction = fraction;
    return timing;
}

Round elsewhere(int number, const std::string& device, const std::string& environment) {
    Round round = exampleRound(number);
    round.device = device;
    round.environment = environment;
    return round;
}

std::vector<int> numbersOf(const SpeedupLine& line) {
    std::vector<int> numbers;
    for (const Timing& each : line.points) numbers.push_back(each.round->number);
    return numbers;
}

}  // namespace

void ChartDataTest::speedupHasALineForEachCase() {
    History history = exampleHistory(3);
    for (Round& round : history.rounds) round.cases.push_back(caseOf("other", DType::bf16, 1e6, 0.5));
    const SpeedupData data = speedupData(history);
    QCOMPARE(data.lines.size(), 2U);
    QCOMPARE(data.catalogue.cases[1].name, "other");
    QCOMPARE(numbersOf(data.lines[1]), (std::vector{0, 1, 2}));
}

void ChartDataTest::speedupNeverJoinsRoundsOfAnotherEnvironment() {
    History history = exampleHistory(5);
    for (int i = 3; i < 5; ++i) history.rounds[static_cast<std::size_t>(i)].environment = "fedcba";
    const SpeedupData data = speedupData(history);
    QCOMPARE(data.lines.size(), 2U);
    QCOMPARE(numbersOf(data.lines[0]), (std::vector{0, 1, 2}));
    QCOMPARE(numbersOf(data.lines[1]), (std::vector{3, 4}));
    QVERIFY(data.lines[0].group != data.lines[1].group);
}

void ChartDataTest::speedupJoinsRoundsOfOneDeviceAcrossThoseOfAnother() {
    History history;
    for (int i = 0; i < 4; ++i) history.rounds.push_back(elsewhere(i, i % 2 == 0 ? "cpu" : "cuda:0", "e"));
    const SpeedupData data = speedupData(history);
    QCOMPARE(data.lines.size(), 2U);
    QCOMPARE(numbersOf(data.lines[0]), (std::vector{0, 2}));
    QCOMPARE(numbersOf(data.lines[1]), (std::vector{1, 3}));
}

void ChartDataTest::speedupLeavesFailedRoundsOutOfLinesAndNamesThem() {
    const History history = exampleHistory(10);
    const SpeedupData data = speedupData(history);
    QCOMPARE(data.failed.size(), 1U);
    QCOMPARE(data.failed[0]->number, 7);
    QCOMPARE(data.lines[0].points.size(), 9U);
}

void ChartDataTest::speedupFollowsTheTargetWhereItChanges() {
    History history = exampleHistory(4);
    for (int i = 2; i < 4; ++i) history.rounds[static_cast<std::size_t>(i)].target_speedup = 1.5;
    const SpeedupData data = speedupData(history);
    QCOMPARE(data.targets.size(), 2U);
    QCOMPARE(data.targets[1].round, 2);
    QCOMPARE(data.targets[1].speedup, 1.5);
}

void ChartDataTest::rooflineShowsTheRoundsOfOneDevice() {
    History history = exampleHistory(3);
    history.rounds.push_back(elsewhere(3, "cuda:0", "e"));
    const RooflineData data = rooflineData(history, "cpu", {});
    QCOMPARE(data.points.size(), 3U);
    QCOMPARE(data.elsewhere, 1);
}

void ChartDataTest::rooflineStepsJoinComparableRoundsOnly() {
    History history = exampleHistory(4);
    for (int i = 2; i < 4; ++i) history.rounds[static_cast<std::size_t>(i)].baseline = "another";
    const RooflineData data = rooflineData(history, "cpu", {});
    const std::vector<RooflineStep> steps = stepsUpTo(data, 3, 50);
    QCOMPARE(steps.size(), 2U);
    QCOMPARE(steps[0].to, 1U);
    QCOMPARE(steps[1].from, 2U);
}

void ChartDataTest::rooflineStepsAreOfTheLastRoundsOnly() {
    const History history = exampleHistory(100);
    const RooflineData data = rooflineData(history, "cpu", {});
    const std::vector<RooflineStep> steps = stepsUpTo(data, 50, 10);
    QCOMPARE(steps.size(), 9U);
    QCOMPARE(data.points[steps.back().to].round->number, 50);
}

void ChartDataTest::rooflineLeavesOutAnOperatorWithoutArithmetic() {
    History history = exampleHistory(2);
    for (Round& round : history.rounds) round.cases[0].roofline.gflops = round.cases[0].roofline.intensity = 0;
    const RooflineData data = rooflineData(history, "cpu", {});
    QVERIFY(data.points.empty());
    QVERIFY(data.no_flops);
}

void ChartDataTest::roofsAreOneLineWhereCeilingsAreNear() {
    Ceilings ceilings;
    ceilings.all_threads = {{.bytes = 1e9, .copy_gbps = 100, .read_gbps = 105, .write_gbps = 60}};
    ceilings.gflops_all_threads = {{DType::f64, 200}, {DType::f32, 400}};
    const std::vector<Roof> roofs = roofsOf(ceilings, {1e9});
    QCOMPARE(roofs.size(), 4U);
    QCOMPARE(roofs[0].kind, Roof::Kind::copy);
    QCOMPARE(roofs[1].kind, Roof::Kind::write);
    QVERIFY(roofsOf({}, {1e9}).empty());
}

void ChartDataTest::roofsAddTheCachesWhereCasesFitThem() {
    Ceilings ceilings;
    ceilings.all_threads = {{.bytes = 1e6, .copy_gbps = 500}, {.bytes = 1e9, .copy_gbps = 100}};
    QCOMPARE(roofsOf(ceilings, {2e9}).size(), 1U);
    const std::vector<Roof> roofs = roofsOf(ceilings, {2e6});
    QCOMPARE(roofs.size(), 2U);
    QCOMPARE(roofs[1].value, 500);
}

void ChartDataTest::latencySharesAddUpToOneOnEachSide() {
    BenchResult timing;
    for (int i = 1; i <= 50; ++i) timing.candidate_seconds.push_back(i * 1e-6);
    for (int i = 1; i <= 30; ++i) timing.baseline_seconds.push_back(i * 1e-5);
    const LatencyData data = latencyData(timing);
    QVERIFY(std::ranges::is_sorted(data.edges));
    for (const LatencySide* side : {&data.candidate, &data.baseline}) {
        double sum = 0;
        for (const double share : side->shares) sum += share;
        QVERIFY(std::abs(sum - 1) < 1e-9);
    }
    QCOMPARE(data.candidate.samples, 50);
}

void ChartDataTest::latencyQuantilesAreThoseOfTheSamples() {
    BenchResult timing;
    for (int i = 100; i >= 0; --i) timing.candidate_seconds.push_back(1 + i * 0.01);
    const LatencyData data = latencyData(timing);
    QCOMPARE(data.candidate.p50, 1.5);
    QCOMPARE(data.candidate.p90, 1.9);
    QCOMPARE(data.baseline.samples, 0);
}

void ChartDataTest::latencyOfEqualSamplesHasABin() {
    BenchResult timing;
    timing.candidate_seconds.assign(20, 1e-3);
    const LatencyData data = latencyData(timing);
    QVERIFY(data.edges.front() < 1e-3 && data.edges.back() > 1e-3);
    QVERIFY(std::abs(*std::ranges::max_element(data.candidate.shares) - 1) < 1e-9);
    QVERIFY(latencyData({}).edges.empty());
}

void ChartDataTest::errorsCumulateFromTheExactOnes() {
    ErrorMetrics metrics;
    metrics.exact = 50;
    metrics.first_exponent = -8;
    metrics.histogram = {0, 0, 0, 0, 30, 0, 20, 0};
    const ErrorData data = errorData(metrics);
    QCOMPARE(data.exact_share, 0.5);
    QCOMPARE(data.bins.size(), 3U);
    QVERIFY(std::abs(data.bins[0].from - 1e-7) < 1e-15);
    QCOMPARE(data.bins[0].cumulative, 0.8);
    QCOMPARE(data.bins[2].cumulative, 1.0);
}

void ChartDataTest::errorsOfAnExactResultHaveNoBins() {
    ErrorMetrics metrics;
    metrics.exact = 50;
    const ErrorData data = errorData(metrics);
    QVERIFY(data.bins.empty());
    QCOMPARE(data.exact_share, 1.0);
}

void ChartDataTest::efficiencyIsAscendingInBytesForEachDtype() {
    Round reference = exampleRound(0);
    reference.cases = {caseOf("big", DType::f32, 1e8, 0.9), caseOf("small", DType::f32, 1e5, 0.4),
                       caseOf("half", DType::f16, 1e6, 0.7)};
    const EfficiencyData data = efficiencyData({}, reference);
    QCOMPARE(data.reference.size(), 2U);
    const auto& singles = data.reference.at(DType::f32);
    QCOMPARE(singles[0].value, 0.4);
    QVERIFY(std::abs(singles[1].bytes - 1e8) < 1);
    QCOMPARE(data.best->value, 0.9);
}

void ChartDataTest::efficiencyTakesTheNewestRoundOfEachOtherConfiguration() {
    History history = exampleHistory(4);
    for (int i = 0; i < 4; ++i) history.rounds[static_cast<std::size_t>(i)].configuration = {{"BLOCK_M", i / 2}};
    history.rounds.push_back(elsewhere(4, "cuda:0", "e"));
    const EfficiencyData data = efficiencyData(history, history.rounds[3]);
    QCOMPARE(data.configurations, 1);
    QCOMPARE(data.others.size(), 1U);
    QCOMPARE(data.others[0].timing.round->number, 1);
}

void ChartDataTest::efficiencyIsBandwidthWhereCeilingsAreUnknown() {
    Round reference = exampleRound(0);
    reference.cases[0].roofline.has_ceilings = false;
    const EfficiencyData data = efficiencyData({}, reference);
    QVERIFY(!data.is_fraction);
    QCOMPARE(data.best->value, reference.cases[0].roofline.bandwidth_gbps);
}

void ChartDataTest::thinnedLineKeepsExtremesAndNeighbours() {
    std::vector<PlotPoint> points;
    for (int i = 0; i < 10000; ++i)
        points.push_back({static_cast<double>(i), i == 5000 ? 9.0 : (i == 5001 ? -9.0 : 1.0)});
    const auto kept = thinnedLine(points, 1000.5, 8999.5, 400);
    QVERIFY(kept.size() <= 400);
    QVERIFY(std::ranges::is_sorted(kept));
    QVERIFY(std::ranges::contains(kept, 5000U));
    QVERIFY(std::ranges::contains(kept, 5001U));
    QVERIFY(kept.front() >= 1000U && kept.back() <= 9000U);
}

void ChartDataTest::thinnedLineKeepsAllWhereThereAreFew() {
    const std::vector<PlotPoint> points = {{0, 1}, {1, 1}, {2, 1}, {3, 1}, {4, 1}};
    QCOMPARE(thinnedLine(points, 1.5, 2.5, 100), (std::vector<std::size_t>{1, 2, 3}));
    QVERIFY(thinnedLine({}, 0, 1, 100).empty());
}

void ChartDataTest::thinnedCloudKeepsTheNewestOfACell() {
    const std::vector<PlotPoint> points = {{0.1, 0.1}, {0.11, 0.11}, {0.9, 0.9}, {5, 5}};
    const CloudView view{.low = {0, 0}, .high = {1, 1}, .columns = 4, .rows = 4};
    QCOMPARE(thinnedCloud(points, view, 2), (std::vector<std::size_t>{1, 2}));
    QCOMPARE(thinnedCloud(points, view, 4).size(), 4U);
}

void ChartDataTest::aTextAlongALineBeginsBehindTheMarksThatItWouldTouch() {
    const QLineF line(0, 0, 300, 0);
    const QSizeF text(100, 20);
    const QPointF above(50, -10), below(50, 10);
    QCOMPARE(placeAlong(line, text, true, {}), 0.0);
    QCOMPARE(placeAlong(line, text, true, {below + QPointF(0, 10)}), 0.0);
    const std::optional<double> place = placeAlong(line, text, true, {above});
    QVERIFY(place && *place > 50);
    QCOMPARE(placeAlong(line, text, false, {below}), place);
}

void ChartDataTest::aTextWithoutRoomAlongALineHasNoPlace() {
    const QLineF steep(0, 300, 60, 220);
    QCOMPARE(steep.length(), 100.0);
    QVERIFY(placeAlong(steep, {100, 20}, true, {}));
    QVERIFY(!placeAlong(steep, {101, 20}, true, {}));
    QVERIFY(!placeAlong(steep, {60, 20}, true, {steep.pointAt(0.5)}));
}

void ChartDataTest::numbersAreWrittenForPeople() {
    QCOMPARE(secondsText(1.234e-3), "1.23\u202fms");
    QCOMPARE(secondsText(45.6e-6), "45.6\u202fµs");
    QCOMPARE(ratioText(1.2345), "1.23×");
    QCOMPARE(ratioText(0.0523), "0.052×");
    QCOMPARE(bandwidthText(118.135), "118\u202fGB/s");
    QCOMPARE(flopsText(1234.5), "1.23\u202fTFLOP/s");
    QCOMPARE(bytesText(16.0 * 1024 * 1024), "16.0\u202fMiB");
    QCOMPARE(percentText(0.0724), "7.24\u202f%");
}

}  // namespace kernelgen::studio

STUDIO_TEST(kernelgen::studio::ChartDataTest)
#include "chart_data_test.moc"
