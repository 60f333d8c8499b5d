// SPDX-License-Identifier: Apache-2.0
#include "core/round/summary.h"

#include <gtest/gtest.h>

#include "core/base/file.h"
#include "core/project/source_files.h"
#include "tests/core_project/example.h"
#include "tests/core_round/temporary_folder.h"

namespace kernelgen {
namespace {

ProjectSummary with_speedup(double speedup, double lower) {
    ProjectSummary summary;
    summary.round.emplace();
    RoundCase& timed = summary.round->cases.emplace_back();
    timed.seconds = 1;
    timed.speedup = speedup;
    timed.speedup_lower = lower;
    return summary;
}

TEST(Summary, CountsFastOnesAmongAllProjects) {
    FolderSummary summary;
    summary.projects = {with_speedup(2.5, 2.4), with_speedup(1.2, 0.9), with_speedup(0.8, 0.7), {}};
    summary.projects[2].round->status = Status::mismatch;
    EXPECT_EQ(summary.tried(), 3);
    EXPECT_EQ(summary.right(), 2);
    EXPECT_EQ(summary.faster(), 1);
    EXPECT_DOUBLE_EQ(summary.fast(1.0), 0.5);
    EXPECT_DOUBLE_EQ(summary.fast(2.0), 0.25);
}

class SummaryOfRounds : public InFolder {
protected:
    void record(double speedup, std::size_t cases, const std::string& baseline, Status status = Status::ok,
                std::int64_t rows_more = 0) {
        RoundDetail detail;
        detail.definition = project.definition;
        detail.candidate = read_implementation(project, project.variants[0]).value();
        detail.round.device = "cpu";
        detail.round.variant = "host";
        detail.round.baseline = baseline;
        detail.round.status = status;
        detail.round.case_count = static_cast<int>(cases);
        for (std::size_t i = 0; i < cases; ++i) {
            RoundCase timed{.binding = project.cases[i], .roofline = {}};
            for (auto& [symbol, size] : timed.binding.sizes) size += rows_more;
            timed.seconds = timed.baseline_seconds = 1e-3;
            timed.speedup = timed.speedup_lower = timed.speedup_upper = speedup;
            detail.round.cases.push_back(timed);
        }
        ASSERT_TRUE(record_round(folder, detail));
    }

    Project project = example_project();
};

TEST_F(SummaryOfRounds, CountsOnlyThoseOfAllCasesOverTheProjectsBaseline) {
    project.folder = folder;
    ASSERT_TRUE(write_file_atomic(folder / "bias_add.cpp", "// a kernel\n"));
    ASSERT_TRUE(save_project(project));
    record(3, 1, "library");
    record(4, 2, "host");
    EXPECT_FALSE(summarise_folder(folder)->projects[0].round);
    record(1.2, 2, "library");
    record(5, 2, "library", Status::mismatch);
    EXPECT_DOUBLE_EQ(summarise_folder(folder)->projects[0].speedup(), 1.2);
    record(9, 2, "library", Status::ok, 1);  // as many cases, and others
    project.definition.body = "out = x - bias";
    record(8, 2, "library");  // right by another definition
    EXPECT_DOUBLE_EQ(summarise_folder(folder)->projects[0].speedup(), 1.2);
}

}  // namespace
}  // namespace kernelgen
