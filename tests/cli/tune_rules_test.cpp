// SPDX-License-Identifier: Apache-2.0
// Rules by case: what several cases give, and what `keep` adopts.
#include <gmock/gmock.h>

#include "core/project/project_file.h"
#include "core/project/source_files.h"
#include "core/tune/tuning_file.h"
#include "tests/cli/tuned_modes.h"

namespace kernelgen {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using testing::Tune;

TEST_F(Tune, LeavesTheConfigurationOfOtherCasesToAPerson) {
    const std::filesystem::path project = project_with({0, 4}, 0);
    const json rule = {{"when", "D < 100"}, {"values", {{"MODE", 4}}}};
    change(project, [&](ordered_json& document) {
        document["cases"].push_back({{"name", "other"}, {"dtype", "f32"}, {"P", 16}, {"D", 70}});
        document["variants"].back()["configurations"] = {rule};
    });
    const testing::Ran ran = tune({"--budget", "20s", "--case", "timed"});
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    const json tuning = ran.json()["tunings"][0];
    if (tuning["outcome"]["outcome"] == "winner") {
        EXPECT_THAT(tuning["not_adopted"].get<std::string>(), HasSubstr("for other cases"));
    }
    auto document = json::parse(read_file(project / "project.json").value());
    EXPECT_EQ(document["variants"].back()["tunables"][0]["value"], 0);

    ASSERT_EQ(kernelgen({"keep", "small", "0"}).exit.status, 0) << "its rule stays";
    document = json::parse(read_file(project / "project.json").value());
    EXPECT_EQ(document["variants"].back()["tunables"][0]["value"], tuning["outcome"]["configuration"]["MODE"]);
    EXPECT_EQ(document["variants"].back()["configurations"], json::array({rule}));
}

/// `MODE` 0 is fast on short rows alone, 1 on long ones.
constexpr const char* two_modes = R"(#include <stdint.h>
extern "C" void small(const DTYPE* x, const DTYPE* bias, DTYPE* out, int64_t P, int64_t D, int64_t row, int64_t, int64_t) {
    (void)P;
    const int64_t times = (MODE == 0) == (D < 5000) ? 1 : 8;
    for (int64_t i = 0; i < times; ++i)
        for (int64_t d = 0; d < D; ++d) ((volatile DTYPE*)out)[row * D + d] = x[row * D + d] + bias[d];
}
)";

TEST_F(Tune, ProposesRulesForSeveralCasesAndKeepAdoptsThem) {
    const std::filesystem::path project = project_with({0, 1}, 0);
    ASSERT_TRUE(write_file_atomic(project / "modes.cpp", two_modes));
    change(project, [](ordered_json& document) {
        document["cases"] = {{{"name", "short"}, {"dtype", "f32"}, {"P", 128}, {"D", 3000}},
                             {{"name", "long"}, {"dtype", "f32"}, {"P", 64}, {"D", 9000}}};
    });
    const testing::Ran ran = tune({"--strategy", "exhaustive", "--budget", "4m"});  // ends when all is tried
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    const json proposal = ran.json()["proposal"];
    ASSERT_EQ(proposal["rules"].size(), 2u) << ran.output << ran.errors;
    EXPECT_EQ(proposal["rules"][0]["when"], "D > 4096");
    EXPECT_EQ(proposal["rules"][0]["configuration"]["MODE"], 1);
    EXPECT_GT(proposal["rules"][0]["cases"][0]["over_otherwise"], 1.5);
    EXPECT_EQ(proposal["rules"][1]["configuration"]["MODE"], 0);
    const testing::Ran kept = kernelgen({"keep", "small", "--tuning", "2"});
    EXPECT_EQ(kept.exit.status, 0) << kept.errors;
    EXPECT_THAT(kept.output, AllOf(HasSubstr("when D > 4096: MODE=1"), HasSubstr("verified: ")));
    const auto document = json::parse(read_file(project / "project.json").value());
    EXPECT_EQ(document["variants"].back()["configurations"],
              json::parse(R"([{"when": "D > 4096", "values": {"MODE": 1}}])"));
    EXPECT_EQ(kernelgen({"keep", "small"}).exit.status, 1);
    EXPECT_EQ(kernelgen({"keep", "small", "0", "--tuning", "1"}).exit.status, 1);
}

/// Adopts rules of tunings whose records are given.
class KeptRules : public Tune {
protected:
    void SetUp() override {
        Tune::SetUp();
        project_ = project_with({0, 4, 6}, 0);
        change(project_, [](ordered_json& document) {
            document["cases"] = {{{"name", "short"}, {"dtype", "f32"}, {"P", 16}, {"D", 3000}},
                                 {{"name", "long"}, {"dtype", "f32"}, {"P", 8}, {"D", 9000}}};
        });
    }

    static Tried took(std::int64_t mode, double seconds) {
        Tried tried{.configuration = {{"MODE", mode}}};
        tried.objective = tried.seconds = seconds;
        return tried;
    }

    /// Records that 4 is the best mode on the short case, and `on_long` on the long one.
    void record(std::int64_t on_long) {
        const Project project = load_project(project_).value();
        const Variant& variant = *project.find_variant("modes");
        TuningFile file = TuningFile::open(project_).value();
        TuningHead head;
        head.time = "2026-11-23T02:00:00Z";
        head.variant = "modes";
        head.device = "cpu";
        head.cases = project.cases;
        head.parameters = variant.tunables;
        head.incumbent = configuration_of(variant);
        head.strategy = "random";
        head.objective = "time";
        head.source_hash = hash_of_sources(read_implementation(project, variant).value());
        for (const Case& each : project.cases) {
            const bool is_long = each.name == "long";
            head.binding = each;
            ASSERT_TRUE(file.begin(head));
            ASSERT_TRUE(file.append(TuningOutcome{.kind = TuningOutcome::Kind::winner,
                                                  .configuration = {{"MODE", is_long ? on_long : 4}}}));
            ASSERT_TRUE(file.append(took(4, is_long ? 2 : 1), TriedLine::across));
            ASSERT_TRUE(file.append(took(on_long, is_long ? 1 : 2), TriedLine::across));
        }
    }

    json rules_on_disk() {
        return json::parse(read_file(project_ / "project.json").value())["variants"].back().value("configurations",
                                                                                                  json());
    }

    std::filesystem::path project_;
};

TEST_F(KeptRules, AreRefusedWhereACheckFailsOnSizesThatTheyCover) {
    record(6);  // wrong where D is odd
    const testing::Ran kept = kernelgen({"keep", "small", "--tuning", "1", "--json"});
    EXPECT_EQ(kept.exit.status, 3) << kept.errors;
    EXPECT_EQ(kept.json()["kept"], false);
    EXPECT_THAT(kept.json()["verification"]["status"], AnyOf("mismatch", "unwritten"));
    EXPECT_EQ(rules_on_disk(), json());
}

TEST_F(KeptRules, AreAdoptedWhereEveryCheckPasses) {
    record(0);
    const testing::Ran kept = kernelgen({"keep", "small", "--tuning", "1", "--json"});
    EXPECT_EQ(kept.exit.status, 0) << kept.errors;
    EXPECT_EQ(kept.json()["kept"], true);
    EXPECT_EQ(kept.json()["verification"]["status"], "ok");
    EXPECT_EQ(rules_on_disk(), json::parse(R"([{"when": "D > 4096", "values": {"MODE": 0}}])"));
}

}  // namespace
}  // namespace kernelgen
