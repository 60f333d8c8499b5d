# SPDX-License-Identifier: Apache-2.0
"""Arguments and results of a callable as trees of tensors and plain values (docs/CALLABLE.md). A tree is described in
JSON once; each process then rebuilds it over memory that the executor owns, views as they were."""
import ctypes
import re

import torch

from kernelgen_failures import Failure
from kernelgen_said import say
from kernelgen_tensors import DTYPES, PLAIN_TENSORS, DeviceBytes, dtype_name

NAMES = {dtype: name for name, dtype in DTYPES.items()}  # the judge's names
# Dtypes that the judge does not have are judged by their bits: (the judge's dtype, how many of it are one element).
IN_PARTS = {torch.bool: ("i8", 1), torch.uint8: ("i8", 1), torch.int16: ("i8", 2), torch.int64: ("i32", 2),
            torch.complex64: ("f32", 2), torch.complex128: ("f64", 2)}
ATOMS = (bool, int, str, type(None))

# As they are before any other file is executed.
STRIDED, WITHOUT_MODES = torch.as_strided, torch._C.DisableTorchFunction


def judged_as(dtype: torch.dtype) -> tuple:
    """The judge's dtype for elements of `dtype`, and how many of it are one element."""
    return (NAMES[dtype], 1) if dtype in NAMES else IN_PARTS.get(dtype, ("i8", dtype.itemsize))


def step(key) -> str:
    return f"[{key!r}]"


def named(path: str) -> str:
    """An identifier for a place in a tree: "x_0" of "x[0]"."""
    return re.sub(r"\W+", "_", path, flags=re.ASCII).strip("_") or "it"


def unlike(name: str, others: list) -> str:
    """The name, or a longer one where others have it: "x_0" of `x[0]` beside an argument `x_0`."""
    while name in others:
        name += "_"
    return name


def has_tensor(value) -> bool:
    if isinstance(value, (list, tuple)):
        return any(has_tensor(each) for each in value)
    if isinstance(value, dict):
        return any(has_tensor(each) for each in value.values())
    return isinstance(value, torch.Tensor)


def checked_tensor(value: torch.Tensor, path: str) -> torch.Tensor:
    """The tensor as plain memory; refused where it has none of its own."""
    if value.layout != torch.strided:
        raise Failure("unavailable", say("{} is a sparse tensor ({}); give its dense form", path,
                                         dtype_name(value.layout)))
    if value.is_quantized:
        raise Failure("unavailable", say("{} is a quantized tensor; give its integers and scales as tensors", path))
    if value.is_nested or value.is_meta:
        raise Failure("unavailable", say("{} is a nested or meta tensor, which has no memory of its own", path))
    if type(value) not in PLAIN_TENSORS:
        raise Failure("unavailable", say("{} is a {}; give a torch.Tensor", path, type(value).__name__))
    return value.detach().resolve_conj().resolve_neg()


class Arguments:
    """Takes a tree apart: `tree` in JSON, its tensors as `leaves`, the memory that they share as `storages`."""

    def __init__(self, positional, keywords: dict, names: list, device: torch.device):
        self.device = device
        self.leaves, self.names, self.tensors, self.storages = [], [], [], []
        self.moved = {}  # by storage, for tensors that share one
        self.known = {}
        self.tree = {
            "positional": [self.take(each, names[i] if i < len(names) else f"argument_{i}")
                           for i, each in enumerate(positional)],
            "keywords": {name: self.take(each, name) for name, each in keywords.items()},
        }

    def take(self, value, path: str):
        if isinstance(value, torch.Tensor):
            return {"tensor": self.take_tensor(checked_tensor(value, say("argument `{}`", path)), path)}
        if type(value) in ATOMS:
            return {"value": value}
        if type(value) is float:
            return {"float": repr(value)}
        if type(value) in (list, tuple, torch.Size):
            kind = "list" if type(value) is list else "tuple"
            return {kind: [self.take(each, path + step(i)) for i, each in enumerate(value)]}
        if type(value) is dict and all(type(key) in (str, int) for key in value):
            return {"dict": [[key, self.take(each, path + step(key))] for key, each in value.items()]}
        if isinstance(value, torch.dtype):
            return {"dtype": dtype_name(value)}
        if isinstance(value, torch.device):
            return {"device": str(value)}
        raise Failure("unavailable",
                      say("argument `{}` is a {}, which cannot be given to another process; tensors, numbers, strings, "
                          "None, lists, tuples and dictionaries can", path, type(value).__name__))

    def take_tensor(self, value: torch.Tensor, path: str) -> int:
        value = self.on_device(value)
        storage = value.untyped_storage()
        key = storage.data_ptr() or -1 - len(self.storages)
        name = unlike(named(path), self.names)
        if key not in self.known:
            self.known[key] = len(self.storages)
            self.storages.append({"name": name, "memory": storage, "dtypes": set(), "keep": value})
        number = self.known[key]
        self.storages[number]["dtypes"].add(value.dtype)
        self.leaves.append([number, dtype_name(value.dtype), list(value.shape), list(value.stride()),
                            value.storage_offset()])
        self.names.append(name)
        self.tensors.append(value)
        return len(self.leaves) - 1

    def on_device(self, value: torch.Tensor) -> torch.Tensor:
        """The tensor on the device; those that share memory still do."""
        if value.device == self.device:
            return value
        storage = value.untyped_storage()
        key = storage.data_ptr() or id(value)
        if key not in self.moved:
            self.moved[key] = (bytes_in(storage).to(self.device), value)
        memory = self.moved[key][0].view(value.dtype) if storage.nbytes() else torch.empty(0, dtype=value.dtype)
        return STRIDED(memory, value.shape, value.stride(), value.storage_offset())

    def flat(self, number: int):
        """A storage as one tensor of its elements' dtype, or None where it has several."""
        storage = self.storages[number]
        dtypes, memory = storage["dtypes"], storage["memory"]
        if len(dtypes) != 1 or memory.nbytes() % next(iter(dtypes)).itemsize or not memory.nbytes():
            return None
        return bytes_in(memory).view(next(iter(dtypes)))

    def describe_storage(self, number: int) -> dict:
        storage = self.storages[number]
        whole = self.flat(number)
        dtype, parts = ("i8", 1) if whole is None else judged_as(whole.dtype)
        elements = storage["memory"].nbytes() if whole is None else whole.numel() * parts
        return {"name": storage["name"], "dtype": dtype, "elements": max(1, elements),
                "bytes": storage["memory"].nbytes()}

    def describe(self) -> dict:
        return {"tree": self.tree, "leaves": self.leaves,
                "storages": [self.describe_storage(i) for i in range(len(self.storages))]}


