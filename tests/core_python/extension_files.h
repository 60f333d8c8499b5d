// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tests/core_python/callable_files.h"

namespace kernelgen::testing {

/// C++ without PyTorch for `relu_definition`: `store` sets `to` of an element's value, `end` ends the function.
inline std::string plain_relu(const std::string& store = "to = value < 0 ? 0 : value;",
                              const std::string& end = "return 0;") {
    return R"(#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

extern "C" int relu(void** tensors, const int64_t* sizes, void* stream) {
    float* x = static_cast<float*>(tensors[0]);
    const float* bias = static_cast<const float*>(tensors[1]);
    float* out = static_cast<float*>(tensors[2]);
    if (sizes[2] != sizes[1] || sizes[3] != sizes[0] || sizes[4] != sizes[1] || stream != nullptr) return 7;
    for (int64_t at = 0; at < sizes[0] * sizes[1]; ++at) {
        const float value = x[at] + bias[at % sizes[1]];
        float& to = out[at];
        )" +
           store + "\n    }\n    " + end + "\n}\n";
}

inline Implementation extension_of(const std::string& text, const std::string& interface = "plain",
                                   const std::string& entry = "relu", const std::string& file = "solution.cpp") {
    Implementation made;
    made.variant = {.name = "solution", .language = Language::extension, .source = file, .entry = entry};
    made.variant.interface = interface;
    made.text = text;
    return made;
}

inline BuildRequest build_request(const Implementation& implementation) {
    BuildRequest request;
    request.definition = callable_operator();
    request.implementation = implementation;
    return request;
}

}  // namespace kernelgen::testing
