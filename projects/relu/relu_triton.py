# SPDX-License-Identifier: Apache-2.0
"""relu as a Triton kernel:

    out = relu(x)

Arithmetic is in float32, or in float64 where the tensors are float64. NaN and infinities are as PyTorch has them.
"""
import os

import torch

try:
    import torch_npu  # an Ascend NPU: untested
except ImportError:
    torch_npu = None

DEVICE = "cuda" if torch.cuda.is_available() else "npu" if torch_npu and torch.npu.is_available() else "cpu"
if DEVICE == "cpu":  # Triton's interpreter, which must be chosen before triton is imported
    os.environ.setdefault("TRITON_INTERPRET", "1")

import triton
import triton.language as tl


@triton.jit
def nan_maximum(a, b):
    """The larger of both, NaN where one of them is."""
    return tl.maximum(a, b, propagate_nan=tl.PropagateNan.ALL)


@triton.jit
def relu_kernel(x_ptr, out_ptr, elements, T: tl.constexpr, POLICY: tl.constexpr, BLOCK_N: tl.constexpr):
    """A program computes BLOCK_N elements."""
    offsets = tl.program_id(0).to(tl.int64) * BLOCK_N + tl.arange(0, BLOCK_N)
    mask = offsets < elements
    x = tl.load(x_ptr + offsets, mask=mask, eviction_policy=POLICY).to(T)
    tl.store(out_ptr + offsets, nan_maximum(x, 0.0), mask=mask)


def relu(x: torch.Tensor) -> torch.Tensor:
    """out = relu(x)"""
    if x.dim() != 2:
        raise ValueError(f"x must be [P, D]; its shape is {list(x.shape)}")
    P, D = x.shape
    if x.dtype not in (torch.float64, torch.float32, torch.float16, torch.bfloat16):
        raise TypeError(f"x must be float64, float32, float16 or bfloat16; it is {x.dtype}")
    x = x.contiguous()

    out = torch.empty_like(x)
    if out.numel() == 0:
        return out

    BLOCK_N = 1024
    LOAD_CACHE = 3
    policy = {0: "", 2: "evict_first", 3: "evict_last"}[LOAD_CACHE]
    T = tl.float64 if x.dtype == torch.float64 else tl.float32
    elements = out.numel()
    grid = (triton.cdiv(elements, BLOCK_N),)
    relu_kernel[grid](
        x, out, elements,
        T=T, POLICY=policy, BLOCK_N=BLOCK_N,
        num_warps=4, num_stages=1,
    )
    return out


def main() -> None:
    """One call on small inputs, which shows that the file works here; --json prints it for programs."""
    import json
    import sys

    torch.manual_seed(0)
    results = [relu(torch.randn((7, 100), device=DEVICE))]
    outputs = [
        {"name": name, "shape": list(each.shape), "dtype": str(each.dtype), "mean": each.double().mean().item()}
        for name, each in zip(("out",), results)
    ]
    if "--json" in sys.argv[1:]:
        print(json.dumps({"operator": "relu", "device": DEVICE, "outputs": outputs}))
    else:
        for each in outputs:
            print(f"relu on {DEVICE}: {each['name']} {each['shape']} {each['dtype']}, mean {each['mean']:.6g}")


if __name__ == "__main__":
    main()
