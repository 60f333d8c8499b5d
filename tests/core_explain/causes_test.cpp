// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "core/explain/explanation.h"
#include "core/explain/mutation.h"
#include "replays.h"

namespace kernelgen::testing {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// The likeliest cause of a change.
Cause first_cause(const Change& change, std::int64_t P = 37, std::int64_t D = 131) {
    const Causes causes = causes_of(changed_replay(P, D, change));
    EXPECT_FALSE(causes.empty());
    return causes.empty() ? Cause() : causes.front();
}

TEST(Causes, OfARightOutputAreNone) {
    EXPECT_TRUE(causes_of(changed_replay(8, 16, [](auto, auto, double right) { return right; })).empty());
}

/// A race may show in one run of many: the runs that were looked at may all be right.
TEST(Causes, OfAResultThatDiffersNowAndThenAreARace) {
    Replay replay = changed_replay(8, 16, [](auto, auto, double right) { return right; });
    replay.status = Status::nondeterministic;
    replay.reason = "two runs on the same inputs differ";
    const Causes causes = causes_of(replay);
    ASSERT_EQ(causes.size(), 1u);
    EXPECT_EQ(causes.front().kind, CauseKind::race);
    EXPECT_THAT(causes.front().text, HasSubstr("race for `out`"));
    EXPECT_THAT(causes.front().evidence.front(), HasSubstr("two runs"));
    replay.outputs[0].unstable[5] = 1;
    EXPECT_EQ(causes_of(replay).size(), 1u);
}

TEST(Causes, OfATailNameTheColumnsAndTheTile) {
    const Cause cause = first_cause([](auto, std::int64_t c, double right) { return c < 128 ? right : 0; });
    EXPECT_EQ(cause.kind, CauseKind::tail_columns);
    EXPECT_THAT(cause.text, HasSubstr("columns 128 to 130 of 131"));
    EXPECT_THAT(cause.evidence.front(), HasSubstr("BLOCK_N = 16"));
    EXPECT_GT(cause.confidence, 0.85);
}

TEST(Causes, OfATailAfterVectorsNameTheStep) {
    const Cause cause = first_cause([](auto, std::int64_t c, double right) { return c < 24 ? right : 0; }, 9, 29);
    EXPECT_EQ(cause.kind, CauseKind::tail_columns);
    EXPECT_THAT(cause.evidence.front(), HasSubstr("steps of 8"));
}

TEST(Causes, OfAFlatTailNameTheElements) {
    const Cause cause =
        first_cause([](std::int64_t r, std::int64_t c, double right) { return r * 13 + c < 112 ? right : 0; }, 9, 13);
    EXPECT_EQ(cause.kind, CauseKind::tail_elements);
}

TEST(Causes, OfOneTileNameIt) {
    const Cause cause = first_cause(
        [](std::int64_t r, std::int64_t c, double right) { return r / 4 == 2 && c / 16 == 3 ? right + 1 : right; });
    EXPECT_EQ(cause.kind, CauseKind::one_tile);
    EXPECT_THAT(cause.text, HasSubstr("1 of 90 tiles of 4 × 16, the first at row 8, column 48"));
}

TEST(Causes, OfEveryKthElementNameTheStep) {
    const Cause cause = first_cause([](auto, std::int64_t c, double right) { return c % 8 == 5 ? right * 3 : right; });
    EXPECT_EQ(cause.kind, CauseKind::every_kth);
    EXPECT_THAT(cause.text, HasSubstr("one of 8 elements"));
}

TEST(Causes, OfAFirstColumnAreAnEdge) {
    const Cause cause = first_cause([](auto, std::int64_t c, double right) { return c == 0 ? right + 1 : right; });
    EXPECT_EQ(cause.kind, CauseKind::edge);
}

TEST(Causes, OfAConstantFactorSayWhatItIs) {
    const Cause cause = first_cause([](auto, auto, double right) { return right / 131; });
    EXPECT_EQ(cause.kind, CauseKind::constant_factor);
    EXPECT_THAT(cause.text, HasSubstr("which is 1/D"));
}

TEST(Causes, OfAConstantOffsetSayIt) {
    const Cause cause = first_cause([](auto, auto, double right) { return right + 0.25; });
    EXPECT_EQ(cause.kind, CauseKind::constant_offset);
    EXPECT_THAT(cause.text, HasSubstr("off by 0.25"));
}

TEST(Causes, OfRowsWithFactorsOfTheirOwnPointToWhatIsComputedOnceARow) {
    const Cause cause =
        first_cause([](std::int64_t r, auto, double right) { return right * (1.5 + static_cast<double>(r)); });
    EXPECT_EQ(cause.kind, CauseKind::row_factor);
}

TEST(Causes, OfAMissingTermNameIt) {
    const Replay right = changed_replay(37, 131, [](auto, auto, double value) { return value; });
    const Cause cause =
        first_cause([&](auto, std::int64_t c, double) { return right.inputs[1].values[static_cast<std::size_t>(c)]; });
    EXPECT_EQ(cause.kind, CauseKind::missing_term);
    EXPECT_EQ(cause.text, "`x` is left out: the results are those of `bias` in place of `x + bias`");
    ASSERT_FALSE(cause.places.empty());
    EXPECT_EQ(cause.places.front().line, 2);
}

TEST(Causes, OfAnInputReadElsewhereNameTheLineThatReadsIt) {
    const Operator definition = planted_operator("bias_add");
    const Body body = analyse(definition).value();
    const Replay right = changed_replay(37, 131, [](auto, auto, double value) { return value; });
    const std::vector<double>& x = right.inputs[0].values;
    const Replay replay = changed_replay(37, 131, [&](std::int64_t r, std::int64_t c, double value) {
        const auto place = static_cast<std::size_t>(r * 131 + c);
        return place + 1 < x.size() ? value - x[place] + x[place + 1] : value;
    });
    const Implementation kernel = planted_kernel(
        {"test", "bias_add", {}},
        "const T x_j = kg::load_one<T>(x_row + j + 1);\nout_row[j] = kg::to_storage<DTYPE>(x_j + bias_j);\n");
    const Causes causes = find_causes({definition, &body, kernel, replay, replay, {}});
    ASSERT_FALSE(causes.empty());
    EXPECT_EQ(causes.front().kind, CauseKind::wrong_index) << causes.front().text;
    ASSERT_EQ(causes.front().places.size(), 1u);
    EXPECT_EQ(causes.front().places.front().line, 1);
}

TEST(Causes, OfASubtractionInPlaceOfASumNameBoth) {
    const Replay right = changed_replay(37, 131, [](auto, auto, double value) { return value; });
    const Cause cause = first_cause([&](auto, std::int64_t c, double value) {
        return value - 2 * right.inputs[1].values[static_cast<std::size_t>(c)];
    });
    EXPECT_EQ(cause.kind, CauseKind::wrong_operation);
    EXPECT_THAT(cause.text, HasSubstr("`x - bias` in place of `x + bias`"));
}

/// The causes where a kernel of one input computes `wrong` in place of `right`, which is the body.
Causes causes_of_formula(const std::string& body_text, double (*right)(double), double (*wrong)(double)) {
    Operator definition = planted_operator("relu");
    definition.body = body_text;
    const Body body = analyse(definition).value();
    Replay replay = changed_replay(37, 131, [](auto, auto, double value) { return value + 1; });
    replay.inputs.resize(1);
    for (std::size_t i = 0; i < replay.inputs[0].values.size(); ++i) {
        replay.outputs[0].record.expected[i] = right(replay.inputs[0].values[i]);
        replay.outputs[0].record.actual[i] = static_cast<float>(wrong(replay.inputs[0].values[i]));
    }
    const Implementation kernel = planted_kernel({"test", "relu", {}}, "out[c] = f(x[c]);\n");
    return find_causes({definition, &body, kernel, replay, replay, {}});
}

TEST(Causes, OfASignThatIsLostNameTheFunction) {
    const Causes causes = causes_of_formula(
        "out = x * sigmoid(x)", [](double x) { return x / (1 + std::exp(-x)); },
        [](double x) { return x / (1 + std::exp(x)); });
    ASSERT_FALSE(causes.empty());
    EXPECT_THAT(causes.front().text, HasSubstr("`sigmoid(-x)` in place of `sigmoid(x)`"));
}

/// Also of an input that the body names later.
TEST(Mutations, TakeAnInputForAnother) {
    Operator definition = planted_operator("bias_add");
    definition.inputs = {{"x", {"P", "D"}, {}}, {"gamma", {"D"}, {}}, {"beta", {"D"}, {}}};
    definition.body = "out = x * gamma + beta";
    std::vector<std::string> after;
    for (const Mutation& each : mutations_of(definition, analyse(definition).value(), {{"P", 4}, {"D", 8}}))
        after.push_back(each.after);
    EXPECT_THAT(after, AllOf(Contains("x * beta"), Contains("(x * gamma) + gamma")));
}

TEST(Causes, OfADecimalPointNameTheConstant) {
    const Causes causes = causes_of_formula(
        "out = x + 0.044715 * (x * x * x)", [](double x) { return x + 0.044715 * x * x * x; },
        [](double x) { return x + 0.44715 * x * x * x; });
    ASSERT_FALSE(causes.empty());
    EXPECT_THAT(causes.front().text, HasSubstr("`0.44715` in place of `0.044715`"));
}

TEST(Causes, OfAnInputReadAsTransposedNameIt) {
    const Replay right = changed_replay(37, 131, [](auto, auto, double value) { return value; });
    const Cause cause = first_cause([&](std::int64_t r, std::int64_t c, double value) {
        const auto& x = right.inputs[0].values;
        return value - x[static_cast<std::size_t>(r * 131 + c)] + x[static_cast<std::size_t>(c * 37 + r)];
    });
    EXPECT_EQ(cause.kind, CauseKind::wrong_index);
    EXPECT_THAT(cause.text, HasSubstr("`x` is read with rows and columns exchanged"));
}

TEST(Causes, OfAnInputWhoseBeginIsReadAgainNameHowMuch) {
    const Replay right = changed_replay(37, 131, [](auto, auto, double value) { return value; });
    const Cause cause = first_cause([&](auto, std::int64_t c, double value) {
        const auto& bias = right.inputs[1].values;
        return value - bias[static_cast<std::size_t>(c)] + bias[static_cast<std::size_t>(c % 48)];
    });
    EXPECT_EQ(cause.kind, CauseKind::wrong_index);
    EXPECT_THAT(cause.text, HasSubstr("of `bias` the first 48 elements of a row are read again"));
}

/// 0 / 0 in rows that are negative throughout: row_sum(x) in place of row_max(x) would end in NaN, too.
TEST(Causes, OfAMaximumThatBeginsWithZeroAreTheRowsThatAreNegative) {
    const Operator definition = planted_operator("softmax");
    const Body body = analyse(definition).value();
    Replay replay = changed_replay(24, 32, [](std::int64_t r, auto, double right) { return r % 3 == 0 ? nan : right; });
    replay.inputs.resize(1);
    replay.set = InputSet::mixed;
    OutputReplay& out = replay.outputs.front();
    for (std::size_t row = 0; row < 24; ++row) {
        double sum = 0;
        for (std::size_t i = row * 32; i < row * 32 + 32; ++i) {
            replay.inputs[0].values[i] = (row % 3 == 0 ? -300.0 : 3.0) + static_cast<double>(i % 7);
            sum += std::exp(replay.inputs[0].values[i]);
        }
        for (std::size_t i = row * 32; i < row * 32 + 32; ++i) {
            out.record.expected[i] = std::exp(replay.inputs[0].values[i]) / sum;
            if (row % 3 != 0) out.record.actual[i] = out.record.expected[i];
        }
    }
    const Implementation kernel =
        planted_kernel({"test", "softmax", {}},
                       "extern \"C\" void softmax(int n) {\nm = kg::maximum(m, x_j);\nout[c] = exp(x_j - m) / sum;\n");
    const Causes causes = find_causes({definition, &body, kernel, replay, replay, {}});
    ASSERT_FALSE(causes.empty());
    EXPECT_EQ(causes.front().kind, CauseKind::overflow) << causes.front().text;
    EXPECT_THAT(causes.front().text, HasSubstr("a maximum over a row begins with 0"));
    EXPECT_EQ(causes.front().places.front().line, 2);
    for (std::size_t i = 1; i < causes.size(); ++i) EXPECT_LT(causes[i].confidence, 0.93) << causes[i].text;
}

TEST(Causes, OfNanWhereThereShouldBeNoneSaySo) {
    const Cause cause =
        first_cause([](std::int64_t r, std::int64_t c, double right) { return (r * c) % 7 == 3 ? nan : right; });
    EXPECT_EQ(cause.kind, CauseKind::nan_made);
}

TEST(Causes, OfABranchOnAnInputNameIt) {
    const Replay right = changed_replay(37, 131, [](auto, auto, double value) { return value; });
    const Cause cause = first_cause([&](std::int64_t r, std::int64_t c, double value) {
        return right.inputs[0].values[static_cast<std::size_t>(r * 131 + c)] < 0 ? value * value + 2 : value;
    });
    EXPECT_EQ(cause.kind, CauseKind::depends_on_sign);
    EXPECT_THAT(cause.text, HasSubstr("where `x` is negative"));
}

TEST(Causes, OfValuesThatHalfPrecisionHoldsSaySo) {
    const Cause cause = first_cause([](auto, auto, double right) { return round_to(DType::f16, right); });
    EXPECT_EQ(cause.kind, CauseKind::narrow_precision);
    EXPECT_THAT(cause.text, HasSubstr("f16"));
}

/// Half of the errors are like those of bf16, but some are larger than the values: a sum that lost its tail is so.
TEST(Causes, OfErrorsLargerThanTheValuesAreNoMatterOfPrecision) {
    const Causes causes = causes_of(changed_replay(37, 131, [](std::int64_t r, std::int64_t c, double right) {
        return right * (1 + 0.004 * std::sin(double(r * 17 + c))) +
               (std::abs(right) < 0.02 ? 0.1 * std::cos(double(c)) : 0);
    }));
    for (const Cause& each : causes) EXPECT_LT(each.confidence, 0.5) << each.text;
}

TEST(Causes, OfOneValueEverywhereSayIt) {
    const Cause cause = first_cause([](auto, auto, double) { return 0.0; });
    EXPECT_EQ(cause.kind, CauseKind::constant_output);
    EXPECT_THAT(cause.text, HasSubstr("all elements of `out` are 0"));
}

/// It was computed so: the pointer is not to blame.
TEST(Causes, OfNanEverywhereAreNoValueThatWasStored) {
    EXPECT_EQ(first_cause([](auto, auto, double) { return nan; }).kind, CauseKind::nan_made);
}

TEST(Causes, OfSizesSayWhichFail) {
    std::vector<SizeOutcome> sizes;
    for (const std::int64_t D : {8, 16, 24, 12, 15, 17, 32, 3})
        sizes.push_back({{"", DType::f32, {{"P", 4}, {"D", D}}}, D % 8 == 0 ? Status::ok : Status::mismatch});
    const Causes causes =
        causes_of(changed_replay(8, 20, [](auto, std::int64_t c, double right) { return right + (c > 17); }), sizes);
    const auto found = std::ranges::find(causes, CauseKind::other_sizes, &Cause::kind);
    ASSERT_NE(found, causes.end());
    EXPECT_THAT(found->text, HasSubstr("`D` is no multiple of 8"));
}

TEST(Causes, OfScatteredErrorsAreNotInvented) {
    const Causes causes = causes_of(changed_replay(37, 131, [](std::int64_t r, std::int64_t c, double right) {
        return (r * 131 + c) % 97 == 11 ? right + input_value(r + c) + 3 : right;
    }));
    for (const Cause& each : causes) EXPECT_LT(each.confidence, 0.7) << each.text;
}

TEST(Causes, HaveANameEachThatIsReadAgain) {
    for (int kind = 0; kind <= static_cast<int>(CauseKind::other_sizes); ++kind)
        EXPECT_EQ(parse_cause_kind(to_string(static_cast<CauseKind>(kind))), static_cast<CauseKind>(kind));
    EXPECT_FALSE(parse_cause_kind("magic"));
}

Explanation sample_explanation() {
    const Replay replay =
        changed_replay(37, 131, [](auto, std::int64_t c, double right) { return c < 128 ? right : nan; });
    const Operator definition = planted_operator("bias_add");
    const Implementation kernel = planted_kernel({"test", "bias_add", {}}, "out[c] = x[c];\n");
    Explanation explanation{.binding = replay.binding, .status = Status::mismatch, .smallest = "P=1, D=17"};
    explanation.causes = causes_of(replay);
    explanation.maps = {map_of(replay.outputs[0], tiles_of(kernel, definition.outputs[0]))};
    explanation.sizes_tried = 5;
    return explanation;
}

TEST(Explanation, IsTheSameAfterBeingWrittenAndRead) {
    const Explanation explanation = sample_explanation();
    const nlohmann::json written = to_json(explanation);
    EXPECT_EQ(to_json(explanation_from_json(written)), written);
    EXPECT_LT(written.dump().size(), 64u << 10);
    EXPECT_THAT(written.dump(), Not(HasSubstr("null")));
}

TEST(Explanation, ThatIsDamagedIsRefused) {
    const nlohmann::json written = to_json(sample_explanation());
    for (const char* key : {"case", "set", "status", "maps", "causes", "smallest"}) {
        nlohmann::json damaged = written;
        damaged[key] = 7;
        EXPECT_THROW(explanation_from_json(damaged), std::exception) << key;
        damaged.erase(key);
        EXPECT_THROW(explanation_from_json(damaged), std::exception) << key;
    }
    for (const char* key : {"wrong", "worst", "kept", "bin_rows", "rows"}) {
        nlohmann::json damaged = written;
        damaged["maps"][0][key] = key[0] == 'b' || key[0] == 'r' ? nlohmann::json(-1) : nlohmann::json({{1, 2}});
        EXPECT_THROW(explanation_from_json(damaged), std::exception) << key;
    }
}

TEST(ErrorMap, CountsWrongElementsByBinAndKeepsSome) {
    const Replay replay = changed_replay(
        200, 100, [](std::int64_t r, std::int64_t c, double right) { return r == 150 && c >= 98 ? right + 2 : right; });
    const ErrorMap map = map_of(replay.outputs[0], {});
    EXPECT_EQ(map.bin_rows, 4);
    EXPECT_EQ(map.bin_columns, 2);
    EXPECT_EQ(map.wrong_elements(), 2);
    EXPECT_EQ(map.wrong[static_cast<std::size_t>(150 / 4 * 50 + 49)], 2);
    EXPECT_NEAR(map.worst[static_cast<std::size_t>(150 / 4 * 50 + 49)], 2, 0.01);
    ASSERT_EQ(map.kept.size(), 2u);
    EXPECT_EQ(map.kept[0].row, 150);
    EXPECT_EQ(map.kept[0].column, 98);
}

/// What the checker filled the output with is no error of the kernel.
TEST(ErrorMap, HasNoErrorWhereNothingWasWritten) {
    Replay replay =
        changed_replay(8, 16, [](auto, std::int64_t c, double right) { return c == 15 ? right + 2 : right; });
    for (std::size_t row = 0; row < 8; ++row) replay.outputs[0].unwritten[row * 16 + 15] = 1;
    const ErrorMap map = map_of(replay.outputs[0], {});
    EXPECT_EQ(map.unwritten, 8);
    EXPECT_EQ(map.wrong_elements(), 8);
    EXPECT_THAT(map.worst, ::testing::Each(0.0));
}

TEST(ErrorMap, OfALargeOutputIsSmall) {
    const Replay replay = changed_replay(700, 900, [](std::int64_t r, std::int64_t c, double right) {
        return right + 1.2345678e-3 * static_cast<double>(r + c + 1);
    });
    EXPECT_LT(to_json(map_of(replay.outputs[0], {})).dump().size(), 64u << 10);
}

}  // namespace
}  // namespace kernelgen::testing
