# SPDX-License-Identifier: Apache-2.0
"""An operator's file as something that can be called on the executor's buffers."""
import contextlib
import os
import sys
import types
import warnings

import torch

import kernelgen_failures as failures
import kernelgen_interpreter
from kernelgen_arguments import names_for_tensors, told_dtypes
from kernelgen_doubts import Doubts
from kernelgen_failures import Failure
from kernelgen_float64 import InFloat64, as_defined
from kernelgen_inline import own_extensions
from kernelgen_modules import OwnModules, write_files
from kernelgen_said import say
from kernelgen_sources import SourceProblem, substituted
from kernelgen_tensors import (OutputsInPlace, TensorSpec, differs_from_definition, form_of, made_whole, put_into,
                               require_fitting, span_of)

TIMED, JUDGED, REPLAY, FORGET = 0, 1, 2, 3  # kernelgen_call_mode of core/python/executor_library.h


class OperatorFile:
    """A file with one configuration, executed once, from a copy in a folder of its own, with the modules of the
    project that it came with beside it."""

    def __init__(self, artifact: dict, folder: str):
        self.file = artifact["file"]
        self.compiles = artifact["compile"]
        self.configuration = artifact["configuration"]
        self.path = os.path.join(folder, self.file)
        self.module = types.ModuleType("kernelgen_operator_" + os.path.basename(folder))
        self.modules = OwnModules(folder, self.file, artifact.get("files", {}))
        self.execute(artifact)
        self.entry = self.entry_of(artifact)
        self.compiled = {}  # by shapes; None: for all others

    def entry_of(self, artifact: dict):
        found = getattr(self.module, artifact["entry"], None)
        if not callable(found) and not hasattr(found, "run"):
            raise Failure("build_failed", self.file + ": " + say("there is no function `{}`", artifact["entry"]))
        return found

    def text_of(self, artifact: dict) -> str:
        return substituted(artifact["text"].removeprefix("\ufeff"), artifact["entry"], self.configuration)

    def execute(self, artifact: dict) -> None:
        try:
            text = self.text_of(artifact)
        except SourceProblem as problem:
            reason = f"{self.file}:{problem.line}: " + problem.message
            raise Failure("build_failed", reason, problem.line) from None
        self.asks_gradients = "requires_grad" in text
        write_files(self.path.removesuffix(self.file), {self.file: text})
        self.module.__file__ = self.path
        sys.modules[self.module.__name__] = self.module  # where a function's file is looked for
        if self.modules.folders:
            self.modules.package_of(self.module)
        self.modules.enter()
        try:
            with own_extensions(text):
                exec(compile(text, self.path, "exec"), self.module.__dict__)
        except BaseException as error:
            raise failures.on_import(error, self.path, self.file) from None
        self.modules.keep()
        kernelgen_interpreter.make_exact()

    def forget(self) -> None:
        """Removes its modules from Python's modules."""
        self.modules.leave()
        for name in [each for each in sys.modules if each.startswith(self.module.__name__)]:
            del sys.modules[name]

    def compile_for(self, shapes: tuple, alone: bool):
        """Each timed size has a compilation of its own, the fastest; all sizes that are only verified share one."""
        key = shapes if alone or shapes in self.compiled else None
        if key not in self.compiled:
            code = self.entry.__code__.replace()  # what is compiled is kept by code object
            copy = types.FunctionType(
                code, self.entry.__globals__, self.entry.__name__, self.entry.__defaults__, self.entry.__closure__
            )
            copy.__kwdefaults__ = self.entry.__kwdefaults__
            self.compiled[key] = torch.compile(copy, dynamic=key is None)
        return self.compiled[key]


