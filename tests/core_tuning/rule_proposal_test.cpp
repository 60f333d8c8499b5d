// SPDX-License-Identifier: Apache-2.0
// Rules from recorded tunings and rounds, and what becomes of the project that adopts them.
#include "core/tuning/rule_proposal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <utility>

#include "core/base/file.h"
#include "core/project/project_file.h"
#include "core/project/source_files.h"
#include "core/tune/tuning_file.h"
#include "core/tuning/across.h"
#include "core/tuning/rule_adoption.h"
#include "tests/core_project/example.h"
#include "tests/core_round/temporary_folder.h"

namespace kernelgen {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr const char* long_rows = "D > 1024";  ///< between the columns of the cases `odd` and `square`

Configuration rows(std::int64_t count) { return {{"BLOCK_M", count}, {"BLOCK_N", 64}}; }

Tried took(std::int64_t block, double seconds) {
    Tried made{.configuration = rows(block)};
    made.objective = made.seconds = seconds;
    made.ratio = 1;
    return made;
}

/// The project `bias_add` with the cases `square` (D = 4096) and `odd` (D = 333), on the disk.
class RuleProposals : public InFolder {
protected:
    void SetUp() override {
        InFolder::SetUp();
        project = example_project();
        project.folder = folder;
        ASSERT_TRUE(write_file_atomic(folder / "bias_add.cpp", "// a kernel\n"));
        ASSERT_TRUE(save_project(project));
    }

    TuningHead head_of(const Case& binding) const {
        TuningHead head;
        head.time = "2026-11-23T02:00:00Z";
        head.variant = "host";
        head.device = "cpu";
        head.binding = binding;
        head.cases = project.cases;
        head.parameters = project.variants[0].tunables;
        head.incumbent = rows(16);
        head.strategy = "model";
        head.objective = "time";
        head.source_hash = hash_of_sources(read_implementation(project, project.variants[0]).value());
        head.setup_hash = setup_hash(project, head.variant);
        return head;
    }

    /// Records a tuning of one command for each case; `lines` writes what came of it.
    void record_each(const std::function<void(TuningFile&, bool is_square, int place)>& lines) {
        TuningFile file = TuningFile::open(folder).value();
        int first = 0, place = 0;
        for (const Case& each : project.cases) {
            TuningHead head = head_of(each);
            head.first = first;
            ASSERT_TRUE(file.begin(head));
            first = head.first;
            lines(file, each.name == "square", place++);
        }
    }

    /// Records tunings in which 64 rows are best on the case `square`, and 1 row on `odd`.
    void record_tunings(std::optional<int> first_round = {}) {
        record_each([&](TuningFile& file, bool is_square, int place) {
            ASSERT_TRUE(file.append(took(16, 1.5)));
            TuningOutcome outcome{.kind = TuningOutcome::Kind::winner, .configuration = rows(is_square ? 64 : 1)};
            if (first_round) outcome.round = *first_round + place;
            ASSERT_TRUE(file.append(outcome));
            ASSERT_TRUE(file.append(took(64, is_square ? 1.0 : 2.0), TriedLine::across));
            ASSERT_TRUE(file.append(took(1, is_square ? 2.0 : 1.0), TriedLine::across));
        });
    }

    /// A recorded round of a variant on one case, with its speedup over `library`.
    void record(const std::string& variant, const Case& binding, double lower, double upper) {
        RoundDetail detail;
        detail.definition = project.definition;
        detail.candidate = read_implementation(project, *project.find_variant(variant)).value();
        detail.round.device = "cpu";
        detail.round.variant = variant;
        detail.round.baseline = "library";
        detail.round.environment = "0011";
        detail.round.case_count = 1;
        RoundCase timed{.binding = binding, .roofline = {}};
        timed.speedup = (lower + upper) / 2;
        timed.speedup_lower = lower;
        timed.speedup_upper = upper;
        timed.seconds = 0.001;
        timed.baseline_seconds = 0.001;
        detail.round.cases = {timed};
        ASSERT_TRUE(record_round(folder, detail));
    }

    Result<RuleProposal> proposal(int tuning = 1) {
        const auto tunings = tunings_of_command(folder, tuning);
        if (!tunings) return std::unexpected(tunings.error());
        return rules_from(project, *tunings, load_history(folder).value());
    }

