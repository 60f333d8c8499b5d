// SPDX-License-Identifier: Apache-2.0
#include "core/host/instructions.h"

#include <gtest/gtest.h>

namespace kernelgen {
namespace {

std::map<std::string, double> counts_of(const std::string& body) {
    return instruction_counts("k.so:     file format elf64-x86-64\n\n0000000000001100 <k>:\n" + body);
}

TEST(Instructions, TellAVectorLoopFromAScalarOne) {
    const auto vectors = counts_of(
        "    1100:\tvmovups (%rdi,%rax,1),%ymm1\n    1104:\tvaddps %ymm0,%ymm1,%ymm1\n"
        "    1108:\tvmovups %ymm1,(%rsi,%rax,1)\n    110c:\tjne    1100 <k>\n    1110:\tret\n");
    EXPECT_EQ(vectors.at("vector_loops"), 1);
    EXPECT_EQ(vectors.at("scalar_loops"), 0);
    const auto scalar = counts_of(
        "    1100:\tvmovss (%rdi,%rax,1),%xmm1\n    1104:\tvaddss %xmm0,%xmm1,%xmm1\n"
        "    1108:\tvmovss %xmm1,(%rsi,%rax,1)\n    110c:\tjne    1100 <k>\n    1110:\tret\n");
    EXPECT_EQ(scalar.at("scalar_loops"), 1);
    EXPECT_EQ(scalar.at("chained_loops"), 0);
    EXPECT_EQ(scalar.at("single_operations"), 1);
}

TEST(Instructions, FindAChainOfAdditions) {
    const auto counts = counts_of(
        "    1100:\tvaddss (%rax),%xmm0,%xmm0\n    1104:\tadd    $0x20,%rax\n"
        "    1108:\tvaddss -0x1c(%rax),%xmm0,%xmm0\n    110c:\tjne    1100 <k>\n");
    EXPECT_EQ(counts.at("chained_loops"), 1);
}

TEST(Instructions, DoNotTakeAPolynomialForAChain) {
    const auto counts = counts_of(
        "    1100:\tvmovss (%rdi,%rax,4),%xmm0\n    1104:\tvmovaps %xmm0,%xmm2\n"
        "    1108:\tvfmadd213ss %xmm1,%xmm3,%xmm2\n    110c:\tvfmadd132ss %xmm2,%xmm4,%xmm0\n"
        "    1110:\tvmovss %xmm0,(%rsi,%rax,4)\n    1114:\tjne    1100 <k>\n");
    EXPECT_EQ(counts.at("chained_loops"), 0);
    EXPECT_EQ(counts.at("scalar_loops"), 1);
}

TEST(Instructions, CountDoublesDivisionsCallsAndAtomics) {
    const auto counts = counts_of(
        "    1100:\tvmulsd %xmm0,%xmm1,%xmm1\n    1104:\tidivq  %rcx\n"
        "    1108:\tcall   1030 <tanhf@plt>\n    110c:\tlock cmpxchg %edx,(%rdi)\n"
        "    1110:\tjmp    1100 <k>\n    1114:\tcall   1040 <after@plt>\n");
    EXPECT_EQ(counts.at("double_operations"), 1);
    EXPECT_EQ(counts.at("integer_divisions"), 1);
    EXPECT_EQ(counts.at("library_calls"), 1);
    EXPECT_EQ(counts.at("atomic_operations"), 1);
}

/// One for each row costs little beside the loop over the row.
TEST(Instructions, LeaveOutDivisionsInALoopAroundALoop) {
    const auto counts = counts_of(
        "    1100:\tidivq  %rcx\n    1104:\tvaddss (%rax),%xmm0,%xmm0\n    1108:\tjne    1104 <k+0x4>\n"
        "    110c:\tjne    1100 <k>\n");
    EXPECT_EQ(counts.at("integer_divisions"), 0);
}

TEST(Instructions, DoNotCountThatProgramsCallTheirKernel) {
    EXPECT_EQ(counts_of("    1100:\tcall   1030 <k@plt>\n    1104:\tjne    1100 <k>\n").at("library_calls"), 0);
    EXPECT_EQ(
        counts_of("    1100:\tcall   1030 <__tls_get_addr@plt>\n    1104:\tjne    1100 <k>\n").at("library_calls"), 0);
}

TEST(Instructions, OfAnotherProcessorAreNotRead) {
    EXPECT_TRUE(instruction_counts("k.so:     file format elf64-littleaarch64\n").empty());
}

}  // namespace
}  // namespace kernelgen
