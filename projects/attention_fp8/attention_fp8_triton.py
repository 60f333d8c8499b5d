# SPDX-License-Identifier: Apache-2.0
"""attention_fp8 as a Triton kernel:

    out = attention(q, k, v, q_scale=q_scale, k_scale=k_scale, v_scale=v_scale)

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
def attention_fp8_kernel(
    q_ptr, k_ptr, v_ptr, q_scale_ptr, k_scale_ptr, v_scale_ptr, out_ptr, H, N, D, Hk, M,
    T: tl.constexpr, SCALE: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, HEAD_SIZE: tl.constexpr,
    ON_CPU: tl.constexpr,
):
    """A program computes BLOCK_M rows of a head, BLOCK_N columns at a time."""
    row_tiles = tl.cdiv(N, BLOCK_M)
    head = (tl.program_id(0) // row_tiles).to(tl.int64)
    row_block = tl.program_id(0) % row_tiles
    rows = row_block * BLOCK_M + tl.arange(0, BLOCK_M)[:, None]
    row_mask = rows < N
    head_columns = tl.arange(0, HEAD_SIZE)[None, :]
    mask = row_mask & (head_columns < D)
    queries = tl.load(q_ptr + (head * N + rows) * D + head_columns, mask=mask, other=0.0).to(tl.bfloat16)
    kv_head = head // H * Hk + head % H // (H // Hk)  # heads of a group share keys
    first = 0
    last = M
    largest = tl.full((BLOCK_M, 1), float("-inf"), T)
    total = tl.zeros((BLOCK_M, 1), T)
    sums = tl.zeros((BLOCK_M, HEAD_SIZE), T)
    for start in range(first, last, BLOCK_N):
        columns = start + tl.arange(0, BLOCK_N)[None, :]
        column_mask = columns < M
        keys = tl.load(k_ptr + (kv_head * M + tl.trans(columns)) * D + head_columns, mask=tl.trans(column_mask) & (head_columns < D), other=0.0).to(tl.bfloat16)
        if T == tl.float64:  # BLOCK_N is 1
            scores = tl.sum(queries.to(T) * keys.to(T), axis=1, keep_dims=True)
        elif ON_CPU:  # the interpreter would multiply the codes of bfloat16
            scores = tl.dot(queries.to(T), tl.trans(keys.to(T)), out_dtype=T)
        else:
            scores = tl.dot(queries, tl.trans(keys), input_precision="ieee", out_dtype=T)
        scores = scores * SCALE * tl.load(q_scale_ptr + head * tl.cdiv(N, 128) + rows // 128, mask=row_mask, other=0.0).to(T) * tl.load(k_scale_ptr + kv_head * tl.cdiv(M, 128) + columns // 128, mask=column_mask, other=0.0).to(T)
        scores = tl.where(column_mask, scores, float("-inf"))
        most = tl.maximum(largest, tl.max(scores, axis=1, keep_dims=True))
        base = tl.where(most == float("-inf"), 0.0, most)
        weights = tl.exp(scores - base)
        kept = tl.exp(largest - base)
        largest = most
        total = total * kept + tl.sum(weights, axis=1, keep_dims=True)
        values = tl.load(v_ptr + (kv_head * M + tl.trans(columns)) * D + head_columns, mask=tl.trans(column_mask) & (head_columns < D), other=0.0).to(tl.bfloat16)
        weights = weights * tl.load(v_scale_ptr + kv_head * tl.cdiv(M, 128) + columns // 128, mask=column_mask, other=0.0).to(T)
        if T == tl.float64:
            sums = sums * kept + weights * values.to(T)
        elif ON_CPU:
            sums = tl.dot(weights, values.to(T), sums * kept, out_dtype=T)
        else:
            sums = tl.dot(weights.to(values.dtype), values, sums * kept, input_precision="ieee", out_dtype=T)
    total = tl.where(total == 0, 1.0, total)  # a row that sees nothing is 0
    tl.store(out_ptr + (head * N + rows) * D + head_columns, sums / total, mask=mask)


def on_device(x):
    """The tensor, in float32 for Triton's interpreter, which takes NaN of 8 bits for an infinity."""
    return x.float() if INTERPRETED else x


