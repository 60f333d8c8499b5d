# SPDX-License-Identifier: Apache-2.0
"""Facts about the Python files of an operator, read by `ast`: no file is ever executed or imported.

As a program it reads one JSON document on stdin and writes one to stdout:

    {"files": {NAME: TEXT, ...},             what to inspect
     "entries": {NAME: FUNCTION, ...},       whose tunables to look for, where wanted
     "substitutions": [{"file": NAME, "entry": FUNCTION, "configuration": {TUNABLE: VALUE}, "in_rules": BOOL}, ...]}

    {"files": {NAME: inspect_file(...)}, "substituted": [{"file": NAME, "text": TEXT or None, "error": ... or None}]}

Lines and columns are counted from 1, columns in characters; offsets are bytes of the UTF-8 text.
"""

import ast
import json
import os
import re
import sys
import warnings
from collections import Counter
from typing import NamedTuple, Optional

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kernelgen_said import Said, say, told  # noqa: E402

LAUNCH_OPTIONS = ("num_warps", "num_stages", "num_ctas", "maxnreg")


class SourceProblem(Exception):
    """An error in a file with its place, for a person to read."""

    def __init__(self, message: Said, line: int = 1):
        super().__init__(message)
        self.message = message
        self.line = line

    def told(self) -> dict:
        return {"line": self.line, **told("message", self.message)}


class Site(NamedTuple):
    """A literal integer in a file that is the value of a tunable."""

    name: str
    value: int
    line: int
    column: int
    start: int  # byte offsets of the literal
    end: int


class Source:
    """A parsed file that knows the positions of its nodes in the text."""

    def __init__(self, text: str):
        self.data = text.encode("utf-8")
        mark = b"\xef\xbb\xbf"
        self.skipped = len(mark) if self.data.startswith(mark) else 0
        code = self.data[self.skipped :].decode("utf-8")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # an invalid escape in a string is not ours to tell
                self.tree = ast.parse(code)
        except SyntaxError as error:
            raise SourceProblem(say("syntax error: {}", error.msg), error.lineno or 1) from None
        except (ValueError, RecursionError, MemoryError) as error:
            raise SourceProblem(say("cannot be read as Python: {}", error)) from None
        # Lines as Python's tokenizer counts them: ended by \n, \r\n or \r, and by nothing else.
        ends = re.finditer(rb"\r\n|\r|\n", self.data[self.skipped :])
        self.starts = [self.skipped, *(self.skipped + each.end() for each in ends)]

    def span(self, node: ast.AST) -> tuple:
        """The byte offsets of a node."""
        return (
            self.starts[node.lineno - 1] + node.col_offset,
            self.starts[node.end_lineno - 1] + node.end_col_offset,
        )

    def column(self, node: ast.AST) -> int:
        start = self.starts[node.lineno - 1]
        return len(self.data[start : start + node.col_offset].decode("utf-8")) + 1

    def site(self, name: str, node: ast.AST) -> Site:
        """The place of a literal integer."""
        return Site(name, node.value, node.lineno, self.column(node), *self.span(node))

    def segment(self, node: Optional[ast.AST]) -> Optional[str]:
        """The text of a node on one line."""
        if node is None:
            return None
        start, end = self.span(node)
        return " ".join(self.data[start:end].decode("utf-8").split())

    def edited(self, edits: list) -> str:
        """The text with bytes replaced: edits are (start, end, text) that do not overlap."""
        data = self.data
        for start, end, text in sorted(edits, reverse=True):
            data = data[:start] + text.encode("utf-8") + data[end:]
        return data.decode("utf-8")


def is_kernel(function: ast.AST) -> bool:
    """Whether a function is decorated by `triton.jit`, as an attribute, a bare name or a call."""
    for decorator in getattr(function, "decorator_list", []):
        target = decorator.func if isinstance(decorator, ast.Call) else decorator
        if (isinstance(target, ast.Attribute) and target.attr == "jit") or (
            isinstance(target, ast.Name) and target.id == "jit"
        ):
            return True
    return False


