// SPDX-License-Identifier: Apache-2.0
#include "core/strategy/propose.h"

#include <gmock/gmock.h>

#include <set>

#include "core/project/project_file.h"
#include "core/project/source_files.h"
#include "core/strategy/expectation.h"
#include "tests/core_strategy/story.h"

namespace kernelgen {
namespace {

using ::testing::Contains;
using ::testing::Field;
using ::testing::HasSubstr;

/// A timed round of a project's first variant, half as fast as it could be.
RoundDetail timed_round(const Project& project, const std::string& device) {
    RoundDetail detail;
    detail.definition = project.definition;
    detail.candidate = read_implementation(project, project.variants[0]).value();
    detail.environment.hardware = "NVIDIA H200";
    Round& round = detail.round;
    round.number = 7;
    round.device = device;
    round.variant = project.variants[0].name;
    round.baseline = project.variants.back().name;
    round.configuration = detail.candidate.configuration;
    round.environment = "one";
    round.source_hash = hash_of_sources(detail.candidate);
    RoundCase timed{.binding = project.cases[0], .configuration = {}, .roofline = {}};
    timed.seconds = 1e-3;
    timed.speedup = 0.3;
    timed.speedup_lower = 0.299;
    timed.speedup_upper = 0.301;
    timed.roofline.has_ceilings = true;
    timed.roofline.fraction = 0.3;
    round.cases = {timed};
    return detail;
}

Diagnosis diagnosis_of(const RoundDetail& detail, std::vector<Finding> findings) {
    Diagnosis diagnosis;
    diagnosis.evidence.binding = detail.round.cases[0].binding;
    diagnosis.evidence.put("headroom", 1 / 0.3, EvidenceSource::roofline);
    diagnosis.findings = std::move(findings);
    return diagnosis;
}

Finding finding(const std::string& rule, double most_gain, const std::vector<std::string>& strategies) {
    Finding made;
    made.rule = rule;
    made.most_gain = most_gain;
    made.strategies = strategies;
    return made;
}

const Proposal* find(const Proposals& proposals, std::string_view strategy) {
    const auto found = std::ranges::find(proposals.all, strategy, &Proposal::strategy);
    return found == proposals.all.end() ? nullptr : &*found;
}

class Story : public ::testing::Test {
protected:
    Proposals proposals(const std::vector<Finding>& findings, const std::vector<Pattern>& patterns = {},
                        const std::vector<Tuning>& tunings = {}) {
        diagnoses = {diagnosis_of(round, findings)};
        return propose_all({project, round, diagnoses, patterns, tunings});
    }

