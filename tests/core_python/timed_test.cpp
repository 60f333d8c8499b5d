// SPDX-License-Identifier: Apache-2.0
// Python variants whose calls are timed, among them those that would be faster than they are.
#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <format>

#include "tests/core_python/variants.h"

namespace kernelgen {
namespace {

using ::testing::HasSubstr;
using testing::torch_variant;
using testing::triton_variant;

TEST(TorchVariant, IsTimedAgainstACppKernelInOneProcess) {
    NEEDS(Language::torch);
    BenchRequest request;
    request.definition = testing::bias_add_operator();
    request.binding = {"timed", DType::f32, {{"P", 300}, {"D", 1000}}};
    request.performance.budget_seconds = 0.5;
    request.candidates = {torch_variant("return x + bias")};
    request.baseline.variant.name = "host";
    request.baseline.variant.source = "bias_add.cpp";
    request.baseline.variant.entry = "bias_add";
    Launch launch;
    launch.grid = {"P"};
    launch.args = {"x", "bias", "out", "P", "D"};
    request.baseline.variant.launches = {launch};
    request.baseline.text =
        "#include <stdint.h>\nextern \"C\" void bias_add(const float* x, const float* bias, float* out, int64_t, "
        "int64_t D, int64_t row, int64_t, int64_t) {\n"
        "    for (int64_t d = 0; d < D; ++d) out[row * D + d] = x[row * D + d] + bias[d];\n}\n";
    Backend* const backend = testing::host_backend();
    const BenchResult result = bench(request, *backend, testing::no_progress, {}).front();
    ASSERT_EQ(result.status, Status::ok) << result.reason;
    EXPECT_GE(result.speedup.pairs, 20);
    EXPECT_GE(result.checked_calls, 4);
    EXPECT_GT(result.compared_calls, 40);
}

TEST(TorchVariant, ThatIsRightOnlyWhenWatchedIsFoundWhileItIsTimed) {
    NEEDS(Language::torch);
    BenchRequest request;
    request.definition = testing::bias_add_operator();
    request.binding = {"timed", DType::f32, {{"P", 30}, {"D", 100}}};
    request.performance.budget_seconds = 0.5;
    request.candidates = {torch_variant("known.append(x + bias); return known[0]", "known = []")};
    request.baseline = torch_variant("return x + bias");
    request.baseline.variant.name = "baseline";
    Backend* const backend = testing::host_backend();
    const BenchResult result = bench(request, *backend, testing::no_progress, {}).front();
    EXPECT_EQ(result.status, Status::mismatch) << result.reason;
}

/// A candidate and a baseline of 4 million elements, timed with each other.
BenchResult time_torch(const Operator& definition, const Implementation& candidate, Implementation baseline,
                       Backend& backend = *testing::host_backend()) {
    BenchRequest request;
    request.definition = definition;
    request.binding = {"timed", DType::f32, {{"P", 2000}, {"D", 2000}}};
    request.performance.budget_seconds = 0.5;
    request.candidates = {candidate};
    request.baseline = std::move(baseline);
    request.baseline.variant.name = "baseline";
    return bench(request, backend, testing::no_progress, {}).front();
}

TEST(TorchVariant, ThatMakesPyTorchSlowerForTheBaselineIsFound) {
    NEEDS(Language::torch);
    const std::string slow_add =
        "fast_add = torch.add\n\n\ndef slow_add(a, b):\n    for _ in range(20): fast_add(a, b)\n"
        "    return fast_add(a, b)\n\n\ntorch.add = slow_add";
    const Implementation candidate = torch_variant("return fast_add(x, bias)", slow_add);
    const BenchResult result = time_torch(testing::bias_add_operator(), candidate,
                                          torch_variant("return torch.add(x, bias)"), *testing::own_backend());
    EXPECT_EQ(result.status, Status::implausible) << result.speedup.median;
    EXPECT_THAT(result.reason, HasSubstr("in a process of its own"));
}

TEST(NightlyTorchVariant, BesideWhichTheBaselineIsSlowInOneProcessOnlyIsTimedOnceMore) {
    NEEDS(Language::torch);
    const std::string mark = (std::filesystem::temp_directory_path() / std::format("timed-{}", ::getpid())).string();
    const std::string slow_at_first =
        "import os\nfast_add = torch.add\n\n\ndef slow_add(a, b):\n    for _ in range(20): fast_add(a, b)\n"
        "    return fast_add(a, b)\n\n\nif not os.path.exists('" +
        mark + "'):\n    open('" + mark + "', 'w').close()\n    torch.add = slow_add";
    const Implementation candidate = torch_variant("return fast_add(x, bias)", slow_at_first);
    const BenchResult result = time_torch(testing::bias_add_operator(), candidate,
                                          torch_variant("return torch.add(x, bias)"), *testing::own_backend());
    EXPECT_EQ(result.status, Status::ok) << result.reason;
    EXPECT_LT(result.speedup.median, 3);
    EXPECT_TRUE(std::filesystem::remove(mark));  // it was slow in the first process
}

TEST(NightlyTorchVariant, ThatSetsFewerThreadsLeavesTheBaselineAllOfThem) {
    NEEDS(Language::torch);
    const std::string counts = "import os\nthreads = len(os.sched_getaffinity(0))";
    const BenchResult result = time_torch(
        testing::bias_add_operator(), torch_variant("torch.set_num_threads(1)\n    return x + bias"),
        torch_variant("assert torch.get_num_threads() == threads, 'threads were taken'\n    return x + bias", counts),
        *testing::own_backend());
    EXPECT_EQ(result.status, Status::ok) << result.reason;
}

TEST(TorchVariant, ThatIsFasterByItsOwnWorkIsNotTakenForOneThatSlowsTheBaseline) {
    NEEDS(Language::torch);
    const BenchResult result = time_torch(testing::bias_add_operator(), torch_variant("return torch.add(x, bias)"),
                                          torch_variant("torch.add(x, bias)\n    return torch.add(x, bias)"));
    EXPECT_EQ(result.status, Status::ok) << result.reason;
    EXPECT_GT(result.speedup.lower, 1);
}

TEST(TorchVariant, ThatReturnsAViewIsTimedWithItsCopy) {
    NEEDS(Language::torch);
    Operator negation = testing::bias_add_operator();
    negation.inputs.pop_back();
    negation.body = "out = -x";
    Implementation lazy = torch_variant(""), eager = lazy;
    lazy.text = "import torch\n\n\ndef bias_add(x):\n    return torch._neg_view(x)\n";
    eager.text = "import torch\n\n\ndef bias_add(x):\n    return -x\n";
    const BenchResult result = time_torch(negation, lazy, eager);
    ASSERT_EQ(result.status, Status::ok) << result.reason;
    EXPECT_LT(result.speedup.median, 5);  // without the copy it is over 100
}

TEST(TorchVariant, ThatComputesAheadWhenItsResultIsFreedIsFound) {
    NEEDS(Language::torch);
    const Implementation candidate = torch_variant(
        "out = ahead.pop() if ahead else x + bias\n    ahead.clear()\n    calls.append(1)\n"
        "    if len(calls) > 20:\n        out.ahead = Ahead(x, bias)\n    return out",
        "ahead, calls = [], []\n\n\nclass Ahead:\n    def __init__(self, x, bias):\n        self.inputs = x, bias\n\n"
        "    def __del__(self):\n        ahead.append(self.inputs[0] + self.inputs[1])\n");
    const BenchResult result = time_torch(testing::bias_add_operator(), candidate, torch_variant("return x + bias"));
    EXPECT_EQ(result.status, Status::mismatch) << result.reason;
}

TEST(TorchVariant, ThatReturnsWhatTheBaselineHasJustComputedIsFound) {
    NEEDS(Language::torch);
    const Implementation candidate = torch_variant(
        "calls, out = getattr(builtins, 'computed', (0, None))\n    if calls == seen[0]:\n        return x + bias\n"
        "    seen[0] = calls\n    return out.clone()",
        "import builtins\n\nseen = [0]\n");
    const Implementation baseline = torch_variant(
        "builtins.computed = (getattr(builtins, 'computed', (0, None))[0] + 1, x + bias)\n"
        "    return builtins.computed[1]",
        "import builtins\n");
    const BenchResult result = time_torch(testing::bias_add_operator(), candidate, baseline, *testing::own_backend());
    EXPECT_EQ(result.status, Status::mismatch) << result.reason;
}

TEST(TorchVariant, ThatReturnsASequenceWhichComputesWhenItIsReadIsTimedWithThat) {
    NEEDS(Language::torch);
    BenchRequest request;
    request.definition = testing::bias_add_operator();
    request.binding = {"timed", DType::f32, {{"P", 300}, {"D", 1000}}};
    request.performance.budget_seconds = 0.5;
    request.candidates = {torch_variant("return Lazy([x, bias])",
                                        "class Lazy(tuple):\n    def __iter__(self):\n"
                                        "        for _ in range(300): out = self[0] + self[1]\n"
                                        "        return iter([out])")};
    request.baseline = torch_variant("return x + bias");
    Backend* const backend = testing::host_backend();
    const BenchResult result = bench(request, *backend, testing::no_progress, {}).front();
    ASSERT_EQ(result.status, Status::ok) << result.reason;
    EXPECT_LT(result.speedup.median, 0.5);
}

TEST(TorchVariant, CompiledByPyTorchIsVerifiedAndTimed) {
    NEEDS(Language::torch);
    Backend* const backend = testing::host_backend();
    Implementation compiled = torch_variant("return x + bias");
    compiled.variant.compile = true;
    VerifyRequest request = testing::verify_request(compiled);
    request.own_cases_only = true;
    const VerifyResult verified = verify(request, *backend, testing::no_progress, {});
    if (verified.status == Status::unavailable) GTEST_SKIP() << verified.reason;
    ASSERT_EQ(verified.status, Status::ok) << verified.reason;
    BenchRequest timing;
    timing.definition = request.definition;
    timing.binding = request.cases[0];
    timing.performance.budget_seconds = 0.5;
    timing.candidates = {compiled};
    timing.baseline = torch_variant("return x + bias");
    const BenchResult timed = bench(timing, *backend, testing::no_progress, {}).front();
    EXPECT_EQ(timed.status, Status::ok) << timed.reason;
}

TEST(TritonVariant, IsNotTimedOnACpu) {
    NEEDS(Language::triton);
    BenchRequest request;
    request.definition = testing::bias_add_operator();
    request.binding = {"timed", DType::f32, {{"P", 3}, {"D", 100}}};
    request.candidates = {triton_variant()};
    request.baseline = torch_variant("return x + bias");
    Backend* const backend = testing::host_backend();
    const BenchResult result = bench(request, *backend, testing::no_progress, {}).front();
    EXPECT_EQ(result.status, Status::unavailable);
    EXPECT_THAT(result.reason, HasSubstr("interpreter"));
}

}  // namespace
}  // namespace kernelgen