def top_level_functions(source: Source) -> list:
    return [node for node in source.tree.body if isinstance(node, ast.FunctionDef)]


def find_entry(source: Source, entry: str) -> ast.AST:
    """The function that `entry` names once the file is imported: the last of that name."""
    found = [function for function in top_level_functions(source) if function.name == entry]
    if not found:
        others = ", ".join(f"`{function.name}`" for function in top_level_functions(source)) or say("none")
        raise SourceProblem(say("no function `{}` at the file's top level; functions there: {}", entry, others))
    return found[-1]


def launches_of(function: ast.AST) -> list:
    """Calls of the form `kernel[grid](...)` in source order."""
    calls = [
        node
        for node in ast.walk(function)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Subscript)
        and isinstance(node.func.value, (ast.Name, ast.Attribute))
    ]
    return sorted(calls, key=lambda call: (call.lineno, call.col_offset))


def is_integer(node: Optional[ast.AST]) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int and node.value < 2**63


def literal_integers(statement: ast.AST) -> list:
    """(name, literal) of each plain name to which a statement assigns a literal integer."""
    if isinstance(statement, ast.AnnAssign):
        target, value = statement.target, statement.value
    elif isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target, value = statement.targets[0], statement.value
    else:
        return []
    several = isinstance(target, (ast.Tuple, ast.List))
    targets, values = (target.elts, getattr(value, "elts", [])) if several else ([target], [value])
    if len(targets) != len(values):
        return []
    return [(node.id, each) for node, each in zip(targets, values) if isinstance(node, ast.Name) and is_integer(each)]


def own_nodes(statements: list) -> list:
    """The statements and all nodes in them, without the bodies of functions and classes."""
    found, pending = [], list(statements)
    while pending:
        node = pending.pop()
        found.append(node)
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            pending.extend(ast.iter_child_nodes(node))
    return found


def bound_names(nodes: list) -> list:
    """The names that nodes bind, each as often as it is bound: by assignments, `as`, imports, definitions."""
    names = []
    for node in nodes:
        if isinstance(node, ast.Name):
            names += [] if isinstance(node.ctx, ast.Load) else [node.id]
        elif isinstance(node, ast.alias):
            names.append((node.asname or node.name).split(".")[0])
        else:  # a definition, `except … as`, or a pattern of `match`
            names += [each for each in (getattr(node, "name", None), getattr(node, "rest", None)) if each]
    return names


def global_writes(tree: ast.Module) -> list:
    """The names of the file's top level that its functions bind."""
    names = []
    for function in [node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]:
        nodes = own_nodes(function.body)
        declared = {name for node in nodes if isinstance(node, ast.Global) for name in node.names}
        names += [name for name in bound_names(nodes) if name in declared]
    return names


def assigned_once(statements: list, bound: list) -> dict:
    """The literals that the statements give to names which are bound exactly once."""
    times = Counter(bound)
    pairs = [pair for statement in statements for pair in literal_integers(statement)]
    return {name: literal for name, literal in pairs if times[name] == 1}


def ruled_literals(function: ast.AST, bound: list) -> dict:
    """Of each name to which a statement of the body gives a literal, and then only `if` statements of the body give
    others: its literals, the first one first."""
    literals = {}
    for statement in function.body:
        if isinstance(statement, ast.If):
            rules = [pair for node in ast.walk(statement) for pair in literal_integers(node)]
            pairs = [pair for pair in rules if pair[0] in literals]
        else:
            pairs = [pair for pair in literal_integers(statement) if pair[0] not in literals]
        for name, literal in pairs:
            literals.setdefault(name, []).append(literal)
    times = Counter(bound)
    return {name: nodes for name, nodes in literals.items() if len(nodes) > 1 and times[name] == len(nodes)}


