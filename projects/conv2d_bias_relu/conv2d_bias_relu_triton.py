# SPDX-License-Identifier: Apache-2.0
"""conv2d_bias_relu as a Triton kernel:

    out = relu(conv2d(x, w, padding=1) + bias)

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
def conv2d_bias_relu_kernel(
    x_ptr, w_ptr, bias_ptr, out_ptr, parts_ptr, C, H, W, O, row_count, depth, pixels,
    T: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, GROUP_M: tl.constexpr, SPLIT_K: tl.constexpr,
    STEP: tl.constexpr, ON_CPU: tl.constexpr, BLOCK_K: tl.constexpr,
):
    """A program computes a tile of BLOCK_M rows and BLOCK_N columns, BLOCK_K of the depth at a time."""
    # Programs that start together read the same rows and columns: GROUP_M tiles of rows by all of columns.
    program = tl.program_id(0)
    row_tiles = tl.cdiv(O, BLOCK_M)
    tiles = row_tiles * tl.cdiv(pixels, BLOCK_N)
    batch = (program // tiles).to(tl.int64)
    program %= tiles
    group_size = GROUP_M * tl.cdiv(pixels, BLOCK_N)
    first_row_tile = program // group_size * GROUP_M
    group_rows = min(row_tiles - first_row_tile, GROUP_M)
    row_tile = (first_row_tile + program % group_size % group_rows).to(tl.int64)
    column_tile = (program % group_size // group_rows).to(tl.int64)
    matrix_rows = row_tile * BLOCK_M + tl.arange(0, BLOCK_M)[:, None]
    row_mask = matrix_rows < O
    rows = batch * O + matrix_rows
    columns = column_tile * BLOCK_N + tl.arange(0, BLOCK_N)[None, :]
    column_mask = columns < pixels
    mask = row_mask & column_mask
    t = tl.zeros((BLOCK_M, BLOCK_N), T)
    part = tl.program_id(1).to(tl.int64)
    if STEP == 2:  # the sums of all parts of the depth, in their order
        for each_part in range(0, SPLIT_K):
            t += tl.load(parts_ptr + ((part + each_part) * row_count + rows) * pixels + columns, mask=mask, other=0.0)
        end = 0
    else:
        end = depth
    first = 0
    if STEP == 1:
        first = part * tl.cdiv(tl.cdiv(depth, BLOCK_K), SPLIT_K) * BLOCK_K
        end = min(depth, first + tl.cdiv(tl.cdiv(depth, BLOCK_K), SPLIT_K) * BLOCK_K)
    for start in range(first, end, BLOCK_K):
        left_depth = start + tl.arange(0, BLOCK_K)[None, :]
        left_mask = row_mask & (left_depth < depth)
        w_tile = tl.load(w_ptr + matrix_rows * depth + left_depth, mask=left_mask, other=0.0)
        right_depth = start + tl.arange(0, BLOCK_K)[:, None]
        y = columns // W
        top = y - 1
        left_edge = columns % W - 1
        tap = right_depth % (3 * 3)
        h = top + tap // 3
        w = left_edge + tap % 3
        inside = column_mask & (right_depth < depth) & (h >= 0) & (h < H) & (w >= 0) & (w < W)
        right_row, right_column = tl.broadcast((batch * C + right_depth // (3 * 3)) * H + h, w)
        x_tile = tl.load(x_ptr + right_row * W + right_column, mask=inside, other=0.0)
        if T == tl.float64:  # BLOCK_K is 1
            t += w_tile.to(T) * x_tile.to(T)
        elif ON_CPU:  # the interpreter would multiply the codes of bfloat16
            t = tl.dot(w_tile.to(T), x_tile.to(T), t, out_dtype=T)
        else:
            t = tl.dot(w_tile, x_tile, t, input_precision="ieee", out_dtype=T)
    if STEP == 1:
        tl.store(parts_ptr + (part * row_count + rows) * pixels + columns, t, mask=mask)
    else:
        bias = tl.load(bias_ptr + rows % O, mask=row_mask).to(T)
        tl.store(out_ptr + rows * pixels + columns, nan_maximum(t + bias, 0.0), mask=mask)


def conv2d_bias_relu(x: torch.Tensor, w: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
    """out = relu(conv2d(x, w, padding=1) + bias)"""
    if x.dim() != 4:
        raise ValueError(f"x must be [N, C, H, W]; its shape is {list(x.shape)}")
    N, C, H, W = x.shape
    if w.dim() != 4:
        raise ValueError(f"w must be [O, C, 3, 3]; its shape is {list(w.shape)}")
    O, _, _, _ = w.shape
    if w.shape != (O, C, 3, 3):
        raise ValueError(f"w must be [O, C, 3, 3] = {list((O, C, 3, 3))}; its shape is {list(w.shape)}")
    if bias.shape != (O, 1, 1):
        raise ValueError(f"bias must be [O, 1, 1] = {list((O, 1, 1))}; its shape is {list(bias.shape)}")
    if x.dtype not in (torch.float64, torch.float32, torch.float16, torch.bfloat16):
        raise TypeError(f"x must be float64, float32, float16 or bfloat16; it is {x.dtype}")
    if w.dtype != x.dtype:
        raise TypeError(f"w must be {x.dtype}; it is {w.dtype}")
    if w.device != x.device:
        raise ValueError(f"w must be on {x.device}, where x is; it is on {w.device}")
    if bias.dtype != x.dtype:
        raise TypeError(f"bias must be {x.dtype}; it is {bias.dtype}")
    if bias.device != x.device:
        raise ValueError(f"bias must be on {x.device}, where x is; it is on {bias.device}")
    x = x.contiguous()
    w = w.contiguous()
    bias = bias.contiguous()
    depth = C * 3 * 3
    pixels = H * W
    row_count = N * O

    out = torch.empty((N, O, H, W), dtype=x.dtype, device=x.device)
    if out.numel() == 0:
        return out

    BLOCK_M = 128
    BLOCK_N = 128
    BLOCK_K = 32
    GROUP_M = 8
    SPLIT_K = 1
    T = tl.float64 if x.dtype == torch.float64 else tl.float32
    grid = (triton.cdiv(O, BLOCK_M) * triton.cdiv(pixels, BLOCK_N) * N,)
    # Several programs share the depth of a tile: their sums are added in a second step.
    parts = out
    if SPLIT_K > 1:
        parts = torch.empty((SPLIT_K, row_count, pixels), dtype=torch.float64 if T == tl.float64 else torch.float32, device=x.device)
    for step in (1, 2) if SPLIT_K > 1 else (0,):
        conv2d_bias_relu_kernel[grid + (SPLIT_K if step == 1 else 1,)](
            x, w, bias, out, parts, C, H, W, O, row_count, depth, pixels,
            T=T, BLOCK_M=BLOCK_M, BLOCK_N=BLOCK_N, GROUP_M=GROUP_M, SPLIT_K=SPLIT_K, STEP=step, ON_CPU=INTERPRETED, BLOCK_K=1 if T == tl.float64 else BLOCK_K,
            num_warps=8, num_stages=3,
        )
    return out


def main() -> None:
    """One call on small inputs, which shows that the file works here; --json prints it for programs."""
    import json
    import sys

    torch.manual_seed(0)
    results = [conv2d_bias_relu(
        torch.randn((7, 7, 7, 100), device=DEVICE),
        torch.randn((7, 7, 3, 3), device=DEVICE),
        torch.randn((7, 1, 1), device=DEVICE),
    )]
    outputs = [
        {"name": name, "shape": list(each.shape), "dtype": str(each.dtype), "mean": each.double().mean().item()}
        for name, each in zip(("out",), results)
    ]
    if "--json" in sys.argv[1:]:
        print(json.dumps({"operator": "conv2d_bias_relu", "device": DEVICE, "outputs": outputs}))
    else:
        for each in outputs:
            print(f"conv2d_bias_relu on {DEVICE}: {each['name']} {each['shape']} {each['dtype']}, mean {each['mean']:.6g}")


if __name__ == "__main__":
    main()
