# SPDX-License-Identifier: Apache-2.0
"""relu in PyTorch: what the Triton kernel is measured against."""
import torch


def relu(x: torch.Tensor) -> torch.Tensor:
    """out = relu(x)"""
    if x.dim() != 2:
        raise ValueError(f"x must be [P, D]; its shape is {list(x.shape)}")
    P, D = x.shape
    if x.dtype not in (torch.float64, torch.float32, torch.float16, torch.bfloat16):
        raise TypeError(f"x must be float64, float32, float16 or bfloat16; it is {x.dtype}")
    x = x.contiguous()

    return torch.relu(x)


def main() -> None:
    """One call on small inputs, which shows that the file works here; --json prints it for programs."""
    import json
    import sys

    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(0)
    results = [relu(torch.randn((7, 100), device=device))]
    outputs = [
        {"name": name, "shape": list(each.shape), "dtype": str(each.dtype), "mean": each.double().mean().item()}
        for name, each in zip(("out",), results)
    ]
    if "--json" in sys.argv[1:]:
        print(json.dumps({"operator": "relu", "device": device, "outputs": outputs}))
    else:
        for each in outputs:
            print(f"relu on {device}: {each['name']} {each['shape']} {each['dtype']}, mean {each['mean']:.6g}")


if __name__ == "__main__":
    main()
