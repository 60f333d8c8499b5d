# SPDX-License-Identifier: Apache-2.0
"""How a file's tests made their tensors (docs/IMPORT.md): the calls of PyTorch outside of what is judged, in order, so
that a definition can make inputs again that belong together, such as a cosine beside its sine."""
import contextlib
import numbers

import torch
from torch.multiprocessing.reductions import StorageWeakRef
from torch.overrides import resolve_name
from torch.utils._pytree import tree_leaves
from torch.utils.weak import WeakIdKeyDictionary

from kernelgen_tensors import PLAIN_TENSORS, WITHOUT_MODES
from kernelgen_trees import bytes_in

MOST_STEPS = 8000
LONGEST_TEXT = 4096  # of a step

# Names of functions, without the underscores around them.
FORM = set("to|type|float|half|bfloat16|double|int|long|bool|cuda|cpu|contiguous|clone|detach|requires_grad|view|reshape|"
           "permute|transpose|t|T|mT|squeeze|unsqueeze|flatten|unflatten|expand|expand_as|view_as|getitem|narrow|select|"
           "chunk|split|unbind|cat|stack|concat|data|swapaxes|movedim|type_as|alias|as_strided".split("|"))
ARITHMETIC = set("add|sub|mul|div|true_divide|truediv|radd|rsub|rmul|rtruediv|iadd|isub|imul|itruediv|neg|copy|setitem|fill|"
                 "zero|clamp|clip|lt|le|gt|ge|eq|ne|and|or|invert|masked_fill|where".split("|"))
ELEMENTWISE = set("abs|sigmoid|tanh|exp|log|log2|sqrt|rsqrt|pow|rpow|square|relu|softplus|logsigmoid|silu|gelu|reciprocal|"
                  "round|floor|sign|cos|sin|remainder|mod|rmod|floordiv|bitwise_and|bitwise_or".split("|"))
FACTORIES = set("empty|zeros|ones|full|arange|linspace|tensor|as_tensor|eye|empty_strided".split("|"))
RANDOM = set("randn|rand|randint|randperm|normal|uniform|bernoulli|multinomial|exponential|random|log_normal|cauchy|geometric|"
             "poisson|dropout|xavier_uniform|xavier_normal|kaiming_uniform|kaiming_normal|trunc_normal|orthogonal".split("|"))
UNREPEATABLE = {"grad", "backward", "load"}
READS = {"item", "tolist", "int", "float", "index", "numpy", "array"}
LEFT_OUT = ("requires_grad", "generator", "pin_memory", "out_dtype")
NAMESPACES = {"torch": torch, "torch.nn.functional": torch.nn.functional, "torch.nn.init": torch.nn.init}


def plain_name(function) -> str:
    """"add" of `torch.Tensor.__iadd__`'s kin, "T" of the attribute's getter."""
    name = getattr(function, "__name__", "")
    return getattr(function.__self__, "__name__", name) if name in ("__get__", "__set__") else name.strip("_")


def path_of(function) -> str:
    """Where a definition finds it, or ""."""
    name = getattr(function, "__name__", "")
    places = [f"{path}.{name}" for path, module in NAMESPACES.items() if getattr(module, name, None) is function]
    return places[0] if places else resolve_name(function) or ""


class Unrepeatable(Exception):
    """Text cannot say it."""


class Reference:
    """A tensor that a step made; `place`: which of several."""

    def __init__(self, step: int, place=None):
        self.step, self.place = step, place

    def text(self) -> str:
        return f"made_{self.step}" + ("" if self.place is None else f"[{self.place}]")


def node_text(value) -> str:
    if isinstance(value, Reference):
        return value.text()
    if isinstance(value, (bool, str, type(None), type(...))):
        is_device = isinstance(value, str) and value.split(":")[0] in ("cuda", "cpu")
        return "device" if is_device else "..." if value is ... else repr(value)
    if isinstance(value, numbers.Integral):
        return repr(int(value))
    if isinstance(value, numbers.Real):
        return repr(float(value)) if abs(float(value)) < float("inf") else f'float("{float(value)}")'
    if isinstance(value, slice):
        return f"slice({node_text(value.start)}, {node_text(value.stop)}, {node_text(value.step)})"
    if isinstance(value, (list, tuple)):
        inside = ", ".join(map(node_text, value))
        return f"[{inside}]" if isinstance(value, list) else f"({inside}{',' if len(value) == 1 else ''})"
    if isinstance(value, (torch.dtype, torch.memory_format, torch.layout)):
        return str(value)
    if isinstance(value, torch.device):
        return "device"
    raise Unrepeatable


