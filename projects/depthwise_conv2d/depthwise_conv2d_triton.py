# SPDX-License-Identifier: Apache-2.0
"""depthwise_conv2d as a Triton kernel:

    out = conv2d(x, w, padding=1, groups=C)

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
def depthwise_conv2d_kernel(
    x_ptr, w_ptr, out_ptr, C, H, W, row_count,
    T: tl.constexpr, ROWS_FIRST: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
):
    """A program computes a tile of BLOCK_M rows and BLOCK_N columns."""
    # The columns' axis is first, for programs that start together then read what lies together;
    # but no axis except the first may be longer than 65535.
    row_tile = tl.program_id(0 if ROWS_FIRST else 1).to(tl.int64)
    column_tile = tl.program_id(1 if ROWS_FIRST else 0).to(tl.int64)
    rows = row_tile * BLOCK_M + tl.arange(0, BLOCK_M)[:, None]
    row_mask = rows < row_count
    columns = column_tile * BLOCK_N + tl.arange(0, BLOCK_N)[None, :]
    column_mask = columns < W
    mask = row_mask & column_mask
    offsets = rows * W + columns
    # Each element adds up its window of the image.
    image = rows // H // C
    kernel = rows // H % C
    top = rows % H - 1
    left_edge = columns - 1
    out = tl.zeros((BLOCK_M, BLOCK_N), T)
    for k in range(0, 1 * 3 * 3):
        tap = k % (3 * 3)
        channel = k // (3 * 3)
        h = top + tap // 3
        w = left_edge + tap % 3
        inside = mask & (h >= 0) & (h < H) & (w >= 0) & (w < W)
        image_row, image_column = tl.broadcast((image * C + kernel // (C // C) * 1 + channel) * H + h, w)
        x_tile = tl.load(x_ptr + image_row * W + image_column, mask=inside, other=0.0).to(T)
        kernel_row = (kernel * 1 + channel) * 3 + tap // 3
        w_tile = tl.load(w_ptr + kernel_row * 3 + tap % 3, mask=row_mask, other=0.0).to(T)
        out += x_tile * w_tile
    tl.store(out_ptr + offsets, out, mask=mask)


def depthwise_conv2d(x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
    """out = conv2d(x, w, padding=1, groups=C)"""
    if x.dim() != 4:
        raise ValueError(f"x must be [N, C, H, W]; its shape is {list(x.shape)}")
    N, C, H, W = x.shape
    if w.shape != (C, 1, 3, 3):
        raise ValueError(f"w must be [C, 1, 3, 3] = {list((C, 1, 3, 3))}; its shape is {list(w.shape)}")
    if x.dtype not in (torch.float64, torch.float32, torch.float16, torch.bfloat16):
        raise TypeError(f"x must be float64, float32, float16 or bfloat16; it is {x.dtype}")
    if w.dtype != x.dtype:
        raise TypeError(f"w must be {x.dtype}; it is {w.dtype}")
    if w.device != x.device:
        raise ValueError(f"w must be on {x.device}, where x is; it is on {w.device}")
    x = x.contiguous()
    w = w.contiguous()
    row_count = N * C * H

    out = torch.empty_like(x)
    if out.numel() == 0:
        return out

    BLOCK_M = 2
    BLOCK_N = 512
    T = tl.float64 if x.dtype == torch.float64 else tl.float32
    grid = (triton.cdiv(row_count, BLOCK_M), triton.cdiv(W, BLOCK_N))
    rows_first = grid[0] > 65535
    depthwise_conv2d_kernel[grid if rows_first else grid[::-1]](
        x, w, out, C, H, W, row_count,
        T=T, ROWS_FIRST=rows_first, BLOCK_M=BLOCK_M, BLOCK_N=BLOCK_N,
        num_warps=4, num_stages=1,
    )
    return out


def main() -> None:
    """One call on small inputs, which shows that the file works here; --json prints it for programs."""
    import json
    import sys

    torch.manual_seed(0)
    results = [depthwise_conv2d(
        torch.randn((7, 7, 7, 100), device=DEVICE),
        torch.randn((7, 1, 3, 3), device=DEVICE),
    )]
    outputs = [
        {"name": name, "shape": list(each.shape), "dtype": str(each.dtype), "mean": each.double().mean().item()}
        for name, each in zip(("out",), results)
    ]
    if "--json" in sys.argv[1:]:
        print(json.dumps({"operator": "depthwise_conv2d", "device": DEVICE, "outputs": outputs}))
    else:
        for each in outputs:
            print(f"depthwise_conv2d on {DEVICE}: {each['name']} {each['shape']} {each['dtype']}, mean {each['mean']:.6g}")


if __name__ == "__main__":
    main()
