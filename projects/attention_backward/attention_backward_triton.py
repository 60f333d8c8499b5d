# SPDX-License-Identifier: Apache-2.0
"""attention_backward as a Triton kernel:

    dq, dk, dv = attention_backward(q, k, v, out, lse, dout, causal=1)

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
def attention_backward_kernel(
    q_ptr, k_ptr, v_ptr, out_ptr, lse_ptr, dout_ptr, dq_ptr, dk_ptr, dv_ptr, H, N, D, Hk, M,
    T: tl.constexpr, SCALE: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, HEAD_SIZE: tl.constexpr,
    ON_CPU: tl.constexpr, OF_KEYS: tl.constexpr,
):
    """A program computes the gradients of BLOCK_M queries, or of BLOCK_N keys and values."""
    head_columns = tl.arange(0, HEAD_SIZE)[None, :]
    if OF_KEYS:
        column_tiles = tl.cdiv(M, BLOCK_N)
        kv_head = (tl.program_id(0) // column_tiles).to(tl.int64)
        first_column = tl.program_id(0) % column_tiles * BLOCK_N
        columns = first_column + tl.arange(0, BLOCK_N)[None, :]
        column_mask = columns < M
        keys = tl.load(k_ptr + (kv_head * M + tl.trans(columns)) * D + head_columns, mask=tl.trans(column_mask) & (head_columns < D), other=0.0)
        values = tl.load(v_ptr + (kv_head * M + tl.trans(columns)) * D + head_columns, mask=tl.trans(column_mask) & (head_columns < D), other=0.0)
        key_sums = tl.zeros((BLOCK_N, HEAD_SIZE), T)
        value_sums = tl.zeros((BLOCK_N, HEAD_SIZE), T)
        for member in range(0, H // Hk):  # heads of a group share keys
            head = kv_head // Hk * H + kv_head % Hk * (H // Hk) + member
            for start in range(max(first_column + N - M, 0), N, BLOCK_M):
                rows = start + tl.arange(0, BLOCK_M)[:, None]
                row_mask = rows < N
                mask = row_mask & (head_columns < D)
                queries = tl.load(q_ptr + (head * N + rows) * D + head_columns, mask=mask, other=0.0)
                output_gradients = tl.load(dout_ptr + (head * N + rows) * D + head_columns, mask=mask, other=0.0)
                log_sum = tl.load(lse_ptr + head * N + rows, mask=row_mask, other=0.0).to(T)
                delta = tl.sum(tl.load(out_ptr + (head * N + rows) * D + head_columns, mask=mask, other=0.0).to(T) * output_gradients.to(T), axis=1, keep_dims=True)
                if T == tl.float64:  # BLOCK_N is 1
                    scores = tl.sum(queries.to(T) * keys.to(T), axis=1, keep_dims=True)
                elif ON_CPU:  # the interpreter would multiply the codes of bfloat16
                    scores = tl.dot(queries.to(T), tl.trans(keys.to(T)), out_dtype=T)
                else:
                    scores = tl.dot(queries, tl.trans(keys), input_precision="ieee", out_dtype=T)
                scores = scores * SCALE
                scores = tl.where(column_mask & (columns <= rows + M - N), scores, float("-inf"))
                weights = tl.where(scores == float("-inf"), 0.0, tl.exp(scores - log_sum))
                if T == tl.float64:  # BLOCK_N is 1
                    gradients = tl.sum(output_gradients.to(T) * values.to(T), axis=1, keep_dims=True)
                elif ON_CPU:  # the interpreter would multiply the codes of bfloat16
                    gradients = tl.dot(output_gradients.to(T), tl.trans(values.to(T)), out_dtype=T)
                else:
                    gradients = tl.dot(output_gradients, tl.trans(values), input_precision="ieee", out_dtype=T)
                gradients = tl.where(scores == float("-inf"), 0.0, weights * (gradients - delta))
                if T == tl.float64:
                    value_sums += tl.sum(weights * output_gradients.to(T), axis=0, keep_dims=True)
                elif ON_CPU:
                    value_sums = tl.dot(tl.trans(weights), output_gradients.to(T), value_sums, out_dtype=T)
                else:
                    value_sums = tl.dot(tl.trans(weights.to(output_gradients.dtype)), output_gradients, value_sums, input_precision="ieee", out_dtype=T)
                if T == tl.float64:
                    key_sums += tl.sum(gradients * queries.to(T), axis=0, keep_dims=True)
                elif ON_CPU:
                    key_sums = tl.dot(tl.trans(gradients), queries.to(T), key_sums, out_dtype=T)
                else:
                    key_sums = tl.dot(tl.trans(gradients.to(queries.dtype)), queries, key_sums, input_precision="ieee", out_dtype=T)
        tl.store(dk_ptr + (kv_head * M + tl.trans(columns)) * D + head_columns, key_sums * SCALE, mask=(tl.trans(columns) < M) & (head_columns < D))
        tl.store(dv_ptr + (kv_head * M + tl.trans(columns)) * D + head_columns, value_sums, mask=(tl.trans(columns) < M) & (head_columns < D))
    else:
        row_tiles = tl.cdiv(N, BLOCK_M)
        head = (tl.program_id(0) // row_tiles).to(tl.int64)
        row_block = row_tiles - 1 - tl.program_id(0) % row_tiles  # rows that see most begin
        kv_head = head // H * Hk + head % H // (H // Hk)  # heads of a group share keys
        rows = row_block * BLOCK_M + tl.arange(0, BLOCK_M)[:, None]
        row_mask = rows < N
        mask = row_mask & (head_columns < D)
        queries = tl.load(q_ptr + (head * N + rows) * D + head_columns, mask=mask, other=0.0)
        output_gradients = tl.load(dout_ptr + (head * N + rows) * D + head_columns, mask=mask, other=0.0)
        log_sum = tl.load(lse_ptr + head * N + rows, mask=row_mask, other=0.0).to(T)
        delta = tl.sum(tl.load(out_ptr + (head * N + rows) * D + head_columns, mask=mask, other=0.0).to(T) * output_gradients.to(T), axis=1, keep_dims=True)
        sums = tl.zeros((BLOCK_M, HEAD_SIZE), T)
        for start in range(0, min((row_block + 1) * BLOCK_M + M - N, M), BLOCK_N):
            columns = start + tl.arange(0, BLOCK_N)[None, :]
            column_mask = columns < M
            keys = tl.load(k_ptr + (kv_head * M + tl.trans(columns)) * D + head_columns, mask=tl.trans(column_mask) & (head_columns < D), other=0.0)
            values = tl.load(v_ptr + (kv_head * M + tl.trans(columns)) * D + head_columns, mask=tl.trans(column_mask) & (head_columns < D), other=0.0)
            if T == tl.float64:  # BLOCK_N is 1
                scores = tl.sum(queries.to(T) * keys.to(T), axis=1, keep_dims=True)
            elif ON_CPU:  # the interpreter would multiply the codes of bfloat16
                scores = tl.dot(queries.to(T), tl.trans(keys.to(T)), out_dtype=T)
            else:
                scores = tl.dot(queries, tl.trans(keys), input_precision="ieee", out_dtype=T)
            scores = scores * SCALE
            scores = tl.where(column_mask & (columns <= rows + M - N), scores, float("-inf"))
            weights = tl.where(scores == float("-inf"), 0.0, tl.exp(scores - log_sum))
            if T == tl.float64:  # BLOCK_N is 1
                gradients = tl.sum(output_gradients.to(T) * values.to(T), axis=1, keep_dims=True)
            elif ON_CPU:  # the interpreter would multiply the codes of bfloat16
                gradients = tl.dot(output_gradients.to(T), tl.trans(values.to(T)), out_dtype=T)
            else:
                gradients = tl.dot(output_gradients, tl.trans(values), input_precision="ieee", out_dtype=T)
            gradients = tl.where(scores == float("-inf"), 0.0, weights * (gradients - delta))
            if T == tl.float64:
                sums += gradients * keys.to(T)
            elif ON_CPU:
                sums = tl.dot(gradients, keys.to(T), sums, out_dtype=T)
            else:
                sums = tl.dot(gradients.to(keys.dtype), keys, sums, input_precision="ieee", out_dtype=T)
        tl.store(dq_ptr + (head * N + rows) * D + head_columns, sums * SCALE, mask=mask)


def attention_backward(
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    out: torch.Tensor,
    lse: torch.Tensor,
    dout: torch.Tensor,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """dq, dk, dv = attention_backward(q, k, v, out, lse, dout, causal=1)"""
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
    if out.shape != (B, H, N, D):
        raise ValueError(f"out must be [B, H, N, D] = {list((B, H, N, D))}; its shape is {list(out.shape)}")
    if lse.shape != (B, H, N):
        raise ValueError(f"lse must be [B, H, N] = {list((B, H, N))}; its shape is {list(lse.shape)}")
    if dout.shape != (B, H, N, D):
        raise ValueError(f"dout must be [B, H, N, D] = {list((B, H, N, D))}; its shape is {list(dout.shape)}")
    if H != H // Hk * Hk:
        raise ValueError(f"H must be H // Hk * Hk = {H // Hk * Hk}; it is {H}")
    if q.dtype not in (torch.float64, torch.float32, torch.float16, torch.bfloat16):
        raise TypeError(f"q must be float64, float32, float16 or bfloat16; it is {q.dtype}")
    if k.dtype != q.dtype:
        raise TypeError(f"k must be {q.dtype}; it is {k.dtype}")
    if k.device != q.device:
        raise ValueError(f"k must be on {q.device}, where q is; it is on {k.device}")
    if v.dtype != q.dtype:
        raise TypeError(f"v must be {q.dtype}; it is {v.dtype}")
    if v.device != q.device:
        raise ValueError(f"v must be on {q.device}, where q is; it is on {v.device}")
    if out.dtype != q.dtype:
        raise TypeError(f"out must be {q.dtype}; it is {out.dtype}")
    if out.device != q.device:
        raise ValueError(f"out must be on {q.device}, where q is; it is on {out.device}")
    if lse.dtype != torch.float32:
        raise TypeError(f"lse must be {torch.float32}; it is {lse.dtype}")
    if lse.device != q.device:
        raise ValueError(f"lse must be on {q.device}, where q is; it is on {lse.device}")
    if dout.dtype != q.dtype:
        raise TypeError(f"dout must be {q.dtype}; it is {dout.dtype}")
    if dout.device != q.device:
        raise ValueError(f"dout must be on {q.device}, where q is; it is on {dout.device}")
    q = q.contiguous()
    k = k.contiguous()
    v = v.contiguous()
    out = out.contiguous()
    lse = lse.contiguous()
    dout = dout.contiguous()
    if D > 256:
        raise ValueError(f"a head must have at most 256 elements; it has {D}")

    dq = torch.empty_like(q)
    dk = torch.empty_like(k)
    dv = torch.empty_like(k)
    if max(dq.numel(), dk.numel(), dv.numel()) == 0:
        return dq, dk, dv

    BLOCK_M = 64
    BLOCK_N = 32
    T = tl.float64 if q.dtype == torch.float64 else tl.float32
    grid = (triton.cdiv(N, BLOCK_M) * B * H,)
    column_block = 1 if T == tl.float64 else BLOCK_N
    column_grid = (triton.cdiv(M, column_block) * B * Hk,)
    for of_keys in (False, True):
        attention_backward_kernel[column_grid if of_keys else grid](
            q, k, v, out, lse, dout, dq, dk, dv, H, N, D, Hk, M,
            T=T, SCALE=D ** -0.5, BLOCK_M=BLOCK_M, BLOCK_N=1 if T == tl.float64 else BLOCK_N, HEAD_SIZE=max(16, triton.next_power_of_2(D)), ON_CPU=DEVICE == "cpu", OF_KEYS=of_keys,
            num_warps=4, num_stages=2,
        )
    return dq, dk, dv


def main() -> None:
    """One call on small inputs, which shows that the file works here; --json prints it for programs."""
    import json
    import sys

    torch.manual_seed(0)
    results = attention_backward(
        torch.randn((7, 7, 100, 100), device=DEVICE),
        torch.randn((7, 7, 7, 100), device=DEVICE),
        torch.randn((7, 7, 7, 100), device=DEVICE),
        torch.randn((7, 7, 100, 100), device=DEVICE),
        torch.randn((7, 7, 100), device=DEVICE).to(torch.float32),
        torch.randn((7, 7, 100, 100), device=DEVICE),
    )
    outputs = [
        {"name": name, "shape": list(each.shape), "dtype": str(each.dtype), "mean": each.double().mean().item()}
        for name, each in zip(("dq", "dk", "dv"), results)
    ]
    if "--json" in sys.argv[1:]:
        print(json.dumps({"operator": "attention_backward", "device": DEVICE, "outputs": outputs}))
    else:
        for each in outputs:
            print(f"attention_backward on {DEVICE}: {each['name']} {each['shape']} {each['dtype']}, mean {each['mean']:.6g}")


if __name__ == "__main__":
    main()
