// SPDX-License-Identifier: Apache-2.0
#include "core/backend/sampling.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/sentences.h"

namespace kernelgen {

using nlohmann::json;

namespace {

constexpr double longest_sample = 24 * 3600;  ///< seconds

bool is_time(const json& value) {
    return value.is_number() && value.get<double>() > 0 && value.get<double>() < longest_sample;
}

bool is_duration(const json& value) {
    return value.is_number() && value.get<double>() >= 0 && value.get<double>() < longest_sample;
}

bool is_list_of(const json& value, std::size_t count, const auto& is_one) {
    return value.is_array() && value.size() == count && std::ranges::all_of(value, is_one);
}

/// Turns in which a side takes part.
std::size_t turns_of(const SampleRequest& request, int side) {
    return static_cast<std::size_t>(
        std::ranges::count_if(request.turns, [&](const auto& turn) { return std::ranges::contains(turn, side); }));
}

int sides_of(const SampleRequest& request) {
    int sides = 0;
    for (const auto& turn : request.turns) {
        for (const int side : turn) sides = std::max(sides, side + 1);
    }
    return sides;
}

bool is_answer(const json& reply, const SampleRequest& request) {
    if (!reply.is_object()) return false;
    const json seconds = reply.value("seconds", json()), checksums = reply.value("checksums", json());
    const std::size_t sides = static_cast<std::size_t>(sides_of(request));
    if (!seconds.is_array() || seconds.size() < sides || !checksums.is_array() || checksums.size() != seconds.size())
        return false;
    std::size_t sets = 0;  // the same for all
    for (std::size_t side = 0; side < seconds.size(); ++side) {
        const std::size_t turns = turns_of(request, static_cast<int>(side));
        if (!is_list_of(seconds[side], turns, is_time)) return false;
        if (request.key == 0 || turns == 0) continue;
        if (sets == 0) sets = checksums[side].size() / turns;
        const auto is_sum = [](const json& value) { return value.is_number_unsigned(); };
        if (sets == 0 || !is_list_of(checksums[side], turns * sets, is_sum)) return false;
    }
    const json conditions = reply.value("conditions", json::object());
    return is_duration(reply.value("outside_seconds", json())) &&
           reply.value("grown_bytes", json()).is_number_integer() &&
           reply.value("discarded", json(0u)).is_number_unsigned() && conditions.is_object() &&
           std::ranges::all_of(conditions, [](const json& value) { return value.is_number(); });
}

}  // namespace

json to_json(const SampleRequest& request) {
    json object = {{"op", "sample"},           {"turns", request.turns}, {"states", request.states},
                   {"flush", request.flush},   {"poison", request.poison}, {"key", request.key}};
    if (request.capture) object["capture"] = {{"side", request.capture->side}, {"set", request.capture->set}};
    return object;
}

SampleRequest sample_request_from_json(const json& object) {
    SampleRequest request;
    object.at("turns").get_to(request.turns);
    object.at("states").get_to(request.states);
    request.flush = object.at("flush");
    request.poison = object.at("poison");
    request.key = object.at("key");
    if (const auto capture = object.find("capture"); capture != object.end())
        request.capture = {capture->at("side"), capture->at("set")};
    return request;
}

Patch patch_from_json(const json& object) {
    return {object.at("unit"), object.at("input"), object.at("offset"), object.at("bytes"), object.at("contents")};
}

json to_json(const Samples& samples) {
    return {{"seconds", samples.seconds},
            {"checksums", samples.checksums},
            {"outside_seconds", samples.outside_seconds},
            {"grown_bytes", samples.grown_bytes},
            {"discarded", samples.discarded},
            {"conditions", samples.conditions}};
}

Result<Samples> samples_from_json(const json& reply, const SampleRequest& request) {
    if (!is_answer(reply, request)) return fail(std::string(sentences::no_samples));
    Samples samples;
    reply.at("seconds").get_to(samples.seconds);
    reply.at("checksums").get_to(samples.checksums);
    samples.outside_seconds = reply.at("outside_seconds");
    samples.grown_bytes = reply.at("grown_bytes");
    samples.discarded = reply.value("discarded", 0);
    samples.conditions = reply.value("conditions", std::map<std::string, double>());
    return samples;
}

}  // namespace kernelgen
