// SPDX-License-Identifier: Apache-2.0
#include "core/report/phrases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "core/report/markdown.h"

namespace kernelgen {
namespace {

/// How many values a text takes; numbered places count once each.
long places(std::string_view text) { return std::ranges::count(text, '{'); }

TEST(Phrases, TakeTheSameValuesInBothTongues) {
    for (int key = 0; key <= static_cast<int>(Text::by_primitive); ++key) {
        const std::string_view english = text(static_cast<Text>(key), Tongue::english);
        const std::string_view chinese = text(static_cast<Text>(key), Tongue::chinese);
        EXPECT_FALSE(english.empty() || chinese.empty()) << key;
        EXPECT_EQ(places(english), places(chinese)) << english;
    }
}

TEST(Phrases, HaveEveryMetricInBothTongues) {
    const Phrases chinese(Tongue::chinese);
    for (const Metric& each : all_metrics) {
        EXPECT_EQ(Phrases(Tongue::english)(each), each.title);
        for (const std::string_view english : {each.title, each.meaning}) {
            EXPECT_NE(chinese.of_engine(english), english) << "give it a line in core/said/said_in_place.def";
        }
    }
}

TEST(Phrases, WriteTheValueOfAMetricInItsFormWithItsUnit) {
    const Phrases say(Tongue::english);
    const auto text = [&](std::string_view unit, Form form, double value) {
        return say.value(Metric{"", "", unit, form, Better::neither, ""}, value);
    };
    EXPECT_EQ(text("", Form::count, 40), "40");
    EXPECT_EQ(text("B", Form::count, 1024), "1024 B");
    EXPECT_EQ(text("s", Form::scaled, 0.0012), "1.20 ms");
    EXPECT_EQ(text("GB/s", Form::giga, 1200), "1.20 TB/s");
    EXPECT_EQ(text("", Form::share, 0.831), "83.1 %");
    EXPECT_EQ(text("", Form::ratio, 1.2344), "1.234×");
    EXPECT_EQ(text("", Form::number, 2.5e-7), "2.5e-07");
    EXPECT_EQ(text("", Form::share, std::numeric_limits<double>::infinity()), "infinite");
}

TEST(Phrases, SayHowManyOfThePlannedRoundsAreSpent) {
    const Phrases english(Tongue::english), chinese(Tongue::chinese);
    EXPECT_EQ(english.rounds_spent(0, 5), "0 of 5 planned rounds spent");
    EXPECT_EQ(english.rounds_spent(5, 5), "5 of 5 planned rounds spent");
    EXPECT_EQ(english.rounds_spent(7, 5), "7 rounds spent, 2 more than the 5 planned");
    EXPECT_EQ(chinese.rounds_spent(3, 5), "计划 5 轮，已用 3 轮");
    EXPECT_EQ(chinese.rounds_spent(7, 5), "计划 5 轮，已用 7 轮，超出 2 轮");
}

TEST(Phrases, NameEveryStatusKindAndPart) {
    const Phrases say(Tongue::english);
    EXPECT_EQ(say(Status::cancelled), "cancelled by the user");
    EXPECT_EQ(say(Status::ok), "verified and timed");
    EXPECT_EQ(say(ChangeKind::logic), "logic");
    EXPECT_EQ(say(Part::tunable, "BLOCK_M"), "tunable `BLOCK_M`");
    EXPECT_EQ(say(Part::reference, ""), "reference");
    EXPECT_EQ(Phrases(Tongue::chinese)(ChangeKind::tunables), "性能参数修改");
}

TEST(Phrases, SayInWordsWhatIsNoNumber) {
    const Phrases say(Tongue::english);
    EXPECT_EQ(say.ratio(std::numeric_limits<double>::quiet_NaN()), "not a number");
    EXPECT_EQ(say.measure(std::numeric_limits<double>::infinity(), "s"), "infinite");
    EXPECT_EQ(say.gain(0.1234), "+12.3 %");
    EXPECT_EQ(say.count(-16777216), "-16,777,216");
    EXPECT_EQ(say.count(123), "123");
}

/// Nobody could measure more digits.
TEST(Phrases, WriteRatiosWithFourDigits) {
    const Phrases say(Tongue::english);
    EXPECT_EQ(say.ratio(0.0284), "0.028");
    EXPECT_EQ(say.ratio(1.47349), "1.473");
    EXPECT_EQ(say.ratio(66.2076), "66.21");
    EXPECT_EQ(say.ratio(1504.9), "1505");
}

TEST(Markdown, FencesTextThatHasFencesItself) {
    EXPECT_EQ(fenced("diff", "```\n"), "````diff\n```\n````\n\n");
    EXPECT_EQ(in_code("a`b"), "`` a`b ``");
}

TEST(Markdown, EscapesBarsInCells) { EXPECT_EQ(to_markdown({{"a"}, {{"x|y\nz"}}}), "| a |\n| --- |\n| x\\|y z |\n\n"); }

}  // namespace
}  // namespace kernelgen
