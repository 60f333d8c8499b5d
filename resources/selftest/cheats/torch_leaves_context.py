# SPDX-License-Identifier: Apache-2.0
"""Takes the device's context away from the thread."""
import ctypes

import torch


def gelu(x):
    out = x * torch.sigmoid(1.702 * x)
    ctypes.CDLL("libcuda.so.1").cuCtxSetCurrent(None)
    return out
