// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/ptx_counts.h"

#include <gtest/gtest.h>

namespace kernelgen {
namespace {

TEST(PtxCounts, TellWhatAKernelConsistsOf) {
    const auto counts = ptx_counts(R"(
.visible .entry k(.param .u64 k_param_0)
{
	ld.param.u64 	%rd1, [k_param_0];
	ld.global.nc.v4.f32 	{%f1, %f2, %f3, %f4}, [%rd2];
	ld.global.u16 	%rs1, [%rd3];
	fma.rn.f64 	%fd1, %fd2, %fd3, %fd4;
	@%p1 mul.f32 	%f5, %f1, %f2;
	rem.s64 	%rd4, %rd5, %rd6;
	atom.global.add.f32 	%f6, [%rd1], %f5;
	st.local.f32 	[%rd7], %f5;
	add.s64 	%rd8, %rd1, 4;
}
)");
    EXPECT_EQ(counts.at("load_bytes"), 16);
    EXPECT_EQ(counts.at("double_operations"), 1);
    EXPECT_EQ(counts.at("single_operations"), 1);
    EXPECT_EQ(counts.at("integer_divisions"), 1);
    EXPECT_EQ(counts.at("atomic_operations"), 1);
    EXPECT_EQ(counts.at("local_accesses"), 1);
    EXPECT_EQ(counts.at("library_calls"), 0);
}

TEST(PtxCounts, TakeCopiesToSharedMemoryForLoads) {
    const std::string narrow = "\tld.global.u16 \t%rs1, [%rd3];\n";
    EXPECT_EQ(ptx_counts(narrow + "\tcp.async.ca.shared.global [%r1], [%rd2], 8;\n").at("load_bytes"), 8);
    EXPECT_EQ(ptx_counts(narrow + "\tcp.async.cg.shared.global [%r1], [%rd2], 16, %r3;\n").at("load_bytes"), 16);
    const char* const bulk =
        "\t@%p1 cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r1], [%rd1, {%r2, "
        "%r3}], "
        "[%r4];\n";
    EXPECT_EQ(ptx_counts(narrow + bulk).at("load_bytes"), 16);
    const char* const store =
        "\tcp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%rd1, {%r2, %r3}], [%r4];\n";
    EXPECT_EQ(ptx_counts(narrow + store).at("load_bytes"), 2);
    EXPECT_EQ(ptx_counts(narrow + "\tcp.async.commit_group;\n").at("load_bytes"), 2);
}

TEST(PtxCounts, CountDivisionsOnlyInLoopsWhereThereAreLoops) {
    const char* const kernel =
        "\tdiv.u64 %rd1, %rd2, %rd3;\n$L__BB0_1:\n\trem.u32 %r1, %r2, %r3;\n\t@%p1 bra \t$L__BB0_1;\n";
    EXPECT_EQ(ptx_counts(kernel).at("integer_divisions"), 1);
}

/// A division for each tile costs nothing beside the tile.
TEST(PtxCounts, LeaveOutDivisionsInALoopOverTiles) {
    const std::string kernel =
        "$L__BB0_1:\n\tdiv.u64 %rd1, %rd2, %rd3;\n$L__BB0_2:\n\trem.u32 %r1, %r2, %r3;\n\tMULTIPLY\n"
        "\t@%p1 bra \t$L__BB0_2;\n\t@%p2 bra \t$L__BB0_1;\n";
    const auto with = [&](const std::string& instruction) {
        std::string text = kernel;
        text.replace(text.find("MULTIPLY"), 8, instruction);
        return ptx_counts(text).at("integer_divisions");
    };
    EXPECT_EQ(with("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%f1}, {%r1}, {%r2}, {%f1};"), 1);
    EXPECT_EQ(with("bar.sync 0;"), 1);
    EXPECT_EQ(with("fma.rn.f32 %f1, %f2, %f3, %f1;"), 2);
    const std::string rows =  // the inner loop is over a row's elements, and the outer one joins the sums
        "$L__BB0_1:\n\tdiv.u64 %rd1, %rd2, %rd3;\n$L__BB0_2:\n\tfma.rn.f32 %f1, %f2, %f3, %f1;\n"
        "\t@%p1 bra \t$L__BB0_2;\n\tbarrier.cluster.arrive.release.aligned;\n\t@%p2 bra \t$L__BB0_1;\n";
    EXPECT_EQ(ptx_counts(rows).at("integer_divisions"), 0);
}

TEST(PtxCounts, AreNoneWithoutPtx) { EXPECT_TRUE(ptx_counts("").empty()); }

}  // namespace
}  // namespace kernelgen
