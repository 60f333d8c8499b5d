# SPDX-License-Identifier: Apache-2.0
"""Records calls of a file's functions: arguments, results, and which arguments were changed in place."""
import contextlib
import functools
import inspect
import os
import sys
import time
import types
import weakref

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._pytree import tree_leaves

from kernelgen_failures import Failure, no_memory
from kernelgen_said import say
from kernelgen_record_module import ModuleFunction
from kernelgen_smaller import TESTS
from kernelgen_tensors import EMPTY, ZEROS
from kernelgen_trace_program import Program, followed_in
from kernelgen_trees import Arguments, as_tensor, bytes_in, flattened, has_tensor, rebuilt_arguments, view_of

CALLS_KEPT = 64
NO_MEMORY = say("no memory is left to copy its arguments and results")
PLAIN_DEFAULTS = (type(None), bool, int, float, str)


def by_place(function, args: tuple, kwargs: dict) -> tuple:
    """(arguments in the parameters' order with plain defaults, those that can only be given by name, the parameters'
    names)."""
    try:
        bound = inspect.signature(function).bind(*args, **kwargs)
    except (TypeError, ValueError):
        return list(args), kwargs, []
    given = set(bound.arguments)
    bound.apply_defaults()
    positional, keywords, names = [], {}, []
    last = max((i for i, name in enumerate(bound.signature.parameters) if name in given), default=-1)
    for i, (name, parameter) in enumerate(bound.signature.parameters.items()):
        value = bound.arguments[name]
        if parameter.kind is parameter.VAR_KEYWORD:
            keywords.update(value)
        elif parameter.kind is parameter.KEYWORD_ONLY:
            keywords.update({name: value} if name in given or type(value) in PLAIN_DEFAULTS else {})
        elif parameter.kind is parameter.VAR_POSITIONAL:
            positional += value
        elif i <= last or type(value) in PLAIN_DEFAULTS:
            positional.append(value)
            names.append(name)
    return positional, keywords, names


def given_by_place_only(function) -> list:
    """The names of such parameters."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    return [each.name for each in parameters if each.kind is each.POSITIONAL_ONLY]


class Call:
    """One call. The arguments are kept as they were before it; the memory behind them is copied."""

    def __init__(self, name: str, function, args: tuple, kwargs: dict, device: torch.device, program: Program):
        self.name, self.function, self.device = name, function, device
        self.line = line_of(function)
        self.kernels, self.seconds = [], None  # names of those that it launched
        self.numbers, self.chosen = {}, {}  # of each: its integers when it was first launched; what was tuned for it
        self.results, self.skeleton, self.changed = [], None, []
        positional, keywords, self.names = by_place(function, args, kwargs)
        self.went_back = False  # whether gradients came to its results
        self.arguments = Arguments(positional, keywords, self.names, device)
        tensors = [each for each in tree_leaves((positional, keywords)) if isinstance(each, torch.Tensor)]
        self.with_gradients = [name for name, each in zip(self.arguments.names, tensors) if each.requires_grad]
        self.before = [each.clone() for each in self.memory()]
        self.origins = [program.origin(each["keep"]) for each in self.arguments.storages]
        self.read = program.read | program.behind_numbers(tree_leaves((positional, keywords)))
        self.form = str((self.arguments.tree, self.arguments.leaves))

    def memory(self) -> list:
        return [bytes_in(each["memory"]) for each in self.arguments.storages]

    def end(self, returned, seconds: float) -> None:
        self.after = [each.clone() for each in self.memory()]
        self.changed = [i for i, (a, b) in enumerate(zip(self.before, self.after)) if not torch.equal(a, b)]
        self.skeleton = flattened(returned, self.results)
        self.results = [as_tensor(each, self.name).detach() for each in self.results]
        self.places = [self.place_of(each) for each in self.results]
        self.results = [each.clone() for each in self.results]
        self.seconds = seconds

    def watch_gradients(self, returned, kept) -> None:
        """Notes in the call that is kept of this form when autograd goes back through this one."""
        def note(_):
            kept.went_back = True
            known = {*kept.with_gradients, *self.with_gradients}
            kept.with_gradients = [name for name in kept.arguments.names if name in known]

        for each in followed_in(returned):
            if each.requires_grad:
                each.register_hook(note)

    def differentiated(self) -> list:
        """The names of the tensors to which gradients went back."""
        return self.with_gradients if self.went_back else []

    def is_changed_later(self) -> bool:
        """Whether its arguments were changed after it, as by a backward pass that writes into what was saved."""
        return any(not torch.equal(a, b) for a, b in zip(self.after, self.memory()))

    def written(self, returned) -> list:
        """The tensors whose contents the call made."""
        given = [each["memory"].data_ptr() for each in self.arguments.storages]
        changed = [self.arguments.storages[i]["keep"] for i in self.changed]
        return changed + [each for each in followed_in(returned) if each.untyped_storage().data_ptr() not in given]

    def place_of(self, result: torch.Tensor):
        """The number of the argument's leaf that a result is, if that is changed; else None."""
        for number, leaf in enumerate(self.arguments.tensors):
            same = leaf.data_ptr() == result.data_ptr() and leaf.shape == result.shape and leaf.dtype == result.dtype
            if same and self.arguments.leaves[number][0] in self.changed:
                return number
        return None

    def has_ended(self) -> bool:
        return self.seconds is not None

    def tensors_after(self) -> list:
        return [view_of(self.after[leaf[0]], leaf) for leaf in self.arguments.leaves]

    def again(self) -> tuple:
        """(arguments by place, by name, the tensors in them) over copies of the memory before the call."""
        copies = [each.clone() for each in self.before]
        leaves = [view_of(copies[leaf[0]], leaf) for leaf in self.arguments.leaves]
        return *rebuilt_arguments(self.arguments.tree, leaves), leaves


