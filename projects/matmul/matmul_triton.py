# SPDX-License-Identifier: Apache-2.0
"""matmul as a Triton kernel:

    out = a @ b

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
def matmul_kernel(
    a_ptr, b_ptr, out_ptr, parts_ptr, M, K, N,
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
    offsets = rows * N + columns
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
        a_tile = tl.load(a_ptr + rows * K + left_depth, mask=left_mask, other=0.0)
        right_depth = start + tl.arange(0, BLOCK_K)[:, None]
        right_mask = column_mask & (right_depth < K)
        b_tile = tl.load(b_ptr + right_depth * N + columns, mask=right_mask, other=0.0)
        if T == tl.float64:  # BLOCK_K is 1
            out += a_tile.to(T) * b_tile.to(T)
        elif ON_CPU:  # the interpreter would multiply the codes of bfloat16
            out = tl.dot(a_tile.to(T), b_tile.to(T), out, out_dtype=T)
        else:
            out = tl.dot(a_tile, b_tile, out, input_precision="ieee", out_dtype=T)
    if STEP == 1:
        tl.store(parts_ptr + (part * M + rows) * N + columns, out, mask=mask)
    else:
        tl.store(out_ptr + offsets, out, mask=mask)


def matmul(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """out = a @ b"""
    if a.dim() != 2:
        raise ValueError(f"a must be [M, K]; its shape is {list(a.shape)}")
    M, K = a.shape
    if b.dim() != 2:
        raise ValueError(f"b must be [K, N]; its shape is {list(b.shape)}")
    _, N = b.shape
    if b.shape != (K, N):
        raise ValueError(f"b must be [K, N] = {list((K, N))}; its shape is {list(b.shape)}")
    if a.dtype not in (torch.float64, torch.float32, torch.float16, torch.bfloat16):
        raise TypeError(f"a must be float64, float32, float16 or bfloat16; it is {a.dtype}")
    if b.dtype != a.dtype:
        raise TypeError(f"b must be {a.dtype}; it is {b.dtype}")
    if b.device != a.device:
        raise ValueError(f"b must be on {a.device}, where a is; it is on {b.device}")
    a = a.contiguous()
    b = b.contiguous()

    out = torch.empty((M, N), dtype=a.dtype, device=a.device)
    if out.numel() == 0:
        return out

    BLOCK_M = 128
    BLOCK_N = 128
    BLOCK_K = 32
    GROUP_M = 8
    SPLIT_K = 1
    num_warps = 8
    num_stages = 3
    if DEVICE == "cuda" and (a.dtype.itemsize == 2 and 4 * triton.cdiv ( M , 128 ) * triton.cdiv ( N , 128 ) <= torch.cuda.get_device_properties(a.device).multi_processor_count and K >= 2048):
        SPLIT_K = 4
    elif DEVICE == "cuda" and (a.dtype.itemsize == 2 and 2 * triton.cdiv ( M , 128 ) * triton.cdiv ( N , 128 ) <= torch.cuda.get_device_properties(a.device).multi_processor_count and K >= 1024):
        SPLIT_K = 2
    elif DEVICE == "cuda" and (a.dtype.itemsize == 2 and torch.cuda.get_device_properties(a.device).shared_memory_per_block_optin >= 220000 and 2 * triton.cdiv ( M , 128 ) * triton.cdiv ( N , 256 ) >= torch.cuda.get_device_properties(a.device).multi_processor_count):
        BLOCK_K = 64
        BLOCK_M = 128
        BLOCK_N = 256
        GROUP_M = 16
        num_stages = 4
        num_warps = 8
    T = tl.float64 if a.dtype == torch.float64 else tl.float32
    grid = (triton.cdiv(M, BLOCK_M) * triton.cdiv(N, BLOCK_N),)
    # Several programs share the depth of a tile: their sums are added in a second step.
    parts = out
    if SPLIT_K > 1:
        parts = torch.empty((SPLIT_K, M, N), dtype=torch.float64 if T == tl.float64 else torch.float32, device=a.device)
    for step in (1, 2) if SPLIT_K > 1 else (0,):
        matmul_kernel[grid + (SPLIT_K if step == 1 else 1,)](
            a, b, out, parts, M, K, N,
            T=T, BLOCK_M=BLOCK_M, BLOCK_N=BLOCK_N, GROUP_M=GROUP_M, SPLIT_K=SPLIT_K, STEP=step, ON_CPU=INTERPRETED, BLOCK_K=1 if T == tl.float64 else BLOCK_K,
            num_warps=num_warps, num_stages=num_stages,
        )
    return out


def main() -> None:
    """One call on small inputs, which shows that the file works here; --json prints it for programs."""
    import json
    import sys

    torch.manual_seed(0)
    results = [matmul(torch.randn((7, 100), device=DEVICE), torch.randn((100, 100), device=DEVICE))]
    outputs = [
        {"name": name, "shape": list(each.shape), "dtype": str(each.dtype), "mean": each.double().mean().item()}
        for name, each in zip(("out",), results)
    ]
    if "--json" in sys.argv[1:]:
        print(json.dumps({"operator": "matmul", "device": DEVICE, "outputs": outputs}))
    else:
        for each in outputs:
            print(f"matmul on {DEVICE}: {each['name']} {each['shape']} {each['dtype']}, mean {each['mean']:.6g}")


if __name__ == "__main__":
    main()
