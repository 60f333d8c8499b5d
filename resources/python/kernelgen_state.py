# SPDX-License-Identifier: Apache-2.0
"""What a module keeps from call to call: its buffers, such as running statistics (docs/CALLABLE.md)."""
import torch

COPY = torch.Tensor.copy_  # as it is before any other file is executed


class ModuleState:
    """The buffers of a module as they were when this was made."""

    def __init__(self, module: torch.nn.Module):
        self.kept = [(owner._buffers, name, buffer, buffer.clone())
                     for owner in module.modules() for name, buffer in owner._buffers.items() if buffer is not None]

    def restore(self) -> None:
        for buffers, name, buffer, content in self.kept:
            COPY(buffer, content)
            buffers[name] = buffer
