# SPDX-License-Identifier: Apache-2.0
import torch
import triton
import triton.language as tl


@triton.jit
def broadcast_v1(x_ptr, bias_ptr, out_ptr, P, D, stride_x_row, stride_o_row,
                 BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    """Triton kernel"""
    # 1. Program ids
    pid_m = tl.program_id(axis=0)
    pid_n = tl.program_id(axis=1)

    # 2. Rows and columns
    row_ids = pid_m * BLOCK_M + tl.arange(0, BLOCK_M)
    col_ids = pid_n * BLOCK_N + tl.arange(0, BLOCK_N)

    # 3. Masks
    mask_rows = row_ids < P
    mask_cols = col_ids < D
    mask = mask_rows[:, None] & mask_cols[None, :]

    # 4. Alignment
    tl.multiple_of(col_ids, 64)

    # 5. Load bias
    bias_tile = tl.load(bias_ptr + col_ids, mask=mask_cols, other=0.0).to(tl.float32)

    # 6. Offsets of the output
    out_offsets = row_ids[:, None] * stride_o_row + col_ids[None, :]

    # 7. Broadcast bias
    val_tile = tl.broadcast_to(bias_tile[None, :], (BLOCK_M, BLOCK_N))

    # 8. Store the output
    tl.store(out_ptr + out_offsets, val_tile, mask=mask)


def broadcast_v1(x: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
    """Python wrapper"""
    # 1. Check the inputs
    assert x.is_npu and bias.is_npu, "x and bias must be NPU tensors"
    x_c = x.contiguous()
    bias_c = bias.contiguous()
    assert x_c.dim() >= 1, "x must have at least 1 dimension"
    D = bias_c.numel()
    assert x_c.shape[-1] == D, "bias last dimension must match x's last dimension"
    P = x_c.numel() // D

    # 2. Allocate the output
    out = torch.empty_like(x_c)

    # 3. Tunables
    BLOCK_N = 512
    BLOCK_M = 32
    stride_row = D

    # 4. Grid
    grid = lambda meta: (triton.cdiv(P, meta['BLOCK_M']), triton.cdiv(D, meta['BLOCK_N']))

    # 5. Launch the kernel
    broadcast_v1[grid](
        x_c, bias_c, out,
        P, D,
        stride_row, stride_row,
        BLOCK_M=BLOCK_M, BLOCK_N=BLOCK_N,
        num_warps=4, num_stages=3,
    )
    return out
