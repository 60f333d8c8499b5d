// SPDX-License-Identifier: Apache-2.0
// Kernels of bias_add in C++, right and wrong, and their verification.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "core/host/host_backend.h"
#include "core/verify/verify.h"
#include "tests/core_verify/judging.h"

namespace kernelgen::testing {

inline const std::string right_body = "out[pid0 * D + i] = x[pid0 * D + i] + bias[i];";

/// A variant of bias_add, one row a tile program: `before` the loop over columns i, `each` element, and `after` it.
inline Implementation kernel(const std::string& before, const std::string& each, const std::string& after = "") {
    Implementation made;
    made.variant.name = "host";
    made.variant.source = "bias_add.cpp";
    made.variant.entry = "bias_add";
    made.variant.launches = {{.entry = "",
                              .grid = {"P"},
                              .args = {"x", "bias", "out", "P", "D"},
                              .order = {},
                              .threads = "",
                              .block = {},
                              .shared_bytes = ""}};
    made.text =
        "#include <cstdint>\n#include <cstdio>\n#include <cstdlib>\n"
        "extern \"C\" void bias_add(const float* x, const float* bias, float* out, int64_t P, int64_t D, int64_t pid0, "
        "int64_t, int64_t) {\n" +
        before + "\nfor (int64_t i = 0; i < D; ++i) {" + each + "}\n" + after + "\n}\n";
    return made;
}

inline VerifyRequest request(Implementation candidate) {
    VerifyRequest made;
    made.definition = tile("out = x + bias", {"x:P,D", "bias:D"});
    made.definition.name = "bias_add";
    made.cases = {{"small", DType::f32, {{"P", 33}, {"D", 100}}}};
    made.candidate = std::move(candidate);
    made.timeout_seconds = 20;
    return made;
}

inline VerifyResult verified(const VerifyRequest& request, std::stop_token stop = {}) {
    const std::unique_ptr<Backend> backend = make_host_backend(KERNELGEN_PROGRAM);
    return verify(request, *backend, [](std::string_view, int, int) {}, stop);
}

inline VerifyResult verified(const Implementation& candidate) { return verified(request(candidate)); }

}  // namespace kernelgen::testing
