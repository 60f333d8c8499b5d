// SPDX-License-Identifier: Apache-2.0
#include "core/measure/model_profile.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace kernelgen {
namespace {

using nlohmann::json;

json row(std::vector<int> calls, double seconds, const json& flops) {
    return {{"calls", std::move(calls)},
            {"operator", "aten.relu"},
            {"signature", "aten.relu(f32[1000])"},
            {"modules", {"act"}},
            {"inputs", {"f32[1000]"}},
            {"outputs", {"f32[1000]"}},
            {"dtype", "f32"},
            {"contraction", false},
            {"random", false},
            {"flops", flops},
            {"bytes_read", 1e9},
            {"bytes_written", 1e9},
            {"seconds", seconds},
            {"runs", 25}};
}

/// Two calls of 0.2 s and one of 0.1 s in a whole of 1 s.
json answer() {
    json group = row({1}, 0, 1e9);
    group["places"] = {1};
    group["operators"] = {"aten.relu", "aten.exp"};
    return {{"seconds", 1.0},    {"runs", 9},
            {"views", 4},        {"rows", {row({1, 3}, 0.2, nullptr), row({2}, 0.1, 1e9)}},
            {"groups", {group}}, {"notes", json::array()}};
}

/// Memory of 20 GB/s, whatever is read and written.
Ceilings ceilings() {
    Ceilings made;
    made.all_threads = {{.bytes = 1e9, .copy_gbps = 20, .read_gbps = 20, .write_gbps = 20}};
    made.gflops_all_threads[DType::f32] = 100;
    return made;
}

TEST(ModelProfile, GainsByAmdahlWhatItsCallsLoseToTheirCeiling) {
    const ModelProfile profile = model_profile_from_json(answer());
    const ModelShare twice = share_of(profile, profile.rows[0], ceilings());
    EXPECT_DOUBLE_EQ(twice.seconds, 0.4);
    EXPECT_DOUBLE_EQ(twice.share, 0.4);
    EXPECT_NEAR(twice.point.fraction, 0.5, 1e-9);  // 2 GB in 0.2 s of 20 GB/s
    EXPECT_NEAR(twice.gain.value(), 1 / (1 - 0.2), 1e-9);
    const ModelShare at_ceiling = share_of(profile, profile.rows[1], ceilings());
    EXPECT_NEAR(at_ceiling.gain.value(), 1, 1e-9);
}

TEST(ModelProfile, AGroupTakesTheTimeOfItsCalls) {
    const ModelProfile profile = model_profile_from_json(answer());
    const ModelShare group = share_of(profile, profile.groups[0], ceilings());
    EXPECT_NEAR(group.seconds, 0.3, 1e-12);
    EXPECT_NEAR(group.gain.value(), 1 / (1 - 0.2), 1e-9);  // of 0.3 s, 0.1 s are left
}

TEST(ModelProfile, HasNoGainWithoutCeilings) {
    const ModelProfile profile = model_profile_from_json(answer());
    EXPECT_FALSE(share_of(profile, profile.rows[0], {}).gain);
}

TEST(ModelProfile, SharesAreOfTheCallsWhereTheyTakeLongerThanTheWhole) {
    json told = answer();
    told["seconds"] = 0.25;
    const ModelProfile profile = model_profile_from_json(told);
    EXPECT_DOUBLE_EQ(profile.total(), 0.5);
    EXPECT_DOUBLE_EQ(share_of(profile, profile.rows[0], {}).share, 0.8);
}

TEST(ModelProfile, ContractionsAreComparedWithTensorCores) {
    json told = answer();
    told["rows"][0].update({{"flops", 40e9}, {"contraction", true}, {"dtype", "f16"}});
    const ModelProfile profile = model_profile_from_json(told);
    Ceilings gpu = ceilings();
    gpu.gflops_all_threads[DType::f16] = 100;
    gpu.tensor_gflops["f16"] = 1000;
    EXPECT_EQ(share_of(profile, profile.rows[0], gpu).point.gflops_ceiling, 1000);
}

TEST(ModelProfile, RefusesAnswersThatAreNone) {
    for (const auto& [place, value] : std::map<std::string, json>{{"/rows/0/seconds", -1.0},
                                                                  {"/rows/0/calls", {1, 4}},
                                                                  {"/rows/0/calls", {1, 0}},
                                                                  {"/groups/0/places", {3}},
                                                                  {"/rows/1/flops", "many"}}) {
        json told = answer();
        told[json::json_pointer(place)] = value;
        EXPECT_ANY_THROW(model_profile_from_json(told)) << place << " " << value;
    }
}

}  // namespace
}  // namespace kernelgen
