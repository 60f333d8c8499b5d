# SPDX-License-Identifier: Apache-2.0
"""Reads a set of Python files (kernel, baseline, accuracy and performance tests) as an operator; executes nothing.

A program: {"files": {NAME: TEXT, ...}, "name": NAME or ""} on stdin; on stdout either {"error": {file, line, message,
advice}} or the operator: roles, entries, inputs, outputs, attributes, symbols, cases, tolerance, tunables, the files'
texts with what had to be edited, and notes on what was not understood.
"""

import ast
import json
import math
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kernelgen_cases import names_of_function  # noqa: E402
from kernelgen_edits import edit_kernel_file, edit_test_file  # noqa: E402
from kernelgen_follow import follow_function, follow_tests  # noqa: E402
from kernelgen_roles import Refused, Set, note, stem  # noqa: E402
from kernelgen_said import Said, joined, say, told  # noqa: E402
from kernelgen_sources import all_parameters, find_entry, launches_of  # noqa: E402
from kernelgen_written_autotune import WrittenTunables  # noqa: E402
from kernelgen_tunables import literals_of, names_of_launches, told_of  # noqa: E402
from kernelgen_values import UNKNOWN, Size, Tensor, is_number  # noqa: E402

SUPPORTED = ("f64", "f32", "f16", "bf16", "f8e4m3", "f8e5m2", "i32", "i8")
FLOATS = SUPPORTED[:6]
CASE_LIMIT = 64
CAUSES_TOLD = 3


def parameters_of(files: Set) -> list:
    function = find_entry(files.sources[files.kernel], files.entry)
    if function.args.vararg or function.args.kwarg:
        raise Refused(
            files.kernel,
            function.lineno,
            say("the wrapper `{}` takes `*` or `**` parameters", files.entry),
            say("name its parameters one by one"),
        )
    return [each.arg for each in all_parameters(function)]


def defaults_of(function) -> dict:
    """The defaults of a function's parameters that are literals."""
    positional = function.args.posonlyargs + function.args.args
    pairs = list(zip(positional[len(positional) - len(function.args.defaults) :], function.args.defaults))
    pairs += [pair for pair in zip(function.args.kwonlyargs, function.args.kw_defaults) if pair[1] is not None]
    return {each.arg: default.value for each, default in pairs if isinstance(default, ast.Constant)}


