// SPDX-License-Identifier: Apache-2.0
// What an executor answers; a kernel may have forged it.
#include "core/backend/executor_replies.h"

#include <gmock/gmock.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "core/backend/packed_numbers.h"
#include "core/base/sentences.h"
#include "core/said/said.h"

namespace kernelgen {
namespace {

using nlohmann::json;

SampleRequest two_turns() {
    SampleRequest request;
    request.turns = {{0, 1}, {1, 0}};
    request.states.assign(8, 0);  // of two sets
    request.key = 5;
    return request;
}

Reply right_reply() {
    Samples samples;
    samples.seconds = {{1e-3, 2e-3}, {3e-3, 4e-3}};
    samples.checksums = {{1, 2, 3, 4}, {5, 6, 7, std::numeric_limits<std::uint64_t>::max()}};
    samples.outside_seconds = 0.01;
    samples.idle_seconds = 0.02;
    samples.grown_bytes = -4096;
    samples.discarded = 3;
    samples.conditions = {{"power_w", 300.5}};
    return {.samples = samples};
}

json right_answer() { return json::parse(to_line(right_reply())); }

TEST(Samples, AreReadAsTheyWereWritten) {
    const auto read = read_reply(to_line(right_reply()), two_turns());
    ASSERT_TRUE(read) << read.error().message;
    ASSERT_TRUE(read->samples);
    EXPECT_EQ(read->samples->seconds[1][1], 4e-3);
    EXPECT_EQ(read->samples->checksums[1][3], std::numeric_limits<std::uint64_t>::max());
    EXPECT_EQ(to_line(*read), to_line(right_reply()));
}

TEST(Samples, OfARequestThatFailedAreNotLookedFor) {
    const auto read = read_reply(R"({"status": "unavailable", "reason": "r"})", two_turns());
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_FALSE(read->samples);
    EXPECT_EQ(read->outcome.reason, "r");
}

TEST(Samples, ThatAreNoMeasurementAreRefused) {
    const std::pair<const char*, json> wrong[] = {
        {"/seconds", json::array()},
        {"/seconds", nullptr},
        {"/seconds", "fast"},
        {"/seconds/0", {1e-3}},
        {"/seconds/0", {1e-3, 2e-3, 3e-3}},
        {"/seconds/0/0", 0},
        {"/seconds/0/0", -1.0},
        {"/seconds/0/0", "1"},
        {"/seconds/0/0", 1e300},
        {"/seconds/0/0", nullptr},
        {"/checksums", json::array()},
        {"/checksums/1", {1, 2, 3, 4}},
        {"/checksums/1", pack(std::vector<std::uint64_t>{1, 2, 3})},
        {"/checksums", {pack(std::vector<std::uint64_t>{1, 2}), pack(std::vector<std::uint64_t>{3, 4})}},  // of one set
        {"/checksums/1", "0123456789abcdeg"},
        {"/checksums/1", "0"},
        {"/outside_seconds", -1},
        {"/outside_seconds", "0"},
        {"/idle_seconds", -1},
        {"/idle_seconds", "0"},
        {"/grown_bytes", 1.5},
        {"/discarded", -1},
        {"/conditions", json::array({1})},
        {"/conditions", {{"power_w", "high"}}},
    };
    for (const auto& [place, value] : wrong) {
        json answer = right_answer();
        answer[json::json_pointer(place)] = value;
        const auto read = read_reply(answer.dump(), two_turns());
        ASSERT_FALSE(read) << place << " = " << value;
        EXPECT_TRUE(read.error().message.text().contains('`')) << read.error().message;
    }
}

/// Why the reply to `request` is refused; empty where it is not.
std::string refusal(const std::string& line, const Request& request) {
    const Result<Reply> read = read_reply(line, request);
    return read ? "" : read.error().message;
}

TEST(Replies, AreReadAsTheyWereWritten) {
    const Said why = say(sentences::while_timing, "a case (inputs `zero`, seed 1)");
    const Reply reply{.outcome = {Status::out_of_bounds, why}, .ends = true, .misaligned = true};
    const auto read = read_reply(to_line(reply), ClearRequest{});
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->outcome.status, Status::out_of_bounds);
    EXPECT_EQ(read->outcome.reason, why);
    EXPECT_EQ(said_by(read->outcome.reason), said_by(why));
    EXPECT_TRUE(read->ends);
    EXPECT_TRUE(read->misaligned);
    EXPECT_EQ(to_line(*read), to_line(reply));
}

TEST(Replies, HaveTheSentencesThatPythonSays) {
    const auto read = read_reply(R"({"status": "crashed", "reason": "while timing: x", "reason_said":
        {"format": "while timing: {}", "arguments": ["x"]}})",
                                 ClearRequest{});
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->outcome.reason.format(), sentences::while_timing);
}

