// SPDX-License-Identifier: Apache-2.0
// Steps of tunables where rules by case give the cases different values.
#include "core/strategy/case_moves.h"

#include <gmock/gmock.h>

#include "core/generate/generate.h"
#include "core/project/by_case.h"
#include "tests/core_project/example.h"

namespace kernelgen {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;

const Case wide{.name = "wide", .dtype = DType::f32, .sizes = {{"P", 4096}, {"D", 4096}}};
const Case narrow{.name = "narrow", .dtype = DType::f32, .sizes = {{"P", 4096}, {"D", 256}}};
const Case other{.name = "other", .dtype = DType::f32, .sizes = {{"P", 1}, {"D", 256}}};

/// Tiles of 1024 columns; of 256 for short rows on a device with many multiprocessors.
Implementation by_rule() {
    const GeneratedVariant generated = generate_cuda_variant(example_project().definition).value();
    Implementation made{
        .variant = generated.variant, .text = generated.text, .configuration = configuration_of(generated.variant)};
    made.configuration["BLOCK_M"] = 2;
    made.configuration["BLOCK_N"] = 1024;
    made.variant.configurations = {{"D <= 256 and device.multiprocessors > 100", {{"BLOCK_N", 256}}}};
    made.device = {{"multiprocessors", 132}};
    return made;
}

std::vector<SetTunables> smaller_tiles(const Implementation& made, const std::vector<Case>& cases) {
    std::vector<Configuration> present;
    for (const Case& each : cases) present.push_back(for_case(made, each).configuration);
    return moves_on_cases("smaller_tile", made, cases, present);
}

auto narrower_tile(std::int64_t before, std::int64_t after, const std::vector<Case>& cases) {
    return ::testing::AllOf(::testing::Field(&SetTunables::values, Configuration{{"BLOCK_N", after}}),
                            ::testing::Field(&SetTunables::before, Configuration{{"BLOCK_N", before}}),
                            ::testing::Field(&SetTunables::cases, cases));
}

TEST(CaseMoves, BeginAtTheValuesOfTheCasesThatTheyChange) {
    const std::vector<SetTunables> found = smaller_tiles(by_rule(), {wide, narrow, other});
    EXPECT_THAT(found, Contains(narrower_tile(1024, 512, {wide})));
    EXPECT_THAT(found, Contains(narrower_tile(256, 128, {narrow, other})));
    EXPECT_EQ(in_one_line(SetTunables{{{"BLOCK_N", 128}}, {narrow}, {{"BLOCK_N", 256}}}, by_rule()),
              "BLOCK_N 256 → 128");
}

TEST(CaseMoves, AreOneMoveWhereTheMovedTunablesAreAlike) {
    Implementation made = by_rule();
    made.variant.configurations[0].values = {{"num_warps", 1}};
    EXPECT_THAT(smaller_tiles(made, {wide, narrow}), Contains(narrower_tile(1024, 512, {wide, narrow})));
}

TEST(CaseMoves, ChangeTheRuleThatHoldsAndNothingElse) {
    const Implementation before = by_rule();
    const Implementation after = changed_by(SetTunables{{{"BLOCK_N", 128}}, {narrow}, {}}, before).value();
    EXPECT_EQ(after.configuration, before.configuration);
    EXPECT_THAT(after.variant.configurations,
                ElementsAre(ConfigurationRule{before.variant.configurations[0].when, {{"BLOCK_N", 128}}}));
    const Implementation everywhere = changed_by(SetTunables{{{"BLOCK_N", 128}}, {wide}, {}}, before).value();
    EXPECT_EQ(everywhere.configuration.at("BLOCK_N"), 128);
    EXPECT_EQ(for_case(everywhere, narrow).configuration.at("BLOCK_N"), 256);
    EXPECT_FALSE(changed_by(SetTunables{{{"BLOCK_N", 3}}, {narrow}, {}}, before)) << "not one of its values";
}

}  // namespace
}  // namespace kernelgen