    Project project;
};

TEST_F(RuleProposals, ComeFromWhatWasRacedAcrossTheCases) {
    record_tunings();
    for (const int number : {1, 2}) {
        const Result<RuleProposal> made = proposal(number);
        ASSERT_TRUE(made) << made.error().message;
        EXPECT_THAT(made->tunings, ElementsAre(1, 2));
        ASSERT_THAT(made->rules, SizeIs(2));
        EXPECT_EQ(made->rules[0].when, long_rows);
        EXPECT_EQ(made->rules[0].configuration, rows(64));
        EXPECT_EQ(made->rules[1].configuration, rows(1));
        EXPECT_THAT(made->dispatch, SizeIs(0));
    }
}

TEST_F(RuleProposals, LeaveTheIncumbentWhereEveryCaseWasATie) {
    record_each([](TuningFile& file, bool is_square, int) {
        ASSERT_TRUE(file.append(TuningOutcome{.kind = TuningOutcome::Kind::tie, .configuration = rows(16)}));
        ASSERT_TRUE(file.append(took(16, 1.5), TriedLine::across));
        ASSERT_TRUE(file.append(took(is_square ? 64 : 1, 1.0), TriedLine::across));
    });
    const Result<RuleProposal> made = proposal();
    ASSERT_TRUE(made) << made.error().message;
    ASSERT_THAT(made->rules, SizeIs(1));
    EXPECT_EQ(made->rules[0].configuration, rows(16));
    EXPECT_FALSE(is_in_force(project, *made));
    project.variants[0].tunables[1].value = 64;  // as the incumbent has it
    EXPECT_TRUE(is_in_force(project, *made));
}

TEST_F(RuleProposals, BecomeTheProjects) {
    record_tunings();
    project.dispatch = {{"P < 4", "library"}};
    const RuleProposal made = proposal().value();
    EXPECT_FALSE(is_in_force(project, made));
    ASSERT_TRUE(save_project(project));
    const RunPlan verified = run_with_rules(project, made).value();
    ASSERT_TRUE(adopt_rules(project, made, verified));
    EXPECT_TRUE(is_in_force(project, made));
    const Project again = load_project(folder).value();
    EXPECT_EQ(configuration_of(again.variants[0]), rows(1));
    EXPECT_THAT(again.variants[0].configurations, ElementsAre(ConfigurationRule{long_rows, {{"BLOCK_M", 64}}}));
    EXPECT_THAT(again.dispatch, ElementsAre(DispatchRule{"P < 4", "library"}));
}

TEST_F(RuleProposals, KeepRulesOfCasesThatWereNotTuned) {
    project.variants[0].configurations = {{"D < 64", {{"BLOCK_M", 1}}}, {"D == 333", {{"BLOCK_M", 64}}}};
    ASSERT_TRUE(save_project(project));
    record_tunings();
    const RuleProposal made = proposal().value();
    EXPECT_THAT(made.kept, ElementsAre(ConfigurationRule{"D < 64", {{"BLOCK_M", 1}, {"BLOCK_N", 256}}}));
    EXPECT_EQ(made.replaced, 1);
    const Result<void> adopted = adopt_rules(project, made, run_with_rules(project, made).value());
    ASSERT_TRUE(adopted) << adopted.error().message;
    EXPECT_TRUE(is_in_force(project, made));
    EXPECT_THAT(
        load_project(folder).value().variants[0].configurations,
        ElementsAre(ConfigurationRule{"D < 64", {{"BLOCK_N", 256}}}, ConfigurationRule{long_rows, {{"BLOCK_M", 64}}}));
}

TEST_F(RuleProposals, AreNotWrittenOverWhatWasEditedWhileTheyWereVerified) {
    record_tunings();
    const RuleProposal made = proposal().value();
    ASSERT_TRUE(save_project(project));
    const RunPlan verified = run_with_rules(project, made).value();
    Project edited = project;
    edited.performance.budget_seconds += 1;
    ASSERT_TRUE(save_project(edited));
    const Result<void> adopted = adopt_rules(project, made, verified);
    ASSERT_FALSE(adopted);
    EXPECT_THAT(adopted.error().message, testing::HasSubstr("the project was edited while the rules were verified"));
    EXPECT_EQ(load_project(folder).value(), edited);
    ASSERT_TRUE(save_project(project));
    std::ofstream(folder / verified.candidate.variant.source, std::ios::app) << "// edited\n";
    EXPECT_FALSE(adopt_rules(project, made, verified));
    EXPECT_EQ(load_project(folder).value(), project);
}

TEST_F(RuleProposals, AreVerifiedWithAllCasesOfTheProjectAndTheTunings) {
    record_tunings();
    const RuleProposal made = proposal().value();
    EXPECT_EQ(made.cases, project.cases);
    const std::vector<Case> tuned = std::exchange(project.cases, {{"tiny", DType::f32, {{"P", 2}, {"D", 3}}}});
    const Validated<RunPlan> plan = run_with_rules(project, made);
    ASSERT_TRUE(plan) << to_string(plan.error());
    EXPECT_THAT(plan->candidate.variant.configurations, ElementsAre(ConfigurationRule{long_rows, {{"BLOCK_M", 64}}}));
    EXPECT_EQ(plan->candidate.configuration, rows(1));
    EXPECT_THAT(plan->cases, ElementsAre(project.cases[0], tuned[0], tuned[1]));
    EXPECT_THAT(load_project(folder)->variants[0].configurations, SizeIs(0)) << "nothing is written";
}

TEST_F(RuleProposals, SendCasesToAVariantThatIsClearlyFasterThere) {
    record("host", project.cases[0], 1.4, 1.5);
    record("host", project.cases[1], 0.7, 0.8);
    record_tunings(0);
    const Result<RuleProposal> made = proposal();
    ASSERT_TRUE(made) << made.error().message;
    ASSERT_THAT(made->dispatch, SizeIs(1));
    EXPECT_EQ(made->dispatch[0].rule, (DispatchRule{"D <= 1024", "library"}));
    EXPECT_THAT(made->dispatch[0].cases, ElementsAre("odd"));
    EXPECT_THAT(made->dispatch[0].over_tuned, ElementsAre(::testing::DoubleNear(1.25, 1e-9)));
}

TEST_F(RuleProposals, SendNothingElsewhereWhereIntervalsMeet) {
    record("host", project.cases[0], 1.4, 1.5);
    record("host", project.cases[1], 0.7, 0.995);
    record_tunings(0);
    EXPECT_THAT(proposal().value().dispatch, SizeIs(0));
}

TEST_F(RuleProposals, AreRefusedWhereTheProjectHasChangedSince) {
    EXPECT_THAT(proposal().error().message, HasSubstr("there is no tuning 1"));
    record_tunings();
    ASSERT_TRUE(write_file_atomic(folder / "bias_add.cpp", "// another kernel\n"));
    EXPECT_THAT(proposal().error().message, HasSubstr("the sources of `host` have changed since; tune again"));
    project.variants.erase(project.variants.begin());
    EXPECT_THAT(proposal().error().message, HasSubstr("the project has no variant `host` any more"));
}

TEST_F(RuleProposals, AreRefusedWhereTheTunablesHaveChangedSince) {
    record_tunings();
    project.variants[0].tunables[0].values.push_back(1 << 20);
    EXPECT_THAT(proposal().error().message, HasSubstr("restrictions of `host` have changed since; tune again"));
}

TEST_F(RuleProposals, AreMadeWhereTheNumbersOfTheTuningsHaveAGap) {
    record_tunings();
    std::string text = read_file(tuning_path(folder, 2)).value();
    text.replace(text.find("\"number\":2"), 10, "\"number\":3");
    ASSERT_TRUE(write_file_atomic(tuning_path(folder, 3), text));
    ASSERT_TRUE(write_file_atomic(tuning_path(folder, 2), ""));  // as a killed process leaves it
    EXPECT_TRUE(proposal()) << proposal().error().message;
}

TEST_F(RuleProposals, AreRefusedWhereACaseHasNotEnded) {
    TuningFile file = TuningFile::open(folder).value();
    TuningHead head = head_of(project.cases[0]);
    ASSERT_TRUE(file.begin(head));
    ASSERT_TRUE(file.append(TuningOutcome{.kind = TuningOutcome::Kind::tie, .configuration = rows(16)}));
    EXPECT_THAT(proposal().error().message, HasSubstr("tuning 1 has not ended for all of its cases"));
}

TEST(FinalsOfSeveralCases, AreTheirOutcomesThenIncumbentsThenTheBestOthers) {
    Tuning one, two;
    one.head.incumbent = two.head.incumbent = rows(16);
    one.outcome = TuningOutcome{.configuration = rows(64)};
    two.outcome = TuningOutcome{.configuration = rows(1)};
    one.tried = {took(16, 3), took(4, 2), took(2, 1)};
    one.tried[2].left = true;
    EXPECT_THAT(finals_of({one, two}), ElementsAre(rows(64), rows(1), rows(16), rows(4)));
}

}  // namespace
}  // namespace kernelgen
