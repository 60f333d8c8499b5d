# SPDX-License-Identifier: Apache-2.0
"""Tensors over memory that the executor owns; a wrapper's allocations are redirected to this memory."""
import ctypes
import math
import weakref

import torch
from torch.overrides import TorchFunctionMode

from kernelgen_failures import Failure
from kernelgen_said import Said, say

DTYPES = {
    "f64": torch.float64,
    "f32": torch.float32,
    "f16": torch.float16,
    "bf16": torch.bfloat16,
    "f8e4m3": torch.float8_e4m3fn,
    "f8e5m2": torch.float8_e5m2,
    "i32": torch.int32,
    "i8": torch.int8,
}

# As they are before any kernel's file is executed: one that replaces them changes nothing here.
COPY, CLONE, DETACH = torch.Tensor.copy_, torch.Tensor.clone, torch.Tensor.detach
WITHOUT_MODES, IS_CONTIGUOUS, ADDRESS = torch._C.DisableTorchFunction, torch.Tensor.is_contiguous, torch.Tensor.data_ptr
IS_NEGATED, IS_CONJUGATED = torch.Tensor.is_neg, torch.Tensor.is_conj
PLAIN_TENSORS = (torch.Tensor, torch.nn.Parameter)


def dtype_name(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


INTEGER_DEVIATIONS = {torch.int32: 1000, torch.int8: 32}


class TensorSpec:
    """The definition of one tensor of a call."""

    def __init__(self, described: dict):
        self.name = described["name"]
        self.dtype = DTYPES[described["dtype"]]
        self.shape = tuple(described["extents"])
        self.domain = described.get("domain", "")
        self.elements = math.prod(self.shape)
        self.bytes = self.elements * self.dtype.itemsize

    @classmethod
    def of_workspace(cls, dtype: str, elements: int) -> "TensorSpec":
        return cls({"name": "workspace", "dtype": dtype, "extents": [elements]})

    def at(self, address: int, device: torch.device) -> torch.Tensor:
        """A tensor over memory that the executor owns; nothing is copied."""
        if device.type == "cpu":
            memory = (ctypes.c_char * self.bytes).from_address(address)
            return torch.frombuffer(memory, dtype=self.dtype, count=self.elements).view(self.shape)
        return torch.as_tensor(DeviceBytes(address, self.bytes), device=device).view(self.dtype).view(self.shape)

    def zeros(self, device: torch.device) -> torch.Tensor:
        return torch.zeros(self.bytes, dtype=torch.uint8, device=device).view(self.dtype).view(self.shape)

    def normal(self, device: torch.device) -> torch.Tensor:
        """Normal numbers; for integers, scaled as in verification; with a domain, values of the domain."""
        if ".." in self.domain:
            return self.within(device)
        if self.dtype in INTEGER_DEVIATIONS:
            limits = torch.iinfo(self.dtype)
            made = torch.randn(self.shape, device=device) * INTEGER_DEVIATIONS[self.dtype]
            return made.clamp(1 if self.domain else limits.min, limits.max).to(self.dtype)
        made_in = torch.float64 if self.dtype == torch.float64 else torch.float32
        made = torch.randn(self.shape, dtype=made_in, device=device)
        return (made.abs() + torch.finfo(self.dtype).tiny if self.domain else made).to(self.dtype)

    def within(self, device: torch.device) -> torch.Tensor:
        """Numbers of a domain such as "0..1" or "integers 0..9"."""
        low, high = (float(each) for each in self.domain.removeprefix("integers ").split(".."))
        share = torch.rand(self.shape, dtype=torch.float64, device=device)
        if self.domain.startswith("integers ") or self.dtype in INTEGER_DEVIATIONS:
            return (math.ceil(low) + share * (math.floor(high) - math.ceil(low) + 1)).floor().clamp(max=high).to(self.dtype)
        return (low + share * (high - low)).to(self.dtype)


class DeviceBytes:
    """Bytes on a CUDA device, by `__cuda_array_interface__`, which libraries accept."""

    def __init__(self, address: int, count: int):
        self.__cuda_array_interface__ = {
            "shape": (count,),
            "typestr": "|u1",
            "data": (address, False),
            "strides": None,
            "version": 3,
        }


def bytes_of(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.reshape(-1).view(torch.uint8)


def memory_of(tensor: torch.Tensor) -> tuple:
    """The first address of a tensor's memory, and the address after the last."""
    storage = tensor.untyped_storage()
    return storage.data_ptr(), storage.data_ptr() + storage.nbytes()


def form_of(tensor: torch.Tensor) -> tuple:
    return tensor.dtype, tensor.shape, tensor.device, tensor.layout


def differs_from_definition(*told) -> Said:
    return say("`{}` returns `{}` with {} {}; the operator's definition says {}", *told)


def differs_from_reference(*told) -> Said:
    return say("`{}` returns `{}` with {} {}; the reference's is {}", *told)


def require_fitting(value, form: tuple, function: str, name: str, differs) -> None:
    """Fails where a result does not have the form of its output's buffer. `differs`: says it of the
    function, the output, which property, what it is and what it should be."""
    if type(value) in PLAIN_TENSORS and form_of(value) == form:
        return
    if not isinstance(value, torch.Tensor):
        raise Failure("launch_failed",
                      say("`{}` returns {} for `{}`, no tensor", function, type(value).__name__, name))
    if type(value) not in PLAIN_TENSORS:
        raise Failure("launch_failed",
                      say("`{}` returns a {} for `{}`: a class of its own could compute when it is copied, which is not "
                          "timed; return a torch.Tensor", function, type(value).__name__, name))
    (dtype, shape, device, layout), (wanted_dtype, wanted_shape, wanted_device, _) = form_of(value), form
    for what, actual, wanted in (("dtype", dtype_name(dtype), dtype_name(wanted_dtype)),
                                 ("shape", tuple(shape), tuple(wanted_shape)),
                                 ("device", device, wanted_device), ("layout", layout, torch.strided)):
        if actual != wanted:
            raise Failure("launch_failed", differs(function, name, what, actual, wanted))


def span_of(tensor: torch.Tensor) -> tuple:
    """Its first address, and the address after the last, of a tensor that lies in one piece."""
    return ADDRESS(tensor), ADDRESS(tensor) + tensor.nbytes


def made_whole(value: torch.Tensor, inputs: list) -> tuple:
    """A result as an output lies in memory, and its address: a view (transposed, expanded, negated, of an input) is
    copied. `inputs`: spans of memory."""
    with WITHOUT_MODES():
        address = ADDRESS(value)
        is_own = IS_CONTIGUOUS(value) and not IS_NEGATED(value) and not IS_CONJUGATED(value)
        for begin, end in inputs:
            is_own = is_own and not begin <= address < end
        if is_own:
            return value, address
        value = CLONE(value, memory_format=torch.contiguous_format)
        return value, ADDRESS(value)


def put_into(buffers: list, values: list) -> None:
    """Copies the values that a call returned into its outputs' buffers. A value may already be its buffer; one that
    shares memory with any of the buffers is copied aside first, since filling that buffer would change the value."""
    begins_and_ends = [memory_of(buffer) for buffer in buffers]

    def shares_memory(value: torch.Tensor) -> bool:
        first, last = memory_of(value)
        return any(first < end and begin < last for begin, end in begins_and_ends)

    moves = [
        (buffer, value)
        for buffer, value in zip(buffers, values)
        if value.data_ptr() != buffer.data_ptr() or not value.is_contiguous()
    ]
    with WITHOUT_MODES():
        apart = [CLONE(value) if shares_memory(value) else value for _, value in moves]
        for (buffer, _), value in zip(moves, apart):
            COPY(buffer, DETACH(value))


EMPTY = {torch.empty, torch.empty_like, torch.empty_strided, torch.Tensor.new_empty, torch.Tensor.new_empty_strided}
ZEROS = {torch.zeros, torch.zeros_like, torch.Tensor.new_zeros}


class OutputsInPlace(TorchFunctionMode):
    """While it is entered, memory that a wrapper allocates for an output is the executor's buffer of that output, which
    is poisoned and stands between guards. Other memory that it asks for uninitialised has the same poison, so that
    what is never written cannot happen to be right."""

    def __init__(self, outputs: list):
        super().__init__()
        self.free = list(outputs)
        self.given = []  # weak references to what has an output's buffer
        self.poison = int(bytes_of(outputs[0])[0])

    def __torch_function__(self, function, types, args=(), kwargs=None):
        made = function(*args, **(kwargs or {}))
        if function not in EMPTY and function not in ZEROS:
            return made
        with torch._C.DisableTorchFunction():
            for index, output in enumerate(self.free):
                alike = made.shape == output.shape and made.dtype == output.dtype and made.device == output.device
                if alike and made.is_contiguous():
                    del self.free[index]
                    made = output.data  # autograd may make it a result of its own
                    self.given.append(weakref.ref(made))
                    break
            else:
                if function in EMPTY and made.is_contiguous() and made.numel() > 0:
                    bytes_of(made).fill_(self.poison)
            if function in ZEROS:
                bytes_of(made).zero_()
        return made

    def let_go(self) -> None:
        """To be called when the results are delivered: what a wrapper keeps for later calls, such as memory to work in, gets
        memory of its own. The buffer will be elsewhere then."""
        for each in self.given:
            kept = each()
            if kept is not None:
                kept.data = CLONE(kept.data)
