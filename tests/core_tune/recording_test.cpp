// SPDX-License-Identifier: Apache-2.0
#include "core/tune/recording.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "core/said/said.h"

namespace kernelgen {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string t4_result(std::string_view configuration, std::string_view value, std::string_view invalidity,
                      std::string_view unit = "") {
    return R"({"configuration": )" + std::string(configuration) + R"(, "invalidity": ")" + std::string(invalidity) +
           R"(", "times": {"runtimes": [1, 2]}, "measurements": [{"name": "other", "value": 7, "unit": ""},
               {"name": "time", "value": )" +
           std::string(value) + R"(, "unit": ")" + std::string(unit) + R"("}],
               "objectives": ["time"]})";
}

std::string t4_of(const std::string& results) {
    return R"({"metadata": {"timeunit": "miliseconds"}, "results": [)" + results + "]}";
}

std::string error_of_recording(const std::string& text) {
    const auto recording = read_recording(text, "file.json");
    return recording ? "" : to_string(recording.error());
}

TEST(T4, HasSecondsOfWhatSucceeded) {
    const auto recording =
        read_recording(t4_of(t4_result(R"({"a": 1, "b": true})", "2.5", "correct") + "," +
                             t4_result(R"({"a": 2, "b": false})", R"("RuntimeFailedConfig")", "runtime") + "," +
                             t4_result(R"({"a": 3, "b": 0})", "2", "correct", "us")),
                       "");
    ASSERT_TRUE(recording) << to_string(recording.error());
    EXPECT_THAT(recording->trials, ElementsAre(RecordedTrial{{{"a", 1}, {"b", 1}}, 2.5e-3},
                                               RecordedTrial{{{"a", 2}, {"b", 0}}, std::nullopt},
                                               RecordedTrial{{{"a", 3}, {"b", 0}}, 2e-6}));
}

TEST(T4, OfPythonMayHaveNumbersThatJsonDoesNotHave) {
    const auto recording = read_recording(
        t4_of(t4_result(R"({"a": 1})", "NaN", "correct") + "," + t4_result(R"({"a": 2})", "-Infinity", "correct") +
              "," + t4_result(R"({"a": 3})", "2", R"(say \" NaN)")),
        "");
    ASSERT_TRUE(recording) << to_string(recording.error());
    for (const RecordedTrial& each : recording->trials) EXPECT_FALSE(each.seconds);
    EXPECT_THAT(recording->trials, testing::SizeIs(3));
}

TEST(T4, ErrorsSayWhatIsWrong) {
    EXPECT_THAT(error_of_recording("[]"), HasSubstr("neither a T4 file"));
    EXPECT_THAT(error_of_recording("{"), HasSubstr("file.json: line 1"));
    EXPECT_THAT(error_of_recording(t4_of("")), HasSubstr("has no results"));
    EXPECT_THAT(error_of_recording(R"({"results": 4})"), HasSubstr("expected a list of results"));
    EXPECT_THAT(error_of_recording(t4_of(t4_result(R"({"a": "SoA"})", "2", "correct"))),
                HasSubstr("expected an integer"));
    EXPECT_THAT(error_of_recording(t4_of(t4_result(R"({"a": 1})", "2", "correct", "GFLOP/s"))),
                HasSubstr("only times"));
    EXPECT_THAT(
        error_of_recording(t4_of(R"({"configuration": {"a": 1}, "invalidity": "correct", "measurements": []})")),
        HasSubstr("results[0]: has no measurement of its objective"));
}

