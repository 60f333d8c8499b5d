# SPDX-License-Identifier: Apache-2.0
"""broadcast in PyTorch: what the Triton kernel is measured against."""
import torch


def broadcast(bias: torch.Tensor, P: int) -> torch.Tensor:
    """out = bias"""
    if bias.dim() != 1:
        raise ValueError(f"bias must be [D]; its shape is {list(bias.shape)}")
    (D,) = bias.shape
    if bias.dtype not in (torch.float64, torch.float32, torch.float16, torch.bfloat16):
        raise TypeError(f"bias must be float64, float32, float16 or bfloat16; it is {bias.dtype}")
    bias = bias.contiguous()

    return bias.expand((P, D)).clone(memory_format=torch.contiguous_format)


def main() -> None:
    """One call on small inputs, which shows that the file works here; --json prints it for programs."""
    import json
    import sys

    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(0)
    results = [broadcast(torch.randn((100,), device=device), P=7)]
    outputs = [
        {"name": name, "shape": list(each.shape), "dtype": str(each.dtype), "mean": each.double().mean().item()}
        for name, each in zip(("out",), results)
    ]
    if "--json" in sys.argv[1:]:
        print(json.dumps({"operator": "broadcast", "device": device, "outputs": outputs}))
    else:
        for each in outputs:
            print(f"broadcast on {device}: {each['name']} {each['shape']} {each['dtype']}, mean {each['mean']:.6g}")


if __name__ == "__main__":
    main()
