# SPDX-License-Identifier: Apache-2.0
"""The shapes and dtypes of a test file's calls of an operator, and of a function's results; executes nothing."""

import ast
import itertools

from kernelgen_said import say
from kernelgen_shapes import ELEMENT_LIMIT, STEP_LIMIT, Follower, LoopLeft, Returned, TooLong
from kernelgen_sources import Source
from kernelgen_values import UNKNOWN


def parametrized(follower: Follower, function: ast.FunctionDef) -> list:
    """The arguments that `pytest.mark.parametrize` gives a test function: one dictionary for each call."""
    choices = []
    for decorator in function.decorator_list:
        if not isinstance(decorator, ast.Call) or getattr(decorator.func, "attr", "") != "parametrize":
            continue
        names, values = [follower.value(each, follower.globals) for each in decorator.args[:2]] + [None] * (
            2 - len(decorator.args)
        )
        if not isinstance(names, (str, list, tuple)) or not isinstance(values, (list, tuple)):
            continue
        names = [each.strip() for each in names.split(",")] if isinstance(names, str) else list(names)
        rows = [value if len(names) > 1 else (value,) for value in values]
        known = [row for row in rows if isinstance(row, (tuple, list)) and len(row) == len(names)]
        choices.append([dict(zip(names, row)) for row in known])
        if len(known) < len(rows):
            lost = len(rows) - len(known)
            what = say("rows of `{}` left out, not understood: {} of {}", function.name, lost, len(rows))
            follower.notes.append((decorator.lineno, what))
    calls = []
    for combination in itertools.islice(itertools.product(*choices), ELEMENT_LIMIT):
        merged = {}
        for each in combination:
            merged.update(each)
        calls.append(merged)
    return calls


def follow_tests(source: Source, names: set) -> Follower:
    """Follows the file as `python3 FILE` would run it; where that makes no call, its test functions one by one."""
    follower = Follower(source, names)
    try:
        follower.run_module(as_program=True)
        if not follower.calls:
            for function in [each for each in source.tree.body if isinstance(each, ast.FunctionDef)]:
                for arguments in parametrized(follower, function):
                    bound = follower.bound(function, [], arguments)
                    if function.name.startswith("test") or bound is not None:
                        follower.run_function(function, bound)
    except TooLong:
        follower.notes.append((0, say("its loops are longer than the {} steps that are followed", STEP_LIMIT)))
    except (Returned, LoopLeft, RecursionError):
        pass
    return follower


def follow_function(source: Source, function: ast.FunctionDef, arguments: dict) -> object:
    """The result of a function for these arguments: a tensor, a tuple of tensors, or UNKNOWN."""
    follower = Follower(source, set())
    try:
        follower.run_module(as_program=False)
        return follower.run_function(function, follower.bound(function, [], arguments))
    except (TooLong, Returned, LoopLeft, RecursionError):
        return UNKNOWN
