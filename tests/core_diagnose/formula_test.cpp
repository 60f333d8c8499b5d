// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/formula.h"

#include <gtest/gtest.h>

#include <map>

namespace kernelgen {
namespace {

std::optional<double> value_of(const std::string& text, const std::map<std::string, double>& values = {}) {
    return Formula::parse(text, "when").value().evaluate([&](const std::string& name) -> std::optional<double> {
        const auto found = values.find(name);
        return found == values.end() ? std::nullopt : std::optional(found->second);
    });
}

TEST(Formula, ComputesWithRealNumbers) {
    EXPECT_DOUBLE_EQ(value_of("1 / (1 - a)", {{"a", 0.2}}).value(), 1.25);
    EXPECT_DOUBLE_EQ(value_of("min(3, a) * 2 ** 3", {{"a", 5}}).value(), 24);
    EXPECT_EQ(value_of("a > 0.05 and b < 2", {{"a", 0.1}, {"b", 1}}), 1);
}

TEST(Formula, HasNoValueWhereANumberIsUnknown) {
    EXPECT_EQ(value_of("a + 1"), std::nullopt);
    EXPECT_EQ(value_of("1 / a", {{"a", 0}}), std::nullopt);
    EXPECT_EQ(value_of("a > 1 and b > 1", {{"a", 2}}), std::nullopt);
}

TEST(Formula, IsDecidedByOneSideWhereThatIsEnough) {
    EXPECT_EQ(value_of("a > 1 and b > 1", {{"a", 0}}), 0);
    EXPECT_EQ(value_of("a > 1 or b > 1", {{"b", 2}}), 1);
}

TEST(Formula, TellsItsComparisonsWithTheirLimits) {
    const Formula formula = Formula::parse("seconds > 2 * other and not (0.5 < share)", "when").value();
    const auto compared = formula.comparisons([](const std::string&) { return std::optional(3.0); });
    ASSERT_EQ(compared.size(), 2u);
    EXPECT_EQ(compared[0].name, "seconds");
    EXPECT_EQ(compared[0].limit, 6);
    EXPECT_EQ(compared[1].name, "share");
    EXPECT_EQ(compared[1].limit, 0.5);
}

TEST(Formula, RefusesWhatNumbersDoNotHave) {
    EXPECT_EQ(Formula::parse("maximum(a, 2)", "when").error()[0].message, "unknown function `maximum`");
    EXPECT_EQ(Formula::parse("a // 2", "when").error()[0].suggestion, "write `/`");
    EXPECT_FALSE(Formula::parse("a >", "when"));
    EXPECT_FALSE(Formula::parse("min(a)", "when"));
}

}  // namespace
}  // namespace kernelgen
