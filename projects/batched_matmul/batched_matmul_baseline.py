# SPDX-License-Identifier: Apache-2.0
"""batched_matmul in PyTorch: what the Triton kernel is measured against."""
import torch


def batched_matmul(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """out = a @ b"""
    if a.dim() != 3:
        raise ValueError(f"a must be [B, M, K]; its shape is {list(a.shape)}")
    B, M, K = a.shape
    if b.dim() != 3:
        raise ValueError(f"b must be [B, K, N]; its shape is {list(b.shape)}")
    _, _, N = b.shape
    if b.shape != (B, K, N):
        raise ValueError(f"b must be [B, K, N] = {list((B, K, N))}; its shape is {list(b.shape)}")
    if a.dtype not in (torch.float64, torch.float32, torch.float16, torch.bfloat16):
        raise TypeError(f"a must be float64, float32, float16 or bfloat16; it is {a.dtype}")
    if b.dtype != a.dtype:
        raise TypeError(f"b must be {a.dtype}; it is {b.dtype}")
    if b.device != a.device:
        raise ValueError(f"b must be on {a.device}, where a is; it is on {b.device}")
    a = a.contiguous()
    b = b.contiguous()

    return torch.matmul(a, b)


def main() -> None:
    """One call on small inputs, which shows that the file works here; --json prints it for programs."""
    import json
    import sys

    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(0)
    results = [batched_matmul(
        torch.randn((7, 7, 100), device=device),
        torch.randn((7, 100, 100), device=device),
    )]
    outputs = [
        {"name": name, "shape": list(each.shape), "dtype": str(each.dtype), "mean": each.double().mean().item()}
        for name, each in zip(("out",), results)
    ]
    if "--json" in sys.argv[1:]:
        print(json.dumps({"operator": "batched_matmul", "device": device, "outputs": outputs}))
    else:
        for each in outputs:
            print(f"batched_matmul on {device}: {each['name']} {each['shape']} {each['dtype']}, mean {each['mean']:.6g}")


if __name__ == "__main__":
    main()