def line_of(function) -> int:
    code = getattr(inspect.unwrap(function), "__code__", None)
    return code.co_firstlineno if code else 0


class Enough(BaseException):
    """The calls that could be made were made. No handler of the file should take it for its own."""


class Fresh(TorchFunctionMode):
    """Memory that is asked for uninitialised holds zeros, so that two traces agree; `addresses` says which it is. The
    program notes how tensors are made."""

    def __init__(self):
        super().__init__()
        self.addresses = set()
        self.program = Program()

    def __torch_function__(self, function, types, args=(), kwargs=None):
        made = self.program.call(function, args, kwargs or {})
        if function in EMPTY:
            bytes_in(made.untyped_storage()).zero_()
            self.addresses.add(made.untyped_storage().data_ptr())
        elif function in ZEROS:
            self.addresses.discard(made.untyped_storage().data_ptr())
        return made


class Recorder:
    """Takes the place of the file's functions, and of its modules' calls. Of calls within a recorded call of a function
    none is recorded; functions that are tests by their name, or take no tensor, are only followed."""

    def __init__(self, device: torch.device, entry: str, folder: str, most_calls: int):
        self.device, self.entry = device, entry
        self.folder, self.most_calls, self.begun_calls = folder, most_calls, 0
        self.calls = []  # one of each form, in order
        self.refused = {}  # by function: why its arguments or results cannot be kept
        self.launched, self.launch_numbers = [], []  # names of kernels, and their integers by name
        self.inside = False
        self.fresh = Fresh()

    def wrapped(self, name: str, function):
        @functools.wraps(function)
        def record(*args, **kwargs):
            if self.inside or not self.is_wanted(name, [*args, *kwargs.values()]):
                return function(*args, **kwargs)
            return self.recorded(name, function, args, kwargs)

        record.recorded_as = name
        return record

    def is_wanted(self, name: str, values: list) -> bool:
        if self.entry:
            return name == self.entry
        return not TESTS.search(name.split(".")[-1]) and any(has_tensor(each) for each in values)

    def recorded(self, name: str, function, args: tuple, kwargs: dict):
        program = self.fresh.program
        try:
            with program.paused():
                call = Call(name, function, args, kwargs, self.device, program)
        except Exception as error:
            self.refuse(name, error)
            return function(*args, **kwargs)  # the functions that it calls may have arguments that can be kept
        kept = self.begin(call)
        self.inside = not isinstance(function, ModuleFunction)
        try:
            with program.paused() if self.inside else contextlib.nullcontext():
                returned = self.followed(call, function, args, kwargs)
            program.opaque(call.arguments.tensors, call.written(returned))
            with program.paused():
                call.watch_gradients(returned, kept)
            return returned
        except Exception:
            self.end_if_lost()
            raise
        finally:
            self.inside = False

    def followed(self, call: Call, function, args: tuple, kwargs: dict):
        before, start = len(self.launched), time.process_time()
        returned = function(*args, **kwargs)
        if self.can_wait():
            torch.cuda.synchronize(self.device)  # an illegal access is this call's
        call.kernels = self.launched[before:]
        for name, numbers in zip(call.kernels, self.launch_numbers[before:]):
            call.numbers.setdefault(name, numbers)
            call.chosen[name] = getattr(tuner_of(vars(sys.modules["__main__"]).get(name)), "best_config", None)
        with self.fresh.program.paused():
            self.ended(call, returned, time.process_time() - start)
        return returned

    def can_wait(self) -> bool:
        """Whether the device can be waited for: not while a CUDA graph is captured."""
        return self.device.type == "cuda" and not torch.cuda.is_current_stream_capturing()

    def end_if_lost(self) -> None:
        """After an illegal access a GPU is of no use to this process, nor are the calls kept on it. So the process ends, and
        the file is executed again up to this call (kernelgen_trace.py)."""
        if not self.can_wait():
            return
        try:
            torch.cuda.synchronize(self.device)
        except Exception:
            os.abort()

    def begin(self, call: Call) -> Call:
        """Keeps the call, if none of its form is; returns the one that is kept. Its number is written down, should it be the
        last."""
        if self.begun_calls == self.most_calls:
            raise Enough(say("the next call crashes: a kernel reads or writes beyond its tensors, or memory runs out"))
        self.begun_calls += 1
        with open(os.path.join(self.folder, "begun"), "w", encoding="ascii") as file:
            file.write(str(self.begun_calls))
        alike = [each for each in self.calls if each.form == call.form and each.name == call.name and each.has_ended()]
        if not alike and len(self.calls) < CALLS_KEPT:
            self.calls.append(call)
        return alike[0] if alike else call

    def ended(self, call: Call, returned, seconds: float) -> None:
        try:
            call.end(returned, seconds)
        except Exception as error:
            self.refuse(call.name, error)

    def refuse(self, name: str, error: Exception) -> None:
        """Notes why a call cannot be kept; what is neither that nor a lack of memory goes on."""
        if not isinstance(error, Failure) and not no_memory(error):
            raise error
        self.refused.setdefault(name, error.reason if isinstance(error, Failure) else NO_MEMORY)

    def wrap_all(self, namespace: dict, names: list) -> None:
        """The functions and `autograd.Function`s among what a statement has just bound to these names."""
        for name in names:
            value = namespace.get(name)
            if isinstance(value, types.FunctionType) and not hasattr(value, "recorded_as"):
                namespace[name] = self.wrapped(name, value)
            elif isinstance(value, type) and issubclass(value, torch.autograd.Function):
                value.apply = staticmethod(self.wrapped(name + ".apply", named_after(value.forward, value.apply)))

    def wrap_modules(self) -> None:
        """Those of classes at the file's top level."""
        made_with, call = weakref.WeakKeyDictionary(), torch.nn.Module.__call__

        def new(kind, *args, **kwargs):
            module = object.__new__(kind)
            made_with[module] = args, kwargs
            return module

        def called(module, *args, **kwargs):
            kind = type(module)
            is_own = kind.__module__ == "__main__" and kind.__qualname__ == kind.__name__
            if self.inside or not is_own or not self.is_wanted(kind.__name__, [*args, *kwargs.values()]):
                return call(module, *args, **kwargs)
            try:
                function = ModuleFunction(module, made_with[module], args, kwargs, call)
            except Failure as failure:
                self.refused.setdefault(kind.__name__, failure.reason)
                return call(module, *args, **kwargs)
            return self.recorded(kind.__name__, function, tuple(function.values.values()), {})

        torch.nn.Module.__new__, torch.nn.Module.__call__ = new, called

    def wrap_operators(self) -> None:
        """Those of `torch.library.custom_op` and `triton_op` that the file defines."""
        operator = getattr(torch._library.custom_ops, "CustomOpDef", None)
        if operator is None:
            return
        call = operator.__call__

        def called(made, *args, **kwargs):
            names = [name for name, value in vars(sys.modules["__main__"]).items() if value is made]
            if self.inside or not names or not self.is_wanted(names[0], [*args, *kwargs.values()]):
                return call(made, *args, **kwargs)

            def bound(*args, **kwargs):
                return call(made, *args, **kwargs)

            bound.__code__ = bound.__code__.replace(co_firstlineno=line_of(function_of_operator(made)))
            bound.__signature__ = signature_of_schema(made._opoverload._schema)
            return self.recorded(names[0], bound, args, kwargs)

        operator.__call__ = called

    def note_launches(self) -> None:
        from triton.runtime import interpreter, jit

        for owner, method in ((interpreter.GridExecutor, "__call__"), (jit.JITFunction, "run")):
            setattr(owner, method, self.noted(getattr(owner, method)))

    def noted(self, launch):
        @functools.wraps(launch)
        def noted(kernel, *args, **kwargs):
            self.launched.append(kernel.fn.__name__)
            given = {**dict(zip(getattr(kernel, "arg_names", []), args)), **kwargs}
            self.launch_numbers.append({name: each for name, each in given.items() if type(each) is int})
            return self.fresh.program.of_kernel(lambda: launch(kernel, *args, **kwargs), followed_in((args, kwargs)))

        return noted


