// SPDX-License-Identifier: Apache-2.0
#include "core/measure/metrics.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace kernelgen {
namespace {

TEST(Metrics, HaveEachItsOwnNameATitleAndAMeaning) {
    std::set<std::string_view> names;
    for (const Metric& each : all_metrics) {
        EXPECT_TRUE(names.insert(each.name).second) << each.name;
        EXPECT_FALSE(each.title.empty()) << each.name;
        EXPECT_TRUE(each.meaning.ends_with('.')) << each.name;
    }
}

TEST(Metrics, HaveAUnitThatFitsTheirForm) {
    for (const Metric& each : all_metrics) {
        const bool takes_prefix = each.form == Form::scaled || each.form == Form::giga;
        const bool has_none = each.form == Form::share || each.form == Form::ratio;
        EXPECT_FALSE(takes_prefix && each.unit.empty()) << each.name;
        EXPECT_FALSE(has_none && !each.unit.empty()) << each.name;
        EXPECT_EQ(each.form == Form::giga, each.unit.starts_with('G')) << each.name;
    }
}

}  // namespace
}  // namespace kernelgen
