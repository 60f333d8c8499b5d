// SPDX-License-Identifier: Apache-2.0
#include "core/bench/units.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/core_host/kernels.h"

namespace kernelgen {
namespace {

std::vector<Unit> units_of(Operator definition, const Sizes& sizes, unsigned seed = 1) {
    std::mt19937_64 random(seed);
    const Body body = analyse(definition).value();
    return choose_units(definition, &body, {"", DType::f32, sizes}, false, random);
}

Operator softmax() {
    Operator definition;
    definition.name = "softmax";
    definition.symbols = {"P", "D"};
    definition.inputs = {{"x", {"P", "D"}, {}}};
    definition.outputs = {{"out", {"P", "D"}, {}}};
    definition.body = "m = row_max(x); e = exp(x - m); out = e / row_sum(e)";
    return definition;
}

TEST(Units, OfAnElementwiseBodyAreAFewColumnsOfInputAndOutput) {
    const std::vector<Unit> units = units_of(testing::bias_add_operator(), {{"P", 1000}, {"D", 777}});
    ASSERT_GT(units.size(), 20u);
    for (const Unit& unit : units) {
        ASSERT_EQ(unit.inputs.size(), 1u) << "the bias has no rows: a change of it changes all rows";
        ASSERT_EQ(unit.outputs.size(), 1u);
        EXPECT_EQ(unit.inputs[0].first, unit.outputs[0].first);
        EXPECT_EQ(unit.inputs[0].count, unit.outputs[0].count);
        EXPECT_LE(unit.inputs[0].first % 777 + unit.inputs[0].count, 777) << "within a row";
        EXPECT_EQ(unit.stretches.size(), 1u);
    }
}

TEST(Units, OfABodyWithReductionsChangeAWholeRowOfTheOutput) {
    const std::vector<Unit> units = units_of(softmax(), {{"P", 500}, {"D", 100000}});
    ASSERT_GT(units.size(), 10u);
    for (const Unit& unit : units) {
        EXPECT_EQ(unit.outputs[0].count, 100000);
        EXPECT_EQ(unit.outputs[0].first, unit.inputs[0].first / 100000 * 100000);
        EXPECT_EQ(unit.stretches.size(), 2u) << "all parts of a long row are judged";
    }
}

TEST(Units, ShareNoWordOfAnOutput) {
    Operator sums = softmax();
    sums.outputs = {{"out", {"P"}, DType::i8}};
    sums.body = "out = row_sum(x)";
    for (const auto& [definition, sizes] : {std::pair{testing::bias_add_operator(), Sizes{{"P", 3}, {"D", 200}}},
                                            {softmax(), Sizes{{"P", 64}, {"D", 3}}},
                                            {sums, Sizes{{"P", 300}, {"D", 5}}}}) {
        for (unsigned seed = 1; seed < 20; ++seed) {
            std::set<std::int64_t> words;
            for (const Unit& unit : units_of(definition, sizes, seed)) {
                std::set<std::int64_t> own;  // with elements of one byte: the most that lie in a word
                for (std::int64_t i = 0; i < unit.outputs[0].count; ++i) own.insert((unit.outputs[0].first + i) / 8);
                for (const std::int64_t word : own) EXPECT_TRUE(words.insert(word).second) << seed;
            }
        }
    }
}

TEST(Units, OfOneElementAreOne) {
    EXPECT_EQ(units_of(testing::bias_add_operator(), {{"P", 1}, {"D", 1}}).size(), 1u);
    EXPECT_EQ(units_of(softmax(), {{"P", 1}, {"D", 1}}).size(), 1u);
}

TEST(Units, WhereNoInputHasAllRowsAreOneThatChangesEverything) {
    Operator broadcast = softmax();
    broadcast.inputs = {{"x", {"D"}, {}}};
    broadcast.body = "out = x + 0 * P";
    const std::vector<Unit> units = units_of(broadcast, {{"P", 50}, {"D", 300}});
    ASSERT_EQ(units.size(), 1u);
    EXPECT_TRUE(units[0].outputs.empty());
    EXPECT_FALSE(units[0].inputs.empty());
}

TEST(Units, WithoutABodyAreOneOverAllInputs) {
    std::mt19937_64 random(1);
    const std::vector<Unit> units =
        choose_units(testing::bias_add_operator(), nullptr, {"", DType::f32, {{"P", 90}, {"D", 80}}}, false, random);
    ASSERT_EQ(units.size(), 1u);
    std::set<int> inputs;
    for (const InputSpan& span : units[0].inputs) inputs.insert(span.input);
    EXPECT_EQ(inputs.size(), 2u);
}

/// An element of one alone would not fit those of the others.
/// A timing compares mixed calls with the others. Where they could be mixed in one of its phases only, they would be
/// compared with calls of another time.
TEST(Units, LeaveRoomForMixedCallsInAllPhasesOrInNone) {
    Operator definition = softmax();
    definition.body.clear();
    std::mt19937_64 random(7);
    for (const auto& [elements, can_mix] :
         {std::pair{16, false}, {17, true}, {24, true}, {32, true}, {100, true}, {1500, true}, {100000, true}}) {
        for (int phase = 0; phase < 200; ++phase) {
            const Case binding{"", DType::f32, {{"P", 1}, {"D", elements}}};
            const std::vector<Unit> units = choose_units(definition, nullptr, binding, phase % 2 == 0, random);
            ASSERT_EQ(units.size(), 1u);
            ASSERT_FALSE(units[0].inputs.empty());
            EXPECT_EQ(!mixing_units(definition, binding, units, random).empty(), can_mix) << elements;
        }
    }
}

TEST(Units, OfInputsThatBelongTogetherAreTheseInputsWhole) {
    Operator definition;
    definition.family = Family::callable;
    definition.inputs = {{"dy", {"6", "32"}, {}}, {"x", {"6", "32"}, {}}, {"rstd", {"6"}, {}}};
    definition.outputs = {{"out", {"6", "32"}, {}}};
    definition.inputs[1].is_linked = definition.inputs[2].is_linked = true;
    const Case binding{"", DType::f32, {}};
    for (unsigned seed = 1; seed < 20; ++seed) {
        std::mt19937_64 random(seed);
        const std::vector<Unit> units = choose_units(definition, nullptr, binding, seed % 2 == 0, random);
        ASSERT_EQ(units.size(), 1u);
        std::map<int, std::int64_t> whole;
        for (const InputSpan& span : units[0].inputs) {
            if (span.input > 0) whole[span.input] += span.count;
        }
        EXPECT_EQ(whole, (std::map<int, std::int64_t>{{1, 192}, {2, 6}}));
        EXPECT_EQ(units[0].inputs.front().input, 0);
    }
    EXPECT_EQ(bytes_of_whole_inputs(definition, binding), 198 * sizeof(float));
    definition.inputs[0].is_linked = true;
    EXPECT_EQ(bytes_of_whole_inputs(definition, binding), 390 * sizeof(float));
}

}  // namespace
}  // namespace kernelgen