    const Project project = load_project(testing::story).value();
    const RoundDetail round = timed_round(project, "cuda:0");
    std::vector<Diagnosis> diagnoses;
};

TEST_F(Story, ProposesTheSecondAxisAndSmallerTilesAsTheSourceDoes) {
    const Proposals found =
        proposals({finding("too_few_programs", 2.1, {"smaller_tile", "fewer_warps", "fewer_stages", "grid_shape"})});
    const Proposal* grid = find(found, "grid_2d");
    ASSERT_NE(grid, nullptr);
    EXPECT_THAT(difference_of(grid->change, round.candidate), HasSubstr("-    for start in range(0, D, BLOCK_N):\n"));
    EXPECT_GT(grid->expected.likely, 1);
    for (const char* line : {"BLOCK_M 64 → 16", "num_warps 8 → 4", "num_stages 3 → 2"})
        EXPECT_THAT(found.all, Contains(Field(&Proposal::line, line)));
    EXPECT_NE(find(found, "tune"), nullptr);
}

/// Rows of 4096 elements fill no tile of 8192: half as wide a tile is the same kernel.
TEST(Proposals, LeaveOutStepsThatChangeNothing) {
    const Project project = load_project(KERNELGEN_SOURCE_DIR "/projects/softmax").value();
    RoundDetail round = timed_round(project, "cpu");
    round.candidate.configuration["BLOCK_N"] = round.round.configuration["BLOCK_N"] = 8192;
    const std::vector<Diagnosis> diagnoses = {diagnosis_of(round, {finding("tail_wave", 1.5, {"smaller_tile"})})};
    const Proposals found = propose_all({project, round, diagnoses, {}, {}});
    ASSERT_NE(find(found, "smaller_tile"), nullptr);
    for (const Proposal& each : found.all) EXPECT_FALSE(each.line.contains("BLOCK_N 8192 → 4096")) << each.line;
}

TEST_F(Story, ShowsTheBaselineForTheShapeWhereItIsFaster) {
    const Proposals found = proposals({});
    const Proposal* library = find(found, "library");
    ASSERT_NE(library, nullptr);
    EXPECT_NEAR(library->expected.likely, 1 / 0.3, 0.01);
    EXPECT_EQ(library->expected_from, GainSource::rounds);
    EXPECT_EQ(library->line, "when D == 4096 and P == 4096: torch");
}

TEST_F(Story, ShowsNoRuleThatHoldsOnAnotherCaseToo) {
    RoundDetail twins = round;
    RoundCase& twin = twins.round.cases.emplace_back(twins.round.cases[0]);
    for (const DType dtype : {DType::bf16, DType::f32}) {
        twins.round.cases[0].binding.dtype = DType::f16;
        twin.binding.dtype = dtype;
        diagnoses = {diagnosis_of(twins, {})};
        const Proposals found = propose_all({project, twins, diagnoses, {}, {}});
        EXPECT_EQ(find(found, "library") != nullptr, dtype == DType::f32);
    }
}

TEST_F(Story, NeverExpectsMoreThanTheFindingSaysCanBeGained) {
    const Proposals found = proposals({finding("spills", 1.1, {"smaller_tile", "fewer_warps"})});
    for (const char* each : {"smaller_tile", "fewer_warps"}) EXPECT_LE(find(found, each)->expected.upper, 1.1 * 1.03);
}

TEST_F(Story, CallsAGuessWhatNobodyMeasured) {
    Diagnosis unmeasured = diagnosis_of(round, {finding("tail_wave", 1, {"smaller_tile", "persistent"})});
    unmeasured.findings[0].most_gain.reset();
    unmeasured.evidence.values.erase("headroom");
    const std::vector<Diagnosis> all = {unmeasured};
    const Proposals found = propose_all({project, round, all, {}, {}});
    EXPECT_EQ(find(found, "smaller_tile")->expected_from, GainSource::guess);
    const auto by_hand = std::ranges::find(found.advice, "persistent", &Advice::strategy);
    ASSERT_NE(by_hand, found.advice.end());
    EXPECT_EQ(by_hand->most_gain, std::nullopt);
}

TEST_F(Story, TakesNoTuningOfAnotherVariantForAModel) {
    Tuning other;
    other.head.variant = "another";
    const std::vector<Tuning> tunings = {other};
    const auto strategies = [](const Proposals& found) {
        std::set<std::string> names;
        for (const Proposal& each : found.all) names.insert(each.strategy);
        return names;
    };
    EXPECT_EQ(strategies(proposals({}, {}, tunings)), strategies(proposals({})));
}

TEST_F(Story, GivesNoFindingThatDoesNotAskForIt) {
    const Proposals found = proposals({finding("near_ceiling", 1.5, {"fusion"}), finding("tail_wave", 1.2, {"tune"})});
    EXPECT_EQ(find(found, "tune")->finding, "tail_wave");
    EXPECT_EQ(find(proposals({finding("near_ceiling", 1.5, {"fusion"})}), "tune")->finding, "");
}

TEST_F(Story, PutsFirstWhatGainedBefore) {
    const std::vector<Finding> findings = {finding("tail_wave", 1.5, {"smaller_tile", "fewer_warps"})};
    PatternKey key = key_of(project.definition, project.cases[0], "cuda:0", "NVIDIA H200");
    key.strategy = "fewer_warps";
    key.finding = "tail_wave";
    Pattern pattern{.key = key};
    for (const double gain : {1.4, 1.38, 1.42}) add_gain(pattern, gain);
    const Proposals found = proposals(findings, {pattern});
    const Proposal* warps = find(found, "fewer_warps");
    ASSERT_NE(warps, nullptr);
    EXPECT_LT(warps, find(found, "smaller_tile"));  // it stands before it
    EXPECT_EQ(warps->expected_from, GainSource::patterns);
    EXPECT_GT(warps->expected.likely, 1.25);  // three rounds move what the bound says, which is 1.06
    EXPECT_LT(warps->expected.likely, 1.4);
}

TEST(Expectation, OfManyRoundsIsWhatTheyGained) {
    const Expected found = expected_gain(
        {.strategy = "more_warps", .room = 0.5, .patterns = PatternAdvice{{1.4, 1.37, 1.43}, 30}, .model = {}});
    EXPECT_EQ(found.from, GainSource::patterns);
    EXPECT_NEAR(found.gain.likely, 1.4, 0.01);
    EXPECT_NEAR(found.gain.upper, 1.43, 0.01);
}

/// One search of another kernel that found nothing does not mean that none will.
TEST(Expectation, OfOneRoundElsewhereIsHardlyMoved) {
    const Expected found =
        expected_gain({.strategy = "tune", .room = 0.15, .patterns = PatternAdvice{{0.99, 0.8, 1.2}, 1}, .model = {}});
    EXPECT_EQ(found.from, GainSource::bound);
    EXPECT_GT(found.gain.likely, 1.03);
}

TEST_F(Story, PredictsStepsByTheTimesOfATuning) {
    Tuning tuning;
    tuning.head.variant = "triton";
    tuning.head.device = "cuda:0";
    tuning.head.binding = project.cases[0];
    tuning.head.source_hash = round.round.source_hash;
    tuning.head.parameters = project.variants[0].tunables;
    tuning.head.configurations = 1000;
    for (const std::int64_t rows : {4, 8, 16, 32, 64}) {
        for (const std::int64_t warps : {1, 2, 4, 8}) {
            Tried tried{
                .configuration = {{"BLOCK_M", rows}, {"BLOCK_N", 256}, {"num_warps", warps}, {"num_stages", 3}}};
            tried.seconds = tried.objective = 1e-3 * (1 + 0.1 * std::log2(static_cast<double>(warps)));
            tuning.tried.push_back(tried);
        }
    }
    const Proposals found = proposals({}, {}, {tuning});
    const Proposal* warps = find(found, "fewer_warps");
    ASSERT_NE(warps, nullptr);
    EXPECT_EQ(warps->expected_from, GainSource::model);
    EXPECT_NEAR(warps->expected.likely, 1.3 / 1.2, 0.02);
    EXPECT_LT(warps->expected.upper - warps->expected.lower, 0.25);
    const auto rows = std::ranges::find(found.all, "BLOCK_M 64 → 32", &Proposal::line);
    ASSERT_NE(rows, found.all.end());
    EXPECT_NEAR(rows->expected.likely, 1, 0.03);
}

/// A search that is under way, or was stopped, has not found all that there is.
TEST_F(Story, ExpectsLessOfASearchOnlyAfterOneThatHasEnded) {
    Tuning tuning;
    tuning.head.variant = "triton";
    tuning.head.device = "cuda:0";
    tuning.head.binding = project.cases[0];
    tuning.head.source_hash = round.round.source_hash;
    tuning.head.configurations = 1000;
    const auto expected = [&](const std::vector<Tuning>& tunings) {
        const Proposals found = proposals({finding("unexplained", 4, {"tune"})}, {}, tunings);
        return find(found, "tune")->expected.likely;
    };
    const double without = expected({});
    EXPECT_DOUBLE_EQ(expected({tuning}), without);
    tuning.outcome = TuningOutcome{};
    EXPECT_LT(expected({tuning}), without);
}

TEST_F(Story, AdvisesWhatAPersonMustDo) {
    const Proposals found = proposals({finding("near_ceiling", 1.05, {"fusion"})});
    EXPECT_THAT(found.advice, Contains(Field(&Advice::strategy, "fusion")));
    EXPECT_EQ(find(found, "fusion"), nullptr);
}

TEST(Sample, WhoseLoopIsNaiveGoesOnInTheGeneratedKernel) {
    const Project project = load_project(KERNELGEN_SOURCE_DIR "/projects/softmax").value();
    Project naive = project;
    std::erase_if(naive.variants, [](const Variant& each) { return each.name == "host"; });
    ASSERT_EQ(naive.variants[0].name, "naive");
    RoundDetail round = timed_round(naive, "cpu");
    const std::vector<Diagnosis> diagnoses = {diagnosis_of(round, {finding("unexplained", 2, {"tune"})})};
    const Proposals found = propose_all({project, round, diagnoses});
    EXPECT_THAT(found.advice, ::testing::IsEmpty()) << "it has no tunables to search";
    const Proposal* skeleton = find(found, "another_skeleton");
    ASSERT_NE(skeleton, nullptr);
    EXPECT_EQ(skeleton, &found.all.front());
    EXPECT_EQ(skeleton->line, "naive → host");
    EXPECT_EQ(find(found, "tune"), nullptr);  // it has no tunables
}

TEST(Expectation, OfASearchIsNoLossAndOfAStepMayBeOne) {
    const Expected search = expected_gain({.strategy = "tune", .room = 0.3, .patterns = {}, .model = {}});
    const Expected step = expected_gain({.strategy = "more_warps", .room = 0.3, .patterns = {}, .model = {}});
    EXPECT_GT(search.gain.lower, 0.97);
    EXPECT_LT(step.gain.lower, 0.95);
    EXPECT_GT(search.gain.likely, step.gain.likely);
}

}  // namespace
}  // namespace kernelgen
