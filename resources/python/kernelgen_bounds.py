# SPDX-License-Identifier: Apache-2.0
"""Has Triton's interpreter stop a kernel that reads or writes beyond its tensors, where the process would crash: the line
and the tensor are known then."""
import types

import numpy
import torch

from kernelgen_said import say

NEAR = 1 << 20  # elements; an address further away than this from all tensors belongs to none of them


class BeyondTensors(IndexError):
    """A kernel's address lies in none of the tensors that it was launched with."""


class Bounds:
    """The memory behind the tensors of the launch that runs."""

    def __init__(self):
        self.tensors = []  # (name, tensor, the first address of its memory, the one behind the last)

    def launch(self, kernel, args: tuple, kwargs: dict) -> None:
        given = {**dict(zip(kernel.arg_names, args)), **kwargs}
        self.tensors = []
        for name, value in given.items():
            if isinstance(value, torch.Tensor):
                memory = value.untyped_storage()
                self.tensors.append((name, value, memory.data_ptr(), memory.data_ptr() + memory.nbytes()))

    def check(self, addresses, mask, size: int) -> None:
        wrong = numpy.asarray(addresses, dtype=numpy.uint64)
        wrong = wrong.reshape(-1) if mask is None else wrong[numpy.asarray(mask, dtype=bool)]
        for _, _, first, end in self.tensors:
            wrong = wrong[(wrong < first) | (wrong + numpy.uint64(size) > end)]
        if wrong.size and self.tensors:
            raise BeyondTensors(self.told(int(wrong[0])))

    def told(self, address: int) -> str:
        def distance(each: tuple) -> int:
            return max(each[2] - address, address - each[3], 0)

        name, tensor, *_ = min(self.tensors, key=distance)
        element = (address - tensor.data_ptr()) // tensor.element_size()
        if abs(element) > tensor.numel() + NEAR:
            return say("the kernel accesses memory that is in none of its tensors")
        return say("the kernel accesses element {} of `{}`, which has {} elements", element, name, tensor.numel())


def guard(interpreter) -> Bounds:
    """From now on every launch's loads and stores are checked. Memory whose address a kernel reads from a tensor counts as
    beyond, too: call this only for a file that crashed."""
    bounds, machine, executor = Bounds(), interpreter._interpreter, interpreter.GridExecutor

    def load(addresses, mask, other, dtype):
        bounds.check(addresses, mask, numpy.dtype(dtype).itemsize)
        return machine.load(addresses, mask, other, dtype)

    def store(addresses, value, mask):
        bounds.check(addresses, mask, value.dtype.itemsize)
        return machine.store(addresses, value, mask)

    def atomic_rmw(operation, addresses, value, mask, order):
        bounds.check(addresses, mask, value.dtype.itemsize)
        return machine.atomic_rmw(operation, addresses, value, mask, order)

    def atomic_cas(addresses, compared, value, order):
        bounds.check(addresses, None, value.dtype.itemsize)
        return machine.atomic_cas(addresses, compared, value, order)

    launch = executor.__call__

    def launched(kernel, *args, **kwargs):
        bounds.launch(kernel, args, kwargs)
        return launch(kernel, *args, **kwargs)

    checked = {"load": load, "store": store, "atomic_rmw": atomic_rmw, "atomic_cas": atomic_cas}
    interpreter._interpreter = types.SimpleNamespace(**{**vars(machine), **checked})
    executor.__call__ = launched
    return bounds
