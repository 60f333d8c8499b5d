# SPDX-License-Identifier: Apache-2.0
"""Makes the sizes in a file's tests smaller, for an interpreter that would take minutes for them."""
import ast
import re

TESTS = re.compile(r"^_*(test|main|check|bench|benchmark|verify|compare|demo|example)(_|$|\d)", re.IGNORECASE)
LARGEST = 64


def smaller(value: int, largest: int = LARGEST) -> int:
    """Small integers stay; larger ones lose factors of two: those that were equal or divided each other still do."""
    while value > largest and value % 2 == 0:
        value //= 2
    return value if value <= largest else max(1, value // (value // largest))


def is_test(function: ast.FunctionDef) -> bool:
    """Whether it is a test by its name, or needs no argument."""
    return bool(TESTS.search(function.name)) or not function.args.args


class InTests(ast.NodeTransformer):
    """`changed`: (line, before, after) of each integer."""

    def __init__(self):
        self.changed = []

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        if type(node.value) is not int or node.value <= LARGEST:
            return node
        self.changed.append((node.lineno, node.value, smaller(node.value)))
        return ast.copy_location(ast.Constant(smaller(node.value)), node)


def has_configurations(statement: ast.stmt) -> bool:
    """Of `triton.autotune`: their sizes are not those of tests."""
    return any(getattr(each, "attr", getattr(each, "id", "")) == "Config" for each in ast.walk(statement))


def with_smaller_sizes(tree: ast.Module) -> list:
    """Changes a tree in place, only in statements of the top level and in functions that are tests."""
    change = InTests()
    for i, each in enumerate(tree.body):
        is_function = isinstance(each, ast.FunctionDef)
        has_sizes = (is_function and is_test(each)) or isinstance(each, (ast.Assign, ast.Expr, ast.If, ast.For))
        if has_sizes and not has_configurations(each):
            tree.body[i] = change.visit(each)
    return change.changed
