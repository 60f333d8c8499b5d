// SPDX-License-Identifier: Apache-2.0
#include "core/project/tunable_macros.h"

#include <gmock/gmock.h>

namespace kernelgen {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

OverriddenTunables overridden_in(const std::string& text, const SourceFiles& files = {}) {
    Variant variant{.name = "tuned", .language = Language::cuda, .source = "tuned.cu"};
    variant.tunables = {{"BLOCK", {16, 32}, 16}, {"TILE", {1, 2}, 1}, {"WIDTH", {4}, 4}};
    variant.flags = {"-Dtuned=1"};
    return overridden_tunables({.variant = variant, .text = text, .configuration = {}, .files = files});
}

/// "3" for each line that overrides always, "3?" for each that does under some condition.
std::vector<std::string> lines_in(const std::string& text) {
    const OverriddenTunables found = overridden_in(text);
    std::vector<std::string> lines;
    for (const Diagnostic& each : found.always) lines.push_back(each.where.substr(5));
    for (const Diagnostic& each : found.perhaps) lines.push_back(each.where.substr(5) + "?");
    return lines;
}

TEST(TunableMacros, ADefaultOverridesNothing) {
    EXPECT_THAT(lines_in("#ifndef BLOCK\n  #define BLOCK 16\n#endif\n"), IsEmpty());
    EXPECT_THAT(lines_in("#if !defined(BLOCK)\n#define BLOCK 16\n#endif\n"), IsEmpty());
    EXPECT_THAT(lines_in("#if !defined BLOCK && X > 1\n#define BLOCK 16\n#endif\n"), IsEmpty());
    EXPECT_THAT(lines_in("#ifdef TILE\n#else\n#define BLOCK 16\n#endif\n"), IsEmpty());
    EXPECT_THAT(lines_in("#ifndef BLOCK\n#define BLOCK 16\n#define TILE 2\n#endif\n"), IsEmpty());
    EXPECT_THAT(lines_in("// #define BLOCK 16\n/*\n#define BLOCK 16\n*/\n#define BLOCKS 16\n"), IsEmpty());
}

TEST(TunableMacros, TheOnlyValueOfATunableOverridesNothing) {
    EXPECT_THAT(lines_in("#define WIDTH 4 // as it is\n#define BLOCK 16\n#define WIDTH 8\n"), ElementsAre("2", "3"));
}

TEST(TunableMacros, WhatNoBuildCompilesOverridesNothing) {
    EXPECT_THAT(lines_in("#ifndef tuned\n#define BLOCK 16\n#endif\n"), IsEmpty());
    EXPECT_THAT(lines_in("#define own 1\n#ifndef own\n#define BLOCK 16\n#endif\n"), IsEmpty());
    EXPECT_THAT(lines_in("#if 0\n#ifdef X\n#define BLOCK 16\n#endif\n#endif\n"), IsEmpty());
    EXPECT_THAT(lines_in("#if defined(BLOCK)\n#elif X\n#define BLOCK 16\n#else\n#undef BLOCK\n#endif\n"), IsEmpty());
}

TEST(TunableMacros, AnotherValueOverridesAlways) {
    EXPECT_THAT(lines_in("int x;\n #  define BLOCK 16 /* the best */\n"), ElementsAre("2"));
    EXPECT_THAT(lines_in("#ifdef BLOCK\n#undef BLOCK\n#endif\n#define BLOCK 16\n"), ElementsAre("2", "4"));
    EXPECT_THAT(lines_in("#ifndef SIZES_H\n#define SIZES_H\n#define TILE 4\n#endif\n"), ElementsAre("3"));
    EXPECT_THAT(lines_in("#if 0\n#else\n#define BLOCK 16\n#endif\n"), ElementsAre("3"));
}

TEST(TunableMacros, AConditionThatIsNotKnownIsTold) {
    EXPECT_THAT(lines_in("#if HEIGHT > 8\n#define BLOCK 16\n#else\n#define TILE 1\n#endif\n"), ElementsAre("2?", "4?"));
    EXPECT_THAT(lines_in("#ifdef DEBUG\n#define BLOCK 16\n#endif\n"), ElementsAre("2?"));
    EXPECT_THAT(lines_in("#if !defined(BLOCK) || X\n#define BLOCK 16\n#endif\n"), ElementsAre("2?"));
    EXPECT_EQ(to_string(overridden_in("#ifdef DEBUG\n#define BLOCK 16\n#endif\n").perhaps),
              "tuned.cu: line 2: `#define BLOCK 16` overrides the tunable `BLOCK` where the condition around it holds: "
              "there it has no effect; leave the line out, or put it between `#ifndef BLOCK` and `#endif`\n");
}

TEST(TunableMacros, OfIncludedFilesAreToldWithTheirNames) {
    const OverriddenTunables found = overridden_in("#include \"sizes.h\"\n", {{"sizes.h", "\n#define TILE 4\n"}});
    ASSERT_EQ(found.always.size(), 1u);
    EXPECT_EQ(found.always[0].file, "sizes.h");
    EXPECT_EQ(found.always[0].where, "line 2");
}

}  // namespace
}  // namespace kernelgen
