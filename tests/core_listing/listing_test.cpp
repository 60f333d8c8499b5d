// SPDX-License-Identifier: Apache-2.0
#include "core/listing/listing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/listing/built_code.h"
#include "core/listing/instruction_group.h"
#include "core/listing/instruction_mix.h"
#include "core/listing/listing_difference.h"

namespace kernelgen {
namespace {

using enum InstructionGroup;

/// "FILE:LINE TEXT" of each instruction; ": TEXT" of one from no file of the project.
std::vector<std::string> placed(const Listing& listing) {
    std::vector<std::string> lines;
    for (const ListingLine& each : listing.lines) {
        if (each.kind != ListingLineKind::instruction) continue;
        const std::string place =
            each.file < 0 ? "" : listing.files[static_cast<std::size_t>(each.file)] + ":" + std::to_string(each.line);
        lines.push_back((place.empty() ? ":" : place) + " " + std::string(mnemonic_of(each.text, listing.kind)));
    }
    return lines;
}

constexpr const char* disassembly = R"(
k.so:     file format elf64-x86-64

Disassembly of section .text:

00000000000010f0 <frame_dummy>:
    10f0:	jmp    1060 <register_tm_clones>

0000000000001110 <k(float const*)>:
k():
/cache/sources/./relu.cpp:5 (discriminator 1)
    1110:	test   %rdx,%rdx
    1113:	jle    1180 <k+0x70>
float const& std::max<float>(float const&, float const&):
/usr/include/c++/14/bits/stl_algobase.h:262
inlined by /cache/sources/./parts/row.h:3 (row)
inlined by /cache/sources/./relu.cpp:6 (k)
    1130:	vmovss 0x0(%r13,%rbx,4),%xmm0
/usr/include/c++/14/cmath:220
    1137:	vxorps %xmm5,%xmm5,%xmm5
/cache/sources/./relu.cpp:8
    117c:	ret
)";

TEST(Listing, OfAnObjectFileFollowsInlinedCallsToTheProject) {
    const Listing listing = read_listing(disassembly, CodeKind::assembly, {"relu.cpp", "parts/row.h"});
    EXPECT_EQ(placed(listing), (std::vector<std::string>{"relu.cpp:5 test", "relu.cpp:5 jle", "parts/row.h:3 vmovss",
                                                         ": vxorps", "relu.cpp:8 ret"}));
    ASSERT_FALSE(listing.lines.empty());
    EXPECT_EQ(listing.lines.front().text, "k(float const*):");
    EXPECT_EQ(listing.lines.front().kind, ListingLineKind::function);
    EXPECT_EQ(listing.lines[1].text, "1110:  test   %rdx,%rdx");
}

/// objdump tells the place of an inlined function once, and by which calls it was inlined before each instruction.
TEST(Listing, OfAnObjectFileGivesEachCallOfOneFunctionItsLine) {
    const Listing listing = read_listing(R"(0000000000001100 <k>:
fma(float):
/usr/lib/gcc/fmaintrin.h:65 (discriminator 3)
inlined by /cache/t.cpp:5 (k)
    1115:	vmovaps %ymm1,%ymm0
inlined by /cache/t.cpp:5 (k)
    1119:	vfmadd213ps (%rsi,%rax,4),%ymm1,%ymm0
inlined by /cache/row.h:2 (row)
inlined by /cache/t.cpp:6 (k)
    111f:	vfmadd132ps %ymm1,%ymm0,%ymm0
)",
                                         CodeKind::assembly, {"t.cpp", "row.h"});
    EXPECT_EQ(placed(listing),
              (std::vector<std::string>{"t.cpp:5 vmovaps", "t.cpp:5 vfmadd213ps", "row.h:2 vfmadd132ps"}));
}

TEST(Listing, OfAnObjectFileReadsNamesWithParentheses) {
    const Listing listing = read_listing(
        "0 <k>:\n/usr/f.h:9\ninlined by /x/t.cpp:3 (apply<std::plus<float>, float (*)(float)>)\n 1:\tret\n",
        CodeKind::assembly, {"t.cpp"});
    EXPECT_EQ(placed(listing), (std::vector<std::string>{"t.cpp:3 ret"}));
}

