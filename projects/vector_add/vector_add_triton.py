# SPDX-License-Identifier: Apache-2.0
"""vector_add as a Triton kernel:

    out = x + y

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
def vector_add_kernel(
    x_ptr, y_ptr, out_ptr, elements,
    T: tl.constexpr, POLICY: tl.constexpr, BLOCK_N: tl.constexpr,
):
    """A program computes BLOCK_N elements."""
    offsets = tl.program_id(0).to(tl.int64) * BLOCK_N + tl.arange(0, BLOCK_N)
    mask = offsets < elements
    x = tl.load(x_ptr + offsets, mask=mask, eviction_policy=POLICY).to(T)
    y = tl.load(y_ptr + offsets, mask=mask, eviction_policy=POLICY).to(T)
    tl.store(out_ptr + offsets, x + y, mask=mask)


def vector_add(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """out = x + y"""
    if x.dim() != 1:
        raise ValueError(f"x must be [N]; its shape is {list(x.shape)}")
    (N,) = x.shape
    if y.shape != (N,):
        raise ValueError(f"y must be [N] = {list((N,))}; its shape is {list(y.shape)}")
    if x.dtype not in (torch.float64, torch.float32, torch.float16, torch.bfloat16):
        raise TypeError(f"x must be float64, float32, float16 or bfloat16; it is {x.dtype}")
    if y.dtype != x.dtype:
        raise TypeError(f"y must be {x.dtype}; it is {y.dtype}")
    if y.device != x.device:
        raise ValueError(f"y must be on {x.device}, where x is; it is on {y.device}")
    x = x.contiguous()
    y = y.contiguous()

    out = torch.empty_like(x)
    if out.numel() == 0:
        return out

    BLOCK_N = 2048
    LOAD_CACHE = 3
    policy = {0: "", 2: "evict_first", 3: "evict_last"}[LOAD_CACHE]
    T = tl.float64 if x.dtype == torch.float64 else tl.float32
    elements = out.numel()
    grid = (triton.cdiv(elements, BLOCK_N),)
    vector_add_kernel[grid](
        x, y, out, elements,
        T=T, POLICY=policy, BLOCK_N=BLOCK_N,
        num_warps=8, num_stages=1,
    )
    return out


def main() -> None:
    """One call on small inputs, which shows that the file works here; --json prints it for programs."""
    import json
    import sys

    torch.manual_seed(0)
    results = [vector_add(torch.randn((100,), device=DEVICE), torch.randn((100,), device=DEVICE))]
    outputs = [
        {"name": name, "shape": list(each.shape), "dtype": str(each.dtype), "mean": each.double().mean().item()}
        for name, each in zip(("out",), results)
    ]
    if "--json" in sys.argv[1:]:
        print(json.dumps({"operator": "vector_add", "device": DEVICE, "outputs": outputs}))
    else:
        for each in outputs:
            print(f"vector_add on {DEVICE}: {each['name']} {each['shape']} {each['dtype']}, mean {each['mean']:.6g}")


if __name__ == "__main__":
    main()
