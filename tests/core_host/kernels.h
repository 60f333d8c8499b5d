// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <string>

#include "core/host/host_backend.h"
#include "core/project/project.h"
#include "core/verify/verify.h"

namespace kernelgen::testing {

inline Operator bias_add_operator() {
    Operator definition;
    definition.name = "bias_add";
    definition.symbols = {"P", "D"};
    definition.inputs = {{"x", {"P", "D"}, {}}, {"bias", {"D"}, {}}};
    definition.outputs = {{"out", {"P", "D"}, {}}};
    definition.body = "out = x + bias";
    return definition;
}

/// A `cpp` variant of bias_add: one row a program, with one tunable that any source may ignore.
inline Implementation bias_add_kernel(const std::string& text) {
    Implementation implementation;
    Variant& variant = implementation.variant;
    variant.name = "host";
    variant.source = "bias_add.cpp";
    variant.entry = "bias_add";
    Launch launch;
    launch.grid = {"P"};
    launch.args = {"x", "bias", "out", "P", "D"};
    variant.launches = {launch};
    variant.tunables = {{"UNROLL", {1, 2, 4}, 1}};
    implementation.configuration = {{"UNROLL", 1}};
    implementation.text = text;
    return implementation;
}

/// A source whose tile program runs `before`, then its row of the right result, then `after`.
inline std::string bias_add_source(const std::string& before = "", const std::string& after = "",
                                   const std::string& head = "") {
    return "#include <stdint.h>\n" + head +
           "\nextern \"C\" void bias_add(const DTYPE* x, const DTYPE* bias, DTYPE* out, int64_t P, int64_t D,\n"
           "                         int64_t pid0, int64_t, int64_t) {\n" +
           before + "\n    for (int64_t d = 0; d < D; ++d) out[pid0 * D + d] = x[pid0 * D + d] + bias[d];\n" + after +
           "\n    (void)P;\n}\n";
}

inline VerifyRequest verify_request(const Implementation& kernel, const Sizes& sizes = {{"P", 37}, {"D", 129}}) {
    VerifyRequest request;
    request.definition = bias_add_operator();
    request.cases = {{"small", DType::f32, sizes}};
    request.candidate = kernel;
    request.timeout_seconds = 5;
    return request;
}

inline std::unique_ptr<Backend> host_backend() { return make_host_backend(KERNELGEN_PROGRAM); }

inline const Progress no_progress = [](std::string_view, int, int) {};

}  // namespace kernelgen::testing