def sites_in_rules(source: Source, function: ast.AST) -> list:
    """Where `if` statements give a tunable other values than its first literal does."""
    bound = bound_names(list(ast.walk(function)))
    return [
        source.site(name, node) for name, nodes in ruled_literals(function, bound).items() for node in nodes[1:]
    ]


def sites_of(source: Source, function: ast.AST) -> list:
    """As `tunable_sites`, for a function that was found."""
    if is_kernel(function):
        return []
    parameters = {parameter.arg for parameter in all_parameters(function)}
    nodes = list(ast.walk(function))
    bound = bound_names(nodes)
    local = assigned_once(nodes, bound)
    module = assigned_once(source.tree.body, bound_names(own_nodes(source.tree.body)) + global_writes(source.tree))
    literals = {name: node for name, node in module.items() if name not in bound and name not in parameters}
    literals.update({name: node for name, node in local.items() if name not in parameters})
    literals.update({name: nodes[0] for name, nodes in ruled_literals(function, bound).items() if name not in parameters})
    found = {name: [node] for name, node in literals.items()}
    for launch in launches_of(function):
        for keyword in launch.keywords:
            if keyword.arg is not None and is_integer(keyword.value):
                found.setdefault(keyword.arg, []).append(keyword.value)
    sites = []
    for name, nodes in found.items():
        if len({node.value for node in nodes}) == 1:
            sites += [source.site(name, node) for node in nodes]
    return sorted(sites, key=lambda site: site.start)


def tunable_sites(text: str, entry: str) -> list:
    """Where the values of tunables stand, for the wrapper `entry`, in source order:

    - `NAME = 32` in its body or at module level (in tuple assignments too), bound nowhere else;
    - `num_warps=4`, any literal keyword of a launch `kernel[grid](...)` in its body.

    - the first of several literals, where only `if` statements of its body give the others: `if D > 8192: NAME = 64`.

    A name that stands in several places has a site for each, where all have one value; a name with two different
    values has none. A function that is itself a kernel has none: its tunables are its arguments.
    """
    source = Source(text)
    return sites_of(source, find_entry(source, entry))


def substituted(text: str, entry: str, configuration: dict, in_rules: bool = True) -> str:
    """The text with other values of tunables; all other bytes are unchanged. `in_rules`: also where `if` statements give
    others, so that the configuration holds whatever the sizes are."""
    source = Source(text)
    function = find_entry(source, entry)
    if is_kernel(function):
        return text
    sites = sites_of(source, function)
    for name in configuration:
        if not any(site.name == name for site in sites):
            known = ", ".join(sorted({f"`{site.name}`" for site in sites})) or say("none")
            why = say(
                "`{}` has no literal for the tunable `{}`: write `{}` once in its body or at the file's top level; "
                "literals found: {}",
                entry,
                name,
                f"{name} = {configuration[name]}",
                known,
            )
            raise SourceProblem(why, function.lineno)
    further = sites_in_rules(source, function) if in_rules else []
    return source.edited(
        [
            (site.start, site.end, str(configuration[site.name]))
            for site in sorted(sites + further, key=lambda site: site.start)
            if site.name in configuration and configuration[site.name] != site.value
        ]
    )


def all_parameters(function: ast.AST) -> list:
    arguments = function.args
    stars = [each for each in (arguments.vararg, arguments.kwarg) if each is not None]
    return arguments.posonlyargs + arguments.args + arguments.kwonlyargs + stars


def describe_parameters(source: Source, function: ast.AST) -> list:
    arguments = function.args
    positional = arguments.posonlyargs + arguments.args
    defaults = [None] * (len(positional) - len(arguments.defaults)) + arguments.defaults
    kinds = ["positional_only"] * len(arguments.posonlyargs) + ["positional"] * len(arguments.args)
    rows = list(zip(positional, defaults, kinds))
    if arguments.vararg is not None:
        rows.append((arguments.vararg, None, "star"))
    rows += [(each, default, "keyword") for each, default in zip(arguments.kwonlyargs, arguments.kw_defaults)]
    if arguments.kwarg is not None:
        rows.append((arguments.kwarg, None, "double_star"))
    return [
        {
            "name": each.arg,
            "line": each.lineno,
            "annotation": source.segment(each.annotation),
            "default": source.segment(default),
            "kind": kind,
        }
        for each, default, kind in rows
    ]


