// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "core/bench/bench.h"
#include "core/host/host_backend.h"
#include "core/verify/verify.h"
#include "tests/core_python/needs.h"

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

inline Implementation python_variant(Language language, const std::string& text) {
    Implementation implementation;
    Variant& variant = implementation.variant;
    variant.name = to_string(language);
    variant.language = language;
    variant.source = "bias_add_file.py";
    variant.entry = "bias_add";
    implementation.text = text;
    return implementation;
}

/// A PyTorch file whose `bias_add` has this body.
inline Implementation torch_variant(const std::string& body, const std::string& head = "") {
    return python_variant(Language::torch, "import torch\n" + head + "\n\ndef bias_add(x, bias):\n    " + body + "\n");
}

/// A Triton file; `store` is the kernel's last statement, which has `at`, `mask` and `value`.
inline Implementation triton_variant(const std::string& store = "tl.store(out_ptr + at, value, mask=mask)") {
    Implementation made = python_variant(Language::triton, R"(import torch
import triton
import triton.language as tl


@triton.jit
def bias_add_kernel(x_ptr, bias_ptr, out_ptr, P, D, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    columns = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    mask = columns < D
    at = row * D + columns
    value = tl.load(x_ptr + at, mask=mask).to(tl.float32) + tl.load(bias_ptr + columns, mask=mask).to(tl.float32)
    )" + store + R"(


def bias_add(x: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
    assert x.is_contiguous() and bias.is_contiguous()
    P, D = x.shape
    out = torch.empty_like(x)
    BLOCK = 128
    bias_add_kernel[(P, triton.cdiv(D, BLOCK))](x, bias, out, P, D, BLOCK=BLOCK, num_warps=4)
    return out
)");
    made.variant.tunables = {{"BLOCK", {64, 128, 256}, 128}};
    made.configuration = {{"BLOCK", 64}};
    return made;
}

/// The same kernel, launched by the executor itself.
inline Implementation launched_triton_variant() {
    Implementation made = triton_variant();
    made.variant.entry = "bias_add_kernel";
    Launch launch;
    launch.grid = {"P", "cdiv(D, BLOCK)"};
    launch.args = {"x", "bias", "out", "P", "D"};
    made.variant.launches = {launch};
    return made;
}

inline VerifyRequest verify_request(const Implementation& candidate, DType dtype = DType::f32) {
    VerifyRequest request;
    request.definition = bias_add_operator();
    request.cases = {{"small", dtype, {{"P", 3}, {"D", 129}}}};
    request.candidate = candidate;
    request.timeout_seconds = 20;
    return request;
}

/// A backend whose executors nobody else has used or will use: for files that leave their process in disorder.
inline std::unique_ptr<Backend> own_backend() { return make_host_backend(KERNELGEN_PROGRAM); }

/// Keeps the backend of `host_backend`, which must end before what it uses does.
class KeptBackend : public ::testing::Environment {
public:
    Backend* get() {
        if (!backend_) backend_ = own_backend();
        return backend_.get();
    }
    void TearDown() override { backend_.reset(); }

private:
    std::unique_ptr<Backend> backend_;
};
inline auto* const kept_backend =
    static_cast<KeptBackend*>(::testing::AddGlobalTestEnvironment(std::make_unique<KeptBackend>().release()));

/// The one backend of this program. Its executors in Python serve one test after the other, as those of a worker serve
/// one request after the other: importing PyTorch takes longer than most tests.
inline Backend* host_backend() { return kept_backend->get(); }

inline const Progress no_progress = [](std::string_view, int, int) {};

}  // namespace kernelgen::testing
