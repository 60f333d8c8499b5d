// SPDX-License-Identifier: Apache-2.0
#include "core/tune/space.h"

#include <gmock/gmock.h>

#include <cmath>
#include <ctime>

namespace kernelgen {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

const Tunable m{"M", {1, 2, 4}, 1}, n{"N", {8, 16}, 8};

std::string error_of(std::vector<Tunable> parameters, std::vector<std::string> restrictions) {
    const auto space = TuningSpace::make(std::move(parameters), std::move(restrictions), {});
    return space ? "" : space.error().message;
}

std::vector<std::string> texts_of(const std::vector<IntegerExpression>& terms) {
    std::vector<std::string> texts;
    for (const IntegerExpression& each : terms) texts.push_back(each.text());
    return texts;
}

TEST(TuningSpace, HoldsWhatSatisfiesTheRestrictions) {
    const auto space = TuningSpace::make({m, n}, {"M * N <= LIMIT", "N == 8 or M != 2"}, {{"LIMIT", 32}});
    ASSERT_TRUE(space) << space.error().message;
    std::vector<Configuration> all;
    for (std::size_t i = 0; i < space->size(); ++i) all.push_back(space->at(i));
    EXPECT_THAT(all, ElementsAre(Configuration{{"M", 1}, {"N", 8}}, Configuration{{"M", 1}, {"N", 16}},
                                 Configuration{{"M", 2}, {"N", 8}}, Configuration{{"M", 4}, {"N", 8}}));
}

TEST(TuningSpace, CountsWhatEachRestrictionIsTheFirstToForbid) {
    const std::vector<std::string> restrictions = {"M * N <= 32", "M != 2", "N != 8"};
    const auto space = TuningSpace::make({m, n}, restrictions, {});
    ASSERT_TRUE(space) << space.error().message;
    EXPECT_THAT(space->forbidden(), ElementsAre(1, 2, 2));  // `M != 2` is checked before N has a value
    const auto listed = TuningSpace::forbidden_in({m, n}, restrictions, {}, {}, 1).value();
    ASSERT_EQ(listed.size(), 3u);
    EXPECT_THAT(listed[0].configurations, ElementsAre(Configuration{{"M", 4}, {"N", 16}}));
    EXPECT_THAT(listed[1].configurations, ElementsAre(Configuration{{"M", 2}, {"N", 8}}));
    EXPECT_EQ(listed[2].restriction, 2u);
}

TEST(TuningSpace, FindsEachConfigurationAgain) {
    const auto space = TuningSpace::make({m, n}, {"M * N != 16"}, {});
    for (std::size_t i = 0; i < space->size(); ++i) EXPECT_EQ(space->find(space->at(i)), i);
    EXPECT_EQ(space->find({{"M", 1}, {"N", 16}}), std::nullopt);  // excluded
    EXPECT_EQ(space->find({{"M", 3}, {"N", 8}}), std::nullopt);
    EXPECT_EQ(space->find({{"M", 1}}), std::nullopt);
    EXPECT_EQ(space->find({{"M", 1}, {"N", 8}, {"K", 1}}), std::nullopt);
}

TEST(TuningSpace, OfOneValueHasOneConfiguration) {
    const auto space = TuningSpace::make({{"M", {7}, 7}}, {}, {});
    EXPECT_EQ(space->size(), 1u);
    EXPECT_TRUE(space->neighbours(0).empty());
}

TEST(TuningSpace, KeepsTheOrderOfValuesAsGiven) {
    const auto space = TuningSpace::make({{"M", {4, 1, 2}, 1}}, {}, {});
    EXPECT_EQ(space->at(0).at("M"), 4);
    EXPECT_EQ(space->find({{"M", 2}}), 2u);
}

TEST(TuningSpace, NeighboursSkipWhatIsExcluded) {
    const auto space = TuningSpace::make({m, n}, {"M != 2 or N != 8"}, {});
    EXPECT_THAT(space->neighbours(*space->find({{"M", 1}, {"N", 8}})),
                UnorderedElementsAre(*space->find({{"M", 4}, {"N", 8}}), *space->find({{"M", 1}, {"N", 16}})));
}

TEST(TuningSpace, ARestrictionThatCannotBeComputedDoesNotHold) {
    const auto space = TuningSpace::make({{"M", {0, 1, 2}, 1}}, {"4 % M == 0"}, {});
    EXPECT_EQ(space->size(), 2u);
}

TEST(TuningSpace, RestrictionsMayNameWhatLetComputes) {
    const auto space = TuningSpace::make({m, n}, {"threads <= 16"}, {}, {.let = {"threads = M * N"}});
    ASSERT_TRUE(space) << space.error().message;
    EXPECT_EQ(space->size(), 3u);
}

TEST(TuningSpace, TermsAreTheArithmeticOfRestrictionsAndTheLaunch) {
    const auto space = TuningSpace::make({m, n}, {"M * N % 32 == 0 or M < 2"}, {}, {.terms = {"M + N", "M", "no ("}});
    ASSERT_TRUE(space) << space.error().message;
    EXPECT_THAT(texts_of(space->terms()), ElementsAre("M + N", "((M * N) % 32)", "((M * N) / 32)", "(M * N)"));
    const std::size_t index = *space->find({{"M", 1}, {"N", 16}});
    EXPECT_EQ(space->values_of_terms({{index}})[0], std::vector{17.0});
}

TEST(TuningSpace, TermsThatCannotBeComputedAreNotNumbers) {
    const auto space = TuningSpace::make({{"M", {0, 1}, 1}}, {}, {}, {.terms = {"4 / M"}});
    const std::vector<double> values = space->values_of_terms({{0, 1}})[0];
    EXPECT_TRUE(std::isnan(values[0]));
    EXPECT_EQ(values[1], 4);
}

TEST(TuningSpace, ErrorsSayWhatIsWrong) {
    EXPECT_THAT(error_of({}, {}), HasSubstr("no parameters"));
    EXPECT_THAT(error_of({{"M", {}, 0}}, {}), HasSubstr("`M` has no values"));
    EXPECT_THAT(error_of({{"M", {1, 1}, 1}}, {}), HasSubstr("`M` has a value twice"));
    EXPECT_THAT(error_of({m, m}, {}), HasSubstr("`M` is there twice"));
    EXPECT_THAT(error_of({m}, {"M > 4"}), HasSubstr("no configuration satisfies all restrictions"));
    EXPECT_THAT(error_of({m}, {"M >"}), HasSubstr("restrictions[0]:1:4"));
    EXPECT_THAT(error_of({{"TILE", {1}, 1}}, {"TILES > 4"}), HasSubstr("did you mean `TILE`"));
}

TEST(TuningSpace, OneThatIsTooLargeIsRefused) {
    std::vector<std::int64_t> values(101);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::int64_t>(i);
    EXPECT_THAT(error_of({{"A", values, 0}, {"B", values, 0}, {"C", values, 0}}, {}),
                HasSubstr("more than 1000000 configurations"));
    EXPECT_THAT(error_of({{"A", values, 0}, {"B", values, 0}, {"C", values, 0}, {"D", values, 0}}, {"D + A < 0"}),
                HasSubstr("more than 10000000 combinations"));
}

TEST(TuningSpace, APartOfOneThatIsTooLargeKeepsTheDefaultsAndTheRestrictions) {
    std::vector<Tunable> parameters;
    for (const char* name : {"A", "B", "C", "D", "E", "F", "G", "H"})
        parameters.push_back({name, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 4});
    constexpr std::size_t count = 1000;
    const auto part = TuningSpace::part(parameters, {"A + B <= limit"}, {{"limit", 8}}, {}, count);
    ASSERT_TRUE(part) << part.error().message;
    EXPECT_EQ(part->size(), count);
    std::size_t with_default = 0;
    for (std::size_t i = 0; i < part->size(); ++i) {
        const Configuration each = part->at(i);
        EXPECT_LE(each.at("A") + each.at("B"), 8);
        EXPECT_EQ(part->find(each), i);
        with_default += each.at("H") == 4;
    }
    EXPECT_GT(with_default, count / 5);
    EXPECT_TRUE(part->find({{"A", 4}, {"B", 4}, {"C", 4}, {"D", 4}, {"E", 4}, {"F", 4}, {"G", 4}, {"H", 4}}));
    const auto again = TuningSpace::part(parameters, {"A + B <= limit"}, {{"limit", 8}}, {}, count);
    EXPECT_EQ(again->at(count / 2), part->at(count / 2));
    EXPECT_THAT(TuningSpace::part(parameters, {"A < 0"}, {}, {}, count).error().message, HasSubstr("satisfies"));
}

TEST(TuningSpace, APartOfWhichNearlyAllIsForbiddenTakesSecondsOfTheProcessor) {
    std::vector<Tunable> parameters;
    std::vector<std::int64_t> values;
    for (std::int64_t i = 1; i <= 20; ++i) values.push_back(i);
    for (const char* name : {"A", "B", "C", "D", "E", "F", "G", "H"}) parameters.push_back({name, values, 1});
    const std::clock_t before = std::clock();
    const auto part = TuningSpace::part(parameters, {"A * B * C * D * E * F * G * H < 3"}, {}, {}, 100'000);
    EXPECT_LT(std::clock() - before, 3 * CLOCKS_PER_SEC);
    ASSERT_TRUE(part) << part.error().message;
    EXPECT_EQ(part->size(), 9u);
}

}  // namespace
}  // namespace kernelgen
