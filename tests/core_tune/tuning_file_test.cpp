// SPDX-License-Identifier: Apache-2.0
// The files of tunings: what is written is read again, whatever became of the last line.
#include "core/tune/tuning_file.h"
#include "core/tune/tuning_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/base/tuning_sentences.h"
#include "core/said/said.h"
#include "tests/core_round/temporary_folder.h"

namespace kernelgen {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

TuningHead head() {
    TuningHead made;
    made.time = "2026-11-23T02:00:00Z";
    made.variant = "host";
    made.device = "cpu";
    made.binding = {"small", DType::f32, {{"P", 4}}};
    made.cases = {made.binding};
    made.parameters = {{"BLOCK", {1, 2, 4}, 2}};
    made.chosen = {{"BLOCK", {1, 2, 4}}};
    made.incumbent = {{"BLOCK", 2}};
    made.strategy = "model";
    made.objective = "time";
    made.pruned = {{"`BLOCK` is larger than the case", 3}};
    made.budget_seconds = 60;
    return made;
}

Tried tried(std::int64_t block, double seconds) {
    Tried made{.configuration = {{"BLOCK", block}}};
    made.objective = made.seconds = seconds;
    made.ratio = 1;
    made.samples = {seconds, seconds};
    made.resources = {{"registers", 32}};
    return made;
}

TEST(TuningFile, HoldsWhatItsReasonsSay) {
    const nlohmann::json line = to_json(head());
    EXPECT_EQ(line["pruned"][0]["reason_said"],
              nlohmann::json({{"id", "pruned_larger_than_case"}, {"arguments", {"BLOCK"}}}));
}

TEST(TuningFile, HoldsWhatThereWasNoTimeFor) {
    const nlohmann::json line = to_json(TuningOutcome{.left_out = {std::string(sentences::left_out_final)}});
    EXPECT_EQ(line["left_out"], nlohmann::json({sentences::left_out_final}));
    EXPECT_EQ(line["left_out_said"][0]["id"], "left_out_final");
    EXPECT_FALSE(to_json(TuningOutcome{}).contains("left_out"));
}

class TuningFiles : public InFolder {
protected:
    void append(const std::string& bytes) {
        std::ofstream(tuning_path(folder, 1), std::ios::app | std::ios::binary) << bytes;
    }
};

TEST_F(TuningFiles, AreReadAsTheyWereWritten) {
    TuningFile file = TuningFile::open(folder).value();
    TuningHead begun = head();
    begun.history = {"/elsewhere/3.jsonl"};
    ASSERT_TRUE(file.begin(begun));
    EXPECT_EQ(begun.number, 1);
    EXPECT_EQ(begun.first, 1);
    Tried one = tried(2, 0.5);
    one.worker = "slurm:2";
    ASSERT_TRUE(file.append(one));
    ASSERT_TRUE(file.append(TuningOutcome{.kind = TuningOutcome::Kind::winner,
                                          .configuration = {{"BLOCK", 4}},
                                          .reason = "",
                                          .runner_up = {},
                                          .round = 7}));
    const Tuning tuning = load_tuning(folder, 1).value();
    EXPECT_EQ(tuning.head.parameters, begun.parameters);
    EXPECT_EQ(tuning.head.binding, begun.binding);
    EXPECT_EQ(tuning.head.chosen, begun.chosen);
    EXPECT_EQ(tuning.head.pruned.at(0).count, 3u);
    EXPECT_EQ(tuning.head.pruned.at(0).reason, "`BLOCK` is larger than the case");
    EXPECT_EQ(tuning.head.history, begun.history);
    ASSERT_THAT(tuning.tried, SizeIs(1));
    EXPECT_EQ(tuning.tried[0].samples, (std::vector{0.5, 0.5}));
    EXPECT_EQ(tuning.tried[0].worker, "slurm:2");
    EXPECT_EQ(tuning.tried[0].resources.at("registers"), 32);
    EXPECT_EQ(tuning.outcome->kind, TuningOutcome::Kind::winner);
    EXPECT_EQ(tuning.outcome->round, 7);
}

TEST_F(TuningFiles, SkipATornLineAndGoOnBehindIt) {
    TuningFile file = TuningFile::open(folder).value();
    TuningHead begun = head();
    ASSERT_TRUE(file.begin(begun));
    append(R"({"schema":"kernelgen.tuning/1","kind":"configuration","configur)");
    ASSERT_TRUE(file.append(tried(4, 0.25)));
    const Tuning tuning = load_tuning(folder, 1).value();
    ASSERT_THAT(tuning.tried, SizeIs(1));
    EXPECT_EQ(tuning.tried[0].seconds, 0.25);
    ASSERT_THAT(tuning.warnings, SizeIs(1));
    EXPECT_THAT(tuning.warnings[0], HasSubstr("tunings/1.jsonl:2: this line was left out"));
    EXPECT_TRUE(said_by(tuning.warnings[0]).is_object());
}

TEST_F(TuningFiles, LeaveOutATimeBelow0WhichWouldBeTheBest) {
    TuningFile file = TuningFile::open(folder).value();
    TuningHead begun = head();
    ASSERT_TRUE(file.begin(begun));
    ASSERT_TRUE(file.append(tried(1, -5)));
    ASSERT_TRUE(file.append(tried(2, 1)));
    const Tuning tuning = load_tuning(folder, 1).value();
    ASSERT_THAT(tuning.tried, SizeIs(1));
    EXPECT_EQ(tuning.tried[0].seconds, 1);
    ASSERT_THAT(tuning.warnings, SizeIs(1));
    EXPECT_THAT(tuning.warnings[0].text(), HasSubstr("`seconds` is not above 0"));
}

TEST_F(TuningFiles, AreNamedWhereTheirNamesAreNoNumbers) {
    TuningFile file = TuningFile::open(folder).value();
    TuningHead begun = head();
    ASSERT_TRUE(file.begin(begun));
    for (const char* name : {"2147483647.jsonl", "02.jsonl", "mine.jsonl"})
        std::filesystem::copy_file(tuning_path(folder, 1), tunings_folder(folder) / name);
    const TuningList list = list_tunings(folder);
    EXPECT_THAT(list.tunings, SizeIs(1));
    ASSERT_THAT(list.unread, SizeIs(3));
    EXPECT_THAT(list.unread[1].text(), HasSubstr("tunings/2147483647.jsonl is left out"));
}

TEST_F(TuningFiles, KeepTheLastOfTwoResultsOfAConfiguration) {
    TuningFile file = TuningFile::open(folder).value();
    TuningHead begun = head();
    ASSERT_TRUE(file.begin(begun));
    ASSERT_TRUE(file.append(tried(2, 0.5)));
    ASSERT_TRUE(file.append(tried(4, 0.25)));
    Tried fallen = tried(2, 0.5);
    fallen.status = Status::mismatch;
    ASSERT_TRUE(file.append(fallen));
    const Tuning tuning = load_tuning(folder, 1).value();
    ASSERT_THAT(tuning.tried, SizeIs(2));
    EXPECT_EQ(tuning.tried[0].status, Status::mismatch);
}

TEST_F(TuningFiles, TakeWhatTheFirstPairsOfARaceSaidWhereThatRaceNeverEnded) {
    TuningFile file = TuningFile::open(folder).value();
    TuningHead begun = head();
    ASSERT_TRUE(file.begin(begun));
    for (const std::int64_t block : {2, 4}) ASSERT_TRUE(file.append(tried(block, 0.5), TriedLine::racing));
    ASSERT_TRUE(file.append(tried(2, 0.25)));
    ASSERT_TRUE(file.append(tried(2, 0.125), TriedLine::semifinal));
    const Tuning tuning = load_tuning(folder, 1).value();
    ASSERT_THAT(tuning.tried, SizeIs(2));
    EXPECT_EQ(tuning.tried[0].seconds, 0.25);
    EXPECT_EQ(tuning.tried[1].seconds, 0.5);
    ASSERT_THAT(tuning.semifinal, SizeIs(1));
    EXPECT_EQ(tuning.semifinal[0].seconds, 0.125);
    EXPECT_THAT(load_tuning_untried(folder, 1)->tried, SizeIs(0));
}

TEST_F(TuningFiles, AreListedWithTheLastOneThatCanGoOn) {
    TuningFile file = TuningFile::open(folder).value();
    const auto append_tuning = [&](bool is_decided) {
        TuningHead begun = head();
        ASSERT_TRUE(file.begin(begun));
        ASSERT_TRUE(file.append(tried(2, 0.5)));
        Tried failed = tried(4, 0.25);
        failed.status = Status::mismatch;
        failed.reason = R"(says "kind":"outcome")";
        ASSERT_TRUE(file.append(failed));
        ASSERT_TRUE(file.append(failed));
        if (!is_decided) return;
        ASSERT_TRUE(file.append(TuningOutcome{.round = 3, .tried = 2, .failed = 1}));
    };
    append_tuning(true);
    append_tuning(false);
    append_tuning(false);
    std::ofstream(tuning_path(folder, 4)) << "torn\n";
    const TuningList list = list_tunings(folder);
    ASSERT_THAT(list.tunings, SizeIs(3));
    for (const ListedTuning& each : list.tunings) {
        EXPECT_EQ(each.tried, 2u);
        EXPECT_EQ(each.failed, 1u);
    }
    EXPECT_EQ(list.tunings[0].outcome->round, 3);
    EXPECT_FALSE(list.tunings[1].outcome);
    EXPECT_FALSE(list.tunings[1].can_go_on);
    EXPECT_TRUE(list.tunings[2].can_go_on);
    ASSERT_THAT(list.unread, SizeIs(1));
    EXPECT_THAT(list.unread[0], HasSubstr("tunings/4.jsonl:1: it is not a JSON object"));
}

TEST_F(TuningFiles, KeepApartWhatWasRacedAcrossTheCases) {
    TuningFile file = TuningFile::open(folder).value();
    TuningHead begun = head();
    ASSERT_TRUE(file.begin(begun));
    ASSERT_TRUE(file.append(tried(2, 0.5)));
    ASSERT_TRUE(file.append(TuningOutcome{.kind = TuningOutcome::Kind::tie, .configuration = {{"BLOCK", 2}}}));
    ASSERT_TRUE(file.append(tried(4, 0.75), TriedLine::across));
    const Tuning tuning = load_tuning(folder, 1).value();
    EXPECT_THAT(tuning.warnings, SizeIs(0));
    ASSERT_THAT(tuning.tried, SizeIs(1));
    ASSERT_THAT(tuning.across, SizeIs(1));
    EXPECT_EQ(tuning.across[0].configuration.at("BLOCK"), 4);
    EXPECT_EQ(tuning.across[0].objective, 0.75);
    EXPECT_TRUE(tuning.outcome);
}

TEST_F(TuningFiles, CanGoOnWhereSomethingWasLeftOut) {
    TuningFile file = TuningFile::open(folder).value();
    TuningHead begun = head();
    begun.command_budget_seconds = 90;
    ASSERT_TRUE(file.begin(begun));
    const auto can_go_on_now = [&] { return can_go_on(folder, load_tuning(folder, 1).value()); };
    EXPECT_TRUE(can_go_on_now());
    TuningOutcome outcome{
        .is_decided = false, .configuration = {{"BLOCK", 2}}, .left_out = {std::string(sentences::left_out_round)}};
    ASSERT_TRUE(file.append(outcome));
    EXPECT_TRUE(can_go_on_now());
    EXPECT_EQ(load_tuning(folder, 1)->outcome->left_out, outcome.left_out);
    EXPECT_FALSE(load_tuning(folder, 1)->outcome->is_decided);
    EXPECT_EQ(load_tuning(folder, 1)->head.command_budget_seconds, 90);
    outcome.left_out.clear();
    ASSERT_TRUE(file.append(outcome));
    EXPECT_FALSE(can_go_on_now());
}

TEST_F(TuningFiles, CanGoOnUntilTheCasesOfTheCommandWereRacedTogether) {
    TuningFile file = TuningFile::open(folder).value();
    TuningHead first = head(), second = head();
    first.cases = second.cases = {first.binding, {"large", DType::f32, {{"P", 4096}}}};
    second.binding = second.cases.back();
    const TuningOutcome tie{.configuration = {{"BLOCK", 2}}};
    const TuningOutcome winner{.kind = TuningOutcome::Kind::winner, .configuration = {{"BLOCK", 4}}};
    ASSERT_TRUE(file.begin(first));
    ASSERT_TRUE(file.append(tie));
    EXPECT_TRUE(can_go_on(folder, load_tuning(folder, 1).value())) << "a case is left";
    second.first = first.number;
    ASSERT_TRUE(file.begin(second));
    ASSERT_TRUE(file.append(tie));
    EXPECT_FALSE(can_go_on(folder, load_tuning(folder, 2).value())) << "all are ties of one incumbent";
    ASSERT_TRUE(file.append(winner));
    EXPECT_TRUE(can_go_on(folder, load_tuning(folder, 2).value()));
    ASSERT_TRUE(file.append(tried(4, 0.75), TriedLine::across));
    EXPECT_FALSE(can_go_on(folder, load_tuning(folder, 2).value()));
}

TEST_F(TuningFiles, AreNumberedAndHeldByOneProcess) {
    TuningFile file = TuningFile::open(folder).value();
    TuningHead first = head(), second = head();
    ASSERT_TRUE(file.begin(first));
    second.first = first.number;
    ASSERT_TRUE(file.begin(second));
    EXPECT_EQ(second.number, 2);
    EXPECT_EQ(second.first, 1);
    EXPECT_EQ(tuning_numbers(folder), (std::vector{1, 2}));
    const auto other = TuningFile::open(folder);
    ASSERT_FALSE(other);
    EXPECT_THAT(other.error().message, HasSubstr("another process tunes this project"));
}

TEST_F(TuningFiles, LeaveOutLinesWhoseNumbersOrConfigurationsCannotBe) {
    TuningFile file = TuningFile::open(folder).value();
    TuningHead begun = head();
    begun.incumbent = {{"BLOCK", 16}};  // does not take part
    ASSERT_TRUE(file.begin(begun));
    ASSERT_TRUE(file.append(tried(16, 0.5)));
    const auto append_changed = [&](const char* key, const nlohmann::json& value) {
        nlohmann::json line = to_json(tried(2, 0.25));
        if (value.is_null()) line.erase(key);
        else line[key] = value;
        append(line.dump() + "\n");
    };
    append_changed("seconds", "nan");
    append_changed("objective", nullptr);
    append_changed("ratio", "inf");
    append_changed("elapsed_seconds", "inf");
    append_changed("race_seconds", -1);
    append_changed("configuration", {{"BLOCK", 3}});
    append_changed("configuration", {{"BLOCK", 2}, {"OTHER", 1}});
    append("{\"seconds\": 1e999}\n");
    const Tuning tuning = load_tuning(folder, 1).value();
    ASSERT_THAT(tuning.tried, SizeIs(1));
    EXPECT_EQ(tuning.tried[0].configuration.at("BLOCK"), 16);
    ASSERT_THAT(tuning.warnings, SizeIs(8));
    EXPECT_THAT(tuning.warnings[0].text(), HasSubstr("`seconds` is not above 0"));
    EXPECT_THAT(tuning.warnings[3].text(), HasSubstr("`elapsed_seconds` is no number from 0 on"));
    EXPECT_EQ(tuning.warnings[6].text(),
              "tunings/1.jsonl: `BLOCK=3` is left out: the tuning has no such configuration");
}

TEST_F(TuningFiles, AreWrittenAgainWhereAPersonRemovesThem) {
    TuningFile file = TuningFile::open(folder).value();
    TuningHead begun = head();
    ASSERT_TRUE(file.begin(begun));
    ASSERT_TRUE(file.append(tried(2, 0.5)));
    EXPECT_THAT(file.warnings(), SizeIs(0));
    std::filesystem::remove(tuning_path(folder, 1));
    ASSERT_TRUE(file.append(tried(4, 0.25)));
    std::filesystem::remove_all(tunings_folder(folder));
    ASSERT_TRUE(file.append(tried(1, 0.75)));
    EXPECT_THAT(load_tuning(folder, 1)->tried, SizeIs(3));
    ASSERT_THAT(file.warnings(), SizeIs(2));
    EXPECT_EQ(file.warnings()[0].text(),
              "tunings/1.jsonl was removed or renamed while its tuning went on, and is written again");
    std::filesystem::remove(tuning_path(folder, 1));
    TuningHead second = head();
    ASSERT_TRUE(file.begin(second));
    EXPECT_EQ(second.number, 2) << "outcomes of the command go to tuning 1, too";
    file.go_on(1);
    ASSERT_TRUE(file.append(TuningOutcome{.configuration = {{"BLOCK", 4}}}));
    EXPECT_THAT(load_tuning(folder, 1)->tried, SizeIs(3));
}

TEST_F(TuningFiles, AreNotWaitedForWhereTheyAreFifos) {
    std::filesystem::create_directories(tunings_folder(folder));
    ASSERT_EQ(::mkfifo(tuning_path(folder, 1).c_str(), 0600), 0);
    EXPECT_THAT(load_tuning(folder, 1).error().message, HasSubstr("it is empty"));
    EXPECT_THAT(list_tunings(folder).unread, SizeIs(1));
}

TEST_F(TuningFiles, AreNotMixedWithOthersThatCameInTheirPlace) {
    TuningFile file = TuningFile::open(folder).value();
    TuningHead begun = head();
    ASSERT_TRUE(file.begin(begun));
    const std::filesystem::path path = tuning_path(folder, 1);
    std::filesystem::copy_file(path, folder / "saved");
    std::filesystem::rename(folder / "saved", path);  // as an editor does
    ASSERT_TRUE(file.append(tried(2, 0.5)));
    EXPECT_THAT(load_tuning(folder, 1)->tried, SizeIs(1));
    std::ofstream(folder / "other") << "something else\n";
    std::filesystem::rename(folder / "other", path);
    const Result<void> written = file.append(tried(4, 0.25));
    ASSERT_FALSE(written);
    EXPECT_THAT(written.error().message, HasSubstr("tunings/1.jsonl has become another file"));
    EXPECT_EQ(read_file(path).value(), "something else\n");
}

TEST_F(TuningFiles, CanGoOnWhereTheFileOfACaseWasRemoved) {
    TuningFile file = TuningFile::open(folder).value();
    TuningHead first = head(), second = head();
    first.cases = second.cases = {first.binding, {"large", DType::f32, {{"P", 4096}}}};
    second.binding = second.cases.back();
    const TuningOutcome tie{.configuration = {{"BLOCK", 2}}};
    ASSERT_TRUE(file.begin(first));
    ASSERT_TRUE(file.append(tie));
    second.first = first.number;
    ASSERT_TRUE(file.begin(second));
    ASSERT_TRUE(file.append(tie));
    EXPECT_FALSE(can_go_on(folder, load_tuning(folder, 2).value()));
    std::filesystem::remove(tuning_path(folder, 1));
    EXPECT_TRUE(can_go_on(folder, load_tuning(folder, 2).value()));
    ASSERT_TRUE(file.begin(first)) << "as a tuning that goes on does";
    ASSERT_TRUE(file.append(tie));
    EXPECT_FALSE(can_go_on(folder, load_tuning(folder, 3).value()));
}

TEST_F(TuningFiles, StayAsTheyAreWhereALineDoesNotFitOnTheDisk) {
    TuningFile file = TuningFile::open(folder).value();
    TuningHead begun = head();
    ASSERT_TRUE(file.begin(begun));
    const auto size = std::filesystem::file_size(tuning_path(folder, 1));
    const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const rlimit full{.rlim_cur = size + 10, .rlim_max = before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &full), 0);
    const Result<void> written = file.append(tried(2, 0.5));
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, old_handler);
    ASSERT_FALSE(written);
    EXPECT_THAT(written.error().message, HasSubstr("cannot append to"));
    EXPECT_EQ(std::filesystem::file_size(tuning_path(folder, 1)), size);
}

