// SPDX-License-Identifier: Apache-2.0
// `dispatch` in project.json: what the commands do with a case that a rule sends to another variant.
#include <gmock/gmock.h>

#include "tests/cli/program.h"

namespace kernelgen {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using ::testing::HasSubstr;

constexpr const char* remark = "the dispatch rule `D > 1000` sends case `wide` to `naive`";

class Dispatch : public testing::ProgramTest {
protected:
    void SetUp() override {
        ProgramTest::SetUp();
        project = small_project();
        change(project, [](ordered_json& document) {
            document["cases"] = {{{"name", "narrow"}, {"dtype", "f32"}, {"P", 64}, {"D", 300}},
                                 {{"name", "wide"}, {"dtype", "f32"}, {"P", 64}, {"D", 3000}}};
            document["performance"]["budget_seconds"] = 0.2;
            document["dispatch"] = {{{"when", "D > 1000"}, {"variant", "naive"}}};
        });
    }

    /// What a command says of each variant that it used.
    json of_variants(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin() + 1, "small");
        arguments.push_back("--json");
        const testing::Ran ran = kernelgen(arguments);
        EXPECT_EQ(ran.exit.status, 0) << ran.errors;
        return ran.json();
    }

    std::filesystem::path project;
};

TEST_F(Dispatch, GivesARunARoundForEachVariant) {
    const json rounds = of_variants({"run"})["variants"];
    ASSERT_EQ(rounds.size(), 2u);
    EXPECT_EQ(rounds[0]["variant"], "host");
    EXPECT_EQ(rounds[0]["cases"].size(), 1u);
    EXPECT_EQ(rounds[0]["cases"][0]["case"]["name"], "narrow");
    EXPECT_EQ(rounds[1]["variant"], "naive");
    EXPECT_EQ(rounds[1]["cases"][0]["case"]["name"], "wide");
    EXPECT_EQ(rounds[1]["verification"]["warnings"][0], remark);
    EXPECT_EQ(rounds[1]["verification"]["warnings_said"][0]["id"], "dispatched");
    EXPECT_EQ(kernelgen({"rounds", "small", "--json"}).json()["rounds"].size(), 2u);
    kernelgen({"export", "small"});
    EXPECT_THAT(
        read_file(project / "optimization_log.md").value(),
        AllOf(HasSubstr("runs in the variant of the first rule that holds: `D > 1000: naive`"), HasSubstr(remark)));
}

TEST_F(Dispatch, GivesWayToAVariantOrAConfigurationThatIsNamed) {
    const json named = of_variants({"verify", "--variant", "host"});
    EXPECT_EQ(named["variant"], "host");
    EXPECT_EQ(of_variants({"verify", "--set", "UNROLL=1"})["variant"], "host");
    EXPECT_EQ(of_variants({"verify", "--case", "wide"})["variant"], "naive");
}

TEST_F(Dispatch, IsSaidByVerifyBuildCompareAndInfo) {
    const json verified = of_variants({"verify"})["variants"];
    EXPECT_EQ(verified[1]["warnings"][0], remark);
    const json built = of_variants({"build"})["variants"];
    EXPECT_EQ(built[0]["variant"], "host");
    EXPECT_EQ(built[1]["remarks"][0], remark);
    const json compared = of_variants({"compare", "--variant", "host", "--variant", "naive"});
    EXPECT_EQ(compared["dispatch"], json::parse(R"([{"case": "wide", "variant": "naive", "when": "D > 1000"}])"));
    const json cases = of_variants({"info"})["cases"];
    EXPECT_EQ(cases[0]["dispatch"], json::object());
    EXPECT_EQ(cases[1]["dispatch"]["cpu"]["variant"], "naive");
    EXPECT_THAT(kernelgen({"info", "small"}).output, HasSubstr("wide on cpu: variant naive by dispatch"));
}

}  // namespace
}  // namespace kernelgen
