# SPDX-License-Identifier: Apache-2.0
import torch


def bias_add(x: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
    return x + bias
