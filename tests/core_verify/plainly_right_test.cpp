// SPDX-License-Identifier: Apache-2.0
#include "core/verify/plainly_right.h"

#include <gtest/gtest.h>

#include <limits>

#include "core/verify/reference_cache.h"
#include "core/verify/tolerance.h"
#include "tests/core_verify/judging.h"

namespace kernelgen {
namespace {

using testing::infinity;
using testing::Judged;
using testing::softmax;
using testing::tile;

/// Which facts are known beside the outputs.
struct Known {
    bool reference = true, scales = true;
};

Reference reference_of(const Judged& judged) {
    Reference reference;
    for (const std::vector<double>& values : judged.evaluate(judged.definition)) {
        reference.expected.push_back(std::make_unique<double[]>(values.size()));
        std::ranges::copy(values, reference.expected.back().get());
    }
    return reference;
}

bool is_right(const Judged& judged, const Known& known = {}, std::stop_token stop = {}) {
    const Body body = judged.body();
    const Reference reference = reference_of(judged);
    Criteria criteria{judged.definition, body, judged.binding, judged.accuracy,
                      generated_inputs(judged.definition, judged.binding, judged.set, judged.seed)};
    if (known.reference) criteria.known = &reference;
    if (known.scales) criteria.scales = judged.judge().scales;
    const std::vector<std::vector<std::byte>> bytes = judged.stored();
    return is_plainly_right(criteria, testing::pointers_to(bytes), std::move(stop));
}

/// 20,000 elements, of which a thread looks at 16,384 at a time.
Judged copied(DType dtype = DType::f32, InputSet set = InputSet::normal) {
    return {tile("out = x", {"x:P,D"}), 2, 10'000, dtype, set};
}

/// Moves an element away from the reference by so many tolerances.
void move(Judged& judged, std::size_t element, double tolerances) {
    const Tolerance tolerance = default_tolerance(judged.binding.dtype);
    double& value = judged.outputs[0][element];
    value += tolerances * (tolerance.rtol * std::abs(value) + tolerance.atol);
}

TEST(PlainlyRight, HoldsOfOutputsWithinTheTolerance) {
    EXPECT_TRUE(is_right(copied()));
    EXPECT_TRUE(is_right(copied(DType::f16)));
    EXPECT_TRUE(is_right({tile(softmax, {"x:P,D"}), 3, 500, DType::bf16}));
    Judged judged = copied();
    for (std::size_t i = 0; i < judged.outputs[0].size(); ++i) move(judged, i, i % 2 == 0 ? 0.5 : -0.5);
    EXPECT_TRUE(is_right(judged));
}

TEST(PlainlyRight, FailsWhereOneElementIsBeyondTheTolerance) {
    for (const std::size_t element : {0, 16'383, 16'384, 19'999}) {
        for (const double tolerances : {2.0, -2.0}) {
            Judged judged = copied();
            move(judged, element, tolerances);
            EXPECT_FALSE(is_right(judged)) << element << ", " << tolerances;
        }
    }
}

TEST(PlainlyRight, FailsWhereTheSecondOutputIsWrong) {
    Operator definition = tile("out = x; sum = row_sum(x)", {"x:P,D"});
    definition.outputs.push_back(testing::tensor("sum:P"));
    Judged judged(definition, 3, 5);
    EXPECT_TRUE(is_right(judged));
    judged.outputs[1][2] += 1;
    EXPECT_FALSE(is_right(judged));
}

TEST(PlainlyRight, FailsWhereNanOrInfinityStandsForANumber) {
    for (const double wrong : {std::numeric_limits<double>::quiet_NaN(), infinity, -infinity}) {
        Judged judged = copied();
        judged.outputs[0][17'000] = wrong;
        EXPECT_FALSE(is_right(judged)) << wrong;
    }
}

TEST(PlainlyRight, LeavesReferencesThatAreNotFiniteToTheJudge) {
    for (const InputSet set : {InputSet::nan, InputSet::infinity}) {
        const Judged judged = copied(DType::f32, set);
        EXPECT_FALSE(is_right(judged));
        EXPECT_EQ(judged.judge().status, Status::ok);
    }
}

TEST(PlainlyRight, LeavesReferencesBeyondTheLargestFiniteValueToTheJudge) {
    EXPECT_TRUE(is_right({tile("out = x * 0 + 65500", {"x:P,D"}), 2, 7, DType::f16}));
    EXPECT_FALSE(is_right({tile("out = x * 0 + 65510", {"x:P,D"}), 2, 7, DType::f16}));  // stored as 65504
}

TEST(PlainlyRight, HoldsOfIntegersThatAreEqualOnly) {
    Judged judged = copied(DType::i32);
    EXPECT_TRUE(is_right(judged));
    judged.outputs[0][19'999] += 1;
    EXPECT_FALSE(is_right(judged));
}

TEST(PlainlyRight, SaysNothingWithoutAReferenceAndItsScales) {
    EXPECT_FALSE(is_right(copied(), {.reference = false}));
    EXPECT_FALSE(is_right(copied(), {.scales = false}));
}

TEST(PlainlyRight, SaysNothingWhereItWasStopped) {
    std::stop_source stopped;
    stopped.request_stop();
    EXPECT_FALSE(is_right(copied(), {}, stopped.get_token()));
}

}  // namespace
}  // namespace kernelgen
