// SPDX-License-Identifier: Apache-2.0
#include "core/verify/result.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/verify/tolerance.h"

namespace kernelgen {
namespace {

TEST(VerifyResult, SurvivesJsonWithNumbersThatJsonLacks) {
    CaseAccuracy accuracy;
    accuracy.binding = {"small", DType::bf16, {{"P", 3}, {"D", 5}}};
    accuracy.set = InputSet::infinity;
    accuracy.seed = ~0ull;
    accuracy.own_case = true;
    accuracy.status = Status::mismatch;
    accuracy.reason = "differs";
    accuracy.metrics.elements = 15;
    accuracy.metrics.max_absolute = std::numeric_limits<double>::infinity();
    accuracy.metrics.p50_absolute = 0.25;
    accuracy.metrics.histogram = {0, 3, 12};
    accuracy.first_mismatches = {{"out", {1, 2}, std::nan(""), -1}};
    const VerifyResult result{Status::mismatch, "differs", 7, 0.5, {accuracy}, {"a warning"}};

    const std::string text = to_json(result).dump();
    const VerifyResult again = verify_result_from_json(nlohmann::json::parse(text));

    EXPECT_EQ(to_json(again).dump(), text);
    ASSERT_EQ(again.cases.size(), 1u);
    EXPECT_EQ(again.cases[0].binding, accuracy.binding);
    EXPECT_EQ(again.cases[0].seed, ~0ull);
    EXPECT_TRUE(std::isinf(again.cases[0].metrics.max_absolute));
    EXPECT_TRUE(std::isnan(again.cases[0].first_mismatches[0].expected));
}

TEST(Tolerance, OfTheProjectHoldsForF32UnlessItNamesADtype) {
    Accuracy accuracy;
    accuracy.f32 = Tolerance{1e-3, 1e-4};
    accuracy.named[DType::f16] = Tolerance{0.01, 0.02};
    EXPECT_EQ(tolerance_for(accuracy, DType::f32), (Tolerance{1e-3, 1e-4}));
    EXPECT_EQ(tolerance_for(accuracy, DType::f16), (Tolerance{0.01, 0.02}));
    EXPECT_EQ(tolerance_for(accuracy, DType::bf16), (Tolerance{1.6e-2, 1e-2}));
}

TEST(Tolerance, IsNeverBelowHalfAUnitInTheLastPlace) {
    Accuracy accuracy;
    accuracy.f32 = Tolerance{0, 0};
    EXPECT_EQ(tolerance_for(accuracy, DType::f32).rtol, std::ldexp(1.0, -24));
}

TEST(Tolerance, OfIntegersIsExact) {
    Accuracy accuracy;
    accuracy.named[DType::i8] = Tolerance{1, 1};
    EXPECT_EQ(tolerance_for(accuracy, DType::i8), (Tolerance{0, 0}));
}

}  // namespace
}  // namespace kernelgen
