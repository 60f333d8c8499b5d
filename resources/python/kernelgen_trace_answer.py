# SPDX-License-Identifier: Apache-2.0
"""What a trace found, as the answer for the importer: which function is judged, its cases, the project's files; or why
not, with what to type."""
import ast
import os
import re

import torch

from kernelgen_import_callable import Refused, name_from
from kernelgen_record import given_by_place_only
from kernelgen_record_module import ModuleFunction
from kernelgen_smaller import LARGEST
from kernelgen_trace_reference import Tried, called_text, reference_of
from kernelgen_trace_text import changed_names, definition_text, dtype_of, with_entry, without_calls
from kernelgen_trace_tunables import Tunables

BACKWARD = re.compile(r"backward|bwd|grad", re.IGNORECASE)
SLOW_SECONDS = 5.0  # of the processor
CASES_KEPT = 16


def entry_of(request: dict, file, recorder) -> str:
    """The function to judge: the last that was called and launched a kernel, a forward one before a backward one, a
    module only if there is no other."""
    ended = [each for each in recorder.calls if each.has_ended()]
    launching = [each for each in ended if each.kernels] or (ended if request["entry"] else [])
    if not launching:
        raise why_nothing(request, file, recorder)
    forward = [each for each in launching if not BACKWARD.search(each.name)] or launching
    functions = [each for each in forward if not isinstance(each.function, ModuleFunction)]
    return (functions or forward)[-1].name


def why_nothing(request: dict, file, recorder) -> Refused:
    asked = f"`{request['entry']}`" if request["entry"] else "a function that launches a Triton kernel"

    def refused(line: int, message: str, advice: str = "") -> Refused:
        return Refused(request["file"], line, message, advice)

    if recorder.refused:
        name, why = next(iter(recorder.refused.items()))
        return refused(0, f"`{name}` cannot be judged: {why}",
                       "write a function around it that takes and returns tensors, and call that one in the tests")
    if file.failure is not None and file.was_too_long:
        slow = refused(file.failure[0], f"no call of {asked} ended within {request['seconds']:g} s",
                       "make the sizes in the tests smaller, or give more time with --timeout 5m")
        slow.told["too_long"] = True  # kernelgen_trace.py makes them smaller
        return slow
    if file.failure is not None:
        return refused(file.failure[0], f"its test calls fail: {file.failure[1]}")
    if recorder.launched:
        return refused(0, f"its tests launch kernels without {asked} on tensors",
                       "put the launch into a function that takes tensors, and call that one in the tests")
    return refused(0, f"nothing in the file calls {asked} on tensors",
                   "add a line at its end that calls it, with tensors of the sizes that count")


def says_something(call) -> bool:
    return all(each.numel() for each in call.results) and bool(call.results or call.changed)


def form_of(call) -> tuple:
    """What all cases have in common: parameters, results, and which arguments are changed."""
    return (call.names, list(call.arguments.tree["keywords"]), call.skeleton, changed_names([call]), call.places)


def most_alike(calls: list) -> list:
    forms = [str(form_of(each)) for each in calls]
    return [each for each, form in zip(calls, forms) if form == max(forms, key=forms.count)]


