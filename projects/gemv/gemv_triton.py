# SPDX-License-Identifier: Apache-2.0
"""gemv as a Triton kernel:

    out = x @ transpose(w)

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
def gemv_kernel(
    x_ptr, w_ptr, out_ptr, parts_ptr, M, K, N,
    T: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, GROUP_M: tl.constexpr, SPLIT_K: tl.constexpr,
    STEP: tl.constexpr, ON_CPU: tl.constexpr, BLOCK_K: tl.constexpr,
):
    """A program computes a tile of BLOCK_M rows and BLOCK_N columns, BLOCK_K of the depth at a time."""
    # Programs that start together read the same rows and columns: GROUP_M tiles of rows by all of columns.
    program = tl.program_id(0)
    row_tiles = tl.cdiv(M, BLOCK_M)
    group_size = GROUP_M * tl.cdiv(N, BLOCK_N)
    first_row_tile = program // group_size * GROUP_M
    group_rows = min(row_tiles - first_row_tile, GROUP_M)
    row_tile = (first_row_tile + program % group_size % group_rows).to(tl.int64)
    column_tile = (program % group_size // group_rows).to(tl.int64)
    rows = row_tile * BLOCK_M + tl.arange(0, BLOCK_M)[:, None]
    row_mask = rows < M
    columns = column_tile * BLOCK_N + tl.arange(0, BLOCK_N)[None, :]
    column_mask = columns < N
    mask = row_mask & column_mask
    out = tl.zeros((BLOCK_M, BLOCK_N), T)
    part = tl.program_id(1).to(tl.int64)
    if STEP == 2:  # the sums of all parts of the depth, in their order
        for each_part in range(0, SPLIT_K):
            out += tl.load(parts_ptr + ((part + each_part) * M + rows) * N + columns, mask=mask, other=0.0)
        end = 0
    else:
        end = K
    first = 0
    if STEP == 1:
        first = part * tl.cdiv(tl.cdiv(K, BLOCK_K), SPLIT_K) * BLOCK_K
        end = min(K, first + tl.cdiv(tl.cdiv(K, BLOCK_K), SPLIT_K) * BLOCK_K)
    for start in range(first, end, BLOCK_K):
        left_depth = start + tl.arange(0, BLOCK_K)[None, :]
        left_mask = row_mask & (left_depth < K)
        x_tile = tl.load(x_ptr + rows * K + left_depth, mask=left_mask, other=0.0)
        right_depth = start + tl.arange(0, BLOCK_K)[:, None]
        right_mask = column_mask & (right_depth < K)
        w_tile = tl.load(w_ptr + columns * K + right_depth, mask=right_mask, other=0.0)
        if T == tl.float64:  # BLOCK_K is 1
            out += x_tile.to(T) * w_tile.to(T)
        elif ON_CPU:  # the interpreter would multiply the codes of bfloat16
            out = tl.dot(x_tile.to(T), w_tile.to(T), out, out_dtype=T)
        else:
            out = tl.dot(x_tile, w_tile, out, input_precision="ieee", out_dtype=T)
    if STEP == 1:
        tl.store(parts_ptr + (part * M + rows) * N + columns, out, mask=mask)
    else:
        tl.store(out_ptr + rows * N + columns, out, mask=mask)


def gemv(x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
    """out = x @ transpose(w)"""
    if x.dim() != 2:
        raise ValueError(f"x must be [M, K]; its shape is {list(x.shape)}")
    M, K = x.shape
    if w.dim() != 2:
        raise ValueError(f"w must be [N, K]; its shape is {list(w.shape)}")
    N, _ = w.shape
    if w.shape != (N, K):
        raise ValueError(f"w must be [N, K] = {list((N, K))}; its shape is {list(w.shape)}")
    if x.dtype not in (torch.float64, torch.float32, torch.float16, torch.bfloat16):
        raise TypeError(f"x must be float64, float32, float16 or bfloat16; it is {x.dtype}")
    if w.dtype != x.dtype:
        raise TypeError(f"w must be {x.dtype}; it is {w.dtype}")
    if w.device != x.device:
        raise ValueError(f"w must be on {x.device}, where x is; it is on {w.device}")
    x = x.contiguous()
    w = w.contiguous()

    out = torch.empty((M, N), dtype=x.dtype, device=x.device)
    if out.numel() == 0:
        return out

    BLOCK_M = 128
    BLOCK_N = 128
    BLOCK_K = 32
    GROUP_M = 8
    SPLIT_K = 1
    num_warps = 8
    num_stages = 3
    if DEVICE == "cuda" and (x.dtype.itemsize == 2 and 4 * triton.cdiv ( M , 128 ) * triton.cdiv ( N , 128 ) <= torch.cuda.get_device_properties(x.device).multi_processor_count and K >= 2048):
        SPLIT_K = 4
    elif DEVICE == "cuda" and (x.dtype.itemsize == 2 and 2 * triton.cdiv ( M , 128 ) * triton.cdiv ( N , 128 ) <= torch.cuda.get_device_properties(x.device).multi_processor_count and K >= 1024):
        SPLIT_K = 2
    elif DEVICE == "cuda" and (x.dtype.itemsize == 2 and torch.cuda.get_device_properties(x.device).shared_memory_per_block_optin >= 220000 and 2 * triton.cdiv ( M , 128 ) * triton.cdiv ( N , 256 ) >= torch.cuda.get_device_properties(x.device).multi_processor_count):
        BLOCK_K = 64
        BLOCK_M = 128
        BLOCK_N = 256
        GROUP_M = 16
        num_stages = 4
        num_warps = 8
    T = tl.float64 if x.dtype == torch.float64 else tl.float32
    grid = (triton.cdiv(M, BLOCK_M) * triton.cdiv(N, BLOCK_N),)
    # Several programs share the depth of a tile: their sums are added in a second step.
    parts = out
    if SPLIT_K > 1:
        parts = torch.empty((SPLIT_K, M, N), dtype=torch.float64 if T == tl.float64 else torch.float32, device=x.device)
    for step in (1, 2) if SPLIT_K > 1 else (0,):
        gemv_kernel[grid + (SPLIT_K if step == 1 else 1,)](
            x, w, out, parts, M, K, N,
            T=T, BLOCK_M=BLOCK_M, BLOCK_N=BLOCK_N, GROUP_M=GROUP_M, SPLIT_K=SPLIT_K, STEP=step, ON_CPU=INTERPRETED, BLOCK_K=1 if T == tl.float64 else BLOCK_K,
            num_warps=num_warps, num_stages=num_stages,
        )
    return out


def main() -> None:
    """One call on small inputs, which shows that the file works here; --json prints it for programs."""
    import json
    import sys

    torch.manual_seed(0)
    results = [gemv(torch.randn((7, 100), device=DEVICE), torch.randn((7, 100), device=DEVICE))]
    outputs = [
        {"name": name, "shape": list(each.shape), "dtype": str(each.dtype), "mean": each.double().mean().item()}
        for name, each in zip(("out",), results)
    ]
    if "--json" in sys.argv[1:]:
        print(json.dumps({"operator": "gemv", "device": DEVICE, "outputs": outputs}))
    else:
        for each in outputs:
            print(f"gemv on {DEVICE}: {each['name']} {each['shape']} {each['dtype']}, mean {each['mean']:.6g}")


if __name__ == "__main__":
    main()
