// SPDX-License-Identifier: Apache-2.0
#include "core/backend/sampling.h"

#include <nlohmann/json.hpp>

namespace kernelgen {

using nlohmann::json;

json to_json(const SampleRequest& request) {
    json object = {{"op", "sample"},         {"turns", request.turns},   {"states", request.states},
                   {"flush", request.flush}, {"poison", request.poison}, {"key", request.key}};
    if (const auto& capture = request.capture)
        object["capture"] = {{"side", capture->side}, {"set", capture->set}, {"turn", capture->turn}};
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
    return {{"seconds", samples.seconds},
            {"checksums", samples.checksums},
            {"outside_seconds", samples.outside_seconds},
            {"grown_bytes", samples.grown_bytes},
            {"discarded", samples.discarded},
            {"conditions", samples.conditions}};
}

}  // namespace kernelgen
