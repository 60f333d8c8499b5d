# SPDX-License-Identifier: Apache-2.0
"""The definition of a callable operator (docs/CALLABLE.md): its reference, its inputs, its module with parameters."""
import inspect
import random
import sys

import torch

import kernelgen_failures as failures
from kernelgen_failures import Failure
from kernelgen_gradients import called_as_written
from kernelgen_said import Said, say
from kernelgen_state import ModuleState
from kernelgen_trees import Arguments
from kernelgen_without_gpu import on_cpu_without_gpu

MODULE_SEED = 20260923
PLANTED = 97  # one element of so many is NaN or infinite, and always the first
SCALES = {"zeros": 0.0, "negative": -1.0, "tiny": 2.0**-10, "wide": 16.0}


class Case(dict):
    """What `inputs` and `preconditions` are told of a case: its name, its dtype, its sizes, by key or by attribute."""

    __getattr__ = dict.__getitem__


def seed_all(seed: int) -> None:
    torch.manual_seed(seed)
    random.seed(seed)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(seed % 2**32)


def is_module_class(value) -> bool:
    return isinstance(value, type) and issubclass(value, torch.nn.Module)


class Definition:
    """A file with `reference` and `inputs`, or with KernelBench's `Model` and `get_inputs`."""

    def __init__(self, source, case: dict, device: torch.device):
        self.source = source
        self.device = device
        self.reference = self.member("reference", "Model")
        self.inputs = self.member("inputs", "get_inputs")
        self.case = self.case_of(case)
        self.modules = {}  # by dtype
        self.states = {}

    def find(self, *names):
        found = [getattr(self.source.module, name) for name in names if hasattr(self.source.module, name)]
        return found[0] if found else None

    def fails(self, why: Said) -> Failure:
        return Failure("build_failed", self.source.file + ": " + why)

    def member(self, own: str, of_kernelbench: str):
        found = self.find(own, of_kernelbench)
        if not callable(found):
            raise self.fails(say("there is neither `{}` nor KernelBench's `{}`: see docs/CALLABLE.md", own, of_kernelbench))
        return found

    def case_of(self, told: dict) -> Case:
        """The case with what the definition's `cases` say of it by its name; the project's sizes hold."""
        case = Case(name=told["name"], dtype=told["dtype"])
        known = self.find("cases")
        listed = known if isinstance(known, (list, tuple)) else []
        for each in listed:
            if isinstance(each, dict) and each.get("name") == case["name"]:
                case.update(each)
        if isinstance(known, dict):
            case.update(known.get(case["name"], {}))
        if self.has_only_cases() and any(case.get(name) != size for name, size in told["sizes"].items()):
            raise Failure("unavailable", say("`only_cases` of {} allows no other sizes than those of the case `{}`",
                                             self.source.file, case["name"]))
        case.update(told["sizes"])
        return case

    def has_only_cases(self) -> bool:
        """Whether the file says that there are no sizes but those of its cases."""
        return bool(self.find("only_cases"))

    def call(self, function, *args, **kwargs):
        """Calls code of the definition; an exception names the line that raised it."""
        try:
            return function(*args, **kwargs)
        except BaseException as error:
            raise failures.on_call(error, self.source.path, self.source.file) from None

    def init_arguments(self) -> tuple:
        """Arguments of the module; random ones are the same for all sides."""
        found = self.find("init", "get_init_inputs")
        seed_all(MODULE_SEED)
        with on_cpu_without_gpu():
            told = [] if found is None else self.call(found)
        if isinstance(told, dict):
            return [], told
        if not isinstance(told, (list, tuple)):
            raise self.fails(say("`init` returns a {}; the arguments of the module are a list, a tuple or a dictionary",
                                 type(told).__name__))
        return list(told), {}

    def made(self, kind) -> torch.nn.Module:
        """A module of this class from the definition's arguments and the one seed that all sides have."""
        positional, keywords = self.init_arguments()
        seed_all(MODULE_SEED)
        with on_cpu_without_gpu():
            return self.call(kind, *positional, **keywords).to(self.device)

    def module(self) -> torch.nn.Module:
        """The reference's module; refused where a parameter is no number."""
        if None not in self.modules:
            made = self.modules[None] = self.made(self.reference)
            for name, each in made.named_parameters():
                if each.is_floating_point() and bool(torch.isnan(each).any()):
                    raise Failure("unavailable",
                                  say("the parameter `{}` of `{}` holds NaN: the module leaves it uninitialised, so "
                                      "nothing can be judged", name, self.reference.__name__))
            self.states[None] = ModuleState(made)
        return self.modules[None]

    def module_in_float64(self) -> torch.nn.Module:
        if torch.float64 not in self.modules:
            self.module()
            self.restore()
            copy = self.made(self.reference)
            copy.load_state_dict(self.module().state_dict())
            self.modules[torch.float64] = copy.double()
            self.states[torch.float64] = ModuleState(copy)
        return self.modules[torch.float64]

    def function(self, in_float64: bool = False):
        """What is called: the reference, or its module."""
        if not is_module_class(self.reference):
            return called_as_written(self.reference, self.source)
        return self.module_in_float64() if in_float64 else self.module()

    def restore(self) -> None:
        """Makes the buffers of the modules what they were at first."""
        for each in self.states.values():
            each.restore()

    def forget_modules(self) -> None:
        self.modules, self.states = {}, {}

    def has_state(self) -> bool:
        return any(each.kept for each in self.states.values())

    def parameters(self, in_float64: bool = False) -> dict:
        """Of the reference's module; of a function there are none."""
        return dict(self.function(in_float64).named_parameters()) if is_module_class(self.reference) else {}

    def parameter_names(self) -> list:
        """Of the function, or of the module's `forward`."""
        called = self.reference.forward if is_module_class(self.reference) else self.reference
        try:
            parameters = list(inspect.signature(called).parameters.values())
        except (TypeError, ValueError):
            return []
        places = [each.name for each in parameters if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)]
        return places[1:] if is_module_class(self.reference) else places

    def drawn(self, seed: int):
        seed_all(seed)
        with on_cpu_without_gpu():
            if self.find("inputs") is None:
                return self.call(self.inputs)
            generator = torch.Generator(device=self.device).manual_seed(seed)
            return self.call(self.inputs, self.case, generator, self.device)

    def raw_inputs(self, seed: int) -> tuple:
        """What the file's own generator makes of a seed."""
        try:
            with self.device:  # where a tensor's device is not said, it is this one: a GPU draws faster
                told = self.drawn(seed)
        except Failure:
            if self.device.type == "cpu":
                raise
            told = self.drawn(seed)  # with a generator of its own, on the CPU
        if isinstance(told, dict):
            return [], told
        if not isinstance(told, (list, tuple)):
            raise self.fails(say("`{}` returns a {}; arguments are a list, a tuple or a dictionary",
                                 self.inputs.__name__, type(told).__name__))
        return list(told), {}

    def arguments(self, seed: int) -> Arguments:
        positional, keywords = self.raw_inputs(seed)
        return Arguments(positional, keywords, self.parameter_names(), self.device)

    def named_arguments(self, listed: str, arguments: Arguments) -> list:
        """The names of the memory of arguments that the definition lists, by name or place, under `mutates` or `linked`."""
        parameters = self.parameter_names()
        wanted = [parameters[each] if isinstance(each, int) and each < len(parameters) else each
                  for each in self.find(listed) or []]
        names = [arguments.storages[leaf[0]]["name"] for leaf in arguments.leaves]
        unknown, known = [each for each in wanted if each not in names], ", ".join(names)
        if unknown and listed == "mutates":
            raise self.fails(say("`mutates` names `{}`, which is no tensor argument; there are: {}", unknown[0], known))
        if unknown:
            raise self.fails(say("`linked` names `{}`, which is no tensor argument; there are: {}", unknown[0], known))
        return wanted

    def linked(self, arguments: Arguments) -> list:
        """The storages whose contents belong together, by number."""
        wanted = self.named_arguments("linked", arguments)
        return [i for i, each in enumerate(arguments.storages) if each["name"] in wanted]

    def require(self, positional: list, keywords: dict) -> None:
        """Fails where the definition's `preconditions` do not hold for these arguments."""
        found = self.find("preconditions")
        if found is None:
            return
        try:
            holds = bool(found(*positional, **keywords))
        except AssertionError:
            holds = False
        if not holds:
            raise Failure("unavailable", say("the inputs are not among those that `preconditions` of {} allow",
                                             self.source.file))


def vary(values, variation: str) -> None:
    """Changes floating-point values in place. `zeros`, `negative` (the other sign), `tiny` and `wide` scale them; `nan`
    and `infinity` are planted among them."""
    if values is None or not values.is_floating_point() or variation == "normal":
        return
    if variation in SCALES:
        values.copy_(values.double().mul(SCALES[variation]).to(values.dtype))
    elif variation == "nan":
        values[::PLANTED] = float("nan")
    elif variation == "infinity":
        values[::PLANTED] = float("inf")
        values[PLANTED :: 2 * PLANTED] = -float("inf")