def names_in(node: ast.AST) -> set:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def describe_checks(source: Source, function: ast.AST) -> list:
    """Assertions, and conditions that raise, on values derived from the parameters."""
    parameters = {parameter.arg for parameter in all_parameters(function)}
    derived = {}  # local name -> the parameters that its value follows from
    checks = []

    def follows_from(node: ast.AST) -> set:
        found = set()
        for name in names_in(node):
            found |= {name} if name in parameters else derived.get(name, set())
        return found

    for node in sorted(ast.walk(function), key=lambda each: getattr(each, "lineno", 0)):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                for name in names_in(target):
                    derived[name] = derived.get(name, set()) | follows_from(node.value)
        raises = isinstance(node, ast.If) and any(isinstance(each, ast.Raise) for each in node.body)
        if isinstance(node, ast.Assert) or raises:
            on = sorted(follows_from(node.test))
            if on:
                condition = source.segment(node.test)
                kind = "raise" if raises else "assert"
                checks.append({"line": node.lineno, "kind": kind, "condition": condition, "parameters": on})
    return checks


def grid_rank(function: ast.AST, grid: ast.AST) -> Optional[int]:
    """The number of a grid's axes: of a tuple, a lambda that returns one, or a name bound once to either."""
    if isinstance(grid, ast.Name):
        values = [
            node.value
            for node in ast.walk(function)
            if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == grid.id for t in node.targets)
        ]
        return grid_rank(function, values[0]) if len(values) == 1 and not isinstance(values[0], ast.Name) else None
    if isinstance(grid, ast.Lambda):
        return grid_rank(function, grid.body)
    return len(grid.elts) if isinstance(grid, (ast.Tuple, ast.List)) else None


def describe_launches(source: Source, function: ast.AST) -> list:
    return [
        {
            "kernel": source.segment(call.func.value),
            "line": call.lineno,
            "grid_rank": grid_rank(function, call.func.slice),
            "arguments": [source.segment(each) for each in call.args],
            "keywords": {each.arg: source.segment(each.value) for each in call.keywords if each.arg is not None},
            "open": any(isinstance(each, ast.Starred) for each in call.args)
            or any(each.arg is None for each in call.keywords),
        }
        for call in launches_of(function)
    ]


MAKES_ONE = ("empty", "zeros", "ones", "full", "empty_like", "zeros_like", "ones_like", "full_like")


def assigned_values(function: ast.AST) -> dict:
    """The expressions that a function assigns to names which it binds exactly once."""
    nodes = own_nodes(function.body)
    bound = Counter(bound_names(nodes))
    return {
        node.targets[0].id: node.value
        for node in nodes
        if isinstance(node, ast.Assign)
        and len(node.targets) == 1
        and isinstance(node.targets[0], ast.Name)
        and bound[node.targets[0].id] == 1
    }


def count_of_values(value: Optional[ast.AST], parameters: set, assigned: dict) -> int:
    """How many values a returned expression gives; -1 where it may be a tuple that is made elsewhere."""
    if isinstance(value, ast.Name) and value.id not in parameters and value.id in assigned:
        return count_of_values(assigned[value.id], parameters, {})
    if value is None or (isinstance(value, ast.Constant) and value.value is None):
        return 0
    if isinstance(value, (ast.Tuple, ast.List)):
        return -1 if any(isinstance(each, ast.Starred) for each in value.elts) else len(value.elts)
    if isinstance(value, ast.Call):
        is_creator = isinstance(value.func, ast.Attribute) and value.func.attr in MAKES_ONE
        return 1 if is_creator else -1
    if isinstance(value, (ast.Name, ast.IfExp, ast.Subscript, ast.Attribute, ast.Await, ast.NamedExpr)):
        return 1 if isinstance(value, ast.Name) and value.id in parameters else -1
    return 1


