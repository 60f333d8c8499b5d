# SPDX-License-Identifier: Apache-2.0
"""What a trace found, as the answer for the importer: which function is judged, its cases, the project's files; or why
not, with what to type."""
import ast
import os
import re

import torch

import kernelgen_failures as failures
from kernelgen_guess import guesses
from kernelgen_import_callable import Refused, name_from
from kernelgen_smaller import LARGEST
from kernelgen_trace_text import Reference, changed_names, definition_text, solution_text
from kernelgen_trees import dtype_name, flattened

BACKWARD = re.compile(r"backward|bwd|grad", re.IGNORECASE)
SLOW_SECONDS = 5.0
CASES_KEPT = 16


def entry_of(request: dict, file, recorder) -> str:
    """The function to judge: the last that was called and launched a kernel, a forward one before a backward one."""
    ended = [each for each in recorder.calls if each.has_ended()]
    launching = [each for each in ended if each.launches] or (ended if request["entry"] else [])
    if not launching:
        raise why_nothing(request, file, recorder)
    forward = [each for each in launching if not BACKWARD.search(each.name)]
    return (forward or launching)[-1].name


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
    if recorder.launches:
        return refused(0, f"its tests launch kernels without {asked} on tensors",
                       "put the launch into a function that takes tensors, and call that one in the tests")
    return refused(0, f"nothing in the file calls {asked} on tensors",
                   "add a line at its end that calls it, with tensors of the sizes that count")


def calls_of(request: dict, entry: str, recorder, notes: list, note) -> list:
    """The calls that become cases: those of the entry that change the same arguments and are quick enough."""
    ended = [each for each in recorder.calls if each.name == entry and each.has_ended()]
    calls = [each for each in ended if says_something(each)]
    if not calls:
        raise Refused(request["file"], ended[0].line, f"no call of `{entry}` returns or changes anything",
                      "a function is judged by tensors that it returns or changes")
    if len(calls) < len(ended):
        notes.append(note(0, f"{len(ended) - len(calls)} calls are left out: they return an empty tensor or nothing"))
    quick = [each for each in calls if each.seconds <= SLOW_SECONDS] or [min(calls, key=lambda each: each.seconds)]
    if torch.cuda.is_initialized():
        quick = calls
    if len(quick) < len(calls):
        notes.append(note(0, f"of {len(calls)} calls {len(calls) - len(quick)} took more than {SLOW_SECONDS:g} s in Triton's "
                             "interpreter and are left out"))
    groups = {}
    for each in quick:
        groups.setdefault((tuple(changed_names([each])), str(each.places), form_of(each)), []).append(each)
    kept = max(groups.values(), key=len)
    if len(kept) < len(quick):
        notes.append(note(0, f"of {len(quick)} calls {len(quick) - len(kept)} are left out: they change other arguments, "
                             "return something else, or take arguments in another way"))
    return kept[:CASES_KEPT]


def says_something(call) -> bool:
    return all(each.numel() for each in call.results) and bool(call.results or call.changed)


def form_of(call) -> tuple:
    return tuple(call.names), str(call.arguments.tree["keywords"].keys()), str(call.skeleton)


def tensor_text(value: torch.Tensor) -> str:
    return f"{dtype_name(value.dtype)}{list(value.shape)}"


def called_text(call) -> str:
    """"add(x: float32[4], y: float32[4]) gave float32[4]"."""
    told = []
    for i, tree in enumerate([*call.arguments.tree["positional"], *call.arguments.tree["keywords"].values()]):
        (kind, value), = tree.items()
        names = [*call.names, *call.arguments.tree["keywords"]]
        name = names[i] + ": " if i < len(names) else ""
        told.append(name + (tensor_text(call.arguments.tensors[value]) if kind == "tensor" else
                            str(value) if kind in ("value", "float") else kind))
    results = ", ".join(tensor_text(each) for each in call.results) or "nothing"
    changed = changed_names([call])
    return f"{call.name}({', '.join(told)}) gave {results}" + (f" and changed {', '.join(changed)}" if changed else "")


def reference_of(request: dict, file, calls: list) -> Reference:
    if not request["reference"]:
        found = guesses(file.tree, calls[0].name)
        told = f"; the guess would be --reference '{found[0]}'" if found else ""
        names = ", ".join(calls[0].names) or "*arguments"
        raise Refused(request["file"], calls[0].line, f"there is no reference for {called_text(calls[0])}{told}",
                      f"give one line of PyTorch: --reference 'lambda {names}: …', or a function of the file")
    try:
        return Reference(request["reference"], file.tree, calls)
    except (SyntaxError, ValueError) as error:
        raise Refused(request["file"], 0, f"--reference {request['reference']!r} does not parse: {getattr(error, 'msg', error)}",
                      "give an expression such as 'lambda x, w: torch.relu(x @ w)'") from None


def called(request: dict, call, work):
    """`work` with code of the reference; refused where it raises."""
    try:
        return work()
    except Refused:
        raise
    except BaseException as error:
        raise Refused(request["file"], 0, f"--reference {request['reference']!r} fails: {failures.said_by(error)}",
                      f"it is called as {called_text(call)}") from None


