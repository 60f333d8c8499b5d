// SPDX-License-Identifier: Apache-2.0
#include "core/tune/t1.h"

#include <gmock/gmock.h>

namespace kernelgen {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string t1_of(std::string_view parameters, std::string_view conditions, std::string_view kernel = "{}") {
    return R"({"General": {}, "ConfigurationSpace": {"TuningParameters": [)" + std::string(parameters) +
           R"(], "Conditions": [)" + std::string(conditions) + R"(]}, "KernelSpecification": )" + std::string(kernel) +
           "}";
}

std::string error_of_t1(const std::string& text) {
    const auto description = read_t1(text, "space.json");
    return description ? "" : to_string(description.error());
}

constexpr const char* two_parameters = R"json({"Name": "bx", "Type": "int", "Values": "[32, 64, 16]", "Default": 32},
                                          {"Name": "by", "Values": "(1, 2*2,)", "Default": 9})json";

TEST(T1, HasParametersAndRestrictions) {
    const auto description =
        read_t1(t1_of(two_parameters, R"({"Expression": "bx*by <= 64", "Parameters": ["bx", "by"]}, "bx != 16")"), "");
    ASSERT_TRUE(description) << to_string(description.error());
    EXPECT_THAT(description->parameters, ElementsAre(Tunable{"bx", {16, 32, 64}, 32}, Tunable{"by", {1, 4}, 1}));
    EXPECT_EQ(space_of(*description)->size(), 2u);
}

TEST(T1, ValuesMayBeAListOrPythonsWordsForTruth) {
    const auto description = read_t1(t1_of(R"({"Name": "a", "Values": [1, true, 3]},
                                              {"Name": "b", "Values": "[True, False]"})",
                                           R"("a == 1 or b == False")"),
                                     "");
    ASSERT_TRUE(description) << to_string(description.error());
    EXPECT_THAT(description->parameters[0].values, ElementsAre(1, 3));
    EXPECT_THAT(description->parameters[1].values, ElementsAre(0, 1));
    EXPECT_EQ(space_of(*description)->size(), 3u);
}

TEST(T1, ADefaultMayBeAWordForTruth) {
    const auto description = read_t1(
        t1_of(
            R"({"Name": "a", "Values": "[False, True]", "Default": true}, {"Name": "b", "Values": "[1]", "Default": [0]})",
            ""),
        "");
    ASSERT_TRUE(description) << to_string(description.error());
    EXPECT_EQ(description->parameters[0].value, 1);
    EXPECT_EQ(description->parameters[1].value, 1);
}

TEST(T1, ConditionsMayHavePythonsWords) {
    const auto description = read_t1(t1_of(two_parameters, R"("lambda p: p['bx'] in [16, 32]", "16 < bx * by <= 64",
                                                              "by not in (4,) or bx != 16")"),
                                     "");
    ASSERT_TRUE(description) << to_string(description.error());
    const TuningSpace space = space_of(*description).value();
    EXPECT_EQ(space.size(), 1u);
    EXPECT_EQ(space.at(0), (Configuration{{"bx", 32}, {"by", 1}}));
}

TEST(T1, ConditionsUnderAnotherKeyAreNotPassedOver) {
    const auto with = [](const char* conditions) {
        return error_of_t1(R"({"ConfigurationSpace": {"TuningParameters": [{"Name": "a", "Values": "[1]"}], )" +
                           std::string(conditions) + "}}");
    };
    EXPECT_THAT(with(R"("constraints": ["a > 1"])"),
                HasSubstr("ConfigurationSpace.constraints: is not read; conditions stand in `Conditions`"));
    EXPECT_EQ(with(R"("constraints": [], "Comment": "none")"), "");
}

TEST(T1, TheLaunchGivesTerms) {
    const char* kernel =
        R"({"LocalSize": {"X": "bx", "Y": "by * 1"}, "GlobalSize": {"X": "(4096 // bx) // by", "Y": "unknown * 2"},
                             "ProblemSize": [4096, 1024], "GridDivX": ["bx", "by"], "GridDivY": null})";
    const auto description = read_t1(t1_of(two_parameters, "", kernel), "");
    ASSERT_TRUE(description) << to_string(description.error());
    EXPECT_THAT(description->terms,
                ElementsAre("bx", "by * 1", "(4096 // bx) // by", "(bx) * (by)", "cdiv(4096, (bx) * (by))"));
}

TEST(T1, ErrorsSayWhatToDo) {
    EXPECT_THAT(error_of_t1("{}"), HasSubstr("is no T1 file"));
    EXPECT_THAT(error_of_t1("{"), HasSubstr("space.json: line 1"));
    EXPECT_THAT(error_of_t1(t1_of(R"({"Name": "a", "Values": "['SoA', 'AoS']"})", "")), HasSubstr("is not an integer"));
    EXPECT_THAT(error_of_t1(t1_of(R"({"Name": "a", "Values": "[0.5]"})", "")), HasSubstr("is not an integer"));
    EXPECT_THAT(error_of_t1(t1_of(R"({"Name": "a", "Values": "[]"})", "")), HasSubstr("has no values"));
    EXPECT_THAT(error_of_t1(t1_of(R"({"Values": "[1]"})", "")), HasSubstr("TuningParameters[0]"));
    EXPECT_THAT(error_of_t1(t1_of(two_parameters, R"("bx <= 4 ]")")), HasSubstr("unexpected character"));
}

TEST(T1, AConditionOnAnUnknownNameIsAnErrorOfTheSpace) {
    const auto description = read_t1(t1_of(two_parameters, R"("bxx < 4")"), "");
    EXPECT_THAT(space_of(*description).error().message, HasSubstr("did you mean `bx`"));
}

}  // namespace
}  // namespace kernelgen
