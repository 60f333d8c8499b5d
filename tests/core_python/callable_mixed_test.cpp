// SPDX-License-Identifier: Apache-2.0
// Which turns of a timing are mixed, which count, and what is judged of them (core/bench/output_watch.h).
#include <gmock/gmock.h>

#include "core/bench/described_sides.h"
#include "core/bench/output_watch.h"
#include "core/verify/yardstick.h"
#include "tests/core_python/callable_files.h"

namespace kernelgen {
namespace {

using testing::bench_callable;
using testing::solution_of;

const std::string mixed_floats = R"(import torch


def reference(x):
    return torch.tanh(x)


def inputs(case, generator, device):
    return [torch.randn(700, generator=generator)]
)";
const std::string mixed_integers = R"(import torch


def reference(x):
    return x * 3


def inputs(case, generator, device):
    return [torch.randint(0, 1000, (700,), generator=generator)]
)";
const std::string mixed_right = "def solution(x):\n    return torch.tanh(x)\n";
/// Wrong on what it has not seen in its first 30 calls.
const std::string mixed_forgets = R"(seen = set()
calls = [0]


def solution(x):
    key = bytes(x.numpy().data)
    calls[0] += 1
    if calls[0] <= 30:
        seen.add(key)
    return torch.tanh(x) if key in seen else torch.zeros_like(x)
)";

/// A yardstick that counts how often it is asked whether an operator is defined on some inputs.
class CountingYardstick final : public Yardstick {
public:
    explicit CountingYardstick(Yardstick& asked) : asked_(asked) {}

    Outcome make_inputs(const Call& call, const Layout& layout, std::byte* arena, InputSet set,
                        std::uint64_t seed) override {
        return asked_.make_inputs(call, layout, arena, set, seed);
    }
    void write_span(const Call& call, const InputSpan& span, std::uint64_t seed, std::byte* destination) override {
        asked_.write_span(call, span, seed, destination);
    }
    bool applies(const Check& check) override {
        ++asked;
        return asked_.applies(check);
    }
    CaseAccuracy judge(const Check& check, const Call& call, const Layout& layout, const std::byte* arena,
                       std::stop_token stop, const Part& part) override {
        return asked_.judge(check, call, layout, arena, std::move(stop), part);
    }
    std::optional<Said> too_loose(const Check& check) override { return asked_.too_loose(check); }
    void dump_expected(const Check& check, const std::string& folder) override { asked_.dump_expected(check, folder); }

    int asked = 0;

private:
    Yardstick& asked_;
};

/// The watch of a timing of `solution`, whose inputs hold NaN or infinities from now on.
class Watched {
public:
    Watched(const std::string& definition, const std::string& solution, const std::string& file)
        : request_(bench_callable(definition, solution_of(solution, "solution", file))) {
        EXPECT_TRUE(describe_sides(request_, *backend_, {}).ok());
        const YardstickRequest wanted{request_.definition, request_.accuracy, request_.reference, "cpu"};
        EXPECT_TRUE(make_yardstick(wanted, *backend_, progress_, {}, asked_).ok());
        EXPECT_TRUE(asked_->prepare({request_.binding}).ok());
        yardstick.emplace(*asked_);
        rotation.emplace(request_, *backend_, progress_, std::stop_token());
        EXPECT_TRUE(rotation->build().ok());
        EXPECT_TRUE(rotation->start(OutputWatch::arena_bytes(request_.definition, request_.binding)).ok());
        EXPECT_TRUE(rotation->prepare(1).ok());
        watch.emplace(request_, *yardstick, *rotation, random_, std::stop_token());
        const TimingFailure renewed = watch->renew(OutputWatch::Second::special);
        EXPECT_TRUE(renewed.ok()) << renewed.reason;
    }
    SampleRequest draw() { return rotation->draw_turns(60, random_); }

private:
    std::unique_ptr<Backend> backend_ = testing::own_backend();
    BenchRequest request_;
    Progress progress_ = testing::no_progress;
    std::unique_ptr<Yardstick> asked_;
    std::mt19937_64 random_{5};

public:
    std::optional<CountingYardstick> yardstick;
    std::optional<Rotation> rotation;
    std::optional<OutputWatch> watch;
};

class CallableMixed : public ::testing::Test {
protected:
    void SetUp() override { NEEDS(Language::torch); }
};

