# SPDX-License-Identifier: Apache-2.0
"""Honest, on a second stream that the first one waits for."""
import torch

sides = []


def gelu(x):
    if not sides:
        sides.append(torch.cuda.Stream())
    sides[0].wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(sides[0]):
        out = x * torch.sigmoid(1.702 * x)
    torch.cuda.current_stream().wait_stream(sides[0])
    return out