TEST_F(TuningFiles, SayWhatIsWrongWithThem) {
    EXPECT_THAT(load_tuning(folder, 1).error().message, HasSubstr("there is no tuning 1"));
    std::filesystem::create_directories(tunings_folder(folder));
    append("");
    EXPECT_THAT(load_tuning(folder, 1).error().message, HasSubstr("it is empty"));
    append("{\"schema\": \"kernelgen.tuning/9\", \"kind\": \"tuning\"}\n");
    EXPECT_THAT(load_tuning(folder, 1).error().message, HasSubstr("tunings/1.jsonl:1: it has the schema"));
    std::filesystem::remove(tuning_path(folder, 1));
    append("\n\ntorn\n");
    EXPECT_THAT(load_tuning(folder, 1).error().message, HasSubstr("tunings/1.jsonl:3: it is not a JSON object"));
}

TEST_F(TuningFiles, SayWhichPartOfTheFirstLineIsDamaged) {
    std::filesystem::create_directories(tunings_folder(folder));
    const auto error_with = [&](const char* key, const nlohmann::json& value) {
        TuningHead begun = head();
        begun.number = begun.first = 1;
        nlohmann::json line = to_json(begun);
        line[key] = value;
        std::filesystem::remove(tuning_path(folder, 1));
        append(line.dump() + "\n");
        return load_tuning(folder, 1).error().message;
    };
    EXPECT_THAT(error_with("cases", nlohmann::json::array()), HasSubstr("it is damaged: names no cases"));
    EXPECT_THAT(error_with("budget_seconds", nullptr), HasSubstr("it is damaged: budget_seconds: expected a number"));
    EXPECT_THAT(error_with("number", 7), HasSubstr("it is that of tuning 7; name it 7.jsonl"));
}

}  // namespace
}  // namespace kernelgen
