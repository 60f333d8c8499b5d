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
    wrong.resources = {{{"registers", 40}}};
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

TEST(ComparisonInTheLog, SeparatesHowAVariantEndedFromWhy) {
    Comparison comparison = example();
    comparison.variants.back().status = Status::unavailable;
    comparison.variants.back().reason = "no NVIDIA driver";
    EXPECT_THAT(comparison_section(std::vector{comparison}, Phrases(Tongue::english)),
                HasSubstr("was not available: no NVIDIA driver\n"));
    comparison.variants.back().reason = "";
    EXPECT_THAT(comparison_section(std::vector{comparison}, Phrases(Tongue::english)),
                HasSubstr("was not available\n"));
}

TEST(ComparisonInTheLog, SaysWhereADevicesNameWasNotNoted) {
    Comparison comparison = example();
    comparison.environment.hardware = "";
    EXPECT_THAT(comparison_section(std::vector{comparison}, Phrases(Tongue::english)),
                HasSubstr("On cuda:0 (not noted), each"));
}

/// The example, in which Triton is `ratio` times as fast as CUDA, or slower, with what was counted of both.
std::string said(double ratio, const std::map<std::string, double>& cuda, const std::map<std::string, double>& triton,
                 Tongue tongue = Tongue::english) {
    Comparison comparison = example();
    comparison.variants = {timed("cuda", Language::cuda, 1e-3 * ratio, 1e-3),
                           timed("triton", Language::triton, 1e-3, 1e-3)};
    comparison.variants[0].counters = {cuda};
    comparison.variants[1].counters = {triton};
    return comparison_section(std::vector{comparison}, Phrases(tongue));
}

std::map<std::string, double> counters(double bytes, double occupancy, double hits) {
    return {{"dram_read_bytes", bytes / 2},
            {"dram_write_bytes", bytes / 2},
            {"achieved_occupancy", occupancy},
            {"cache_hit_rate", hits}};
}

TEST(ComparisonInTheLog, SaysThatTritonWinsByLessTraffic) {
    const auto cuda = counters(1.5e9, 0.5, 0.3), triton = counters(1e9, 0.5, 0.5);
    const std::string text = said(1.5, cuda, triton);
    EXPECT_THAT(text, HasSubstr("`triton` is 1.500 times as fast as `cuda`"));
    EXPECT_THAT(text, HasSubstr("traffic to memory 1.000 against 1.500 times these bytes, Achieved occupancy 50.0 % "
                                "against 50.0 %, Cache hit rate 50.0 % against 30.0 %."));
    EXPECT_THAT(text, HasSubstr("Likely why: `cuda` moves 1.500 times as many bytes to and from memory.\n"));
    EXPECT_THAT(said(1.5, cuda, triton, Tongue::chinese), HasSubstr("`cuda` 的显存流量为前者的 1.500 倍"));
}

TEST(ComparisonInTheLog, SaysThatTrafficIsNotTheWholeDifference) {
    EXPECT_THAT(said(2, counters(1.2e9, 0.5, 0.5), counters(1e9, 0.5, 0.5)),
                HasSubstr("`cuda` moves 1.200 times as many bytes to and from memory, which is a part of"));
}

TEST(ComparisonInTheLog, SeesNoReasonInTrafficThatTheCacheKeepsFromMemory) {
    EXPECT_THAT(said(2, counters(0.02e9, 0.5, 0.5), counters(0.01e9, 0.5, 0.5)), HasSubstr("They do not tell why"));
    EXPECT_THAT(said(2, counters(0, 0.5, 0.5), counters(0, 0.5, 0.5)), HasSubstr("They do not tell why"));
}

TEST(ComparisonInTheLog, SaysThatCudaWinsByOccupancy) {
    const auto cuda = counters(1e9, 0.9, 0.5), triton = counters(1e9, 0.4, 0.5);
    EXPECT_THAT(said(0.8, cuda, triton), HasSubstr("Likely why: `cuda` has more warps at work"));
    EXPECT_THAT(said(0.8, cuda, triton), Not(HasSubstr("as many bytes")));
    EXPECT_THAT(said(0.8, cuda, triton, Tongue::chinese), HasSubstr("可能的原因：`cuda` 有更多活跃的warp"));
}

TEST(ComparisonInTheLog, SaysThatTheSlowerOneFetchesAgainFromTheCache) {
    EXPECT_THAT(said(0.8, counters(1e9, 0.5, 0.5), counters(1e9, 0.5, 0.7)),
                HasSubstr("Likely why: `triton` has the cache serve more"));
}

TEST(ComparisonInTheLog, SaysThatAlikeCountersDoNotTell) {
    const auto cuda = counters(1.01e9, 0.52, 0.5), triton = counters(1e9, 0.5, 0.51);
    EXPECT_THAT(said(0.8, cuda, triton), HasSubstr("They do not tell why"));
    EXPECT_THAT(said(0.8, cuda, triton, Tongue::chinese), HasSubstr("无法说明原因"));
    EXPECT_THAT(said(0.8, counters(1e9, 0.4, 0.5), counters(1e9, 0.9, 0.5)), HasSubstr("They do not tell why"));
}

TEST(ComparisonInTheLog, GoesByTheBuildsWhereCountersAreMissing) {
    Comparison comparison = example();
    comparison.variants[0].resources = {{{"registers", 32}, {"occupancy", 1}, {"spill_store_bytes", 0}}};
    comparison.variants[1].resources = {{{"registers", 255}, {"occupancy", 0.25}, {"spill_store_bytes", 64}}};
    comparison.variants[1].counters = {counters(1e9, 0.5, 0.5)};
    const std::string text = comparison_section(std::vector{comparison}, Phrases(Tongue::english));
    EXPECT_THAT(text,
                HasSubstr("The counters were not read for both; of the first against the second, the builds tell: "
                          "Registers per thread 32 against 255, Occupancy 100.0 % against 25.0 %."));
    EXPECT_THAT(text, HasSubstr("`cuda` leaves room for more warps"));
    EXPECT_THAT(text, HasSubstr("`triton` spills registers (64"));
    EXPECT_THAT(comparison_section(std::vector{comparison}, Phrases(Tongue::chinese)),
                HasSubstr("每线程寄存器数 32 与 255，占用率"));
}

}  // namespace
}  // namespace kernelgen