def tuner_of(kernel):
    """What `triton.autotune` made of a kernel, which may have further decorators; None where it made nothing."""
    while kernel is not None and not hasattr(kernel, "configs"):
        kernel = getattr(kernel, "fn", None)
    return kernel


def function_of_operator(made):
    """The file's own function, which `triton_op` wraps in one of PyTorch's."""
    function = made._init_fn
    if not (getattr(function, "__module__", None) or "").startswith("torch."):
        return function
    return inspect.getclosurevars(function).nonlocals.get("fn", function)


def signature_of_schema(schema) -> inspect.Signature:
    """The parameters of a registered operator."""
    parameters = []
    for each in schema.arguments:
        kind = inspect.Parameter.KEYWORD_ONLY if each.kwarg_only else inspect.Parameter.POSITIONAL_OR_KEYWORD
        default = each.default_value if each.has_default_value() else inspect.Parameter.empty
        parameters.append(inspect.Parameter(each.name, kind, default=default))
    return inspect.Signature(parameters)


def named_after(forward, apply):
    """`apply` with the parameters of `forward`, less its context."""
    def called(*args, **kwargs):
        return apply(*args, **kwargs)

    called.__code__ = called.__code__.replace(co_firstlineno=line_of(forward))
    parameters = list(inspect.signature(forward).parameters.values())[1:]
    called.__signature__ = inspect.Signature(parameters)
    return called
