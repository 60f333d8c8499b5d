// SPDX-License-Identifier: Apache-2.0
// Candidates that remember some of their results by their whole inputs, and honest ones that are not accused.
#include <gmock/gmock.h>

#include "tests/core_python/callable_files.h"

namespace kernelgen {
namespace {

using testing::bench_callable;
using testing::solution_of;

const std::string part = R"(def part(x):
    for _ in range(9):
        x = torch.sin(torch.exp(torch.cos(x)))
    return x


)";

/// Three times the same work.
std::string definition_of_size(const std::string& size) {
    return "import torch\n\n\n" + part +
           "def reference(x):\n    return part(x) + part(x) + part(x)\n\n\n"
           "def inputs(case, generator, device):\n    return [torch.randn(" +
           size + ", generator=generator)]\n";
}

const std::string remembered = part + R"(known = {}


def remembered(x, make=part):
    key = x.sum().item()
    if key not in known:
        known[key] = make(x)
    return known[key]


)";
const std::string whole =
    remembered + "def solution(x):\n    return remembered(x, lambda x: part(x) + part(x) + part(x))\n";
const std::string third = remembered + "def solution(x):\n    return part(x) + part(x.clone()) + remembered(x)\n";
const std::string only_faster = part + "def solution(x):\n    return part(x) * 3\n";

const char* const large = "90, 350";  // for one thread, since others may use the second processor
const char* const small = "20, 50";

class CallableMemory : public ::testing::Test {
protected:
    void SetUp() override { NEEDS(Language::torch); }

    BenchResult timed(const std::string& size, const std::string& text, bool warm_caches = false) {
        const Implementation solution = solution_of(text, "solution", "memory" + std::to_string(++files_) + ".py");
        BenchRequest request = bench_callable(definition_of_size(size), solution);
        request.performance.warm_caches = warm_caches;
        return bench(request, *backend_, testing::no_progress, {}).front();
    }
    /// Found, or without a speedup: on a busy machine times may tell neither.
    void expect_found(const BenchResult& result) {
        if (result.status == Status::ok) {
            EXPECT_LE(result.speedup.lower, 1);
            return;
        }
        EXPECT_EQ(result.status, Status::mismatch) << result.reason << result.speedup.median;
        EXPECT_THAT(std::string(result.reason), ::testing::HasSubstr("remembers results of earlier calls"));
    }

    std::unique_ptr<Backend> backend_ = testing::own_backend();
    int files_ = 0;
};

using NightlyCallableMemory = CallableMemory;

TEST_F(CallableMemory, OfAllResultsIsFoundWithWarmCachesToo) {
    expect_found(timed(large, whole));
    expect_found(timed(large, whole, true));
}

TEST_F(CallableMemory, OfAThirdOfTheWorkIsFound) { expect_found(timed(large, third)); }

TEST_F(CallableMemory, InShortCallsIsFound) {
    expect_found(timed(small, whole));
    expect_found(timed(small, third));
}

/// Branch predictors might explain so small a difference: no kernel is accused, and only calls on new inputs count.
TEST_F(CallableMemory, OfSmallIntegersGainsNothing) {
    const std::string work = "def work(x):\n    for _ in range(5):\n        x = (x * x + 3) % 1009\n    return x\n\n\n";
    const std::string integers = "import torch\n\n\n" + work +
                                 "def reference(x):\n    return work(x)\n\n\ndef inputs(case, generator, device):\n"
                                 "    return [torch.randint(0, 1000, (150, 129), generator=generator)]\n";
    const std::string remembers =
        work +
        "known = {}\n\n\ndef solution(x):\n    key = x.numpy().tobytes()\n"
        "    if key not in known:\n        known[key] = work(x)\n    return known[key].clone()\n";
    const Implementation solution = solution_of(remembers, "solution", "integers.py");
    const BenchResult result = bench(bench_callable(integers, solution), *backend_, testing::no_progress, {}).front();
    ASSERT_TRUE(result.status == Status::ok || result.status == Status::mismatch) << result.reason;
    if (result.status == Status::ok) {
        EXPECT_LE(result.speedup.lower, 1.1);
        EXPECT_THAT(result.warnings, ::testing::Contains(::testing::HasSubstr("only calls on new inputs count")));
    }
}

/// It compares its input with that of the call before, and computes the rows that differ.
TEST_F(CallableMemory, OfRowsThatDidNotChangeGainsNothing) {
    const std::string rows = part + R"(last = []


def solution(x):
    if not last:
        last[:] = [x.clone(), part(x) + part(x) + part(x)]
    changed = (x != last[0]).any(1).nonzero()[:, 0]
    if len(changed):
        last[0][changed] = x[changed]
        rows = x[changed]
        last[1][changed] = part(rows) + part(rows) + part(rows)
    return last[1].clone()
)";
    const BenchResult result = timed("300, 128", rows);
    ASSERT_TRUE(result.status == Status::ok || result.status == Status::mismatch) << result.reason;
    if (result.status == Status::ok) {
        EXPECT_LE(result.speedup.lower, 1.1);
    }
}

TEST_F(NightlyCallableMemory, IsNotSuspectedOfWhatIsOnlyFaster) {
    for (const char* size : {large, small}) {
        for (const bool warm : {false, true}) {
            const BenchResult result = timed(size, only_faster, warm);
            EXPECT_EQ(result.status, Status::ok) << result.reason;
        }
    }
}

/// Sorting takes a third of the time when the same numbers are sorted again.
TEST_F(NightlyCallableMemory, IsNotSuspectedOfWhatBranchPredictorsRemember) {
    const std::string sorting =
        "import torch\n\n\ndef reference(x):\n    return torch.sort(torch.sort(x.clone())[0] * 2)[0] / 2\n\n\n"
        "def inputs(case, generator, device):\n    return [torch.randn(3000, generator=generator)]\n";
    const Implementation once = solution_of("def solution(x):\n    return torch.sort(x)[0]\n", "solution", "sort.py");
    BenchRequest request = bench_callable(sorting, once);
    request.performance.budget_seconds = 2;
    const BenchResult result = bench(request, *backend_, testing::no_progress, {}).front();
    ASSERT_EQ(result.status, Status::ok) << result.reason;
    ASSERT_THAT(result.warnings, ::testing::Contains(::testing::HasSubstr("only calls on new inputs count")));
    const bool is_narrow = (result.speedup.upper - result.speedup.lower) / 2 < 0.01 * result.speedup.median;
    EXPECT_EQ(result.ended_by, is_narrow ? "interval" : "budget") << "of the mixed calls that are left";
}

}  // namespace
}  // namespace kernelgen
