// SPDX-License-Identifier: Apache-2.0
// Ids and arguments of reasons and warnings in what is recorded.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "core/base/file.h"
#include "core/base/sentences.h"
#include "core/base/verdict_sentences.h"
#include "core/round/comparison.h"
#include "core/round/history_line.h"
#include "core/said/said.h"
#include "tests/core_round/sample_round.h"
#include "tests/core_round/temporary_folder.h"

namespace kernelgen {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;

const Said mismatch =
    say(sentences::mismatch, 3, 64, "out", say(sentences::within_tolerance, 1e-5, 1e-6, 1.0), "0, 7", "1.5", "nan");
const Said spread = say(sentences::spread, "host", 7.5, 40, 2);

RoundDetail failed_round() {
    RoundDetail detail = sample_round();
    detail.round.status = detail.verification.status = Status::mismatch;
    detail.round.reason = say(sentences::of_case, "big f32", mismatch);
    detail.verification.cases.emplace_back().reason = say(sentences::with_inputs, mismatch, "normal", 1);
    detail.verification.reason = "big f32: " + detail.verification.cases[0].reason;
    detail.verification.warnings = {"a name", "cancelled"};
    BenchResult& timing = detail.timings.emplace_back();
    timing.reason = say(sentences::while_timing, "out of memory");
    timing.warnings = {spread};
    timing.speedup.pairs = 7;
    timing.counters.reason = sentences::no_counters;
    return detail;
}

/// The record with every text of `key` changed, as if this program had worded it differently once.
void reword(json& record, const std::string& key) {
    for (auto& [name, value] : record.items()) {
        if (name == key && value.is_string()) value = "in other words";
        else if (name == key)
            for (json& each : value) each = "in other words";
        else if (value.is_structured()) reword(value, key);
    }
}

TEST(SaidInRecord, HasTheIdsOfAMismatch) {
    const json record = to_json(failed_round());
    const json& of_round = record["round"]["reason_said"];
    EXPECT_EQ(of_round["id"], "of_case");
    EXPECT_EQ(of_round["arguments"][0], "big f32");
    EXPECT_EQ(of_round["arguments"][1]["id"], "mismatch");
    EXPECT_EQ(of_round["arguments"][1]["arguments"][2], "out");
    EXPECT_EQ(of_round["arguments"][1]["arguments"][3]["id"], "within_tolerance");
    EXPECT_EQ(record["verification"]["cases"][0]["reason_said"]["id"], "with_inputs");
    const json& verified = record["verification"]["reason_said"];
    EXPECT_EQ(verified[0], "big f32: ");
    EXPECT_EQ(verified[1]["id"], "with_inputs");
    EXPECT_EQ(verified[1]["arguments"][0]["id"], "mismatch");
}

TEST(SaidInRecord, HasTheIdsOfABuildThatFailed) {
    RoundDetail detail = sample_round();
    detail.round.status = Status::build_failed;
    detail.round.reason = "the compiler did not end within 60 s";
    EXPECT_EQ(to_json(detail)["round"]["reason_said"]["id"], "compiler_over_60_s");
    detail.round.reason = "scale.cpp:3:7: expected `;`";
    EXPECT_FALSE(to_json(detail)["round"].contains("reason_said")) << "the words of a compiler have no id";
}

TEST(SaidInRecord, HasTheIdsOfWarningsAndOfTimings) {
    const json record = to_json(failed_round());
    EXPECT_EQ(record["verification"]["warnings_said"][0], nullptr);
    EXPECT_EQ(record["verification"]["warnings_said"][1]["id"], "cancelled");
    const json& timing = record["timings"][0];
    EXPECT_EQ(timing["reason_said"]["arguments"][0]["id"], "out_of_memory");
    EXPECT_EQ(timing["warnings_said"][0]["id"], "spread");
    EXPECT_THAT(timing["warnings_said"][0]["arguments"], ElementsAre("host", "7.5", "40", "2"));
    EXPECT_EQ(timing["counters"]["reason_said"]["id"], "no_counters");
}

TEST(SaidInRecord, IsReadByIdWhereTheEnglishWasWordedDifferently) {
    const RoundDetail written = failed_round();
    json record = to_json(written);
    for (const char* key : {"reason", "warnings"}) reword(record, key);
    const Result<RoundDetail> read = round_detail_from_json(record);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->round.reason, written.round.reason);
    EXPECT_EQ(read->verification.reason, written.verification.reason);
    EXPECT_EQ(read->verification.cases[0].reason, written.verification.cases[0].reason);
    EXPECT_THAT(read->verification.warnings, ElementsAre("in other words", "cancelled"));
    EXPECT_EQ(read->timings[0].reason, written.timings[0].reason);
    EXPECT_THAT(read->timings[0].warnings, ElementsAre(spread));
    EXPECT_EQ(read->timings[0].counters.reason, sentences::no_counters);
}

