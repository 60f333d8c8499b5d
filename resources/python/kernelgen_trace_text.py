# SPDX-License-Identifier: Apache-2.0
"""The files of a project that a trace makes: a definition with the reference and inputs like those that were seen, and
the file itself without its test calls."""
import ast
import inspect
import re
import symtable
import types

from kernelgen_draws import HELPERS, CallText
from kernelgen_record_module import ModuleFunction
from kernelgen_trees import NAMES, judged_as, named

HEAD = '''# What `{entry}` of {file} is to compute, and inputs as its test calls gave them: docs/CALLABLE.md.
{imports}

'''
IMPORTS = ("import math", "import torch", "import torch.nn.functional as F")


def leaf_paths(tree, path: str, found: dict) -> None:
    """The expressions for the tensors in an argument, by the leaf's number."""
    (kind, value), = tree.items()
    if kind == "tensor":
        found[value] = path
    elif kind in ("list", "tuple"):
        for i, each in enumerate(value):
            leaf_paths(each, f"{path}[{i}]", found)
    elif kind == "dict":
        for key, each in value:
            leaf_paths(each, f"{path}[{key!r}]", found)


def paths_of(call) -> dict:
    found = {}
    count = len(call.arguments.tree["positional"])
    places = call.names + [f"argument_{i}" for i in range(len(call.names), count)]
    for name, each in [*zip(places, call.arguments.tree["positional"]), *call.arguments.tree["keywords"].items()]:
        leaf_paths(each, name, found)
    return found


def changed_leaves(call) -> list:
    """One leaf for each storage that the call changed."""
    storages = [leaf[0] for leaf in call.arguments.leaves]
    return [storages.index(each) for each in call.changed]


def changed_names(calls: list) -> list:
    """Of all calls, as `mutates` has them."""
    return list(dict.fromkeys(call.arguments.storages[i]["name"] for call in calls for i in call.changed))


def dtype_of(call) -> str:
    floats = [each.dtype for each in call.results + call.arguments.tensors if each.is_floating_point()]
    dtype = floats[0] if floats else (call.results + call.arguments.tensors)[0].dtype
    return NAMES.get(dtype, judged_as(dtype)[0])


class Reference:
    """The line that was given for the reference, as statements of a definition. Parameters that are all parameters of
    the entry are given by name, others by place."""

    def __init__(self, line: str, tree: ast.Module, calls: list, namespace: dict):
        self.line, self.tree, self.namespace = line.strip(), tree, namespace
        self.expression = ast.parse(self.line, mode="eval").body
        self.calls = calls

    def own_parameters(self):
        function = self.expression
        if isinstance(function, ast.Name):
            imported, name = self.namespace.get(function.id), function.id
            function = next((each for each in self.tree.body if isinstance(each, ast.FunctionDef)
                             and each.name == name), None)
            if function is None and isinstance(imported, types.FunctionType):
                return parameters_by_place(imported)
        if not isinstance(function, (ast.Lambda, ast.FunctionDef)) or function.args.vararg or function.args.kwonlyargs:
            return None
        return [each.arg for each in function.args.posonlyargs + function.args.args]

    def needed(self) -> list:
        """The statements of the file that the line needs, in order."""
        bound = {}
        for each in self.tree.body:
            for name in bound_by(each):
                bound[name] = each
        wanted, kept = [self.expression], []
        while wanted:
            node = wanted.pop()
            for name in names_from_outside(node):
                if name in bound and bound[name] not in kept and name not in ("torch", "F", "math"):
                    kept.append(bound[name])
                    wanted.append(bound[name])
        return [each for each in self.tree.body if each in kept]

    def text(self) -> str:
        call, own = self.calls[0], self.own_parameters()
        further = list(call.arguments.tree["keywords"])
        names = call.names + further
        in_place = any(each.changed for each in self.calls)
        if not in_place and own == names:
            return f"reference = {self.line}\n"
        by_place = call.names + [f"{each}={each}" for each in further]
        given = by_place if own is None else own if set(own) <= set(names) else by_place[: len(own)]
        called = f"expected({', '.join(given)})"
        body = self.body(call, called) if in_place else f"    return {called}\n"
        return f"expected = {self.line}\n\n\ndef reference({', '.join(names)}):\n{body}"

    @staticmethod
    def body(call, called: str) -> str:
        """Of a function that changes arguments. What the line returns goes into them, where the entry returns nothing
        else; else the line changes them itself."""
        paths = paths_of(call)
        if any(place is None for place in call.places):
            return f"    return {called}\n"
        changed = list(dict.fromkeys(call.places)) or changed_leaves(call)
        targets = ", ".join(paths[each] for each in changed)
        returned = skeleton_text(call.skeleton, iter([paths[each] for each in call.places]))
        if len(changed) == 1:
            copies = f"    if value is not None:\n        {targets}.copy_(value)\n"
        else:
            copies = (f"    for changed, each in zip(({targets}), value or ()):\n        changed.copy_(each)\n")
        return f"    value = {called}\n{copies}    return {returned}\n"


def parameters_by_place(function):
    """Their names, or None where it takes any number, or some by name only."""
    parameters = inspect.signature(function).parameters.values()
    has_others = any(each.kind not in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD) for each in parameters)
    return None if has_others else [each.name for each in parameters]