TEST(Replies, KeepTheTextWhereTheSentenceBesideItIsAnother) {
    const auto read = read_reply(R"({"status": "crashed", "reason": "mine", "reason_said":
        {"id": "out_of_memory", "arguments": []}})",
                                 ClearRequest{});
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->outcome.reason, "mine");
}

TEST(Replies, WithTextThatIsNotUtf8AreWrittenNevertheless) {
    const auto read = read_reply(to_line({.outcome = {Status::crashed, "\xff"}}), ClearRequest{});
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->outcome.reason, "\xef\xbf\xbd");
}

TEST(Replies, ThatAreNoneAreRefused) {
    for (const char* line : {"", "nonsense", "[]", "null", "1e999", "{}", R"({"status": 7})",
                             R"({"status": "mismatch"})", R"({"status": "ok", "ends": 1})",
                             R"({"status": "ok", "misaligned": "yes"})", R"({"status": "ok", "reason": []})"}) {
        EXPECT_NE(refusal(line, ClearRequest{}), "") << line;
    }
}

TEST(HitRate, IsFromZeroToOne) {
    const auto read = read_reply(to_line({.hit_rate = 0.25}), CountRequest{0});
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->hit_rate, 0.25);
    for (const char* wrong : {"-0.1", "1.1", "null", R"("1")", "[1]"}) {
        const std::string line = std::string(R"({"status": "ok", "hit_rate": )") + wrong + "}";
        EXPECT_EQ(refusal(line, CountRequest{0}), "`hit_rate` is no number from 0 to 1") << wrong;
    }
}

LoadRequest on_trial() {
    LoadRequest request;
    request.trial = true;
    return request;
}

TEST(TrialReport, IsReadAsItWasWritten) {
    TrialReport trial;
    trial.kernels = {{"k", {{"num_warps", 4}, {"registers", 32}}}};
    trial.texts = {{"ptx", ".version"}};
    trial.messages = {{"a.py", 3, 7, "note", "t"}};
    const Reply reply{.outcome = {Status::build_failed, "r"}, .trial = trial};
    const auto read = read_reply(to_line(reply), on_trial());
    ASSERT_TRUE(read) << read.error().message;
    ASSERT_TRUE(read->trial);
    EXPECT_EQ(read->trial->kernels[0].name, "k");
    EXPECT_EQ(read->trial->kernels[0].numbers, trial.kernels[0].numbers);
    EXPECT_EQ(read->trial->texts, trial.texts);
    EXPECT_EQ(read->trial->messages, trial.messages);
}

TEST(TrialReport, ThatIsNoneIsRefused) {
    for (const char* wrong :
         {R"("kernels": {})", R"("kernels": [1])", R"("kernels": [{"num_warps": 0}])",
          R"("kernels": [{"registers": -1}])", R"("kernels": [{"registers": 2147483648}])", R"("texts": [])",
          R"("texts": {"ptx": 1})", R"("messages": {})", R"("messages": ["m"])", R"("messages": [{"line": "3"}])"}) {
        const std::string line = std::string(R"({"status": "ok", )") + wrong + "}";
        EXPECT_NE(refusal(line, on_trial()), "") << wrong;
        EXPECT_EQ(refusal(line, LoadRequest{}), "") << wrong;  // nobody asked for it
    }
}

TEST(Greeting, IsReadAsItWasWritten) { EXPECT_EQ(read_greeting(greeting_line("native")).value(), "native"); }

}  // namespace
}  // namespace kernelgen
