# SPDX-License-Identifier: Apache-2.0
"""The texts for people in Python files: prints {"formats": those of `say`, "unlike": calls of `say` whose format is no
literal, or has other places than arguments, "texts": literals that read like sentences and are no format}.

    python3 texts_of_python.py FOLDER
"""
import ast
import json
import pathlib
import re
import sys

WORDS = re.compile(r"[a-z']+[,:;]? [a-z']+[,:;]? [a-z']+")  # one after another, as no code has them


def text_of(node: ast.expr) -> str:
    """Of a literal; {} for what an f-string fills in."""
    if isinstance(node, ast.JoinedStr):
        return "".join(each.value if isinstance(each, ast.Constant) else "{}" for each in node.values)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def docstring_of(node: ast.AST) -> list:
    has_one = isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and isinstance(node.body[0], ast.Expr)
    return [node.body[0].value] if has_one else []


def is_say(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and getattr(node.func, "id", "") == "say"


def is_unlike(call: ast.Call) -> bool:
    format, given = text_of(call.args[0]), call.args[1:]
    is_literal = isinstance(call.args[0], ast.Constant)
    has_star = any(isinstance(each, ast.Starred) for each in given)
    return not is_literal or not has_star and len(re.findall(r"\{[^{}]*\}", format)) != len(given)


def texts_in(tree: ast.Module) -> list:
    nodes, apart = list(ast.walk(tree)), set()
    for node in nodes:
        within = list(ast.walk(node))[1:] if isinstance(node, ast.JoinedStr) else []
        apart.update(map(id, docstring_of(node) + within + (node.args[:1] if is_say(node) else [])))
    found = [text_of(node) for node in nodes if id(node) not in apart and isinstance(node, ast.expr)]
    return [each for each in found if WORDS.search(each) and "\n" not in each]


answer = {"formats": [], "unlike": [], "texts": []}
for file in sorted(pathlib.Path(sys.argv[1]).glob("*.py")):
    parsed = ast.parse(file.read_text(encoding="utf-8"))
    calls = list(filter(is_say, ast.walk(parsed)))
    answer["formats"] += [text_of(each.args[0]) for each in calls]
    answer["unlike"] += [f"{file.name}:{each.lineno}" for each in calls if is_unlike(each)]
    answer["texts"] += texts_in(parsed)
print(json.dumps(answer))
