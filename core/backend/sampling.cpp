// SPDX-License-Identifier: Apache-2.0
#include "core/backend/sampling.h"

#include <nlohmann/json.hpp>

namespace kernelgen {

using nlohmann::json;

namespace {

constexpr std::size_t digits = 16;  ///< of a number
constexpr std::string_view digit_letters = "0123456789abcdef";

std::optional<std::uint64_t> digit_of(char letter) {
    if (letter >= '0' && letter <= '9') return static_cast<std::uint64_t>(letter - '0');
    if (letter >= 'a' && letter <= 'f') return static_cast<std::uint64_t>(letter - 'a' + 10);
    return std::nullopt;
}

}  // namespace

std::string pack(std::span<const std::uint64_t> numbers) {
    std::string text;
    text.reserve(digits * numbers.size());
    for (const std::uint64_t number : numbers) {
        for (int shift = 60; shift >= 0; shift -= 4) text += digit_letters[number >> shift & 15];
    }
    return text;
}

std::optional<std::vector<std::uint64_t>> unpack(std::string_view text) {
    if (text.size() % digits != 0) return std::nullopt;
    std::vector<std::uint64_t> numbers(text.size() / digits);
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::optional<std::uint64_t> digit = digit_of(text[i]);
        if (!digit) return std::nullopt;
        numbers[i / digits] = numbers[i / digits] << 4 | *digit;
    }
    return numbers;
}

json to_json(const SampleRequest& request) {
    json object = {{"op", "sample"},         {"turns", request.turns},   {"states", pack(request.states)},
                   {"flush", request.flush}, {"poison", request.poison}, {"key", request.key}};
    if (const auto& capture = request.capture)
        object["capture"] = {{"side", capture->side}, {"set", capture->set}, {"turn", capture->turn}};
    return object;
}

SampleRequest sample_request_from_json(const json& object) {
    SampleRequest request;
    object.at("turns").get_to(request.turns);
    request.states = unpack(object.at("states").get<std::string>()).value();
    request.flush = object.at("flush");
    request.poison = object.at("poison");
    request.key = object.at("key");
    if (const auto capture = object.find("capture"); capture != object.end())
        request.capture = {capture->at("side"), capture->at("set"), capture->at("turn")};
    return request;
}

json to_json(const Patch& patch) {
    return {{"unit", patch.unit},
            {"input", patch.input},
            {"offset", patch.offset},
            {"bytes", patch.bytes},
            {"contents", patch.contents}};
}

Patch patch_from_json(const json& object) {
    return {object.at("unit"), object.at("input"), object.at("offset"), object.at("bytes"), object.at("contents")};
}

json to_json(const Samples& samples) {
    json checksums = json::array();
    for (const std::vector<std::uint64_t>& side : samples.checksums) checksums.push_back(pack(side));
    return {{"seconds", samples.seconds},
            {"checksums", std::move(checksums)},
            {"outside_seconds", samples.outside_seconds},
            {"idle_seconds", samples.idle_seconds},
            {"grown_bytes", samples.grown_bytes},
            {"discarded", samples.discarded},
            {"conditions", samples.conditions}};
}

}  // namespace kernelgen
