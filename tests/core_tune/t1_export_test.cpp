// SPDX-License-Identifier: Apache-2.0
#include "core/tune/t1_export.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "core/tune/t1.h"

namespace kernelgen {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// `N` is 4096; `A` may be 0.
Tuning tuned(const std::vector<std::string>& restrictions) {
    Tuning tuning;
    TuningHead& head = tuning.head;
    head.variant = "tuned";
    head.parameters = {{"A", {0, 1, 2, 3, 5, 8}, 2}, {"B", {1, 4, 6, 32, 100}, 4}};
    head.let = {"both = A * B", "tiles = cdiv(N, B)"};
    head.sizes = {{"N", 4096}, {"device.shared_per_block", 150}};
    head.restrictions = restrictions;
    return tuning;
}

/// The space of the tuning itself: nothing where the restrictions forbid everything.
std::vector<Configuration> configurations_of(const Result<TuningSpace>& space) {
    std::vector<Configuration> all;
    for (std::size_t i = 0; space && i < space->size(); ++i) all.push_back(space->at(i));
    return all;
}

SpaceDescription exported(const Tuning& tuning) {
    const auto document = to_t1(tuning, nullptr);
    EXPECT_TRUE(document) << document.error().message;
    if (!document) return {};
    const auto description = read_t1(document->dump(), "exported");
    EXPECT_TRUE(description) << to_string(description.error());
    return description ? *description : SpaceDescription();
}

TEST(ATuningAsT1, IsReadAsTheSameSpace) {
    for (const char* restriction : {"both <= 64",
                                    "A * B <= device.shared_per_block",
                                    "tiles % 2 == 0 && B > 1",
                                    "!(A == 3) || B == 6",
                                    "pow2ceil(N - 1) / B >= 500",
                                    "pow2ceil(A + B) == 8",
                                    "pow2ceil(A) == 1",
                                    "A == 0 or B % A == 0",
                                    "B % A == 0",
                                    "(A and B > 4) == 1",
                                    "A ? B > 4 : B < 4",
                                    "N > 5 ? A : B / A",
                                    "min(A, B, 3) == max(1, abs(-A))",
                                    "cdiv(-B, 3) <= -2",
                                    "-B / 4 == -2",
                                    "2 ** A <= B",
                                    "A - B * 2 < -N / 100",
                                    "A == (B > 4) + (B > 6)",
                                    "0 == 1 or N / 0 == 1 or A > 2",
                                    "A >= 3 and N > 1"}) {
        const Tuning tuning = tuned({restriction, "B != 100"});
        const TuningHead& head = tuning.head;
        const auto expected = configurations_of(
            TuningSpace::make(head.parameters, head.restrictions, head.sizes, {.let = head.let, .terms = {}}));
        const SpaceDescription again = exported(tuning);
        EXPECT_EQ(again.parameters, head.parameters);
        EXPECT_EQ(configurations_of(space_of(again)), expected) << restriction;
    }
    EXPECT_THAT(exported(tuned({"N > 1"})).restrictions, IsEmpty());
}

TEST(ATuningAsT1, HasConditionsInPythonsWords) {
    const json document = *to_t1(tuned({"both <= device.shared_per_block && !(A / 2)"}), nullptr);
    const json& space = document["ConfigurationSpace"];
    EXPECT_EQ(space["TuningParameters"][1],
              json({{"Name", "B"}, {"Type", "int"}, {"Values", "[1, 4, 6, 32, 100]"}, {"Default", 4}}));
    EXPECT_EQ(space["Conditions"],
              json::array({{{"Expression", "((A * B) <= 150) and ((A // 2) == 0)"}, {"Parameters", {"A", "B"}}}}));
}

TEST(ATuningAsT1, HasWhatIsKnownOfTheKernel) {
    Variant variant{.name = "tuned", .language = Language::cuda, .source = "tuned.cu", .entry = "tuned_kernel"};
    variant.flags = {"-lineinfo"};
    variant.launches = {{.grid = {"tiles", "unknown"}, .args = {}, .block = {"B", "2"}, .shared_bytes = "N * 4"}};
    const json kernel = json(*to_t1(tuned({}), &variant))["KernelSpecification"];
    EXPECT_EQ(kernel["Language"], "CUDA");
    EXPECT_EQ(kernel["KernelName"], "tuned_kernel");
    EXPECT_EQ(kernel["KernelFile"], "tuned.cu");
    EXPECT_EQ(kernel["CompilerOptions"], json({"-lineinfo"}));
    EXPECT_EQ(kernel["GlobalSize"], json({{"X", "(-((-4096) // B))"}, {"Y", "1"}}));
    EXPECT_EQ(kernel["LocalSize"], json({{"X", "B"}, {"Y", "2"}}));
    EXPECT_EQ(kernel["SharedMemory"], 16384);
    const json gone = json(*to_t1(tuned({}), nullptr))["KernelSpecification"];
    EXPECT_EQ(gone["KernelName"], "tuned");
    EXPECT_EQ(gone["Language"], "Hypertuner");
    EXPECT_EQ(gone["GlobalSize"], json({{"X", "1"}}));
}

TEST(ATuningAsT1, SaysWhichRestrictionCannotBeWritten) {
    const auto error_of = [](const std::string& restriction) {
        const auto document = to_t1(tuned({restriction}), nullptr);
        return document ? "" : document.error().message;
    };
    EXPECT_THAT(error_of("A > 0 ? B % A : 1"), HasSubstr("the restriction `A > 0 ? B % A : 1`: T1 has no `?`"));
    EXPECT_THAT(error_of("C < 4"), HasSubstr("unknown name `C`"));
    EXPECT_THAT(error_of("A <"), HasSubstr("the restriction `A <`"));
    std::string twice = "A + B";
    for (int i = 0; i < 4; ++i) twice = "pow2ceil(" + twice + ")";
    EXPECT_THAT(error_of(twice + " > 4"), HasSubstr("longer than"));
    std::string chosen = "A";
    for (int i = 0; i < 60; ++i) chosen = "(" + chosen + " ? B : A)";
    EXPECT_THAT(error_of(chosen), HasSubstr("longer than"));
}

}  // namespace
}  // namespace kernelgen
