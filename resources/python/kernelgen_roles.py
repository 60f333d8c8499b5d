# SPDX-License-Identifier: Apache-2.0
"""Finds the kernel, the baseline, the accuracy and the performance test of a set: by content, then by name."""

import ast
from pathlib import PurePath

from kernelgen_said import Said, say, told
from kernelgen_sources import (
    Source,
    SourceProblem,
    describe_lambdas,
    is_kernel,
    launches_of,
    top_level_functions,
)


class Refused(Exception):
    """Why a set cannot be read as an operator, and what to do about it."""

    def __init__(self, file: str, line: int, message: Said, advice: Said):
        super().__init__(message)
        self.answer = {"file": file, "line": line, **told("message", message), **told("advice", advice)}


def stem(name: str) -> str:
    return PurePath(name).stem


def wrappers_of(source: Source) -> list:
    return [each for each in top_level_functions(source) if not is_kernel(each)]


def modules_imported(source: Source) -> dict:
    """Module -> [(name, as)] of the imports anywhere in a file."""
    found = {}
    for node in ast.walk(source.tree):
        if isinstance(node, ast.ImportFrom):
            module = (node.module or "").split(".")[-1]
            found.setdefault(module, []).extend((each.name, each.asname or each.name) for each in node.names)
        elif isinstance(node, ast.Import):
            for each in node.names:
                found.setdefault(each.name.split(".")[-1], [])
    return found


def calls_any(source: Source, words: tuple) -> bool:
    return any(
        (isinstance(node, ast.Attribute) and node.attr in words) or (isinstance(node, ast.Name) and node.id in words)
        for node in ast.walk(source.tree)
    )


class Set:
    """The files of a folder, and their roles."""

    def __init__(self, files: dict):
        if not files:
            raise Refused(
                "", 0, say("there is no Python file in the folder"), say("name the folder that holds the set")
            )
        self.sources = {}
        for name, text in sorted(files.items()):
            try:
                self.sources[name] = Source(text)
            except SourceProblem as problem:
                advice = say("correct the file, or move it away")
                raise Refused(name, problem.line, problem.message, advice) from None
        self.notes = []
        self.kernel = self.find_kernel()
        self.tests = [name for name in self.sources if name != self.kernel and self.imports_kernel(name)]
        self.entry = self.find_entry()
        self.baseline = self.find_baseline()
        self.accuracy = self.find_test("accuracy", ("allclose", "assert_close", "assert_allclose", "isclose"), None)
        self.performance = self.find_test(
            "performance", ("time", "perf_counter", "Event", "do_bench", "Timer"), self.accuracy
        )

    def imports_kernel(self, name: str) -> bool:
        return stem(self.kernel) in modules_imported(self.sources[name])

    def one_of(self, found: list, several: Said, suffix: str, advice: Said) -> str:
        """The only candidate, or the only one with the role in its name. `several`: what is wrong with more than one."""
        named = [name for name in found if stem(name).endswith(suffix)]
        if len(found) > 1 and len(named) == 1:
            return named[0]
        if len(found) > 1:
            raise Refused(found[0], 0, several, advice)
        return found[0] if found else ""

    def find_kernel(self) -> str:
        found = [name for name, source in self.sources.items() if any(map(is_kernel, top_level_functions(source)))]
        if not found:
            why = say("no file has a Triton kernel, a function under `@triton.jit`: {}", ", ".join(self.sources))
            raise Refused("", 0, why, say("add the kernel's file"))
        several = say("{} files could be the kernel: {}", len(found), ", ".join(found))
        return self.one_of(found, several, "_triton", say("keep one, or name the kernel's file NAME_triton.py"))

    def find_entry(self) -> str:
        source = self.sources[self.kernel]
        names = [each.name for each in wrappers_of(source)]
        imported = []
        for test in self.tests:
            imported += [name for name, _ in modules_imported(self.sources[test]).get(stem(self.kernel), [])]
        for each in describe_lambdas(source):
            if each["name"] in imported or not names:
                raise Refused(
                    self.kernel,
                    each["line"],
                    say("the wrapper `{}` is a lambda, whose parameters cannot be read", each["name"]),
                    say("write it as `def {}(...)`", each["name"]),
                )
        launching = [each.name for each in wrappers_of(source) if launches_of(each)]
        for candidates in ([each for each in dict.fromkeys(imported) if each in names], launching, names):
            distinct = list(dict.fromkeys(candidates))
            if len(distinct) == 1:
                return distinct[0]
            if distinct:
                raise Refused(
                    self.kernel,
                    0,
                    say("{} functions could be the wrapper: {}", len(distinct), ", ".join(distinct)),
                    say("keep one that the test files import"),
                )
        raise Refused(
            self.kernel,
            0,
            say("no function calls the kernel: there is no wrapper"),
            say("add `def NAME(x: torch.Tensor, ...)` that launches the kernel and returns its output"),
        )

    def find_baseline(self) -> str:
        others = [name for name in self.sources if name != self.kernel and name not in self.tests]
        found = [
            name
            for name in others
            if wrappers_of(self.sources[name]) and "torch" in modules_imported(self.sources[name])
        ]
        same = [name for name in found if any(each.name == self.entry for each in wrappers_of(self.sources[name]))]
        likely = same or found
        several = say("{} files could be the baseline: {}", len(likely), ", ".join(likely))
        chosen = self.one_of(likely, several, "_baseline", say("keep one, or name it NAME_{}.py", "baseline"))
        if not chosen:
            raise Refused(
                "",
                0,
                say("no baseline: no file beside {} defines `{}` with PyTorch", self.kernel, self.entry),
                say("add NAME_baseline.py with `def {}(...)`, which the kernel is held against", self.entry),
            )
        return chosen

    def baseline_entry(self) -> str:
        names = [each.name for each in wrappers_of(self.sources[self.baseline])]
        imported = []
        for test in self.tests:
            imported += [name for name, _ in modules_imported(self.sources[test]).get(stem(self.baseline), [])]
        for candidates in (
            [each for each in names if each == self.entry],
            [each for each in imported if each in names],
            names,
        ):
            distinct = list(dict.fromkeys(candidates))
            if len(distinct) == 1:
                return distinct[0]
        raise Refused(
            self.baseline,
            0,
            say("{} functions could be the baseline: {}", len(names), ", ".join(names)),
            say("name it `{}`", self.entry),
        )

    def find_test(self, role: str, words: tuple, taken) -> str:
        rest = [name for name in self.tests if name != taken]
        found = [name for name in rest if role in name.lower()] or [
            name for name in rest if calls_any(self.sources[name], words)
        ]
        several = several_tests(role, found)
        return self.one_of(found, several, "_" + role, say("keep one, or name it NAME_{}.py", role))


def several_tests(role: str, found: list) -> Said:
    names = ", ".join(found)
    if role == "accuracy":
        return say("{} files could be the accuracy test: {}", len(found), names)
    return say("{} files could be the performance test: {}", len(found), names)


def note(file: str, line: int, message: Said) -> dict:
    return {"file": file, "line": line, **told("message", message)}