def attention_fp8(
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    q_scale: torch.Tensor,
    k_scale: torch.Tensor,
    v_scale: torch.Tensor,
    out_dtype: torch.dtype = torch.float32,
) -> torch.Tensor:
    """out = attention(q, k, v, q_scale=q_scale, k_scale=k_scale, v_scale=v_scale)"""
    if q.dim() != 4:
        raise ValueError(f"q must be [B, H, N, D]; its shape is {list(q.shape)}")
    B, H, N, D = q.shape
    if k.dim() != 4:
        raise ValueError(f"k must be [B, Hk, M, D]; its shape is {list(k.shape)}")
    _, Hk, M, _ = k.shape
    if k.shape != (B, Hk, M, D):
        raise ValueError(f"k must be [B, Hk, M, D] = {list((B, Hk, M, D))}; its shape is {list(k.shape)}")
    if v.shape != (B, Hk, M, D):
        raise ValueError(f"v must be [B, Hk, M, D] = {list((B, Hk, M, D))}; its shape is {list(v.shape)}")
    if q_scale.dim() != 3:
        raise ValueError(f"q_scale must be [B, H, P]; its shape is {list(q_scale.shape)}")
    _, _, P = q_scale.shape
    if q_scale.shape != (B, H, P):
        raise ValueError(f"q_scale must be [B, H, P] = {list((B, H, P))}; its shape is {list(q_scale.shape)}")
    if k_scale.dim() != 3:
        raise ValueError(f"k_scale must be [B, Hk, R]; its shape is {list(k_scale.shape)}")
    _, _, R = k_scale.shape
    if k_scale.shape != (B, Hk, R):
        raise ValueError(f"k_scale must be [B, Hk, R] = {list((B, Hk, R))}; its shape is {list(k_scale.shape)}")
    if v_scale.shape != (B, Hk, R):
        raise ValueError(f"v_scale must be [B, Hk, R] = {list((B, Hk, R))}; its shape is {list(v_scale.shape)}")
    if H != H // Hk * Hk:
        raise ValueError(f"H must be H // Hk * Hk = {H // Hk * Hk}; it is {H}")
    if P != (N + 127) // 128:
        raise ValueError(f"P must be (N + 127) // 128 = {(N + 127) // 128}; it is {P}")
    if R != (M + 127) // 128:
        raise ValueError(f"R must be (M + 127) // 128 = {(M + 127) // 128}; it is {R}")
    if q.dtype != torch.float8_e4m3fn:
        raise TypeError(f"q must be {torch.float8_e4m3fn}; it is {q.dtype}")
    if k.dtype != torch.float8_e4m3fn:
        raise TypeError(f"k must be {torch.float8_e4m3fn}; it is {k.dtype}")
    if k.device != q.device:
        raise ValueError(f"k must be on {q.device}, where q is; it is on {k.device}")
    if v.dtype != torch.float8_e4m3fn:
        raise TypeError(f"v must be {torch.float8_e4m3fn}; it is {v.dtype}")
    if v.device != q.device:
        raise ValueError(f"v must be on {q.device}, where q is; it is on {v.device}")
    if q_scale.dtype != torch.float32:
        raise TypeError(f"q_scale must be {torch.float32}; it is {q_scale.dtype}")
    if q_scale.device != q.device:
        raise ValueError(f"q_scale must be on {q.device}, where q is; it is on {q_scale.device}")
    if k_scale.dtype != torch.float32:
        raise TypeError(f"k_scale must be {torch.float32}; it is {k_scale.dtype}")
    if k_scale.device != q.device:
        raise ValueError(f"k_scale must be on {q.device}, where q is; it is on {k_scale.device}")
    if v_scale.dtype != torch.float32:
        raise TypeError(f"v_scale must be {torch.float32}; it is {v_scale.dtype}")
    if v_scale.device != q.device:
        raise ValueError(f"v_scale must be on {q.device}, where q is; it is on {v_scale.device}")
    q = q.contiguous()
    k = k.contiguous()
    v = v.contiguous()
    q_scale = q_scale.contiguous()
    k_scale = k_scale.contiguous()
    v_scale = v_scale.contiguous()
    if D > 256:
        raise ValueError(f"a head must have at most 256 elements; it has {D}")

    out = torch.empty((B, H, N, D), dtype=out_dtype, device=q.device)
    if out.numel() == 0:
        return out

    BLOCK_M = 64
    BLOCK_N = 32
    T = tl.float64 if out_dtype == torch.float64 else tl.float32
    grid = (triton.cdiv(N, BLOCK_M) * B * H,)
    attention_fp8_kernel[grid](
        on_device(q), on_device(k), on_device(v), q_scale, k_scale, v_scale, out, H, N, D, Hk, M,
        T=T, SCALE=D ** -0.5, BLOCK_M=BLOCK_M, BLOCK_N=1 if T == tl.float64 else BLOCK_N, HEAD_SIZE=max(16, triton.next_power_of_2(D)), ON_CPU=DEVICE == "cpu",
        num_warps=4, num_stages=2,
    )
    return out


def main() -> None:
    """One call on small inputs, which shows that the file works here; --json prints it for programs."""
    import json
    import sys

    torch.manual_seed(0)
    results = [attention_fp8(
        torch.randn((7, 7, 7, 100), device=DEVICE).to(torch.float8_e4m3fn),
        torch.randn((7, 7, 7, 100), device=DEVICE).to(torch.float8_e4m3fn),
        torch.randn((7, 7, 7, 100), device=DEVICE).to(torch.float8_e4m3fn),
        torch.randn((7, 7, 1), device=DEVICE).to(torch.float32),
        torch.randn((7, 7, 1), device=DEVICE).to(torch.float32),
        torch.randn((7, 7, 1), device=DEVICE).to(torch.float32),
    )]
    outputs = [
        {"name": name, "shape": list(each.shape), "dtype": str(each.dtype), "mean": each.double().mean().item()}
        for name, each in zip(("out",), results)
    ]
    if "--json" in sys.argv[1:]:
        print(json.dumps({"operator": "attention_fp8", "device": DEVICE, "outputs": outputs}))
    else:
        for each in outputs:
            print(f"attention_fp8 on {DEVICE}: {each['name']} {each['shape']} {each['dtype']}, mean {each['mean']:.6g}")


if __name__ == "__main__":
    main()
