# SPDX-License-Identifier: Apache-2.0
"""The configurations of `triton.autotune` in a text that is read and not executed (docs/IMPORT.md)."""
import ast
import itertools
import operator

from kernelgen_autotune import MOST_CONFIGURATIONS, TunedKernel, TunedText, Unfit, configs_of
from kernelgen_said import say
from kernelgen_sources import Source, launches_of
from kernelgen_tunables import autotuned

OPTIONS = {"num_warps": 4, "num_stages": 3, "num_ctas": 1, "maxnreg": None}  # of `triton.Config`, with their defaults
ARITHMETIC = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv}


def unread(node: ast.expr) -> Unfit:
    return Unfit(say("`{}` is not written out", ast.unparse(node)))


class Reader:
    """Values of expressions over literals, and names of the file's top level that are bound once."""

    def __init__(self, source: Source):
        bound = [(each.targets[0].id, each.value) for each in source.tree.body
                 if isinstance(each, ast.Assign) and len(each.targets) == 1 and isinstance(each.targets[0], ast.Name)]
        names = [name for name, _ in bound]
        self.bound = {name: value for name, value in bound if names.count(name) == 1}

    def value(self, node: ast.expr, known: dict):
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name) and node.id in known:
            return known[node.id]
        if isinstance(node, ast.Name) and isinstance(self.bound.get(node.id), ast.Constant):
            return self.bound[node.id].value
        if isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
            sides = [self.value(each, known) for each in (node.left, node.right)]
            if all(type(each) is int for each in sides) and (sides[1] or not isinstance(node.op, ast.FloorDiv)):
                return ARITHMETIC[type(node.op)](*sides)
        raise unread(node)

    def elements(self, node: ast.expr, known: dict) -> list:
        """The values that a loop takes from a list, a tuple or a range."""
        if isinstance(node, ast.Name) and node.id in self.bound:
            node = self.bound[node.id]
        if isinstance(node, (ast.List, ast.Tuple)):
            return [self.entry(each, known) for each in node.elts]
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range":
            bounds = [self.value(each, known) for each in node.args]
            if all(type(each) is int for each in bounds) and 1 <= len(bounds) <= 3 and bounds[2:] != [0]:
                return list(itertools.islice(range(*bounds), MOST_CONFIGURATIONS + 1))
        raise unread(node)

    def entry(self, node: ast.expr, known: dict):
        if isinstance(node, (ast.List, ast.Tuple)):
            return tuple(self.entry(each, known) for each in node.elts)
        return self.value(node, known)

    def configs(self, node: ast.expr) -> list:
        """Those of a list, also of several that are added, or of a comprehension."""
        if isinstance(node, ast.Name) and node.id in self.bound:
            node = self.bound[node.id]
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            return self.configs(node.left) + self.configs(node.right)
        if isinstance(node, ast.ListComp):
            rows = []
            self.loop(node.generators, node.elt, {}, rows)
            return rows
        if isinstance(node, (ast.List, ast.Tuple)):
            return [self.row(each, {}) for each in node.elts]
        raise unread(node)

    def loop(self, generators: list, config: ast.expr, known: dict, rows: list):
        if len(rows) > MOST_CONFIGURATIONS:
            return
        if not generators:
            rows.append(self.row(config, known))
            return
        first = generators[0]
        if first.ifs:
            raise unread(first.ifs[0])
        for value in self.elements(first.iter, known):
            self.loop(generators[1:], config, {**known, **bound_by(first.target, value)}, rows)

    def row(self, node: ast.expr, known: dict) -> dict:
        """The values of one `triton.Config({…}, num_warps=…)`."""
        if not isinstance(node, ast.Call) or ast.unparse(node.func).split(".")[-1] != "Config":
            raise unread(node)
        options = {each.arg: each.value for each in node.keywords}
        values = options.pop("kwargs", node.args[0] if node.args else None)
        if "pre_hook" in options:
            raise Unfit(say("they have hooks"))
        if not isinstance(values, ast.Dict) or len(node.args) > 1 or not options.keys() <= OPTIONS.keys():
            raise unread(node)
        names = [self.value(each, known) for each in values.keys if each is not None]
        if len(names) < len(values.keys) or not all(isinstance(each, str) for each in names):
            raise unread(values)
        row = {name: self.value(each, known) for name, each in zip(names, values.values)}
        return {**row, **OPTIONS, **{name: self.value(each, known) for name, each in options.items()}}


def bound_by(target: ast.expr, value) -> dict:
    """What a loop's target binds: a name, or names in parentheses."""
    if isinstance(target, ast.Name):
        return {target.id: value}
    if isinstance(target, ast.Tuple) and isinstance(value, tuple) and len(value) == len(target.elts):
        return {name: each for one, part in zip(target.elts, value) for name, each in bound_by(one, part).items()}
    raise unread(target)


class WrittenTunables(TunedText):
    """Those of the kernels that a file launches, and its `text` with them. `notes`: (line, message) of the kernels whose
    configurations stay as they are."""

    def __init__(self, source: Source):
        self.notes, self.reader = [], Reader(source)
        launched = {each.func.value.id for each in launches_of(source.tree) if isinstance(each.func.value, ast.Name)}
        kernels = [tuned for each in autotuned(source) if each.name in launched for tuned in self.tuned(each)]
        constructor = next((ast.unparse(each.func) for one in kernels for each in ast.walk(source.tree)
                            if isinstance(each, ast.Call) and ast.unparse(each.func).split(".")[-1] == "Config"), "")
        super().__init__(source, kernels, constructor)

    def tuned(self, function: ast.FunctionDef) -> list:
        try:
            rows = self.reader.configs(configs_of(function))
            if not rows:
                raise Unfit(say("there are none"))
            kernel = TunedKernel(function, rows, rows[0], OPTIONS)
        except Unfit as why:
            stay = say("the configurations of `{}` stay Triton's own choice, without tunables: {}", function.name,
                       why.args[0])
            self.notes.append((function.lineno, stay))
            return []
        return [kernel] if kernel.varying else []
