# SPDX-License-Identifier: Apache-2.0
"""gemv in PyTorch: what the Triton kernel is measured against."""
import torch


def gemv(x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
    """out = x @ transpose(w)"""
    if x.dim() != 2:
        raise ValueError(f"x must be [M, K]; its shape is {list(x.shape)}")
    M, K = x.shape
    if w.dim() != 2:
        raise ValueError(f"w must be [N, K]; its shape is {list(w.shape)}")
    N, _ = w.shape
    if w.shape != (N, K):
        raise ValueError(f"w must be [N, K] = {list((N, K))}; its shape is {list(w.shape)}")
    if x.dtype not in (torch.float64, torch.float32, torch.float16, torch.bfloat16):
        raise TypeError(f"x must be float64, float32, float16 or bfloat16; it is {x.dtype}")
    if w.dtype != x.dtype:
        raise TypeError(f"w must be {x.dtype}; it is {w.dtype}")
    if w.device != x.device:
        raise ValueError(f"w must be on {x.device}, where x is; it is on {w.device}")
    x = x.contiguous()
    w = w.contiguous()

    return torch.matmul(x, w.transpose(-1, -2))


def main() -> None:
    """One call on small inputs, which shows that the file works here; --json prints it for programs."""
    import json
    import sys

    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(0)
    results = [gemv(torch.randn((7, 100), device=device), torch.randn((7, 100), device=device))]
    outputs = [
        {"name": name, "shape": list(each.shape), "dtype": str(each.dtype), "mean": each.double().mean().item()}
        for name, each in zip(("out",), results)
    ]
    if "--json" in sys.argv[1:]:
        print(json.dumps({"operator": "gemv", "device": device, "outputs": outputs}))
    else:
        for each in outputs:
            print(f"gemv on {device}: {each['name']} {each['shape']} {each['dtype']}, mean {each['mean']:.6g}")


if __name__ == "__main__":
    main()