TEST_F(CallableMixed, TurnsWithNaNOrInfinitiesDoNotCount) {
    Watched made(mixed_floats, mixed_right, "mixed_nan.py");
    SampleRequest request = made.draw();
    made.watch->prepare(request);
    const std::vector<bool> counted = made.watch->counted_turns(request);
    std::int64_t with_special = 0;
    std::size_t place = 0;
    for (std::size_t turn = 0; turn < request.turns.size(); ++turn) {
        bool is_special = false;  // in any of its calls; the unit with these values is the only one that is not mixing
        for (const int side : request.turns[turn]) {
            const bool has = (request.states[place++] & 1) != 0;
            EXPECT_FALSE(has && side == 0) << "the baseline gets none";
            is_special |= has;
        }
        EXPECT_EQ(counted[turn], !is_special) << turn;
        with_special += is_special;
    }
    EXPECT_GT(with_special, 0);
    EXPECT_GT(std::ranges::count(counted, true), 30) << "most turns count";
}

TEST_F(CallableMixed, ATurnThatIsMixedToBeJudgedIsNotComparedWithOthers) {
    Watched made(mixed_floats, mixed_right, "mixed_turns.py");
    SampleRequest request = made.draw();
    Samples samples;
    ASSERT_TRUE(made.watch->sample_judged(1, OutputWatch::Judged::mixed, request, samples).ok());
    const std::size_t judged = request.capture.value().turn;
    const std::vector<bool> compared = made.watch->compared_turns(request);
    EXPECT_TRUE(made.watch->mixed_turns(request)[judged]);
    EXPECT_FALSE(compared[judged]);
    EXPECT_EQ(std::ranges::count(compared, false), 1) << "others are mixed by chance alone";
    request = made.draw();
    ASSERT_TRUE(made.watch->sample_judged(1, OutputWatch::Judged::any, request, samples).ok());
    EXPECT_EQ(std::ranges::count(made.watch->compared_turns(request), false), 0);
}

TEST_F(CallableMixed, WhatIsWrongOnNewInputsOnlyIsFoundWhenAMixedCallIsJudged) {
    Watched made(mixed_floats, mixed_forgets, "mixed_wrong.py");
    Samples samples;
    for (int batch = 0; batch < 2; ++batch) {
        SampleRequest request = made.draw();
        ASSERT_TRUE(made.watch->sample(request, samples).ok());
        const TimingFailure checked = made.watch->check(request, samples);
        EXPECT_TRUE(checked.ok()) << "the checksums of mixed calls are not known: " << checked.reason;
    }
    EXPECT_EQ(made.watch->judged_mixed_calls(1), 0);
    SampleRequest request = made.draw();
    const TimingFailure surprised = made.watch->sample_judged(1, OutputWatch::Judged::mixed, request, samples);
    EXPECT_EQ(surprised.status, Status::mismatch) << surprised.reason;
    EXPECT_EQ(surprised.side, 1);
    EXPECT_EQ(made.watch->judged_mixed_calls(1), 1);
}

class NightlyCallableMixed : public CallableMixed {};

/// When it has seen many contents, all mixed calls that must be judged have been: only a surprise finds it.
TEST_F(NightlyCallableMixed, CallsAreJudgedToTheEnd) {
    const std::string waits = R"(seen = set()


def solution(x):
    key = bytes(x.numpy().data)
    is_new = key not in seen
    seen.add(key)
    made = torch.tanh(x)
    for _ in range(100):
        torch.tanh(x)
    return torch.zeros_like(x) if is_new and len(seen) > 400 else made
)";
    const std::unique_ptr<Backend> backend = testing::own_backend();
    BenchRequest request = bench_callable(mixed_floats, solution_of(waits, "solution", "mixed_waits.py"));
    request.performance.budget_seconds = 8;
    const BenchResult result = bench(request, *backend, testing::no_progress, {}).front();
    EXPECT_EQ(result.status, Status::mismatch) << result.reason << result.ended_by;
    EXPECT_THAT(std::string(result.reason), ::testing::HasSubstr("the outputs of a timed call of"));
}

TEST_F(CallableMixed, TheReferenceIsAskedOfNaNOnlyWhereAnInputTakesIt) {
    EXPECT_GT(Watched(mixed_floats, mixed_right, "mixed_floats.py").yardstick->asked, 0);
    const std::string tripled = "def solution(x):\n    return x * 3\n";
    EXPECT_EQ(Watched(mixed_integers, tripled, "mixed_integers.py").yardstick->asked, 0);
    const std::string linked = mixed_floats + "\n\nlinked = ['x']\n";
    EXPECT_EQ(Watched(linked, mixed_right, "mixed_linked.py").yardstick->asked, 0);
}

}  // namespace
}  // namespace kernelgen
