# SPDX-License-Identifier: Apache-2.0
"""Reads a definition of a callable operator, or a problem of KernelBench, and a solution (docs/CALLABLE.md); executes
nothing.

A program: {"problem": {"file", "text"}, "solution": {"file", "text"} or null, "name": NAME or "", "entry": NAME or ""}
on stdin; on stdout either {"error": {file, line, message, advice}} or {"name", "reference", "cases", "sizes",
"solution": {"entry", "language", "interface", "tunables", "restrictions", "text"} or null, "notes" and "edits": [{file,
line, message}]}.
"""
import ast
import json
import keyword
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from kernelgen_native import entries_of, is_native  # noqa: E402
from kernelgen_said import Said, say, told  # noqa: E402
from kernelgen_sources import Source  # noqa: E402
from kernelgen_tunables import literals_out_of_reach, tunables_in  # noqa: E402
from kernelgen_written_autotune import WrittenTunables  # noqa: E402

REFERENCES, INPUTS = ("reference", "Model"), ("inputs", "get_inputs")
DTYPES = ("f64", "f32", "f16", "bf16", "f8e4m3", "f8e5m2", "i32", "i8")
CASES_KEPT = 64
LONGEST_NAME = 64
ONE_CASE = {"name": "default", "dtype": "f32", "sizes": {}}


class Refused(Exception):
    def __init__(self, file: str, line: int, message: Said, advice: str = ""):
        super().__init__(message)
        self.told = {"file": file, "line": line, **told("message", message), **told("advice", advice)}


def parsed(source: dict) -> ast.Module:
    try:
        return ast.parse(source["text"].removeprefix("\ufeff"))
    except SyntaxError as error:
        raise Refused(source["file"], error.lineno or 1, say("syntax error: {}", error.msg)) from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise Refused(source["file"], 0, say("cannot be parsed: {}", error)) from None


def names_defined(tree: ast.Module) -> dict:
    """The statements of the top level by the names that they bind."""
    found = {}
    for each in tree.body:
        if isinstance(each, (ast.FunctionDef, ast.ClassDef)):
            found[each.name] = each
        elif isinstance(each, ast.ImportFrom):
            found.update({alias.asname or alias.name: each for alias in each.names})
        elif isinstance(each, ast.Assign):
            found.update({target.id: each for target in each.targets if isinstance(target, ast.Name)})
    return found


def first_of(names: tuple, defined: dict, source: dict) -> str:
    for name in names:
        if name in defined:
            return name
    advice = say("a definition has a function or a module of this name: see docs/CALLABLE.md")
    if "@triton.jit" in source["text"]:
        advice = say("a Triton file is taken with --trace, which executes its test calls: see docs/IMPORT.md")
    raise Refused(source["file"], 0, say("there is neither `{}` nor KernelBench's `{}`", *names), advice)


def name_from(file: str) -> str:
    """"square_matmul" of "1_Square_matmul_.py"."""
    name = re.sub(r"[\W_]+", "_", file.rsplit("/", 1)[-1].removesuffix(".py"), flags=re.ASCII).strip("_").lower()
    name = re.sub(r"^\d+_+", "", name)
    name = (name if name[:1].isalpha() else "problem_" + name)[:LONGEST_NAME].strip("_")
    return name + "_operator" if keyword.iskeyword(name) else name


class Cases:
    """The literal `cases` of a definition as cases of a project, which hold integers; the rest stays in the file."""

    def __init__(self, source: dict, defined: dict):
        self.file, self.notes = source["file"], []
        statement = defined.get("cases")
        self.listed = self.of(statement) if isinstance(statement, ast.Assign) else [ONE_CASE]

    def note(self, line: int, message: Said) -> None:
        self.notes.append({"file": self.file, "line": line, **told("message", message)})

    def of(self, statement: ast.Assign) -> list:
        try:
            listed = ast.literal_eval(statement.value)
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            self.note(statement.lineno, say("`cases` is no literal, so it is not read; the project has one case"))
            return [ONE_CASE]
        if not isinstance(listed, (dict, list, tuple)):
            listed = []
        pairs = listed.items() if isinstance(listed, dict) else [(each.get("name", ""), each) for each in listed
                                                                 if isinstance(each, dict)]
        named = [(str(name), values) for name, values in pairs if name and isinstance(values, dict)]
        if not named:
            self.note(statement.lineno, say("`cases` has no dictionaries with a `name`, so it is not read; the project has "
                                            "one case"))
        return [self.case(name, values) for name, values in named[:CASES_KEPT]] or [ONE_CASE]

    def case(self, name: str, values: dict) -> dict:
        dtype = values.get("dtype", "f32")
        sizes = {key: value for key, value in values.items()
                 if type(value) is int and value >= 1 and isinstance(key, str) and key.isidentifier()}
        return {"name": name, "dtype": dtype if isinstance(dtype, str) and dtype in DTYPES else "f32", "sizes": sizes}


def uses_triton(tree: ast.Module) -> bool:
    modules = [alias.name for each in ast.walk(tree) if isinstance(each, ast.Import) for alias in each.names]
    modules += [each.module or "" for each in ast.walk(tree) if isinstance(each, ast.ImportFrom)]
    return any(name.split(".")[0] == "triton" for name in modules)


