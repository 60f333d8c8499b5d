// SPDX-License-Identifier: Apache-2.0
#include "core/report/kernel_report.h"

#include <gmock/gmock.h>
#include <stdlib.h>

#include <filesystem>

#include "core/tune/tuning_file.h"
#include "tests/core_report/sample_project.h"

namespace kernelgen {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class KernelReport : public testing::Test {
protected:
    KernelReport() {
        char name[] = "/tmp/kernelgen-report-XXXXXX";
        project.folder = ::mkdtemp(name);
    }
    ~KernelReport() override { fs::remove_all(project.folder); }

    void record(RoundDetail detail) const { ASSERT_TRUE(record_round(project.folder, detail)); }
    void record_three() const {
        RoundDetail second = sample_round(16, 1.2);
        second.round.note = "fewer rows fit L1";
        for (RoundCase& each : second.round.cases) each.roofline.gflops *= 2;
        record(sample_round(64, 0.8));
        record(second);
        record(failed_round());
        ASSERT_TRUE(record_lessons(project.folder, 1, {.worked = "small tiles", .failed = "", .next = "prefetch"}));
    }
    ReportedProject reported() const { return {project, load_history(project.folder).value()}; }
    Illustrated illustrated(Tongue tongue = Tongue::english) const {
        const ReportedProject one = reported();
        return kernel_report({&one, 1}, tongue, true);
    }
    std::string report() const {
        const ReportedProject one = reported();
        return kernel_report({&one, 1}, Tongue::english, false).markdown;
    }

