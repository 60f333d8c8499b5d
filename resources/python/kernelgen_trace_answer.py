# SPDX-License-Identifier: Apache-2.0
"""What a trace found, as the answer for the importer: which function is judged, its cases, the project's files; or why
not, with what to type."""
import ast
import os
import re

import torch

from kernelgen_import_callable import Refused, name_from
from kernelgen_record import NO_MEMORY, given_by_place_only
from kernelgen_record_module import ModuleFunction
from kernelgen_said import Said, say, told
from kernelgen_smaller import LARGEST
from kernelgen_trace_linked import Apart, Linked
from kernelgen_trace_reference import Tried, called_text, reference_of
from kernelgen_trace_rules import Rules
from kernelgen_trace_text import changed_names, definition_text, dtype_of, with_entry, without_calls
from kernelgen_trace_tunables import Tunables
from kernelgen_tunables import tunables_in

BACKWARD = re.compile(r"backward|bwd|grad", re.IGNORECASE)
SMALLER = say("make the sizes in the tests smaller")
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
    any_function = say("a function that launches a Triton kernel")
    asked = f"`{request['entry']}`" if request["entry"] else any_function

    def refused(line: int, message: Said, advice: str = "") -> Refused:
        return Refused(request["file"], line, message, advice)

    if recorder.refused:
        name, why = next(iter(recorder.refused.items()))
        around = say("write a function around it that takes and returns tensors, and call that one in the tests")
        return refused(0, say("`{}` cannot be judged: {}", name, why), SMALLER if why is NO_MEMORY else around)
    if file.failure is not None and file.was_too_long:
        slow = refused(file.failure[0], say("no call of {} ended within {:g} s", asked, request["seconds"]),
                       say("make the sizes in the tests smaller, or give more time with --timeout 5m"))
        slow.told["too_long"] = True  # kernelgen_trace.py makes them smaller
        slow.told["status"] = "timed_out"
        return slow
    if file.failure is not None:
        return refused(file.failure[0], say("its test calls fail: {}", file.failure[1]), advice_on(str(file.failure[1])))
    if recorder.launched:
        return refused(0, say("its tests launch kernels without {} on tensors", asked),
                       say("put the launch into a function that takes tensors, and call that one in the tests"))
    return refused(0, say("nothing in the file calls {} on tensors", asked),
                   say("add a line at its end that calls it, with tensors of the sizes that count"))


