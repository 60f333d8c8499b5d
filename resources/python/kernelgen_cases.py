# SPDX-License-Identifier: Apache-2.0
"""What test files call an operator's function with, and within which tolerances; executes nothing.

A program: {"files": {NAME: TEXT, ...}, "module": the kernel's, "entry": FUNCTION, "parameters": [NAME, ...]} on stdin;
on stdout {NAME: {"calls": [{"line", "tensors": {PARAMETER: {"shape", "dtype"}}}], "tolerances": [{"line", "rtol",
"atol"}]}} of the files that parse. A call whose shapes cannot be followed is left out.
"""

import ast
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kernelgen_follow import follow_tests  # noqa: E402
from kernelgen_shapes import Called, Tensor  # noqa: E402
from kernelgen_sources import Source, SourceProblem  # noqa: E402


def names_of_function(source: Source, module: str, entry: str) -> set:
    """What a file calls a module's function."""
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


def tests_of(text: str, request: dict) -> dict:
    source = Source(text)
    followed = follow_tests(source, names_of_function(source, request["module"], request["entry"]))
    calls = [call_of(each, request["parameters"]) for each in followed.calls]
    tolerances = [
        {"line": line, "rtol": 1e-5 if rtol is None else float(rtol), "atol": 1e-8 if atol is None else float(atol)}
        for line, rtol, atol in dict.fromkeys(followed.tolerances)
        if rtol is not None or atol is not None
    ]
    return {"calls": [each for each in calls if each["tensors"]], "tolerances": tolerances}


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
