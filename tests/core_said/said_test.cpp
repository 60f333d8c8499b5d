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

std::optional<std::string> in_english(const json& said) { return worded(said, english_formats()); }

/// A format with a word at each of its places.
std::string filled(std::string_view format) {
    std::string text;
    for (std::size_t open = format.find('{'); open != std::string_view::npos; open = format.find('{')) {
        text.append(format.substr(0, open)).append("word");
        format.remove_prefix(format.find('}', open) + 1);
    }
    return text.append(format);
}

TEST(Said, NamesASentenceByItsIdAndItsArguments) {
    EXPECT_EQ(said_by(std::format(sentences::timed_out, "5.00 s")),
              json({{"id", "timed_out"}, {"arguments", {"5.00 s"}}}));
    EXPECT_EQ(said_by("out of memory"), json({{"id", "out_of_memory"}, {"arguments", json::array()}}));
}

TEST(Said, IsWordedByAFormatThatLeavesArgumentsOut) {
    std::vector<std::string_view> formats(english_formats().begin(), english_formats().end());
    formats[place_of_sentence("not_installed_for").value()] = "`{1}` lacks {0}";
    const std::string sentence =
        "PyTorch is not installed for `python3`: `python3 -m pip install torch`, or name an interpreter that has it in "
        "KERNELGEN_PYTHON";
    EXPECT_EQ(worded(said_by(sentence), formats), "`python3` lacks PyTorch");
    EXPECT_FALSE(place_of_sentence("no_such_sentence"));
}

TEST(Said, NamesSentencesWithinOneAnother) {
    const json said = said_by("case `timed_out`: while timing: out of memory (inputs `nan`, seed 1)");
    const json memory = {{"id", "out_of_memory"}, {"arguments", json::array()}};
    const json timing = {{"id", "while_timing"}, {"arguments", {memory}}};
    const json of_case = {{"id", "of_case"}, {"arguments", {"timed_out", timing}}};
    EXPECT_EQ(said, json({{"id", "with_inputs"}, {"arguments", {of_case, "nan", "1"}}}));
}

/// A case may have any name: in backquotes it is taken as it stands.
TEST(Said, TakesTheNameOfACaseAsItStands) {
    const std::string unwritten = std::format(sentences::unwritten, 3, "out", 7);
    const json said = {{"id", "unwritten"}, {"arguments", {"3", "out", "7"}}};
    for (const char* name : {"batch 1 of 2", "big: 2 of 3", "4096x4096 f32", "out of memory", "timed out"}) {
        const json of_case = {{"id", "of_case"}, {"arguments", {name, said}}};
        EXPECT_EQ(said_by(std::format(sentences::of_case, name, unwritten)), of_case);
    }
}

TEST(Said, IsAListWhereASentenceFollowsAPlace) {
    const json memory = {{"id", "out_of_memory"}, {"arguments", json::array()}};
    EXPECT_EQ(said_by("64x64 f32: out of memory"), json({"64x64 f32: ", memory}));
    EXPECT_EQ(said_by("copying to the device: out of memory"),
              json({{{"id", "copying_to_device"}, {"arguments", json::array()}}, ": ", memory}));
}

TEST(Said, KeepsTheCaseOutOfASentenceThatBeginsWithAnArgument) {
    const json unwritten = {{"id", "unwritten"}, {"arguments", {"3", "out", "7"}}};
    EXPECT_EQ(said_by("big: 64x64 f32: " + std::format(sentences::unwritten, 3, "out", 7)),
              json({"big: 64x64 f32: ", unwritten}));
}

TEST(Said, IsTheTextWhereThereIsNoSentence) {
    const std::string compiler = "bias_add.cpp:3:7: 'y' was not declared in this scope: did you mean 'x'?";
    EXPECT_EQ(said_by(compiler), json(compiler));
    EXPECT_EQ(said_by(""), json(""));
    EXPECT_TRUE(said_by("no ceilings: " + std::string(5000, ':')).is_string());
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

TEST(Said, GivesEveryTextAgain) {
    std::string within = "word";
    for (const std::string_view format : english_formats()) {
        EXPECT_FALSE(said_by(filled(format)).is_string()) << format;
        EXPECT_EQ(in_english(said_by(filled(format))), filled(format));
        EXPECT_EQ(in_english(said_by("two words: " + filled(format) + ": more")),
                  "two words: " + filled(format) + ": more");
    }
    for (int depth = 0; depth < 100; ++depth) within = std::format(sentences::while_timing, within);
    EXPECT_EQ(in_english(said_by(within)), within);
}

TEST(Said, IsWordedByItsIdWhateverItsEnglishWas) {
    const json record = {{"reason", "nothing came back in 5.00 s"},
                         {"reason_said", {{"id", "timed_out"}, {"arguments", {"5.00 s"}}}}};
    EXPECT_EQ(own_words(record, "reason", std::string(record["reason"])), std::format(sentences::timed_out, "5.00 s"));
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
        EXPECT_THAT(own_words({{"warnings_said", {said}}}, "warnings", std::vector<std::string>{"as it was"}),
                    ElementsAre("as it was"));
        EXPECT_THAT(own_words({{"warnings_said", said}}, "warnings", std::vector<std::string>{"one", "two", "three"}),
                    ElementsAre("one", "two", "three"));
    }
    EXPECT_EQ(own_words({7}, "reason", std::string("as it was")), "as it was");
}

TEST(Said, StandsBesideATextOrAListThatHasASentence) {
    json record = {{"reason", "out of memory"}, {"note", "mine"}, {"warnings", {"mine", "cancelled"}}, {"none", {"a"}}};
    const json before = record;
    for (const char* key : {"reason", "note", "warnings", "none"}) add_said(record, key);
    EXPECT_EQ(record["reason_said"]["id"], "out_of_memory");
    EXPECT_EQ(record["warnings_said"], json({nullptr, {{"id", "cancelled"}, {"arguments", json::array()}}}));
    EXPECT_EQ(record.size(), before.size() + 2) << record;
    for (const auto& [key, value] : before.items()) EXPECT_EQ(record[key], value);
}

}  // namespace
}  // namespace kernelgen
