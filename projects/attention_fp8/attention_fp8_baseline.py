# SPDX-License-Identifier: Apache-2.0
"""attention_fp8 in PyTorch: what the Triton kernel is measured against."""
import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

if torch.cuda.is_available():
    from torch.nn.attention import bias as attention_bias, flex_attention

torch.backends.cuda.matmul.allow_tf32 = False  # float32 is multiplied as float32
# The kernels of PyTorch's attention, in the order in which they are tried.
KERNELS = [SDPBackend.CUDNN_ATTENTION, SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH]


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

    is_fast = q.device.type == "cuda" and out_dtype in (torch.float16, torch.bfloat16)
    # PyTorch's attention takes no operands of 8 bits: it gets them dequantised to the dtype of the result.
    wide = torch.promote_types(out_dtype, torch.float32)
    q = (q.to(wide) * q_scale.to(wide).repeat_interleave(128, dim=-1)[..., :N, None]).to(out_dtype)
    k = (k.to(wide) * k_scale.to(wide).repeat_interleave(128, dim=-1)[..., :M, None]).to(out_dtype)
    v = (v.to(wide) * v_scale.to(wide).repeat_interleave(128, dim=-1)[..., :M, None]).to(out_dtype)
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
    results = [attention_fp8(
        torch.randn((7, 7, 7, 100), device=device).to(torch.float8_e4m3fn),
        torch.randn((7, 7, 7, 100), device=device).to(torch.float8_e4m3fn),
        torch.randn((7, 7, 7, 100), device=device).to(torch.float8_e4m3fn),
        torch.randn((7, 7, 1), device=device).to(torch.float32),
        torch.randn((7, 7, 1), device=device).to(torch.float32),
        torch.randn((7, 7, 1), device=device).to(torch.float32),
    )]
    outputs = [
        {"name": name, "shape": list(each.shape), "dtype": str(each.dtype), "mean": each.double().mean().item()}
        for name, each in zip(("out",), results)
    ]
    if "--json" in sys.argv[1:]:
        print(json.dumps({"operator": "attention_fp8", "device": device, "outputs": outputs}))
    else:
        for each in outputs:
            print(f"attention_fp8 on {device}: {each['name']} {each['shape']} {each['dtype']}, mean {each['mean']:.6g}")


if __name__ == "__main__":
    main()