def executed(request: dict, definition: str, call) -> dict:
    namespace = {"__name__": "definition"}
    called(request, call, lambda: exec(compile(definition, "definition.py", "exec"), namespace))
    return namespace


def depends_on_inputs(namespace: dict, number: int, call) -> bool:
    """Whether the reference's results on two draws of a case's inputs differ; else nothing could be judged by it."""
    results = []
    for seed in (1, 2):
        given = namespace["inputs"]({"name": f"call_{number}"}, torch.Generator(call.device).manual_seed(seed), call.device)
        positional, keywords = ([], given) if isinstance(given, dict) else (given, {})
        values = []
        flattened(namespace["reference"](*positional, **keywords), values)
        results.append([*values, *(each for each in [*positional, *keywords.values()] if call.changed)])
    return any(not same(a, b) for a, b in zip(*results))


def same(a, b) -> bool:
    return a.equal(b) if isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor) else a is b or str(a) == str(b)


def difference(file: str, reference, call) -> str:
    """"" where the reference gives what the call gave; refused where it gives another form."""
    positional, keywords, leaves = call.again()
    if keywords:
        positional, keywords = [], {**dict(zip(call.names, positional)), **keywords}
    values = []
    skeleton = flattened(reference(*positional, **keywords), values)
    forms = [[tensor_text(torch.as_tensor(each)) for each in made] for made in (values, call.results)]
    if str(skeleton) != str(call.skeleton) or [each.split("[")[1] for each in forms[0]] != [
            each.split("[")[1] for each in forms[1]]:
        raise Refused(file, call.line, f"the reference gives {', '.join(forms[0]) or 'nothing'} where {called_text(call)}",
                      "the reference returns what the function returns, in the same form")
    pairs = [*zip(values, call.results), *zip(leaves, call.tensors_after())]
    errors = [largest_error(torch.as_tensor(a), b) for a, b in pairs if torch.as_tensor(a).numel()]
    return f"differs by up to {max(errors):.3g}" if max(errors, default=0) > 0.05 else ""


def largest_error(a: torch.Tensor, b: torch.Tensor) -> float:
    """Relative to the size of the values."""
    kind = torch.complex128 if a.is_complex() else torch.float64
    a, b = torch.nan_to_num(a.detach().to(kind)), torch.nan_to_num(b.detach().to(kind))
    return (a - b).abs().max().item() / max(1e-6, b.abs().max().item())


def answer_of(request: dict, file, recorder) -> dict:
    notes = []

    def note(line: int, message: str) -> dict:
        return {"file": request["file"], "line": line, "message": message}

    entry = entry_of(request, file, recorder)
    if file.smaller:
        line, before, after = file.smaller[0]
        notes.append(note(line, f"the tests' sizes take too long in Triton's interpreter: integers over {LARGEST} in them were "
                                f"made smaller, such as this {before} to {after}; the cases have the smaller ones"))
    if file.failure is not None:
        notes.append(note(file.failure[0], f"the tests ended here ({file.failure[1]}); the calls before are used"))
    others = list(dict.fromkeys(each.name for each in recorder.calls if each.launches and each.name != entry))
    if others and not request["entry"]:
        notes.append(note(0, f"`{entry}` is judged; --entry names another: {', '.join(others)}"))
    calls = calls_of(request, entry, recorder, notes, note)
    reference = reference_of(request, file, calls)
    base = os.path.basename(request["file"])
    definition = definition_text(entry, base, file.text, reference, calls, recorder.fresh.addresses)
    namespace = executed(request, definition, calls[0])
    said = [called(request, each, lambda: difference(request["file"], namespace["reference"], each)) for each in calls]
    varied = [called(request, each, lambda: depends_on_inputs(namespace, i, each)) for i, each in enumerate(calls, 1)]
    if any(varied) and not all(varied):
        notes.append(note(0, f"{varied.count(False)} calls are left out: their result is the same for all inputs like theirs"))
        calls = [each for each, depends in zip(calls, varied) if depends]
        said = [each for each, depends in zip(said, varied) if depends]
        definition = definition_text(entry, base, file.text, reference, calls, recorder.fresh.addresses)
    notes += [note(0, f"on call_{i} the reference {each} from what `{entry}` gave") for i, each in enumerate(said, 1) if each]
    solution, name = solution_text(file.text, file.cut, entry)
    cut = [note(each.lineno, f"is a comment now{to_line(each)}: it calls what is judged")
           for each in file.cut]
    cases = [{"name": f"call_{i}", "dtype": case["dtype"], "sizes": {}} for i, case in enumerate(listed(definition), 1)]
    return {"name": request["name"] or name_from(base), "reference": "reference", "cases": cases, "sizes": [],
            "solution": {"entry": name, "language": "triton"}, "notes": notes, "edits": cut,
            "texts": {"definition.py": definition, "solution.py": solution}}


def to_line(statement: ast.stmt) -> str:
    return "" if statement.end_lineno == statement.lineno else f", as all up to line {statement.end_lineno}"


def listed(definition: str) -> list:
    found = [each.value for each in ast.parse(definition).body if isinstance(each, ast.Assign)
             and isinstance(each.targets[0], ast.Name) and each.targets[0].id == "cases"]
    return ast.literal_eval(found[-1])
