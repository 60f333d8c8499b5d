// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/diagnose.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "core/diagnose/indicators.h"
#include "core/generate/generate.h"

namespace kernelgen {
namespace {

using testing::ElementsAre;

Evidence cpu_evidence(const std::map<std::string, double>& values) {
    Evidence evidence;
    evidence.kind = "cpu";
    for (const auto& [name, value] : values) evidence.put(name.c_str(), value, EvidenceSource::timing);
    return evidence;
}

std::vector<std::string> rules_found(const Diagnosis& diagnosis) {
    std::vector<std::string> rules;
    for (const Finding& each : diagnosis.findings) rules.push_back(each.rule);
    return rules;
}

class InstalledDiagnosis : public testing::Test {
protected:
    Diagnosis of(const std::map<std::string, double>& values) const {
        return diagnose(cpu_evidence(values), book.rules);
    }
    RuleBook book = load_rules().value();
};

TEST_F(InstalledDiagnosis, OrdersCausesByTheirGainBeforeWhatIsUnexplained) {
    const Diagnosis found =
        of({{"tail_waste", 0.25}, {"waves", 1.5}, {"line_use", 0.0625}, {"headroom", 10}, {"fraction", 0.1}});
    EXPECT_THAT(rules_found(found), ElementsAre("strided_access", "tail_wave"));
    EXPECT_DOUBLE_EQ(*found.findings[0].most_gain, 10);
    EXPECT_DOUBLE_EQ(*found.findings[1].most_gain, 1 / 0.75);
}

/// 8192 columns for rows of 4096: half of the threads have no work.
TEST_F(InstalledDiagnosis, NamesATileThatIsWiderThanTheRows) {
    RoundDetail detail;
    detail.definition = {.name = "normalize",
                         .symbols = {"P", "D"},
                         .inputs = {{.name = "x", .shape = {"P", "D"}}},
                         .outputs = {{.name = "out", .shape = {"P", "D"}}},
                         .body = "out = x / row_sum(x)"};
    detail.round.device = "cuda:0";
    const GeneratedVariant generated = generate_cuda_variant(detail.definition).value();
    detail.candidate = {
        .variant = generated.variant, .text = generated.text, .configuration = configuration_of(generated.variant)};
    const auto found_at = [&](std::int64_t columns) {
        const Case binding{.dtype = DType::bf16, .sizes = {{"P", 4096}, {"D", columns}}};
        Evidence evidence = evidence_of(detail, binding);
        evidence.put("fraction", 0.78, EvidenceSource::roofline);
        evidence.put("headroom", 1 / 0.78, EvidenceSource::roofline);
        return rules_found(diagnose(evidence, book.rules));
    };
    EXPECT_THAT(found_at(4096), testing::Contains("oversized_tile"));
    EXPECT_THAT(found_at(8192), testing::Not(testing::Contains("oversized_tile")));
}

TEST_F(InstalledDiagnosis, PromisesNothingWhereItsFormulaIsUnknown) {
    Rule& rule = *std::ranges::find(book.rules, "tail_wave", &Rule::id);
    rule.gain = {Formula::parse("traffic_ratio", "").value()};
    const Diagnosis found = of({{"tail_waste", 0.5}, {"waves", 1.5}, {"headroom", 3}, {"fraction", 1.0 / 3}});
    EXPECT_EQ(found.findings[0].rule, "tail_wave");
    EXPECT_FALSE(found.findings[0].most_gain);
    EXPECT_EQ(found.findings[0].no_gain_reason, "traffic_ratio");
}

TEST_F(InstalledDiagnosis, LeavesOutABoundThatACauseExplains) {
    const std::map<std::string, double> values = {
        {"tail_waste", 0.5}, {"waves", 1.5}, {"headroom", 1.03}, {"fraction", 0.98}, {"launch_share", 0.5}};
    ASSERT_THAT(rules_found(of(values)), testing::Contains("near_ceiling"));
    std::ranges::find(book.rules, "near_ceiling", &Rule::id)->unless = {"tail_wave"};
    std::ranges::find(book.rules, "tail_wave", &Rule::id)->gain = {Formula::parse("2", "").value()};
    ASSERT_THAT(rules_found(of({{"tail_waste", 0.5}, {"waves", 1.5}, {"fraction", 0.98}})), ElementsAre("tail_wave"));
}

TEST_F(InstalledDiagnosis, NeverPromisesMoreThanTheHeadroom) {
    const Diagnosis found = of({{"tail_waste", 0.5}, {"waves", 1.5}, {"headroom", 1.2}, {"fraction", 1 / 1.2}});
    EXPECT_DOUBLE_EQ(*found.findings[0].most_gain, 1.2);
}

TEST_F(InstalledDiagnosis, BlamesNothingThatCouldGainNextToNothing) {
    EXPECT_THAT(rules_found(of({{"tail_waste", 0.5}, {"waves", 1.5}, {"headroom", 1.02}, {"fraction", 0.98}})),
                ElementsAre("near_ceiling"));
}

TEST_F(InstalledDiagnosis, LeavesOutWhatAnotherFindingExplains) {
    EXPECT_THAT(
        rules_found(
            of({{"line_use", 0.0625}, {"scalar_loops", 2}, {"vector_loops", 0}, {"headroom", 10}, {"fraction", 0.1}})),
        ElementsAre("strided_access"));
    EXPECT_THAT(rules_found(of(
                    {{"line_use", 1}, {"scalar_loops", 2}, {"vector_loops", 0}, {"headroom", 10}, {"fraction", 0.1}})),
                ElementsAre("no_vectors"));
}

TEST_F(InstalledDiagnosis, SaysHowMuchNoRuleExplains) {
    const Diagnosis found = of({{"tail_waste", 0.25}, {"waves", 1.5}, {"headroom", 4}, {"fraction", 0.25}});
    ASSERT_THAT(rules_found(found), ElementsAre("tail_wave", "unexplained"));
    EXPECT_DOUBLE_EQ(*found.findings[1].most_gain, 3);
}

TEST_F(InstalledDiagnosis, CannotTellAGainWithoutCeilings) {
    const Diagnosis found = of({{"double_operations", 8}, {"single_operations", 2}, {"arithmetic_bytes", 4}});
    ASSERT_THAT(rules_found(found), ElementsAre("double_arithmetic"));
    EXPECT_EQ(found.findings[0].most_gain, std::nullopt);
    EXPECT_EQ(found.findings[0].no_gain_reason, "headroom");
}

/// The naive softmax adds its row up in a double; its time goes into calls of expf.
TEST_F(InstalledDiagnosis, DoesNotTakeASumInDoubleForArithmeticInDouble) {
    EXPECT_THAT(rules_found(of({{"double_operations", 1},
                                {"single_operations", 3},
                                {"arithmetic_bytes", 4},
                                {"library_calls", 2},
                                {"headroom", 50}})),
                ElementsAre("library_calls"));
    EXPECT_THAT(rules_found(of({{"double_operations", 1},
                                {"single_operations", 0},
                                {"arithmetic_bytes", 4},
                                {"chained_loops", 1},
                                {"headroom", 5}})),
                ElementsAre("serial_chain"));
}

/// A tail that a kernel near the ceiling cannot have lost is told with its condition.
TEST_F(InstalledDiagnosis, DoesNotSayThatAPartialWaveWasMeasured) {
    const Diagnosis found = of({{"tail_waste", 0.138}, {"waves", 5.17}, {"headroom", 1.037}, {"fraction", 0.964}});
    ASSERT_FALSE(found.findings.empty());
    EXPECT_EQ(found.findings[0].rule, "tail_wave");
    EXPECT_EQ(found.findings[0].confidence, Confidence::derived);
}

TEST_F(InstalledDiagnosis, NamesWhatWasNotMeasuredWithItsReasonAndTheRulesThatWantIt) {
    Evidence evidence = cpu_evidence({{"tail_waste", 0.25}, {"headroom", 4}, {"fraction", 0.25}});
    evidence.missing["traffic_ratio"] = "no counters";
    const Diagnosis found = diagnose(evidence, book.rules);
    const auto traffic = std::ranges::find(found.missing, "traffic_ratio", &MissingEvidence::name);
    ASSERT_NE(traffic, found.missing.end());
    EXPECT_EQ(traffic->reason, "no counters");
    EXPECT_THAT(traffic->rules, ElementsAre("excess_traffic"));
    EXPECT_TRUE(std::ranges::contains(found.missing, "waves", &MissingEvidence::name));
}

/// A grid of one axis has no programs along another one: nothing could measure their distance.
TEST_F(InstalledDiagnosis, DoesNotMissWhatALaunchDoesNotHave) {
    Evidence evidence = cpu_evidence({{"program_step_bytes", 8192}});
    const auto misses_step = [&] {
        return std::ranges::contains(diagnose(evidence, book.rules).missing, "other_step_bytes",
                                     &MissingEvidence::name);
    };
    EXPECT_TRUE(misses_step());
    evidence.absent.insert("other_step_bytes");
    EXPECT_FALSE(misses_step());
}

TEST_F(InstalledDiagnosis, DoubtsNoisyTimes) {
    const Diagnosis found = of({{"relative_standard_deviation", 0.2}});
    ASSERT_THAT(rules_found(found), ElementsAre("noisy"));
    EXPECT_EQ(found.findings[0].figures[0].threshold, 0.05);
}

TEST_F(InstalledDiagnosis, IsWrittenAsJsonWithoutNaN) {
    const nlohmann::ordered_json json = to_json(of({{"tail_waste", 0.25}, {"waves", 1.5}}));
    EXPECT_EQ(json["findings"][0]["rule"], "tail_wave");
    EXPECT_EQ(json["findings"][0]["figures"][0]["name"], "tail_waste");
    EXPECT_EQ(json.dump().find("nan"), std::string::npos);
}

TEST(Indicators, ReachASpeedupOnlyByItsWholeInterval) {
    Evidence evidence = cpu_evidence({{"speedup", 1.2}});
    evidence.speedup_lower = 0.9;
    EXPECT_FALSE(indicators_of(evidence, 1.0, {})[0].reached());
    evidence.speedup_lower = 1.0;
    EXPECT_TRUE(indicators_of(evidence, 1.0, {})[0].reached()) << "as a round's target";
}

TEST(Indicators, SayWhereAGoalIsOutOfReach) {
    const Evidence evidence = cpu_evidence({{"speedup", 0.8}, {"headroom", 1.1}, {"bandwidth_use", 0.5}});
    const std::vector<Indicator> all = indicators_of(evidence, 1.0, {{"bandwidth_use", 0.54}, {"cache_hit_rate", 0.8}});
    ASSERT_EQ(all.size(), 3u);
    EXPECT_DOUBLE_EQ(all[0].reachable.value(), 0.8 * 1.1);
    EXPECT_FALSE(all[1].reachable);
    EXPECT_FALSE(all[1].reached());
    EXPECT_FALSE(all[2].value);
}

TEST(Indicators, KnowThatAStreamingKernelCannotHitTheCacheOfAGpu) {
    Evidence evidence = cpu_evidence({{"cache_hit_rate", 0.5}, {"written_share", 0.5}});
    evidence.kind = "cuda";
    EXPECT_EQ(indicators_of(evidence, 1.0, {{"cache_hit_rate", 0.8}})[1].reachable, 0.5);
    evidence.needs_reuse = true;  // tiles of a contraction read the same bytes again
    EXPECT_EQ(indicators_of(evidence, 1.0, {{"cache_hit_rate", 0.8}})[1].reachable, std::nullopt);
}

}  // namespace
}  // namespace kernelgen