def bytes_in(storage: torch.UntypedStorage) -> torch.Tensor:
    return torch.empty(0, dtype=torch.uint8, device=storage.device).set_(storage)


def bytes_at(address: int, count: int, device: torch.device) -> torch.Tensor:
    """A tensor of bytes over memory that the executor owns; nothing is copied."""
    if count == 0:
        return torch.empty(0, dtype=torch.uint8, device=device)
    if device.type == "cpu":
        return torch.frombuffer((ctypes.c_char * count).from_address(address), dtype=torch.uint8)
    return torch.as_tensor(DeviceBytes(address, count), device=device)


def view_of(memory: torch.Tensor, leaf: list) -> torch.Tensor:
    """A tensor as it was, over other memory."""
    _, dtype, shape, strides, offset = leaf
    dtype = getattr(torch, dtype)
    whole = memory[: memory.numel() // dtype.itemsize * dtype.itemsize].view(dtype)
    return STRIDED(whole, shape, strides, offset)


def rebuilt(tree: dict, tensors: list):
    """The value that a tree describes."""
    (kind, value), = tree.items()
    if kind == "tensor":
        return tensors[value]
    if kind == "float":
        return float(value)
    if kind == "dtype":
        return getattr(torch, value)
    if kind == "device":
        return tensors[0].device if tensors else torch.device(value)
    if kind in ("list", "tuple"):
        made = [rebuilt(each, tensors) for each in value]
        return made if kind == "list" else tuple(made)
    if kind == "dict":
        return {key: rebuilt(each, tensors) for key, each in value}
    return value


def rebuilt_arguments(tree: dict, tensors: list) -> tuple:
    return ([rebuilt(each, tensors) for each in tree["positional"]],
            {name: rebuilt(each, tensors) for name, each in tree["keywords"].items()})


def flattened(value, leaves: list):
    """Appends the tensors and numbers of a result to `leaves`; returns how they stood in it."""
    if isinstance(value, (tuple, list)):
        return [flattened(each, leaves) for each in value]
    if isinstance(value, dict):
        return {str(key): flattened(value[key], leaves) for key in sorted(value, key=str)}
    if value is None:
        return None
    leaves.append(value)
    return "tensor"


def form_text(skeleton) -> str:
    """What `flattened` returned, for messages: "(tensor, None)"."""
    if isinstance(skeleton, list):
        return "(" + ", ".join(form_text(each) for each in skeleton) + ")"
    if isinstance(skeleton, dict):
        return "{" + ", ".join(f"{key}: {form_text(each)}" for key, each in skeleton.items()) + "}"
    return "None" if skeleton is None else skeleton


def names_in(skeleton, path: str = "") -> list:
    """A name for each leaf of a result: "out", "out_0", "out_loss"."""
    if isinstance(skeleton, list):
        return [name for i, each in enumerate(skeleton) for name in names_in(each, f"{path}_{i}")]
    if isinstance(skeleton, dict):
        return [name for key, each in skeleton.items() for name in names_in(each, f"{path}_{named(key)}")]
    return [] if skeleton is None else ["out" + path]


def as_tensor(value, name: str, device=None):
    """A leaf of a result as a tensor: numbers become one, on the device, which nothing waits for."""
    if type(value) in (bool, int, float, complex):
        dtypes = {bool: torch.bool, int: torch.int64, float: torch.float64, complex: torch.complex128}
        return torch.full((), value, dtype=dtypes[type(value)], device=device)
    if not isinstance(value, torch.Tensor):
        raise Failure("launch_failed", say("`{}` returns a {}, which is no tensor", name, type(value).__name__))
    return value
