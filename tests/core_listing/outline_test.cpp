// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <format>
#include <nlohmann/json.hpp>

#include "core/listing/code_outline.h"

namespace kernelgen {
namespace {

/// "KIND FIRST-LAST", indented by the depth.
std::vector<std::string> outlined(const Listing& listing) {
    std::vector<std::string> all;
    for (const CodeRegion& each : outline_of(listing))
        all.push_back(std::string(static_cast<std::size_t>(each.depth), ' ') +
                      std::format("{} {}-{}", to_string(each.kind), each.first, each.last));
    return all;
}

using Lines = std::vector<std::string>;

constexpr const char* nested_loops = R"(0000000000001000 <k>:
/x/k.cpp:3
    1000:	xor    %eax,%eax
    1002:	test   %rdi,%rdi
    1005:	jle    1020 <k+0x20>
/x/k.cpp:4
    1007:	xor    %ecx,%ecx
/x/k.cpp:5
    1009:	vaddss (%rsi),%xmm0,%xmm0
    100d:	inc    %rcx
    1010:	jne    1009 <k+0x9>
    1012:	inc    %rax
    1015:	jmp    1007 <k+0x7>
/x/k.cpp:8
    1020:	vzeroupper
    1023:	ret
)";

TEST(Outline, OfAnObjectFileHasItsLoopsAndBlocks) {
    const Listing listing = read_listing(nested_loops, CodeKind::assembly, {"k.cpp"});
    EXPECT_EQ(outlined(listing),
              (Lines{"function 0-11", " block 1-3", " loop 4-9", "  loop 5-7", "  block 8-9", " block 10-11"}));
    const std::vector<CodeRegion> regions = outline_of(listing);
    const SourceSpan inner = source_of(listing, regions[3]);
    EXPECT_EQ(inner.first, 5);
    EXPECT_EQ(inner.last, 5);
    const nlohmann::ordered_json document = outline_json(listing);
    EXPECT_EQ(document[3]["kind"], "loop");
    EXPECT_EQ(document[3]["mix"]["instructions"], 3);
}

TEST(Outline, OfPtxFollowsItsLabels) {
    const Listing listing = read_listing(
        ".visible .entry k(\n)\n{\n\tmov.u32 %r1, 0;\n$L__BB0_1:\n\tadd.s32 %r1, %r1, 1;\n\tsetp.lt.s32 %p1, %r1, 9;\n"
        "\t@%p1 bra $L__BB0_1;\n\tret;\n}\n",
        CodeKind::ptx, {});
    const Lines all = outlined(listing);
    ASSERT_GE(all.size(), 2U);
    EXPECT_TRUE(all[0].starts_with("function 0-")) << all[0];
    EXPECT_EQ(std::ranges::count_if(all, [](const std::string& each) { return each.contains("loop"); }), 1);
}

TEST(Outline, OfSassFollowsLabelsAndAddresses) {
    const Listing labels = read_listing(
        "\t.text.k:\nk:\n        /*0000*/                   MOV R1, c[0x0][0x28] ;\n.L_x_0:\n"
        "        /*0010*/                   FADD R2, R2, R3 ;\n        /*0020*/              @P0  BRA `(.L_x_0) ;\n"
        "        /*0030*/                   EXIT ;\n",
        CodeKind::sass, {});
    EXPECT_EQ(outlined(labels), (Lines{"function 0-5", " loop 2-4"}));
    const Listing addresses = read_listing(
        "\t\tFunction : k\n        /*0000*/                   MOV R1, R2 ;\n"
        "        /*0010*/                   FADD R2, R2, R3 ;\n        /*0020*/              @P0  BRA 0x10 ;\n"
        "        /*0030*/                   EXIT ;\n",
        CodeKind::sass, {});
    EXPECT_EQ(outlined(addresses), (Lines{"function 0-4", " loop 2-3"}));
}

TEST(Outline, OfMlirFollowsItsBraces) {
    const Listing listing = read_listing(
        "module {\n  tt.func public @k() {\n    %0 = arith.constant 0 : i32\n    scf.for %i = %0 to %1 step %2 {\n"
        "      %3 = tt.load %4\n    }\n    tt.return\n  }\n}\n",
        CodeKind::ttir, {});
    EXPECT_EQ(outlined(listing)[0], "function 1-8");
    EXPECT_EQ(outlined(listing)[1], " loop 3-5");
}

/// A jump into the middle of a loop makes no tree: the second loop would be half in the first.
TEST(Outline, LeavesOutALoopThatOverlapsAnother) {
    const Listing listing = read_listing(
        "0000000000001000 <k>:\n 10:\tnop\n 11:\tnop\n 12:\tjne    10 <k>\n"
        " 13:\tnop\n 14:\tjne    11 <k>\n 15:\tret\n",
        CodeKind::assembly, {});
    const Lines all = outlined(listing);
    EXPECT_EQ(std::ranges::count_if(all, [](const std::string& each) { return each.contains("loop"); }), 1);
}

TEST(Outline, OfNothingIsEmpty) {
    EXPECT_TRUE(outline_of({}).empty());
    EXPECT_TRUE(outline_of(read_listing("jne 10\n}\n{\n", CodeKind::assembly, {})).empty());
}

}  // namespace
}  // namespace kernelgen
