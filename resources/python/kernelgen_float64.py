# SPDX-License-Identifier: Apache-2.0
"""Runs a reference in float64 throughout, although its text has `x.float()` or `dtype=torch.float32`."""
import torch
from torch.overrides import TorchFunctionMode

WIDE = {
    torch.float32: torch.float64,
    torch.float16: torch.float64,
    torch.bfloat16: torch.float64,
    torch.complex64: torch.complex128,
}
METHODS = {
    torch.Tensor.float: torch.Tensor.double,
    torch.Tensor.half: torch.Tensor.double,
    torch.Tensor.bfloat16: torch.Tensor.double,
    torch.Tensor.cfloat: torch.Tensor.cdouble,
}
AS_ANOTHER = {torch.Tensor.to, torch.Tensor.type_as}
REINTERPRETS = {torch.Tensor.view}  # the bits are those of the dtype that is named


def wide(argument):
    return WIDE.get(argument, argument) if isinstance(argument, torch.dtype) else argument


def like(tensor: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    return tensor.to(device=other.device, dtype=wide(other.dtype))


class InFloat64(TorchFunctionMode):
    """A mode in which functions get float64 where they ask for a narrower floating-point dtype, or the default one."""

    def __enter__(self) -> "InFloat64":
        self.default = torch.get_default_dtype()
        torch.set_default_dtype(torch.float64)
        return super().__enter__()

    def __exit__(self, *error) -> None:
        super().__exit__(*error)
        torch.set_default_dtype(self.default)

    def __torch_function__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if function in REINTERPRETS:
            return function(*args, **kwargs)
        if function in AS_ANOTHER and len(args) > 1 and isinstance(args[1], torch.Tensor):
            return like(args[0], args[1])
        function = METHODS.get(function, function)
        return function(*map(wide, args), **{name: wide(each) for name, each in kwargs.items()})


def as_defined(values: list, specs: list) -> list:
    """The results of a function in the mode, converted for outputs with a narrower dtype of their own."""
    return [
        value.to(spec.dtype)
        if isinstance(value, torch.Tensor) and value.dtype == torch.float64 and spec.dtype in WIDE
        else value
        for value, spec in zip(values, specs)
    ] + values[len(specs):]
