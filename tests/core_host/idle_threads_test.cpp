// SPDX-License-Identifier: Apache-2.0
// Kernels that leave threads or processes running between their calls, and those that only keep some asleep.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/bench/bench.h"
#include "tests/core_host/kernels.h"

namespace kernelgen {
namespace {

using ::testing::HasSubstr;

/// bias_add by one program, which first runs `code`.
Implementation threaded_kernel(const std::string& head, const std::string& code, const std::string& loop = "") {
    Implementation made = testing::bias_add_kernel(
        "#include <stdint.h>\n#include <sched.h>\n#include <signal.h>\n#include <sys/prctl.h>\n"
        "#include <sys/resource.h>\n#include <unistd.h>\n#include <atomic>\n#include <chrono>\n#include <thread>\n" +
        head +
        "\nextern \"C\" void bias_add(const DTYPE* x, const DTYPE* bias, DTYPE* out, int64_t P, int64_t D, int64_t, "
        "int64_t, int64_t) {\n" +
        code + "\n" + loop + "\n    for (int64_t i = 0; i < P * D; ++i) out[i] = x[i] + bias[i % D];\n}\n");
    made.variant.launches[0].grid = {"1"};
    return made;
}

BenchResult timed_once(const Implementation& candidate) {
    BenchRequest request;
    request.definition = testing::bias_add_operator();
    request.binding = {"timed", DType::f32, {{"P", 400}, {"D", 1000}}};
    request.performance.budget_seconds = 1;
    request.candidates = {candidate};
    request.baseline = threaded_kernel("", "");
    const auto backend = testing::host_backend();
    return bench(request, *backend, testing::no_progress, {}).front();
}

void expect_found(const Implementation& candidate, const std::string& words) {
    const BenchResult result = timed_once(candidate);
    EXPECT_EQ(result.status, Status::implausible) << result.reason;
    EXPECT_THAT(result.reason, HasSubstr(words));
    EXPECT_EQ(result.speedup.pairs, 0);
}

TEST(IdleThreads, AThreadThatSpinsBetweenCallsIsFound) {
    expect_found(threaded_kernel("static std::atomic<bool> called;\n"
                                 "struct InCall { InCall() { called = true; } ~InCall() { called = false; } };",
                                 "static std::thread other([] { for (;;) while (!called) {} }); const InCall now;"),
                 "in which nobody called");
}

TEST(NightlyIdleThreads, ThreadsThatFollowEachOtherAreFound) {
    expect_found(
        threaded_kernel("static void next() { const auto start = std::chrono::steady_clock::now();\n"
                        "while (std::chrono::steady_clock::now() - start < std::chrono::microseconds(500)) {}\n"
                        "std::thread(next).detach(); }",
                        "static bool begun; if (!begun) { begun = true; std::thread(next).detach(); }"),
        "in which nobody called");
}

TEST(IdleThreads, AProcessThatSpinsIsFound) {
    expect_found(threaded_kernel("", "static pid_t child; if (child == 0 && (child = fork()) == 0) for (;;) {}"),
                 "in which nobody called");
}

TEST(NightlyIdleThreads, AProcessWithoutAParentIsFound) {
    expect_found(threaded_kernel("",
                                 "static pid_t child; if (child == 0 && (child = fork()) == 0) {\n"
                                 "    setsid(); if (fork() == 0) for (;;) {} _exit(0); }"),
                 "in which nobody called");
}

TEST(NightlyIdleThreads, ProcessesThatFollowEachOtherAreFound) {
    expect_found(
        threaded_kernel("static void next() { for (;;) { const auto start = std::chrono::steady_clock::now();\n"
                        "while (std::chrono::steady_clock::now() - start < std::chrono::microseconds(500)) {}\n"
                        "if (fork() != 0) _exit(0); } }",
                        "static bool begun; if (!begun) { begun = true; if (fork() == 0) next(); }"),
        "in which nobody called");
}

TEST(NightlyIdleThreads, AnotherPriorityIsFound) { expect_found(threaded_kernel("", "nice(1);"), "priority"); }

TEST(NightlyIdleThreads, OnesThatSleepAreNotAccused) {
    const BenchResult result =
        timed_once(threaded_kernel("",
                                   "static std::thread other([] { for (;;) pause(); });\n"
                                   "static pid_t child; if (child == 0 && (child = fork()) == 0) for (;;) pause();"));
    EXPECT_EQ(result.status, Status::ok) << result.reason;
}

TEST(IdleThreads, OfOpenMpAreNotAccused) {
    Implementation parallel = threaded_kernel("", "", "#pragma omp parallel for");
    parallel.variant.flags = {"-fopenmp"};
    const BenchResult result = timed_once(parallel);
    EXPECT_EQ(result.status, Status::ok) << result.reason;
}

}  // namespace
}  // namespace kernelgen
