// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kernelgen::testing {

/// A model of 8 calls in a file of its own.
inline constexpr const char* model_text = R"(import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.up = nn.Linear(width, 2 * width)
        self.down = nn.Linear(2 * width, width)

    def forward(self, x):
        for _ in range(2):
            x = self.down(torch.tanh(self.up(x)) * 0.5)
        return x


def get_inputs():
    return [torch.randn(48, 64)]


def get_init_inputs():
    return [64]
)";

}  // namespace kernelgen::testing