def returned_values(function: ast.AST) -> list:
    """How many values each `return` of the function itself gives."""
    parameters = {each.arg for each in all_parameters(function)}
    values = [node.value for node in own_nodes(function.body) if isinstance(node, ast.Return)]
    assigned = assigned_values(function)
    return sorted({count_of_values(value, parameters, assigned) for value in values})


def describe_function(source: Source, function: ast.AST) -> dict:
    return {
        "name": function.name,
        "line": function.lineno,
        "parameters": describe_parameters(source, function),
        "returns": source.segment(function.returns),
        "returned_values": returned_values(function),
        "checks": describe_checks(source, function),
        "launches": describe_launches(source, function),
        "calls": sorted({source.segment(each.func) for each in ast.walk(function) if isinstance(each, ast.Call)}),
    }


def grid_axes(function: ast.AST) -> int:
    """The number of grid axes that a kernel uses."""
    axes = [0]
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "program_id":
            values = node.args[:1] + [keyword.value for keyword in node.keywords if keyword.arg == "axis"]
            axes += [value.value + 1 for value in values if is_integer(value)]
    return max(axes)


def describe_kernel(source: Source, function: ast.AST) -> dict:
    names = [source.segment(each) for each in function.decorator_list]
    parameters = describe_parameters(source, function)
    for parameter in parameters:
        parameter["constexpr"] = "constexpr" in (parameter["annotation"] or "")
    return {
        "name": function.name,
        "line": function.lineno,
        "parameters": parameters,
        "axes": grid_axes(function),
        "autotuned": any("autotune" in name or "heuristics" in name for name in names),
    }


def describe_imports(source: Source) -> list:
    imports = []
    for node in ast.walk(source.tree):
        if isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            imports += [
                {"line": node.lineno, "module": module, "name": each.name, "as": each.asname or each.name}
                for each in node.names
            ]
        elif isinstance(node, ast.Import):
            imports += [
                {"line": node.lineno, "module": each.name, "name": None, "as": each.asname or each.name}
                for each in node.names
            ]
    return sorted(imports, key=lambda each: each["line"])


def describe_lambdas(source: Source) -> list:
    """Functions that are lambdas with a name: their signature cannot be checked."""
    return [
        {"name": target.id, "line": node.lineno}
        for node in source.tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda)
        for target in node.targets
        if isinstance(target, ast.Name)
    ]


def inspect_file(text: str, entry: Optional[str] = None) -> dict:
    """All of the above for one file; of a file that does not parse only `error`."""
    try:
        source = Source(text)
    except SourceProblem as problem:
        return {"error": problem.told()}
    functions = top_level_functions(source)
    result = {
        "error": None,
        "functions": [describe_function(source, each) for each in functions if not is_kernel(each)],
        "kernels": [describe_kernel(source, each) for each in functions if is_kernel(each)],
        "imports": describe_imports(source),
        "lambdas": describe_lambdas(source),
    }
    if entry is not None:
        found = [each for each in functions if each.name == entry]
        result["sites"] = [site._asdict() for site in sites_of(source, found[-1])] if found else []
    return result


def substitute(request: dict) -> dict:
    """The answer for one substitution."""
    answer = {"file": request["file"], "text": None, "error": None}
    try:
        answer["text"] = substituted(
            request["text"], request["entry"], request["configuration"], request.get("in_rules", True)
        )
    except SourceProblem as problem:
        answer["error"] = problem.told()
    return answer


def answer(request: dict) -> dict:
    files, entries = request["files"], request.get("entries", {})
    return {
        "files": {name: inspect_file(text, entries.get(name)) for name, text in files.items()},
        "substituted": [substitute({**each, "text": files[each["file"]]}) for each in request.get("substitutions", [])],
    }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(answer(json.loads(sys.stdin.buffer.read().decode("utf-8")))))
