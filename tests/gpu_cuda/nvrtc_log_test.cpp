// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "gpu/cuda/cuda_source.h"
#include "gpu/cuda/kernel_usage.h"
#include "tests/gpu_cuda/kernels.h"

namespace kernelgen {
namespace {

using testing::cuda_request;

TEST(CudaSource, KeepsTheLinesOfTheSourceAndDemandsTheLaunchsSignature) {
    const Result<std::string> unit = cuda_translation_unit(cuda_request("first line\n"));
    ASSERT_TRUE(unit);
    EXPECT_TRUE(unit->starts_with("#line 1 \"bias_add.cu\"\nfirst line\n")) << *unit;
    EXPECT_NE(unit->find("extern \"C\" __global__ void bias_add(const float* x, const float* bias, float* out, "
                         "int64_t P, int64_t D);"),
              std::string::npos)
        << *unit;
}

TEST(CudaSource, TakesTheKernelHeaderWhereADtypeNeedsIt) {
    BuildRequest request = cuda_request("");
    EXPECT_EQ(cuda_translation_unit(request)->find("kernelgen.cuh"), std::string::npos);
    request.dtype = DType::bf16;
    EXPECT_NE(cuda_translation_unit(request)->find("#include <kernelgen.cuh>"), std::string::npos);
}

TEST(NvrtcLog, GivesFileLineColumnAndSeverity) {
    const auto messages = parse_nvrtc_log(cuda_request(""),
                                          "bias_add.cu(3): warning #177-D: variable \"unused\" was declared\n"
                                          "      int unused;\n"
                                          "          ^\n"
                                          "\n"
                                          "bias_add.cu(5): catastrophic error: cannot open source file \"nope.h\"\n"
                                          "  #include \"nope.h\"\n"
                                          "                   ^\n");
    ASSERT_EQ(messages.size(), 2u);
    EXPECT_EQ(messages[0].file, "bias_add.cu");
    EXPECT_EQ(messages[0].line, 3);
    EXPECT_EQ(messages[0].column, 9);
    EXPECT_EQ(messages[0].severity, "warning");
    EXPECT_EQ(messages[0].text, "variable \"unused\" was declared");
    EXPECT_EQ(messages[1].line, 5);
    EXPECT_EQ(messages[1].severity, "error");
}

TEST(NvrtcLog, TakesWhatHasNoPlace) {
    const auto messages = parse_nvrtc_log(cuda_request(""),
                                          "nvrtc: error: unrecognized option --nonsense found\n"
                                          "ptxas application ptx input, line 9; error   : Unknown symbol 'r1'\n"
                                          "ptxas info    : 0 bytes gmem\n");
    ASSERT_EQ(messages.size(), 2u);
    EXPECT_EQ(messages[0].text, "unrecognized option --nonsense found");
    EXPECT_EQ(messages[1].text, "Unknown symbol 'r1'");
    EXPECT_EQ(messages[1].line, 0);
}

constexpr const char* faulty_ptx =
    ".visible .entry bias_add()\n{\n\t.loc\t1 4 9\n\tmov.u32 %r1, %tid.x;\n\t.loc\t2 7 3, function_name $L, "
    "inlined_at 1 5 5\n\tbogus.f32 %f1;\n}\n\t.file\t1 \"/scratch/bias_add.cu\"\n\t.file\t2 \"/inc/own.cuh\"\n";

TEST(NvrtcLog, PutsWhatPtxasSaysAtTheSourcesLine) {
    const auto messages = parse_nvrtc_log(cuda_request(""),
                                          "ptxas application ptx input, line 4; error   : first\n"
                                          "ptxas application ptx input, line 6; error   : second\n",
                                          faulty_ptx);
    ASSERT_EQ(messages.size(), 2u);
    EXPECT_EQ(messages[0].file, "bias_add.cu");
    EXPECT_EQ(messages[0].line, 4);
    EXPECT_EQ(messages[0].text, "first in PTX `mov.u32 %r1, %tid.x;`");
    EXPECT_EQ(messages[1].file, "/inc/own.cuh");
    EXPECT_EQ(messages[1].line, 7);
}

TEST(NvrtcLog, QuotesTheInstructionWherePtxHasNoLineInformation) {
    const auto messages = parse_nvrtc_log(cuda_request(""), "ptxas application ptx input, line 3; error   : no\n",
                                          ".visible .entry bias_add()\n{\n\tbogus.f32 %f1;\n}\n");
    ASSERT_EQ(messages.size(), 1u);
    EXPECT_EQ(messages[0].line, 0);
    EXPECT_EQ(messages[0].text, "no in PTX `bogus.f32 %f1;`");
}

TEST(NvrtcLog, TakesALineNumberThatIsTooLargeForNone) {
    const auto messages = parse_nvrtc_log(cuda_request(""),
                                          "foo.cu(4294967295): error: expected an expression\n"
                                          "foo.cu(99999999999999999999): error: expected a \";\"\n");
    ASSERT_EQ(messages.size(), 2u);
    EXPECT_EQ(messages[0].file, "foo.cu");
    EXPECT_EQ(messages[0].line, 0);
    EXPECT_EQ(messages[1].line, 0);
}

TEST(NvrtcLog, TakesNoEchoedSourceLineForAMessage) {
    const auto messages = parse_nvrtc_log(cuda_request(""),
                                          "bias_add.cu(3): error: expected an expression\n"
                                          "  int y = ; // see foo(99999999999): error: hey\n"
                                          "          ^\n");
    ASSERT_EQ(messages.size(), 1u);
    EXPECT_EQ(messages[0].line, 3);
    EXPECT_EQ(messages[0].column, 9);
}

TEST(NvrtcLog, PutsAWrongSignatureAtTheKernelWithTheRightOne) {
    const auto messages = parse_nvrtc_log(
        cuda_request("// of rows\nextern \"C\" __global__ void bias_add(float* x) {}\n"),
        "interface of gpu(2): error: more than one instance of overloaded function \"bias_add\" has \"C\" linkage\n");
    ASSERT_EQ(messages.size(), 1u);
    EXPECT_EQ(messages[0].file, "bias_add.cu");
    EXPECT_EQ(messages[0].line, 2);
    EXPECT_NE(
        messages[0].text.text().find("bias_add(const float* x, const float* bias, float* out, int64_t P, int64_t D)"),
        std::string::npos)
        << messages[0].text;
}

TEST(NvrtcLog, NamesTheKernelThatIsQuotedWhole) {
    BuildRequest request = cuda_request("void finish() {}\nvoid bias_add_tail() {}\n");
    Launch finish = request.implementation.variant.launches[0];
    finish.entry = "bias_add_tail";
    request.implementation.variant.launches.push_back(finish);
    const auto messages = parse_nvrtc_log(request,
                                          "interface of gpu(4): error: declaration is incompatible with \"void "
                                          "bias_add_tail(int)\" (declared at line 2)\n");
    ASSERT_EQ(messages.size(), 1u);
    EXPECT_EQ(messages[0].line, 2);
    EXPECT_NE(messages[0].text.text().find("`bias_add_tail`"), std::string::npos) << messages[0].text;
}

TEST(NvrtcLog, SaysOnceThatTheSourceDoesNotEnd) {
    const auto messages = parse_nvrtc_log(
        cuda_request("// of rows\nextern \"C\" __global__ void bias_add(float* x) {\n    x[0] = 1;\n\n"),
        "interface of gpu(1): error: linkage specification is not allowed\n"
        "  extern \"C\" {}\n"
        "  ^\n"
        "interface of gpu(3): error: a __global__ function(\"bias_add\") redeclared with __device__\n"
        "At end of source: error: expected a \"}\"\n"
        "bias_add.cu(2): note #3196-D: to match this \"{\"\n");
    ASSERT_EQ(messages.size(), 2u);
    EXPECT_EQ(messages[0].file, "bias_add.cu");
    EXPECT_EQ(messages[0].line, 3);
    EXPECT_NE(messages[0].text.text().find("the source ends inside an open block or declaration"), std::string::npos)
        << messages[0].text;
    EXPECT_EQ(messages[1].line, 2);
    EXPECT_EQ(messages[1].severity, "note");
}

TEST(NvrtcLog, TakesAnErrorAtTheEndOfTheSource) {
    const auto messages =
        parse_nvrtc_log(cuda_request("namespace a {\n"), "At end of source: error: expected a \"}\"\n");
    ASSERT_EQ(messages.size(), 1u);
    EXPECT_EQ(messages[0].line, 1);
    EXPECT_NE(messages[0].text.text().find("missing `}`"), std::string::npos) << messages[0].text;
}

constexpr const char* two_kernels =
    "ptxas info    : 0 bytes gmem\n"
    "ptxas info    : Compiling entry function 'second' for 'sm_90a'\n"
    "ptxas info    : Function properties for helper\n"
    "    96 bytes stack frame, 1 bytes spill stores, 2 bytes spill loads\n"
    "ptxas info    : Function properties for second\n"
    "ptxas         .     40 bytes stack frame, 36 bytes spill stores, 44 bytes spill loads\n"
    "ptxas info    : Used 255 registers, used 16 barriers, 40 bytes cumulative stack size, 4096+16 bytes smem\n"
    "ptxas info    : Compile time = 14.016 ms\n"
    "ptxas info    : Function properties for _Z4tailPfi\n"
    "ptxas         .     0 bytes stack frame, 5 bytes spill stores, 7 bytes spill loads\n"
    "ptxas info    : Compiling entry function 'first' for 'sm_75'\n"
    "ptxas info    : Function properties for first\n"
    "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
    "ptxas info    : Used 28 registers, 392 bytes cmem[0], 8 bytes cmem[2]\n";

TEST(KernelUsage, IsReadForEachKernel) {
    const std::vector<KernelUsage> kernels = parse_kernel_usage(two_kernels);
    ASSERT_EQ(kernels.size(), 2u);
    EXPECT_EQ(kernels[0].entry, "second");
    EXPECT_EQ(kernels[0].registers, 255);
    EXPECT_EQ(kernels[0].barriers, 16);
    EXPECT_EQ(kernels[0].stack_bytes, 96);
    EXPECT_EQ(kernels[0].spill_store_bytes, 1 + 36 + 5);
    EXPECT_EQ(kernels[0].spill_load_bytes, 2 + 44 + 7);
    EXPECT_EQ(kernels[0].static_shared_bytes, 4112);
    EXPECT_EQ(kernels[1].entry, "first");
    EXPECT_EQ(kernels[1].registers, 28);
    EXPECT_EQ(kernels[1].stack_bytes, 0);
    EXPECT_EQ(kernels[1].spill_store_bytes, 0);
    EXPECT_EQ(kernels[1].static_shared_bytes, 0);
    EXPECT_EQ(kernels[1].constant_bytes, 400);
}

TEST(LaunchBound, IsReadOfTheKernelThatIsAskedFor) {
    constexpr const char* listing =
        ".visible .entry tiled(\n\t.param .u64 tiled_param_0\n)\n.maxntid 64, 2, 1\n.minnctapersm 2\n{\n\tret;\n}\n"
        ".visible .entry plain(\n\t.param .u64 plain_param_0\n)\n{\n\tret;\n}\n"
        ".visible .entry last(\n)\n.maxntid 32, 1, 1\n{\n\tret;\n}\n";
    EXPECT_EQ(launch_bound(listing, "tiled"), 128);
    EXPECT_EQ(launch_bound(listing, "plain"), 0);
    EXPECT_EQ(launch_bound(listing, "last"), 32);
    EXPECT_EQ(launch_bound(listing, "absent"), 0);
}

TEST(KernelUsage, OfALogWithoutItIsEmpty) { EXPECT_TRUE(parse_kernel_usage("Used 3 registers\n").empty()); }

}  // namespace
}  // namespace kernelgen
