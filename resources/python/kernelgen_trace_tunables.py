# SPDX-License-Identifier: Apache-2.0
"""The configurations of `triton.autotune` as tunables of what a trace judges (docs/IMPORT.md). In the solution such a
kernel has one configuration; what differed between them stands above the kernel as literals with names."""
import ast
import inspect
import math

import triton

from kernelgen_said import say
from kernelgen_sources import Source, all_parameters, bound_names, is_kernel, launches_of, top_level_functions

MOST_CONFIGURATIONS = 500  # a restriction lists them
LONGEST_NAME = 64
PLAIN = (bool, int, float, str, type(None))
OPTIONS = {name: each.default for name, each in inspect.signature(triton.Config).parameters.items()
           if each.default is not each.empty and name != "pre_hook"}


class Unfit(Exception):
    """Why a kernel's configurations cannot be tunables."""


def tuner_of(kernel):
    """What `triton.autotune` made of a kernel, which may have further decorators; None where it made nothing."""
    while kernel is not None and not hasattr(kernel, "configs"):
        kernel = getattr(kernel, "fn", None)
    return kernel


def configs_of(function: ast.FunctionDef) -> ast.expr:
    """The list of configurations in the decorators."""
    for each in function.decorator_list:
        if isinstance(each, ast.Call) and ast.unparse(each.func).split(".")[-1] == "autotune":
            given = [keyword.value for keyword in each.keywords if keyword.arg == "configs"] + each.args[:1]
            if given and not isinstance(given[0], ast.Starred):
                return given[0]
    raise Unfit(say("they are not found in a decorator `triton.autotune(configs=…)`"))


class TunedKernel:
    """A kernel with several configurations. `rows`: the value of each name, by configuration; `chosen`: one of them."""

    def __init__(self, function: ast.FunctionDef, tuner):
        self.function, self.name = function, function.name
        self.configs = configs_of(function)
        if len({frozenset(each.kwargs) for each in tuner.configs}) > 1:
            raise Unfit(say("they do not all have the same names"))
        if any(each.pre_hook for each in tuner.configs):
            raise Unfit(say("they have hooks"))
        if len(tuner.configs) > MOST_CONFIGURATIONS:
            raise Unfit(say("there are more than {}", MOST_CONFIGURATIONS))
        self.rows = [row_of(each) for each in tuner.configs]
        self.chosen = row_of(getattr(tuner, "best_config", tuner.configs[0]))
        self.varying = [name for name in self.chosen if self.varies(name)]
        self.tunables = {}  # by the name in the configurations

    def varies(self, name: str) -> bool:
        values = [each[name] for each in self.rows]
        unfit = [each for each in values if type(each) not in PLAIN]
        does = not unfit and len(set(values)) > 1
        unfit += [each for each in values if does and not (isinstance(each, int) and each >= 0)]
        if unfit:
            raise Unfit(say("`{}` has values such as {}, and a tunable has integers from 0", name, repr(unfit[0])))
        return does

    def values(self, name: str) -> list:
        return sorted({int(each[name]) for each in self.rows})

    def literals(self) -> str:
        return "".join(f"{tunable} = {int(self.chosen[name])}\n" for name, tunable in self.tunables.items())

    def config_text(self, constructor: str) -> str:
        def text(name: str) -> str:
            if name not in self.tunables:
                return repr(self.chosen[name])
            return f"bool({self.tunables[name]})" if type(self.chosen[name]) is bool else self.tunables[name]

        given = ", ".join(f'"{name}": {text(name)}' for name in self.chosen if name not in OPTIONS)
        told = [name for name, default in OPTIONS.items() if name in self.tunables or self.chosen[name] != default]
        return f"[{constructor}({{{given}}}{''.join(f', {name}={text(name)}' for name in told)})]"

    def restriction(self) -> str:
        """"" where all combinations of the values are configurations."""
        rows = dict.fromkeys(tuple(int(each[name]) for name in self.varying) for each in self.rows)
        if len(rows) == math.prod(len(self.values(name)) for name in self.varying):
            return ""
        names = self.tunables.values()
        return " or ".join(" and ".join(f"{name} == {value}" for name, value in zip(names, row)) for row in rows)


def row_of(config) -> dict:
    return {**config.kwargs, **{name: getattr(config, name) for name in OPTIONS}}


def names_taken(tree: ast.Module) -> set:
    """Those that the file binds, outside its kernels' parameters, and those of launches."""
    nodes = list(ast.walk(tree))
    functions = [each for each in nodes if isinstance(each, ast.FunctionDef) and not is_kernel(each)]
    parameters = [each.arg for function in functions for each in all_parameters(function)]
    return {*bound_names(nodes), *parameters, *(each.arg for call in launches_of(tree) for each in call.keywords)}


def constructor_in(namespace: dict) -> str:
    """What the file calls `triton.Config`."""
    for name, value in namespace.items():
        if value is triton or value is triton.Config:
            return name + (".Config" if value is triton else "")
    raise Unfit(say("the file imports `triton` by no name"))


class Tunables:
    """Those of a solution, and its `text` with them. `notes` and `edits`: (line, message) of the kernels whose
    configurations stay as they are, and of the others."""

    def __init__(self, text: str, namespace: dict, launched: list):
        self.source, self.namespace = Source(text), namespace
        self.notes, self.edits = [], []
        self.kernels = [each for name in dict.fromkeys(launched) for each in self.tuned(name)]
        self.give_names()
        self.text = self.edited()

    def tuned(self, name: str) -> list:
        """The kernel of this name, if it has configurations to choose from."""
        tuner = tuner_of(self.namespace.get(name))
        if tuner is None or len(tuner.configs) < 2:
            return []
        function = next((each for each in reversed(top_level_functions(self.source)) if each.name == name), None)
        try:
            if function is None:
                raise Unfit(say("it is not defined at the file's top level"))
            kernel = TunedKernel(function, tuner)
            self.constructor = constructor_in(self.namespace)
        except Unfit as why:
            stay = say("the configurations of `{}` stay Triton's own choice, without tunables: {}", name, why.args[0])
            self.notes.append((function.lineno if function else 0, stay))
            return []
        return [kernel] if kernel.varying else []

    def give_names(self) -> None:
        """A name that is taken, or that several kernels have, begins with the kernel's."""
        taken = names_taken(self.source.tree)
        wanted = [name for each in self.kernels for name in each.varying]
        for kernel in self.kernels:
            for name in kernel.varying:
                is_free = name not in taken and wanted.count(name) == 1
                longer = f"{kernel.name}_{name}"[-LONGEST_NAME:].lstrip("_0123456789")
                kernel.tunables[name] = name if is_free else longer

    def edited(self) -> str:
        replaced = []
        for each in self.kernels:
            first = self.source.starts[each.function.decorator_list[0].lineno - 1]
            replaced += [(first, first, each.literals()),
                         (*self.source.span(each.configs), each.config_text(self.constructor))]
            names = ", ".join(each.tunables.values())
            become = say("the configurations of `{}` are tunables now: {}", each.name, names)
            self.edits.append((each.function.lineno, become))
        return self.source.edited(replaced)

    def told(self) -> dict:
        """As the importer takes them."""
        tunables = [{"name": tunable, "values": each.values(name), "value": int(each.chosen[name])}
                    for each in self.kernels for name, tunable in each.tunables.items()]
        restrictions = [each.restriction() for each in self.kernels]
        return {"tunables": tunables, "restrictions": [each for each in restrictions if each]}
