// SPDX-License-Identifier: Apache-2.0
// What an executor answers to a request for timed calls; a kernel may have forged it.
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "core/backend/executor_replies.h"
#include "core/backend/sampling.h"

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

json right_answer() {
    Samples samples;
    samples.seconds = {{1e-3, 2e-3}, {3e-3, 4e-3}};
    samples.checksums = {{1, 2, 3, 4}, {5, 6, 7, std::numeric_limits<std::uint64_t>::max()}};
    samples.outside_seconds = 0.01;
    return to_json(samples);
}

TEST(Samples, AreReadAsTheyWereWritten) {
    const auto read = read_samples(json::parse(right_answer().dump()), two_turns());
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->seconds[1][1], 4e-3);
    EXPECT_EQ(read->checksums[1][3], std::numeric_limits<std::uint64_t>::max());
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
        const auto read = read_samples(answer, two_turns());
        ASSERT_FALSE(read) << place << " = " << value;
        EXPECT_TRUE(read.error().message.contains('`')) << read.error().message;
    }
    EXPECT_FALSE(read_samples(json::array(), two_turns()));
    EXPECT_FALSE(read_samples(nullptr, two_turns()));
}

}  // namespace
}  // namespace kernelgen