/// A T4 file as KTT's converter writes it.
std::string t4_of_ktt(std::string_view metadata, std::string_view measurement) {
    return R"({"metadata": )" + std::string(metadata) +
           R"(, "results": [{"configuration": {"a": 1}, "invalidity": "correct", "objectives": ["TotalDuration"],
               "measurements": [{"name": "TotalDuration", "value": 96, )" +
           std::string(measurement) + "}]}]}";
}

TEST(T4, HasTheUnitsThatOtherTunersWrite) {
    const auto seconds = [](const std::string& text) {
        const auto recording = read_recording(text, "file.json");
        return recording ? recording->trials.front().seconds : std::nullopt;
    };
    EXPECT_EQ(seconds(t4_of_ktt("{}", R"("unit": "Microseconds")")), 96 * 1e-6);
    EXPECT_EQ(seconds(t4_of_ktt("{}", R"("units": "Nanoseconds")")), 96 * 1e-9);
    EXPECT_EQ(seconds(t4_of_ktt(R"({"time_unit": "us"})", R"("unit": "")")), 96 * 1e-6);
    EXPECT_EQ(seconds(t4_of_ktt(R"({"TimeUnit": "Seconds"})", R"("unit": "")")), 96);
    EXPECT_EQ(seconds(t4_of_ktt("{}", R"("unit": "")")), 96 * 1e-3);
    EXPECT_THAT(error_of_recording(t4_of_ktt(R"({"timeunit": "cycles"})", R"("unit": "")")),
                HasSubstr("`TotalDuration` is measured in `cycles`"));
}

TEST(T4, AnObjectiveWithoutAUnitThatIsNoTimeIsNotTakenForOne) {
    const std::string rate = R"({"name": "GFLOP/s", "value": 9, "unit": ""})";
    const std::string result = R"({"configuration": {"a": 1}, "invalidity": "correct", "objectives": ["GFLOP/s"],)";
    const auto recording = read_recording(
        t4_of(result + R"("measurements": [)" + rate + R"(, {"name": "time", "value": 2, "unit": "ms"}]})"), "");
    ASSERT_TRUE(recording) << to_string(recording.error());
    EXPECT_EQ(recording->trials.front().seconds, 2e-3);
    EXPECT_THAT(error_of_recording(t4_of(result + R"("measurements": [)" + rate + "]}")),
                HasSubstr("results[0]: `GFLOP/s` has no unit; only times"));
}

std::string ktt_of(std::string_view metadata, std::string_view status) {
    return R"({"Metadata": {)" + std::string(metadata) +
           R"(}, "Results": [{"Configuration": [{"Name": "X", "Value": 32, "ValueType": "UnsignedInt"},
               {"Name": "PAD", "Value": true}], "Status": ")" +
           std::string(status) + R"(", "TotalDuration": 250.0, "ValidationOverhead": 0.0}]})";
}

TEST(KttResults, HaveTheUnitOfTheirMetadata) {
    const auto trials = [](const std::string& text) { return read_recording(text, "").value().trials; };
    EXPECT_THAT(trials(ktt_of(R"("TimeUnit": "Microseconds")", "Ok")),
                ElementsAre(RecordedTrial{{{"X", 32}, {"PAD", 1}}, 250 * 1e-6}));
    EXPECT_THAT(trials(ktt_of(R"("TimeUnit": "Nanoseconds")", "ComputationFailed")),
                ElementsAre(RecordedTrial{{{"X", 32}, {"PAD", 1}}, std::nullopt}));
    EXPECT_THAT(error_of_recording(ktt_of(R"("TimeUnit": "Fortnights")", "Ok")),
                HasSubstr("the `TimeUnit` of its `Metadata` is `Fortnights`"));
    EXPECT_THAT(error_of_recording(ktt_of("", "Ok")), HasSubstr("is ``"));
}

constexpr const char* cache =
    R"({"device_name": "A", "tune_params_keys": ["x", "y"], "tune_params": {"x": [1, 2], "y": [3]},
    "cache": {"1,3": {"x": 1, "y": 3, "time": 4.0, "times": [4.0]},
              "2,3": {"x": 2, "y": 3, "time": "CompilationFailedConfig"},
              "3,3": {"x": 3, "y": 3, "__error__": "RuntimeFailedConfig"})";

TEST(KernelTunerCache, HasSecondsOfWhatSucceeded) {
    const auto recording = read_recording(std::string(cache) + "}}", "");
    ASSERT_TRUE(recording) << to_string(recording.error());
    EXPECT_THAT(recording->trials, ElementsAre(RecordedTrial{{{"x", 1}, {"y", 3}}, 4e-3},
                                               RecordedTrial{{{"x", 2}, {"y", 3}}, std::nullopt},
                                               RecordedTrial{{{"x", 3}, {"y", 3}}, std::nullopt}));
}

TEST(KernelTunerCache, IsReadWhileItIsStillOpen) {
    EXPECT_EQ(read_recording(std::string(cache) + ",\n", "").value(),
              read_recording(std::string(cache) + "}}", "").value());
}

TEST(KernelTunerCache, AnEntryWithoutAParameterIsAnError) {
    EXPECT_THAT(error_of_recording(R"({"tune_params_keys": ["x"], "cache": {"1": {"time": 1}}})"),
                HasSubstr("lacks the parameter `x`"));
}

