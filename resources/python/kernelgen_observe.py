# SPDX-License-Identifier: Apache-2.0
"""Remarks on a candidate of a callable operator, from one call that is neither judged nor timed (docs/CALLABLE.md)."""
import contextlib
import os
import re
import sys
import time

import torch

from kernelgen_describe import differs
from kernelgen_extension import ExtensionFile
from kernelgen_gradients import add_upstream, differentiable
from kernelgen_said import Said, joined, say, told
from kernelgen_trees import as_tensor, bytes_in, flattened, rebuilt_arguments
from kernelgen_watch import Watch

SHOWN = 12
CALLS_HELD, SECONDS_HELD, BYTES_HELD = 8, 1.0, 1 << 30  # of results that live at the same time
OTHERS = re.compile(r"/libkernelgen_executor\.so( \(deleted\))?$|/(torch|numpy|triton|torch\.libs|numpy\.libs|lib-dynload)/|"
                    r"/(__triton_launcher|cuda_utils)\.cpython-[^/]+\.so$|"  # what Triton itself builds and caches
                    r"^(/usr)?/lib(64)?/([\w-]+-linux-gnu/)?[^/]+$")
SET_PROFILE = sys.setprofile  # as it is before any other file is executed


def listed(names: list) -> Said:
    shown = joined(", ", names[:SHOWN])
    return say("{} and {} more", shown, len(names) - SHOWN) if len(names) > SHOWN else shown


def libraries() -> set:
    """The machine code that this process has mapped, but PyTorch's, Triton's, Python's and the system's."""
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
        paths = {line.split(maxsplit=5)[5].strip() for line in maps if line.count("/")}
    return {each for each in paths if ".so" in each and not OTHERS.search(each)}


KNOWN_LIBRARIES = libraries()


def loaded_libraries() -> list:
    """Those that came with the candidate, each with its folder: "markupsafe/_speedups.so"."""
    return sorted("/".join(each.split("/")[-2:]) for each in libraries() - KNOWN_LIBRARIES - ExtensionFile.all_built)


@contextlib.contextmanager
def triton_launches(names: list):
    """Appends the names of the Triton kernels that are launched."""
    kinds = [(sys.modules.get("triton.runtime.jit"), "JITFunction", "run"),
             (sys.modules.get("triton.runtime.interpreter"), "GridExecutor", "__call__")]
    replaced = []
    for module, kind, method in kinds:
        owner = getattr(module, kind, None)
        if owner is None:
            continue
        launch = getattr(owner, method)

        def noted(self, *args, launch=launch, **kwargs):
            names.append(getattr(self.fn, "__name__", "a kernel"))
            return launch(self, *args, **kwargs)

        replaced.append((owner, method, launch))
        setattr(owner, method, noted)
    try:
        yield
    finally:
        for owner, method, launch in replaced:
            setattr(owner, method, launch)


def is_one_value(values: torch.Tensor) -> bool:
    return values.numel() > 0 and bool((values == values.view(-1)[0]).all())


@contextlib.contextmanager
def other_values(names: list, reference: dict, own: dict):
    """While it is entered, these parameters of both have the same other values: each element times 0.5 to 1.5, and where
    all elements are equal plus 0 to 1."""
    before = [(each, each.clone()) for name in names for each in (reference[name], own[name])]
    for number, name in enumerate(names):
        values = reference[name]
        drawn = torch.rand(values.shape, generator=torch.Generator().manual_seed(number)).to(values)
        values.copy_(values + drawn if is_one_value(values) else values * (drawn + 0.5))
        own[name].copy_(values)
    try:
        yield
    finally:
        for each, values in before:
            each.copy_(values)


@contextlib.contextmanager
def functions_called(file: str, names: dict):
    """Notes which functions of a file are called."""
    def note(frame, event, _):
        if event == "call" and frame.f_code.co_filename.endswith(os.sep + file):
            names[getattr(frame.f_code, "co_qualname", frame.f_code.co_name)] = True

    SET_PROFILE(note)
    try:
        yield
    finally:
        SET_PROFILE(None)


