# SPDX-License-Identifier: Apache-2.0
"""broadcast as a Triton kernel:

    out = bias

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
def broadcast_kernel(
    bias_ptr, out_ptr, P, D,
    T: tl.constexpr, ROWS_FIRST: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
):
    """A program computes a tile of BLOCK_M rows and BLOCK_N columns."""
    # The columns' axis is first, for programs that start together then read what lies together;
    # but no axis except the first may be longer than 65535.
    row_tile = tl.program_id(0 if ROWS_FIRST else 1).to(tl.int64)
    column_tile = tl.program_id(1 if ROWS_FIRST else 0).to(tl.int64)
    rows = row_tile * BLOCK_M + tl.arange(0, BLOCK_M)[:, None]
    row_mask = rows < P
    columns = column_tile * BLOCK_N + tl.arange(0, BLOCK_N)[None, :]
    column_mask = columns < D
    mask = row_mask & column_mask
    bias = tl.load(bias_ptr + columns, mask=column_mask).to(T)
    tl.store(out_ptr + rows * D + columns, bias, mask=mask)


def broadcast(bias: torch.Tensor, P: int) -> torch.Tensor:
    """out = bias"""
    if bias.dim() != 1:
        raise ValueError(f"bias must be [D]; its shape is {list(bias.shape)}")
    (D,) = bias.shape
    if bias.dtype not in (torch.float64, torch.float32, torch.float16, torch.bfloat16):
        raise TypeError(f"bias must be float64, float32, float16 or bfloat16; it is {bias.dtype}")
    bias = bias.contiguous()

    out = torch.empty((P, D), dtype=bias.dtype, device=bias.device)
    if out.numel() == 0:
        return out

    BLOCK_M = 4
    BLOCK_N = 1024
    T = tl.float64 if bias.dtype == torch.float64 else tl.float32
    grid = (triton.cdiv(P, BLOCK_M), triton.cdiv(D, BLOCK_N))
    rows_first = grid[0] > 65535
    broadcast_kernel[grid if rows_first else grid[::-1]](
        bias, out, P, D,
        T=T, ROWS_FIRST=rows_first, BLOCK_M=BLOCK_M, BLOCK_N=BLOCK_N,
        num_warps=8, num_stages=1,
    )
    return out


def main() -> None:
    """One call on small inputs, which shows that the file works here; --json prints it for programs."""
    import json
    import sys

    torch.manual_seed(0)
    results = [broadcast(torch.randn((100,), device=DEVICE), P=7)]
    outputs = [
        {"name": name, "shape": list(each.shape), "dtype": str(each.dtype), "mean": each.double().mean().item()}
        for name, each in zip(("out",), results)
    ]
    if "--json" in sys.argv[1:]:
        print(json.dumps({"operator": "broadcast", "device": DEVICE, "outputs": outputs}))
    else:
        for each in outputs:
            print(f"broadcast on {DEVICE}: {each['name']} {each['shape']} {each['dtype']}, mean {each['mean']:.6g}")


if __name__ == "__main__":
    main()
