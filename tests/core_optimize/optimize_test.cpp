// SPDX-License-Identifier: Apache-2.0
#include "core/optimize/optimize.h"

#include <gmock/gmock.h>
#include <stdlib.h>

#include "core/base/file.h"
#include "core/files/sources.h"
#include "core/generate/generate.h"
#include "core/optimize/make_round.h"
#include "core/project/project_file.h"
#include "core/report/report.h"
#include "core/round/history.h"
#include "core/strategy/pattern_file.h"
#include "core/tune/tuning_file.h"
#include "tests/core_optimize/played_engine.h"
#include "tests/core_round/temporary_folder.h"

namespace kernelgen {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

/// A generated project of a softmax, whose rules are those of this source tree.
class Optimizing : public InFolder {
protected:
    void SetUp() override {
        ::setenv("XDG_DATA_HOME", (folder / "data").c_str(), 1);
        Operator definition;
        definition.name = "softmax";
        definition.symbols = {"P", "D"};
        definition.inputs = {{.name = "x", .shape = {"P", "D"}, .dtype = {}}};
        definition.outputs = {{.name = "out", .shape = {"P", "D"}, .dtype = {}}};
        definition.body = "m = row_max(x); e = exp(x - m); out = e / row_sum(e)";
        project = make_project(definition).value();
        project.folder = folder / "softmax";
        project.performance.target_speedup = 100;
        ASSERT_TRUE(create_project(project));
        engine.seconds = seconds_of;
    }
    void TearDown() override { ::unsetenv("XDG_DATA_HOME"); }

    /// The best is 1 ms, at BLOCK_M 8, BLOCK_N 1024, UNROLL 8, without streaming.
    static double seconds_of(const Implementation& made, const Case&) {
        const Configuration& at = made.configuration;
        if (at.empty()) return 16e-3;
        const auto off = [&](const char* name, double best) {
            return std::abs(std::log2(static_cast<double>(at.at(name)) / best));
        };
        return 1e-3 * (1 + 0.03 * off("BLOCK_M", 8) + 0.05 * off("BLOCK_N", 1024) + 0.02 * off("UNROLL", 8) +
                       0.08 * static_cast<double>(at.at("STREAM")));
    }

    OptimizePlan plan(const std::string& variant, int rounds = 5) {
        OptimizeOptions options;
        options.run.variant = variant;
        options.rounds = rounds;
        const Project present = load_project(project.folder).value();
        RunPlan run = plan_run(present, options.run).value();
        const auto text = read_file(KERNELGEN_SOURCE_DIR "/resources/diagnosis/rules.json").value();
        return {.run = run, .options = options, .rules = parse_rules(text, "rules.json")->rules, .patterns = {}};
    }

    Optimization done(const OptimizePlan& plan) {
        auto result = optimize(plan, engine, [](const RoundDetail&, const Proposal*) {}, stop.get_token());
        EXPECT_TRUE(result);
        return *result;
    }

    std::vector<Round> recorded() const { return load_history(project.folder)->rounds; }

