// SPDX-License-Identifier: Apache-2.0
// The kernels of tests/planted_causes, each slow for one known reason, as recorded by tests/bench/planted_causes.py.
#include <gmock/gmock.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/base/file.h"
#include "core/diagnose/diagnose.h"
#include "core/project/launch_plan.h"

namespace kernelgen {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const fs::path planted_folder = fs::path(KERNELGEN_SOURCE_DIR) / "tests" / "planted_causes";

std::optional<RoundDetail> recorded(const std::string& name) {
    const Result<std::string> text = read_file(planted_folder / "recorded" / (name + ".json"));
    if (!text) return std::nullopt;
    Result<RoundDetail> detail = round_detail_from_json(json::parse(*text));
    if (!detail) throw std::runtime_error(name + ": " + detail.error().message);
    return std::move(*detail);
}

std::vector<json> planted() {
    const json all = json::parse(read_file(planted_folder / "planted.json").value());
    return all.at("planted").get<std::vector<json>>();
}

TEST(PlantedCauses, AreNamedByTheFirstFinding) {
    const RuleBook book = load_rules().value();
    int right = 0, total = 0;
    std::string wrong;
    for (const json& each : planted()) {
        const auto detail = recorded(each["name"]);
        if (!detail) continue;
        const std::vector<Diagnosis> diagnoses = diagnose(*detail, book.rules);
        ASSERT_EQ(diagnoses.size(), 1u) << each["name"];
        ASSERT_FALSE(diagnoses[0].findings.empty()) << each["name"];
        const Finding& first = diagnoses[0].findings[0];
        EXPECT_EQ(first.kind, FindingKind::cause) << each["name"];
        const bool named = std::ranges::contains(each["expected"].get<std::vector<std::string>>(), first.rule);
        if (!named) wrong += each["name"].get<std::string>() + ": " + first.rule + "\n";
        right += named ? 1 : 0;
        ++total;
    }
    EXPECT_GE(total, 20);
    EXPECT_GE(6 * right, 5 * total) << wrong;
}

/// The round of a CUDA kernel as an H200 would record it, but for its times: a third of the roofline is assumed.
RoundDetail assumed_round(const json& each, const std::map<std::string, double>& resources) {
    RoundDetail detail;
    Operator& definition = detail.definition;
    definition.name = each["name"];
    definition.symbols = {"P", "D"};
    definition.inputs = {{"x", {"P", "D"}, {}}};
    definition.outputs = {{"out", {"P", "D"}, {}}};
    definition.body = each["body"];
    Variant& variant = detail.candidate.variant;
    variant.language = Language::cuda;
    variant.source = each["source"];
    variant.entry = "slow";
    Launch launch;
    for (const json& axis : each["launch"]["grid"]) launch.grid.push_back(axis);
    for (const json& axis : each["launch"]["block"]) launch.block.push_back(std::to_string(axis.get<int>()));
    launch.args = {"x", "out", "P", "D"};
    variant.launches = {launch};
    detail.candidate.text = read_file(planted_folder / variant.source).value();
    detail.environment.multiprocessors = 132;
    detail.environment.caches = "L2 60 MiB";
    Case binding{each["case"], DType::f32, {}};
    std::sscanf(binding.name.c_str(), "P=%ld,D=%ld", &binding.sizes["P"], &binding.sizes["D"]);
    RoundCase timed{.binding = binding};
    timed.seconds = 1e-3;
    timed.speedup = 1;
    timed.roofline = {.bandwidth_gbps = 1500,
                      .bandwidth_ceiling_gbps = 4500,
                      .attainable_gbps = 4500,
                      .fraction = 1.0 / 3,
                      .has_ceilings = true};
    detail.round = {.device = "cuda:0", .cases = {timed}};
    detail.verification.builds[DType::f32].resources = resources;
    BenchResult& timing = detail.timings.emplace_back();
    timing.binding = binding;
    const double at_once = 132 * resources.at("blocks_per_multiprocessor");
    const auto plan = plan_launches(definition, detail.candidate, binding).value();
    const auto programs = static_cast<double>(plan.launches[0].grid[0] * plan.launches[0].grid[1]);
    timing.tail_waste = 1 - programs / at_once / std::ceil(programs / at_once);
    return detail;
}

/// Without a GPU: source, launch, and what NVRTC and ptxas told of the builds for an H200.
TEST(PlantedCausesOfAGpu, AreNamedByBuildSourceAndLaunchAlone) {
    const RuleBook book = load_rules().value();
    const json builds = json::parse(read_file(planted_folder / "builds.json").value());
    std::vector<std::string> wrong;
    for (const json& each : planted()) {
        if (each["device"] != "cuda" || each["name"] == "launch_bound_gpu") continue;  // which only times can tell
        const RoundDetail detail = assumed_round(each, builds.at(each["name"].get<std::string>()));
        const Diagnosis found = diagnose(detail, book.rules).at(0);
        EXPECT_EQ(found.evidence.values.at("tail_waste").source, EvidenceSource::launch);  // it is not timed
        const auto expected = each["expected"].get<std::vector<std::string>>();
        if (found.findings.empty() || !std::ranges::contains(expected, found.findings[0].rule))
            wrong.push_back(each["name"].get<std::string>() + ": " + to_json(found)["findings"].dump());
    }
    EXPECT_THAT(wrong, testing::IsEmpty());
}

}  // namespace
}  // namespace kernelgen