class Step:
    """One call. `kind` is what it does: "form", "arithmetic", "elementwise", "factory", "random", "computed", or "opaque"
    where it cannot be said again."""

    def __init__(self, kind: str, function=None, args=(), kwargs=None):
        self.kind, self.function, self.args, self.kwargs = kind, function, args, kwargs or {}

    def text(self) -> str:
        path = path_of(self.function)
        if self.kind == "opaque" or not path:
            raise Unrepeatable
        given = [node_text(each) for each in self.args]
        given += [f"{name}={node_text(each)}" for name, each in self.kwargs.items() if name not in LEFT_OUT]
        method = path.removeprefix("torch.Tensor.")
        if method in ("cuda", "cpu"):
            method, given = "to", [given[0], "device"]
        if method != path and method.isidentifier() and not method.startswith("__"):
            return f"{given[0]}.{method}({', '.join(given[1:])})"
        return f"{path}({', '.join(given)})"


class Memory:
    """A storage: the tensor that it was made as, and the steps that made what is in it, as bits of an integer."""

    def __init__(self, storage, base, form: tuple, steps: int):
        self.alive = StorageWeakRef(storage)
        self.base, self.form, self.steps = base, form, steps


class Program:
    """The steps of a trace."""

    def __init__(self):
        self.steps, self.needs = [], []  # and which earlier ones each needs, itself included, as bits
        self.memories, self.tensors = {}, WeakIdKeyDictionary()
        self.read = 0  # steps behind integers that went into Python's numbers
        self.numbers = {}  # such floats, and the steps behind them
        self.pauses = 0

    @contextlib.contextmanager
    def paused(self):
        """While it is entered, no step is noted."""
        self.pauses += 1
        try:
            yield
        finally:
            self.pauses -= 1

    def call(self, function, args: tuple, kwargs: dict):
        if self.pauses or len(self.steps) == MOST_STEPS:
            return function(*args, **kwargs)
        with WITHOUT_MODES():
            tensors = followed_in((args, kwargs))
            before = [version_of(each) for each in tensors]
            nodes = self.nodes(args), {name: self.nodes(each) for name, each in kwargs.items()}
            needed = self.behind(tensors)
        made = function(*args, **kwargs)
        with WITHOUT_MODES():
            changed = [each for each, version in zip(tensors, before) if version_of(each) != version]
            self.note(function, nodes, needed, tensors, changed, made)
        return made

    def note(self, function, nodes: tuple, needed: int, tensors: list, changed: list, made) -> None:
        results = made if isinstance(made, (list, tuple)) else [made]
        given = followed_in(list(results))
        name = plain_name(function)
        if not given and not changed:
            self.note_read(name, needed, tensors, made)
            return
        step = self.step_of(name, function, nodes, given)
        if step.kind != "opaque" and is_like(function):
            needed = 0
        number = self.add(step, needed)
        for place, each in enumerate(results):
            if is_followed(each):
                self.tensors[each] = Reference(number, place if isinstance(made, (list, tuple)) else None)
                self.know(each)
        for each in changed:
            self.know(each).steps |= self.needs[number]

    def note_read(self, name: str, needed: int, tensors: list, made) -> None:
        if name in READS and tensors and not tensors[0].is_floating_point():
            self.read |= needed
        elif name in READS and type(made) is float and not made.is_integer():  # 1.0 may be any other one
            self.numbers[made] = needed

    def step_of(self, name: str, function, nodes: tuple, given: list) -> Step:
        args, kwargs = nodes
        if is_like(function) and given:
            return step_like(name, given[0], args, kwargs)
        if name in ("empty", "empty_strided") and given:
            return step_like("zeros_like", given[0], args, kwargs)
        references = [str(each.text()) for each in tree_leaves(args) if isinstance(each, Reference)]
        kinds = {"form": FORM, "arithmetic": ARITHMETIC, "elementwise": ELEMENTWISE, "factory": FACTORIES,
                 "random": RANDOM, "opaque": UNREPEATABLE}
        kind = next((kind for kind, names in kinds.items() if name in names), "computed")
        if name in ("cat", "stack", "concat") and len(references) > len(set(references)):
            kind = "computed"  # its parts are equal
        return Step(kind, function, args, kwargs)

    def add(self, step: Step, needed: int) -> int:
        self.steps.append(step)
        self.needs.append(needed | 1 << (len(self.steps) - 1))
        return len(self.steps) - 1

    def opaque(self, sources: list, written: list) -> None:
        """Notes tensors (as `followed_in` finds them) whose contents something else made of others: a kernel, or what is
        judged."""
        if self.pauses or len(self.steps) == MOST_STEPS:
            return
        with WITHOUT_MODES():
            number = self.add(Step("opaque"), self.behind(sources))
            for each in written:
                self.know(each).steps |= self.needs[number]

    def of_kernel(self, launch, tensors: list):
        """A launch outside of what is judged: what it changes among its tensors is opaque."""
        if self.pauses:
            return launch()
        with self.paused():
            before = [bytes_in(each.untyped_storage()).clone() for each in tensors]
            returned = launch()
            written = [each for each, was in zip(tensors, before) if not was.equal(bytes_in(each.untyped_storage()))]
        self.opaque(tensors, written)
        return returned

    def nodes(self, value):
        """The arguments of a step, with references in place of tensors."""
        if is_followed(value):
            return self.reference(value)
        if type(value) in (list, tuple, torch.Size):
            kind = tuple if type(value) is torch.Size else type(value)
            return kind(self.nodes(each) for each in value)
        return value

    def reference(self, tensor: torch.Tensor) -> Reference:
        if tensor not in self.tensors:
            memory = self.know(tensor)
            path = torch.Tensor.as_strided
            args = memory.base, tuple(tensor.shape), tuple(tensor.stride()), tensor.storage_offset()
            step = Step("form" if memory.form[0] == tensor.dtype else "opaque", path, args)
            self.tensors[tensor] = Reference(self.add(step, memory.steps))
        return self.tensors[tensor]

    def know(self, tensor: torch.Tensor) -> Memory:
        """The memory of a tensor. Of one that no step made nothing is known."""
        storage = tensor.untyped_storage()
        found = self.memories.get(storage._cdata)
        if found is None or found.alive.expired():
            if tensor not in self.tensors:
                self.tensors[tensor] = Reference(self.add(Step("opaque"), 0))
            base = self.tensors[tensor]
            form = tensor.dtype, tuple(tensor.shape), tuple(tensor.stride()), tensor.storage_offset()
            found = self.memories[storage._cdata] = Memory(storage, base, form, self.needs[base.step])
        return found

    def behind(self, tensors) -> int:
        """The steps that made these tensors."""
        steps = 0
        for each in tensors:
            steps |= self.needs[self.reference(each).step] | self.know(each).steps
        return steps

    def origin(self, tensor: torch.Tensor) -> tuple:
        """(the tensor that its memory was made as, that one's form, the steps behind the memory) as of now."""
        with WITHOUT_MODES():
            memory = self.know(tensor)
            return memory.base, memory.form, memory.steps

    def behind_numbers(self, values: list) -> int:
        """The steps behind such floating-point numbers among these as were read from tensors."""
        steps = 0
        for each in values:
            steps |= self.numbers.get(each, 0) if type(each) is float else 0
        return steps

    def kinds_in(self, steps: int) -> set:
        return {each.kind for each in self.in_order(steps)}

    def in_order(self, steps: int) -> list:
        return [each for number, each in enumerate(self.steps) if steps >> number & 1]

    def lines(self, steps: int) -> list:
        """The steps as Python text; raises Unrepeatable."""
        made = [f"made_{number} = {each.text()}" for number, each in enumerate(self.steps) if steps >> number & 1]
        if any(len(each) > LONGEST_TEXT for each in made):
            raise Unrepeatable
        return made