class Calls:
    """The arguments with which the test files call the wrapper, and what follows: shapes, dtypes, cases."""

    def __init__(self, files: Set):
        self.files = files
        self.parameters = parameters_of(files)
        self.defaults = defaults_of(find_entry(files.sources[files.kernel], files.entry))
        self.left_out = []  # notes on calls
        self.preferred, self.tolerances, rows = {}, [], []
        for test in [name for name in (files.accuracy, files.performance) if name] or files.tests:
            followed = follow_tests(
                files.sources[test], names_of_function(files.sources[test], stem(files.kernel), files.entry)
            )
            self.preferred.update(followed.preferred)
            self.tolerances += [(test, *each) for each in followed.tolerances]
            files.notes += [note(test, *each) for each in followed.notes]
            for call in followed.calls:
                row = self.row_of(test, call)
                if row is not None and row not in [each for _, each in rows]:
                    rows.append(((test, call.line), row))
        if not rows:
            self.refuse_without_calls()
        self.inputs = [name for name, value in rows[0][1].items() if isinstance(value, Tensor)]
        self.attributes = {name: value for name, value in rows[0][1].items() if not isinstance(value, Tensor)}
        self.rows = self.alike(rows)
        self.flatten_where_ranks_differ()
        if len(self.rows) > CASE_LIMIT:
            what = say("of {} cases the first {} were taken", len(self.rows), CASE_LIMIT)
            files.notes.append(note(files.accuracy, 0, what))
            self.rows = self.rows[:CASE_LIMIT]

    def refuse_without_calls(self):
        files = self.files
        if not files.tests:
            raise Refused(
                files.kernel,
                0,
                say("no file imports `{}` from {}, so its shapes are not known", files.entry, files.kernel),
                say(
                    "add NAME_accuracy.py with `{}` and test_shapes",
                    f"from {stem(files.kernel)} import {files.entry}",
                ),
            )
        why = self.left_out or [each for each in files.notes if each["file"] in files.tests]
        message = say("no call of `{}` with shapes that can be followed", files.entry)
        raise Refused(
            why[0]["file"] if why else files.accuracy or files.tests[0],
            why[0]["line"] if why else 0,
            joined("; ", [message, *dict.fromkeys(each["message"] for each in why[:CAUSES_TOLD])]),
            say("call it with tensors made by torch.randn and the like, in shapes written in the file, and with numbers"),
        )

    def leave_out(self, file: str, line: int, why: Said):
        self.left_out.append(note(file, line, say("the call of `{}` was left out: {}", self.files.entry, why)))
        self.files.notes.append(self.left_out[-1])

    def row_of(self, test: str, call):
        """Parameter -> tensor or number, in the parameters' order; None where the call is not understood."""
        given = dict(zip(self.parameters, call.arguments))
        given.update({name: value for name, value in call.keywords.items() if name in self.parameters})
        row = {
            name: given[name]
            for name in self.parameters
            if name in given and not self.is_default_without_type(name, given[name])
        }
        for name, value in row.items():
            if not isinstance(value, (Tensor, bool)) and not is_number(value):
                unlike = say("its argument `{}` is {}, neither a tensor nor a number", name, repr(value))
                why = say("its argument `{}` is not followed", name) if value is UNKNOWN else unlike
                self.leave_out(test, call.line, why)
                return None
        for name in [each for each in row if isinstance(row[each], Tensor)]:
            if row[name].dtype not in SUPPORTED:
                raise Refused(
                    test,
                    call.line,
                    say("`{}` is a tensor of {}, which no project can have yet", name, row[name].dtype),
                    say("use one of: {}", ", ".join(SUPPORTED)),
                )
            if any(size < 1 for size in row[name].shape):
                shape = list(map(int, row[name].shape))
                self.leave_out(test, call.line, say("its argument `{}` is empty: {}", name, shape))
                return None
        if not any(isinstance(value, Tensor) for value in row.values()):
            self.leave_out(test, call.line, say("none of its arguments is a tensor"))
            return None
        return row

    def is_default_without_type(self, name: str, value: object) -> bool:
        """Whether an argument that projects do not support can be left out: None or a string, equal to the default."""
        return (value is None or isinstance(value, str)) and name in self.defaults and self.defaults[name] == value

    def alike(self, rows: list) -> list:
        """The calls with the same tensors and the same numbers as the first call."""
        first, kept = rows[0][1], []
        for (test, line), row in rows:
            same = list(row) == list(first) and all(
                isinstance(row[name], Tensor) == isinstance(first[name], Tensor) for name in row
            )
            if same and all(row[name] == value for name, value in self.attributes.items()):
                kept.append(row)
            else:
                what = say("the call was left out: it passes other arguments than the first one")
                self.files.notes.append(note(test, line, what))
        return kept

    def flatten_where_ranks_differ(self):
        """Where test shapes differ in rank, leading dimensions become rows: [P, D]."""
        ranks = [[len(row[name].shape) for name in self.inputs] for row in self.rows]
        if all(each == ranks[0] for each in ranks):
            return
        flat = []
        for row in self.rows:
            largest = max((row[name].shape for name in self.inputs), key=len)
            fits = [len(row[name].shape) <= 1 or row[name].shape[:-1] == largest[:-1] for name in self.inputs]
            if not all(fits) or len(largest) < 1:
                continue
            rows_count = 1
            for size in largest[:-1]:
                rows_count *= size
            made = dict(row)
            for name in self.inputs:
                shape = row[name].shape
                if len(shape) > 1 or shape is largest:
                    made[name] = Tensor((Size(rows_count, ("rows", 0)), shape[-1]), row[name].dtype)
            if made not in flat:
                flat.append(made)
        same = [
            row
            for row in flat
            if [len(row[n].shape) for n in self.inputs] == [len(flat[0][n].shape) for n in self.inputs]
        ]
        if not same:
            raise Refused(
                self.files.accuracy or self.files.tests[0],
                0,
                say("the test shapes differ in rank in a way that rows and columns cannot express"),
                say("keep shapes of one rank"),
            )
        self.files.notes.append(
            note(
                self.files.accuracy or self.files.tests[0],
                0,
                say("the test shapes differ in rank: leading dimensions were flattened to rows"),
            )
        )
        self.rows = same