def advice_on(failure: str) -> str:
    """What to do about a module that is missing; "" for other failures."""
    missing = re.match(r"ModuleNotFoundError: No module named '([\w.]+)'", failure)
    if missing is None:
        return ""
    package = missing.group(1).split(".")[0]
    if package == missing.group(1) or package not in ("torch", "triton"):
        return say("install it for this interpreter, or name another in KERNELGEN_PYTHON")
    return say("this release of `{}` has no such module; name an interpreter with another release in KERNELGEN_PYTHON", package)


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
        self.notes, self.sizes = [], []
        self.entry = entry_of(request, file, recorder)
        self.tell_of_trace()
        self.calls = self.calls_that_become_cases()
        self.plans = {each: Linked(each, recorder.fresh.program) for each in self.calls}
        self.reference = reference_of(request, file, self.calls)
        self.gradients = self.gradients_that_are_judged()
        self.definition = self.definition_of_calls()
        self.try_reference()
        self.note_linked()
        self.note_gradients()

    def at(self, line: int, message: Said) -> dict:
        return {"file": self.request["file"], "line": line, **told("message", message)}

    def note(self, message: Said, line: int = 0) -> None:
        self.notes.append(self.at(line, message))

    def tell_of_trace(self) -> None:
        if self.file.smaller:
            line, before, after = self.file.smaller[0]
            self.note(say("the tests' sizes take too long in Triton's interpreter: integers over {} were made smaller, such "
                          "as this {} to {}, and the cases have these sizes", LARGEST, before, after), line)
        if self.file.failure is not None:
            line, why = self.file.failure
            self.note(say("the tests ended here ({}); the calls before are used", why), line)
        launching = [each.name for each in self.recorder.calls if each.kernels]
        others = [each for each in dict.fromkeys(launching) if each != self.entry]
        if others and not self.request["entry"]:
            self.note(say("`{}` is judged; --entry names another: {}", self.entry, ", ".join(others)))

    def kept(self, calls: list, chosen: list, why: Said) -> list:
        if len(chosen) < len(calls):
            self.note(say("of {} calls {} are left out: {}", len(calls), len(calls) - len(chosen), why))
        return chosen

    def calls_that_become_cases(self) -> list:
        ended = [each for each in self.recorder.calls if each.name == self.entry and each.has_ended()]
        telling = [each for each in ended if says_something(each)]
        calls = self.kept(ended, telling, say("they give nothing, or an empty tensor"))
        if not calls:
            raise Refused(self.request["file"], ended[0].line,
                          say("no call of `{}` returns or changes anything", self.entry),
                          say("a function is judged by tensors that it returns or changes"))
        if self.recorder.device.type == "cpu":
            quick = [each for each in calls if each.seconds <= SLOW_SECONDS]
            calls = self.kept(calls, quick or [min(calls, key=lambda each: each.seconds)],
                              say("they take more than {:g} s in Triton's interpreter", SLOW_SECONDS))
        calls = self.kept(calls, most_alike(calls),
                          say("they change other arguments, return something else, or take arguments in another way"))
        return self.kept(calls, calls[:CASES_KEPT], say("a project has at most {} cases of a trace", CASES_KEPT))

    def definition_of_calls(self) -> str:
        return definition_text(self.entry, os.path.basename(self.request["file"]), self.file.text, self.reference,
                               self.calls, self.recorder.fresh.addresses, [self.plans[each] for each in self.calls],
                               self.gradients, self.sizes)

    def draw_apart_where_linked_inputs_do_not_do(self) -> None:
        """Where what the tests made cannot be made again, or the reference's results are then always the same."""
        tried = Tried(self.request, self.definition, self.calls)
        for i, each in enumerate(self.calls, 1):
            if self.plans[each].names and not (tried.makes(i, each) and tried.depends_on_inputs(i, each)):
                self.plans[each] = Apart(self.plans[each].names)
        self.definition = self.definition_of_calls()

    def note_linked(self) -> None:
        def named(key: str) -> str:
            found = dict.fromkeys(name for each in self.calls for name in getattr(self.plans[each], key))
            return ", ".join(f"`{name}`" for name in found)

        if kept := named("kept"):
            self.note(say("{}: these keep the values that they had in the tests, where one followed from another in a way "
                          "that PyTorch's calls do not show", kept))
        if made := ", ".join(each for each in named("names").split(", ") if each not in kept.split(", ")):
            self.note(say("{}: these are made as the tests made them, and not varied one by one: they belong together", made))
        if apart := named("apart"):
            self.note(say("{}: these are drawn one by one, although the tests made one of another; write such inputs into "
                          "`inputs` of definition.py", apart))

    def gradients_that_are_judged(self) -> list:
        """The names of arguments to which the tests' backward passes went; none where these cannot be judged."""
        back = [each for each in self.calls if each.went_back]
        names = list(dict.fromkeys(name for each in back for name in each.differentiated()))
        if names and self.changes_arguments():
            self.note(say("the tests' backward pass is not judged: `{}` changes its arguments in place", self.entry))
        if not names or self.changes_arguments():
            return []
        if any(each.is_changed_later() for each in back):
            self.note(say("the tests' backward pass is not judged: it, or what follows it, changes arguments of `{}`",
                          self.entry))
            return []
        return names

    def changes_arguments(self) -> bool:
        return any(each.changed for each in self.calls)

    def try_gradients(self, tried: Tried) -> None:
        """Leaves them out where the reference has none."""
        why = tried.why_no_gradients(self.calls[0], self.gradients) if self.gradients else ""
        if why:
            self.gradients = []
            self.definition = self.definition_of_calls()
            self.note(say("the tests' backward pass is not judged: the reference has no gradients ({})", why))

    def note_gradients(self) -> None:
        """What a function does only for gradients is verified where a backward pass was seen."""
        if self.gradients:
            self.note(say("the backward pass is judged too: gradients of {}", ", ".join(self.gradients)))
        elif not self.changes_arguments() and any(each.with_gradients for each in self.calls):
            self.note(say("calls have arguments that require gradients; `{}` is verified without them, so what it does only "
                          "for gradients is not seen; `backward = True` in definition.py verifies gradients", self.entry))

    def try_reference(self) -> None:
        """On what was seen, where it must give the same form; and on drawn inputs, on which its results must depend."""
        self.draw_apart_where_linked_inputs_do_not_do()
        tried = Tried(self.request, self.definition, self.calls)
        self.try_gradients(tried)
        differences = [tried.difference(each) for each in self.calls]
        depends = [tried.depends_on_inputs(i, each) for i, each in enumerate(self.calls, 1)]
        if any(depends):
            chosen = [each for each, does in zip(self.calls, depends) if does]
            differences = [each for each, does in zip(differences, depends) if does]
            self.calls = self.kept(self.calls, chosen,
                                   say("their result is the same for all inputs like theirs, or not finite"))
            self.definition = self.definition_of_calls()
        for i, found in enumerate(differences, 1):
            if found:
                self.note(say("on call_{} the reference differs from what `{}` gave, by up to {} times the largest value of "
                              "{}", i, self.entry, *found))

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
        edits = [self.at(each.lineno, is_comment(each, each in self.file.of_pytest)) for each in self.file.cut]
        edits += [self.at(line, message) for line, message in solution.edits]
        rules = Rules(solution.kernels, self.file.namespace, self.calls, self.request["words"])
        for kernel, key in rules.unfit:
            self.note(say("`{}`, a key of the autotuned `{}`, is left out of the rules by case: a size cannot have this name",
                          key, kernel))
        if rules.names:
            self.sizes = rules.sizes
            self.definition = self.definition_of_calls()
            self.note(say("by {} Triton chooses: these are sizes of the cases, and sizes that the tests do not have are not "
                          "tried", ", ".join(f"`{name}`" for name in rules.names)))
        cases = [{"name": f"call_{i}", "dtype": dtype_of(each), "sizes": sizes}
                 for i, (each, sizes) in enumerate(zip(self.calls, rules.sizes), 1)]
        tuned = solution.told()
        known = [each["name"] for each in tuned["tunables"]]
        tuned["tunables"] += [each for each in tunables_in(solution.text, name) if each["name"] not in known]
        return {"name": self.request["name"] or name_from(os.path.basename(self.request["file"])),
                "reference": "reference", "cases": cases, "sizes": rules.names, "notes": self.notes, "edits": edits,
                "solution": {"entry": name, "language": "triton", "interface": "", "configurations": rules.configurations, **tuned},
                "texts": {"definition.py": self.definition, "solution.py": solution.text}}


def is_comment(statement: ast.stmt, needs_pytest: bool) -> Said:
    if needs_pytest:
        return say("is a comment now: it needs pytest, which is not installed")
    if statement.end_lineno == statement.lineno:
        return say("is a comment now: it calls what is judged")
    return say("is a comment now, as all up to line {}: it calls what is judged", statement.end_lineno)
