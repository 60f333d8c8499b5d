// SPDX-License-Identifier: Apache-2.0
#include "core/said/told.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "core/base/sentences.h"
#include "core/base/verdict_sentences.h"
#include "core/said/said.h"

namespace kernelgen {
namespace {

using nlohmann::json;
using testing::ElementsAre;

const json no_memory = {{"format", "out of memory"}, {"arguments", json::array()}};
const json timing = {{"format", "while timing: {}"}, {"arguments", {"out of memory (inputs `nan`, seed 1)"}}};

Said told_reason(const std::string& text, const json& form) { return told({{"reason_said", form}}, "reason", text); }

TEST(Told, IsMadeOfAFormatAndItsArguments) {
    const Said made = told_reason("while timing: out of memory (inputs `nan`, seed 1)", timing);
    EXPECT_EQ(made.format(), sentences::while_timing);
    EXPECT_THAT(made.arguments(), ElementsAre("out of memory (inputs `nan`, seed 1)"));
}

TEST(Told, FindsAFormatWhateverItsPlacesAskFor) {
    const Said made = told_reason("while timing: 5", {{"format", "while timing: {:.3g}"}, {"arguments", {"5"}}});
    EXPECT_EQ(made.format(), sentences::while_timing);
}

TEST(Told, KeepsSentencesThatFollowEachOtherOrStandWithinOneAnother) {
    const Said made =
        told_reason("a.py: while timing: while timing: x",
                    json::array({"a.py: ",
                                 {{"format", "while timing: {}"},
                                  {"arguments", {{{"format", "while timing: {}"}, {"arguments", {"x"}}}}}}}));
    ASSERT_EQ(made.parts().size(), 2);
    EXPECT_EQ(made.parts()[1].arguments()[0].format(), sentences::while_timing);
}

TEST(Told, TakesWhatCppSays) {
    const Said reason = "big: " + say(sentences::of_case, "x", say(sentences::timed_out, "5 s"));
    json record;
    put_said(record, "reason", reason);
    EXPECT_EQ(said_by(told(record, "reason")), said_by(reason));
    EXPECT_FALSE(told(record, "reason").parts().empty());
}

/// Each is what a process wrote that is not trusted.
TEST(Told, IsTheTextWhereWhatItWasMadeOfCannotBe) {
    json deep = "text", list = json::array();
    for (int depth = 0; depth < 1'000; ++depth) {
        deep = {{"format", "while timing: {}"}, {"arguments", json::array({std::move(deep)})}};
        list = json::array({std::move(list)});
    }
    const json hostile[] = {nullptr,
                            7,
                            deep,
                            list,
                            json::array({"as it", 5}),
                            json::array({json::array({"as it was"})}),
                            json::object(),
                            "another text",
                            no_memory,
                            timing,
                            {{"format", "as it was"}, {"arguments", json::array()}},
                            {{"format", "{"}, {"arguments", json::array()}},
                            {{"format", "}{"}, {"arguments", {"x"}}},
                            {{"format", "while timing: {"}, {"arguments", {"x"}}},
                            {{"format", "while timing: {}"}, {"arguments", json::array()}},
                            {{"format", "while timing: {}"}, {"arguments", {"1", "2"}}},
                            {{"format", "while timing: {}"}, {"arguments", {5}}},
                            {{"format", "while timing: {}"}, {"arguments", "x"}},
                            {{"format", "while timing: {}"}},
                            {{"format", 7}, {"arguments", {"x"}}},
                            {{"id", "no_such_sentence"}, {"arguments", json::array()}}};
    for (const json& form : hostile) {
        const Said made = told_reason("as it was", form);
        EXPECT_EQ(made, "as it was");
        EXPECT_TRUE(made.format().empty() && made.parts().empty());
        EXPECT_THAT(all_told({{"notes", {"as it was"}}, {"notes_said", {form}}}, "notes"), ElementsAre("as it was"));
        EXPECT_THAT(all_told({{"notes", {"one", "two", "three"}}, {"notes_said", form}}, "notes"),
                    ElementsAre("one", "two", "three"));
    }
    EXPECT_EQ(told({7}, "reason", "as it was"), "as it was");
    EXPECT_EQ(told({{"reason", "as it was"}}, "reason"), "as it was");
}

}  // namespace
}  // namespace kernelgen
