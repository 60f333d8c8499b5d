// SPDX-License-Identifier: Apache-2.0
#include "core/trace/trace.h"

#include <gmock/gmock.h>

namespace kernelgen {
namespace {

TracedArgument tensor(const char* name) { return {name, {}, true, 4}; }
TracedArgument size(const char* name, std::int64_t value) { return {name, value, false, 4}; }

/// The request for a host kernel with x, out, P = 4096, D = 1000.
TraceRequest host_request(std::int64_t program = 0) {
    TraceRequest request;
    request.arguments = {tensor("x"), tensor("out"), size("P", 4096), size("D", 1000)};
    request.program = {program, 0, 0};
    return request;
}

Trace traced(const std::string& source, const TraceRequest& request) {
    const CodeFile file(source);
    const CodeFunction* kernel = file.find("k");
    if (kernel == nullptr) throw std::runtime_error(file.problem_of("k"));
    return trace_thread(file, *kernel, request);
}

std::string host_kernel(const std::string& body) {
    return "extern \"C\" void k(const float* x, float* out, int64_t P, int64_t D, int64_t pid0, int64_t pid1, int64_t) "
           "{" +
           body + "}";
}

std::vector<std::int64_t> addresses(const Trace& trace, const std::string& buffer, AccessKind kind) {
    std::vector<std::int64_t> found;
    for (const auto& [key, site] : trace.sites) {
        if (trace.buffers[static_cast<std::size_t>(site.buffer)].name != buffer || site.kind != kind) continue;
        for (const Visit& each : site.visits) found.push_back(each.address);
    }
    return found;
}

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Trace, FollowsALoopForSomeIterationsAndExtrapolatesTheRest) {
    const Trace trace = traced(
        host_kernel("for (int64_t j = 0; j < D; ++j) out[pid0 * D + j] = 2.0f * x[pid0 * D + j];"), host_request(3));
    EXPECT_EQ(trace.gap, "");
    EXPECT_THAT(addresses(trace, "x", AccessKind::load), ElementsAre(12000, 12004, 12008, 12012, 15996));
    EXPECT_DOUBLE_EQ(trace.executions(), 2000);
    ASSERT_EQ(trace.loops.size(), 1u);
    EXPECT_DOUBLE_EQ(trace.loops[0].trips, 1000);
}

TEST(Trace, CountsNestedLoopsAndDecreasingOnes) {
    const Trace nested = traced(
        host_kernel("for (int64_t i = 0; i < 10; i += 2) for (int64_t j = D - 1; j >= 0; --j) out[i * D + j] = x[j];"),
        host_request());
    EXPECT_DOUBLE_EQ(nested.executions(), 2 * 5 * 1000);
    EXPECT_TRUE(nested.loops[0].has_inner);
}

TEST(Trace, ReadsPointersThatAreMovedAndCast) {
    const Trace trace = traced(host_kernel("const float* row = x + pid0 * D; const float4* wide = (const float4*)row;"
                                           "float4 v = wide[2]; row += 5; out[0] = *row;"),
                               host_request(1));
    EXPECT_THAT(addresses(trace, "x", AccessKind::load), ElementsAre(4000 + 32, 4000 + 20));
}

TEST(Trace, KnowsACudaThreadsPlaceAndItsSharedArrays) {
    TraceRequest request = host_request();
    request.is_cuda = true;
    request.program = {2, 0, 0};
    request.block = {128, 1, 1};
    request.thread = {7, 0, 0};
    const Trace trace = traced(
        "extern \"C\" __global__ void __launch_bounds__(128) k(const float* __restrict__ x, float* __restrict__ out,"
        " int64_t P, int64_t D) { __shared__ float tile[32][33];"
        " const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; if (i >= P) return;"
        " tile[threadIdx.x][2] = x[i]; __syncthreads(); out[i] = tile[1][threadIdx.x]; }",
        request);
    EXPECT_THAT(addresses(trace, "x", AccessKind::load), ElementsAre(4 * (2 * 128 + 7)));
    EXPECT_THAT(addresses(trace, "tile", AccessKind::store), ElementsAre(4 * (7 * 33 + 2)));
    EXPECT_THAT(addresses(trace, "tile", AccessKind::load), ElementsAre(4 * (33 + 7)));
}

TEST(Trace, FollowsFunctionsOfTheFileAndConstantsOfTheBuild) {
    TraceRequest request = host_request();
    request.constants = {{"TILE", 16}};
    const Trace trace = traced(
        "constexpr int64_t middle = TILE / 2;\n#define STEP 3\n"
        "template <class T> inline T twice(const T* p, int64_t i) { return p[i] + p[i + STEP]; }\n" +
            host_kernel("out[middle] = twice<float>(x, middle);"),
        request);
    EXPECT_THAT(addresses(trace, "x", AccessKind::load), ElementsAre(32, 44));
    EXPECT_THAT(addresses(trace, "out", AccessKind::store), ElementsAre(32));
}

TEST(Trace, FollowsBothBranchesOfWhatIsNotKnown) {
    const Trace trace = traced(host_kernel("if (x[0] > 0) out[1] = 1; else out[2] = 2;"), host_request());
    EXPECT_THAT(addresses(trace, "out", AccessKind::store), ElementsAre(4, 8));
}

TEST(Trace, SeesAtomicOperations) {
    const Trace trace = traced(host_kernel("std::atomic_ref<float>(out[3]).fetch_add(1.0f); atomicAdd(&out[4], 1.0f);"),
                               host_request());
    EXPECT_THAT(addresses(trace, "out", AccessKind::atomic), ElementsAre(12, 16));
}

TEST(Trace, ReadsAKernelWithATensorMap) {
    const Trace trace = traced(
        "extern \"C\" __global__ void k(const float* x, float* out, const __grid_constant__ CUtensorMap map) {"
        "out[0] = x[1]; }",
        host_request());
    EXPECT_EQ(trace.gap, "");
    EXPECT_THAT(addresses(trace, "x", AccessKind::load), ElementsAre(4));
}

TEST(Trace, ReadsConstantsThatAreTemplates) {
    const Trace trace =
        traced(host_kernel("float m = -kg::infinity<float>; m = kg::maximum(kg::zero<float>, x[1]); out[0] = m;"),
               host_request());
    EXPECT_EQ(trace.gap, "");
    EXPECT_THAT(addresses(trace, "x", AccessKind::load), ElementsAre(4));
}

TEST(Trace, SaysWhatItCannotFollow) {
    EXPECT_EQ(traced(host_kernel("\nkg::for_rows(P, [&](auto i) { out[i] = x[i]; });"), host_request()).gap,
              "the accesses of `kg::for_rows` in line 2 are not followed");
    EXPECT_THAT(traced(host_kernel("library(x, out);"), host_request()).gap, HasSubstr("`library`"));
}

TEST(Trace, GivesUpOnWhatIsTooLong) {
    const Trace trace = traced(host_kernel("for (int a = 0; a < 99; ++a) for (int b = 0; b < 99; ++b)"
                                           " for (int c = 0; c < 99; ++c) for (int d = 0; d < 99; ++d)"
                                           " for (int e = 0; e < 99; ++e) for (int f = 0; f < 99; ++f) out[a] = x[f];"),
                               host_request());
    EXPECT_THAT(trace.gap, HasSubstr("does more than is followed"));
}

TEST(Code, NamesTheLineThatItCannotRead) {
    const CodeFile file("void k(int a) {\n  a = 1;\n  a = = 2;\n}");
    EXPECT_EQ(file.find("k"), nullptr);
    EXPECT_EQ(file.problem_of("k"), "line 3: `=` is not expected here");
    EXPECT_EQ(file.problem_of("other"), "there is no function `other` with a body");
}

TEST(Code, KnowsTheBytesOfTypes) {
    EXPECT_EQ(bytes_of({.base = "float4"}, 2), 16);
    EXPECT_EQ(bytes_of({.base = "DTYPE"}, 2), 2);
    EXPECT_EQ(bytes_of({.base = "std::int64_t"}, 4), 8);
    EXPECT_EQ(bytes_of({.base = "float", .pointers = 1}, 4), 8);
    EXPECT_EQ(bytes_of({.base = "Something"}, 4), 0);
}

}  // namespace
}  // namespace kernelgen
