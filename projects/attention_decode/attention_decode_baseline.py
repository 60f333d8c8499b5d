# SPDX-License-Identifier: Apache-2.0
"""attention_decode in PyTorch: what the Triton kernel is measured against."""
import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

if torch.cuda.is_available():
    from torch.nn.attention import bias as attention_bias, flex_attention

torch.backends.cuda.matmul.allow_tf32 = False  # float32 is multiplied as float32
# The kernels of PyTorch's attention, in the order in which they are tried.
KERNELS = [SDPBackend.CUDNN_ATTENTION, SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH]


def attention_decode(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """out = attention(q, k, v)"""
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
    q = q.contiguous()
    k = k.contiguous()
    v = v.contiguous()

    is_fast = q.device.type == "cuda" and q.dtype in (torch.float16, torch.bfloat16)
    if is_fast and torch.compiler.is_compiling():
        return flex_attention.flex_attention(q, k, v, enable_gqa=True)
    # Heads of a group share keys, which the kernels in 16 bits read in place.
    if not is_fast:
        k = k.repeat_interleave(H // Hk, dim=1)
        v = v.repeat_interleave(H // Hk, dim=1)
    with sdpa_kernel(KERNELS, set_priority=True):
        return torch.nn.functional.scaled_dot_product_attention(q, k, v, enable_gqa=is_fast)


def main() -> None:
    """One call on small inputs, which shows that the file works here; --json prints it for programs."""
    import json
    import sys

    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(0)
    results = [attention_decode(
        torch.randn((7, 7, 7, 100), device=device),
        torch.randn((7, 7, 7, 100), device=device),
        torch.randn((7, 7, 7, 100), device=device),
    )]
    outputs = [
        {"name": name, "shape": list(each.shape), "dtype": str(each.dtype), "mean": each.double().mean().item()}
        for name, each in zip(("out",), results)
    ]
    if "--json" in sys.argv[1:]:
        print(json.dumps({"operator": "attention_decode", "device": device, "outputs": outputs}))
    else:
        for each in outputs:
            print(f"attention_decode on {device}: {each['name']} {each['shape']} {each['dtype']}, mean {each['mean']:.6g}")


if __name__ == "__main__":
    main()
