// SPDX-License-Identifier: Apache-2.0
#include "core/gate/gate_file.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "core/base/file.h"
#include "core/gate/first_slower.h"
#include "core/gate/gate_history.h"
#include "core/gate/gate_report.h"
#include "core/gate/gate_store.h"
#include "core/gate/gate_trend.h"
#include "core/gate/gate_words.h"
#include "core/round/history.h"
#include "tests/core_round/sample_round.h"
#include "tests/core_round/temporary_folder.h"

namespace kernelgen {
namespace {

class GateFileInFolder : public InFolder {};
class GateHistory : public InFolder {};
class FirstSlowerRound : public InFolder {};

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// A sample round with the timing of its case.
RoundDetail timed_round() {
    RoundDetail detail = sample_round();
    const RoundCase& summary = detail.round.cases.front();
    BenchResult& timing = detail.timings.emplace_back();
    timing.binding = summary.binding;
    timing.speedup = {
        .median = summary.speedup, .lower = summary.speedup_lower, .upper = summary.speedup_upper, .pairs = 20};
    return detail;
}

StoredBaseline sample_baseline() { return baseline_of(timed_round()).value(); }

GateCheck sample_check(Verdict verdict, double ratio) {
    const StoredBaseline stored = sample_baseline();
    GateCheck check;
    check.project = "a <b> & \"c\"";
    check.variant = stored.implementation.variant.name;
    check.device = stored.device;
    check.time = "2026-01-01T00:00:00Z";
    check.source = "kernel,1.cpp";
    GatedCase& checked = check.cases.emplace_back();
    checked.binding = stored.cases.front().binding;
    checked.verdict = verdict;
    checked.ratio = {ratio, ratio - 0.01, ratio + 0.01};
    checked.runs = 2;
    return check;
}

TEST_F(GateFileInFolder, IsReadAsItWasWritten) {
    GateFile gate;
    gate.put(sample_baseline());
    gate.baselines[0].cases[0].threshold = 0.02;
    gate.baselines[0].cases[0].accuracy = {1e-7, 0.25, 0.125};
    gate.baselines[0].cases[0].limits = {1e-6, {}, 0.5};
    ASSERT_TRUE(save_gate(folder, gate));
    const Validated<GateFile> read = load_gate(folder);
    ASSERT_TRUE(read) << to_string(read.error());
    ASSERT_EQ(read->baselines.size(), 1u);
    const StoredBaseline &was = gate.baselines[0], &is = read->baselines[0];
    EXPECT_EQ(hash_of_sources(is.implementation), hash_of_sources(was.implementation));
    EXPECT_EQ(is.implementation.configuration, was.implementation.configuration);
    EXPECT_EQ(is.definition, was.definition);
    ASSERT_EQ(is.cases.size(), was.cases.size());
    EXPECT_EQ(is.cases[0].binding, was.cases[0].binding);
    EXPECT_EQ(is.cases[0].speedup, was.cases[0].speedup);
    EXPECT_EQ(is.cases[0].threshold, 0.02);
    EXPECT_EQ(is.cases[0].accuracy, was.cases[0].accuracy);
    EXPECT_EQ(is.cases[0].limits, was.cases[0].limits);
}

TEST_F(GateFileInFolder, OfTheFirstSchemaIsReadWithoutDivergences) {
    GateFile gate;
    gate.put(sample_baseline());
    ASSERT_TRUE(save_gate(folder, gate));
    json document = json::parse(read_file(gate_path(folder)).value());
    document["schema"] = 1;
    for (const char* key : {"kl_divergence", "clip_ratio"}) document["baselines"][0]["cases"][0].erase(key);
    const Validated<GateFile> read = parse_gate(document.dump(), "gate.json");
    ASSERT_TRUE(read) << to_string(read.error());
    EXPECT_EQ(read->baselines[0].cases[0].accuracy, gate.baselines[0].cases[0].accuracy);
}

TEST(GateFile, HoldsOneBaselineForAVariantAndDevice) {
    GateFile gate;
    gate.put(sample_baseline());
    StoredBaseline later = sample_baseline(), elsewhere = sample_baseline();
    later.round = 7;
    elsewhere.device = "cuda:0";
    gate.put(later);
    gate.put(elsewhere);
    ASSERT_EQ(gate.baselines.size(), 2u);
    EXPECT_EQ(gate.find(later.implementation.variant.name, later.device)->round, 7);
    EXPECT_EQ(gate.find(later.implementation.variant.name, "cuda:1"), nullptr);
}

TEST(GateFile, OfARoundThatFailedIsRefused) {
    RoundDetail failed = timed_round(), untimed = timed_round();
    failed.round.status = Status::mismatch;
    untimed.timings.clear();
    EXPECT_FALSE(baseline_of(failed));
    EXPECT_FALSE(baseline_of(untimed));
}

TEST(GateFile, ThatIsWrongSaysWhere) {
    const auto problem = [](const char* text) { return to_string(parse_gate(text, "gate.json").error()); };
    EXPECT_THAT(problem("{"), HasSubstr("gate.json"));
    EXPECT_THAT(problem("{}"), HasSubstr("schema"));
    EXPECT_THAT(problem(R"({"schema": 3, "baselines": []})"), HasSubstr("newer"));
    EXPECT_THAT(problem(R"({"schema": 1, "baselines": [{}]})"), HasSubstr("baselines[0]"));
    EXPECT_THAT(problem(R"({"schema": 1, "baselines": [], "basline": 1})"), HasSubstr("basline"));
}

TEST_F(GateFileInFolder, MayBeMissing) {
    const Validated<GateFile> none = load_gate(folder);
    ASSERT_TRUE(none);
    EXPECT_TRUE(none->baselines.empty());
}

TEST_F(GateHistory, KeepsTheLastChecksAndSkipsTornLines) {
    ASSERT_TRUE(append_check(folder, sample_check(Verdict::same, 1.0)));
    std::string text = read_file(gate_history_path(folder)).value() + "{\"torn\n\n[1]\n";
    ASSERT_TRUE(write_file_atomic(gate_history_path(folder), text));
    ASSERT_TRUE(append_check(folder, sample_check(Verdict::slower, 0.9)));
    ASSERT_TRUE(append_check(folder, sample_check(Verdict::faster, 1.1)));
    const GateCheck one = sample_check(Verdict::same, 1);
    const auto& [checks, warning] = load_checks(folder, one.variant, one.device);
    EXPECT_EQ(warning.text(), "lines of gate.jsonl that cannot be read, and are left out: 2");
    ASSERT_EQ(checks.size(), 3u);
    EXPECT_EQ(checks[1].cases[0].verdict, Verdict::slower);
    EXPECT_EQ(checks[1].cases[0].binding, one.cases[0].binding);
    EXPECT_EQ(checks[1].cases[0].ratio.median, 0.9);
    EXPECT_EQ(load_checks(folder, one.variant, one.device, 1).checks[0].cases[0].verdict, Verdict::faster);
    EXPECT_TRUE(load_checks(folder, "another", one.device).checks.empty());
}

TEST_F(GateHistory, HoldsWhatItsReasonsAndItsHintSay) {
    GateCheck check = sample_check(Verdict::slower, 0.9);
    check.reason = "the stored sources cannot be timed any more: out of memory";
    check.hint = "round 3 is the first recorded one in which `big` is slower: 1.200x over `library`, 1.500x before";
    check.cases[0].reason = "the case is not stored";
    json line = to_json(check);
    EXPECT_EQ(line["reason_said"]["id"], "gate_stored_untimeable");
    EXPECT_EQ(line["hint_said"]["arguments"], json({"3", "big", "1.200", "library", "1.500"}));
    EXPECT_EQ(line["cases"][0]["reason_said"]["id"], "gate_case_not_stored");
    line["reason"] = line["hint"] = line["cases"][0]["reason"] = "as an older version said it";
    const Result<GateCheck> read = gate_check_from_json(line);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->reason, check.reason);
    EXPECT_EQ(read->hint, check.hint);
    EXPECT_EQ(read->cases[0].reason, check.cases[0].reason);
}

TEST_F(GateHistory, KeepsAReasonWithoutItsMeaning) {
    json line = to_json(sample_check(Verdict::same, 1));
    line["reason"] = "anything";
    EXPECT_EQ(gate_check_from_json(line).value().reason, "anything");
}

TEST(GateAccuracy, IsWorseWhereANumberGrewByMoreThanATenth) {
    const GatedAccuracy then{1e-6, 0.01, 0.001};
    EXPECT_THAT(worse_in({1.05e-6, 0.0105, 0.00105}, then, {}), IsEmpty());
    EXPECT_THAT(worse_in({1.2e-6, 0.01, 0.001}, then, {}), ElementsAre("p99_absolute_error"));
    EXPECT_THAT(worse_in({1e-6, 0.02, 0.001}, then, {}), ElementsAre("kl_divergence"));
    EXPECT_THAT(worse_in({1e-6, 0.01, 0.002}, then, {}), ElementsAre("clip_ratio"));
    EXPECT_THAT(worse_in({1e-6, 5e-5, 5e-6}, {1e-6, 0, 0}, {}), IsEmpty()) << "too little to notice";
}

TEST(GateAccuracy, IsJudgedByTheLimitsThatAreStored) {
    const GatedAccuracy then{1e-6, 0.01, 0.001};
    EXPECT_THAT(worse_in({1e-3, 0.5, 0.4}, then, {1e-2, 1, 1}), IsEmpty());
    EXPECT_THAT(worse_in({1e-6, 0.01, 0.001}, then, {1e-7, 1, 1}), ElementsAre("p99_absolute_error"));
    EXPECT_THAT(worse_in(then, then, limits_in_use(then, {})), IsEmpty());
}

TEST(GateAccuracy, OfACaseIsTheWorstOfItsChecks) {
    VerifyResult verified;
    const Case binding = sample_baseline().cases.front().binding;
    for (const double error : {1.0, 3.0, 2.0}) {
        CaseAccuracy& check = verified.cases.emplace_back();
        check.binding = binding;
        check.own_case = error != 3.0;
        check.metrics.p99_absolute = error;
        check.metrics.kl_divergence = 1 / error;
        check.metrics.clip_ratio = 0.1 * error;
    }
    EXPECT_EQ(accuracy_of(verified, binding), (GatedAccuracy{2, 1, 0.2}));
}

TEST(GateCheck, OfAnOlderVersionIsReadWithTheErrorItKnew) {
    nlohmann::json line = to_json(sample_check(Verdict::same, 1));
    for (const char* key :
         {"less_accurate_in", "kl_divergence", "kl_divergence_before", "clip_ratio", "clip_ratio_before"})
        line["cases"][0].erase(key);
    line["cases"][0]["less_accurate"] = true;
    EXPECT_THAT(gate_check_from_json(line).value().cases[0].worse_in, ElementsAre("p99_absolute_error"));
}

TEST(GateReport, TellsInWhatACaseIsLessAccurate) {
    GatedCase checked;
    checked.accuracy_then.emplace();
    checked.accuracy_now = {1e-6, 0.5, 0};
    checked.runs = 1;
    EXPECT_EQ(accuracy_text(checked), "p99 abs. error 1e-06, 0 before");
    checked.worse_in = {"kl_divergence"};
    EXPECT_EQ(accuracy_text(checked), "p99 abs. error 1e-06, 0 before; KL divergence 0.5, 0 before");
}

TEST(GateOutcome, IsThatOfItsGravestCase) {
    GateCheck wrong = sample_check(Verdict::same, 1), inaccurate = wrong;
    wrong.status = Status::mismatch;
    inaccurate.cases[0].worse_in = {"clip_ratio"};
    EXPECT_EQ(outcome_of(sample_check(Verdict::same, 1)), GateOutcome::passed);
    EXPECT_EQ(outcome_of(sample_check(Verdict::faster, 1.1)), GateOutcome::passed);
    EXPECT_EQ(outcome_of(sample_check(Verdict::ambiguous, 1)), GateOutcome::ambiguous);
    EXPECT_EQ(outcome_of(sample_check(Verdict::slower, 0.9)), GateOutcome::slower);
    EXPECT_EQ(outcome_of(inaccurate), GateOutcome::slower);
    EXPECT_EQ(outcome_of(wrong), GateOutcome::failed);
}

TEST(GateReport, IsValidXmlThatCountsWhatFailed) {
    const GateCheck checks[] = {sample_check(Verdict::slower, 0.9), sample_check(Verdict::ambiguous, 1)};
    const std::string loose = gate_junit(checks, false), strict = gate_junit(checks, true);
    EXPECT_THAT(loose, HasSubstr("a &lt;b&gt; &amp; &quot;c&quot;"));
    EXPECT_THAT(loose, HasSubstr("tests=\"1\" failures=\"1\" errors=\"0\" skipped=\"0\""));
    EXPECT_THAT(loose, HasSubstr("tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"1\""));
    EXPECT_THAT(strict, Not(HasSubstr("<skipped")));
}

TEST(GateReport, AnnotatesTheSourceOfWhatIsNotAsBefore) {
    EXPECT_EQ(gate_annotations(sample_check(Verdict::same, 1), "p", false), "");
    const std::string slower = gate_annotations(sample_check(Verdict::slower, 0.9), "p", false);
    EXPECT_TRUE(slower.starts_with("::error file=p/kernel%2C1.cpp,title=")) << slower;
    EXPECT_THAT(slower, HasSubstr("1.5 %25"));
    EXPECT_TRUE(gate_annotations(sample_check(Verdict::ambiguous, 1), "p", false).starts_with("::warning "));
    EXPECT_TRUE(gate_annotations(sample_check(Verdict::ambiguous, 1), "p", true).starts_with("::error "));
}

TEST(GateTrend, JoinsOnlyChecksAgainstTheSameBaselineInTheSameEnvironment) {
    std::vector<GateCheck> checks(5, sample_check(Verdict::same, 1.0));
    checks[1].cases[0].runs = 0;  // not timed
    checks[3].round = checks[4].round = 7;
    checks[4].environment = "another";
    const Trend trend = trend_of(checks);
    ASSERT_EQ(trend.cases.size(), 1U);
    ASSERT_EQ(trend.lines.size(), 3U);
    ASSERT_EQ(trend.lines[0].points.size(), 2U);
    EXPECT_EQ(trend.lines[0].points[1].check, 2U);
    EXPECT_EQ(trend.lines[1].points[0].check, 3U);
}

TEST(GateTrend, IsDrawnWithACrossWhereACaseBecameSlower) {
    const std::vector<GateCheck> checks = {sample_check(Verdict::same, 1.0), sample_check(Verdict::slower, 0.9)};
    const auto chart = trend_chart(checks, Phrases(Tongue::english));
    ASSERT_TRUE(chart);
    EXPECT_THAT(chart->svg, HasSubstr("0.900 [0.890, 0.910], slower"));
    EXPECT_THAT(chart->svg, HasSubstr("class=\"failed"));
    EXPECT_TRUE(trend_chart(std::span(checks).first(1), Phrases(Tongue::chinese)));
    EXPECT_FALSE(trend_chart(std::vector{GateCheck{}}, Phrases(Tongue::english)));
}

TEST_F(GateHistory, IsToldInAReport) {
    EXPECT_EQ(reported_gate(folder, Phrases(Tongue::english)).markdown, "");
    ASSERT_TRUE(append_check(folder, sample_check(Verdict::same, 1.0)));
    ASSERT_TRUE(append_check(folder, sample_check(Verdict::slower, 0.9)));
    const ReportedGate english = reported_gate(folder, Phrases(Tongue::english));
    EXPECT_THAT(english.markdown, HasSubstr("2 checks, 1 of them slower or less accurate, 0 failed"));
    EXPECT_THAT(english.markdown, HasSubstr("slower, 0.900 [0.890, 0.910]; threshold 1.5 % (default)"));
    ASSERT_EQ(english.charts.size(), 1U);
    EXPECT_THAT(reported_gate(folder, Phrases(Tongue::chinese)).markdown,
                HasSubstr("变慢，0.900 [0.890, 0.910]；阈值"));
}

TEST(GateWords, SayWhyACaseHasNoRatio) {
    GatedCase checked;
    EXPECT_EQ(ratio_words(checked, Phrases(Tongue::english)), "not timed");
    checked.reason = "the case is not stored";
    EXPECT_EQ(ratio_words(checked, Phrases(Tongue::chinese)), "该测例未保存");
    checked.worse_in = {"kl_divergence"};
    EXPECT_EQ(verdict_words(checked, Phrases(Tongue::english)), "ambiguous, less accurate");
}

TEST_F(GateFileInFolder, TakesRoundsAndTheThresholdsOfAnOkCheck) {
    ASSERT_TRUE(store_baseline(folder, timed_round()));
    GateCheck check = sample_check(Verdict::same, 1.0);
    check.cases[0].threshold.share = 0.031;
    check.cases[0].accuracy_now = {2, 0.5, 0};
    ASSERT_TRUE(store_thresholds(folder, check));
    const StoredCase stored = load_gate(folder)->baselines.at(0).cases.at(0);
    EXPECT_EQ(stored.threshold, 0.031);
    // What was found is worse than what is stored: that moves no limit.
    EXPECT_EQ(stored.limits, limits_in_use(stored.accuracy, {}));
    EXPECT_THAT(worse_in(check.cases[0].accuracy_now, stored.accuracy, stored.limits), Not(IsEmpty()));
    check.status = Status::mismatch;
    EXPECT_FALSE(store_thresholds(folder, check));
    check = sample_check(Verdict::same, 1.0);
    check.variant = "of another";
    EXPECT_FALSE(store_thresholds(folder, check));
}

TEST(GateReport, ShowsTheTrendOfEachCase) {
    const GateCheck checks[] = {sample_check(Verdict::same, 1), sample_check(Verdict::slower, 0.9)};
    EXPECT_THAT(trend_text(checks), HasSubstr("█▁  0.900x to 1.000x, last 0.900x (slower)"));
    EXPECT_THAT(trend_text({}), HasSubstr("no check"));
}

TEST_F(GateFileInFolder, KeepsWhatAPersonWroteWhereARoundIsStoredAgain) {
    ASSERT_TRUE(store_baseline(folder, timed_round()));
    GateFile gate = load_gate(folder).value();
    StoredCase& written = gate.baselines[0].cases[0];
    written.threshold = 0.04;
    written.limits = {.p99_error = 1e9, .kl_divergence = 1e9, .clip_ratio = 0};
    ASSERT_TRUE(save_gate(folder, gate));
    RoundDetail worse = timed_round();
    CaseAccuracy& check = worse.verification.cases.emplace_back();
    check.own_case = true;
    check.binding = worse.round.cases[0].binding;
    check.metrics.clip_ratio = 0.1;
    ASSERT_TRUE(store_baseline(folder, worse));
    const StoredCase stored = load_gate(folder)->baselines.at(0).cases.at(0);
    EXPECT_EQ(stored.threshold, 0.04);
    EXPECT_EQ(stored.limits.p99_error, 1e9);
    EXPECT_EQ(stored.limits.clip_ratio, std::nullopt) << "the round passes it, and is meant";
}

TEST(GateTrend, FollowsACaseThatIsRenamed) {
    GateCheck checks[] = {sample_check(Verdict::same, 1), sample_check(Verdict::same, 1)};
    checks[1].cases[0].binding.name = "renamed";
    EXPECT_EQ(trend_of(checks).cases.size(), 1u);
    EXPECT_EQ(trend_of(checks).lines.size(), 1u);
}

TEST(GateFile, FindsACaseByItsSizesUnderAnotherName) {
    const StoredBaseline stored = sample_baseline();
    Case renamed = stored.cases.front().binding;
    renamed.name = "of another name";
    EXPECT_EQ(stored.find(renamed), &stored.cases.front());
    renamed.sizes.begin()->second += 1;
    EXPECT_EQ(stored.find(renamed), nullptr);
}

TEST(GateReport, SaysNothingOfAnErrorThatIsNotStored) {
    GatedCase checked = sample_check(Verdict::same, 1).cases[0];
    checked.accuracy_now.p99_error = 0.25;
    EXPECT_THAT(accuracy_text(checked), Not(HasSubstr("before")));
    checked.accuracy_then.emplace();
    EXPECT_THAT(accuracy_text(checked), HasSubstr("0.25, 0 before"));
}

/// Records a round after the stored one whose speedups are changed by a factor.
void record_with_factor(const std::filesystem::path& folder, double factor) {
    RoundDetail detail = sample_round();
    detail.round.time = "2999-01-01T00:00:00Z";
    detail.round.note = std::to_string(factor);
    for (RoundCase& each : detail.round.cases) {
        each.speedup *= factor;
        each.speedup_lower = each.speedup * 0.999;
        each.speedup_upper = each.speedup * 1.001;
    }
    ASSERT_TRUE(record_round(folder, detail));
}

TEST_F(FirstSlowerRound, IsTheFirstWhoseIntervalIsBelowTheStoredOne) {
    const StoredBaseline stored = sample_baseline();
    for (const double factor : {1.0, 0.9, 0.8}) record_with_factor(folder, factor);
    const std::string hint = first_slower_round(folder, stored, sample_check(Verdict::slower, 0.8));
    EXPECT_THAT(hint, HasSubstr("round 1 is the first"));
    EXPECT_THAT(hint, HasSubstr("0.900000"));
    EXPECT_EQ(first_slower_round(folder, stored, sample_check(Verdict::same, 1)), "");
}

TEST_F(FirstSlowerRound, IsNoTrialAfterWhichItWasFastAgain) {
    for (const double factor : {1.0, 0.5, 1.0, 0.8}) record_with_factor(folder, factor);
    const GateCheck check = sample_check(Verdict::slower, 0.8);
    EXPECT_THAT(std::string(first_slower_round(folder, sample_baseline(), check)), HasSubstr("round 3 is the first"));
}

}  // namespace
}  // namespace kernelgen
