# SPDX-License-Identifier: Apache-2.0
"""fp8_linear in PyTorch: what the Triton kernel is measured against."""
import torch


def fp8_linear(
    x: torch.Tensor,
    w: torch.Tensor,
    x_scale: torch.Tensor,
    w_scale: torch.Tensor,
    bias: torch.Tensor,
) -> torch.Tensor:
    """out = (x @ transpose(w)) * x_scale * w_scale + bias"""
    if x.dim() != 2:
        raise ValueError(f"x must be [M, K]; its shape is {list(x.shape)}")
    M, K = x.shape
    if w.dim() != 2:
        raise ValueError(f"w must be [N, K]; its shape is {list(w.shape)}")
    N, _ = w.shape
    if w.shape != (N, K):
        raise ValueError(f"w must be [N, K] = {list((N, K))}; its shape is {list(w.shape)}")
    if x_scale.shape != (M, 1):
        raise ValueError(f"x_scale must be [M, 1] = {list((M, 1))}; its shape is {list(x_scale.shape)}")
    if w_scale.shape != (N,):
        raise ValueError(f"w_scale must be [N] = {list((N,))}; its shape is {list(w_scale.shape)}")
    if bias.shape != (N,):
        raise ValueError(f"bias must be [N] = {list((N,))}; its shape is {list(bias.shape)}")
    if x.dtype != torch.float8_e4m3fn:
        raise TypeError(f"x must be {torch.float8_e4m3fn}; it is {x.dtype}")
    if w.dtype != torch.float8_e4m3fn:
        raise TypeError(f"w must be {torch.float8_e4m3fn}; it is {w.dtype}")
    if w.device != x.device:
        raise ValueError(f"w must be on {x.device}, where x is; it is on {w.device}")
    if x_scale.dtype != torch.float32:
        raise TypeError(f"x_scale must be {torch.float32}; it is {x_scale.dtype}")
    if x_scale.device != x.device:
        raise ValueError(f"x_scale must be on {x.device}, where x is; it is on {x_scale.device}")
    if w_scale.dtype != torch.float32:
        raise TypeError(f"w_scale must be {torch.float32}; it is {w_scale.dtype}")
    if w_scale.device != x.device:
        raise ValueError(f"w_scale must be on {x.device}, where x is; it is on {w_scale.device}")
    if bias.dtype not in (torch.float64, torch.float32, torch.float16, torch.bfloat16):
        raise TypeError(f"bias must be float64, float32, float16 or bfloat16; it is {bias.dtype}")
    if bias.device != x.device:
        raise ValueError(f"bias must be on {x.device}, where x is; it is on {bias.device}")
    x = x.contiguous()
    w = w.contiguous()
    x_scale = x_scale.contiguous()
    w_scale = w_scale.contiguous()
    bias = bias.contiguous()

    if bias.dtype != torch.float64 and x.device.type == "cuda" and torch.cuda.get_device_capability(x.device) >= (8, 9) and K % 16 == 0 and N % 16 == 0 and bias.dtype == torch.bfloat16:
        # cuBLAS multiplies 8 bits as they are, and scales and adds in one call.
        return torch._scaled_mm(
            x, w.t(),
            scale_a=x_scale,
            scale_b=w_scale.view(1, -1),
            bias=bias,
            out_dtype=bias.dtype,
            use_fast_accum=False,
        )
    dtype = bias.dtype
    # In float32, since the tensors have different dtypes.
    T = torch.float64 if dtype == torch.float64 else torch.float32
    if bias.dtype != torch.float64 and x.device.type == "cuda" and torch.cuda.get_device_capability(x.device) >= (8, 9) and K % 16 == 0 and N % 16 == 0 and T == torch.float32:
        # cuBLAS multiplies 8 bits as they are.
        one = torch.ones((), device=x.device)
        product = torch._scaled_mm(
            x, w.t(),
            scale_a=one, scale_b=one, out_dtype=torch.float32, use_fast_accum=False,
        )
    else:
        product = torch.matmul(x.to(T), w.to(T).transpose(-1, -2))
    x_scale = x_scale.to(T)
    w_scale = w_scale.to(T)
    bias = bias.to(T)
    return (product * x_scale * w_scale + bias).to(dtype)


def main() -> None:
    """One call on small inputs, which shows that the file works here; --json prints it for programs."""
    import json
    import sys

    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(0)
    results = [fp8_linear(
        torch.randn((7, 100), device=device).to(torch.float8_e4m3fn),
        torch.randn((100, 100), device=device).to(torch.float8_e4m3fn),
        torch.randn((7, 1), device=device).to(torch.float32),
        torch.randn((100,), device=device).to(torch.float32),
        torch.randn((100,), device=device),
    )]
    outputs = [
        {"name": name, "shape": list(each.shape), "dtype": str(each.dtype), "mean": each.double().mean().item()}
        for name, each in zip(("out",), results)
    ]
    if "--json" in sys.argv[1:]:
        print(json.dumps({"operator": "fp8_linear", "device": device, "outputs": outputs}))
    else:
        for each in outputs:
            print(f"fp8_linear on {device}: {each['name']} {each['shape']} {each['dtype']}, mean {each['mean']:.6g}")


if __name__ == "__main__":
    main()
