// SPDX-License-Identifier: Apache-2.0
#include "core/strategy/pattern_file.h"

#include <gmock/gmock.h>
#include <stdlib.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/file.h"
#include "core/base/text.h"
#include "tests/core_round/sample_round.h"
#include "tests/core_round/temporary_folder.h"

namespace kernelgen {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const PatternKey here{.strategy = "larger_tile",
                      .finding = "tail_wave",
                      .operator_class = "rows",
                      .dtype = "f32",
                      .shape_class = "large, long rows",
                      .device = "NVIDIA H200",
                      .kind = "cuda"};

Pattern pattern_with(const PatternKey& key, const std::vector<double>& gains, bool is_own) {
    Pattern pattern{.key = key, .is_own = is_own};
    for (const double each : gains) add_gain(pattern, each);
    return pattern;
}

TEST(Patterns, KeepMeanIntervalAndCounterexamples) {
    const Pattern pattern = pattern_with(here, {1.1, 1.2, 0.95}, true);
    EXPECT_EQ(pattern.count, 3);
    EXPECT_EQ(pattern.counterexamples, 1);
    EXPECT_NEAR(std::exp(pattern.mean), std::cbrt(1.1 * 1.2 * 0.95), 1e-12);
    const auto interval = pattern.interval();
    ASSERT_TRUE(interval);
    EXPECT_LT(interval->lower, 0.95);
    EXPECT_GT(interval->upper, 1.2);
    EXPECT_FALSE(pattern_with(here, {1.1}, true).interval());
}

TEST(Patterns, ARoundThatIsNotRightIsACounterexampleAlone) {
    Pattern pattern{.key = here};
    add_gain(pattern, std::nullopt);
    EXPECT_EQ(pattern.count, 0);
    EXPECT_EQ(pattern.counterexamples, 1);
    EXPECT_EQ(advice_of(std::vector{pattern}, here), std::nullopt);
}

TEST(Patterns, OfOtherPlacesCountLess) {
    PatternKey elsewhere = here;
    elsewhere.device = "NVIDIA L4";
    const auto near = advice_of(std::vector{pattern_with(here, {1.2, 1.2, 1.2}, true)}, here);
    const auto far = advice_of(std::vector{pattern_with(elsewhere, {1.2, 1.2, 1.2}, true)}, here);
    ASSERT_TRUE(near && far);
    EXPECT_GT(near->rounds, far->rounds);
    EXPECT_LT(near->expected.upper, far->expected.upper);  // the wider interval is that of what is known less well
    elsewhere.kind = "cpu";
    EXPECT_EQ(advice_of(std::vector{pattern_with(elsewhere, {1.2, 1.2}, true)}, here), std::nullopt);
    elsewhere = here;
    elsewhere.strategy = "smaller_tile";
    EXPECT_EQ(advice_of(std::vector{pattern_with(elsewhere, {1.2, 1.2}, true)}, here), std::nullopt);
}

TEST(Patterns, AWrongOneThatWasPlantedLosesItsWeight) {
    const Pattern planted = pattern_with(here, std::vector<double>(50, 3.0), false);
    Pattern own{.key = here};
    std::vector<double> expected;
    for (int rounds = 0; rounds < 4; ++rounds) {
        expected.push_back(advice_of(std::vector{own, planted}, here)->expected.likely);
        add_gain(own, 0.95);
    }
    EXPECT_GT(expected[0], 2.5);
    EXPECT_LT(expected[1], expected[0]);
    EXPECT_LT(expected[2], 1.15);
    EXPECT_LT(expected[3], 1.05);
}

TEST(Patterns, ARightOneOfOthersIsNotDoubted) {
    const Pattern shipped = pattern_with(here, {1.2, 1.25, 1.22}, false);
    const Pattern own = pattern_with(here, {1.21, 1.24}, true);
    const auto advice = advice_of(std::vector{own, shipped}, here);
    ASSERT_TRUE(advice);
    EXPECT_NEAR(advice->expected.likely, 1.224, 0.01);
    EXPECT_GT(advice->rounds, 4.5);
}

TEST(Patterns, SurviveBeingWrittenAndRead) {
    const std::vector<Pattern> patterns = {pattern_with(here, {1.1, 0.9}, true)};
    const Patterns read = parse_patterns(pattern_lines(patterns), "mine.jsonl", true);
    EXPECT_THAT(read.warnings, IsEmpty());
    ASSERT_THAT(read.all, SizeIs(1));
    EXPECT_EQ(read.all[0].key, here);
    EXPECT_EQ(read.all[0].count, 2);
    EXPECT_DOUBLE_EQ(read.all[0].mean, patterns[0].mean);
}

TEST(Patterns, RefuseLinesThatAreNone) {
    std::string line = pattern_lines(std::vector{pattern_with(here, {1.1}, true)});
    const auto refused = [](std::string text) { return parse_patterns(text, "f", true).warnings; };
    EXPECT_THAT(refused("{}\n"), ElementsAre(HasSubstr("f:1: ")));
    std::string unknown = line;
    unknown.replace(unknown.find("larger_tile"), 11, "larger_tyle");
    EXPECT_THAT(refused(unknown), ElementsAre(HasSubstr("did you mean `larger_tile`?")));
    std::string many = line;
    many.replace(many.find("\"count\":1"), 9, "\"count\":-1");
    EXPECT_THAT(refused(many), ElementsAre(HasSubstr("from 0 to 1000000")));
    std::string newer = line;
    newer.replace(newer.find("pattern/1"), 9, "pattern/2");
    EXPECT_THAT(refused(newer), SizeIs(1));
}

/// In a data folder of its own.
RoundDetail applied_round(double speedup) {
    RoundDetail detail = sample_round();
    detail.environment.hardware = "a CPU";
    detail.round.cases[0].speedup = speedup;
    detail.round.cases[0].speedup_lower = speedup * 0.99;
    detail.round.cases[0].speedup_upper = speedup * 1.01;
    detail.round.applied = AppliedStrategy{.strategy = "larger_tile", .finding = "tail_wave"};
    detail.round.configuration["BLOCK_N"] = static_cast<std::int64_t>(speedup * 1000);  // another one each
    return detail;
}

class OwnPatterns : public InFolder {
protected:
    void SetUp() override { ::setenv("XDG_DATA_HOME", folder.c_str(), 1); }
    void TearDown() override { ::unsetenv("XDG_DATA_HOME"); }