    Project project;
    PlayedEngine engine;
    std::stop_source stop;
};

double seconds_of_best(const Optimization& done) { return done.best_round().round.cases[0].seconds; }

TEST_F(Optimizing, FindsNearlyTheBestFromTheNaiveLoopInFiveRounds) {
    const Optimization found = done(plan("naive"));
    EXPECT_LT(seconds_of_best(found), 1.08e-3);
    EXPECT_THAT(found.rounds, SizeIs(::testing::Le(5u)));
    ASSERT_FALSE(found.rounds.empty());
    EXPECT_EQ(found.rounds[0].round.applied->strategy, "another_skeleton");
    EXPECT_EQ(found.rounds[0].round.variant, "host");
    EXPECT_GT(engine.searches, 0);
}

TEST_F(Optimizing, RecordsEachRoundWithItsReasonExpectationAndOutcome) {
    const Optimization found = done(plan("naive"));
    const std::vector<Round> rounds = recorded();
    ASSERT_THAT(rounds, SizeIs(1 + found.rounds.size()));
    EXPECT_FALSE(rounds[0].applied);
    for (std::size_t i = 1; i < rounds.size(); ++i) {
        const AppliedStrategy& applied = *rounds[i].applied;
        EXPECT_TRUE(applied.gain);
        EXPECT_FALSE(applied.change.empty());
        EXPECT_LE(applied.expected.lower, applied.expected.upper);
        EXPECT_EQ(rounds[i].parent, applied.after);
        EXPECT_TRUE(!applied.next.empty() || !applied.ended.empty());
    }
    EXPECT_EQ(rounds.back().applied->ended, found.reason.id);
}

TEST_F(Optimizing, JoinsTheVariantsInTheLogWhoseLessonsAreFilled) {
    done(plan("naive"));
    const std::string log =
        optimization_log(load_project(project.folder).value(), load_history(project.folder).value(), Tongue::english);
    EXPECT_THAT(log, HasSubstr("a generated kernel of another form (`another_skeleton`): naive → host"));
    EXPECT_THAT(log, HasSubstr("(found by the optimization)"));
    EXPECT_THAT(log.substr(log.find("record: round 1")), Not(HasSubstr("not noted")));
}

TEST_F(Optimizing, FromAVariantWithoutTunablesReadsNeitherShippedValuesNorEarlierRounds) {
    Project shipped = load_project(project.folder).value();
    for (Tunable& each : shipped.variants[0].tunables) each.value = each.values.front();
    ASSERT_TRUE(save_project(shipped));
    const OptimizePlan asked = plan("naive", 1);
    EXPECT_TRUE(oldest_learnt(asked));
    EXPECT_FALSE(oldest_learnt(plan("host")));
    const Optimization found = done(asked);
    const Variant fresh = generate_host_variant(project.definition)->variant;
    EXPECT_EQ(found.rounds[0].round.configuration, configuration_of(fresh));
}

TEST_F(Optimizing, AddsTheGeneratedVariantWhereTheProjectHasNone) {
    Project without = load_project(project.folder).value();
    std::erase_if(without.variants, [](const Variant& each) { return each.name == "host"; });
    ASSERT_TRUE(save_project(without));
    std::filesystem::remove(project.folder / "softmax.cpp");
    const Optimization found = done(plan("naive", 1));
    const Project present = load_project(project.folder).value();
    ASSERT_NE(present.find_variant("host"), nullptr);
    EXPECT_TRUE(source_text(present, *present.find_variant("host")));
    EXPECT_EQ(found.rounds[0].round.variant, "host");
}

TEST_F(Optimizing, LeavesAnEditedVariantAlone) {
    ASSERT_TRUE(write_file_atomic(project.folder / "softmax.cpp", "// mine\n"));
    const Optimization found = done(plan("naive", 1));
    EXPECT_EQ(read_file(project.folder / "softmax.cpp"), "// mine\n");
    EXPECT_EQ(found.rounds[0].round.variant, "host_generated");
}

TEST_F(Optimizing, EndsWhereTheTargetIsReached) {
    OptimizePlan asked = plan("naive");
    asked.run.project.performance.target_speedup = 1.3;
    const Optimization found = done(asked);
    EXPECT_EQ(found.reason.id, stop_reasons::target_reached.id);
    EXPECT_GE(found.best_round().round.cases[0].speedup_lower, 1.3);
}

TEST_F(Optimizing, EndsWhereNothingPromisesAGain) {
    engine.seconds = [](const Implementation&, const Case&) { return 1e-3; };
    const Optimization found = done(plan("host"));
    EXPECT_EQ(found.reason.id, stop_reasons::nothing_promises.id);
    EXPECT_THAT(found.rounds, SizeIs(::testing::Le(1u)));
}

TEST_F(Optimizing, EndsWhereTheTimeIsOver) {
    OptimizePlan asked = plan("naive");
    asked.options.budget_seconds = 1e-9;
    EXPECT_EQ(done(asked).reason.id, stop_reasons::budget_over.id);
}

TEST_F(Optimizing, EndsWhereTheKernelToBeginWithIsWrong) {
    engine.status = [](const Implementation&) { return Status::mismatch; };
    const Optimization found = done(plan("naive"));
    EXPECT_EQ(found.reason.id, stop_reasons::start_failed.id);
    EXPECT_THAT(recorded(), SizeIs(1));
}

TEST_F(Optimizing, RecordsNoRoundOnADeviceThatWentAway) {
    bool is_lost = false;
    engine.before_run = [&](int run) { is_lost = run >= 2; };
    engine.status = [&](const Implementation&) { return is_lost ? Status::unavailable : Status::ok; };
    const Optimization found = done(plan("naive"));
    EXPECT_EQ(found.reason.id, stop_reasons::device_lost.id);
    EXPECT_THAT(recorded(), SizeIs(2));
    EXPECT_THAT(found.warnings, SizeIs(1));
}

TEST_F(Optimizing, LosesAtMostTheRoundAtWorkWhenItIsStopped) {
    engine.before_run = [&](int run) {
        if (run == 2) stop.request_stop();
    };
    const Optimization found = done(plan("naive"));
    EXPECT_EQ(found.reason.id, stop_reasons::cancelled.id);
    EXPECT_THAT(recorded(), SizeIs(2));
}

TEST_F(Optimizing, GoesOnFromTheBestAfterARoundThatFailed) {
    engine.status = [](const Implementation& made) {
        const auto at = made.configuration.find("STREAM");
        return at != made.configuration.end() && at->second == 0 ? Status::mismatch : Status::ok;
    };
    engine.search_size = 0;  // a search finds only the incumbent
    const Optimization found = done(plan("host", 8));
    EXPECT_EQ(found.best_round().round.status, Status::ok);
    for (const RoundDetail& each : found.rounds) {
        if (each.round.status != Status::ok) {
            EXPECT_FALSE(each.round.applied->gain);
            EXPECT_EQ(outcome_of(*each.round.applied), StrategyOutcome::failed);
        }
    }
}

TEST_F(Optimizing, LearnsPatternsFromItsRounds) {
    done(plan("naive"));
    const Patterns patterns = load_patterns();
    EXPECT_THAT(patterns.all,
                Contains(::testing::Field(&Pattern::key, ::testing::Field(&PatternKey::strategy, "another_skeleton"))));
}

TEST_F(Optimizing, TunesSeveralCasesToRulesBySize) {
    engine.seconds = [](const Implementation& made, const Case& binding) {
        const double best = binding.dtype == DType::f32 ? 1024 : 8192;
        const auto at = made.configuration.find("BLOCK_N");
        if (at == made.configuration.end()) return 16e-3;
        return 1e-3 * (1 + 0.1 * std::abs(std::log2(static_cast<double>(at->second) / best)));
    };
    const Optimization found = done(plan("naive"));
    const RoundDetail& best = found.best_round();
    for (const RoundCase& each : best.round.cases) EXPECT_LT(each.seconds, 1.15e-3) << each.binding.name;
    EXPECT_FALSE(best.candidate.variant.configurations.empty());
}

TEST_F(Optimizing, MostGainsLieInTheExpectedIntervals) {
    int within = 0, all = 0;
    for (const char* variant : {"naive", "host"}) {
        for (const RoundDetail& each : done(plan(variant)).rounds) {
            const AppliedStrategy& applied = *each.round.applied;
            if (!applied.gain) continue;
            ++all;
            if (applied.gain->likely >= applied.expected.lower && applied.gain->likely <= applied.expected.upper)
                ++within;
        }
    }
    EXPECT_GE(within, 0.8 * all) << within << " of " << all;
}

TEST_F(Optimizing, AppliesADispatchToTheLibraryAsARound) {
    Project present = load_project(project.folder).value();
    ASSERT_NE(present.find_variant("library"), nullptr);
    OptimizePlan asked = plan("host");
    asked.run.cases.resize(1);
    engine.baseline_seconds = 0.5e-3;
    RunPlan run = engine.with_numbers(asked.run);
    RoundDetail before = engine.run(run);
    ASSERT_TRUE(record_round(project.folder, before));
    const Proposals proposals = proposals_for(asked, before);
    const Result<Proposal> library = find_proposal(proposals, "library");
    ASSERT_TRUE(library) << library.error().message;
    EXPECT_GT(library->expected.lower, 1.5);
    Result<MadeRound> made = make_round(run, before, *library, engine, 1);
    ASSERT_TRUE(made) << made.error().message;
    EXPECT_EQ(made->detail.round.variant, "library");
    ASSERT_TRUE(record_applied(run.project, made->detail, before.round, false));
    ASSERT_TRUE(keep_round(present, made->detail.round.number));
    ASSERT_THAT(present.dispatch, SizeIs(1));
    EXPECT_EQ(present.dispatch[0].variant, "library");
}

TEST_F(Optimizing, NamesWhatAppliesWhereAStrategyDoesNot) {
    OptimizePlan asked = plan("host");
    RunPlan run = engine.with_numbers(asked.run);
    RoundDetail before = engine.run(run);
    ASSERT_TRUE(record_round(project.folder, before));
    const Proposals proposals = proposals_for(asked, before);
    EXPECT_THAT(find_proposal(proposals, "tun").error().message, HasSubstr("did you mean `tune`?"));
    EXPECT_TRUE(find_proposal(proposals, "tune"));
    RoundDetail tiny = before;
    for (RoundCase& each : tiny.round.cases) each.binding.sizes = {{"P", 1}, {"D", 1}};
    ASSERT_TRUE(record_round(project.folder, tiny));
    EXPECT_EQ(round_of_candidate(asked.run).value().round.number, before.round.number);
    OptimizePlan other = plan("naive");
    EXPECT_THAT(round_of_candidate(other.run).error().message, HasSubstr("kernelgen run"));
}

}  // namespace
}  // namespace kernelgen
