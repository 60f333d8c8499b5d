// SPDX-License-Identifier: Apache-2.0
#include "core/bench/bench.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "core/measure/device_lock.h"
#include "tests/core_host/kernels.h"

namespace kernelgen {
namespace {

using testing::bias_add_kernel;
using testing::bias_add_source;

BenchRequest bench_request(const std::string& candidate, const std::string& baseline, const Sizes& sizes) {
    BenchRequest request;
    request.definition = testing::bias_add_operator();
    request.binding = {"timed", DType::f32, sizes};
    request.performance.budget_seconds = 1;
    request.candidates = {bias_add_kernel(candidate)};
    request.baseline = bias_add_kernel(baseline);
    return request;
}

BenchResult bench_it(const BenchRequest& request) {
    const auto backend = testing::host_backend();
    return bench(request, *backend, testing::no_progress, {}).front();
}

TEST(Bench, FindsThatAKernelDoingTheWorkManyTimesIsSlower) {
    const std::string many_times =
        bias_add_source("for (int64_t i = 0; i < 50 * D; ++i) ((volatile DTYPE*)out)[pid0 * D + i % D] = bias[i % D];");
    const BenchResult result = bench_it(bench_request(bias_add_source(), many_times, {{"P", 300}, {"D", 1000}}));
    ASSERT_EQ(result.status, Status::ok) << result.reason;
    EXPECT_GT(result.speedup.lower, 1.0);
    EXPECT_GE(result.speedup.pairs, 20);
    EXPECT_GE(result.checked_calls, 4) << "both contents of the inputs, of both sides";
    EXPECT_GT(result.compared_calls, 2 * result.speedup.pairs) << "all other calls";
    EXPECT_FALSE(result.ended_by.empty());
}

TEST(Bench, JudgesTimedCallsOfACustomOperatorByItsReference) {
    const std::string right = bias_add_source();
    const std::string later_wrong = bias_add_source("", "if (++calls > 10 * P) out[pid0 * D] += 1;",
                                                    "#include <atomic>\nstatic std::atomic<int64_t> calls;");
    for (const auto& [candidate, status] : {std::pair{right, Status::ok}, {later_wrong, Status::mismatch}}) {
        BenchRequest request = bench_request(candidate, right, {{"P", 1}, {"D", 1000}});
        request.definition.family = Family::custom;
        request.definition.body.clear();
        request.definition.reference = "host";
        EXPECT_EQ(bench_it(request).status, Status::unavailable) << "nothing judges";
        request.reference = bias_add_kernel(right);
        const BenchResult result = bench_it(request);
        EXPECT_EQ(result.status, status) << result.reason;
    }
}

TEST(Bench, SaysThatItWaitsToBuildWhileAnotherMeasures) {
    const std::string now = std::to_string(std::chrono::steady_clock::now().time_since_epoch().count());
    const std::string fresh = bias_add_source("/* " + now + " */");
    const BenchRequest request = bench_request(fresh, fresh, {{"P", 2}, {"D", 100}});
    auto another = lock_device("cpu", DeviceUse::alone, {});
    ASSERT_TRUE(another) << another.error().message;
    std::vector<std::string> said;
    const Progress progress = [&](std::string_view stage, int, int) {
        said.emplace_back(stage);
        another = fail("let go");
    };
    const auto backend = testing::host_backend();
    const BuildRequest build = {request.definition, request.candidates[0], DType::f32, "cpu"};
    EXPECT_EQ(backend->build(build, progress, {}).status, Status::ok);
    EXPECT_THAT(said,
                ::testing::ElementsAre("waiting for another kernelgen that builds or measures before build", "build"));
}

TEST(Bench, SaysThatItWaitsWhileAnotherBuildsOrMeasures) {
    BenchRequest request = bench_request(bias_add_source(), bias_add_source(), {{"P", 2}, {"D", 100}});
    const auto backend = testing::host_backend();
    for (const Implementation* each : {&request.candidates[0], &request.baseline}) {
        ASSERT_EQ(backend->build({request.definition, *each, DType::f32, "cpu"}, {}, {}).status, Status::ok);
    }
    const auto another = lock_device("cpu", DeviceUse::together, {});
    ASSERT_TRUE(another) << another.error().message;
    std::stop_source stopped;
    std::string said;
    const Progress progress = [&](std::string_view stage, int, int) {
        said = stage;
        stopped.request_stop();
    };
    EXPECT_EQ(bench(request, *backend, progress, stopped.get_token()).front().status, Status::cancelled);
    EXPECT_EQ(said, "waiting for another kernelgen that builds or measures before bench");
}

TEST(Bench, HoldsTheLockBeforeAKernelCanTakeIt) {
    const std::string takes_it = bias_add_source("", "", R"(
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
__attribute__((constructor)) static void take() { flock(open("/tmp/kernelgen-cpu.lock", O_RDWR), LOCK_EX); })");
    BenchRequest request = bench_request(takes_it, bias_add_source(), {{"P", 2}, {"D", 100}});
    request.timeout_seconds = 2;
    EXPECT_EQ(bench_it(request).status, Status::timed_out) << "it waits for the lock itself";
}

TEST(Bench, RepeatsShortKernelsWithinASample) {
#ifdef KERNELGEN_SANITIZED
    GTEST_SKIP() << "no call is short under the sanitizers";
#endif
    const BenchResult result = bench_it(bench_request(bias_add_source(), bias_add_source(), {{"P", 2}, {"D", 100}}));
    ASSERT_EQ(result.status, Status::ok) << result.reason;
    EXPECT_GT(result.repeats, 1);
}

TEST(Bench, CatchesAKernelThatIsWrongOnlyWhenTimed) {
    const std::string later_wrong = bias_add_source("", "if (++calls > 10 * P) out[pid0 * D] += 1;",
                                                    "#include <atomic>\nstatic std::atomic<int64_t> calls;");
    const BenchResult result = bench_it(bench_request(later_wrong, bias_add_source(), {{"P", 300}, {"D", 1000}}));
    EXPECT_EQ(result.status, Status::mismatch);
    EXPECT_NE(result.reason.text().find("timed call"), std::string::npos) << result.reason;
    EXPECT_EQ(result.speedup.pairs, 0);
}

TEST(Bench, CatchesAKernelThatComputesOnceAndReturns) {
    const std::string once = bias_add_source("if (done > 10 * P) return; ++done;", "",
                                             "#include <atomic>\nstatic std::atomic<int64_t> done;");
    const BenchResult result = bench_it(bench_request(once, bias_add_source(), {{"P", 300}, {"D", 1000}}));
    EXPECT_EQ(result.status, Status::mismatch) << result.reason;
}

TEST(NightlyBench, TimesSlowCallsWithinTheLimitOfACall) {
    const std::string slow = bias_add_source("if (pid0 == 0) usleep(100000);", "", "#include <unistd.h>");
    BenchRequest request = bench_request(slow, slow, {{"P", 2}, {"D", 100}});
    request.timeout_seconds = 0.35;
    const BenchResult result = bench_it(request);
    EXPECT_EQ(result.status, Status::ok) << result.reason;
}

TEST(Bench, SaysThatMemoryGrew) {
    const std::string leaking = bias_add_source(
        "if (pid0 == 0) { char* p = new char[1 << 20]; for (int i = 0; i < 1 << 20; i += 4096) ((volatile char*)p)[i] "
        "= 1; }");
    const BenchResult result = bench_it(bench_request(leaking, bias_add_source(), {{"P", 30}, {"D", 1000}}));
    if (result.status == Status::crashed) return;  // the allowance ended it before the samples did
    ASSERT_EQ(result.status, Status::ok) << result.reason;
    const bool said = std::ranges::any_of(result.warnings,
                                          [](const std::string& warning) { return warning.contains("memory grew"); });
    EXPECT_TRUE(said);
}

TEST(Bench, EndsAsTimedOutWhenTheKernelHangsLater) {
    const std::string hanging = bias_add_source("if (++calls > 10 * P) for (volatile int i = 0;;) i = i + 1;", "",
                                                "#include <atomic>\nstatic std::atomic<int64_t> calls;");
    BenchRequest request = bench_request(hanging, bias_add_source(), {{"P", 300}, {"D", 1000}});
    request.timeout_seconds = 1;
    EXPECT_EQ(bench_it(request).status, Status::timed_out);
}

}  // namespace
}  // namespace kernelgen
