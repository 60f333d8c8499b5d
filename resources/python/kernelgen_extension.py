# SPDX-License-Identifier: Apache-2.0
"""A built extension (C++ or CUDA with host code of its own) as a candidate of a callable operator (docs/CALLABLE.md)."""
import ctypes
import importlib.machinery
import importlib.util
import os

import torch

from kernelgen_failures import Failure
from kernelgen_modules import OwnModules
from kernelgen_said import say

MODULE = "kernelgen_extension"  # extension_module of core/host/extension_source.h
EMPTY = torch.empty
LONGEST_TEXT = 2000


class ExtensionFile:
    """A shared object that a build made, in the place of a file that is executed."""

    compiles = False
    all_built = set()  # paths that this process has loaded, this file's and others'

    def __init__(self, artifact: dict, folder: str):
        self.file = artifact["file"]
        self.path = os.path.join(folder, self.file)
        self.modules = OwnModules(folder, self.file, {})
        self.name = artifact["entry"]
        self.asks_gradients = False
        self.plain = artifact["interface"] == "plain"
        self.built = os.path.realpath(artifact["path"])
        self.all_built.add(self.built)
        self.entry = self.loaded(artifact["path"])

    def loaded(self, path: str):
        """The entry: a function of C, or of the module that the file is, or an operator that it registers."""
        try:
            library = ctypes.CDLL(path)
            if self.plain:
                return library.kernelgen_plain_call
            module = module_at(path) if hasattr(library, "PyInit_" + MODULE) else None
        except (ImportError, OSError) as error:
            raise Failure("build_failed",
                          say("{}: the built file cannot be loaded: {}", self.file, cause_of(error, path))) from None
        return self.function_of(module)

    def function_of(self, module):
        space, _, name = self.name.rpartition("::")
        found = getattr(module, name, None)
        if found is None and space and "::" not in space:
            found = getattr(getattr(torch.ops, space), name, None)
        if found is None:
            has = ", ".join(each for each in dir(module) if not each.startswith("__")) if module else ""
            raise Failure("build_failed", say("{}: what is built binds no function `{}` to Python; it has: {}", self.file,
                                              self.name, has or say("none")))
        return found

    def forget(self) -> None:
        self.modules.leave()


def module_at(path: str):
    loader = importlib.machinery.ExtensionFileLoader(MODULE, path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(MODULE, loader))
    loader.exec_module(module)
    return module


def cause_of(error: Exception, path: str) -> str:
    """The loader's words with readable names."""
    text = str(error).replace(path + ": ", "")
    head, _, symbol = text.partition("undefined symbol: ")
    if not symbol:
        return text
    return say("nothing defines `{}`; list its file in `sources`, or its library in `flags`",
               torch._C._demangle(symbol.strip()))


def type_text(value) -> str:
    if isinstance(value, torch.Tensor):
        return f"a tensor {str(value.dtype).removeprefix('torch.')}{list(value.shape)}"
    return f"{type(value).__name__} {value!r}"[:60]


def arguments_text(values: list) -> str:
    return "(" + ", ".join(type_text(each) for each in values) + ")"


def checked_call(function, name: str, values: list):
    """Calls a function of C++ by its parameters' order; where it does not take these arguments, says what they are."""
    try:
        return function(*values)
    except TypeError as error:
        if "incompatible function arguments" not in str(error):
            raise
        told = str(error).partition("Invoked with:")[0].rpartition("1. ")[2].strip()
        raise Failure("launch_failed", say("`{}` takes {}; the reference is called with {}", name, told,
                                           arguments_text(values))) from None
    except RuntimeError as error:
        if "Expected at most" not in str(error) and "is missing value for argument" not in str(error):
            raise
        raise Failure("launch_failed", say("`{}` does not take {}: {}", name, arguments_text(values), error)) from None


class PlainFunction:
    """An entry of interface `plain`: all tensors by their addresses, results in memory that is made for the call."""

    def __init__(self, source: ExtensionFile, signature: dict, parameters: list, device: torch.device):
        self.function, self.name, self.device = source.entry, source.name, device
        self.result = signature["result"]
        results = signature["outputs"][:len(signature["outputs"]) - len(signature["mutated"])]
        self.results = [(tuple(each["shape"]), getattr(torch, each["torch_dtype"])) for each in results]
        if signature["gradients"] is not None:
            raise Failure("unavailable", say("`{}` of interface `plain` has no gradients, which the definition's "
                                             "`backward` asks for: use interface `torch`", self.name))
        require_contiguous(signature["leaves"], self.name)
        shapes = [leaf[2] for leaf in signature["leaves"]] + [list(each.shape) for each in parameters]
        sizes = [size for shape in shapes + [list(shape) for shape, _ in self.results] for size in shape]
        self.sizes = (ctypes.c_int64 * max(1, len(sizes)))(*sizes)
        self.said = ctypes.create_string_buffer(LONGEST_TEXT)

    def __call__(self, tensors: list):
        made = [EMPTY(shape, dtype=dtype, device=self.device) for shape, dtype in self.results]
        every = [each.data_ptr() for each in tensors + made]
        self.said[0] = b"\0"
        status = self.function((ctypes.c_void_p * len(every))(*every), self.sizes, self.stream(), self.said,
                               ctypes.c_size_t(LONGEST_TEXT))
        if status != 0:
            text = self.said.value.decode("utf-8", "replace")
            raise Failure("launch_failed", say("`{}` threw: {}", self.name, text) if text else
                          say("`{}` returned {}", self.name, status))
        return formed(self.result, iter(made))

    def stream(self) -> ctypes.c_void_p:
        is_cuda = self.device.type == "cuda"
        return ctypes.c_void_p(torch.cuda.current_stream(self.device).cuda_stream if is_cuda else 0)


def require_contiguous(leaves: list, name: str) -> None:
    for number, (_, dtype, shape, strides, _) in enumerate(leaves):
        if not torch.empty_strided(shape, strides, dtype=getattr(torch, dtype), device="meta").is_contiguous():
            raise Failure("unavailable", say("`{}` is not told strides by interface `plain`, and tensor {} of the "
                                             "arguments, of shape {}, has the strides {}: use interface `torch`", name,
                                             number, shape, strides))


def formed(skeleton, results):
    """The results as the reference returns them."""
    if isinstance(skeleton, list):
        return [formed(each, results) for each in skeleton]
    if isinstance(skeleton, dict):
        return {key: formed(each, results) for key, each in skeleton.items()}
    return None if skeleton is None else next(results)