class Symbols:
    """The dimensions of the inputs as symbols: equal where they came from the same place in the test file."""

    def __init__(self, calls: Calls, taken: set):
        self.calls, self.taken = calls, taken
        self.groups = {}  # key -> (sizes over the cases)
        self.shapes = {
            name: [self.group_of(name, axis) for axis in range(len(calls.rows[0][name].shape))] for name in calls.inputs
        }
        self.names = {}
        for name in calls.inputs:
            for axis, key in enumerate(self.shapes[name]):
                if key is not None and key not in self.names:
                    self.names[key] = self.name_for(key, axis, len(self.shapes[name]))

    def group_of(self, name: str, axis: int):
        sizes = [row[name].shape[axis] for row in self.calls.rows]
        origins = {getattr(size, "origin", None) for size in sizes}
        if len(origins) == 1 and None not in origins:
            key = origins.pop()
            if isinstance(key, tuple) and key not in self.groups:
                key = self.same_elsewhere(key, tuple(int(size) for size in sizes))
        elif all(size == 1 for size in sizes):
            return None
        else:
            values = tuple(int(size) for size in sizes)
            equal = [each for each, known in self.groups.items() if known == values]
            key = equal[0] if equal else (name, axis)
            if not equal and len(self.calls.inputs) > 1:
                self.calls.files.notes.append(
                    note(
                        self.calls.files.accuracy,
                        0,
                        say(
                            "dimension {} of `{}` became a symbol of its own: how it follows was not understood",
                            axis,
                            name,
                        ),
                    )
                )
        self.groups.setdefault(key, tuple(int(size) for size in sizes))
        return key

    def same_elsewhere(self, origin: tuple, values: tuple):
        """The origin of another size that is equal in all cases; if there are several, counted from the end."""
        name, place = origin
        equal = [
            key
            for key, known in self.groups.items()
            if known == values and (key[0] if isinstance(key, tuple) else key) != name
        ]
        return equal[max(place, -len(equal))] if equal else origin

    def name_for(self, key, axis: int, rank: int) -> str:
        wish = self.calls.preferred.get(key, key if isinstance(key, str) else "")
        if not re.fullmatch(r"[A-Z][A-Za-z0-9_]*|[a-z]", wish):
            wish = "D" if axis == rank - 1 else "P" if rank == 2 else f"N{axis + 1}"
        name, number = wish, 2
        while name in self.taken:
            name, number = f"{wish}{number}", number + 1
        self.taken.add(name)
        return name

    def shape(self, name: str) -> list:
        return ["1" if key is None else self.names[key] for key in self.shapes[name]]

    def sizes(self, index: int) -> dict:
        return {self.names[key]: self.groups[key][index] for key in self.names}


def primes(count: int) -> list:
    """The first prime numbers from 101 on."""
    found, number = [], 101
    while len(found) < count:
        if all(number % each for each in range(2, math.isqrt(number) + 1)):
            found.append(number)
        number += 2
    return found


def output_shapes(files: Set, calls: Calls, symbols: Symbols) -> list:
    """The results of the wrapper, followed with different primes as sizes; where that fails, those of the baseline."""
    size_of = dict(zip(symbols.names.values(), primes(len(symbols.names))))
    name_of = {size: name for name, size in size_of.items()}
    dtype = "f32"
    arguments = {
        name: Tensor(tuple(1 if each == "1" else size_of[each] for each in symbols.shape(name)), dtype)
        for name in calls.inputs
    }
    arguments.update(calls.attributes)
    for file, entry in ((files.kernel, files.entry), (files.baseline, files.baseline_entry())):
        source = files.sources[file]
        returned = follow_function(source, find_entry(source, entry), arguments)
        tensors = list(returned) if isinstance(returned, tuple) and not isinstance(returned, Tensor) else [returned]
        if tensors and all(
            isinstance(each, Tensor) and all(size == 1 or size in name_of for size in each.shape) for each in tensors
        ):
            return [["1" if size == 1 else name_of[size] for size in each.shape] for each in tensors]
    files.notes.append(
        note(
            files.kernel,
            0,
            say(
                "the shape of what `{}` returns was not understood: taken to be that of `{}`",
                files.entry,
                calls.inputs[0],
            ),
        )
    )
    return [symbols.shape(calls.inputs[0])]


def output_names(files: Set, count: int, taken: set) -> list:
    """The names of the variables that the wrapper returns."""
    function = find_entry(files.sources[files.kernel], files.entry)
    values = [node.value for node in ast.walk(function) if isinstance(node, ast.Return) and node.value is not None]
    last = values[-1] if values else None
    elements = last.elts if isinstance(last, ast.Tuple) else [last]
    names = []
    for index in range(count):
        element = elements[index] if index < len(elements) else None
        wish = element.id if isinstance(element, ast.Name) else "out" if count == 1 else f"out{index + 1}"
        names.append(wish if wish not in taken | set(names) else f"out_{index + 1}")
    return names


def tunables_of(files: Set, tuned: list) -> list:
    """The literals that reach a kernel: those of a launch, and the names that a launch or its grid uses; after those
    that are `tuned`."""
    source = files.sources[files.kernel]
    function = find_entry(source, files.entry)
    found, others = literals_of(source, function, names_of_launches(launches_of(function)))
    for site in others:
        what = say(
            "`{}` was taken for a meaning of the operator, not for a tunable: if it may change, add it to the variant's "
            "`tunables`",
            f"{site.name} = {site.value}",
        )
        files.notes.append(note(files.kernel, site.line, what))
    if not found and not tuned:
        files.notes.append(
            note(
                files.kernel,
                function.lineno,
                say("no tunables were found: `{}` has no `NAME = <integer>` that a launch uses", files.entry),
            )
        )
    known = [each["name"] for each in tuned]
    return tuned + [each for each in told_of(found) if each["name"] not in known]