class Observed:
    """One call of a side on inputs of its own."""

    def __init__(self, side, definition):
        self.side, self.definition = side, definition
        self.launched, self.of_definition = [], {}
        self.watch = Watch(side.device, lists=True)
        buffers = self.own_buffers()
        if side.source.compiles:
            side.results(buffers)
        is_definition = side.source.file == definition.source.file
        watched_file = "" if is_definition else definition.source.file
        with triton_launches(self.launched), functions_called(watched_file, self.of_definition), self.watch:
            side.results(buffers)

    def own_buffers(self) -> tuple:
        gradients = self.side.signature["gradients"]
        arguments = self.definition.arguments(1)
        add_upstream(arguments, self.side.signature["outputs"], gradients, 1)
        leaves = differentiable(arguments.tensors, gradients)
        memory = [bytes_in(each["memory"]) for each in arguments.storages]
        return rebuilt_arguments(arguments.tree, leaves), [], (memory, leaves)

    def messages(self) -> list:
        """The remarks as messages of a reply; the worker adds them to a result."""
        remarks = [self.on_parameters(), self.on_definition(), self.on_precision(), self.on_work(), self.on_libraries(),
                   self.on_kernels(), self.on_memory(), self.on_memory_of_results()]
        return [{"file": self.side.source.file, "severity": "note", **told("text", each)} for each in remarks if each]

    def on_parameters(self) -> str:
        """Of modules with the same parameters: both are called with other values of them."""
        reference, name = self.definition.parameters(), self.side.name()
        own = self.side.parameters
        lacking = [each for each in reference if each not in own or own[each].shape != reference[each].shape]
        if lacking:
            return say("`{}` has no parameters {} as the reference's module has them: other values are not tried for them, "
                       "and what it computed in advance of its own is not in its time", name, listed(lacking))
        floating = [each for each, values in reference.items() if values.is_floating_point()]
        equal = [each for each in floating if is_one_value(reference[each])]
        follows, renewed = self.follows(floating) if floating else (True, [])
        if not follows and equal and not self.follows(equal)[0]:
            return say("with other values for the parameters {}, which are all equal, `{}` does not return what the "
                       "reference returns: it leaves them out, or keeps a copy of them", listed(equal), name)
        if not follows:
            return say("with other values for its parameters between two calls, `{}` does not return what the reference "
                       "returns: it keeps what it computed of the earlier ones, or relies on them; its time leaves that "
                       "work out", name)
        if renewed:
            return say("`{}` calls {} only after its parameters have changed: it keeps what it computed of them, and the "
                       "time of a call leaves that work out", name, listed(renewed))
        return ""

    def follows(self, names: list) -> tuple:
        """Whether the side does what the reference does when these parameters have other values for a while; and the
        operators that it calls only the first time then."""
        with other_values(names, self.definition.parameters(), self.side.parameters):
            with Watch(self.side.device, lists=True) as first:
                own = self.results_of_side()
            with Watch(self.side.device, lists=True) as second:
                self.results_of_side()
            self.definition.restore()
            (positional, keywords), _, _ = self.own_buffers()
            theirs = []
            flattened(self.definition.function()(*positional, **keywords), theirs)
        follows = not any(differs(as_tensor(a, ""), as_tensor(b, "")) for a, b in zip(own, theirs))
        return follows, list(first.operator_counts() - second.operator_counts())

    def results_of_side(self) -> list:
        return self.side.results(self.own_buffers())[1]

    def on_memory_of_results(self) -> str:
        """Whether a call hands out memory in which a result of an earlier one still lives."""
        buffers, held, known, end = self.own_buffers(), [], set(), time.perf_counter() + SECONDS_HELD
        module = getattr(self.side, "module", None)
        kept = [*self.side.parameters.values(), *(module.buffers() if module is not None else [])]
        own = {each.untyped_storage().data_ptr() for each in [*buffers[2][0], *kept]}
        for _ in range(CALLS_HELD):
            results = [each for each in self.side.results(buffers)[1] if isinstance(each, torch.Tensor)]
            places = {each.untyped_storage().data_ptr() for each in results} - own
            if places & known:
                return say("`{}` hands out memory again in which its earlier results lie: a later call overwrites them, and "
                           "the time of a call leaves out what new memory takes", self.side.name())
            known |= places
            held += results
            if time.perf_counter() > end or sum(each.nbytes for each in held) > BYTES_HELD:
                break
        return ""

    def on_definition(self) -> str:
        if not self.of_definition:
            return ""
        return say("`{}` calls the reference's own code, {} of {}: as far as it does, the reference is compared with itself",
                   self.side.name(), listed(list(self.of_definition)), self.definition.source.file)

    def on_precision(self) -> str:
        signature = self.side.signature
        known = [leaf[1] for leaf in signature["leaves"]] + [each["torch_dtype"] for each in signature["outputs"]]
        narrow = [f"{name} in {dtype}" for dtype, name in self.watch.narrow_operators().items() if dtype not in known]
        if not narrow:
            return ""
        return say("`{}` calls {}, a precision narrower than that of every argument and result; the tolerance lets its "
                   "errors pass", self.side.name(), listed(narrow))

    def on_work(self) -> str:
        operators = listed(self.watch.operators()) or say("none")
        own = list(dict.fromkeys(self.launched))
        built = getattr(self.side.source, "built", "")
        own += [say("machine code of {}", self.side.source.file)] if built else []
        loaded = loaded_libraries()
        if own:
            return say("`{}` launches {}; PyTorch's operators that it calls: {}", self.side.name(), listed(own), operators)
        if loaded:
            return say("`{}` launches no kernel that can be seen; PyTorch's operators that it calls: {}; machine code that it "
                       "has loaded and may call: {}", self.side.name(), operators, listed(loaded))
        if not self.watch.operators():
            return say("`{}` launches no kernel and calls no operator of PyTorch that computes: what it returns lies in its "
                       "arguments, or was computed before, or elsewhere", self.side.name())
        return say("`{}` launches no kernel of its own: the work is done by PyTorch's operators, {}", self.side.name(),
                   operators)

    def on_libraries(self) -> str:
        loaded = loaded_libraries()
        if not loaded or not (self.launched or getattr(self.side.source, "built", "")):
            return ""
        return say("`{}` has also loaded machine code, which it may call: {}", self.side.name(), listed(loaded))

    def on_kernels(self) -> str:
        kernels = self.watch.device_kernels()
        return say("the GPU ran the kernels {} for `{}`", listed(kernels), self.side.name()) if kernels else ""

    def on_memory(self) -> str:
        peak, reference = self.watch.peak_bytes, self.side.signature["peak_bytes"]
        return say("a call on case `{}` holds at most {:,} B of memory beside its arguments; the reference {:,} B (what "
                   "PyTorch's allocator gives out)", self.definition.case["name"], peak, reference)
