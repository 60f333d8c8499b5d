# SPDX-License-Identifier: Apache-2.0
import torch

def broadcast_v1(x: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
    """Baseline"""
    # 1. Check the inputs
    assert x.is_npu and bias.is_npu, "x and bias must be NPU tensors"
    x_c = x.contiguous()
    bias_c = bias.contiguous()
    assert x_c.dim() >= 1, "x must have at least 1 dimension"
    D = bias_c.numel()
    assert x_c.shape[-1] == D, "bias last dimension must match x's last dimension"

    # 2. PyTorch's own broadcasting
    out = x_c + bias_c

    return out
