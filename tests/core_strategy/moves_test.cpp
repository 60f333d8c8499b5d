// SPDX-License-Identifier: Apache-2.0
#include "core/strategy/moves.h"

#include <gmock/gmock.h>

#include "core/base/file.h"
#include "core/diagnose/rule.h"
#include "core/generate/generate.h"
#include "core/project/project_file.h"
#include "core/project/values.h"
#include "core/strategy/catalogue.h"

namespace kernelgen {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

Operator bias_add() {
    Operator definition;
    definition.name = "bias_add";
    definition.symbols = {"P", "D"};
    definition.inputs = {{.name = "x", .shape = {"P", "D"}, .dtype = {}},
                         {.name = "bias", .shape = {"D"}, .dtype = {}}};
    definition.outputs = {{.name = "out", .shape = {"P", "D"}, .dtype = {}}};
    definition.body = "out = x + bias";
    return definition;
}

const Case square{.name = "square", .dtype = DType::f32, .sizes = {{"P", 4096}, {"D", 4096}}};

Implementation generated_cuda(const Configuration& values) {
    const GeneratedVariant generated = generate_cuda_variant(bias_add()).value();
    Implementation made{
        .variant = generated.variant, .text = generated.text, .configuration = configuration_of(generated.variant)};
    for (const auto& [name, value] : values) made.configuration[name] = value;
    made.device = {{"multiprocessors", 132}};
    return made;
}

TEST(Moves, GoToTheNextValueOfTheTunablesThatAStrategyMeans) {
    const Implementation present = generated_cuda({{"BLOCK_M", 2}, {"BLOCK_N", 1024}, {"num_warps", 4}});
    const std::vector<Case> cases = {square};
    EXPECT_THAT(moves_of("more_warps", present, cases), ElementsAre(Configuration{{"num_warps", 8}}));
    EXPECT_THAT(moves_of("smaller_tile", present, cases), Contains(Configuration{{"BLOCK_N", 512}}));
    EXPECT_THAT(moves_of("grid_shape", present, cases), Contains(Configuration{{"BLOCK_M", 1}, {"BLOCK_N", 2048}}));
    EXPECT_THAT(moves_of("unheard_of", present, cases), IsEmpty());
}

/// A tile that is halved may keep what each of its threads has to do.
TEST(Moves, HalveATileWithItsWarpsOrWithout) {
    const Implementation present = generated_cuda({{"BLOCK_M", 1}, {"BLOCK_N", 8192}, {"num_warps", 8}});
    EXPECT_THAT(moves_of("smaller_tile", present, std::vector{square}),
                ::testing::IsSupersetOf(
                    {Configuration{{"BLOCK_N", 4096}}, Configuration{{"BLOCK_N", 4096}, {"num_warps", 4}}}));
}

TEST(Moves, LeaveOutWhatARestrictionForbids) {
    // A thread would hold more than 64 elements.
    const Implementation present = generated_cuda({{"BLOCK_M", 4}, {"BLOCK_N", 512}, {"num_warps", 1}});
    for (const Configuration& each : moves_of("larger_tile", present, std::vector{square})) {
        Implementation moved = present;
        for (const auto& [name, value] : each) moved.configuration[name] = value;
        EXPECT_FALSE(violated_restriction(moved, square)) << each.begin()->first;
    }
    EXPECT_THAT(moves_of("fewer_warps", present, std::vector{square}), IsEmpty());
}

TEST(Moves, OfTheGeneratedTunablesAllHaveARole) {
    for (const auto& generated : {generate_host_variant(bias_add()), generate_cuda_variant(bias_add())}) {
        for (const Tunable& each : generated->variant.tunables) EXPECT_NE(role_of_tunable(each.name), "") << each.name;
    }
}

TEST(Moves, TellTheStrategyOfAChange) {
    EXPECT_EQ(strategy_of_move({{"BLOCK_M", 64}, {"num_warps", 8}}, {{"BLOCK_M", 16}, {"num_warps", 8}}),
              "smaller_tile");
    EXPECT_EQ(strategy_of_move({{"num_warps", 8}}, {{"num_warps", 4}}), "fewer_warps");
    EXPECT_EQ(strategy_of_move({{"BLOCK_M", 64}, {"num_warps", 8}}, {{"BLOCK_M", 16}, {"num_warps", 4}}), "");
    EXPECT_EQ(strategy_of_move({{"BLOCK_M", 64}}, {{"BLOCK_M", 64}}), "");
}

TEST(Strategies, OfAllRulesAndMovesAreInTheCatalogue) {
    for (const std::string_view each : moving_strategies()) EXPECT_NE(find_strategy_text(each), nullptr) << each;
    const auto text = parse_rules(*read_file(KERNELGEN_SOURCE_DIR "/resources/diagnosis/rules.json"), "rules.json");
    ASSERT_TRUE(text) << to_string(text.error());
    for (const Rule& rule : text->rules) {
        for (const std::string& each : rule.strategies)
            EXPECT_NE(find_strategy_text(each), nullptr) << rule.id << ": " << each;
    }
}

}  // namespace
}  // namespace kernelgen