    static RoundDetail applied(double speedup) { return applied_round(speedup); }
    static std::vector<Pattern> own() {
        std::vector<Pattern> all = load_patterns().all;
        std::erase_if(all, [](const Pattern& each) { return !each.is_own; });
        return all;
    }
    std::filesystem::path own_file() const { return folder / "kernelgen" / "patterns.jsonl"; }
    void write_own(const std::string& text) const {
        std::filesystem::create_directories(own_file().parent_path());
        ASSERT_TRUE(write_file_atomic(own_file(), text));
    }
    static Pattern a_shipped_one() {
        const std::vector<Pattern> all = load_patterns().all;
        return *std::ranges::find_if(all, &Pattern::is_shipped);
    }
    static std::vector<Pattern> of_key(const PatternKey& key) {
        std::vector<Pattern> all = load_patterns().all;
        std::erase_if(all, [&](const Pattern& each) { return each.key != key; });
        return all;
    }
};

TEST_F(OwnPatterns, GrowFromRounds) {
    const Round before = applied(1.0).round;
    ASSERT_TRUE(learn_pattern(applied(1.2), before));
    ASSERT_TRUE(learn_pattern(applied(0.9), before));
    ASSERT_THAT(own(), SizeIs(1));
    EXPECT_EQ(own()[0].count, 2);
    EXPECT_EQ(own()[0].counterexamples, 1);
    EXPECT_EQ(own()[0].key.operator_class, "elementwise");
    EXPECT_EQ(own()[0].key.device, "a CPU");
}

TEST_F(OwnPatterns, LearnNothingOfARoundWithoutAStrategyOrThatWasCancelled) {
    const Round before = applied(1.0).round;
    RoundDetail plain = applied(1.2), cancelled = applied(1.2);
    plain.round.applied.reset();
    plain.round.configuration = before.configuration;
    cancelled.round.status = Status::cancelled;
    ASSERT_TRUE(learn_pattern(plain, before));
    ASSERT_TRUE(learn_pattern(cancelled, before));
    EXPECT_THAT(own(), IsEmpty());
}

/// 14 times as fast, with an interval from 2 to 87, is no number to order strategies by.
TEST_F(OwnPatterns, LearnNothingOfNoise) {
    const Round before = applied(1.0).round;
    RoundDetail noisy = applied(14.5);
    noisy.round.configuration = {{"BLOCK_N", 512}};
    noisy.round.cases[0].speedup_lower = 2.4;
    noisy.round.cases[0].speedup_upper = 87;
    ASSERT_TRUE(learn_pattern(noisy, before));
    EXPECT_THAT(own(), IsEmpty());
}

/// A search that kept what was there gained nothing, whatever the second timing says.
TEST_F(OwnPatterns, CountARoundThatChangedNothingAsNoGain) {
    RoundDetail same = applied(1.118);
    same.round.configuration = applied(1.0).round.configuration;
    ASSERT_TRUE(learn_pattern(same, applied(1.0).round));
    ASSERT_THAT(own(), SizeIs(1));
    EXPECT_EQ(own()[0].mean, 0);
}

TEST_F(OwnPatterns, OfAProjectAreThoseOfItsRounds) {
    const auto project = folder / "project";
    std::filesystem::create_directories(project);
    for (const auto& [block, speedup] : {std::pair{64, 1.0}, {128, 1.2}, {256, 1.1}}) {
        RoundDetail detail = applied(speedup);
        detail.round.applied.reset();
        detail.round.configuration = detail.candidate.configuration = {{"BLOCK_N", block}};
        ASSERT_TRUE(record_round(project, detail));
    }
    const std::vector<Pattern> found = learnt_from_project(project, {}).value();
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_EQ(found[0].key.strategy, "larger_tile");
    EXPECT_EQ(found[0].key.finding, "");
    EXPECT_EQ(found[0].count, 2);
    EXPECT_EQ(found[0].counterexamples, 1);
}

TEST(Patterns, ThatAreDisabledSayNothing) {
    Pattern pattern = pattern_with(here, {1.3, 1.3, 1.3}, true);
    pattern.is_disabled = true;
    EXPECT_EQ(advice_of(std::vector{pattern}, here), std::nullopt);
    const Pattern shipped = pattern_with(here, {1.1, 1.1}, false);
    const auto alone = advice_of(std::vector{shipped}, here), beside = advice_of(std::vector{shipped, pattern}, here);
    ASSERT_TRUE(alone && beside);
    EXPECT_EQ(beside->rounds, alone->rounds);  // it does not contradict either
}

TEST_F(OwnPatterns, KeepTheirNoteAndWhetherTheyAreDisabledAsTheyGrow) {
    const Round before = applied(1.0).round;
    ASSERT_TRUE(learn_pattern(applied(1.2), before));
    Pattern edited = own().at(0);
    edited.is_disabled = true;
    edited.note = "only with \"cold\" caches";
    edited.count = 900;  // numbers are not edited
    ASSERT_TRUE(edit_pattern(edited));
    ASSERT_TRUE(learn_pattern(applied(1.1), before));
    ASSERT_THAT(own(), SizeIs(1));
    EXPECT_TRUE(own()[0].is_disabled);
    EXPECT_EQ(own()[0].note, edited.note);
    EXPECT_EQ(own()[0].count, 2);
    edited.note = std::string(2001, 'x');
    EXPECT_FALSE(edit_pattern(edited));
    ASSERT_TRUE(remove_pattern(own()[0]));
    EXPECT_THAT(own(), IsEmpty());
}

TEST_F(OwnPatterns, ThatAreShippedBecomeImportedOnesWhenTheyAreEdited) {
    Pattern shipped = a_shipped_one();
    EXPECT_FALSE(remove_pattern(shipped));
    shipped.is_disabled = true;
    ASSERT_TRUE(edit_pattern(shipped));
    const Pattern edited = find_pattern(shipped.id()).value();
    EXPECT_TRUE(edited.is_disabled);
    EXPECT_FALSE(edited.is_shipped || edited.is_own);
    EXPECT_EQ(edited.count, shipped.count);
    ASSERT_TRUE(remove_pattern(edited));
    EXPECT_TRUE(find_pattern(shipped.id())->is_shipped);
    EXPECT_FALSE(edit_pattern(pattern_with(here, {1.3}, false)));  // it is not there
}

TEST_F(OwnPatterns, AreDisabledTogetherWithTheShippedOnesOfTheirKey) {
    const Pattern shipped = a_shipped_one();
    Pattern own = pattern_with(shipped.key, {1.3}, true);
    write_own(pattern_lines(std::vector{own}));
    own.note = "only a note";
    ASSERT_TRUE(edit_pattern(own));
    EXPECT_THAT(of_key(shipped.key), ElementsAre(Field(&Pattern::note, "only a note"), shipped));
    own.is_disabled = true;
    ASSERT_TRUE(edit_pattern(own));
    EXPECT_THAT(of_key(shipped.key), Each(Field(&Pattern::is_disabled, true)));
    EXPECT_EQ(of_key(shipped.key).at(1).note, "");
    own.is_disabled = false;
    ASSERT_TRUE(edit_pattern(own));
    EXPECT_THAT(of_key(shipped.key), AllOf(SizeIs(2), Each(Field(&Pattern::is_disabled, false))));
}

TEST_F(OwnPatterns, StayDisabledWhereNewRoundsTeachThemAndANoteIsWritten) {
    ASSERT_TRUE(learn_pattern(applied(1.2), applied(1.0).round));
    Pattern pattern = own().at(0);
    ASSERT_TRUE(remove_pattern(pattern));
    pattern.is_own = false;
    pattern.is_disabled = true;
    ASSERT_TRUE(write_file_atomic(folder / "theirs.jsonl", pattern_lines(std::vector{pattern})));
    ASSERT_TRUE(import_patterns(folder / "theirs.jsonl"));
    ASSERT_TRUE(learn_pattern(applied(1.3), applied(1.0).round));
    EXPECT_THAT(of_key(pattern.key), AllOf(SizeIs(2), Each(Field(&Pattern::is_disabled, true))));
    Pattern noted = own().at(0);
    noted.note = "a note";
    ASSERT_TRUE(edit_pattern(noted));
    EXPECT_THAT(of_key(pattern.key), Each(Field(&Pattern::is_disabled, true)));
}

TEST(LearntPatterns, AreTheUsersOwnBesideThoseOfOthers) {
    const RoundDetail round = applied_round(1.2);
    const Round before = applied_round(1.0).round;
    std::vector<Pattern> others = learnt_from(round, before, {});
    ASSERT_THAT(others, SizeIs(1));
    others[0].is_own = false;
    const std::vector<Pattern> both = learnt_from(round, before, others);
    ASSERT_THAT(both, SizeIs(2));
    EXPECT_EQ(both[0], others[0]);
    EXPECT_TRUE(both[1].is_own);
}

TEST_F(OwnPatterns, KeepTheLinesBesideThemThatCannotBeRead) {
    const std::string newer = R"({"schema": "kernelgen.pattern/2", "of": "a newer kernelgen"})";
    write_own(newer + "\n");
    ASSERT_TRUE(learn_pattern(applied(1.2), applied(1.0).round));
    EXPECT_THAT(own(), SizeIs(1));
    EXPECT_THAT(read_file(own_file()).value(), HasSubstr(newer));
}

TEST_F(OwnPatterns, AreNotLostWhereTheirFileCannotBeRead) {
    write_own(std::string((16 << 20) + 1, ' '));
    EXPECT_FALSE(learn_pattern(applied(1.2), applied(1.0).round));
    EXPECT_EQ(std::filesystem::file_size(own_file()), (16 << 20) + 1);
    EXPECT_THAT(load_patterns().warnings, SizeIs(1));
}

TEST_F(OwnPatterns, AreImportedBesideAndRemoved) {
    const auto file = folder / "theirs.jsonl";
    const Pattern theirs = pattern_with(here, {1.3, 1.4}, false);
    ASSERT_TRUE(write_file_atomic(file, pattern_lines(std::vector{theirs})));
    EXPECT_EQ(import_patterns(file).value(), 1);
    EXPECT_EQ(import_patterns(file).value(), 1);  // replaces
    const std::vector<Pattern> all = load_patterns().all;
    EXPECT_EQ(std::ranges::count(all, here, &Pattern::key), 1);
    EXPECT_THAT(own(), IsEmpty());
    EXPECT_TRUE(remove_pattern(theirs.id()));
    EXPECT_FALSE(remove_pattern(theirs.id()));
    ASSERT_TRUE(write_file_atomic(file, "no pattern\n"));
    EXPECT_THAT(import_patterns(file).error().message, HasSubstr("nothing was imported"));
}

}  // namespace
}  // namespace kernelgen
