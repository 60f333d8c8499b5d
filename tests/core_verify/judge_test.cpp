// SPDX-License-Identifier: Apache-2.0
#include "core/verify/judge.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "tests/core_verify/judging.h"

namespace kernelgen {
namespace {

using ::testing::HasSubstr;
using testing::infinity;
using testing::Judged;
using testing::layer_norm;
using testing::softmax;
using testing::tile;

const Operator bias_add = tile("out = x + bias", {"x:P,D", "bias:D"});

TEST(Judge, PassesTheReferenceRoundedToTheOutputInEveryDtype) {
    for (const DType dtype : all_dtypes) {
        const CaseAccuracy judged = Judged(bias_add, 17, 31, dtype).judge();
        EXPECT_EQ(judged.status, Status::ok) << to_string(dtype) << ": " << judged.reason;
        EXPECT_EQ(judged.metrics.elements, 17 * 31);
        EXPECT_EQ(judged.metrics.mismatches, 0);
    }
}

TEST(Judge, PassesTheReferenceOfNormalisationsOnEveryInputSet) {
    const std::vector<Operator> operators = {tile(softmax, {"x:P,D"}), tile(layer_norm, {"x:P,D", "gamma:D", "beta:D"}),
                                             tile("out = x / sqrt(row_mean(x * x) + 0.00001)", {"x:P,D"}),
                                             tile("out = row_sum(x)", {"x:P,D"}, "out:P,1")};
    for (const Operator& definition : operators) {
        for (const DType dtype : {DType::f64, DType::f32, DType::f16, DType::bf16}) {
            for (const InputSet set : edge_sets) {
                const CaseAccuracy judged = Judged(definition, 9, 67, dtype, set).judge();
                EXPECT_EQ(judged.status, Status::ok)
                    << definition.body << " " << to_string(dtype) << " " << to_string(set) << ": " << judged.reason;
            }
        }
    }
}

TEST(Judge, CatchesZeros) {
    for (const std::string& body : {softmax, std::string("out = x")}) {
        Judged check(tile(body, {"x:P,D"}), 8, 4096);
        for (double& value : check.outputs[0]) value = 0;
        const CaseAccuracy judged = check.judge();
        EXPECT_EQ(judged.status, Status::mismatch) << body;
        EXPECT_EQ(judged.metrics.mismatches, 8 * 4096);
    }
}

TEST(Judge, CatchesADroppedLastElementOfALongRow) {
    constexpr std::int64_t columns = 8192;
    for (const std::string& dropped :
         {std::string("m = row_max(x); e = exp(x - m); out = e / (row_sum(e) - last)"),
          std::string("out = row_sum(x) - last"), std::string("out = row_mean(x) - last / 8192")}) {
        // `last` is the row's last element, or its exponential, as an input of its own.
        const bool is_softmax = dropped.starts_with("m");
        std::string right = dropped;
        for (const std::string_view part : {" - last / 8192", " - last"}) {
            if (const std::size_t at = right.find(part); at != std::string::npos) right.erase(at, part.size());
        }
        Judged check(tile(right, {"x:P,D"}, is_softmax ? "out:P,D" : "out:P,1"), 4, columns);
        std::vector<double> x(4 * columns);
        generate(InputSet::normal, 1, 0, DType::f32, 0, x);
        for (std::int64_t row = 0; row < 4; ++row) {
            const std::span<const double> values =
                std::span(x).subspan(static_cast<std::size_t>(row * columns), columns);
            if (is_softmax) {
                double sum = 0;
                for (const double value : values) sum += std::exp(value);
                const double factor = sum / (sum - std::exp(values.back()));
                for (std::int64_t i = 0; i < columns; ++i) check.outputs[0][row * columns + i] *= factor;
            } else {
                check.outputs[0][row] -= values.back() / (right.find("mean") != std::string::npos ? columns : 1);
            }
        }
        const CaseAccuracy judged = check.judge();
        EXPECT_EQ(judged.status, Status::mismatch) << right;
    }
}

/// Row sums as a plain loop in T adds them.
template <class T>
std::vector<double> plain_sums(const Judged& check, std::int64_t rows, std::int64_t columns) {
    std::vector<double> x(static_cast<std::size_t>(rows * columns)), sums;
    generate(check.set, check.seed, 0, check.binding.dtype, 0, x);
    for (std::int64_t row = 0; row < rows; ++row) {
        T sum = 0;
        for (std::int64_t i = 0; i < columns; ++i)
            sum += static_cast<T>(x[static_cast<std::size_t>(row * columns + i)]);
        sums.push_back(sum);
    }
    return sums;
}

TEST(Judge, AllowsSumsTheErrorThatAnotherOrderOfAdditionsHas) {
    Judged in_f32(tile("out = row_sum(x)", {"x:P,D"}, "out:P,1"), 1024, 4096);
    in_f32.outputs[0] = plain_sums<float>(in_f32, 1024, 4096);
    EXPECT_EQ(in_f32.judge().status, Status::ok) << in_f32.judge().reason;
    Judged in_f64(tile("out = row_sum(x)", {"x:P,D"}, "out:P,1"), 1024, 4096, DType::f64);
    in_f64.outputs[0] = plain_sums<double>(in_f64, 1024, 4096);
    EXPECT_EQ(in_f64.judge().status, Status::ok) << in_f64.judge().reason;
    in_f64.outputs[0] = plain_sums<float>(in_f64, 1024, 4096);
    EXPECT_EQ(in_f64.judge().status, Status::mismatch) << "f32 is no arithmetic for f64";
}

TEST(Judge, CatchesAVarianceOverNMinusOne) {
    Judged variance(tile("out = row_var(x)", {"x:P,D"}, "out:P,1"), 8, 4096);
    for (double& value : variance.outputs[0]) value *= 4096.0 / 4095;
    EXPECT_EQ(variance.judge().status, Status::mismatch);

    Judged normalised(tile(layer_norm, {"x:P,D", "gamma:D", "beta:D"}), 8, 4096);
    Operator wrong = normalised.definition;
    wrong.body = "c = x - row_mean(x); out = c * rsqrt(row_var(x) * 4096 / 4095 + 0.00001) * gamma + beta";
    normalised.outputs = normalised.evaluate(wrong);
    EXPECT_EQ(normalised.judge().status, Status::mismatch);
}

TEST(Judge, CatchesABiasShiftedByOne) {
    for (const DType dtype : {DType::f32, DType::f16, DType::bf16}) {
        Judged check(bias_add, 16, 256, dtype);
        std::vector<double> bias(256);
        generate(InputSet::normal, 1, 1, dtype, 0, bias);
        for (std::size_t i = 0; i < check.outputs[0].size(); ++i) {
            check.outputs[0][i] += bias[(i + 1) % 256] - bias[i % 256];
        }
        EXPECT_EQ(check.judge().status, Status::mismatch) << to_string(dtype);
    }
}

TEST(Judge, ReportsTheFirstMismatchesInOrderWithIndexAndValues) {
    Judged check(bias_add, 300, 1000);
    for (const std::size_t wrong : {2999u, 150'000u, 299'999u}) check.outputs[0][wrong] += 1;
    const CaseAccuracy judged = check.judge();
    EXPECT_EQ(judged.status, Status::mismatch);
    ASSERT_EQ(judged.first_mismatches.size(), 3u);
    EXPECT_EQ(judged.metrics.mismatches, 3);
    EXPECT_EQ(judged.first_mismatches[0].output, "out");
    EXPECT_THAT(judged.first_mismatches[0].index, ::testing::ElementsAre(2, 999));
    EXPECT_THAT(judged.first_mismatches[2].index, ::testing::ElementsAre(299, 999));
    EXPECT_NEAR(judged.first_mismatches[1].actual - judged.first_mismatches[1].expected, 1, 1e-6);
    EXPECT_THAT(judged.reason, HasSubstr("3 of 300000 elements of `out`"));
    EXPECT_THAT(judged.reason, HasSubstr("[2, 999]"));
}

TEST(Judge, MeasuresTheErrorsOfIntegersThatItHoldsInParts) {
    Judged check(tile("out = x", {"x:P,D"}), 5, 2, DType::i32);
    check.definition.outputs[0].bits = {"int64", 2};
    double& low = check.outputs[0][8];
    low += low == -1 ? -1 : 1;
    check.outputs[0][3] += 1;  // the high part of the second integer
    const CaseAccuracy judged = check.judge();
    EXPECT_EQ(judged.metrics.elements, 5);
    EXPECT_EQ(judged.metrics.mismatches, 2);
    EXPECT_EQ(judged.metrics.exact, 3);
    EXPECT_EQ(judged.metrics.max_absolute, std::ldexp(1.0, 32));
    EXPECT_DOUBLE_EQ(judged.metrics.mean_absolute, (std::ldexp(1.0, 32) + 1) / 5);
    EXPECT_EQ(judged.metrics.clip_ratio, 0);
}

TEST(Judge, KeepsAtMostEightMismatches) {
    Judged check(bias_add, 64, 64);
    for (double& value : check.outputs[0]) value += 1;
    EXPECT_EQ(check.judge().first_mismatches.size(), 8u);
}

TEST(Judge, WantsNaNExactlyWhereTheReferenceHasIt) {
    Judged everywhere(bias_add, 8, 64);
    for (double& value : everywhere.outputs[0]) value = std::nan("");
    EXPECT_EQ(everywhere.judge().metrics.mismatches, 8 * 64);

    Judged swallowed(bias_add, 8, 64, DType::f32, InputSet::nan);
    swallowed.outputs[0][0] = 0;
    EXPECT_EQ(swallowed.judge().metrics.mismatches, 1);
}

TEST(Judge, WantsInfinitiesWithTheReferencesSign) {
    Judged check(tile("out = x", {"x:P,D"}), 8, 64, DType::f32, InputSet::infinity);
    ASSERT_TRUE(std::isinf(check.outputs[0][0]));
    EXPECT_EQ(check.judge().status, Status::ok);
    check.outputs[0][0] = -check.outputs[0][0];
    EXPECT_EQ(check.judge().metrics.mismatches, 1);
}

TEST(Judge, WantsInfinityWhereTheReferenceOverflowsTheOutput) {
    Judged check(tile("out = x * 100000", {"x:P,D"}), 1, 64, DType::f16, InputSet::ones);
    EXPECT_EQ(check.judge().status, Status::ok);
    for (double& value : check.outputs[0]) value = 65504;
    EXPECT_EQ(check.judge().metrics.mismatches, 64);
}

TEST(Judge, TakesTheLargestNumberForAnInfinityWhereAnErrorThatIsAllowedDecides) {
    Judged check(tile("out = x + 65520.1", {"x:P,D"}), 8, 64, DType::f16);  // from 65520 on, f16 overflows
    for (const double all : {65504.0, infinity}) {
        for (double& value : check.outputs[0]) value = all;
        EXPECT_EQ(check.judge().status, Status::ok) << check.judge().reason;
    }
    for (double& value : check.outputs[0]) value = -infinity;
    EXPECT_GT(check.judge().metrics.mismatches, 8 * 64 - 8) << "but where f32 rounds to an infinity";
    Judged beyond(tile("out = x + 70000", {"x:P,D"}), 8, 64, DType::f16);
    for (double& value : beyond.outputs[0]) value = 65504;
    EXPECT_EQ(beyond.judge().metrics.mismatches, 8 * 64);
}

TEST(Judge, ExcludesAndCountsWhatOverflowsOnlyInF32) {
    // 1e30 · 1e30 / 1e30 is finite in float64 and infinite in f32.
    Judged check(tile("out = (x * 1e30) * 1e30 / 1e30", {"x:P,D"}), 2, 32, DType::f32, InputSet::ones);
    for (double& value : check.outputs[0]) value = infinity;
    const CaseAccuracy judged = check.judge();
    EXPECT_EQ(judged.status, Status::ok) << judged.reason;
    EXPECT_EQ(judged.metrics.excluded, 2 * 32);
}

TEST(Judge, ExcludesSumsThatOverflowInSomeOrderOfTheirTerms) {
    Judged check(tile("out = x - row_mean(x)", {"x:P,D"}), 4, 257, DType::f32, InputSet::large);
    for (double& value : check.outputs[0]) value = std::nan("");
    const CaseAccuracy judged = check.judge();
    EXPECT_EQ(judged.status, Status::ok) << judged.reason;
    EXPECT_EQ(judged.metrics.excluded, 4 * 257);
}

TEST(Judge, AllowsCancellationWhatItMustHaveAndNoMore) {
    // 1.3e6 is no multiple of what f32 resolves there: x + 1.3e6 − 1.3e6 loses all digits below 0.06.
    const Operator cancelling = tile("out = x + 1300000.0 - 1300000.0", {"x:P,D"});
    Judged check(cancelling, 4, 512);
    for (double& value : check.outputs[0]) value += 0.1;
    EXPECT_EQ(check.judge().status, Status::ok);
    for (double& value : check.outputs[0]) value += 1;
    EXPECT_EQ(check.judge().status, Status::mismatch);
}

TEST(Judge, AllowsWhatOtherRoundingsCostWhereItsOwnEvaluationIsRightByLuck) {
    // One value a row, 0 but for rounding: the rounded evaluation's error is one draw.
    const Operator definition =
        tile("y = (x - row_mean(x)) * rsqrt(row_var(x)); out = row_var(y) - 1", {"x:P,D"}, "out:P");
    Judged check(definition, 200, 300);
    for (double& value : check.outputs[0]) value = 3e-7;  // five roundings of 1
    const CaseAccuracy judged = check.judge();
    EXPECT_EQ(judged.status, Status::ok) << judged.reason;
    for (double& value : check.outputs[0]) value = 1e-4;
    EXPECT_EQ(check.judge().status, Status::mismatch);
}

TEST(Judge, ExcludesWhatIsNaNOrNotByTheArithmeticsRoundingAlone) {
    // 1 - (x + 1e-9) is below 0 in float64, and 0 in f32.
    Judged check(tile("out = sqrt(1 - (x + 0.000000001))", {"x:P,D"}), 2, 32, DType::f32, InputSet::ones);
    EXPECT_TRUE(std::isnan(check.outputs[0][0]));
    for (double& value : check.outputs[0]) value = 0;
    const CaseAccuracy judged = check.judge();
    EXPECT_EQ(judged.status, Status::ok) << judged.reason;
    EXPECT_EQ(judged.metrics.excluded, 2 * 32);
    EXPECT_EQ(judged.reference.says_nothing_in, "out");
}

TEST(Judge, WantsInfinityWhereASquareOverflows) {
    Judged check(tile("out = x * x", {"x:P,D"}), 4, 64, DType::f32, InputSet::large);
    for (double& value : check.outputs[0]) value = std::min(value, 1e30);
    EXPECT_EQ(check.judge().status, Status::mismatch);
}

TEST(Judge, TakesTheLargestErrorOfAWholeLongRow) {
    const Operator definition = tile("out = (x + 1) - x", {"x:P,D"});
    const Body body = *analyse(definition);
    const Case binding{"long", DType::f32, {{"P", 1}, {"D", 150'000}}};
    const Accuracy accuracy;
    // f32 loses the 1 at the first element only, so the row's largest error is 1.
    const Elements inputs = [](int, std::int64_t first, std::span<double> values) {
        std::ranges::fill(values, 0);
        if (first == 0) values[0] = 1e9;
    };
    std::vector<float> outputs(150'000, 1);
    const std::byte* const pointer = reinterpret_cast<const std::byte*>(outputs.data());
    const Criteria criteria{definition, body, binding, accuracy, inputs};
    outputs[140'000] = 1 + 3.9f;
    EXPECT_EQ(judge(criteria, std::span(&pointer, 1), {}).status, Status::ok);
    outputs[140'000] = 1 + 4.1f;
    EXPECT_EQ(judge(criteria, std::span(&pointer, 1), {}).metrics.mismatches, 1);
}

TEST(Judge, JudgesSmallOutputsAsStrictlyAsLargeOnes) {
    Judged check(tile(softmax, {"x:P,D"}), 2, 8192);
    for (double& value : check.outputs[0]) value += 1e-6;  // within atol, but s is about 2e-4
    EXPECT_EQ(check.judge().status, Status::mismatch);
}

TEST(Judge, AllowsFlushedDenormals) {
    Judged check(tile("out = x * 0.001", {"x:P,D"}), 2, 64, DType::f32, InputSet::tiny);
    for (double& value : check.outputs[0]) {
        if (std::abs(value) < smallest_normal(DType::f32)) value = 0;
    }
    EXPECT_EQ(check.judge().status, Status::ok);
}

TEST(Judge, WantsIntegersExactly) {
    Judged check(tile("out = x + x", {"x:P,D"}), 4, 64, DType::i32);
    check.outputs[0][70] += 1;
    const CaseAccuracy judged = check.judge();
    EXPECT_EQ(judged.metrics.mismatches, 1);
    EXPECT_THAT(judged.reason, HasSubstr("exactly"));
}

TEST(Judge, JudgesEveryOutputAndOutputsOfOneValueARow) {
    Operator two = tile("out = x - row_mean(x); mean = row_mean(x)", {"x:P,D"});
    two.outputs.push_back(testing::tensor("mean:P,1"));
    Judged check(two, 5, 5000);
    EXPECT_EQ(check.judge().status, Status::ok);
    EXPECT_EQ(check.judge().metrics.elements, 5 * 5000 + 5);
    check.outputs[1][4] += 1;
    const CaseAccuracy judged = check.judge();
    ASSERT_EQ(judged.first_mismatches.size(), 1u);
    EXPECT_EQ(judged.first_mismatches[0].output, "mean");
    EXPECT_THAT(judged.first_mismatches[0].index, ::testing::ElementsAre(4, 0));
}

TEST(Judge, JudgesEveryElementOfOneLongVector) {
    Judged check(tile("out = x + y", {"x:D", "y:D"}, "out:D"), 1, 1'000'003);
    EXPECT_EQ(check.judge().metrics.elements, 1'000'003);
    check.outputs[0].back() += 1;
    const CaseAccuracy judged = check.judge();
    ASSERT_EQ(judged.first_mismatches.size(), 1u);
    EXPECT_THAT(judged.first_mismatches[0].index, ::testing::ElementsAre(1'000'002));
}

TEST(Judge, IsCancelledByItsStopToken) {
    std::stop_source source;
    source.request_stop();
    EXPECT_EQ(Judged(bias_add, 64, 64).judge(source.get_token()).status, Status::cancelled);
}

TEST(Judge, MeasuresErrorsAndTheirQuantiles) {
    Judged check(tile("out = x * 0", {"x:P,D"}), 1, 1000, DType::f64);
    for (std::size_t i = 0; i < 1000; ++i) check.outputs[0][i] = static_cast<double>(i) * 1e-3;
    const ErrorMetrics metrics = check.judge().metrics;
    EXPECT_EQ(metrics.exact, 1);
    EXPECT_DOUBLE_EQ(metrics.max_absolute, 0.999);
    EXPECT_NEAR(metrics.mean_absolute, 0.4995, 1e-9);
    EXPECT_NEAR(metrics.p50_absolute, 0.5, 0.005);
    EXPECT_NEAR(metrics.p90_absolute, 0.9, 0.009);
    EXPECT_NEAR(metrics.p99_absolute, 0.99, 0.0099);
    EXPECT_EQ(std::accumulate(metrics.histogram.begin(), metrics.histogram.end(), std::int64_t{0}), 999);
    // 10^-0.25 ≤ e < 1: 0.563 to 0.999.
    EXPECT_NEAR(static_cast<double>(metrics.histogram[79]), 437, 10);
}

TEST(Judge, TellsHowFarTheDistributionIsFromTheReferences) {
    Judged same(tile("out = x * 2", {"x:P,D"}), 1, 1000, DType::f64);
    EXPECT_EQ(same.judge().metrics.kl_divergence, 0);
    Judged moved(tile("out = x * 0 + 1", {"x:P,D"}), 1, 1000, DType::f64);
    for (std::size_t i = 0; i < 1000; ++i) moved.outputs[0][i] = i < 500 ? 1 : 3;
    // p is 1000 elements in one bin and 0 in the other, q is 500 and 500; half an element more in each.
    const double p = 1000.5 / 1001, q = 500.5 / 1001;
    EXPECT_NEAR(moved.judge().metrics.kl_divergence, p * std::log(p / q) + (1 - p) * std::log((1 - p) / q), 1e-12);
}

TEST(Judge, CountsWhatIsAtAnEndOfTheTypesRange) {
    Judged check(tile("out = x * 0 + 1e5", {"x:P,D"}), 1, 1000, DType::f16);
    for (std::size_t i = 0; i < 1000; ++i) check.outputs[0][i] = i < 200 ? infinity : i < 500 ? 65504 : 60000;
    EXPECT_DOUBLE_EQ(check.judge().metrics.clip_ratio, 0.5);
    Judged infinite(tile("out = x * 0 + 1e200 * 1e200", {"x:P,D"}), 1, 10, DType::f16);
    for (std::size_t i = 0; i < 10; ++i) infinite.outputs[0][i] = infinity;
    EXPECT_EQ(infinite.judge().metrics.clip_ratio, 0) << "the reference is infinite";
}

TEST(TooLoose, RefusesAToleranceUnderWhichZerosPass) {
    Judged check(bias_add, 64, 64);
    check.accuracy.f32 = Tolerance{0.1, 0.5};
    const std::optional<std::string> reason = check.looseness();
    ASSERT_TRUE(reason);
    EXPECT_THAT(*reason, HasSubstr("too loose"));
    EXPECT_THAT(*reason, HasSubstr("rtol 1.3e-06, atol 1e-05"));
}

TEST(TooLoose, RefusesAToleranceUnderWhichExchangedRowsPass) {
    Judged check(tile("out = 100 + x", {"x:P,D"}), 64, 64);
    check.accuracy.f32 = Tolerance{0.2, 0};
    const std::optional<std::string> reason = check.looseness();
    ASSERT_TRUE(reason);
    EXPECT_THAT(*reason, HasSubstr("exchanged"));
}

TEST(TooLoose, AcceptsOrdinaryTolerances) {
    const std::vector<Operator> operators = {bias_add,
                                             tile("out = relu(x)", {"x:P,D"}),
                                             tile(softmax, {"x:P,D"}),
                                             tile("out = 0.5 * x * (1 + erf(x * 0.7071067811865476))", {"x:P,D"}),
                                             tile("out = row_sum(x)", {"x:P,D"}, "out:P,1"),
                                             tile("out = x + y", {"x:D", "y:D"}, "out:D"),
                                             tile("out = bias + 0 * x", {"x:P,D", "bias:D"}),
                                             tile(layer_norm, {"x:P,D", "gamma:D", "beta:D"})};
    for (const Operator& definition : operators) {
        for (const auto& [rows, columns] : {std::pair{1, 1}, {2, 3}, {64, 4096}, {700, 2100}}) {
            Judged check(definition, rows, columns);
            check.accuracy.f32 = Tolerance{1e-3, 1e-3};
            EXPECT_FALSE(check.looseness()) << definition.body << " " << rows << "×" << columns << *check.looseness();
        }
    }
}

TEST(TooLoose, LeavesDefaultsAndIntegersAlone) {
    Judged check(bias_add, 8, 8, DType::bf16);
    check.accuracy.f32 = Tolerance{1, 1};
    EXPECT_FALSE(check.looseness());
    check.binding.dtype = DType::i32;
    check.accuracy.named[DType::i32] = Tolerance{1, 1};
    EXPECT_FALSE(check.looseness());
}

}  // namespace
}  // namespace kernelgen
