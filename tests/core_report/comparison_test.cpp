// SPDX-License-Identifier: Apache-2.0
// Variants side by side: what is kept of a comparison, and what the log says of it.
#include "core/round/comparison.h"

#include <gmock/gmock.h>
#include <stdlib.h>

#include <nlohmann/json.hpp>

#include "core/base/file.h"
#include "core/report/log_sections.h"

namespace kernelgen {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const Case square{.name = "square", .dtype = DType::f32, .sizes = {{"P", 64}, {"D", 64}}};

ComparedVariant timed(const std::string& name, Language language, double seconds, double baseline_seconds) {
    ComparedVariant variant;
    variant.variant = name;
    variant.language = language;
    RoundCase each{.binding = square, .roofline = {}};
    each.seconds = seconds;
    each.baseline_seconds = baseline_seconds;
    each.speedup = baseline_seconds / seconds;
    each.speedup_lower = 0.99 * each.speedup;
    each.speedup_upper = 1.01 * each.speedup;
    each.roofline.bandwidth_gbps = 1 / seconds;
    variant.cases = {each};
    return variant;
}

/// CUDA is 1.25 times as fast as Triton, which is level with PyTorch, which is the baseline.
Comparison example() {
    Comparison comparison;
    comparison.time = "2026-01-02T03:04:05Z";
    comparison.device = "cuda:0";
    comparison.baseline = "torch";
    comparison.environment.hardware = "a GPU";
    comparison.cases = {square};
    comparison.variants = {timed("cuda", Language::cuda, 0.8e-3, 1e-3), timed("triton", Language::triton, 1e-3, 1e-3),
                           timed("torch", Language::torch, 1e-3, 1e-3)};
    ComparedVariant wrong = timed("other", Language::cuda, 1, 1);
    wrong.status = Status::mismatch;
    wrong.reason = "no";
    wrong.cases = {RoundCase{.binding = square, .status = Status::mismatch, .roofline = {}}};
    comparison.variants.push_back(wrong);
    return comparison;
}

TEST(Comparison, IsTheSameAfterBeingKept) {
    std::string folder = "/tmp/kernelgen-comparison-XXXXXX";
    ASSERT_NE(::mkdtemp(folder.data()), nullptr);
    ASSERT_TRUE(save_comparison(folder, example()));
    ASSERT_TRUE(write_file_atomic(std::filesystem::path(folder) / "comparisons" / "torn.json", "{\"schema\": "));
    const std::vector<Comparison> kept = load_comparisons(folder);
    ASSERT_EQ(kept.size(), 1u);
    EXPECT_EQ(to_json(kept[0]), to_json(example()));
    std::filesystem::remove_all(folder);
}

TEST(Comparison, RefusesWhatIsNone) {
    EXPECT_FALSE(comparison_from_json(nlohmann::json::parse("[1, 2]")));
    EXPECT_FALSE(comparison_from_json(nlohmann::json::parse("{\"schema\": \"kernelgen.comparison/2\"}")));
    nlohmann::json without_baseline = to_json(example());
    without_baseline.erase("baseline");
    EXPECT_FALSE(comparison_from_json(without_baseline));
}

TEST(Comparison, RelatesVariantsByWayOfTheBaseline) {
    EXPECT_DOUBLE_EQ(advantage(example(), "cuda", "triton", 0).value(), 1.25);
    EXPECT_DOUBLE_EQ(advantage(example(), "triton", "cuda", 0).value(), 0.8);
    EXPECT_FALSE(advantage(example(), "cuda", "other", 0));
    EXPECT_FALSE(advantage(example(), "cuda", "triton", 1));
}

TEST(ComparisonInTheLog, SaysWhoWinsByHowMuchAndWhatFailed) {
    const std::vector<Comparison> comparisons{example()};
    const std::string text = comparison_section(comparisons, Phrases(Tongue::english));
    EXPECT_THAT(text, HasSubstr("`cuda` is 1.250 times as fast as `triton`"));
    EXPECT_THAT(text, HasSubstr("`triton` and `torch` are level"));
    EXPECT_THAT(text, HasSubstr("counters that could say more were not read"));
    EXPECT_THAT(text, HasSubstr("`other`: "));
    EXPECT_THAT(text, Not(HasSubstr("`other` is")));
    EXPECT_THAT(comparison_section(comparisons, Phrases(Tongue::chinese)), HasSubstr("各实现并列对比"));
    EXPECT_EQ(comparison_section({}, Phrases(Tongue::english)), "");
}

TEST(ComparisonInTheLog, SaysWhatTheCountersSaw) {
    Comparison comparison = example();
    for (ComparedVariant& each : comparison.variants)
        each.counters = {{{"dram_read_bytes", 6e8}, {"dram_write_bytes", 5e8}, {"achieved_occupancy", 0.5}}};
    const std::vector<Comparison> comparisons{comparison};
    EXPECT_THAT(comparison_section(comparisons, Phrases(Tongue::english)),
                HasSubstr("Traffic to memory is 1.100 against 1.100 times these bytes, achieved occupancy 50.0 %"));
}

}  // namespace
}  // namespace kernelgen
