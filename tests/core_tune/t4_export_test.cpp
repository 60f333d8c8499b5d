// SPDX-License-Identifier: Apache-2.0
#include "core/tune/t4_export.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/tune/recording.h"

namespace kernelgen {
namespace {

TEST(ATuningAsT4, HasTimesInMillisecondsAndAWordForEachFailure) {
    Tuning tuning;
    tuning.head.time = "2026-11-23T02:00:00Z";
    Tried ok{.configuration = {{"BLOCK", 4}}};
    ok.seconds = 0.002;
    ok.samples = {0.002, 0.003};
    ok.build_seconds = 0.5;
    ok.elapsed_seconds = 65;
    Tried hangs{.configuration = {{"BLOCK", 8}}, .status = Status::timed_out};
    tuning.tried = {ok, hangs};
    const nlohmann::json t4 = nlohmann::json::parse(to_t4(tuning).dump());
    EXPECT_EQ(t4["schema_version"], "1.0.0");
    const nlohmann::json& first = t4["results"][0];
    EXPECT_EQ(first["configuration"], (nlohmann::json{{"BLOCK", 4}}));
    EXPECT_EQ(first["times"]["runtimes"], (nlohmann::json{2.0, 3.0}));
    EXPECT_EQ(first["times"]["compilation"], 500.0);
    EXPECT_EQ(first["timestamp"], "2026-11-23 02:01:05+00:00");
    EXPECT_EQ(first["invalidity"], "correct");
    EXPECT_EQ(first["measurements"][0]["value"], 2.0);
    EXPECT_EQ(first["objectives"][0], "time");
    const nlohmann::json& second = t4["results"][1];
    EXPECT_EQ(second["invalidity"], "timeout");
    EXPECT_EQ(second["correctness"], 0);
    EXPECT_EQ(second["measurements"][0]["value"], "timed_out");
}

TEST(ATuningAsT4, NamesWhatItsObjectiveMakesSmall) {
    Tuning tuning;
    tuning.head.time = "2026-11-23T02:00:00Z";
    tuning.head.objective = "0.3 memory 0.7 energy";
    Tried ok{.configuration = {{"BLOCK", 4}}};
    ok.seconds = 0.002;
    ok.memory_bytes = 512;
    ok.energy_joules = 0.25;
    tuning.tried = {ok};
    const std::string text = to_t4(tuning).dump();
    const nlohmann::json result = nlohmann::json::parse(text)["results"][0];
    EXPECT_EQ(result["objectives"], nlohmann::json({"memory", "energy"}));
    EXPECT_EQ(result["measurements"].size(), 3U);
    EXPECT_EQ(result["measurements"][1], nlohmann::json({{"name", "memory"}, {"value", 512.0}, {"unit", "B"}}));
    EXPECT_EQ(result["measurements"][2], nlohmann::json({{"name", "energy"}, {"value", 0.25}, {"unit", "J"}}));
    const auto read = read_recording(text, "file");
    ASSERT_TRUE(read) << to_string(read.error());
    EXPECT_EQ(read->trials.at(0).seconds, 0.002) << "times can be read of it all the same";
}

}  // namespace
}  // namespace kernelgen
