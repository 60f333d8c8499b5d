# SPDX-License-Identifier: Apache-2.0
"""bias_add in PyTorch: what the Triton kernel is measured against."""
import torch


def bias_add(x: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
    """out = x + bias"""
    if x.dim() != 2:
        raise ValueError(f"x must be [P, D]; its shape is {list(x.shape)}")
    P, D = x.shape
    if bias.shape != (D,):
        raise ValueError(f"bias must be [D] = {list((D,))}; its shape is {list(bias.shape)}")
    if x.dtype not in (torch.float64, torch.float32, torch.float16, torch.bfloat16):
        raise TypeError(f"x must be float64, float32, float16 or bfloat16; it is {x.dtype}")
    if bias.dtype != x.dtype:
        raise TypeError(f"bias must be {x.dtype}; it is {bias.dtype}")
    if bias.device != x.device:
        raise ValueError(f"bias must be on {x.device}, where x is; it is on {bias.device}")
    x = x.contiguous()
    bias = bias.contiguous()

    return x + bias


def main() -> None:
    """One call on small inputs, which shows that the file works here; --json prints it for programs."""
    import json
    import sys

    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(0)
    results = [bias_add(torch.randn((7, 100), device=device), torch.randn((100,), device=device))]
    outputs = [
        {"name": name, "shape": list(each.shape), "dtype": str(each.dtype), "mean": each.double().mean().item()}
        for name, each in zip(("out",), results)
    ]
    if "--json" in sys.argv[1:]:
        print(json.dumps({"operator": "bias_add", "device": device, "outputs": outputs}))
    else:
        for each in outputs:
            print(f"bias_add on {device}: {each['name']} {each['shape']} {each['dtype']}, mean {each['mean']:.6g}")


if __name__ == "__main__":
    main()
