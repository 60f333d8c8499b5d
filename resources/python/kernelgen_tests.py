# SPDX-License-Identifier: Apache-2.0
"""The tests of a traced file, called as pytest calls them, and benchmarks that call once what they time."""
import contextlib
import importlib
import importlib.util
import inspect
import itertools
import sys
import types

MOST_CALLS = 16  # of one test function, with the values that `parametrize` lists
MILLISECONDS = 1.0  # what a benchmark is told that each call takes


class Skipped(Exception):
    """As pytest's exception of this name: the test has nothing to test here."""


def skip(reason: str = "", **_):
    raise Skipped(reason)


class Marks:
    """`pytest.mark`: a function remembers its marks as pytest has it do."""

    def __getattr__(self, name: str):
        def mark(*args, **kwargs):
            def marked(function):
                told = types.SimpleNamespace(name=name, args=args, kwargs=kwargs)
                function.pytestmark = [*getattr(function, "pytestmark", []), told]
                return function

            if len(args) == 1 and not kwargs and isinstance(args[0], (types.FunctionType, type)):
                function, args = args[0], ()
                return marked(function)
            return marked

        return mark


@contextlib.contextmanager
def raises(expected=Exception, **_):
    try:
        yield
    except expected:
        return


def fixture(*args, **_):
    return args[0] if args and callable(args[0]) else lambda function: function


def take_pytests_place(text: str) -> bool:
    """Where pytest is not installed: whether it is not. `pytest.main`, if the text has it, does nothing in any case: the
    tests are called."""
    is_missing = importlib.util.find_spec("pytest") is None
    if is_missing:
        stand_in = sys.modules["pytest"] = types.ModuleType("pytest")
        stand_in.mark, stand_in.skip, stand_in.raises, stand_in.fixture = Marks(), skip, raises, fixture
        stand_in.param = lambda *values, **_: types.SimpleNamespace(values=values, marks=())
        stand_in.approx = lambda value, **_: value
    if "pytest.main" in text:
        importlib.import_module("pytest").main = lambda *_, **__: 0
    return is_missing


def calls_of(test) -> list:
    """The arguments by name of each call of a test; none where it is skipped, or needs what is not known here."""
    marks = getattr(test, "pytestmark", [])
    if any(each.name == "skip" or each.name == "skipif" and any(each.args) for each in marks):
        return []
    chosen = [rows_of(each) for each in reversed(marks) if each.name == "parametrize"]
    calls = [{name: value for row in rows for name, value in row.items()} for rows in itertools.product(*chosen)]
    needed = {name for name, each in inspect.signature(test).parameters.items()
              if each.default is each.empty and each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)}
    return [each for each in calls[:MOST_CALLS] if needed <= set(each)]


def rows_of(mark) -> list:
    """The values by name that a `parametrize` lists."""
    given = dict(zip(("argnames", "argvalues"), mark.args)) | mark.kwargs
    names = given["argnames"]
    names = [each.strip() for each in names.split(",")] if isinstance(names, str) else list(names)
    rows = []
    for each in given["argvalues"]:
        is_set = hasattr(each, "values") and hasattr(each, "marks")  # of `pytest.param`
        values = each.values if is_set else each if len(names) > 1 else [each]
        rows.append(dict(zip(names, values)))
    return rows


def time_nothing(has_calls) -> None:
    """From now on `do_bench` calls once what it times, and a report of `perf_report` calls its function with the first
    sizes only, or not at all where `has_calls()`."""
    import triton.testing as testing

    def once(function, *_, quantiles=None, **__):
        function()
        if quantiles is None:
            return MILLISECONDS
        return MILLISECONDS if len(quantiles) == 1 else [MILLISECONDS] * len(quantiles)

    def run(mark, *_, **__):
        several = isinstance(mark.benchmarks, (list, tuple))
        for each in (mark.benchmarks if several else [mark.benchmarks]) if not has_calls() else ():
            first = next(iter(each.x_vals))
            values = first if isinstance(first, (list, tuple)) else [first] * len(each.x_names)
            for line in each.line_vals:
                mark.fn(**dict(zip(each.x_names, values)), **{each.line_arg: line}, **each.args)

    testing.do_bench = testing.do_bench_cudagraph = once
    testing.Mark.run = run