class Kernel:
    """The entry of a file, bound to the sizes of a call. `judges`: how a reference is called (docs/EXECUTOR_PROTOCOL.md)."""

    def __init__(self, source: OperatorFile, device: torch.device, judges: dict | None = None):
        self.source = source
        self.device = device
        judges = judges or {}
        self.in_float64 = judges.get("in_float64", False)
        self.doubts = {each: judges.get(each, 0) for each in ("noise", "ties")}

    def bind(self, call: dict, alone: bool) -> None:
        """Prepares for calls of these sizes. `alone`: torch.compile compiles for exactly these sizes."""
        self.inputs = [TensorSpec(each) for each in call["inputs"]]
        self.outputs = [TensorSpec(each) for each in call["outputs"]]
        self.workspace = [
            TensorSpec.of_workspace(dtype, elements)
            for dtype, elements in zip(call["workspace_dtypes"], call["workspace_elements"])
        ]
        self.attributes = {each["name"]: each["value"] for each in call["attributes"]}
        self.symbols = call["symbols"]
        self.free_symbols = call["free_symbols"]
        self.numbers = {**self.free_symbols, **self.attributes}
        self.launch = call["launches"][0] if call["launches"] else None
        self.tensors = {}  # by addresses
        self.repetition = None
        self.returned = []  # by all calls since the last FORGET: results that live do not share memory
        self.function = self.source.entry
        tensors = [each.name for each in self.inputs]
        if self.launch is None:
            self.numbers.update(told_dtypes(self.function, self.outputs, {*tensors, *self.numbers}))
        self.tensor_names = None if self.launch else names_for_tensors(self.function, tensors, set(self.numbers))
        if self.source.compiles:
            shapes = tuple((each.shape, each.dtype) for each in self.inputs)
            self.function = self.source.compile_for(shapes, alone)

    def tensors_at(self, addresses: tuple) -> tuple:
        """Inputs, outputs, workspace, and where the inputs lie, at these addresses; made once for each set of buffers."""
        known = self.tensors.get(addresses)
        if known is None:
            specs = self.inputs + self.outputs + self.workspace
            made = [spec.at(address, self.device) for spec, address in zip(specs, addresses)]
            first, second = len(self.inputs), len(self.inputs) + len(self.outputs)
            self.forms = [form_of(each) for each in made[first:second]]
            spans = [span_of(each) for each in made[:first]]
            known = self.tensors[addresses] = (made[:first], made[first:second], made[second:], spans)
        return known

    def timed(self, buffers: tuple) -> list:
        """What a call returns, as outputs lie in memory, with the addresses: the library copies it from there, and no
        Python code runs after the time. A view is computed when it is copied, so it is made a tensor of its own within
        the time."""
        returned = self.invoke(buffers)
        if self.launch is not None:
            return []
        return [made_whole(each, buffers[3]) for each in self.checked(values_of(returned))]

    def invoke(self, buffers: tuple):
        """Calls the entry. Returns its results, or None where it writes into the outputs directly."""
        if self.launch is None and self.tensor_names is None:
            return self.function(*buffers[0], **self.numbers)
        if self.launch is None:
            return self.function(**dict(zip(self.tensor_names, buffers[0])), **self.numbers)
        places = {
            "input": buffers[0],
            "output": buffers[1],
            "workspace": buffers[2],
            "attribute": list(self.attributes.values()),
            "symbol": self.symbols,
        }
        arguments = [places[each["kind"]][each["index"]] for each in self.launch["args"]]
        self.function[tuple(self.launch["grid"])](*arguments, **self.source.configuration)
        return None

    def call(self, addresses: tuple, mode: int, places) -> None:
        """`places`: where the addresses of a timed call's results are written, or of all results of a replay."""
        if mode == TIMED:
            results = self.timed(self.tensors_at(addresses))
            self.returned += results
            tell(results, places)
        elif mode == FORGET:
            self.returned = []
        elif mode == REPLAY:
            self.returned = []  # whose memory the next results take
            self.returned = self.repetition()
            tell(self.returned, places)
        else:
            self.call_judged(addresses)

    def called_in_float64(self, buffers: tuple) -> bool:
        """Calls the entry with float64 for all narrower dtypes. True: it worked, and the buffers have the results."""
        try:
            with InFloat64(), self.doubting():
                values = values_of(self.invoke(buffers))
            put_into(buffers[1], self.checked(as_defined(values, self.outputs)))
        except Exception:
            return False
        return True

    def doubting(self):
        return Doubts(self.device, **self.doubts) if any(self.doubts.values()) else contextlib.nullcontext()

    def call_judged(self, addresses: tuple) -> None:
        buffers = self.tensors_at(addresses)
        if self.in_float64 and self.called_in_float64(buffers):
            return
        in_place = self.launch is None and not self.source.compiles and not any(self.doubts.values())
        redirected = OutputsInPlace(buffers[1])
        with redirected if in_place else self.doubting():
            values = values_of(self.invoke(buffers))
        if self.launch is None:
            put_into(buffers[1], self.checked(values))
        del values
        redirected.let_go()

    def checked(self, values: list) -> list:
        """The returned tensors, checked against the definition."""
        name = self.source.entry.__name__
        if len(values) != len(self.outputs):
            raise Failure("launch_failed", say("`{}` returns {} values; the operator has {} outputs", name, len(values),
                                               len(self.outputs)))
        for spec, form, value in zip(self.outputs, self.forms, values):
            require_fitting(value, form, name, spec.name, differs_from_definition)
        return values

    def own_buffers(self, make_input) -> tuple:
        """Buffers of PyTorch for a call: inputs are made by `make_input(TensorSpec)`, all others are zeros."""
        return (
            [make_input(spec, self.device) for spec in self.inputs],
            [spec.zeros(self.device) for spec in self.outputs],
            [spec.zeros(self.device) for spec in self.workspace],
        )

    def warm_up(self) -> None:
        """Makes one call on zeros, to compile."""
        self.invoke(self.own_buffers(TensorSpec.zeros))

    def repeat(self, sets: list, capturing) -> bool:
        """Makes `REPLAY` calls on these sets of buffers ready: as one graph, captured in the stream `capturing`, or one
        by one where it cannot be captured.
        All results are kept until the next replay, so that no two of them share memory. Returns whether PyTorch can
        still be relied on: a capture that fails leaves its allocator waiting for the end."""
        buffers = [self.tensors_at(tuple(addresses)) for addresses in sets]

        def one_by_one() -> list:
            return [result for each in buffers for result in self.timed(each)]

        self.returned = []
        self.repetition = one_by_one
        if waits_for_device(one_by_one):
            return True
        try:
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph, stream=capturing, capture_error_mode="thread_local"):
                captured = one_by_one()
        except Exception:
            torch.cuda.synchronize(self.device)
            return False

        def replay() -> list:
            graph.replay()
            return captured

        self.repetition = replay
        return True


def tell(results: list, places) -> None:
    """Writes the addresses of results to an array of the library."""
    for number, (_, address) in enumerate(results):
        places[number] = address


def values_of(returned) -> list:
    """What a call returned, one by one. It belongs to the call, and to its time: a sequence may have code of its own."""
    return list(returned) if isinstance(returned, (tuple, list)) else [returned]


def waits_for_device(work) -> bool:
    """Whether PyTorch reports that some code waits for the device, such as `.item()`."""
    before = torch.cuda.get_sync_debug_mode()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that this mode does not know every such code yet
        torch.cuda.set_sync_debug_mode("error")
    try:
        work()
    except RuntimeError:
        return True
    finally:
        torch.cuda.set_sync_debug_mode(before)
    return False
