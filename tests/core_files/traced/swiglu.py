# SPDX-License-Identifier: Apache-2.0
"""A file as people have them: a kernel, the function that launches it, and tests that print."""
import torch
import triton
import triton.language as tl


@triton.jit
def _swiglu_kernel(gate, up, out, count, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < count
    value = tl.load(gate + at, mask=inside)
    tl.store(out + at, value * tl.sigmoid(value) * tl.load(up + at, mask=inside), mask=inside)


def swiglu(gate, up):
    out = torch.empty_like(gate)
    _swiglu_kernel[(triton.cdiv(gate.numel(), 256),)](gate, up, out, gate.numel(), BLOCK=256)
    return out


def test_swiglu():
    results = {}
    for case, (rows, columns) in enumerate([(4, 128), (7, 33)]):
        gate = torch.randn(rows, columns, device="cuda")
        up = torch.randn(rows, columns, device="cuda")
        results[f"test_case_{case}"] = swiglu(gate, up)
    return results


result_gold = test_swiglu()