TEST(SaidInRecord, ThatIsOfNoUseLeavesTheEnglish) {
    for (const json& said : {json(7), json({{"id", "never_said"}, {"arguments", json::array()}}),
                             json({{"id", "of_case"}, {"arguments", {"one"}}})}) {
        json record = to_json(failed_round());
        record["round"]["reason_said"] = record["verification"]["warnings_said"] = said;
        const Result<RoundDetail> read = round_detail_from_json(record);
        ASSERT_TRUE(read) << read.error().message;
        EXPECT_EQ(read->round.reason, failed_round().round.reason);
        EXPECT_THAT(read->verification.warnings, ElementsAre("a name", "cancelled"));
    }
}

/// A reason goes through the worker's protocol into the record and to who reads it by what it was made of.
TEST(SaidInRecord, GoesByWhatItWasMadeOfWhateverItsWords) {
    const Said within = say(sentences::while_timing, "it broke");
    VerifyResult verified{.status = Status::mismatch, .reason = say(sentences::of_case, "a`: b", within)};
    verified.warnings = {"big: " + say(sentences::no_ceilings, within)};
    const VerifyResult told = verify_result_from_json(to_json(verified));
    RoundDetail detail = sample_round();
    detail.round.reason = told.reason;
    detail.verification = told;
    const json record = to_json(detail);
    const json said = {{"id", "while_timing"}, {"arguments", {"it broke"}}};
    EXPECT_EQ(record["round"]["reason_said"], json({{"id", "of_case"}, {"arguments", {"a`: b", said}}}));
    EXPECT_EQ(record["verification"]["warnings_said"][0],
              json({"big: ", {{"id", "no_ceilings"}, {"arguments", {said}}}}));
    const Result<RoundDetail> read = round_detail_from_json(record);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(said_by(read->round.reason), record["round"]["reason_said"]);
}

TEST(SaidInRecord, IsInTheLineOfTheHistoryToo) {
    json line = json::parse(history_line(failed_round().round));
    line["reason"] = "in other words";
    History history;
    ASSERT_TRUE(read_history_line(line.dump(), history));
    EXPECT_EQ(history.rounds[0].reason, failed_round().round.reason);
}

TEST(SaidInRecord, IsNotInALineThatItWouldMakeTooLong) {
    Round round = failed_round().round;
    round.note = std::string(400, 'n');
    round.reason = "the kernel printed: " + std::string(1000, '"');
    EXPECT_EQ(to_json(round)["reason_said"]["id"], "kernel_printed");
    const std::string line = history_line(round);
    EXPECT_LE(line.size(), history_line_bytes);
    EXPECT_FALSE(json::parse(line).contains("reason_said"));
}

TEST(SaidInRecord, OfALongNoteIsCutBehindASentence) {
    const auto read_again = [](const Said& note) {
        Round round = failed_round().round;
        round.note = note;
        History history;
        EXPECT_TRUE(read_history_line(history_line(round), history));
        return history.rounds.at(0).note;
    };
    const Said first = say(sentences::while_timing, "it broke");
    const Said note = read_again(first + "; " + std::string(500, 'n'));
    EXPECT_EQ(note.text(), first.text() + "; …");
    EXPECT_EQ(said_by(note)[0]["id"], "while_timing") << "what is left has its Chinese";
    EXPECT_EQ(read_again("Wider tiles; fewer of them. " + std::string(500, 'n')).text(), "Wider tiles; …");
}

TEST(SaidInRecord, IsInAComparisonToo) {
    Comparison comparison{.time = "2026-01-02T03:04:05Z", .device = "cpu", .baseline = "library", .environment = {}};
    ComparedVariant& variant = comparison.variants.emplace_back();
    variant.reason = mismatch;
    variant.warnings = {spread};
    json kept = to_json(comparison);
    EXPECT_EQ(kept["variants"][0]["reason_said"]["id"], "mismatch");
    for (const char* key : {"reason", "warnings"}) reword(kept, key);
    const Result<Comparison> read = comparison_from_json(kept);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->variants[0].reason, mismatch);
    EXPECT_THAT(read->variants[0].warnings, ElementsAre(spread));
}

}  // namespace
}  // namespace kernelgen
