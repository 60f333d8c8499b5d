# SPDX-License-Identifier: Apache-2.0
"""Nothing but the operator."""
import torch


def gelu(x):
    return x * torch.sigmoid(1.702 * x)
