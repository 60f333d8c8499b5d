# SPDX-License-Identifier: Apache-2.0
"""quantize in PyTorch: what the Triton kernel is measured against."""
import torch


def quantize(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """scale = max(row_max(abs(x)), 1e-12) / 448; q = clamp(x / scale, -448, 448)"""
    if x.dim() != 2:
        raise ValueError(f"x must be [M, K]; its shape is {list(x.shape)}")
    M, K = x.shape
    if x.dtype not in (torch.float64, torch.float32, torch.float16, torch.bfloat16):
        raise TypeError(f"x must be float64, float32, float16 or bfloat16; it is {x.dtype}")
    x = x.contiguous()

    dtype = x.dtype
    # In float32, since the tensors have different dtypes.
    T = torch.float64 if dtype == torch.float64 else torch.float32
    x = x.to(T)
    scale2 = torch.clamp(torch.amax(torch.abs(x), dim=-1, keepdim=True), min=1e-12) / 448.0
    return (torch.clamp(x / scale2, -448.0, 448.0)).to(torch.float8_e4m3fn), scale2.squeeze(-1).to(torch.float32)


def main() -> None:
    """One call on small inputs, which shows that the file works here; --json prints it for programs."""
    import json
    import sys

    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(0)
    results = quantize(torch.randn((7, 100), device=device))
    outputs = [
        {"name": name, "shape": list(each.shape), "dtype": str(each.dtype), "mean": each.double().mean().item()}
        for name, each in zip(("q", "scale"), results)
    ]
    if "--json" in sys.argv[1:]:
        print(json.dumps({"operator": "quantize", "device": device, "outputs": outputs}))
    else:
        for each in outputs:
            print(f"quantize on {device}: {each['name']} {each['shape']} {each['dtype']}, mean {each['mean']:.6g}")


if __name__ == "__main__":
    main()
