# SPDX-License-Identifier: Apache-2.0
"""mha in PyTorch: what the Triton kernel is measured against."""
import torch

torch.backends.cuda.matmul.allow_tf32 = False  # float32 is multiplied as float32


def mha(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    """out = attention(q, k, v, lengths=lengths, dropout=0.1, seed=7)"""
    if q.dim() != 4:
        raise ValueError(f"q must be [B, H, N, D]; its shape is {list(q.shape)}")
    B, H, N, D = q.shape
    if k.dim() != 4:
        raise ValueError(f"k must be [B, H, M, D]; its shape is {list(k.shape)}")
    _, _, M, _ = k.shape
    if k.shape != (B, H, M, D):
        raise ValueError(f"k must be [B, H, M, D] = {list((B, H, M, D))}; its shape is {list(k.shape)}")
    if v.shape != (B, H, M, D):
        raise ValueError(f"v must be [B, H, M, D] = {list((B, H, M, D))}; its shape is {list(v.shape)}")
    if lengths.shape != (B,):
        raise ValueError(f"lengths must be [B] = {list((B,))}; its shape is {list(lengths.shape)}")
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
    if lengths.dtype != torch.int32:
        raise TypeError(f"lengths must be {torch.int32}; it is {lengths.dtype}")
    if lengths.device != q.device:
        raise ValueError(f"lengths must be on {q.device}, where q is; it is on {lengths.device}")
    q = q.contiguous()
    k = k.contiguous()
    v = v.contiguous()
    lengths = lengths.contiguous()

    column = torch.arange(M, device=q.device)
    seen = (column < lengths[:, None, None, None])
    T = torch.float64 if q.dtype == torch.float64 else torch.float32
    scores = q.to(T) @ k.to(T).transpose(-1, -2) * D ** -0.5
    scores = torch.where(seen, scores, float("-inf"))
    log_sum = torch.logsumexp(scores, dim=-1, keepdim=True)
    weights = torch.exp(scores - torch.where(log_sum == float("-inf"), 0, log_sum))  # a row that sees nothing is 0
    # Philox4x32-10 drops the same weights in every language.
    dropped_column = torch.arange(M, device=q.device)
    words = [dropped_column // 4, torch.arange(N, device=q.device)[:, None], torch.arange(H, device=q.device)[:, None, None], torch.arange(B, device=q.device)[:, None, None, None]]
    low_key, high_key = 7, 0
    for _ in range(10):
        first, second = words[0] * 0xD2511F53, words[2] * 0xCD9E8D57
        words = [(second >> 32 & 0xFFFFFFFF) ^ words[1] ^ low_key, second & 0xFFFFFFFF, (first >> 32 & 0xFFFFFFFF) ^ words[3] ^ high_key, first & 0xFFFFFFFF]
        low_key, high_key = low_key + 0x9E3779B9 & 0xFFFFFFFF, high_key + 0xBB67AE85 & 0xFFFFFFFF
    weights = torch.where(torch.where(dropped_column % 4 == 0, words[0], torch.where(dropped_column % 4 == 1, words[1], torch.where(dropped_column % 4 == 2, words[2], words[3]))) < 429496729, 0, weights * 1.1111111111111112)
    return (weights @ v.to(T)).to(q.dtype)


def main() -> None:
    """One call on small inputs, which shows that the file works here; --json prints it for programs."""
    import json
    import sys

    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(0)
    results = [mha(
        torch.randn((100, 7, 7, 100), device=device),
        torch.randn((100, 7, 7, 100), device=device),
        torch.randn((100, 7, 7, 100), device=device),
        torch.randn((100,), device=device).to(torch.int32),
    )]
    outputs = [
        {"name": name, "shape": list(each.shape), "dtype": str(each.dtype), "mean": each.double().mean().item()}
        for name, each in zip(("out",), results)
    ]
    if "--json" in sys.argv[1:]:
        print(json.dumps({"operator": "mha", "device": device, "outputs": outputs}))
    else:
        for each in outputs:
            print(f"mha on {device}: {each['name']} {each['shape']} {each['dtype']}, mean {each['mean']:.6g}")


if __name__ == "__main__":
    main()
