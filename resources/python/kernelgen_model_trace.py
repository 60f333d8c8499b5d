# SPDX-License-Identifier: Apache-2.0
"""The calls of PyTorch's operators (aten) that a model makes, each with its arguments, the memory behind them and the
module that made it (docs/MODEL.md)."""
import contextlib
from dataclasses import dataclass, field

import torch
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_flatten, tree_map_only

from kernelgen_failures import Failure
from kernelgen_said import say
from kernelgen_tensors import dtype_name

ALLOCATIONS = ("empty", "empty_like", "empty_strided", "new_empty", "new_empty_strided", "resize_", "set_")
UNMARKED_VIEWS = ("_unsafe_view", "_reshape_alias", "lift_fresh", "unsafe_split", "unsafe_split_with_sizes")
MOST_CALLS = 100_000


@dataclass(frozen=True)
class Value:
    """A tensor as a call saw it: which memory, and how it lies there."""

    memory: int
    offset: int
    shape: tuple
    strides: tuple
    dtype: torch.dtype

    def elements(self) -> int:
        """Those that lie in memory: an expanded tensor has fewer than its shape says."""
        count = 1
        for size, stride in zip(self.shape, self.strides):
            count *= 1 if stride == 0 and size > 0 else size
        return count

    def bytes(self) -> int:
        return self.elements() * self.dtype.itemsize

    def text(self) -> str:
        expected = torch.empty(self.shape, device="meta").stride()
        strides = "" if self.strides == expected or 0 in self.shape else f"{{{','.join(map(str, self.strides))}}}"
        return f"{SHORT.get(self.dtype, dtype_name(self.dtype))}[{','.join(map(str, self.shape))}]{strides}"


SHORT = {torch.float64: "f64", torch.float32: "f32", torch.float16: "f16", torch.bfloat16: "bf16", torch.int64: "i64",
         torch.int32: "i32", torch.int16: "i16", torch.int8: "i8", torch.uint8: "u8", torch.bool: "bool"}


@dataclass
class ModelCall:
    """One call; tensors are replaced by their values. `number` counts the calls that compute or move something, from 1;
    the others (views, allocations, questions, counters of modules) have 0."""

    number: int
    function: object
    arguments: tuple
    keywords: dict
    module: str
    inputs: list
    outputs: list
    written: list
    signature: str = ""
    counts: object = None
    seconds: object = None

    def operator(self) -> str:
        return str(self.function).removesuffix(".default")

    def place(self) -> str:
        """The operator, and the module that calls it where that is not the model itself."""
        return f"{self.operator()} in `{self.module}`" if self.module else self.operator()

    def is_random(self) -> bool:
        return torch.Tag.nondeterministic_seeded in self.function.tags and not self.drops_nothing()

    def drops_nothing(self) -> bool:
        """Whether it is an attention or a recurrent layer that is called without dropout."""
        for place, each in enumerate(self.function._schema.arguments):
            if each.name in ("dropout_p", "dropout"):
                given = self.arguments[place : place + 1] or [self.keywords.get(each.name, each.default_value)]
                return given[0] == 0
        return False


@dataclass
class Trace:
    """What one run of the model did."""

    calls: list = field(default_factory=list)
    questions: int = 0
    views: int = 0
    parameters: dict = field(default_factory=dict)  # names by memory
    results: list = field(default_factory=list)  # values that the model returns

    def numbered(self) -> list:
        return [each for each in self.calls if each.number]


def argument_text(value) -> str:
    if isinstance(value, Value):
        return value.text()
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(argument_text, value)) + "]"
    return dtype_name(value) if isinstance(value, torch.dtype) else repr(value)


def signature_of(call: ModelCall) -> str:
    """The operator with all of its arguments: two calls with the same text do the same work."""
    keywords = [f"{name}={argument_text(value)}" for name, value in call.keywords.items()]
    return f"{call.operator()}({', '.join([*map(argument_text, call.arguments), *keywords])})"


