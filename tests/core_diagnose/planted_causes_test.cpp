// SPDX-License-Identifier: Apache-2.0
// The kernels of tests/planted_causes, each slow for one known reason, as recorded by tests/bench/planted_causes.py.
#include <gmock/gmock.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/base/file.h"
#include "core/diagnose/diagnose.h"

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
    for (const json& each : planted()) {
        const auto detail = recorded(each["name"]);
        if (!detail) continue;
        const std::vector<Diagnosis> diagnoses = diagnose(*detail, book.rules);
        ASSERT_EQ(diagnoses.size(), 1u) << each["name"];
        ASSERT_FALSE(diagnoses[0].findings.empty()) << each["name"];
        const Finding& first = diagnoses[0].findings[0];
        EXPECT_EQ(first.kind, FindingKind::cause) << each["name"];
        const bool named = std::ranges::contains(each["expected"].get<std::vector<std::string>>(), first.rule);
        EXPECT_TRUE(named) << each["name"] << ": " << first.rule;
        right += named ? 1 : 0;
        ++total;
    }
    EXPECT_GE(total, 12);
    EXPECT_EQ(right, total);
}

}  // namespace
}  // namespace kernelgen