    Project project = sample_project();
};

std::vector<std::string> headings_to_third_level(const std::string& document) {
    std::vector<std::string> found;
    for (std::size_t at = 0; at != std::string::npos && at < document.size();) {
        const std::size_t end = document.find('\n', at);
        if (document[at] == '#' && document.substr(at, 4) != "####") found.push_back(document.substr(at, end - at));
        at = end == std::string::npos ? end : end + 1;
    }
    return found;
}

TEST_F(KernelReport, HasAllItsSections) {
    record_three();
    EXPECT_THAT(headings_to_third_level(report()),
                ElementsAre("# bias_add: kernel report", "## Summary", "## bias_add", "### Versions",
                            "### Indicators and analysis", "### On the roofline, from round to round", "### Accuracy",
                            "### Trend over the rounds", "### Recommendations", "### Lessons", "## Appendix",
                            "### bias_add", "### Method", "### What the numbers mean"));
}

TEST_F(KernelReport, SumsUpTheBestRound) {
    record_three();
    EXPECT_THAT(
        report(),
        HasSubstr("| bias_add | cpu | 1 | `host`: `BLOCK_M=16` | `ok` | `library` | 1.200 [1.190, 1.210] | yes |"));
    EXPECT_THAT(report(), HasSubstr("Verified and timed: 1 of 1. Faster than the baseline, by the whole interval: 1."));
}

TEST_F(KernelReport, ListsWhatChangedFromVersionToVersion) {
    record_three();
    EXPECT_THAT(report(), HasSubstr("tunable `BLOCK_M`: `64` → `16`"));
    EXPECT_THAT(report(), HasSubstr("+50.0 % over round 0"));
    EXPECT_THAT(report(), HasSubstr("fewer rows fit L1"));
}

TEST_F(KernelReport, HoldsIndicatorsAgainstTheirGoals) {
    record_three();
    EXPECT_THAT(report(), HasSubstr("| Bandwidth use | 66.0 % (33.0 GB/s of 50.0 GB/s) | > 60.0 % | yes |"));
}

TEST_F(KernelReport, ShowsStepsOnTheRoofline) {
    record_three();
    EXPECT_THAT(report(), HasSubstr("| 0 → 1 | 4096x512 f32 |"));
    EXPECT_THAT(report(), HasSubstr("4.00 GFLOP/s → 8.00 GFLOP/s"));
}

TEST_F(KernelReport, TellsTheTrend) {
    record_three();
    EXPECT_THAT(report(), HasSubstr("cpu: round 0: 0.800 → round 1: 1.200"));
    EXPECT_THAT(report(), HasSubstr("cpu: round 1 is the best, +50.0 % over round 0"));
    EXPECT_THAT(report(), HasSubstr("Rounds that failed: 1 of 3."));
}

TEST_F(KernelReport, IsNotMadeByARoundOverAnotherBaselineOrOfOtherCases) {
    record(sample_round(64, 0.8));
    RoundDetail over_a_round = sample_round(16, 19);
    over_a_round.round.baseline = "round-0";
    record(over_a_round);
    RoundDetail tiny = sample_round(16, 30);
    tiny.round.cases.resize(1);
    tiny.round.cases[0].binding.sizes = {{"P", 1}, {"D", 1}};
    tiny.round.case_count = 1;
    record(tiny);
    EXPECT_THAT(report(), HasSubstr("Geometric mean of the speedups: 0.800."));
}

TEST_F(KernelReport, CountsNoRoundOfOtherCases) {
    RoundDetail tiny = sample_round(16, 30);
    for (RoundCase& each : tiny.round.cases) each.binding.sizes = {{"P", 1}, {"D", 1}};
    record(tiny);
    EXPECT_THAT(report(), Not(HasSubstr("Verified and timed:")));
    EXPECT_THAT(report(), HasSubstr("timed over another baseline: Round 0, bias_add on cpu. Of these are"));
}

TEST_F(KernelReport, CountsNoRoundThatWasVerifiedByAnotherDefinition) {
    RoundDetail before = sample_round(16, 30);
    before.definition.body = "out = x";
    record(before);
    EXPECT_THAT(report(), HasSubstr("their definition or cases are not the project's"));
    record(sample_round(64, 0.8));
    EXPECT_THAT(report(), HasSubstr("Geometric mean of the speedups: 0.800."));
}

TEST_F(KernelReport, RecommendsATuningUntilThereIsOne) {
    record_three();
    EXPECT_THAT(report(), HasSubstr("`kernelgen tune` does it"));
    TuningHead head;
    head.variant = "host";
    head.device = "cpu";
    head.cases = {head.binding};
    TuningFile file = TuningFile::open(project.folder).value();
    ASSERT_TRUE(file.begin(head));
    ASSERT_TRUE(file.append(TuningOutcome{}));
    EXPECT_THAT(report(), Not(HasSubstr("`kernelgen tune` does it")));
}

TEST_F(KernelReport, RecommendsToKeepABetterRoundThanThePresentOne) {
    record(sample_round(16, 1.2));
    record(sample_round(64, 0.8));
    EXPECT_THAT(report(), HasSubstr("Round 0 is faster than what the project holds of `host` now"));
}

TEST_F(KernelReport, SaysWhatToMendWhereNothingIsRight) {
    record(failed_round());
    EXPECT_THAT(report(), HasSubstr("None of the 1 rows was verified and timed."));
    EXPECT_THAT(report(), HasSubstr("Round 0 ended as `mismatch`"));
}

TEST_F(KernelReport, SaysThatNothingIsRecorded) {
    EXPECT_THAT(report(), HasSubstr("bias_add: no round has been recorded yet"));
}

TEST_F(KernelReport, CoversSeveralProjects) {
    record_three();
    std::vector<ReportedProject> two = {reported(), reported()};
    two[1].project.definition.name = "other";
    const std::string text = kernel_report(two, Tongue::english, false).markdown;
    EXPECT_THAT(text, HasSubstr("# Report on 2 operators"));
    EXPECT_THAT(text, HasSubstr("\n## other\n"));
}

TEST_F(KernelReport, HasChartsOnAPageOnly) {
    record_three();
    EXPECT_EQ(illustrated().pictures.size(), 4u);  // speedup, roofline, errors of two cases
    EXPECT_THAT(report(), Not(HasSubstr("![")));
    const std::string page = html_page(illustrated().markdown, illustrated().pictures, Tongue::english);
    EXPECT_THAT(page, HasSubstr("<figure><svg"));
    EXPECT_THAT(page, Not(HasSubstr("http:")));
}

TEST_F(KernelReport, MakesNoMarkupOfWhatPeopleWrote) {
    RoundDetail round = sample_round(16, 1.2);
    round.round.note = "<script>alert(1)</script> ![x](http://example.org/a.png)";
    record(round);
    const Illustrated document = illustrated();
    EXPECT_THAT(html_page(document.markdown, document.pictures, Tongue::english), Not(HasSubstr("<script")));
}

TEST_F(KernelReport, IsThereAsALogWithCharts) {
    record_three();
    const ReportedProject one = reported();
    const Illustrated log = illustrated_log(one.project, one.history, Tongue::english, nullptr);
    EXPECT_EQ(log.pictures.size(), 4u);
    EXPECT_THAT(log.markdown, HasSubstr("![Speedup over the rounds on cpu](chart-0.svg)"));
}

}  // namespace
}  // namespace kernelgen
