// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <format>
#include <regex>

#include "core/base/checklist_sentences.h"
#include "core/base/sentences.h"
#include "core/base/text.h"
#include "core/base/tuning_sentences.h"
#include "core/report/report.h"
#include "core/tune/tuning_file.h"
#include "tests/core_report/sample_project.h"

namespace kernelgen {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class OptimizationLog : public testing::Test {
protected:
    OptimizationLog() {
        char name[] = "/tmp/kernelgen-log-XXXXXX";
        project.folder = ::mkdtemp(name);
    }
    ~OptimizationLog() override { fs::remove_all(project.folder); }

    void record(RoundDetail detail) const { ASSERT_TRUE(record_round(project.folder, detail)); }
    std::string log(Tongue tongue = Tongue::english) const {
        return optimization_log(project, load_history(project.folder).value(), tongue);
    }
    /// Two good rounds and one that failed.
    void record_three() const {
        RoundDetail second = sample_round(16, 1.2);
        second.round.note = "fewer rows fit L1";
        record(sample_round(64, 0.8));
        record(second);
        record(failed_round());
        ASSERT_TRUE(record_lessons(project.folder, 1, {.worked = "small tiles", .failed = "", .next = "prefetch"}));
    }

    Project project = sample_project();
};

/// The lines that begin with #.
std::vector<std::string> headings(const std::string& document) {
    std::vector<std::string> result;
    for (const std::string& line : split(document, '\n')) {
        if (line.starts_with('#')) result.push_back(line);
    }
    return result;
}

/// Records a tuning on the large case for which there was not enough time.
void record_tuning(const std::filesystem::path& folder) {
    TuningFile file = TuningFile::open(folder).value();
    TuningHead head{.time = "2026-11-25T02:00:00Z", .variant = "host", .device = "cpu", .binding = sample_case(4096)};
    head.cases = {head.binding};
    head.incumbent = {{"BLOCK_M", 32}};
    head.configurations = 3;
    ASSERT_TRUE(file.begin(head));
    ASSERT_TRUE(file.append(TuningOutcome{.is_decided = false,
                                          .configuration = head.incumbent,
                                          .reason = std::string(sentences::tuned_without_time),
                                          .tried = 2,
                                          .seconds = 34,
                                          .left_out = {std::string(sentences::left_out_final)}}));
}

/// From one heading to the next of its level or above.
std::string section(const std::string& document, const std::string& title) {
    const std::size_t begin = document.find("\n" + title + "\n");
    if (begin == std::string::npos) return "no section " + title;
    const std::string marks = title.substr(0, title.find(' '));
    std::size_t end = document.size();
    for (std::size_t level = 1; level <= marks.size(); ++level) {
        end = std::min(end, document.find("\n" + std::string(level, '#') + " ", begin + 1));
    }
    return document.substr(begin, end - begin);
}

TEST_F(OptimizationLog, OfTheNewestRoundsAloneStillSumsUpAllAndKnowsTheirParents) {
    record_three();
    const std::string newest = optimization_log(project, load_history(project.folder).value(), Tongue::english, 2);
    EXPECT_THAT(newest, Not(HasSubstr("record: round 0\n")));
    EXPECT_THAT(newest, HasSubstr("## Optimization record: round 1\n"));
    EXPECT_EQ(section(newest, "## Summary"), section(log(), "## Summary"));
    EXPECT_THAT(section(newest, "## Optimization record: round 1"), HasSubstr("over round 0"));
}

TEST_F(OptimizationLog, SaysThatThereIsNoRound) {
    EXPECT_THAT(log(), HasSubstr("No round has been recorded yet"));
    EXPECT_THAT(log(Tongue::chinese), HasSubstr("尚无优化记录"));
}

TEST_F(OptimizationLog, HasTheTemplatesSectionsForEveryRound) {
    record_three();
    const std::vector<std::string> all = headings(log());
    for (const char* title :
         {"### Current version", "### Bottleneck analysis", "### Change", "### Test result", "### Lessons"}) {
        EXPECT_EQ(std::ranges::count(all, title), 3) << title;
    }
    EXPECT_THAT(all, testing::IsSupersetOf({"# bias_add: optimization log", "## Summary", "## Parameters over rounds",
                                            "## Optimization record: round 2"}));
}

TEST_F(OptimizationLog, UsesTheSourcesHeadingsInChinese) {
    record_three();
    const std::vector<std::string> all = headings(log(Tongue::chinese));
    for (const char* title : {"### 当前版本信息", "### 性能瓶颈分析", "### 修改方案", "### 测试结果", "### 经验总结"}) {
        EXPECT_EQ(std::ranges::count(all, title), 3) << title;
    }
    EXPECT_THAT(all, testing::IsSupersetOf({"# bias_add 算子优化日志", "## 总结", "## 参数调整总结"}));
}

TEST_F(OptimizationLog, SaysReasonsAndWarningsInItsTongue) {
    RoundDetail noisy = sample_round(16, 1.2);
    noisy.timings[0].warnings = {std::format(sentences::spread, "host", 7.0, 140, 3)};
    noisy.timings[0].counters = {.cache_hit_rate = {}, .reason = std::string(sentences::no_counters)};
    record(noisy);
    RoundDetail failed = failed_round();
    failed.round.reason = std::format(sentences::no_baseline, "cpu");
    record(failed);
    EXPECT_THAT(log(), AllOf(HasSubstr("RSD 7.0 % over 140 samples, 3 outliers"), HasSubstr("shows no cache counters"),
                             HasSubstr("names no baseline for `cpu`")));
    EXPECT_THAT(log(Tongue::chinese), AllOf(HasSubstr("`host`：RSD 7.0 %，共 140 个样本，3 个离群值"),
                                            HasSubstr("不提供缓存计数器"), HasSubstr("没有为 `cpu` 指定基准")));
}

TEST_F(OptimizationLog, HasTheSameShapeInBothTongues) {
    record_three();
    const auto shape = [](const std::string& document) {
        std::string marks;
        for (const std::string& line : split(document, '\n')) {
            marks +=
                line.substr(0, line.find_first_not_of("#-|")) + std::to_string(std::ranges::count(line, '|')) + "\n";
        }
        return marks;
    };
    EXPECT_EQ(shape(log()), shape(log(Tongue::chinese)));
}

TEST_F(OptimizationLog, BeginsWithTheBestRoundAndWhetherItReachedTheTarget) {
    record_three();
    const std::string summary = section(log(), "## Summary");
    EXPECT_THAT(summary, HasSubstr("| 2 | 1 | `host`: `BLOCK_M=16` | 1.200 [1.190, 1.210] | ≥ 1 | yes | 66.0 % |"));
    EXPECT_THAT(summary, HasSubstr("Rounds that failed: 1 of 3."));
}

TEST_F(OptimizationLog, ShowsItsFiguresBelowTheSummary) {
    record_three();
    const Figure figures[] = {{.title = "Latency [ms]", .path = "charts/latency.svg"}};
    const History history = load_history(project.folder).value();
    const std::string english = optimization_log(project, history, Tongue::english, all_rounds, figures);
    EXPECT_THAT(section(english, "## Charts"), HasSubstr("![Latency \\[ms\\]](charts/latency.svg)"));
    EXPECT_THAT(optimization_log(project, history, Tongue::chinese, all_rounds, figures), HasSubstr("\n## 图表\n"));
    EXPECT_THAT(log(), Not(HasSubstr("## Charts")));
}

TEST_F(OptimizationLog, NamesNoBestRoundWhereAllFailed) {
    record(failed_round());
    EXPECT_THAT(section(log(), "## Summary"), HasSubstr("No round has been verified and timed yet"));
}

TEST_F(OptimizationLog, NeverComparesRoundsOfDifferentEnvironments) {
    RoundDetail elsewhere = sample_round(16, 3.0);
    elsewhere.round.environment = "ffff";
    record(sample_round(64, 0.8));
    record(elsewhere);
    EXPECT_THAT(section(log(), "## Summary"), HasSubstr("| 1 | 0 | `host`: `BLOCK_M=64` |"));
    EXPECT_THAT(log(), HasSubstr("not comparable: round 0 had another device, baseline or environment"));
}

TEST_F(OptimizationLog, NeverComparesRoundsOfDifferentCasesEvenWhereTheirNamesAndNumberAreTheSame) {
    RoundDetail larger = sample_round(16, 3.0);
    for (RoundCase& each : larger.round.cases) each.binding.sizes["D"] = 65536;
    record(sample_round(64, 0.8));
    record(larger);
    EXPECT_THAT(section(log(), "## Summary"), HasSubstr("| 1 | 0 | `host`: `BLOCK_M=64` |"));
}

TEST_F(OptimizationLog, CountsACancelledRoundNotAmongThoseThatFailed) {
    RoundDetail cancelled = sample_round(16, 1.0);
    cancelled.round.status = Status::cancelled;
    record(sample_round(64, 0.8));
    record(failed_round());
    record(cancelled);
    EXPECT_THAT(section(log(), "## Summary"), HasSubstr("Rounds that failed: 1 of 3. Cancelled: 1."));
}

TEST_F(OptimizationLog, TabulatesParametersOverRounds) {
    record_three();
    const std::string table = section(log(), "## Parameters over rounds");
    EXPECT_THAT(table, HasSubstr("| Round | BLOCK_M | Change |"));
    EXPECT_THAT(table, HasSubstr("| 1 | 16 | implementation |"));
    EXPECT_THAT(table, HasSubstr("| fewer rows fit L1 |"));
}

TEST_F(OptimizationLog, ShowsAFailedRoundWithItsReasonAndNoSpeedup) {
    record_three();
    const std::string failed = section(log(), "## Optimization record: round 2");
    EXPECT_THAT(failed, HasSubstr("Status: `mismatch`, the result differs from the reference"));
    EXPECT_THAT(failed, HasSubstr("Reason: case `64x512 f32`, set normal, seed 1: 3 elements differ"));
    EXPECT_THAT(failed, HasSubstr("New speedup: not measured: the round ended as `mismatch`"));
    EXPECT_THAT(failed, HasSubstr("| `out[0, 7]` | 1.5 | not a number |"));
}

TEST_F(OptimizationLog, ShowsWhatChangedBeforeAndAfter) {
    record_three();
    const std::string change = section(section(log(), "## Optimization record: round 1"), "### Change");
    EXPECT_THAT(change, HasSubstr("**Kind of change**: implementation"));
    EXPECT_THAT(change, HasSubstr("| tunable `BLOCK_M` | `64` | `16` |"));
    EXPECT_THAT(change, HasSubstr("```diff\n@@ -1 +1 @@\n-// 64\n+// 16\n```"));
    EXPECT_THAT(change, HasSubstr("**Reason**: fewer rows fit L1"));
}

TEST_F(OptimizationLog, StatesTheGainOverTheParentInTheSameCase) {
    record_three();
    const std::string result = section(section(log(), "## Optimization record: round 1"), "### Test result");
    EXPECT_THAT(result, HasSubstr("Gain in speedup: +50.0 % over round 0 in case 4096x512 f32"));
    EXPECT_THAT(result, HasSubstr("New speedup: 1.200 [1.190, 1.210] in case 4096x512 f32"));
    EXPECT_THAT(result, HasSubstr("Target reached: yes"));
}

TEST_F(OptimizationLog, SaysOfAGainWithinTheNoiseThatItIs) {
    record(sample_round(64, 1.2));
    record(sample_round(16, 1.205));
    EXPECT_THAT(section(section(log(), "## Optimization record: round 1"), "### Test result"),
                HasSubstr("over round 0 in case 4096x512 f32: no difference beyond noise"));
}

TEST_F(OptimizationLog, StatesTheGainOverTheLastTimedRoundWhereTheParentFailed) {
    record_three();
    record(sample_round(16, 2.4));
    EXPECT_THAT(section(section(log(), "## Optimization record: round 3"), "### Test result"),
                HasSubstr("Gain in speedup: +100.0 % over round 1 in case 4096x512 f32"));
}

TEST_F(OptimizationLog, SaysWhyAnIndicatorWasNotMeasured) {
    record_three();
    const std::string analysis = section(section(log(), "## Optimization record: round 0"), "### Bottleneck analysis");
    EXPECT_THAT(analysis, HasSubstr("| Cache hit rate | not measured: perf_event_open is not permitted |"));
    EXPECT_THAT(analysis, HasSubstr("| Bandwidth use | 66.0 % (33.0 GB/s of 50.0 GB/s) | > 60.0 % | yes |"));
    EXPECT_THAT(analysis, HasSubstr("| Parallelism | 128 tile programs on 2 threads;"));
    EXPECT_THAT(analysis, HasSubstr("**A part of the loss has no known cause**"));
}

TEST_F(OptimizationLog, NamesTestShapesInTheDefinitionsOrder) {
    record(sample_round(64, 1));
    EXPECT_THAT(log(), HasSubstr("Test shapes: 64x512 f32: [P, D] = [64, 512] f32; 4096x512 f32:"));
}

TEST_F(OptimizationLog, SummarisesTheErrorsHistogram) {
    record(sample_round(64, 1));
    EXPECT_THAT(section(log(), "#### Distribution of the absolute error"),
                HasSubstr("64x512 f32: exact 60.0 % · 1e-8 to 1e-7: 35.0 % · 1e-7 to 1e-6: 5.0 %"));
}

TEST_F(OptimizationLog, SetsSizeAgainstEfficiencyWhereThereAreSeveralCases) {
    record(sample_round(64, 1));
    EXPECT_THAT(section(log(), "#### Size against efficiency"), HasSubstr("Best working point: case 64x512 f32"));
    RoundDetail single = sample_round(64, 1);
    single.round.cases.pop_back();
    project.folder /= "single";
    fs::create_directory(project.folder);
    record(single);
    EXPECT_THAT(log(), Not(HasSubstr("Size against efficiency")));
    project.folder = project.folder.parent_path();
}

TEST_F(OptimizationLog, NamesTheFindingOfAStrategyInWords) {
    RoundDetail detail = sample_round(16, 1.2);
    detail.round.applied =
        AppliedStrategy{.strategy = "larger_tile", .finding = "tail_wave", .change = "BLOCK_M 8 → 16"};
    record(detail);
    EXPECT_THAT(log(), HasSubstr("\"Time is lost in a partial last wave\" (`tail_wave`), found in round 0"));
    detail.round.applied->finding = "of_an_older_version";
    record(detail);
    EXPECT_THAT(log(), HasSubstr("the finding `of_an_older_version` of round 0"));
}

TEST_F(OptimizationLog, PrintsLessonsAndSaysWhereThereAreNone) {
    record_three();
    const std::string lessons = section(section(log(), "## Optimization record: round 1"), "### Lessons");
    EXPECT_THAT(lessons, HasSubstr("**What worked**: small tiles"));
    EXPECT_THAT(lessons, HasSubstr("**What failed**: not noted"));
    EXPECT_THAT(lessons, HasSubstr("**What next**: prefetch"));
}

TEST_F(OptimizationLog, RestsOnTheSummaryWhereTheFullRecordIsGone) {
    record_three();
    fs::remove_all(project.folder / "rounds");
    const std::string round = section(log(), "## Optimization record: round 1");
    EXPECT_THAT(round, HasSubstr("rests on the summary in `history.jsonl` alone"));
    EXPECT_THAT(round, HasSubstr("New speedup: 1.200"));
    EXPECT_THAT(round, HasSubstr("What differs from round 0 is not known"));
}

TEST_F(OptimizationLog, NeverPrintsNanOrInfinityOrAnEmptyPlace) {
    record_three();
    RoundDetail odd = sample_round(32, std::numeric_limits<double>::quiet_NaN());
    odd.round.cases[0].roofline.bandwidth_ceiling_gbps = 0;
    record(odd);
    const std::regex forbidden(R"((^|[^[:alpha:]])-?(nan|inf)([^[:alpha:]]|$)|\{\}|\|  \||: $|: \n)",
                               std::regex::icase);
    for (const Tongue tongue : {Tongue::english, Tongue::chinese}) {
        EXPECT_THAT(log(tongue), Not(HasSubstr("\n\n\n")));
        for (const std::string& line : split(log(tongue), '\n'))
            EXPECT_FALSE(std::regex_search(line, forbidden)) << line;
    }
}

TEST_F(OptimizationLog, KeepsWhatUsersWroteFromBreakingTablesAndLines) {
    RoundDetail detail = sample_round(64, 1);
    detail.round.note = "a | b\n# no heading <script>";
    record(detail);
    EXPECT_THAT(section(log(), "## Parameters over rounds"), HasSubstr("| a \\| b # no heading &lt;script> |"));
    EXPECT_THAT(log(), Not(HasSubstr("\n# no heading")));
}

TEST_F(OptimizationLog, SetsWhatTheBuildsTakeSideBySide) {
    record(sample_round(64, 0.8));
    EXPECT_THAT(log(), Not(HasSubstr("What the builds take"))) << "nothing was told";
    RoundDetail told = sample_round(16, 1.2);
    told.verification.builds[DType::f32] = {
        "", {{"registers", 40}, {"spill_store_bytes", 8}, {"occupancy", 0.75}}, "registers and shared memory"};
    told.baseline_builds[DType::f32] = {"", {{"registers", 32}, {"of_another_version", 1}}, ""};
    record(told);
    EXPECT_EQ(section(log(), "#### What the builds take"),
              "\n#### What the builds take\n\n"
              "| Build | host, f32 | library, f32 (baseline) |\n| --- | --- | --- |\n"
              "| Registers per thread | 40 | 32 |\n| Spill stores per thread | 8 B | – |\n"
              "| Occupancy | 75.0 % | – |\n| Occupancy limited by | registers and shared memory | – |\n");
    EXPECT_THAT(section(log(Tongue::chinese), "#### 编译结果的资源占用"),
                AllOf(HasSubstr("| 每线程寄存器数 | 40 | 32 |"), HasSubstr("| 占用率 | 75.0 % |"),
                      HasSubstr("| 占用率受限于 | 寄存器和共享内存 |")));
}

TEST_F(OptimizationLog, HasTheChecklistOfTheOperatorsFiles) {
    record(sample_round(64, 0.8));
    Consistency consistency;
    consistency.files = {"project.json", "scale_triton.py", "scale_baseline.py", "", ""};
    ChecklistRow row{.aspect = Aspect::return_type, .cells = {}};
    row.at(FileRole::definition) = {ChecklistCell::State::none, "torch.Tensor"};
    row.at(FileRole::kernel) = {ChecklistCell::State::agrees, "torch.Tensor"};
    row.at(FileRole::baseline) = {ChecklistCell::State::differs, "tuple"};
    consistency.rows = {row};
    consistency.mismatches = {{"scale_baseline.py", "line 4", std::format(sentences::no_return, "scale", "out"),
                               std::string(sentences::return_one)}};
    consistency.stale = {{"scale.cpp", ChangeKind::logic, false}};
    const auto in = [&](Tongue tongue) {
        const History history = load_history(project.folder).value();
        return optimization_log(project, history, tongue, all_rounds, {}, &consistency);
    };
    const std::string english = in(Tongue::english);
    EXPECT_THAT(english, HasSubstr("| Checked | Definition | `scale_triton.py` | `scale_baseline.py` |"));
    EXPECT_THAT(english, HasSubstr("| Return type | torch.Tensor | ✓ torch.Tensor | ✗ tuple |"));
    EXPECT_THAT(english,
                HasSubstr("- scale_baseline.py: line 4: no `return` of `scale` gives the definition's outputs: out; "
                          "return the output: -> torch.Tensor\n"));
    EXPECT_THAT(english, HasSubstr("`scale.cpp` lags behind the project"));
    const std::string chinese = in(Tongue::chinese);
    EXPECT_THAT(chinese, HasSubstr("| 返回类型 | torch.Tensor | ✓ torch.Tensor | ✗ tuple |"));
    EXPECT_THAT(chinese, HasSubstr("`scale` 中没有 `return` 返回定义的输出：out; 请返回该输出"));
}

TEST_F(OptimizationLog, TellsHowTuningsWereDecidedAndWhatThereWasNoTimeFor) {
    record_tuning(project.folder);
    EXPECT_THAT(log(), AllOf(HasSubstr("## Tunings"),
                             HasSubstr("Tuning 1 of `host` on cpu, 4096x512 f32: `tie`, not decided: "),
                             HasSubstr("2 of 3 configurations tried"), HasSubstr(sentences::tuned_without_time),
                             HasSubstr("Left out for want of time: the full verification of faster configurations")));
    const std::string chinese = log(Tongue::chinese);
    EXPECT_THAT(chinese, AllOf(HasSubstr("## 调优"), HasSubstr("`tie`（未能判定）"),
                               HasSubstr("因时间不足而省略：更快配置的完整验证")));
    record_three();
    EXPECT_THAT(log(), HasSubstr("## Tunings"));
}

TEST_F(OptimizationLog, TellsOfATunedRoundHowItWasFound) {
    record_three();
    TuningFile file = TuningFile::open(project.folder).value();
    TuningHead head{.time = "2026-11-25T02:00:00Z", .variant = "host", .device = "cpu", .binding = sample_case(4096)};
    head.cases = {head.binding};
    head.incumbent = {{"BLOCK_M", 32}};
    head.configurations = 30;
    head.pruned = {{"one", 4}, {"other", 3}};
    head.strategy = "model";
    head.seed = 17;
    const TuningOutcome outcome{.kind = TuningOutcome::Kind::winner,
                                .configuration = {{"BLOCK_M", 16}},
                                .reason = std::string(500, 'r'),
                                .runner_up = Configuration{{"BLOCK_M", 8}},
                                .round = 1,
                                .tried = 20,
                                .failed = 2,
                                .seconds = 34};
    ASSERT_TRUE(file.begin(head));
    ASSERT_TRUE(file.append(outcome));
    ASSERT_TRUE(file.begin(head)) << "a newer one of the same case";
    const std::string round = section(log(), "## Optimization record: round 1");
    EXPECT_THAT(round, AllOf(HasSubstr("Tuning 1 of `host` on cpu"), HasSubstr("20 of 30 configurations tried"),
                             HasSubstr("2 failed, 7 pruned, in 34.0 s"), HasSubstr("strategy model, seed 17"),
                             HasSubstr("runner-up `BLOCK_M=8`")));
    EXPECT_THAT(section(log(), "## Optimization record: round 2"), Not(HasSubstr("Tuning 1")));
    EXPECT_THAT(log(Tongue::chinese),
                AllOf(HasSubstr("剪除 7 个，用时 34.0 s；策略 model，种子 17"), HasSubstr("第二名")));
}

}  // namespace
}  // namespace kernelgen