def solution_of(source: dict, reference: str, wanted: str) -> dict:
    if is_native(source["file"]):
        return native_solution(source, reference, wanted)
    tree = parsed(source)
    defined = names_defined(tree)
    if wanted and wanted not in defined:
        raise Refused(source["file"], 0, say("there is no `{}`", wanted), say("name a function or a class of this file"))
    known = [wanted] if wanted else [name for name in ("ModelNew", reference, "Model", "solution", "forward") if name in defined]
    functions = [name for name, each in defined.items() if isinstance(each, ast.FunctionDef)]
    entry = known[0] if known else functions[0] if len(functions) == 1 else ""
    if not entry:
        raise Refused(source["file"], 0, say("there is neither `ModelNew` nor `{}`", reference),
                      say("name the class ModelNew, or the function {}", reference))
    made = {"entry": entry, "language": "triton" if uses_triton(tree) else "torch", "interface": "", "tunables": []}
    return {**made, **written_tunables(source, entry)} if entry in functions else made


def written_tunables(source: dict, entry: str) -> dict:
    """The literals of a solution that are tunables, and the configurations of its kernels: its text with them."""
    tuned = WrittenTunables(Source(source["text"]))
    told_of_them = tuned.told()
    known = [each["name"] for each in told_of_them["tunables"]]
    told_of_them["tunables"] += [each for each in tunables_in(tuned.text, entry) if each["name"] not in known]

    def remarks(found: list) -> list:
        return [{"file": source["file"], "line": line, **told("message", what)} for line, what in found]

    return {**told_of_them, "text": tuned.text, "notes": remarks(tuned.notes), "edits": remarks(tuned.edits)}


def notes_on(source: dict, solution: dict, wanted: str) -> list:
    """Which entries of several the file has besides; literals that cannot be tunables, since only those of functions are
    set."""
    if is_native(source["file"]):
        others = [each for each in entries_of(source["text"]) if each != solution["entry"]]
        told_of = say("`{}` is judged; --entry names another: {}", solution["entry"], ", ".join(others))
        return [] if wanted or not others else [{"file": source["file"], "line": 0, **told("message", told_of)}]
    if solution["tunables"]:
        return []
    defined = names_defined(parsed(source)).get(solution["entry"])
    literals = literals_out_of_reach(source["text"]) if isinstance(defined, ast.ClassDef) else []
    if not literals:
        return []
    what = say("`{}` is a class, and only functions have tunables: {} stay as they are; a function that does the same, given as "
               "the entry, has them", solution["entry"], ", ".join(f"`{each}`" for each in literals))
    return [{"file": source["file"], "line": defined.lineno, **told("message", what)}]


def native_solution(source: dict, reference: str, wanted: str) -> dict:
    """The entry of a file of C++ or CUDA: the one that is wanted (of a registered operator its own name will do), that is
    named as the reference, or the only one."""
    found = entries_of(source["text"])
    registered = [each for each in found if wanted and wanted not in found and each.endswith("::" + wanted)]
    wanted = registered[0] if len(registered) == 1 else wanted
    has = say("it has {}", ", ".join(f"`{name}`" for name in found)) if found else say("none was found")
    if wanted and wanted not in found and not re.search(rf"\b{re.escape(wanted.rpartition('::')[2])}\b", source["text"]):
        raise Refused(source["file"], 0, say("there is no function `{}`: {}", wanted, has),
                      say("name one of this file by --entry"))
    likely = [name for name in (reference, "forward", "solution") if name in found] or list(found)[: len(found) == 1]
    if not wanted and not likely:
        raise Refused(source["file"], 0, say("which function is called is not clear: {}", has),
                      say("name it by --entry; it takes and returns torch::Tensor, or is `extern \"C\" int f(void**, "
                          "const int64_t*, cudaStream_t)`"))
    entry = wanted or likely[0]
    return {"entry": entry, "language": "extension", "interface": found.get(entry, "torch")}


def read(request: dict) -> dict:
    problem, solution = request["problem"], request["solution"]
    defined = names_defined(parsed(problem))
    reference = first_of(REFERENCES, defined, problem)
    first_of(INPUTS, defined, problem)
    cases = Cases(problem, defined)
    sizes = sorted({name for each in cases.listed for name in each["sizes"]})
    whole = [each for each in cases.listed if set(each["sizes"]) == set(sizes)]
    if len(whole) < len(cases.listed):
        cases.note(0, say("cases without a size that others have are left out"))
    made = solution and solution_of(solution, reference, request["entry"])
    notes = cases.notes + (notes_on(solution, made, request["entry"]) + made.pop("notes", []) if made else [])
    return {"name": request["name"] or name_from(problem["file"]), "reference": reference, "cases": whole,
            "sizes": sizes, "edits": made.pop("edits", []) if made else [], "solution": made, "notes": notes}


if __name__ == "__main__":
    try:
        answer = read(json.load(sys.stdin))
    except Refused as refused:
        answer = {"error": refused.told}
    json.dump(answer, sys.stdout)
