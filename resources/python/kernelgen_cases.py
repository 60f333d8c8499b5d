# SPDX-License-Identifier: Apache-2.0
"""The arguments with which test files call an operator's function, and their tolerances; executes nothing.

A program: {"files": {NAME: TEXT, ...}, "module": the kernel's, "entry": FUNCTION, "parameters": [NAME, ...]} on stdin;
on stdout {NAME: {"cases": [{"line", "dtype", "sizes": {SYMBOL: SIZE}}], "calls": [{"line", "tensors": {PARAMETER:
{"shape", "dtype"}}}], "tolerances": [{"line", "dtype", "rtol", "atol"}]}} of the files that parse.

`CASES = [{"dtype": ..., SYMBOL: SIZE}, ...]` and `TOLERANCES = {DTYPE: (rtol, atol)}` at the file's top level,
as generated files have them, are taken as they stand; otherwise the file is followed. A call whose shapes cannot be
followed is left out.
"""

import ast
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kernelgen_follow import follow_tests  # noqa: E402
from kernelgen_shapes import Called  # noqa: E402
from kernelgen_sources import Source, SourceProblem  # noqa: E402
from kernelgen_values import Tensor, is_number  # noqa: E402


def names_of_function(source: Source, module: str, entry: str) -> set:
    """The names by which a file calls a module's function."""
    names = {
        each.asname or each.name
        for node in ast.walk(source.tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[-1] == module
        for each in node.names
        if each.name == entry
    }
    return names or {entry}


def call_of(call: Called, parameters: list) -> dict:
    given = {**dict(zip(parameters, call.arguments)), **call.keywords}
    tensors = {name: value for name, value in given.items() if isinstance(value, Tensor)}
    return {
        "line": call.line,
        "tensors": {
            name: {"shape": [int(size) for size in each.shape], "dtype": each.dtype} for name, each in tensors.items()
        },
    }


def literals_of(source: Source, name: str) -> list:
    """The nodes of the expressions that the file's top level binds to a name."""
    return [
        node.value
        for node in source.tree.body
        if isinstance(node, ast.Assign) and any(isinstance(each, ast.Name) and each.id == name for each in node.targets)
    ]


def literal(node: ast.AST) -> object:
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None


def listed_cases(source: Source) -> list:
    cases = []
    for node in [each for value in literals_of(source, "CASES") for each in getattr(value, "elts", [])]:
        case = literal(node)
        if isinstance(case, dict) and isinstance(case.get("dtype"), str):
            sizes = {name: size for name, size in case.items() if isinstance(name, str) and type(size) is int}
            cases.append({"line": node.lineno, "dtype": case["dtype"], "sizes": sizes})
    return cases


def listed_tolerances(source: Source) -> list:
    tolerances = []
    for node in literals_of(source, "TOLERANCES"):
        stated = literal(node)
        for dtype, pair in (stated if isinstance(stated, dict) else {}).items():
            if isinstance(dtype, str) and isinstance(pair, tuple) and len(pair) == 2 and all(map(is_number, pair)):
                tolerances.append({"line": node.lineno, "dtype": dtype, "rtol": pair[0], "atol": pair[1]})
    return tolerances


def followed_tests(source: Source, request: dict) -> tuple:
    followed = follow_tests(source, names_of_function(source, request["module"], request["entry"]))
    calls = [call_of(each, request["parameters"]) for each in followed.calls]
    tolerances = [
        {"line": line, "dtype": "", "rtol": 1e-5 if rtol is None else rtol, "atol": 1e-8 if atol is None else atol}
        for line, rtol, atol in dict.fromkeys(followed.tolerances)
        if rtol is not None or atol is not None
    ]
    return [each for each in calls if each["tensors"]], tolerances


def tests_of(text: str, request: dict) -> dict:
    source = Source(text)
    cases, tolerances = listed_cases(source), listed_tolerances(source)
    calls, stated = ([], []) if cases else followed_tests(source, request)
    return {"cases": cases, "calls": calls, "tolerances": tolerances or stated}


def answer(request: dict) -> dict:
    result = {}
    for name, text in request["files"].items():
        try:
            result[name] = tests_of(text, request)
        except SourceProblem:
            continue
    return result


if __name__ == "__main__":
    sys.stdout.write(json.dumps(answer(json.loads(sys.stdin.buffer.read().decode("utf-8")))))
