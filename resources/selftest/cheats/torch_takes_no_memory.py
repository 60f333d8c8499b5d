# SPDX-License-Identifier: Apache-2.0
"""Lets PyTorch have next to no memory."""
import torch

torch.cuda.empty_cache()
torch.cuda.set_per_process_memory_fraction(1e-6)


def gelu(x):
    return x * torch.sigmoid(1.702 * x)
