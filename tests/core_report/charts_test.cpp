// SPDX-License-Identifier: Apache-2.0
#include "core/report/charts.h"

#include <gmock/gmock.h>

#include "core/report/plot.h"
#include "tests/core_report/sample_project.h"

namespace kernelgen {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const Phrases say(Tongue::english);

History history_of(std::vector<RoundDetail> details) {
    History history;
    for (std::size_t i = 0; i < details.size(); ++i) {
        details[i].round.number = static_cast<int>(i);
        history.rounds.push_back(details[i].round);
    }
    return history;
}

std::size_t count_of(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
}

TEST(PlotAxis, MarksRoundValues) {
    EXPECT_THAT((PlotAxis{.from = 0, .to = 3}.marks()), ElementsAre(0, 0.5, 1, 1.5, 2, 2.5, 3));
    EXPECT_THAT((PlotAxis{.from = 0.5, .to = 3.5, .whole = true}.marks()), ElementsAre(1, 2, 3));
    EXPECT_THAT((PlotAxis{.from = 1e-3, .to = 10, .logarithmic = true}.marks()), ElementsAre(1e-3, 1e-2, 1e-1, 1, 10));
}

TEST(PlotAxis, PlacesValuesByTheirLogarithm) {
    EXPECT_DOUBLE_EQ((PlotAxis{.from = 1, .to = 100, .logarithmic = true}.share(10)), 0.5);
    EXPECT_DOUBLE_EQ((PlotAxis{.from = 1, .to = 3}.share(2)), 0.5);
}

TEST(SpeedupChart, HasAPointWithItsIntervalForEachTimedCase) {
    const auto chart =
        speedup_chart(history_of({sample_round(64, 0.8), sample_round(16, 1.2), failed_round()}), "cpu", say);
    ASSERT_TRUE(chart);
    EXPECT_THAT(chart->svg, HasSubstr("Round 1: 1.200 [1.190, 1.210]"));
    EXPECT_EQ(count_of(chart->svg, "<circle class=\"series-0"), 3u);  // two rounds, and the legend
    EXPECT_EQ(count_of(chart->svg, "class=\"failed\""), 1u);
}

TEST(SpeedupChart, JoinsOnlyRoundsThatMayBeCompared) {
    RoundDetail other = sample_round(16, 1.2);
    other.round.environment = "elsewhere";
    const auto lines = [](const RoundDetail& second) {
        return count_of(speedup_chart(history_of({sample_round(64, 0.8), second}), "cpu", say)->svg,
                        "<line class=\"series-0\"");
    };
    EXPECT_EQ(lines(sample_round(16, 1.2)), 3u);  // two intervals and what joins the rounds
    EXPECT_EQ(lines(other), 2u);
}

TEST(SpeedupChart, IsThereOnlyWhereSomethingWasTimed) {
    EXPECT_FALSE(speedup_chart(history_of({failed_round()}), "cpu", say));
    EXPECT_FALSE(speedup_chart(history_of({sample_round(64, 1)}), "cuda:0", say));
}

TEST(RooflineChart, HasArrowsFromRoundToRound) {
    RoundDetail faster = sample_round(16, 1.2);
    for (RoundCase& each : faster.round.cases) each.roofline.gflops *= 2;
    const auto chart = roofline_chart(history_of({sample_round(64, 0.8), faster}), "cpu", sample_ceilings(), say);
    ASSERT_TRUE(chart);
    EXPECT_EQ(count_of(chart->svg, "<polygon class=\"series-0 filled\""), 1u);
    EXPECT_THAT(chart->svg, HasSubstr("copy 50.0 GB/s"));
}

TEST(RooflineChart, NeedsCeilings) { EXPECT_FALSE(roofline_chart(history_of({sample_round(64, 1)}), "cpu", {}, say)); }

TEST(ErrorChart, HasABarForEachBinAndTheShareBelow) {
    const auto chart = error_chart(sample_accuracy(sample_case(64)), say);
    ASSERT_TRUE(chart);
    EXPECT_EQ(count_of(chart->svg, "<rect "), 3u);
    EXPECT_THAT(chart->svg, HasSubstr("<title>300 of 1,000</title>"));
    EXPECT_EQ(count_of(chart->svg, "<polyline class=\"series-1\""), 1u);
}

TEST(ErrorChart, IsMissingWhereAllIsExact) {
    CaseAccuracy exact = sample_accuracy(sample_case(64));
    exact.metrics.histogram.assign(60, 0);
    EXPECT_FALSE(error_chart(exact, say));
}

TEST(Charts, EscapeNames) {
    RoundDetail round = sample_round(64, 1);
    for (RoundCase& each : round.round.cases) each.binding.name = "<b>\"";
    EXPECT_THAT(speedup_chart(history_of({round}), "cpu", say)->svg, Not(HasSubstr("<b>")));
}

}  // namespace
}  // namespace kernelgen
