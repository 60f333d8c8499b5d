// SPDX-License-Identifier: Apache-2.0
// Batches of the same calls in two places, as a machine that others use gives them.
#include "core/bench/alternations.h"

#include <gmock/gmock.h>

#include <random>

namespace kernelgen {
namespace {

using Longer = Alternations::Longer;

constexpr Alternations::Limit limit = {1.1, 1e-6};

/// Batches of calls of 160 us; in the second place they take `ratio` times as long. `busy`: for how many batches in a
/// row other programs make the calls longer, by up to 40 %, in both places alike.
Alternations alternations(double ratio, int pairs, int busy = 0) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> share(0, 1);
    Alternations made;
    for (int i = 0; i < pairs; ++i) {
        const double machine = busy > 0 && i / busy % 2 == 1 ? 1.4 : 1;
        std::vector<double> first, second;
        for (int call = 0; call < 9; ++call) {
            first.push_back(160e-6 * (machine + 0.04 * share(random)));
            second.push_back(160e-6 * ratio * (machine + 0.04 * share(random)));
        }
        made.add(first, second);
    }
    return made;
}

TEST(Alternations, SayNothingWhileTheyAreFew) {
    EXPECT_EQ(alternations(2, 7).longer(limit), Longer::unknown);
    EXPECT_EQ(alternations(2, 8).longer(limit), Longer::yes);
    Alternations forgotten = alternations(2, 8);
    forgotten.forget();
    EXPECT_EQ(forgotten.pairs(), 0);
    EXPECT_EQ(forgotten.longer(limit), Longer::unknown);
}

TEST(Alternations, TellWhatIsWithinTheLimitAndWhatIsBeyond) {
    for (const int busy : {0, 1, 3}) {
        EXPECT_EQ(alternations(1.05, 20, busy).longer(limit), Longer::no) << busy;
        EXPECT_EQ(alternations(1.2, 20, busy).longer(limit), Longer::yes) << busy;
    }
}

/// The ratio that was once seen of an honest kernel on a machine that others used.
TEST(Alternations, LeaveOpenWhatIsAtTheLimit) { EXPECT_EQ(alternations(1.107, 20, 3).longer(limit), Longer::unknown); }

TEST(Alternations, AllowAFewMicrosecondsForColdCode) {
    Alternations short_calls;
    for (int i = 0; i < 10; ++i) short_calls.add(std::vector{2e-6}, std::vector{2.9e-6});
    EXPECT_EQ(short_calls.longer(limit), Longer::no);
    EXPECT_EQ(short_calls.longer({1.1, 0}), Longer::yes);
}

/// One batch during which the second place was disturbed says nothing, however much it was.
TEST(Alternations, AreNotDecidedByOneOfThem) {
    Alternations disturbed = alternations(1, 10);
    disturbed.add(std::vector{160e-6}, std::vector{900e-6});
    EXPECT_EQ(disturbed.longer(limit), Longer::no);
}

}  // namespace
}  // namespace kernelgen
