// SPDX-License-Identifier: Apache-2.0
// Which tunables matter in what a tuning has tried.
#include "core/tune/importance.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "core/tune/tuned_columns.h"

namespace kernelgen {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// All configurations of three tunables; `seconds` says how long each takes.
Tuning tuning_of(const std::function<double(std::int64_t a, std::int64_t b, std::int64_t c)>& seconds) {
    Tuning tuning;
    tuning.head.parameters = {{"A", {1, 2, 4}, 1}, {"B", {0, 1}, 0}, {"C", {8, 16, 32}, 8}};
    for (const std::int64_t a : {1, 2, 4}) {
        for (const std::int64_t b : {0, 1}) {
            for (const std::int64_t c : {8, 16, 32}) {
                Tried tried{.configuration = {{"A", a}, {"B", b}, {"C", c}}};
                tried.objective = tried.seconds = seconds(a, b, c);
                tuning.tried.push_back(tried);
            }
        }
    }
    return tuning;
}

std::vector<std::string> names_of_shares(const Importance& importance) {
    std::vector<std::string> names;
    for (const Importance::OfTunable& each : importance.tunables) names.push_back(each.name);
    return names;
}

TEST(ImportanceOfTunables, IsTheShareOfTheVarianceThatEachExplains) {
    const Tuning tuning = tuning_of([](auto a, auto b, auto) { return double(a) * (b == 1 ? 1.5 : 1); });
    const Importance importance = importance_of(tuning).value();
    EXPECT_THAT(names_of_shares(importance), ElementsAre("A", "B", "C"));
    const double of_a = 2.0 / 3 * std::log(2) * std::log(2), of_b = std::log(1.5) * std::log(1.5) / 4;
    EXPECT_NEAR(importance.tunables[0].share, of_a / (of_a + of_b), 0.03);
    EXPECT_NEAR(importance.tunables[1].share, of_b / (of_a + of_b), 0.03);
    EXPECT_LT(importance.tunables[2].share, 0.005);
    EXPECT_GT(importance.explained, 0.97);
    EXPECT_EQ(importance.configurations, 18u);
}

/// A search tries mostly what is good: there C goes with A, but A alone makes the time.
TEST(ImportanceOfTunables, DoesNotGiveATunableWhatAnotherExplains) {
    Tuning tuning = tuning_of([](auto a, auto, auto) { return double(a); });
    std::mt19937 random{1};
    std::erase_if(tuning.tried, [&](const Tried& each) {
        const bool go_together = each.configuration.at("C") == 8 * each.configuration.at("A");
        return !go_together && random() % 10 < 4;
    });
    const Importance importance = importance_of(tuning).value();
    EXPECT_EQ(importance.tunables[0].name, "A");
    EXPECT_LT(importance.tunables[1].share, 0.02);
}

TEST(ImportanceOfTunables, LeavesOutWhatTunablesDoOnlyTogether) {
    const Tuning tuning = tuning_of([](auto a, auto b, auto) { return (a == 1) == (b == 1) ? 2.0 : 1.0; });
    const Importance importance = importance_of(tuning).value();
    EXPECT_LT(importance.explained, 0.3);
}

TEST(ImportanceOfTunables, LeavesOutWhatFailedAndWhatNeverChanged) {
    Tuning tuning = tuning_of([](auto a, auto, auto c) { return double(a) + double(c) / 100; });
    for (Tried& each : tuning.tried) {
        if (each.configuration.at("B") == 1) each.status = Status::mismatch;
    }
    EXPECT_FALSE(importance_of(tuning).has_value());  // nine succeeded
    Tried more = tuning.tried[0];
    more.configuration["A"] = 8;
    more.objective = 9;
    tuning.tried.push_back(more);
    const Importance importance = importance_of(tuning).value();
    EXPECT_THAT(names_of_shares(importance), ElementsAre("A", "C"));
    EXPECT_EQ(importance.configurations, 10u);
}

TEST(ImportanceOfTunables, IsNotKnownWhereAllAreEquallyGood) {
    EXPECT_FALSE(importance_of(tuning_of([](auto, auto, auto) { return 0.5; })).has_value());
    EXPECT_FALSE(importance_of({}).has_value());
}

TEST(TunedColumns, HaveTheValuesThatTakePartAndThoseTriedBesides) {
    Tuning tuning;
    tuning.head.parameters = {{"A", {2, 8}, 2}};
    for (const std::int64_t value : {8, 4, 2}) tuning.tried.push_back({.configuration = {{"A", value}}});
    const TunedColumn column = columns_of(tuning).at(0);
    EXPECT_THAT(column.values, ElementsAre(2, 4, 8));
    EXPECT_THAT(column.places, ElementsAre(2, 1, 0));
    EXPECT_THAT(columns_of({}), IsEmpty());
}

}  // namespace
}  // namespace kernelgen
