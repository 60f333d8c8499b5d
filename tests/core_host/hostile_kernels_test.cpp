// SPDX-License-Identifier: Apache-2.0
// Every way in which a kernel is known to misbehave ends in its status, and the next run is right.
#include <gtest/gtest.h>

#include <thread>

#include "tests/core_host/kernels.h"

namespace kernelgen {
namespace {

using testing::bias_add_kernel;
using testing::bias_add_source;

struct Hostile {
    std::string name;
    Status status;
    std::string text;
    std::string reason;  ///< a part of it
};

void PrintTo(const Hostile& hostile, std::ostream* out) { *out << hostile.name; }

class HostileKernel : public ::testing::TestWithParam<Hostile> {};

TEST_P(HostileKernel, EndsInItsStatusAndLeavesTheNextRunRight) {
#ifdef KERNELGEN_SANITIZED
    if (GetParam().name == "AllocatesUntilRefused") GTEST_SKIP() << "a sanitizer's executor has no limit of memory";
#endif
    const auto backend = testing::host_backend();
    VerifyRequest request = testing::verify_request(bias_add_kernel(GetParam().text));
    request.timeout_seconds = GetParam().status == Status::timed_out ? 2 : 60;
    const VerifyResult result = verify(request, *backend, testing::no_progress, {});
    EXPECT_EQ(to_string(result.status), to_string(GetParam().status)) << result.reason;
    EXPECT_NE(result.reason.text().find(GetParam().reason), std::string::npos) << result.reason;
    const VerifyResult next =
        verify(testing::verify_request(bias_add_kernel(bias_add_source())), *backend, testing::no_progress, {});
    EXPECT_EQ(next.status, Status::ok) << next.reason;
}

const std::string last_program = "if (pid0 == P - 1) ";

INSTANTIATE_TEST_SUITE_P(
    All, HostileKernel,
    ::testing::Values(
        Hostile{"DereferencesNull", Status::crashed, bias_add_source("*(volatile int*)nullptr = 1;"), "SIGSEGV"},
        Hostile{"LoopsForever", Status::timed_out, bias_add_source("for (volatile int i = 0;;) i = i + 1;"),
                "--timeout"},
        Hostile{"WritesPastTheEnd", Status::out_of_bounds, bias_add_source("", last_program + "out[P * D] = 1;"),
                "`out`"},
        Hostile{"WritesBeforeTheStart", Status::out_of_bounds, bias_add_source("", last_program + "out[-1] = 1;"),
                "`out`"},
        Hostile{"ReadsPastTheEnd", Status::out_of_bounds,
                bias_add_source("", last_program + "{ volatile DTYPE sink = x[P * D]; (void)sink; }"), "`x`"},
        Hostile{"LeavesTheLastRowUnwritten", Status::unwritten, bias_add_source("if (pid0 == P - 1) return;"), "out"},
        Hostile{"WritesIntoAnInput", Status::input_modified,
                bias_add_source("", last_program + "const_cast<DTYPE*>(x)[3] += 1;"), "input"},
        Hostile{"ReturnsNaNEverywhere", Status::mismatch,
                bias_add_source("", "for (int64_t d = 0; d < D; ++d) out[pid0 * D + d] = __builtin_nanf(\"\");"),
                "seed"},
        Hostile{"DiffersFromRunToRun", Status::nondeterministic,
                bias_add_source("", "if (pid0 == 0) out[0] *= 1 + 5e-7f * (++calls % 2);", "static int calls;"), "run"},
        Hostile{"CallsExit", Status::crashed, bias_add_source("exit(0);", "", "#include <stdlib.h>"),
                "exited with status 0"},
        Hostile{"Throws", Status::crashed, bias_add_source("throw 1;"), "SIGABRT"},
        // Ended by SIGABRT, or by the loader's exit where no memory is left even to throw.
        Hostile{"AllocatesUntilRefused", Status::crashed,
                bias_add_source("for (;;) { volatile char* p = new char[64 << 20]; p[0] = 1; }"),
                "the kernel's process"},
        Hostile{"DoesNotCompile", Status::build_failed, bias_add_source("this is no C++;"), "bias_add.cpp:"},
        Hostile{"LacksItsEntry", Status::build_failed, "#include <stdint.h>\nint unrelated() { return 1; }\n",
                "bias_add"},
        Hostile{"HasAnotherSignature", Status::build_failed,
                "#include <stdint.h>\nextern \"C\" void bias_add(float* out, int64_t n, int64_t, int64_t, int64_t) { "
                "out[n] = 0; }\n",
                "bias_add"},
        Hostile{"IsRightOnlyOnTheFirstCall", Status::mismatch,
                bias_add_source("", "if (++calls > P) out[pid0 * D] += 1;",
                                "#include <atomic>\nstatic std::atomic<int64_t> calls;"),
                "seed"}),
    [](const auto& each) { return each.param.name; });

TEST(HostKernel, PrintingMegabytesIsHarmless) {
    const auto backend = testing::host_backend();
    const std::string noisy = bias_add_source(
        "if (pid0 == 0) for (int i = 0; i < 3000; ++i) puts(\"0123456789012345678901234567890123456789\");", "",
        "#include <stdio.h>");
    const VerifyResult result = verify(testing::verify_request(bias_add_kernel(noisy), {{"P", 3}, {"D", 5}}), *backend,
                                       testing::no_progress, {});
    EXPECT_EQ(result.status, Status::ok) << result.reason;
}

TEST(HostKernel, MayRelyOnBuffersAlignedTo256Bytes) {
    const auto backend = testing::host_backend();
    const std::string aligned = bias_add_source(
        "typedef float vec __attribute__((vector_size(16)));\n"
        "    if (D >= 4) { volatile vec first = *(const volatile vec*)bias; (void)first; }");
    const VerifyResult result = verify(testing::verify_request(bias_add_kernel(aligned), {{"P", 3}, {"D", 5}}),
                                       *backend, testing::no_progress, {});
    EXPECT_EQ(result.status, Status::ok) << result.reason;
}

TEST(HostKernel, StopsWithinASecondWhenCancelled) {
    const auto backend = testing::host_backend();
    std::stop_source stop;
    VerifyRequest request =
        testing::verify_request(bias_add_kernel(bias_add_source("for (volatile int i = 0;;) i = i + 1;")));
    request.timeout_seconds = 60;
    std::jthread canceller([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(1500));
        stop.request_stop();
    });
    const VerifyResult result = verify(request, *backend, testing::no_progress, stop.get_token());
    EXPECT_EQ(result.status, Status::cancelled);
}

}  // namespace
}  // namespace kernelgen
