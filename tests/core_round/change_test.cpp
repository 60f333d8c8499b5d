// SPDX-License-Identifier: Apache-2.0
#include "core/round/change.h"

#include <gmock/gmock.h>

#include <functional>
#include <random>

#include "core/base/text.h"
#include "tests/core_round/sample_round.h"

namespace kernelgen {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

/// A change to the sample, and what is found of it.
Change after(const std::function<void(Operator&, Implementation&)>& edit) {
    Operator definition = sample_operator();
    Implementation implementation = sample_implementation();
    edit(definition, implementation);
    return change_between(sample_operator(), sample_implementation(), definition, implementation);
}

TEST(Change, IsNoneWhereNothingDiffers) {
    const Change change = after([](Operator&, Implementation&) {});
    EXPECT_EQ(change.kind, ChangeKind::none);
    EXPECT_THAT(change.differences, IsEmpty());
    EXPECT_EQ(change.source_difference, "");
    EXPECT_EQ(change.body_difference, "");
}

TEST(Change, OfAValueIsOneOfTunables) {
    const Change change = after([](Operator&, Implementation& it) { it.configuration["BLOCK_N"] = 256; });
    EXPECT_EQ(change.kind, ChangeKind::tunables);
    ASSERT_THAT(change.differences, SizeIs(1));
    EXPECT_EQ(change.differences[0].name, "BLOCK_N");
    EXPECT_EQ(change.differences[0].before, "128");
    EXPECT_EQ(change.differences[0].after, "256");
}

TEST(Change, OfTheSourceIsOneOfTheImplementation) {
    const Change change = after([](Operator&, Implementation& it) { it.text = "// two lines\nvoid scale(int);\n"; });
    EXPECT_EQ(change.kind, ChangeKind::implementation);
    EXPECT_EQ(change.source_difference, "@@ -1,2 +1,2 @@\n // two lines\n-void scale();\n+void scale(int);\n");
}

/// A Python wrapper with its tunable as a literal, at a configuration that may be another than the file's.
TEST(Change, OfAFileThatIsIncludedIsOneOfTheImplementation) {
    Implementation before = sample_implementation(), after = sample_implementation();
    before.files = {{"helper.h", "one\n"}, {"same.h", "same\n"}, {"old.h", "old\n"}};
    after.files = {{"helper.h", "two\n"}, {"same.h", "same\n"}, {"new.h", "new\n"}};
    const Change change = change_between(sample_operator(), before, sample_operator(), after);
    EXPECT_EQ(change.kind, ChangeKind::implementation);
    EXPECT_EQ(change.source_difference, "");
    EXPECT_THAT(change.differences, ::testing::IsEmpty());
    ASSERT_EQ(change.file_differences.size(), 3u);
    EXPECT_EQ(change.file_differences.at("helper.h"), "@@ -1 +1 @@\n-one\n+two\n");
    EXPECT_EQ(change.file_differences.at("new.h"), "@@ -0,0 +1 @@\n+new\n");
    EXPECT_EQ(change.file_differences.at("old.h"), "@@ -1 +0,0 @@\n-old\n");
}

TEST(Change, OfTheListedSourcesIsOneOfTheImplementation) {
    const Change change = after([](Operator&, Implementation& it) { it.variant.sources = {"part.cpp"}; });
    EXPECT_EQ(change.kind, ChangeKind::implementation);
    ASSERT_EQ(change.differences.size(), 1u);
    EXPECT_EQ(change.differences[0].part, Part::source);
    EXPECT_EQ(change.differences[0].after, "part.cpp");
}

Implementation wrapper(const std::string& literal, std::int64_t configured, const std::string& body = "return x") {
    Variant variant{.name = "triton", .language = Language::triton};
    variant.source = "scale_triton.py";
    variant.entry = "scale";
    variant.tunables = {{"BLOCK", {64, 128, 256}, configured}};
    return {variant, "def scale(x):\n    BLOCK = " + literal + "\n    " + body + "\n", {{"BLOCK", configured}}};
}

TEST(Change, OfALiteralThatIsATunablesValueIsOneOfTunables) {
    const Change kept = change_between(sample_operator(), wrapper("64", 128), sample_operator(), wrapper("128", 128));
    EXPECT_EQ(kept.kind, ChangeKind::none);
    const Change set = change_between(sample_operator(), wrapper("64", 64), sample_operator(), wrapper("256", 256));
    EXPECT_EQ(set.kind, ChangeKind::tunables);
    EXPECT_EQ(set.source_difference, "");
    const Change edited = change_between(sample_operator(), wrapper("64", 64), sample_operator(),
                                         wrapper("128", 128, "return x + BLOCK"));
    EXPECT_EQ(edited.kind, ChangeKind::implementation);
    EXPECT_EQ(edited.source_difference,
              "@@ -1,3 +1,3 @@\n def scale(x):\n     BLOCK = 128\n-    return x\n+    return x + BLOCK\n");
}

TEST(Change, OfTheGridIsOneOfTheImplementation) {
    const Change change = after([](Operator&, Implementation& it) { it.variant.launches[0].grid = {"1", "N"}; });
    EXPECT_EQ(change.kind, ChangeKind::implementation);
    ASSERT_THAT(change.differences, SizeIs(1));
    EXPECT_EQ(change.differences[0].after, "grid (1, N)");
}

TEST(Change, OfAnInputIsOneOfTheInterface) {
    const Change change = after([](Operator& definition, Implementation&) {
        definition.inputs.push_back({.name = "bias", .shape = {"N"}, .dtype = DType::f32});
    });
    EXPECT_EQ(change.kind, ChangeKind::interface);
    ASSERT_THAT(change.differences, SizeIs(1));
    EXPECT_EQ(change.differences[0].part, Part::input);
    EXPECT_EQ(change.differences[0].before, std::nullopt);
    EXPECT_EQ(change.differences[0].after, "[N] f32");
}

TEST(Change, OfTheKernelsArgumentsIsOneOfTheInterface) {
    const Change change = after([](Operator&, Implementation& it) { it.variant.launches[0].args = {"x", "out"}; });
    EXPECT_EQ(change.kind, ChangeKind::interface);
}

TEST(Change, OfTheBodyIsOneOfLogicWhateverElseDiffers) {
    const Change change = after([](Operator& definition, Implementation& it) {
        definition.body = "y = 2 * x; out = y + 1";
        definition.outputs[0].dtype = DType::f16;
        it.text = "";
        it.configuration["BLOCK_N"] = 64;
    });
    EXPECT_EQ(change.kind, ChangeKind::logic);
    EXPECT_EQ(change.body_difference, "@@ -1 +1,2 @@\n-out = 2 * x\n+y = 2 * x\n+out = y + 1\n");
}

TEST(Change, OfAnAttributeIsOneOfLogic) {
    const Change change = after([](Operator& definition, Implementation&) { definition.attributes = {{"eps", 1e-5}}; });
    EXPECT_EQ(change.kind, ChangeKind::logic);
    EXPECT_EQ(change.differences.at(0).after, "1e-05");
}

TEST(Change, OfWordsThatMeanNothingIsNone) {
    const Change change = after([](Operator& definition, Implementation&) {
        definition.description = "twice";
        definition.body = "  out = 2 * x ;\n";
    });
    EXPECT_EQ(change.kind, ChangeKind::none);
}

TEST(UnifiedDiff, SaysWhereANewlineIsMissingAtTheEnd) {
    EXPECT_EQ(unified_diff("a\n", "a"), "@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n");
}

TEST(UnifiedDiff, ShowsDistantChangesInHunksOfTheirOwn) {
    std::string before, after;
    for (int i = 1; i <= 20; ++i) {
        before += std::to_string(i) + "\n";
        after += i == 2 || i == 19 ? "changed\n" : std::to_string(i) + "\n";
    }
    EXPECT_EQ(unified_diff(before, after),
              "@@ -1,5 +1,5 @@\n 1\n-2\n+changed\n 3\n 4\n 5\n"
              "@@ -16,5 +16,5 @@\n 16\n 17\n 18\n-19\n+changed\n 20\n");
}

TEST(UnifiedDiff, ReplacesTextsThatHaveAlmostNothingInCommon) {
    std::string before, after;
    for (int i = 0; i < 20'000; ++i) {
        before += "b" + std::to_string(i) + "\n";
        after += "a" + std::to_string(i) + "\n";
    }
    const std::string diff = unified_diff(before, after);
    EXPECT_TRUE(diff.starts_with("@@ -1,20000 +1,20000 @@\n-b0\n-b1\n"));
    EXPECT_TRUE(diff.ends_with("+a19999\n"));
}

/// Lines of few kinds, so that they repeat.
std::string random_lines(std::mt19937& random) {
    std::string text;
    for (auto left = random() % 40; left > 0; --left) text += std::string(1, "abcd"[random() % 4]) + "\n";
    return text;
}

/// What `patch` makes of a text whose lines are two bytes long; a kept or removed line that is not there fails.
std::string patched(const std::string& text, const std::string& diff) {
    std::string result;
    std::size_t taken = 0;
    for (const std::string& line : split(diff, '\n')) {
        if (line.empty()) continue;
        if (line.starts_with("@@ -")) {
            const int first = std::stoi(line.substr(4));
            const bool counted = line.find(',') < line.find(' ', 4);
            const int count = counted ? std::stoi(line.substr(line.find(',') + 1)) : 1;
            const std::size_t begin = 2 * static_cast<std::size_t>(count == 0 ? first : first - 1);
            result += text.substr(taken, begin - taken);
            taken = begin;
            continue;
        }
        if (line[0] != '+') {
            EXPECT_EQ(text.substr(taken, 2), line.substr(1) + "\n") << diff;
            taken += 2;
        }
        if (line[0] != '-') result += line.substr(1) + "\n";
    }
    return result + text.substr(taken);
}

TEST(UnifiedDiff, TurnsOneTextIntoTheOther) {
    std::mt19937 random(7);
    for (int round = 0; round < 300; ++round) {
        const std::string before = random_lines(random), after = random_lines(random);
        EXPECT_EQ(patched(before, unified_diff(before, after)), after) << before << "->\n" << after;
    }
}

}  // namespace
}  // namespace kernelgen
