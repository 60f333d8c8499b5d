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

TEST(VerifyResult, HasTheResourcesOfEachDtypesBuild) {
    VerifyResult result;
    result.builds[DType::f32] = {"a key", {{"registers", 40}, {"occupancy", 0.75}}, "registers"};
    result.builds[DType::bf16] = {"another", {{"registers", 255}}, ""};
    result.builds[DType::f16] = {"tells nothing", {}, ""};
    const VerifyResult again = verify_result_from_json(nlohmann::json::parse(to_json(result).dump()));
    ASSERT_EQ(again.builds.size(), 2u);
    EXPECT_EQ(again.builds.at(DType::f32), (BuildSummary{"", {{"registers", 40}, {"occupancy", 0.75}}, "registers"}));
    EXPECT_EQ(again.builds.at(DType::bf16), (BuildSummary{"", {{"registers", 255}}, ""}));
}

TEST(VerifyResult, WithoutBuildsAsOfOlderVersionsIsRead) {
    nlohmann::json old = to_json(VerifyResult());
    ASSERT_EQ(old.erase("builds"), 1u);
    EXPECT_TRUE(verify_result_from_json(old).builds.empty());
}

TEST(VerifyResult, WithBuildsThatMakeNoSenseIsRefused) {
    for (const char* builds :
         {"7", "[]", "null", R"({"f31": {"resources": {}}})", R"({"f32": 7})", R"({"f32": {}})",
          R"({"f32": {"resources": []}})", R"({"f32": {"resources": {"registers": "40"}}})",
          R"({"f32": {"resources": {"registers": true}}})", R"({"f32": {"resources": {"registers": null}}})",
          R"({"f32": {"resources": {"registers": -1}}})",
          R"({"f32": {"resources": {"registers": 40}, "occupancy_limiter": 7}})"}) {
        nlohmann::json result = to_json(VerifyResult());
        result["builds"] = nlohmann::json::parse(builds);
        EXPECT_THROW(verify_result_from_json(result), std::exception) << builds;
    }
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
