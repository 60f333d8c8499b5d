# SPDX-License-Identifier: Apache-2.0
"""The configurations of `triton.autotune` as tunables (docs/IMPORT.md). In the text such a kernel has one configuration;
what differed between them stands above the kernel as literals with names."""
import ast
import math

from kernelgen_said import say
from kernelgen_sources import Source, all_parameters, bound_names, is_kernel, launches_of

MOST_CONFIGURATIONS = 500  # a restriction lists them
LONGEST_NAME = 64
PLAIN = (bool, int, float, str, type(None))


class Unfit(Exception):
    """Why a kernel's configurations cannot be tunables."""


def configs_of(function: ast.FunctionDef) -> ast.expr:
    """The list of configurations in the decorators."""
    for each in function.decorator_list:
        if isinstance(each, ast.Call) and ast.unparse(each.func).split(".")[-1] == "autotune":
            given = [keyword.value for keyword in each.keywords if keyword.arg == "configs"] + each.args[:1]
            if given and not isinstance(given[0], ast.Starred):
                return given[0]
    raise Unfit(say("they are not found in a decorator `triton.autotune(configs=…)`"))


class TunedKernel:
    """A kernel with several configurations. `rows`: the value of each name, by configuration; `chosen`: one of them;
    `options`: the defaults of `triton.Config`'s own arguments."""

    def __init__(self, function: ast.FunctionDef, rows: list, chosen: dict, options: dict):
        self.function, self.name, self.options = function, function.name, options
        self.configs = configs_of(function)
        if len({frozenset(each) for each in rows}) > 1:
            raise Unfit(say("they do not all have the same names"))
        if len(rows) > MOST_CONFIGURATIONS:
            raise Unfit(say("there are more than {}", MOST_CONFIGURATIONS))
        self.rows, self.chosen = rows, chosen
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

        given = ", ".join(f'"{name}": {text(name)}' for name in self.chosen if name not in self.options)
        told = [name for name, default in self.options.items() if name in self.tunables or self.chosen[name] != default]
        return f"[{constructor}({{{given}}}{''.join(f', {name}={text(name)}' for name in told)})]"

    def restriction(self) -> str:
        """"" where all combinations of the values are configurations."""
        rows = dict.fromkeys(tuple(int(each[name]) for name in self.varying) for each in self.rows)
        if len(rows) == math.prod(len(self.values(name)) for name in self.varying):
            return ""
        names = self.tunables.values()
        return " or ".join(" and ".join(f"{name} == {value}" for name, value in zip(names, row)) for row in rows)


def names_taken(tree: ast.Module) -> set:
    """Those that the file binds, outside its kernels' parameters, and those of launches."""
    nodes = list(ast.walk(tree))
    functions = [each for each in nodes if isinstance(each, ast.FunctionDef) and not is_kernel(each)]
    parameters = [each.arg for function in functions for each in all_parameters(function)]
    return {*bound_names(nodes), *parameters, *(each.arg for call in launches_of(tree) for each in call.keywords)}


class TunedText:
    """A file's `text` with the tunables of its `kernels`. `constructor`: what the file calls `triton.Config`; `edits`:
    (line, message) of the kernels."""

    def __init__(self, source: Source, kernels: list, constructor: str):
        self.source, self.kernels, self.constructor, self.edits = source, kernels, constructor, []
        self.give_names()
        self.text = self.edited()

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
