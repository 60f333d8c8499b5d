// SPDX-License-Identifier: Apache-2.0
#include "core/said/said.h"

#include <gmock/gmock.h>

#include <format>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/sentences.h"
#include "core/base/verdict_sentences.h"

namespace kernelgen {
namespace {

using nlohmann::json;
using testing::ElementsAre;

const json of_memory = {{"id", "out_of_memory"}, {"arguments", json::array()}};

TEST(Said, NamesASentenceByItsIdAndItsArguments) {
    EXPECT_EQ(said_by(say(sentences::timed_out, "5.00 s")), json({{"id", "timed_out"}, {"arguments", {"5.00 s"}}}));
    EXPECT_EQ(said_by(say(sentences::spread, "host", 7.54, 40, 2)),
              json({{"id", "spread"}, {"arguments", {"host", "7.5", "40", "2"}}}));
    EXPECT_EQ(said_by("out of memory"), json({{"id", "out_of_memory"}, {"arguments", json::array()}}));
}

TEST(Said, IsWordedByAFormatThatLeavesArgumentsOut) {
    std::vector<std::string_view> formats(english_formats().begin(), english_formats().end());
    formats[place_of_sentence("not_installed_for").value()] = "`{1}` lacks {0}";
    const Said sentence =
        say("{} is not installed for `{}`: `{}`, or name an interpreter that has it in KERNELGEN_PYTHON", "PyTorch",
            "python3", "python3 -m pip install torch");
    EXPECT_EQ(worded(said_by(sentence), formats), "`python3` lacks PyTorch");
    EXPECT_FALSE(place_of_sentence("no_such_sentence"));
}

TEST(Said, KeepsTheSentencesWithinASentence) {
    const Said reason = say(sentences::of_case, "out of memory", say(sentences::while_timing, Said("out of memory")));
    EXPECT_EQ(reason.text(), "case `out of memory`: while timing: out of memory");
    EXPECT_EQ(said_by(reason),
              json({{"id", "of_case"},
                    {"arguments", {"out of memory", {{"id", "while_timing"}, {"arguments", {of_memory}}}}}}));
}

/// No text is looked at: a sentence's own words may stand in its arguments.
TEST(Said, GoesByTheFormatNotByTheText) {
    const Said reason = say(sentences::while_timing, say(sentences::with_inputs, "a (inputs `b`, seed 2)", "nan", 1));
    EXPECT_EQ(said_by(reason)["arguments"][0]["arguments"][2], "1");
    EXPECT_EQ(said_by(reason)["arguments"][0]["arguments"][1], "nan");
}

TEST(Said, IsAListWhereSeveralFollowEachOther) {
    const Said memory = "out of memory";
    EXPECT_EQ(said_by("64x64 f32: " + memory), json({"64x64 f32: ", of_memory}));
    EXPECT_EQ(said_by(memory + ("; " + memory)), json({of_memory, "; ", of_memory}));
    EXPECT_EQ(said_by(say("no table has {} of {}", "one", memory)), json({"no table has one of ", of_memory}));
    EXPECT_EQ(said_by(join(std::vector<Said>{memory, "cancelled"}, ", "))[2]["id"], "cancelled");
}

TEST(Said, IsTheTextWhereThereIsNoSentence) {
    EXPECT_EQ(said_by("'y' was not declared"), json("'y' was not declared"));
    EXPECT_EQ(said_by(""), json(""));
    EXPECT_TRUE(said_by(say(sentences::while_timing, std::string(5000, ':'))).is_string());
}

TEST(Said, IsReadAsItWasWritten) {
    const Said reason = "big: " + say(sentences::of_case, "x", say(sentences::timed_out, "5 s"));
    json record;
    put_said(record, "reason", reason);
    const Said read = own_words(record, "reason");
    EXPECT_EQ(read, reason);
    EXPECT_EQ(said_by(read), said_by(reason));
}

TEST(Said, HasAnIdOfItsOwnForEachSentence) {
    const std::vector<std::string> ids = {
#define SENTENCE(name, chinese) #name,
#include "core/said/sentences.def"
#undef SENTENCE
#define SAID(id, english, chinese) #id,
#include "core/said/said_in_place.def"
#undef SAID
    };
    EXPECT_EQ(std::set(ids.begin(), ids.end()).size(), ids.size());
}

TEST(Said, IsWordedByItsIdWhateverItsEnglishWas) {
    const json record = {{"reason", "nothing came back in 5.00 s"},
                         {"reason_said", {{"id", "timed_out"}, {"arguments", {"5.00 s"}}}}};
    EXPECT_EQ(own_words(record, "reason", std::string(record["reason"])), say(sentences::timed_out, "5.00 s"));
}

TEST(Said, ThatCannotBeReadLeavesTheText) {
    json deep = "text";
    for (int depth = 0; depth < 100; ++depth) deep = {{"id", "while_timing"}, {"arguments", {deep}}};
    const json bad[] = {nullptr,
                        7,
                        deep,
                        {{"id", "never_said"}, {"arguments", json::array()}},
                        {{"id", 7}, {"arguments", json::array()}},
                        {{"id", "out_of_memory"}},
                        {{"arguments", json::array()}},
                        {{"id", "timed_out"}, {"arguments", json::array()}},
                        {{"id", "timed_out"}, {"arguments", {"1", "2"}}},
                        {{"id", "timed_out"}, {"arguments", {5}}},
                        {{"id", "timed_out"}, {"arguments", {{"0", "5 s"}}}},
                        {{"id", "timed_out"}, {"arguments", "5 s"}},
                        json::array({"case: ", 5}),
                        json::array({json::array({"case"})})};
    for (const json& said : bad) {
        EXPECT_EQ(own_words({{"reason_said", said}}, "reason", std::string("as it was")), "as it was") << said;
        EXPECT_THAT(all_own_words({{"warnings", {"as it was"}}, {"warnings_said", {said}}}, "warnings"),
                    ElementsAre("as it was"));
        EXPECT_THAT(all_own_words({{"warnings", {"one", "two", "three"}}, {"warnings_said", said}}, "warnings"),
                    ElementsAre("one", "two", "three"));
    }
    EXPECT_EQ(own_words({7}, "reason", std::string("as it was")), "as it was");
}

TEST(Said, StandsBesideATextOrAListThatHasASentence) {
    json record;
    put_said(record, "reason", "out of memory");
    put_said(record, "note", "mine");
    put_said(record, "warnings", {"mine", "cancelled"});
    put_said(record, "none", std::vector<Said>{"a"});
    EXPECT_EQ(record, json({{"reason", "out of memory"},
                            {"reason_said", of_memory},
                            {"note", "mine"},
                            {"warnings", {"mine", "cancelled"}},
                            {"warnings_said", {nullptr, {{"id", "cancelled"}, {"arguments", json::array()}}}},
                            {"none", json::array({"a"})}}));
}

}  // namespace
}  // namespace kernelgen
