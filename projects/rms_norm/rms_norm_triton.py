# SPDX-License-Identifier: Apache-2.0
"""rms_norm as a Triton kernel:

    out = x * rsqrt(row_mean(x * x) + eps) * gamma

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
def quotient(a, b):
    """a / b, rounded to nearest: in float32 Triton's own is only near it, so that the mean of ones would not be 1."""
    if a.dtype == tl.float32:
        return tl.div_rn(a, b * 1.0)
    return a / b


@triton.jit
def rms_norm_kernel(
    x_ptr, gamma_ptr, out_ptr, P, D,
    eps: tl.constexpr, T: tl.constexpr, POLICY: tl.constexpr, WHOLE_ROW: tl.constexpr, BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
):
    """A program computes BLOCK_M rows."""
    rows = tl.program_id(0).to(tl.int64) * BLOCK_M + tl.arange(0, BLOCK_M)[:, None]
    row_mask = rows < P
    if WHOLE_ROW:
        # The row fits a tile: it is read once.
        columns = tl.arange(0, BLOCK_N)[None, :]
        column_mask = columns < D
        mask = row_mask & column_mask
        offsets = rows * D + columns
        x = tl.load(x_ptr + offsets, mask=mask, other=0.0, eviction_policy=POLICY).to(T)
        mean = quotient(tl.sum(tl.where(column_mask, x * x, 0.0), axis=1, keep_dims=True), D)
        inverse_root = tl.rsqrt(mean + eps)
        gamma = tl.load(gamma_ptr + columns, mask=column_mask, other=0.0).to(T)
        tl.store(out_ptr + offsets, x * inverse_root * gamma, mask=mask)
    else:
        mean_parts = tl.full((BLOCK_M, BLOCK_N), 0.0, T)
        for start in range(0, D, BLOCK_N):
            columns = start + tl.arange(0, BLOCK_N)[None, :]
            column_mask = columns < D
            mask = row_mask & column_mask
            offsets = rows * D + columns
            x = tl.load(x_ptr + offsets, mask=mask, other=0.0, eviction_policy=POLICY).to(T)
            mean_parts += tl.where(column_mask, x * x, 0.0)
        mean = quotient(tl.sum(mean_parts, axis=1, keep_dims=True), D)
        inverse_root = tl.rsqrt(mean + eps)
        for start in range(0, D, BLOCK_N):
            columns = start + tl.arange(0, BLOCK_N)[None, :]
            column_mask = columns < D
            mask = row_mask & column_mask
            offsets = rows * D + columns
            x = tl.load(x_ptr + offsets, mask=mask, other=0.0, eviction_policy=POLICY).to(T)
            gamma = tl.load(gamma_ptr + columns, mask=column_mask, other=0.0).to(T)
            tl.store(out_ptr + offsets, x * inverse_root * gamma, mask=mask)


def rms_norm(x: torch.Tensor, gamma: torch.Tensor, eps: float = 1e-06) -> torch.Tensor:
    """out = x * rsqrt(row_mean(x * x) + eps) * gamma"""
    if x.dim() != 2:
        raise ValueError(f"x must be [P, D]; its shape is {list(x.shape)}")
    P, D = x.shape
    if gamma.shape != (D,):
        raise ValueError(f"gamma must be [D] = {list((D,))}; its shape is {list(gamma.shape)}")
    if x.dtype not in (torch.float64, torch.float32, torch.float16, torch.bfloat16):
        raise TypeError(f"x must be float64, float32, float16 or bfloat16; it is {x.dtype}")
    if gamma.dtype != x.dtype:
        raise TypeError(f"gamma must be {x.dtype}; it is {gamma.dtype}")
    if gamma.device != x.device:
        raise ValueError(f"gamma must be on {x.device}, where x is; it is on {gamma.device}")
    x = x.contiguous()
    gamma = gamma.contiguous()

    out = torch.empty_like(x)
    if out.numel() == 0:
        return out

    BLOCK_M = 2
    BLOCK_N = 16384  # the longest tile: a longer row is read in parts
    LOAD_CACHE = 3
    policy = {0: "", 2: "evict_first", 3: "evict_last"}[LOAD_CACHE]
    T = tl.float64 if x.dtype == torch.float64 else tl.float32
    grid = (triton.cdiv(P, BLOCK_M),)
    tile = min(BLOCK_N, triton.next_power_of_2(D))
    rms_norm_kernel[grid](
        x, gamma, out, P, D,
        eps=eps, T=T, POLICY=policy, WHOLE_ROW=D <= BLOCK_N, BLOCK_M=BLOCK_M, BLOCK_N=tile,
        num_warps=4, num_stages=1,
    )
    return out


def main() -> None:
    """One call on small inputs, which shows that the file works here; --json prints it for programs."""
    import json
    import sys

    torch.manual_seed(0)
    results = [rms_norm(torch.randn((7, 100), device=DEVICE), torch.randn((100,), device=DEVICE))]
    outputs = [
        {"name": name, "shape": list(each.shape), "dtype": str(each.dtype), "mean": each.double().mean().item()}
        for name, each in zip(("out",), results)
    ]
    if "--json" in sys.argv[1:]:
        print(json.dumps({"operator": "rms_norm", "device": DEVICE, "outputs": outputs}))
    else:
        for each in outputs:
            print(f"rms_norm on {DEVICE}: {each['name']} {each['shape']} {each['dtype']}, mean {each['mean']:.6g}")


if __name__ == "__main__":
    main()
