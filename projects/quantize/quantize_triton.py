# SPDX-License-Identifier: Apache-2.0
"""quantize as a Triton kernel:

    scale = max(row_max(abs(x)), 1e-12) / 448
    q = clamp(x / scale, -448, 448)

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

INTERPRETED = os.environ.get("TRITON_INTERPRET") == "1"


@triton.jit
def nan_maximum(a, b):
    """The larger of both, NaN where one of them is."""
    return tl.maximum(a, b, propagate_nan=tl.PropagateNan.ALL)


@triton.jit
def nan_minimum(a, b):
    """The smaller of both, NaN where one of them is."""
    return tl.minimum(a, b, propagate_nan=tl.PropagateNan.ALL)


@triton.jit
def nan_row_max(x):
    """The largest of each row, NaN where the row has one: tl.max leaves NaN out."""
    has_nan = tl.max((x != x).to(tl.int32), axis=1, keep_dims=True) > 0
    return tl.where(has_nan, float("nan"), tl.max(x, axis=1, keep_dims=True))


@triton.jit
def quantize_kernel(
    x_ptr, q_ptr, scale_ptr, M, K,
    T: tl.constexpr, POLICY: tl.constexpr, WHOLE_ROW: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
):
    """A program computes BLOCK_M rows."""
    rows = tl.program_id(0).to(tl.int64) * BLOCK_M + tl.arange(0, BLOCK_M)[:, None]
    row_mask = rows < M
    if WHOLE_ROW:
        # The row fits a tile: it is read once.
        columns = tl.arange(0, BLOCK_N)[None, :]
        column_mask = columns < K
        mask = row_mask & column_mask
        offsets = rows * K + columns
        x = tl.load(x_ptr + offsets, mask=mask, other=0.0, eviction_policy=POLICY).to(T)
        largest = nan_row_max(tl.where(column_mask, tl.abs(x), float("-inf")))
        scale = nan_maximum(largest, tl.full((), 1e-12, T)) / 448.0
        tl.store(q_ptr + offsets, nan_minimum(nan_maximum(x / scale, -448.0), 448.0), mask=mask)
        tl.store(scale_ptr + rows, scale, mask=row_mask)
    else:
        largest_parts = tl.full((BLOCK_M, BLOCK_N), float("-inf"), T)
        for start in range(0, K, BLOCK_N):
            columns = start + tl.arange(0, BLOCK_N)[None, :]
            column_mask = columns < K
            mask = row_mask & column_mask
            offsets = rows * K + columns
            x = tl.load(x_ptr + offsets, mask=mask, other=0.0, eviction_policy=POLICY).to(T)
            largest_parts = nan_maximum(largest_parts, tl.where(column_mask, tl.abs(x), float("-inf")))
        largest = nan_row_max(largest_parts)
        scale = nan_maximum(largest, tl.full((), 1e-12, T)) / 448.0
        for start in range(0, K, BLOCK_N):
            columns = start + tl.arange(0, BLOCK_N)[None, :]
            column_mask = columns < K
            mask = row_mask & column_mask
            offsets = rows * K + columns
            x = tl.load(x_ptr + offsets, mask=mask, other=0.0, eviction_policy=POLICY).to(T)
            tl.store(q_ptr + offsets, nan_minimum(nan_maximum(x / scale, -448.0), 448.0), mask=mask)
        tl.store(scale_ptr + rows, scale, mask=row_mask)


def quantize(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """scale = max(row_max(abs(x)), 1e-12) / 448; q = clamp(x / scale, -448, 448)"""
    if x.dim() != 2:
        raise ValueError(f"x must be [M, K]; its shape is {list(x.shape)}")
    M, K = x.shape
    if x.dtype not in (torch.float64, torch.float32, torch.float16, torch.bfloat16):
        raise TypeError(f"x must be float64, float32, float16 or bfloat16; it is {x.dtype}")
    x = x.contiguous()

    q = torch.empty((M, K), dtype=torch.float32 if INTERPRETED else torch.float8_e4m3fn, device=x.device)
    scale = torch.empty((M,), dtype=torch.float32, device=x.device)
    if max(q.numel(), scale.numel()) == 0:
        return q.to(torch.float8_e4m3fn), scale

    BLOCK_M = 1
    BLOCK_N = 16384  # the longest tile: a longer row is read in parts
    LOAD_CACHE = 0
    policy = {0: "", 2: "evict_first", 3: "evict_last"}[LOAD_CACHE]
    T = tl.float64 if x.dtype == torch.float64 else tl.float32
    grid = (triton.cdiv(M, BLOCK_M),)
    tile = min(BLOCK_N, triton.next_power_of_2(max(K, 1)))
    quantize_kernel[grid](
        x, q, scale, M, K,
        T=T, POLICY=policy, WHOLE_ROW=K <= BLOCK_N, BLOCK_M=BLOCK_M, BLOCK_N=tile,
        num_warps=8, num_stages=1,
    )
    return q.to(torch.float8_e4m3fn), scale


def main() -> None:
    """One call on small inputs, which shows that the file works here; --json prints it for programs."""
    import json
    import sys

    torch.manual_seed(0)
    results = quantize(torch.randn((7, 100), device=DEVICE))
    outputs = [
        {"name": name, "shape": list(each.shape), "dtype": str(each.dtype), "mean": each.double().mean().item()}
        for name, each in zip(("q", "scale"), results)
    ]
    if "--json" in sys.argv[1:]:
        print(json.dumps({"operator": "quantize", "device": DEVICE, "outputs": outputs}))
    else:
        for each in outputs:
            print(f"quantize on {DEVICE}: {each['name']} {each['shape']} {each['dtype']}, mean {each['mean']:.6g}")


if __name__ == "__main__":
    main()
