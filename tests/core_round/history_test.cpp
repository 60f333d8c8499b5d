// SPDX-License-Identifier: Apache-2.0
#include "core/round/history.h"

#include <gmock/gmock.h>
#include <sys/mount.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/project/project_file.h"
#include "core/round/history_line.h"
#include "tests/core_round/sample_round.h"
#include "tests/core_round/temporary_folder.h"

namespace kernelgen {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class HistoryFile : public InFolder {
protected:
    Round record(RoundDetail detail) {
        const Result<void> done = record_round(folder, detail);
        EXPECT_TRUE(done) << done.error().message;
        return detail.round;
    }
    History load() const { return load_history(folder).value(); }
    void append(const std::string& text) const { std::ofstream(folder / "history.jsonl", std::ios::app) << text; }
};

TEST_F(HistoryFile, IsEmptyWhereThereIsNone) {
    EXPECT_THAT(load().rounds, IsEmpty());
    EXPECT_THAT(load().warnings, IsEmpty());
}

TEST_F(HistoryFile, NumbersRoundsFromZeroAndFindsTheirParents) {
    EXPECT_EQ(record(sample_round(128)).parent, std::nullopt);
    const Round second = record(sample_round(256));
    EXPECT_EQ(second.number, 1);
    EXPECT_EQ(second.parent, 0);
    EXPECT_EQ(second.change, ChangeKind::tunables);
    const History history = load();
    ASSERT_THAT(history.rounds, SizeIs(2));
    EXPECT_EQ(history.rounds[0].change, ChangeKind::first);
    EXPECT_EQ(history.rounds[1].configuration, (Configuration{{"BLOCK_N", 256}}));
    EXPECT_EQ(history.rounds[1].cases.at(0).speedup, 1.23457);
}

TEST_F(HistoryFile, GivesEveryVariantItsOwnParents) {
    record(sample_round());
    RoundDetail other = sample_round();
    other.round.variant = other.candidate.variant.name = "naive";
    EXPECT_EQ(record(other).parent, std::nullopt);
    EXPECT_EQ(record(sample_round(64)).parent, 0);
}

TEST_F(HistoryFile, KeepsWhatSurroundsATornLine) {
    record(sample_round());
    append(R"({"schema":"kernelgen.round/1","kind":"round","num)");
    record(sample_round(64));
    const History history = load();
    ASSERT_THAT(history.rounds, SizeIs(2));
    EXPECT_EQ(history.rounds[1].number, 1);
    EXPECT_THAT(history.warnings, ElementsAre(HasSubstr("history.jsonl:2: skipped, it is no record")));
}

TEST_F(HistoryFile, SkipsLinesOfANewerSchemaAndSaysSo) {
    record(sample_round());
    append("{\"schema\":\"kernelgen.round/2\",\"kind\":\"round\"}\n");
    EXPECT_THAT(load().rounds, SizeIs(1));
    EXPECT_THAT(load().warnings, ElementsAre(HasSubstr("kernelgen.round/2 is newer than this program reads (1)")));
}

TEST_F(HistoryFile, SkipsWhatIsNoRecordAtAll) {
    append(std::string("\0\xff\xfe\n[1]\n{}\n\n{\"schema\":\"other/1\"}\n", 33));
    append("{\"schema\":\"kernelgen.round/1\",\"kind\":\"round\",\"number\":-1}\n");
    append("{\"schema\":\"kernelgen.round/1\",\"kind\":\"keep\",\"round\":7}\n");
    append(std::string(100'000, '['));
    EXPECT_THAT(load().rounds, IsEmpty());
    EXPECT_THAT(load().warnings, SizeIs(7));
}

TEST_F(HistoryFile, TakesTheFirstOfTwoRoundsOfOneNumber) {
    RoundDetail detail = sample_round(64);
    append(history_line(detail.round) + "\n");
    detail.round.note = "again";
    append(history_line(detail.round) + "\n");
    EXPECT_THAT(load().rounds, ElementsAre(::testing::Field(&Round::note, "")));
    EXPECT_THAT(load().warnings, ElementsAre(HasSubstr("round 0 is recorded twice")));
}

TEST_F(HistoryFile, CutsALineOfManyCasesAndLongTextsToTwoKibibytes) {
    RoundDetail detail = sample_round();
    detail.round.note = std::string(3000, 'n');
    for (int i = 0; i < 200; ++i) detail.round.reason += "许多";
    detail.round.cases.resize(100, detail.round.cases[0]);
    detail.round.cases[70].status = Status::crashed;
    record(detail);
    EXPECT_LE(read_file(folder / "history.jsonl")->size(), history_line_bytes + 1);
    const Round read = load().rounds.at(0);
    EXPECT_EQ(read.case_count, 100);
    EXPECT_EQ(read.cases.back().status, Status::crashed);
    EXPECT_THAT(read.reason, ::testing::EndsWith("…"));
    EXPECT_EQ(load_round_detail(folder, 0)->round.note.text().size(), 3000u);
    EXPECT_THAT(load_round_detail(folder, 0)->round.cases, SizeIs(100));
}

TEST_F(HistoryFile, DoesNotGiveANumberAgainWhoseFolderWasLeftBehind) {
    fs::create_directories(folder / "rounds/4");
    fs::create_directories(folder / "rounds/.5.tmp");
    EXPECT_EQ(record(sample_round()).number, 5);
    EXPECT_FALSE(fs::exists(folder / "rounds/.5.tmp"));
}

TEST_F(HistoryFile, KeepsTheSourcesAsTheyWere) {
    RoundDetail detail = sample_round();
    detail.baseline = sample_implementation();
    detail.baseline.variant.source = "naive/plain.cpp";
    detail.baseline.text = "// plain";
    record(detail);
    EXPECT_EQ(read_file(folder / "rounds/0" / detail.candidate.variant.source), "// two lines\nvoid scale();\n");
    EXPECT_EQ(read_file(folder / "rounds/0/naive/plain.cpp"), "// plain");
}

TEST_F(HistoryFile, KeepsEveryFileThatARoundWasBuiltOf) {
    RoundDetail detail = sample_round();
    detail.candidate.files = {{"helper.h", "int first;\n"}, {"inc/größe 1.h", "int size;\n"}};
    EXPECT_EQ(record(detail).change, ChangeKind::first);
    EXPECT_EQ(read_file(folder / "rounds/0/helper.h"), "int first;\n");
    EXPECT_EQ(read_file(folder / "rounds/0/inc/größe 1.h"), "int size;\n");
    EXPECT_EQ(load_round_detail(folder, 0)->candidate.files, detail.candidate.files);
    detail.candidate.files["helper.h"] = "int second;\n";
    EXPECT_EQ(record(detail).change, ChangeKind::implementation);
    EXPECT_EQ(record(detail).change, ChangeKind::none);
}

TEST_F(HistoryFile, ReadsRoundsOfBeforeThereWereFurtherFiles) {
    record(sample_round());
    const std::string text = read_file(folder / "rounds/0/result.json").value();
    EXPECT_EQ(text.find("\"files\""), std::string::npos);
    EXPECT_EQ(load_round_detail(folder, 0)->candidate.files, SourceFiles());
}

TEST_F(HistoryFile, WritesNoFurtherFileOutsideTheProjectsFolder) {
    RoundDetail detail = sample_round();
    detail.candidate.files = {{"../escaped.h", ""}};
    EXPECT_THAT(record_round(folder, detail).error().message, HasSubstr("`../escaped.h`: it leaves the project"));
    EXPECT_FALSE(fs::exists(folder / "rounds/escaped.h"));
    EXPECT_FALSE(fs::exists(folder / "rounds/0"));
}

TEST_F(HistoryFile, ReadsBackTheWholeOfARound) {
    RoundDetail detail = sample_round();
    BenchResult timing{.binding = detail.round.cases[0].binding};
    timing.candidate_seconds = {0.001, 0.002};
    timing.candidate.samples = timing.speedup.pairs = 2;
    timing.speedup.median = 1.2345678901234;
    detail.timings = {timing};
    detail.verification.warnings = {"a warning"};
    detail.ceilings.gflops_all_threads[DType::f32] = 12.5;
    record(detail);
    const Result<RoundDetail> read = load_round_detail(folder, 0);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->definition, detail.definition);
    EXPECT_EQ(read->candidate.variant, detail.candidate.variant);
    EXPECT_EQ(read->timings.at(0).candidate_seconds, timing.candidate_seconds);
    EXPECT_EQ(read->timings.at(0).speedup.median, timing.speedup.median);
    EXPECT_EQ(read->round.cases.at(0).speedup, 1.2345678901234);
    EXPECT_THAT(read->verification.warnings, ElementsAre("a warning"));
    EXPECT_EQ(read->ceilings.gflops_all_threads.at(DType::f32), 12.5);
}

TEST_F(HistoryFile, KeepsWhatTheBuildsOfBothSidesTake) {
    RoundDetail detail = sample_round();
    detail.verification.builds[DType::f32] = {"", {{"registers", 40}, {"occupancy", 0.75}}, "registers"};
    detail.baseline_builds[DType::f32] = {"", {{"registers", 32}}, ""};
    record(detail);
    const Result<RoundDetail> read = load_round_detail(folder, 0);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->verification.builds, detail.verification.builds);
    EXPECT_EQ(read->baseline_builds, detail.baseline_builds);
}

TEST_F(HistoryFile, ReadsRoundsOfBeforeBuildsWereRecorded) {
    nlohmann::json old = to_json(sample_round());
    ASSERT_EQ(old.erase("baseline_builds"), 1u);
    ASSERT_EQ(old.at("verification").erase("builds"), 1u);
    const Result<RoundDetail> read = round_detail_from_json(old);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_THAT(read->baseline_builds, IsEmpty());
}

TEST_F(HistoryFile, MakesAnErrorOfARecordWhosePartsMakeNoSense) {
    const auto read = [](const char* place, const nlohmann::json& part) {
        nlohmann::json record = to_json(sample_round());
        record[nlohmann::json::json_pointer(place)] = part;
        return round_detail_from_json(record).has_value();
    };
    EXPECT_TRUE(read("/verification/status", "mismatch"));
    EXPECT_FALSE(read("/verification/status", "no status"));
    EXPECT_FALSE(read("/verification/builds", {{"f31", {{"resources", nlohmann::json::object()}}}}));
    EXPECT_FALSE(read("/baseline_builds", {{"f32", {{"resources", {{"registers", -1}}}}}}));
}

TEST_F(HistoryFile, SaysWhichRecordCannotBeRead) {
    record(sample_round());
    std::ofstream(folder / "rounds/0/result.json") << "{\"schema\": \"kernelgen.round/1\"}";
    EXPECT_THAT(load_round_detail(folder, 0).error().message, HasSubstr("rounds/0/result.json"));
    EXPECT_THAT(load_round_detail(folder, 1).error().message, HasSubstr("rounds/1/result.json"));
}

TEST_F(HistoryFile, RemembersTheNewestLessonOfEachKind) {
    record(sample_round());
    ASSERT_TRUE(record_lessons(folder, 0, {.worked = "small tiles", .failed = "", .next = "wider"}));
    ASSERT_TRUE(record_lessons(folder, 0, {.worked = "", .failed = "prefetch", .next = "narrower"}));
    const Lessons lessons = load().lessons.at(0);
    EXPECT_EQ(lessons.worked, "small tiles");
    EXPECT_EQ(lessons.failed, "prefetch");
    EXPECT_EQ(lessons.next, "narrower");
}

TEST_F(HistoryFile, TakesNoLessonsOfARoundThatDoesNotExist) {
    EXPECT_EQ(record_lessons(folder, 3, {.worked = "x", .failed = "", .next = ""}).error().message,
              "there is no round 3");
}

TEST_F(HistoryFile, RefusesLessonsThatDoNotFitALine) {
    record(sample_round());
    const Lessons lessons{.worked = std::string(2000, 'w'), .failed = std::string(2000, 'f'), .next = ""};
    EXPECT_THAT(record_lessons(folder, 0, lessons).error().message, HasSubstr("too long"));
}

TEST_F(HistoryFile, SaysThatItsFolderIsReadOnly) {
    if (::mount("none", folder.c_str(), "tmpfs", MS_RDONLY, "size=64k") != 0) GTEST_SKIP() << "mounting needs root";
    RoundDetail detail = sample_round();
    const Result<void> done = record_round(folder, detail);
    ::umount(folder.c_str());
    EXPECT_THAT(done.error().message, HasSubstr("Read-only file system"));
}

TEST_F(HistoryFile, LeavesNothingOfARoundThatADiskHasNoRoomFor) {
    if (::mount("none", folder.c_str(), "tmpfs", 0, "size=64k") != 0) GTEST_SKIP() << "mounting needs root";
    RoundDetail detail = sample_round();
    const bool small = record_round(folder, detail).has_value();
    detail.candidate.text = std::string(1 << 20, 'x');
    const Result<void> big = record_round(folder, detail);
    const auto history = load_history(folder);
    const bool left = fs::exists(folder / "rounds/1") || fs::exists(folder / "rounds/.1.tmp");
    ::umount(folder.c_str());
    ASSERT_TRUE(small);
    EXPECT_THAT(big.error().message, HasSubstr("No space left on device"));
    EXPECT_THAT(history->rounds, SizeIs(1));
    EXPECT_FALSE(left);
}

TEST_F(HistoryFile, ReadsTenThousandRoundsWithoutHoldingTheirText) {
    RoundDetail detail = sample_round();
    detail.round.cases.resize(3, detail.round.cases[0]);
    std::string lines;
    for (int i = 0; i < 10'000; ++i) {
        detail.round.number = i;
        lines += history_line(detail.round) + "\n";
    }
    append(lines);
    EXPECT_THAT(load().rounds, SizeIs(10'000));
}

/// A project in `folder` whose only variant is the sample's.
Project project_in(const fs::path& folder) {
    Project project;
    project.folder = folder;
    project.definition = sample_operator();
    project.variants = {sample_variant()};
    EXPECT_TRUE(save_project(project));
    EXPECT_TRUE(write_file_atomic(folder / "scale.cpp", "void edited();\n"));
    return project;
}

TEST_F(HistoryFile, KeepMakesARoundsVariantTheProjects) {
    Project project = project_in(folder);
    record(sample_round(64));
    record(sample_round(256));
    project.variants[0].launches[0].grid = {"N"};
    const Result<void> kept = keep_round(project, 0);
    ASSERT_TRUE(kept) << kept.error().message;
    EXPECT_EQ(project.variants[0].tunables[0].value, 64);
    EXPECT_EQ(project.variants[0].launches, sample_variant().launches);
    EXPECT_EQ(load_project(folder)->variants, project.variants);
    EXPECT_EQ(read_file(folder / "scale.cpp"), "// two lines\nvoid scale();\n");
}

TEST_F(HistoryFile, KeepRestoresEveryFileOfTheRound) {
    Project project = project_in(folder);
    RoundDetail detail = sample_round();
    detail.candidate.files = {{"inc/helper.h", "int as_it_was;\n"}};
    record(detail);
    fs::create_directories(folder / "inc");
    ASSERT_TRUE(write_file_atomic(folder / "inc/helper.h", "int edited;\n"));
    ASSERT_TRUE(keep_round(project, 0));
    EXPECT_EQ(read_file(folder / "inc/helper.h"), "int as_it_was;\n");
}

TEST_F(HistoryFile, KeepDoesNotWriteThroughALinkOutOfTheProject) {
    Project project = project_in(folder);
    RoundDetail detail = sample_round();
    detail.candidate.files = {{"inc/helper.h", "int as_it_was;\n"}};
    record(detail);
    fs::create_directory_symlink(fs::temp_directory_path(), folder / "inc");
    EXPECT_THAT(keep_round(project, 0).error().message, HasSubstr("leads out of the project's folder"));
    EXPECT_FALSE(fs::exists(fs::temp_directory_path() / "helper.h"));
    EXPECT_EQ(read_file(folder / "scale.cpp"), "void edited();\n");
}

TEST_F(HistoryFile, KeepWritesTheTunablesOfAPythonFileInPlace) {
    Project project = project_in(folder);
    const std::string text = "def scale(x):\n    BLOCK_N = 128  # columns\n    return x\n";
    Variant& variant = project.variants[0];
    variant.language = Language::triton;
    variant.source = "scale_triton.py";
    variant.launches.clear();
    variant.generated = hash_hex(text);
    RoundDetail detail = sample_round(64);
    detail.candidate = {variant, text, {{"BLOCK_N", 64}}};
    record(detail);
    const Result<void> kept = keep_round(project, 0);
    ASSERT_TRUE(kept) << kept.error().message;
    const std::string in_place = "def scale(x):\n    BLOCK_N = 64  # columns\n    return x\n";
    EXPECT_EQ(read_file(folder / "scale_triton.py"), in_place);
    EXPECT_EQ(project.variants[0].generated, hash_hex(in_place)) << "it is as unedited as before";
}

TEST_F(HistoryFile, TheRoundThatWasKeptIsTheParentOfTheNext) {
    Project project = project_in(folder);
    record(sample_round(64));
    record(sample_round(256));
    ASSERT_TRUE(keep_round(project, 0));
    const Round next = record(sample_round(64));
    EXPECT_EQ(next.parent, 0);
    EXPECT_EQ(next.change, ChangeKind::none);
}

TEST_F(HistoryFile, ARoundMayNameItsParent) {
    record(sample_round(64));
    record(sample_round(256));
    RoundDetail next = sample_round(64);
    ASSERT_TRUE(record_round(folder, next, 0));
    EXPECT_EQ(next.round.parent, 0);
    EXPECT_EQ(next.round.change, ChangeKind::none);
    EXPECT_EQ(record(sample_round(256)).parent, 2);
}

TEST_F(HistoryFile, ANamedParentOfAnotherVariantOrThatIsGoneDoesNotCount) {
    RoundDetail other = sample_round();
    other.round.variant = other.candidate.variant.name = "naive";
    record(other);
    record(sample_round(64));
    for (const int named : {0, 99}) {
        RoundDetail next = sample_round(64);
        ASSERT_TRUE(record_round(folder, next, named));
        EXPECT_EQ(next.round.parent, next.round.number - 1);
    }
}

AppliedStrategy sample_strategy() {
    return {.strategy = "another_skeleton",
            .finding = "unexplained",
            .after = 0,
            .change = "host → other",
            .when = {},
            .expected = {1.5, 1.1, 2},
            .expected_from = GainSource::patterns,
            .gain = Gain{1.25, 1.2, 1.5},
            .next = "tune",
            .next_expected = {1.125, 1, 1.25},
            .ended = "rounds_spent"};
}

TEST_F(HistoryFile, TheRoundThatAStrategyChangedIsTheParentWhateverItsVariant) {
    record(sample_round());
    RoundDetail other = sample_round(64);
    other.round.variant = other.candidate.variant.name = "other";
    other.round.applied = sample_strategy();
    EXPECT_EQ(record(std::move(other)).parent, 0);
}

TEST_F(HistoryFile, ReadsBackTheStrategyOfARound) {
    RoundDetail detail = sample_round();
    detail.round.applied = sample_strategy();
    record(detail);
    EXPECT_EQ(load().rounds[0].applied, sample_strategy());
    EXPECT_EQ(load_round_detail(folder, 0)->round.applied, sample_strategy());
}

TEST_F(HistoryFile, SkipsAStrategyWhoseGainMakesNoSense) {
    RoundDetail detail = sample_round();
    detail.round.applied = sample_strategy();
    detail.round.applied->expected.lower = 3;  // above the likely value
    record(detail);
    EXPECT_THAT(load().rounds, IsEmpty());
    EXPECT_THAT(load().warnings, ElementsAre(HasSubstr("a gain is above 0")));
}

TEST_F(HistoryFile, KeepOfADispatchAddsItsRule) {
    Project project = project_in(folder);
    project.variants.push_back(project.variants[0]);  // a rule chooses between variants of one device
    project.variants[1].name = "plain";
    record(sample_round());
    RoundDetail detail = sample_round(64);
    detail.round.applied = sample_strategy();
    detail.round.applied->when = "N > 100";
    record(detail);
    ASSERT_TRUE(keep_round(project, 1));
    EXPECT_THAT(project.dispatch, ElementsAre(DispatchRule{"N > 100", "host"}));
}

TEST_F(HistoryFile, KeepRefusesAVariantThatIsGoneAndChangesNothing) {
    Project project = project_in(folder);
    record(sample_round(64));
    project.variants[0].name = "other";
    EXPECT_EQ(keep_round(project, 0).error().message, "the project has no variant `host` any more");
    EXPECT_EQ(read_file(folder / "scale.cpp"), "void edited();\n");
}

TEST_F(HistoryFile, KeepRefusesAVariantThatDoesNotFitTheDefinition) {
    Project project = project_in(folder);
    record(sample_round(64));
    project.definition.symbols = {"M"};
    project.definition.inputs[0].shape = project.definition.outputs[0].shape = {"M"};
    EXPECT_THAT(keep_round(project, 0).error().message, HasSubstr("does not fit the project as it is now"));
    EXPECT_EQ(read_file(folder / "scale.cpp"), "void edited();\n");
    EXPECT_EQ(project.variants[0].tunables[0].value, 128);
}

TEST_F(HistoryFile, KeepSaysThatARoundDoesNotExist) {
    Project project = project_in(folder);
    EXPECT_THAT(keep_round(project, 9).error().message, HasSubstr("there is no round 9"));
}

}  // namespace
}  // namespace kernelgen
