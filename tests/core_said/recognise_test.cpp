// SPDX-License-Identifier: Apache-2.0
#include "core/said/recognise.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/base/sentences.h"
#include "core/base/verdict_sentences.h"
#include "core/said/said.h"

namespace kernelgen {
namespace {

using nlohmann::json;

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

TEST(Recognised, NamesSentencesWithinOneAnother) {
    const json said = recognised("case `timed_out`: while timing: out of memory (inputs `nan`, seed 1)");
    const json memory = {{"id", "out_of_memory"}, {"arguments", json::array()}};
    const json timing = {{"id", "while_timing"}, {"arguments", {memory}}};
    const json of_case = {{"id", "of_case"}, {"arguments", {"timed_out", timing}}};
    EXPECT_EQ(said, json({{"id", "with_inputs"}, {"arguments", {of_case, "nan", "1"}}}));
}

/// A case may have any name: in backquotes it is taken as it stands.
TEST(Recognised, TakesTheNameOfACaseAsItStands) {
    const std::string unwritten = say(sentences::unwritten, 3, "out", 7);
    const json said = {{"id", "unwritten"}, {"arguments", {"3", "out", "7"}}};
    for (const char* name : {"batch 1 of 2", "big: 2 of 3", "4096x4096 f32", "out of memory", "timed out"}) {
        const json of_case = {{"id", "of_case"}, {"arguments", {name, said}}};
        EXPECT_EQ(recognised(say(sentences::of_case, name, unwritten).text()), of_case);
    }
}

TEST(Recognised, IsAListWhereASentenceFollowsAPlace) {
    const json memory = {{"id", "out_of_memory"}, {"arguments", json::array()}};
    EXPECT_EQ(recognised("64x64 f32: out of memory"), json({"64x64 f32: ", memory}));
    EXPECT_EQ(recognised("copying to the device: out of memory"),
              json({{{"id", "copying_to_device"}, {"arguments", json::array()}}, ": ", memory}));
}

TEST(Recognised, KeepsTheCaseOutOfASentenceThatBeginsWithAnArgument) {
    const json unwritten = {{"id", "unwritten"}, {"arguments", {"3", "out", "7"}}};
    EXPECT_EQ(recognised("big: 64x64 f32: " + say(sentences::unwritten, 3, "out", 7).text()),
              json({"big: 64x64 f32: ", unwritten}));
}

/// Records of GPUs hold it; the shorter sentence would take all numbers for one argument.
TEST(Recognised, TakesTheClocksOfAGpuForOneSentence) {
    EXPECT_EQ(recognised("multiprocessors up to 1980 MHz, now 1965 MHz, memory 3201 MHz"),
              json({{"id", "clocks_with_memory"}, {"arguments", {"1980", "1965", "3201"}}}));
}

TEST(Recognised, IsTheTextWhereThereIsNoSentence) {
    const std::string compiler = "bias_add.cpp:3:7: 'y' was not declared in this scope: did you mean 'x'?";
    EXPECT_EQ(recognised(compiler), json(compiler));
    EXPECT_EQ(recognised(""), json(""));
    EXPECT_TRUE(recognised("no ceilings: " + std::string(5000, ':')).is_string());
}

TEST(Recognised, GivesEveryTextAgain) {
    std::string within = "word";
    for (const std::string_view format : english_formats()) {
        EXPECT_FALSE(recognised(filled(format)).is_string()) << format;
        EXPECT_EQ(in_english(recognised(filled(format))), filled(format));
        EXPECT_EQ(in_english(recognised("two words: " + filled(format) + ": more")),
                  "two words: " + filled(format) + ": more");
    }
    for (int depth = 0; depth < 100; ++depth) within = say(sentences::while_timing, within);
    EXPECT_EQ(in_english(recognised(within)), within);
}

}  // namespace
}  // namespace kernelgen