TEST(Listing, CallsNoFileOfTheSystemTheProjects) {
    const Listing listing = read_listing("0 <k>:\n/usr/include/math.h:9\n 1:\tret\n", CodeKind::assembly, {"math.h"});
    EXPECT_EQ(placed(listing), (std::vector<std::string>{": ret"}));
}

TEST(Listing, TakesRbpForTheStackOnlyWhereItPointsThere) {
    const Listing listing = read_listing(
        "0 <with>:\n 1:\tmov    %rsp,%rbp\n 2:\tmov    -0x8(%rbp),%rax\n"
        "9 <without>:\n 9:\tmov    -0x8(%rbp),%rax\n a:\tmov    (%rsp),%rax\n",
        CodeKind::assembly, {});
    ASSERT_EQ(listing.lines.size(), 6u);
    EXPECT_EQ(listing.lines[2].group, spill);
    EXPECT_EQ(listing.lines[4].group, load);
    EXPECT_EQ(listing.lines[5].group, spill);
}

TEST(Listing, OfPtxCountsACallOfSeveralLinesOnce) {
    const Listing listing = read_listing(R"(.visible .entry k(
)
{
	.local .align 8 .b8 	__local_depot0[8];
	.loc	1 3 0
	@%p1 call.uni (retval0), 
	vprintf, 
	(
	param0
	);
	call (retval1), %rd1, (param0), prototype_0;
	call (retval1), 
	%rd1, 
	(
	param0
	)
	, prototype_0;
$L__BB0_2:                              // %.lr.ph
	ret;  // done
}
	.file	1 "/cache/a.cu"
)",
                                         CodeKind::ptx, {"a.cu"});
    EXPECT_EQ(placed(listing),
              (std::vector<std::string>{"a.cu:3 call.uni", "a.cu:3 call", "a.cu:3 call", "a.cu:3 ret"}));
    const auto has = [&](const std::string& part, ListingLineKind kind) {
        return std::ranges::any_of(listing.lines, [&](const ListingLine& each) {
            return each.kind == kind && each.text.find(part) != std::string::npos;
        });
    };
    EXPECT_TRUE(has("__local_depot0[8]", ListingLineKind::other));
    EXPECT_TRUE(has("$L__BB0_2:", ListingLineKind::label));
    EXPECT_FALSE(has("lr.ph", ListingLineKind::label));
}

TEST(Listing, OfTritonGivesAnOperationWithARegionThePlaceBehindIt) {
    const Listing listing = read_listing(R"(module {
  tt.func public @k(%arg0: i32 loc("/x/k.py":1:0), %arg1: i32 loc("/x/k.py":1:0)) attributes {noinline = false} {
    %1 = "tt.reduce"(%0) <{axis = 0 : i32}> ({
    ^bb0(%a: f32 loc("/x/k.py":5:2), %b: f32 loc("/x/k.py":5:2)):
      %9 = arith.addf %a, %b : f32 loc("/x/k.py":6:2)
      tt.reduce.return %9 : f32 loc("/x/k.py":6:4)
    }) : (tensor<8xf32>) -> f32 loc("/x/k.py":5:9)
    scf.if %c {
      tt.return loc("/x/k.py":8:1)
    } else {
      tt.return loc("/x/k.py":9:1)
    } loc("/x/k.py":7:1)
  } loc("/x/k.py":2:0)
} loc("/x/k.py":1:0)
)",
                                         CodeKind::ttir, {"k.py"});
    EXPECT_EQ(placed(listing),
              (std::vector<std::string>{"k.py:5 tt.reduce", "k.py:6 arith.addf", "k.py:6 tt.reduce.return",
                                        "k.py:7 scf.if", "k.py:8 tt.return", "k.py:9 tt.return"}));
    EXPECT_EQ(listing.lines[1].text, "  tt.func public @k(%arg0: i32, %arg1: i32) attributes {noinline = false} {");
    EXPECT_EQ(listing.lines[1].line, 2);
    EXPECT_EQ(listing.lines[3].file, -1);  // the places of its arguments are not its own
}