TEST(Recording, IsASpaceOfItsOwnConfigurations) {
    const Recording recording{{{{{"a", 1}, {"b", 2}}, 1.0}, {{{"a", 4}, {"b", 1}}, 2.0}, {{{"a", 1}, {"b", 2}}, 3.0}}};
    const TuningSpace space = space_of(recording).value();
    EXPECT_EQ(space.size(), 2u);
    EXPECT_EQ(space.find({{"a", 4}, {"b", 2}}), std::nullopt);
    const std::vector<Trial> trials = trials_in(space, recording);
    ASSERT_EQ(trials.size(), 2u);
    EXPECT_EQ(trials[0].objective, 3.0);  // the last of two
}

TEST(Recording, FillsInWhatTheSpaceFixes) {
    const TuningSpace space = TuningSpace::make({{"a", {1, 2}, 1}, {"fixed", {7}, 7}}, {}, {}).value();
    const std::vector<Trial> trials = trials_in(space, {{{{{"a", 2}, {"unknown", 1}}, 1.0}, {{{"a", 3}}, 1.0}}});
    ASSERT_EQ(trials.size(), 1u);
    EXPECT_EQ(space.at(trials[0].index), (Configuration{{"a", 2}, {"fixed", 7}}));
}

TEST(Recording, WhoseConfigurationsHaveDifferentParametersIsNoSpace) {
    EXPECT_THAT(space_of(Recording{{{{{"a", 1}}, 1.0}, {{{"b", 1}}, 1.0}}}).error().message,
                HasSubstr("lacks a parameter"));
}

TEST(Recording, OfAMissingFileIsAnError) {
    EXPECT_THAT(to_string(load_recording("/nowhere/file.json").error()), HasSubstr("/nowhere/file.json"));
}

constexpr const char* tuning =
    R"({"schema": "kernelgen.tuning/1", "kind": "tuning", "number": 3, "first": 3, "time": "2026-11-23T02:00:00Z",)"
    R"( "variant": "host", "device": "cpu", "case": {"name": "small", "dtype": "f32", "P": 4},)"
    R"( "cases": [{"name": "small", "dtype": "f32", "P": 4}],)"
    R"( "parameters": [{"name": "a", "values": [1, 2], "value": 1}], "incumbent": {"a": 1}, "strategy": "model", "seed": 0, "budget_seconds": 1, "objective": "time"}
{"schema": "kernelgen.tuning/1", "kind": "configuration", "configuration": {"a": 1}, "status": "ok", "seconds": 0.5, "ratio": 1, "objective": 0.5}
{"schema": "kernelgen.tuning/1", "kind": "configuration", "configuration": {"a": 2}, "status": "crashed"}
{"schema": "kernelgen.tuning/1", "kind": "conf)";

TEST(ATuningsFile, IsARecordingWithoutItsTornLine) {
    const auto recording = read_recording(tuning, "3.jsonl");
    ASSERT_TRUE(recording) << to_string(recording.error());
    EXPECT_THAT(recording->trials,
                ElementsAre(RecordedTrial{{{"a", 1}}, 0.5}, RecordedTrial{{{"a", 2}}, std::nullopt}));
}

TEST(ATuningsFile, SaysHowManyLinesAreDamagedAndWhichIsTheFirst) {
    const auto recording = read_recording(std::string(tuning) + "\n\ndamaged\n", "3.jsonl");
    ASSERT_TRUE(recording) << to_string(recording.error());
    ASSERT_EQ(recording->warnings.size(), 1u);
    EXPECT_EQ(recording->warnings[0].text(), "3.jsonl: lines that cannot be read are left out: 2; the first is line 4");
    EXPECT_TRUE(said_by(recording->warnings[0]).is_object());
    const std::string whole = std::string(tuning).substr(0, std::string(tuning).rfind('\n') + 1);
    EXPECT_TRUE(read_recording(whole, "3.jsonl")->warnings.empty());
}

TEST(ATuningsFile, OfANewerVersionIsRefused) {
    std::string newer = tuning;
    newer.replace(newer.find("tuning/1"), 8, "tuning/9");
    EXPECT_THAT(error_of_recording(newer), HasSubstr("file.json: has the schema `kernelgen.tuning/9`; update"));
    EXPECT_THAT(error_of_recording(std::string(tuning).substr(0, std::string(tuning).find('\n'))),
                HasSubstr("has no results"));
}

}  // namespace
}  // namespace kernelgen
