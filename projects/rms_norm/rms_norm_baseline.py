# SPDX-License-Identifier: Apache-2.0
"""rms_norm in PyTorch: what the Triton kernel is measured against."""
import torch


def rms_norm(x: torch.Tensor, gamma: torch.Tensor, eps: float = 1e-06) -> torch.Tensor:
    """out = x * rsqrt(row_mean(x * x) + eps) * gamma"""
    if x.dim() != 2:
        raise ValueError(f"x must be [P, D]; its shape is {list(x.shape)}")
    P, D = x.shape
    if gamma.shape != (D,):
        raise ValueError(f"gamma must be [D] = {list((D,))}; its shape is {list(gamma.shape)}")
    if x.dtype not in (torch.float64, torch.float32, torch.float16, torch.bfloat16):
        raise TypeError(f"x must be float64, float32, float16 or bfloat16; it is {x.dtype}")
    if gamma.dtype != x.dtype:
        raise TypeError(f"gamma must be {x.dtype}; it is {gamma.dtype}")
    if gamma.device != x.device:
        raise ValueError(f"gamma must be on {x.device}, where x is; it is on {gamma.device}")
    x = x.contiguous()
    gamma = gamma.contiguous()

    return torch.nn.functional.rms_norm(x, (D,), gamma, eps)


def main() -> None:
    """One call on small inputs, which shows that the file works here; --json prints it for programs."""
    import json
    import sys

    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(0)
    results = [rms_norm(torch.randn((7, 100), device=device), torch.randn((100,), device=device))]
    outputs = [
        {"name": name, "shape": list(each.shape), "dtype": str(each.dtype), "mean": each.double().mean().item()}
        for name, each in zip(("out",), results)
    ]
    if "--json" in sys.argv[1:]:
        print(json.dumps({"operator": "rms_norm", "device": device, "outputs": outputs}))
    else:
        for each in outputs:
            print(f"rms_norm on {device}: {each['name']} {each['shape']} {each['dtype']}, mean {each['mean']:.6g}")


if __name__ == "__main__":
    main()