TEST(BuiltCode, IsMissedWhereAWorkerSaysNothingOfIt) {
    BuildRequest request;
    request.implementation.variant.language = Language::cpp;
    request.texts = {"assembly"};
    BuildResult result;
    note_texts_not_given(request, result);
    EXPECT_EQ(why_no_code(result).text(), "no assembly: the worker does not give it; update the worker");
    BuildResult told;
    told.messages.push_back({"", 0, 0, "note", "no assembly: `objdump` is not here; install binutils"});
    note_texts_not_given(request, told);
    EXPECT_EQ(told.messages.size(), 1u);
    BuildResult given;
    given.texts["assembly"] = "";
    note_texts_not_given(request, given);
    EXPECT_TRUE(given.messages.empty());
}

TEST(Listing, TakesOnlyWholeNamesForAFile) {
    EXPECT_TRUE(read_listing(disassembly, CodeKind::assembly, {"elu.cpp", "w.h", ""}).files.empty());
}

TEST(Listing, OfPtxFollowsInlinedCallsToTheProject) {
    const Listing listing = read_listing(R"(
.visible .entry relu(
	.param .u64 relu_param_0
)
{
	.reg .f32 	%f<4>;
	.loc	1 12 0
	ld.param.u64 	%rd1, [relu_param_0];
	.loc	1 17 5
	.loc	2 407 9, function_name $L__info_string0, inlined_at 1 17 5
	.loc	3 152 9, function_name $L__info_string2, inlined_at 2 407 9
	@%p1 bra 	$L__BB0_2;
$L__BB0_1:
	.loc	3 9 9
	ret;
}
	.file	1 "/cache/sources/relu.cu"
	.file	2 "/usr/include/kernelgen.cuh"
	.file	3 "/usr/include/other.cuh"
	.section	.debug_info
	{
.b8 2;
	}
)",
                                         CodeKind::ptx, {"relu.cu"});
    EXPECT_EQ(placed(listing), (std::vector<std::string>{"relu.cu:12 ld.param.u64", "relu.cu:17 bra", ": ret"}));
}

TEST(Listing, OfPtxSurvivesCallsInACircle) {
    const Listing listing = read_listing(
        ".loc 1 1 1, function_name a, inlined_at 2 2 2\n.loc 2 2 2, function_name a, inlined_at 1 1 1\nret;\n"
        ".file 1 \"a\"\n.file 2 \"b\"\n",
        CodeKind::ptx, {"relu.cu"});
    EXPECT_EQ(placed(listing), (std::vector<std::string>{": ret"}));
}

