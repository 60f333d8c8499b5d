# SPDX-License-Identifier: Apache-2.0
"""attention_backward in PyTorch: what the Triton kernel is measured against."""
import torch

torch.backends.cuda.matmul.allow_tf32 = False  # float32 is multiplied as float32


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

    is_fast = q.device.type == "cuda" and q.dtype in (torch.float16, torch.bfloat16)
    # Heads of a group share keys.
    k = k.repeat_interleave(H // Hk, dim=1)
    v = v.repeat_interleave(H // Hk, dim=1)
    fits = D % 8 == 0 and D <= 128 and N > 1 and M > 1 and N == M  # sizes that cuDNN's kernel takes
    if is_fast and fits and torch.cuda.get_device_capability(q.device)[0] >= 8:
        no_seed = torch.zeros((), dtype=torch.int64, device=q.device)
        gradients = torch.ops.aten._scaled_dot_product_cudnn_attention_backward(
            dout, q, k, v, out, lse.to(torch.float32)[..., None],
            no_seed, no_seed, None, None, None, N, M, 0.0, True,
        )
        return gradients[0], gradients[1].unflatten(1, (Hk, -1)).sum(dim=2), gradients[2].unflatten(1, (Hk, -1)).sum(dim=2)
    column = torch.arange(M, device=q.device)
    own_column = torch.arange(N, device=q.device)[:, None] + (M - N)  # the last row's own column is the last one
    seen = (column <= own_column)
    T = torch.float64 if q.dtype == torch.float64 else torch.float32
    scores = q.to(T) @ k.to(T).transpose(-1, -2) * D ** -0.5
    scores = torch.where(seen, scores, float("-inf"))
    log_sum = lse.to(T)[..., None]
    weights = torch.where(scores == float("-inf"), 0, torch.exp(scores - log_sum))
    output_gradient = dout.to(T)
    delta = (out.to(T) * output_gradient).sum(dim=-1, keepdim=True)
    gradients = output_gradient @ v.to(T).transpose(-1, -2)
    gradients = torch.where(scores == float("-inf"), 0, weights * (gradients - delta))
    return (
        (gradients @ k.to(T) * D ** -0.5).to(q.dtype),
        ((gradients.transpose(-1, -2) @ q.to(T) * D ** -0.5).unflatten(1, (Hk, -1)).sum(dim=2)).to(q.dtype),
        ((weights.transpose(-1, -2) @ output_gradient).unflatten(1, (Hk, -1)).sum(dim=2)).to(q.dtype),
    )


def main() -> None:
    """One call on small inputs, which shows that the file works here; --json prints it for programs."""
    import json
    import sys

    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(0)
    results = attention_backward(
        torch.randn((7, 7, 100, 100), device=device),
        torch.randn((7, 7, 7, 100), device=device),
        torch.randn((7, 7, 7, 100), device=device),
        torch.randn((7, 7, 100, 100), device=device),
        torch.randn((7, 7, 100), device=device).to(torch.float32),
        torch.randn((7, 7, 100, 100), device=device),
    )
    outputs = [
        {"name": name, "shape": list(each.shape), "dtype": str(each.dtype), "mean": each.double().mean().item()}
        for name, each in zip(("dq", "dk", "dv"), results)
    ]
    if "--json" in sys.argv[1:]:
        print(json.dumps({"operator": "attention_backward", "device": device, "outputs": outputs}))
    else:
        for each in outputs:
            print(f"attention_backward on {device}: {each['name']} {each['shape']} {each['dtype']}, mean {each['mean']:.6g}")


if __name__ == "__main__":
    main()
