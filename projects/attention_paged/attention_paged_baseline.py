# SPDX-License-Identifier: Apache-2.0
"""attention_paged in PyTorch: what the Triton kernel is measured against."""
import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

torch.backends.cuda.matmul.allow_tf32 = False  # float32 is multiplied as float32
# The kernels of PyTorch's attention, in the order in which they are tried.
KERNELS = [SDPBackend.CUDNN_ATTENTION, SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH]


def attention_paged(
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    lengths: torch.Tensor,
    table: torch.Tensor,
) -> torch.Tensor:
    """out = attention(q, k, v, lengths=lengths, block_table=table)"""
    if q.dim() != 4:
        raise ValueError(f"q must be [B, H, N, D]; its shape is {list(q.shape)}")
    B, H, N, D = q.shape
    if k.dim() != 4:
        raise ValueError(f"k must be [P, Hk, S, D]; its shape is {list(k.shape)}")
    P, Hk, S, _ = k.shape
    if k.shape != (P, Hk, S, D):
        raise ValueError(f"k must be [P, Hk, S, D] = {list((P, Hk, S, D))}; its shape is {list(k.shape)}")
    if v.shape != (P, Hk, S, D):
        raise ValueError(f"v must be [P, Hk, S, D] = {list((P, Hk, S, D))}; its shape is {list(v.shape)}")
    if lengths.shape != (B,):
        raise ValueError(f"lengths must be [B] = {list((B,))}; its shape is {list(lengths.shape)}")
    if table.dim() != 2:
        raise ValueError(f"table must be [B, T]; its shape is {list(table.shape)}")
    _, T2 = table.shape
    if table.shape != (B, T2):
        raise ValueError(f"table must be [B, T] = {list((B, T2))}; its shape is {list(table.shape)}")
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
    if lengths.dtype != torch.int32:
        raise TypeError(f"lengths must be {torch.int32}; it is {lengths.dtype}")
    if lengths.device != q.device:
        raise ValueError(f"lengths must be on {q.device}, where q is; it is on {lengths.device}")
    if table.dtype != torch.int32:
        raise TypeError(f"table must be {torch.int32}; it is {table.dtype}")
    if table.device != q.device:
        raise ValueError(f"table must be on {q.device}, where q is; it is on {table.device}")
    q = q.contiguous()
    k = k.contiguous()
    v = v.contiguous()
    lengths = lengths.contiguous()
    table = table.contiguous()

    places = table.clamp(0, P - 1).long()
    # The blocks of each batch are brought together, which takes memory for all of them.
    k = k[places].transpose(1, 2).flatten(2, 3)
    v = v[places].transpose(1, 2).flatten(2, 3)
    is_fast = q.device.type == "cuda" and q.dtype in (torch.float16, torch.bfloat16)
    # Heads of a group share keys, which the kernels in 16 bits read in place.
    if not is_fast:
        k = k.repeat_interleave(H // Hk, dim=1)
        v = v.repeat_interleave(H // Hk, dim=1)
    column = torch.arange((T2 * S), device=q.device)
    seen = (column < lengths[:, None, None, None])
    with sdpa_kernel(KERNELS, set_priority=True):
        result = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=seen, enable_gqa=is_fast)
    return torch.where(seen.any(dim=-1, keepdim=True), result, 0)  # a row that sees nothing is 0


def main() -> None:
    """One call on small inputs, which shows that the file works here; --json prints it for programs."""
    import json
    import sys

    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(0)
    results = [attention_paged(
        torch.randn((100, 7, 7, 100), device=device),
        torch.randn((7, 7, 7, 100), device=device),
        torch.randn((7, 7, 7, 100), device=device),
        torch.randn((100,), device=device).to(torch.int32),
        torch.randn((100, 100), device=device).to(torch.int32),
    )]
    outputs = [
        {"name": name, "shape": list(each.shape), "dtype": str(each.dtype), "mean": each.double().mean().item()}
        for name, each in zip(("out",), results)
    ]
    if "--json" in sys.argv[1:]:
        print(json.dumps({"operator": "attention_paged", "device": device, "outputs": outputs}))
    else:
        for each in outputs:
            print(f"attention_paged on {device}: {each['name']} {each['shape']} {each['dtype']}, mean {each['mean']:.6g}")


if __name__ == "__main__":
    main()