def skeleton_text(skeleton, leaves) -> str:
    if isinstance(skeleton, list):
        inside = "".join(skeleton_text(each, leaves) + ", " for each in skeleton)
        return f"({inside.rstrip()})" if len(skeleton) == 1 else f"({inside.rstrip(', ')})"
    if isinstance(skeleton, dict):
        return "{" + ", ".join(f"{key!r}: {skeleton_text(each, leaves)}" for key, each in skeleton.items()) + "}"
    return "None" if skeleton is None else next(leaves)


def bound_by(statement: ast.stmt) -> list:
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        return [statement.name]
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return [(alias.asname or alias.name).split(".")[0] for alias in statement.names]
    return [each.id for each in ast.walk(statement) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)]


def names_from_outside(node: ast.AST) -> set:
    """The names that are not its own parameters or variables."""
    tables, found = [symtable.symtable(ast.unparse(node), "", "exec")], set()
    while tables:
        table = tables.pop()
        tables += table.get_children()
        is_module = table.get_type() == "module"
        found |= {each.get_name() for each in table.get_symbols() if is_module or each.is_global()}
    return found


def first_line(statement: ast.stmt) -> int:
    """That of its first decorator, where it has any."""
    return min([statement.lineno, *(each.lineno for each in getattr(statement, "decorator_list", []))])


def source_of(statement: ast.stmt, text: str) -> str:
    return "\n".join(text.splitlines()[first_line(statement) - 1 : statement.end_lineno])


def inputs_text(texts: list) -> str:
    body = ""
    for number, made in enumerate(texts, 1):
        body += f'    if case["name"] == "call_{number}":\n'
        body += "".join(f"        {line}\n" for line in made.lines)
        told = [*made.positional, *made.keywords.values()]
        if made.keywords:
            names = [*made.call.names, *made.keywords]
            told = [f"{name!r}: {each}" for name, each in zip(names, told)]
        inside = ", ".join(told)
        if len(inside) > 100:
            inside = "\n" + "".join(f"            {each},\n" for each in told) + "        "
        body += f"        return {'{' if made.keywords else '['}{inside}{'}' if made.keywords else ']'}\n"
    helpers = [text for name, text in HELPERS.items() if name + "(" in body]
    return "def inputs(case, generator, device):\n" + "\n".join(helpers) + ("\n" if helpers else "") + body


def case_text(number: int, call, sizes: dict) -> str:
    told = "".join(f', "{name}": {value}' for name, value in sizes.items())
    return f'{{"name": "call_{number}", "dtype": "{dtype_of(call)}"{told}}}'


def linked_names(plans: list) -> list:
    """Of all calls, as `linked` has them."""
    return list(dict.fromkeys(name for each in plans for name in each.names))


def definition_text(entry: str, file: str, source: str, reference: Reference, calls: list, fresh: set, plans: list,
                    gradients: list, sizes: list) -> str:
    """`plans`: of each call, what of its arguments belongs together. `gradients`: of these arguments they are results.
    `sizes`: of each call, by name; empty: there are none."""
    needed = [source_of(each, source) for each in reference.needed()]
    imports = [each for each in needed if each.startswith(("import ", "from "))]
    others = [each for each in needed if each not in imports]
    cases = [f"    {case_text(i, each, sizes[i - 1] if sizes else {})},\n" for i, each in enumerate(calls, 1)]
    text = HEAD.format(entry=entry, file=file, imports="\n".join(dict.fromkeys([*IMPORTS, *imports])))
    text += "".join(each + "\n\n\n" for each in others) + reference.text() + "\n\n"
    changed, linked = changed_names(calls), linked_names(plans)
    text += "cases = [\n" + "".join(cases) + "]\n" + (f"mutates = {changed!r}\n" if changed else "")
    text += f"linked = {linked!r}\n" if linked else ""
    text += f"backward = {gradients!r}\n" if gradients else ""
    text += "only_cases = True  # the tests had no calls of other sizes\n" if sizes else ""
    return text + "\n\n" + inputs_text([CallText(each, fresh, plan) for each, plan in zip(calls, plans)])


def without_calls(source: str, cut: list) -> str:
    """The file with its test calls as comments. Of an import the names stay that are not pytest."""
    lines = source.splitlines()
    for statement in cut:
        for number in range(first_line(statement) - 1, statement.end_lineno):
            lines[number] = "# " + lines[number] if lines[number].strip() else lines[number]
        others = [each for each in getattr(statement, "names", []) if each.name.split(".")[0] != "pytest"]
        if isinstance(statement, ast.Import) and others:
            lines[statement.end_lineno - 1] = f"{ast.unparse(ast.Import(others))}  {lines[statement.end_lineno - 1]}"
    return "\n".join(lines) + "\n"


def with_entry(text: str, entry: str, function, by_place: list) -> tuple:
    """(the text with a function for the entry, that function's name). `by_place`: names of the entry's parameters that
    cannot be given by name, where its inputs are."""
    defined = [each.name for each in ast.parse(text).body if isinstance(each, ast.FunctionDef)]
    if entry in defined and re.fullmatch(r"[A-Za-z]\w*", entry) and not by_place:
        return text, entry
    name = named(entry)  # a project's entries are identifiers that begin with a letter
    while re.search(rf"\b{name}\b", text):
        name += "_entry"
    if isinstance(function, ModuleFunction):
        return text + function.text(name), name
    given = ", ".join(by_place or ["*arguments"])
    return f"{text}\n\ndef {name}({given}, **others):  # what is judged\n    return {entry}({given}, **others)\n", name
