# SPDX-License-Identifier: Apache-2.0
"""vector_add in PyTorch: what the Triton kernel is measured against."""
import torch


def vector_add(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """out = x + y"""
    if x.dim() != 1:
        raise ValueError(f"x must be [N]; its shape is {list(x.shape)}")
    (N,) = x.shape
    if y.shape != (N,):
        raise ValueError(f"y must be [N] = {list((N,))}; its shape is {list(y.shape)}")
    if x.dtype not in (torch.float64, torch.float32, torch.float16, torch.bfloat16):
        raise TypeError(f"x must be float64, float32, float16 or bfloat16; it is {x.dtype}")
    if y.dtype != x.dtype:
        raise TypeError(f"y must be {x.dtype}; it is {y.dtype}")
    if y.device != x.device:
        raise ValueError(f"y must be on {x.device}, where x is; it is on {y.device}")
    x = x.contiguous()
    y = y.contiguous()

    return x + y


def main() -> None:
    """One call on small inputs, which shows that the file works here; --json prints it for programs."""
    import json
    import sys

    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(0)
    results = [vector_add(torch.randn((100,), device=device), torch.randn((100,), device=device))]
    outputs = [
        {"name": name, "shape": list(each.shape), "dtype": str(each.dtype), "mean": each.double().mean().item()}
        for name, each in zip(("out",), results)
    ]
    if "--json" in sys.argv[1:]:
        print(json.dumps({"operator": "vector_add", "device": device, "outputs": outputs}))
    else:
        for each in outputs:
            print(f"vector_add on {device}: {each['name']} {each['shape']} {each['dtype']}, mean {each['mean']:.6g}")


if __name__ == "__main__":
    main()