class Memories:
    """A number for each storage. Weak references are kept, so that none is given to another storage later."""

    def __init__(self):
        self.numbers, self.kept = {}, []

    def number(self, tensor: torch.Tensor) -> int:
        reference = StorageWeakRef(tensor.untyped_storage())
        if reference.cdata not in self.numbers:
            self.numbers[reference.cdata] = len(self.kept)
            self.kept.append(reference)
        return self.numbers[reference.cdata]

    def value(self, tensor: torch.Tensor) -> Value:
        if tensor.layout != torch.strided or tensor.is_quantized:
            raise Failure("unavailable", say("the model computes with a tensor that is sparse or quantised ({}); such "
                                             "calls cannot be told apart", tensor.layout))
        return Value(self.number(tensor), tensor.storage_offset(), tuple(tensor.shape), tuple(tensor.stride()),
                     tensor.dtype)


def tensors_in(tree) -> list:
    return [each for each in tree_flatten(tree)[0] if isinstance(each, torch.Tensor)]


def written_arguments(function, args: tuple, kwargs: dict) -> list:
    """The tensors that a call changes, as its schema says."""
    found = []
    for place, argument in enumerate(function._schema.arguments):
        if argument.alias_info is not None and argument.alias_info.is_write:
            given = args[place] if place < len(args) and not argument.kwarg_only else kwargs.get(argument.name)
            found += tensors_in(given)
    return found


class Recorder(TorchDispatchMode):
    """Records each call while it is entered. `observe(call, args, kwargs)` is called before the call is made."""

    def __init__(self, where, observe):
        super().__init__()
        self.where, self.observe = where, observe
        self.memories, self.trace, self.made = Memories(), Trace(), 0

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        value = self.memories.value
        as_values = [tree_map_only(torch.Tensor, value, each) for each in (args, kwargs)]
        inputs = [value(each) for each in tensors_in((args, kwargs))]
        written = [value(each) for each in written_arguments(function, args, kwargs)]
        call = ModelCall(0, function, *as_values, self.where(), inputs, [], written)
        if self.is_work(call):
            self.made += 1
            call.number = self.made
            call.signature = signature_of(call)
            if self.made > MOST_CALLS:
                raise Failure("over_limit", say("the model makes more than {} calls of operators: give it smaller inputs "
                                                "or fewer steps", MOST_CALLS))
        self.observe(call, args, kwargs)
        result = function(*args, **kwargs)
        call.outputs = [value(each) for each in tensors_in(result)]
        self.keep(call)
        return result

    def is_work(self, call: ModelCall) -> bool:
        """Whether it may compute or move something: known from its schema, before it is made."""
        function = call.function
        name = function._schema.name.split("::")[-1]
        returns = function._schema.returns
        if name in ALLOCATIONS or function.is_view or name in UNMARKED_VIEWS:
            return False
        if call.written and all(each.shape == () and each.memory in self.trace.parameters for each in call.written):
            return False  # a module counts its calls
        return bool(call.written) or any("Tensor" in str(each.type) for each in returns)

    def keep(self, call: ModelCall) -> None:
        if not call.number and call.outputs:
            self.trace.views += 1
        if not call.number and not call.outputs and call.inputs:
            self.trace.questions += 1
        self.trace.calls.append(call)


@contextlib.contextmanager
def places_in(module):
    """While it is entered, tells which module's `forward` runs: a function that returns the path of the innermost."""
    stack, hooks = [], []

    def leave(*_) -> None:
        stack.pop()

    for path, each in module.named_modules() if isinstance(module, torch.nn.Module) else ():
        hooks.append(each.register_forward_pre_hook(lambda _, __, path=path: stack.append(path)))
        hooks.append(each.register_forward_hook(leave, always_call=True))
    try:
        yield lambda: stack[-1] if stack else ""
    finally:
        for hook in hooks:
            hook.remove()


def traced(definition, positional: list, keywords: dict, observe=lambda *_: None) -> Trace:
    """Runs the model once and records it."""
    function = definition.function()
    is_module = isinstance(function, torch.nn.Module)
    with places_in(function) as where:
        recorder = Recorder(where, observe)
        for name, each in [*function.named_parameters(), *function.named_buffers()] if is_module else ():
            recorder.trace.parameters[recorder.memories.number(each)] = name
        with recorder:
            result = definition.call(function, *positional, **keywords)
    recorder.trace.results = [recorder.memories.value(each) for each in tensors_in(result)]
    return recorder.trace
