# SPDX-License-Identifier: Apache-2.0
"""What a file itself would give as the reference of a function: another function by its name, or what a test compares
with."""
import ast
import re

REFERENCE_NAME = re.compile(r"(^|_)(ref|reference|torch|naive|native|golden|expected|eager|pytorch|baseline)(_|$)",
                            re.IGNORECASE)
COMPARISONS = ("allclose", "assert_close", "assert_allclose")


def functions_named(tree: ast.Module, entry: str) -> list:
    return [each.name for each in tree.body if isinstance(each, ast.FunctionDef) and each.name != entry
            and REFERENCE_NAME.search(each.name) and not each.name.startswith("test")]


def compared(tree: ast.Module) -> list:
    """The calls of PyTorch that comparisons have among their first two arguments, directly or by a name."""
    found = []
    for scope in [tree, *(each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef))]:
        values = {target.id: each.value for each in ast.walk(scope) if isinstance(each, ast.Assign)
                  for target in each.targets if isinstance(target, ast.Name)}
        for call in [each for each in ast.walk(scope) if isinstance(each, ast.Call)]:
            if getattr(call.func, "attr", getattr(call.func, "id", "")) in COMPARISONS:
                found += [values.get(each.id, each) if isinstance(each, ast.Name) else each for each in call.args[:2]]
    return [each for each in found if isinstance(each, (ast.Call, ast.BinOp)) and "torch" in ast.unparse(each)]


def parameters_in(expression: ast.expr) -> list:
    names = [each.id for each in ast.walk(expression) if isinstance(each, ast.Name)]
    return [each for each in dict.fromkeys(names) if each not in ("torch", "F", "math", "nn")]


def guesses(tree: ast.Module, entry: str) -> list:
    """What could be given to --reference, the likeliest first."""
    lines = [f"lambda {', '.join(parameters_in(each))}: {ast.unparse(each)}" for each in compared(tree)
             if entry.split(".")[0] not in ast.unparse(each)]
    return functions_named(tree, entry) + list(dict.fromkeys(lines))