TEST(Listing, OfSassFollowsInlinedCallsToTheProject) {
    const Listing listing = read_listing(R"(
	.section	.text.gelu,"ax",@progbits
gelu:
.text.gelu:
	//## File "/usr/include/gelu.cuh", line 11 inlined at "/cache/relu.cu", line 15
	//## File "/cache/relu.cu", line 15
        /*0000*/                   LDC R1, c[0x0][0x28] ;   /* 0x00000a00ff017b82 */
                                                            /* 0x000fe20000000800 */
.L_x_0:
	//## File "/usr/include/gelu.cuh", line 3
        /*0010*/              @!P0 BRA `(.L_x_0) ;
)",
                                         CodeKind::sass, {"relu.cu"});
    EXPECT_EQ(placed(listing), (std::vector<std::string>{"relu.cu:15 LDC", ": BRA"}));
    EXPECT_EQ(listing.lines.size(), 4u);
    EXPECT_EQ(listing.lines[1].text, "0000:  LDC R1, c[0x0][0x28] ;");
}

TEST(Listing, OfTritonResolvesNamedLocations) {
    const Listing listing = read_listing(R"(
#blocked = #triton_gpu.blocked<{sizePerThread = [1]}>
#loc = loc("/tmp/sources/1/copy.py":7:0)
module attributes {} {
  tt.func public @copy(%arg0: !tt.ptr<f32> loc("/tmp/sources/1/copy.py":7:0)) {
    %0 = tt.get_program_id x : i32 loc(#loc2)
    %1 = arith.mulf %0, %0 : f32 loc(#loc3)
    %2 = arith.addi %0, %0 : i32 loc(#loc4)
    tt.store %8, %11 : tensor<1x!tt.ptr<f32>, #blocked> loc(#loc5)
  } loc(#loc)
}
#loc1 = loc(unknown)
#loc2 = loc("/tmp/sources/1/copy.py":8:23)
#loc3 = loc(callsite("/usr/lib/triton/standard.py":3:1 at #loc2))
#loc4 = loc("x"(#loc4))
#loc5 = loc("out"(#loc2))
)",
                                         CodeKind::ttgir, {"copy.py"});
    EXPECT_EQ(placed(listing), (std::vector<std::string>{"copy.py:8 tt.get_program_id", "copy.py:8 arith.mulf",
                                                         ": arith.addi", "copy.py:8 tt.store"}));
    for (const ListingLine& each : listing.lines) EXPECT_EQ(each.text.find("loc("), std::string::npos) << each.text;
}

TEST(Listing, OfAnythingElseHasNoPlaces) {
    for (const CodeKind kind : all_code_kinds) {
        const Listing listing = read_listing("so\n\n:\n\"\n\t.loc\n/*\n//## File \"\n#loc = loc(\n", kind, {"so"});
        for (const ListingLine& each : listing.lines) EXPECT_LT(each.file, 0) << to_string(kind) << ": " << each.text;
    }
}

TEST(Listing, EndsAtItsLimit) {
    std::string text = "0000 <k>:\n";
    for (std::size_t i = 0; i < most_listing_lines + 10; ++i) text += " 1:\tret\n";
    const Listing listing = read_listing(text, CodeKind::assembly, {});
    EXPECT_TRUE(listing.is_cut);
    EXPECT_EQ(listing.lines.size(), most_listing_lines);
}

TEST(InstructionGroups, OfAProcessor) {
    const auto group = [](const char* line) { return group_of(line, CodeKind::assembly); };
    EXPECT_EQ(group("10:  vfmadd231ps (%rax),%ymm1,%ymm2"), floats);
    EXPECT_EQ(group("10:  vmovups (%rax,%rbx,4),%ymm2"), load);
    EXPECT_EQ(group("10:  vmovups %ymm2,(%rax,%rbx,4)"), store);
    EXPECT_EQ(group("10:  vmovups %ymm2,0x20(%rsp)"), spill);
    EXPECT_EQ(group("10:  vmovaps %ymm2,%ymm1"), move);
    EXPECT_EQ(group("10:  lock cmpxchg %edx,(%rdi)"), sync);
    EXPECT_EQ(group("10:  add    $0x20,%rax"), integers);
    EXPECT_EQ(group("10:  bnd jmp 20 <k>"), control);
    EXPECT_EQ(group("10:  vcvtps2pd %xmm0,%ymm0"), convert);
    for (const char* name : {"vpmaxsd", "vpminsd", "pmaxsd", "vpabsd", "vpdpbusd"})
        EXPECT_EQ(group((std::string("10:  ") + name + " %ymm0,%ymm1,%ymm2").c_str()), integers) << name;
    EXPECT_EQ(group("10:  {evex} vmovups (%rax),%ymm2"), load);
    EXPECT_EQ(group("10:  data16 data16 cs nopw 0x0(%rax,%rax,1)"), other);
}

TEST(InstructionGroups, OfAGpu) {
    const auto ptx = [](const char* line) { return group_of(line, CodeKind::ptx); };
    EXPECT_EQ(ptx("    ld.global.nc.v4.f32 {%f1, %f2}, [%rd1];"), load);
    EXPECT_EQ(ptx("    st.local.f32 [%rd1], %f1;"), spill);
    EXPECT_EQ(ptx("    fma.rn.f32 %f1, %f2, %f3, %f4;"), floats);
    EXPECT_EQ(ptx("    mad.lo.s32 %r1, %r2, %r3, %r4;"), integers);
    EXPECT_EQ(ptx("    @%p1 bra $L__BB0_2;"), control);
    EXPECT_EQ(ptx("    mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%f1}, {%r1};"), matrix);
    EXPECT_EQ(ptx("    bar.sync 0;"), sync);
    const auto sass = [](const char* line) { return group_of(line, CodeKind::sass); };
    EXPECT_EQ(sass("0010:  @!P0 LDG.E.128 R4, desc[UR4][R2.64] ;"), load);
    EXPECT_EQ(sass("0010:  STL [R1], R3 ;"), spill);
    EXPECT_EQ(sass("0010:  FFMA R1, R2, R3, R4 ;"), floats);
    EXPECT_EQ(sass("0010:  HGMMA.64x64x16.F32.BF16 R24, gdesc[UR4] ;"), matrix);
    EXPECT_EQ(sass("0010:  IMAD.MOV.U32 R1, RZ, RZ, R2 ;"), integers);
    EXPECT_EQ(sass("0010:  LDGDEPBAR ;"), sync);
}

TEST(InstructionMix, CountsRegistersOnce) {
    const Listing host = read_listing(
        "0000 <k>:\n 1:\tvaddps (%rax,%rbx,4),%xmm1,%xmm2\n 2:\tvaddps %ymm1,%ymm2,%ymm2\n 3:\tmov %eax,%r8d\n 4:\tmov "
        "%al,%r8\n 5:\tpush %rbp\n",
        CodeKind::assembly, {});
    const InstructionMix mix = mix_of(host);
    EXPECT_EQ(mix.instructions, 5);
    EXPECT_EQ(mix.registers.at("vector"), 2);
    EXPECT_EQ(mix.registers.at("general"), 4);  // rax, rbx, r8, rbp
    EXPECT_EQ(mix.spills(), 1);
    const Listing sass =
        read_listing("k:\n/*0*/ FFMA R1, R2.reuse, RZ, R1 ;\n/*10*/ @P0 LDC.64 R2, c[0][UR4] ;\n", CodeKind::sass, {});
    EXPECT_EQ(mix_of(sass).registers, (std::map<std::string, int>{{"P", 1}, {"R", 2}, {"UR", 1}}));
    EXPECT_EQ(to_json(sass).at("mix").at("groups").at("floats"), 1);
}

TEST(InstructionMix, CountsOnlyRegistersThatHoldValues) {
    const Listing host =
        read_listing("0 <k>:\n 1:\tfld %st(1)\n 2:\tmov %fs:0x28,%rax\n 3:\tmov %cr3,%rdi\n", CodeKind::assembly, {});
    EXPECT_EQ(mix_of(host).registers, (std::map<std::string, int>{{"general", 2}}));
    const Listing ptx = read_listing("mov.u32 %r1, %envreg3;\nmov.u64 %rd1, %clock64;\n", CodeKind::ptx, {});
    EXPECT_EQ(mix_of(ptx).registers, (std::map<std::string, int>{{"r", 1}, {"rd", 1}}));
}

TEST(InstructionMix, IsKnownForEachLineOfTheSource) {
    const Listing listing = read_listing(disassembly, CodeKind::assembly, {"relu.cpp"});
    const auto lines = lines_by_source(listing, 0);
    ASSERT_TRUE(lines.contains(5) && lines.contains(6));
    EXPECT_EQ(mix_of(listing, lines.at(5)).instructions, 2);
    EXPECT_EQ(mix_of(listing, lines.at(6)).groups.at(load), 1);
}

/// A listing of these instructions.
Listing written(const std::vector<std::string>& texts, CodeKind kind = CodeKind::assembly) {
    Listing listing{.kind = kind, .files = {"a.cpp"}, .lines = {}};
    for (const std::string& each : texts)
        listing.lines.push_back({.text = each, .kind = ListingLineKind::instruction, .file = 0, .line = 7});
    return listing;
}

TEST(ListingDifference, LeavesAddressesAndNumbersOfRegistersAside) {
    const auto same = [](const std::string& one, const std::string& other, CodeKind kind) {
        return compared_text(written({one}, kind).lines[0], kind) ==
               compared_text(written({other}, kind).lines[0], kind);
    };
    using enum CodeKind;
    EXPECT_TRUE(same("1152:  jne    13fb <relu+0x2eb>", "1160:  jne    1410 <relu+0x2f7>", assembly));
    EXPECT_TRUE(same("1192:  vxorps %xmm0,%xmm0,%xmm0", "11a0:  vxorps %xmm12,%xmm12,%xmm12", assembly));
    EXPECT_FALSE(same("1192:  vxorps %xmm0,%xmm0,%xmm0", "1192:  vxorps %ymm0,%ymm0,%ymm0", assembly));
    EXPECT_FALSE(same("1136:  shl    $0x4,%rax", "1136:  shl    $0x5,%rax", assembly)) << "a constant counts";
    EXPECT_TRUE(same("1add:  add    $0x1,%rax", "1bdd:  add    $0x1,%rax", assembly))
        << "an address may read as a name";
    EXPECT_TRUE(same("1133:  mov    %r10,%r9", "1133:  mov    %rax,%rcx", assembly));
    EXPECT_FALSE(same("1133:  mov    %r10,%r9", "1133:  mov    %r10d,%r9d", assembly)) << "and so does the width";
    EXPECT_TRUE(same("add.f32 %f3, %f1, %f2;", "add.f32 %f30, %f10, %f20;", ptx));
    EXPECT_FALSE(same("add.f32 %f3, %f1, %f2;", "add.f64 %fd3, %fd1, %fd2;", ptx));
    EXPECT_TRUE(same("10:  vbroadcastss 0x1da7(%rip),%zmm8        # 3000 <_fini+0x848>",
                     "20:  vbroadcastss 0x1df7(%rip),%zmm8        # 3000 <_fini+0x3c8>", assembly))
        << "the distance to a constant moves with the code between";
    EXPECT_TRUE(same("0100:  @P0 BRA 0x150 ;", "0200:  @P1 BRA 0x250 ;", sass));
    EXPECT_FALSE(same("0100:  IADD3 R1, R2, 0x10, RZ ;", "0100:  IADD3 R1, R2, 0x20, RZ ;", sass));
    EXPECT_TRUE(same("%5 = arith.addf %1, %2 : f32", "%7 = arith.addf %3, %4 : f32", ttir));
}

TEST(ListingDifference, KeepsWhatChangesAnInstruction) {
    const auto text = [](const std::string& line, CodeKind kind) {
        return compared_text(written({line}, kind).lines[0], kind);
    };
    using enum CodeKind;
    EXPECT_NE(text("@%p1 bra $L__BB0_2;", ptx), text("@!%p1 bra $L__BB0_2;", ptx));
    EXPECT_NE(text("@%p1 bra $L__BB0_2;", ptx), text("bra $L__BB0_2;", ptx));
    EXPECT_NE(text("0010:  @P0 FADD R1, R2, R3 ;", sass), text("0010:  FADD R1, R2, R3 ;", sass));
    EXPECT_NE(text("10:  lock add %eax,(%rdi)", assembly), text("10:  add %eax,(%rdi)", assembly));
    EXPECT_NE(text("10:  mov    %r9w,(%rax)", assembly), text("10:  mov    %r9,(%rax)", assembly));
    EXPECT_EQ(text("10:  mov    %al,(%rdx)", assembly), text("10:  mov    %r9b,(%rcx)", assembly));
    EXPECT_EQ(text("10:  mov    %ax,(%rdx)", assembly), text("10:  mov    %r9w,(%rcx)", assembly));
}

TEST(ListingDifference, PutsWhatIsInOneAloneInItsPlace) {
    const Listing before = written({"1110:  push   %rbp", "1112:  add    %rax,%rbx", "1114:  ret"});
    const Listing now = written({"1110:  push   %rbp", "1112:  sub    %rcx,%rdx", "1114:  nop", "1116:  ret"});
    const ListingDifference difference = difference_between(before, now);
    EXPECT_EQ(std::string(difference.marks.begin(), difference.marks.end()), " -++ ");
    EXPECT_EQ(difference.removed, 1);
    EXPECT_EQ(difference.added, 2);
    EXPECT_EQ(difference.merged.lines[1].text, "1112:  add    %rax,%rbx");
    EXPECT_EQ(difference.merged.lines[1].file, -1) << "the line of another source";
    EXPECT_EQ(difference.merged.lines.back().text, "1116:  ret") << "as it is now";
    const nlohmann::json json = to_json(difference, before);
    EXPECT_EQ(json["lines"].size(), 3u);
    EXPECT_EQ(json["before"]["instructions"], 3);
    EXPECT_TRUE(difference_between({}, {}).marks.empty());
    EXPECT_EQ(difference_between({}, now).added, 4);
}

TEST(ListingDifference, OfLongListingsEndsSoon) {
    std::vector<std::string> texts;
    for (int i = 0; i < 50'000; ++i) texts.push_back(std::to_string(i) + ":  add    $0x" + std::to_string(i) + ",%rax");
    const Listing before = written(texts);
    for (std::string& each : texts) each.replace(each.find("add"), 3, "sub");
    EXPECT_EQ(difference_between(before, written(texts)).removed, 50'000);
}

}  // namespace
}  // namespace kernelgen