class Answer:
    """`notes` say what was left out."""

    def __init__(self, request: dict, file, recorder):
        self.request, self.file, self.recorder = request, file, recorder
        self.notes = []
        self.entry = entry_of(request, file, recorder)
        self.tell_of_trace()
        self.calls = self.calls_that_become_cases()
        self.reference = reference_of(request, file, self.calls)
        self.definition = self.definition_of_calls()
        self.try_reference()

    def at(self, line: int, message: str) -> dict:
        return {"file": self.request["file"], "line": line, "message": message}

    def note(self, message: str, line: int = 0) -> None:
        self.notes.append(self.at(line, message))

    def tell_of_trace(self) -> None:
        if self.file.smaller:
            line, before, after = self.file.smaller[0]
            self.note(f"the tests' sizes take too long in Triton's interpreter: integers over {LARGEST} were made "
                      f"smaller, such as this {before} to {after}, and the cases have these sizes", line)
        if self.file.failure is not None:
            line, why = self.file.failure
            self.note(f"the tests ended here ({why}); the calls before are used", line)
        launching = [each.name for each in self.recorder.calls if each.kernels]
        others = [each for each in dict.fromkeys(launching) if each != self.entry]
        if others and not self.request["entry"]:
            self.note(f"`{self.entry}` is judged; --entry names another: {', '.join(others)}")

    def kept(self, calls: list, chosen: list, why: str) -> list:
        if len(chosen) < len(calls):
            self.note(f"of {len(calls)} calls {len(calls) - len(chosen)} are left out: {why}")
        return chosen

    def calls_that_become_cases(self) -> list:
        ended = [each for each in self.recorder.calls if each.name == self.entry and each.has_ended()]
        telling = [each for each in ended if says_something(each)]
        calls = self.kept(ended, telling, "they give nothing, or an empty tensor")
        if not calls:
            raise Refused(self.request["file"], ended[0].line, f"no call of `{self.entry}` returns or changes anything",
                          "a function is judged by tensors that it returns or changes")
        if self.recorder.device.type == "cpu":
            quick = [each for each in calls if each.seconds <= SLOW_SECONDS]
            calls = self.kept(calls, quick or [min(calls, key=lambda each: each.seconds)],
                              f"they take more than {SLOW_SECONDS:g} s in Triton's interpreter")
        calls = self.kept(calls, most_alike(calls),
                          "they change other arguments, return something else, or take arguments in another way")
        return self.kept(calls, calls[:CASES_KEPT], f"a project has at most {CASES_KEPT} cases of a trace")

    def definition_of_calls(self) -> str:
        return definition_text(self.entry, os.path.basename(self.request["file"]), self.file.text, self.reference,
                               self.calls, self.recorder.fresh.addresses)

    def try_reference(self) -> None:
        """On what was seen, where it must give the same form; and on drawn inputs, on which its results must depend."""
        tried = Tried(self.request, self.definition, self.calls)
        differences = [tried.difference(each) for each in self.calls]
        depends = [tried.depends_on_inputs(i, each) for i, each in enumerate(self.calls, 1)]
        if any(depends):
            chosen = [each for each, does in zip(self.calls, depends) if does]
            differences = [each for each, does in zip(differences, depends) if does]
            self.calls = self.kept(self.calls, chosen, "their result is the same for all inputs like theirs, or not finite")
            self.definition = self.definition_of_calls()
        for i, said in enumerate(differences, 1):
            if said:
                self.note(f"on call_{i} the reference {said} from what `{self.entry}` gave")

    def solution(self) -> tuple:
        """(the entry's name in the solution, the solution with its tunables)."""
        by_name = any(each.arguments.tree["keywords"] for each in self.calls)
        function = self.calls[0].function
        by_place = given_by_place_only(function) if by_name else []
        text, name = with_entry(without_calls(self.file.text, self.file.cut), self.entry, function, by_place)
        return name, Tunables(text, self.file.namespace, [name for each in self.calls for name in each.kernels])

    def whole(self) -> dict:
        name, solution = self.solution()
        for line, message in solution.notes:
            self.note(message, line)
        edits = [self.at(each.lineno, f"is a comment now{to_line(each)}: it calls what is judged")
                 for each in self.file.cut]
        edits += [self.at(line, message) for line, message in solution.edits]
        cases = [{"name": f"call_{i}", "dtype": dtype_of(each), "sizes": {}} for i, each in enumerate(self.calls, 1)]
        return {"name": self.request["name"] or name_from(os.path.basename(self.request["file"])),
                "reference": "reference", "cases": cases, "sizes": [], "notes": self.notes, "edits": edits,
                "solution": {"entry": name, "language": "triton", "interface": "", **solution.told()},
                "texts": {"definition.py": self.definition, "solution.py": solution.text}}


def to_line(statement: ast.stmt) -> str:
    return "" if statement.end_lineno == statement.lineno else f", as all up to line {statement.end_lineno}"
