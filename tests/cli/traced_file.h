// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tests/cli/program.h"
#include "tests/core_python/needs.h"

namespace kernelgen::testing {

/// `scaled(x, scale)` with its kernel, a reference and a test, as a file to be traced.
inline const char* const scaled_kernel = R"(import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.autotune(configs=[triton.Config({"BLOCK": 64}, num_warps=2), triton.Config({"BLOCK": 128})], key=["n"])
@triton.heuristics({"EVEN": lambda args: args["n"] % args["BLOCK"] == 0})
@triton.jit
def scaled_kernel(x, out, n, scale, BLOCK: tl.constexpr, EVEN: "tl.constexpr"):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(x + at, mask=at < n)
    tl.store(out + at, libdevice.tanh(values) * scale, mask=at < n)
)";

inline const char* const scaled_wrapper = R"(

def scaled(x, scale=2.0, bias=None, mode="tanh"):
    assert x.is_cuda and mode == "tanh"
    out = torch.empty_like(x)
    with torch.cuda.device(x.device):
        scaled_kernel[lambda meta: [triton.cdiv(x.numel(), meta["BLOCK"])]](x, out, x.numel(), scale)
    return out if bias is None else out + bias


def torch_scaled(x, scale=2.0):
    return torch.tanh(x) * scale


def test_scaled():
    short = scaled(torch.randn(100, device="cuda"))
    long = scaled(torch.randn(3, 64, device="cuda"), 0.5)
    return short, long


)";

class TracedFile : public ProgramTest {
protected:
    void SetUp() override {
        ProgramTest::SetUp();
        NEEDS(Language::triton);
    }
    void write(const std::string& tests) {
        ASSERT_TRUE(write_file_atomic(folder / "scaled.py", std::string(scaled_kernel) + scaled_wrapper + tests));
    }
    Ran trace(const std::string& reference, const std::vector<std::string>& further = {}) {
        std::vector<std::string> arguments = {"import", "scaled.py", "--trace", "-o", "made"};
        if (!reference.empty()) arguments.insert(arguments.end(), {"--reference", reference});
        arguments.insert(arguments.end(), further.begin(), further.end());
        return kernelgen(arguments);
    }
    std::string made(const std::string& file) { return read_file(folder / "made" / file).value_or(""); }
};

}  // namespace kernelgen::testing