def is_followed(value) -> bool:
    """Whether it is a tensor with memory of its own."""
    return (type(value) in PLAIN_TENSORS and value.layout is torch.strided and value.device.type != "meta"
            and not torch._C._functorch.is_functorch_wrapped_tensor(value))


def followed_in(tree) -> list:
    """The tensors in a tree that a program follows."""
    return list(filter(is_followed, tree_leaves(tree)))


def version_of(tensor: torch.Tensor) -> int:
    return 0 if tensor.is_inference() else tensor._version


def is_like(function) -> bool:
    """Whether it makes a tensor of another's form, whose values do not matter."""
    name = getattr(function, "__name__", "")
    return name.endswith("_like") or name.startswith("new_")


def step_like(name: str, made: torch.Tensor, args: tuple, kwargs: dict) -> Step:
    """`torch.randn_like(x)` as `torch.randn((4, 8), …)`."""
    kind = name.removesuffix("_like").removeprefix("new_").replace("empty", "zeros").removesuffix("_strided")
    function = getattr(torch, kind, None)
    given = {"dtype": made.dtype, "device": made.device}
    shape = tuple(made.shape)
    values = {"full": lambda: (shape, *args[1:2]), "randint": lambda: (*args[1:], shape)}
    is_known = kind in ("zeros", "ones", "randn", "rand", "full", "randint") and made.is_contiguous()
    if name.startswith("new_") and kind not in ("zeros", "ones") or not is_known:
        return Step("opaque")
    if kind == "full" and len(args) < 2 or kind == "randint" and len(args) < 2:
        return Step("opaque")
    return Step("random" if kind in RANDOM else "factory", function, values.get(kind, lambda: (shape,))(), given)