def tolerance_of(calls: Calls):
    """The tolerance in the tests; the accuracy test is searched first."""
    stated = [
        (file, line, rtol, atol) for file, line, rtol, atol in calls.tolerances if rtol is not None or atol is not None
    ]
    if not stated:
        return None
    file, line, rtol, atol = stated[0]
    if any(each[2:] != stated[0][2:] for each in stated):
        calls.files.notes.append(note(file, line, say("the tests state several tolerances: the first was taken")))
    return {"rtol": 1e-5 if rtol is None else float(rtol), "atol": 1e-8 if atol is None else float(atol)}


def case_dtype(calls: Calls, row: dict) -> str:
    dtypes = [row[name].dtype for name in calls.inputs]
    return next((each for each in dtypes if each in FLOATS), dtypes[0])


def own_dtypes(calls: Calls) -> dict:
    """Of inputs that have one dtype in all calls, which is not always the case's."""
    found = {}
    for name in calls.inputs:
        dtypes = {row[name].dtype for row in calls.rows}
        if any(row[name].dtype != case_dtype(calls, row) for row in calls.rows) and len(dtypes) == 1:
            found[name] = dtypes.pop()
    return found


def edited(request: dict, files: Set, baseline_entry: str) -> tuple:
    """(the texts of all files, the edits in them)."""
    texts, edits = dict(request["files"]), []
    for file in {files.kernel, files.baseline}:
        entry = files.entry if file == files.kernel else baseline_entry
        texts[file], made = edit_kernel_file(files.sources[file], entry)
        edits += [{"file": file, **each} for each in made]
    for file in files.tests:
        texts[file], made = edit_test_file(files.sources[file])
        edits += [{"file": file, **each} for each in made]
    return texts, edits


def with_one_configuration(request: dict) -> tuple:
    """(the set, in which the kernel has one configuration of written-out ones, the tunables of these, the edits)."""
    files = Set(request["files"])
    configurations = WrittenTunables(files.sources[files.kernel])
    edits = []
    if configurations.kernels:
        files = Set({**request["files"], files.kernel: configurations.text})
        edits = [{"file": files.kernel, "line": line, **told("message", what)} for line, what in configurations.edits]
    files.notes += [note(files.kernel, line, what) for line, what in configurations.notes]
    return files, configurations.told(), edits


def tensors_of(files: Set, calls: Calls, symbols: Symbols, taken: set) -> dict:
    shapes, own_dtype = output_shapes(files, calls, symbols), own_dtypes(calls)
    names = output_names(files, len(shapes), taken)
    return {"inputs": [{"name": name, "shape": symbols.shape(name), "dtype": own_dtype.get(name)} for name in calls.inputs],
            "outputs": [{"name": name, "shape": shape} for name, shape in zip(names, shapes)]}


def read_operator(request: dict) -> dict:
    files, tuned, edits = with_one_configuration(request)
    baseline_entry = files.baseline_entry()
    tunables = tunables_of(files, tuned["tunables"])
    calls = Calls(files)
    taken = {*calls.parameters, *[each["name"] for each in tunables]}
    symbols = Symbols(calls, taken)
    tensors = tensors_of(files, calls, symbols, taken)
    texts, more = edited(request, files, baseline_entry)
    roles = {role: getattr(files, role) for role in ("kernel", "baseline", "accuracy", "performance")}
    unused = set(request["files"]) - set(roles.values())
    files.notes += [note(name, 0, say("has no role in the set: copied, not used")) for name in sorted(unused)]
    return {
        "name": request["name"] or files.entry,
        "roles": roles,
        "entry": files.entry,
        "baseline_entry": baseline_entry,
        "symbols": list(symbols.names.values()),
        **tensors,
        "attributes": calls.attributes,
        "cases": [
            {"dtype": case_dtype(calls, row), "sizes": symbols.sizes(index)} for index, row in enumerate(calls.rows)
        ],
        "tolerance": tolerance_of(calls),
        "tunables": tunables,
        "restrictions": tuned["restrictions"],
        "texts": texts,
        "edits": sorted(edits + more, key=lambda each: (each["file"], each["line"])),
        "notes": files.notes,
    }


if __name__ == "__main__":
    try:
        answer = read_operator(json.loads(sys.stdin.buffer.read().decode("utf-8")))
    except Refused as refused:
        answer = {"error": refused.answer}
    sys.stdout.write(json.dumps(answer))
