// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/rule.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "core/base/file.h"
#include "core/diagnose/goals.h"

namespace kernelgen {
namespace {

using testing::HasSubstr;

constexpr const char* good = R"json({"schema": "kernelgen.diagnosis/1", "goals": {"bandwidth_use": 0.7}, "rules": [
  {"id": "own", "devices": ["cpu"], "when": ["tail_waste > 0.2"], "gain": ["1 / (1 - tail_waste)"],
   "confidence": "measured", "strategies": ["smaller_tile"], "source": "a measurement",
   "title": {"en": "Own", "zh": "自有"}, "why": {"en": "{tail_waste}", "zh": "{tail_waste}"},
   "confirm": {"en": "c", "zh": "c"}
}]
})json";

std::string changed(std::string from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    return text;
}

std::string problem_of(const std::string& text) {
    const Validated<RuleBook> read = parse_rules(text, "own.json");
    return read ? "" : to_string(read.error());
}

TEST(RuleFile, IsReadWhole) {
    const RuleBook book = parse_rules(good, "own.json").value();
    ASSERT_EQ(book.rules.size(), 1u);
    EXPECT_EQ(book.rules[0].confidence, Confidence::measured);
    EXPECT_EQ(book.rules[0].kind, FindingKind::cause);
    EXPECT_EQ(book.goals.at("bandwidth_use"), 0.7);
}

TEST(RuleFile, IsRefusedWithNamePathAndTheNearestKnownKey) {
    EXPECT_EQ(problem_of(changed("\"when\"", "\"wehn\"")),
              "own.json: rules[0]: the key `when` is missing\n"
              "own.json: rules[0].wehn: unknown key `wehn`; did you mean `when`?\n");
    EXPECT_THAT(problem_of(changed("tail_waste > 0.2", "tail_wast > 0.2")),
                HasSubstr("own.json: rules[0].when[0]: unknown metric `tail_wast`; did you mean `tail_waste`?"));
    EXPECT_THAT(problem_of(changed("\"{tail_waste}\"", "\"{waste}\"")),
                HasSubstr("rules[0].why: unknown metric `waste`"));
    EXPECT_THAT(problem_of(changed("measured\"", "certain\"")), HasSubstr("unknown confidence `certain`"));
    EXPECT_THAT(problem_of(changed("[\"cpu\"]", "[\"gpu\"]")), HasSubstr("unknown kind of device `gpu`"));
    EXPECT_THAT(problem_of(changed("diagnosis/1", "diagnosis/2")), HasSubstr("is not known"));
    EXPECT_THAT(problem_of(changed("bandwidth_use", "bandwith_use")), HasSubstr("did you mean `bandwidth_use`?"));
    EXPECT_THAT(problem_of(changed("0.2\"", "0.2 +\"")), HasSubstr("rules[0].when[0]"));
}

TEST(InstalledRules, AreValidAndSayEverythingInBothLanguages) {
    const Validated<RuleBook> book = load_rules();
    ASSERT_TRUE(book) << to_string(book.error());
    EXPECT_GE(book->rules.size(), 25u);
    for (const Rule& rule : book->rules) {
        for (const RuleText* text : {&rule.title, &rule.why, &rule.confirm}) {
            EXPECT_FALSE(text->en.empty()) << rule.id;
            EXPECT_FALSE(text->zh.empty()) << rule.id;
            EXPECT_NE(text->en, text->zh) << rule.id;
        }
        EXPECT_FALSE(rule.source.empty()) << rule.id;
        if (rule.kind == FindingKind::cause) {
            EXPECT_FALSE(rule.strategies.empty()) << rule.id;
        }
    }
    EXPECT_EQ(book->goals.at("cache_hit_rate"), 0.8);
}

class OwnRules : public testing::Test {
protected:
    void SetUp() override {
        folder = std::filesystem::temp_directory_path() / ("kernelgen_own_rules_" + std::to_string(::getpid()));
        std::filesystem::create_directories(folder / "kernelgen" / "diagnosis");
        ::setenv("XDG_DATA_HOME", folder.c_str(), 1);
    }
    void TearDown() override {
        ::unsetenv("XDG_DATA_HOME");
        std::filesystem::remove_all(folder);
    }
    void write(const std::string& text) {
        ASSERT_TRUE(write_file_atomic(folder / "kernelgen" / "diagnosis" / "own.json", text));
    }
    std::filesystem::path folder;
};

TEST_F(OwnRules, StandBesideTheInstalledOnesAndReplaceThoseOfTheirId) {
    write(changed("\"own\"", "\"tail_wave\""));
    const RuleBook book = load_rules().value();
    EXPECT_EQ(find_rule(book.rules, "tail_wave")->title.en, "Own");
    EXPECT_NE(find_rule(book.rules, "spills"), nullptr);
    EXPECT_EQ(book.goals.at("bandwidth_use"), 0.7);
}

TEST_F(OwnRules, SavedGoalsReplaceTheInstalledOnesAndThoseSavedBefore) {
    ASSERT_TRUE(save_goals({{"bandwidth_use", 0.9}, {"cache_hit_rate", 0.5}}));
    ASSERT_TRUE(save_goals({{"bandwidth_use", 0.75}}));
    const RuleBook book = load_rules().value();
    EXPECT_EQ(book.goals.at("bandwidth_use"), 0.75);
    EXPECT_EQ(book.goals.at("cache_hit_rate"), 0.8);
    EXPECT_NE(find_rule(book.rules, "spills"), nullptr);
}

TEST_F(OwnRules, OfTwoFilesWithTheSameIdAreToldOnceAndWhereTheyStand) {
    write(good);
    ASSERT_TRUE(write_file_atomic(folder / "kernelgen/diagnosis/zz_second.json", good));
    ASSERT_TRUE(write_file_atomic(folder / "kernelgen/diagnosis/zz_third.json", changed("\"own\"", "\"other\"")));
    const std::string problem = to_string(load_rules().error());
    EXPECT_THAT(problem, HasSubstr("zz_second.json: rules[0].id: the id `own` is given twice"));
    EXPECT_EQ(problem.find("given twice"), problem.rfind("given twice"));
}

TEST_F(OwnRules, MayOnlyNameRulesThatExist) {
    write(changed("\"confidence\"", "\"unless\": [\"tail_wav\"], \"confidence\""));
    EXPECT_THAT(to_string(load_rules().error()), HasSubstr("there is no rule `tail_wav`; did you mean `tail_wave`?"));
}

}  // namespace
}  // namespace kernelgen
