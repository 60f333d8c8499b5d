# SPDX-License-Identifier: Apache-2.0
"""depthwise_conv2d in PyTorch: what the Triton kernel is measured against."""
import torch

torch.backends.cudnn.allow_tf32 = False  # float32 is multiplied as float32


def depthwise_conv2d(x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
    """out = conv2d(x, w, padding=1, groups=C)"""
    if x.dim() != 4:
        raise ValueError(f"x must be [N, C, H, W]; its shape is {list(x.shape)}")
    N, C, H, W = x.shape
    if w.shape != (C, 1, 3, 3):
        raise ValueError(f"w must be [C, 1, 3, 3] = {list((C, 1, 3, 3))}; its shape is {list(w.shape)}")
    if x.dtype not in (torch.float64, torch.float32, torch.float16, torch.bfloat16):
        raise TypeError(f"x must be float64, float32, float16 or bfloat16; it is {x.dtype}")
    if w.dtype != x.dtype:
        raise TypeError(f"w must be {x.dtype}; it is {w.dtype}")
    if w.device != x.device:
        raise ValueError(f"w must be on {x.device}, where x is; it is on {w.device}")
    x = x.contiguous()
    w = w.contiguous()

    return torch.nn.functional.conv2d(x, w, padding=1, groups=C)


def main() -> None:
    """One call on small inputs, which shows that the file works here; --json prints it for programs."""
    import json
    import sys

    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(0)
    results = [depthwise_conv2d(
        torch.randn((7, 7, 7, 100), device=device),
        torch.randn((7, 1, 3, 3), device=device),
    )]
    outputs = [
        {"name": name, "shape": list(each.shape), "dtype": str(each.dtype), "mean": each.double().mean().item()}
        for name, each in zip(("out",), results)
    ]
    if "--json" in sys.argv[1:]:
        print(json.dumps({"operator": "depthwise_conv2d", "device": device, "outputs": outputs}))
    else:
        for each in outputs:
            print(f"depthwise_conv2d on {device}: {each['name']} {each['shape']} {each['dtype']}, mean {each['mean']:.6g}")


if __name__ == "__main__":
    main()
