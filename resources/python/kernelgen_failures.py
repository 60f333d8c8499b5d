# SPDX-License-Identifier: Apache-2.0
"""Turns an exception from an operator's file into an attempt's status, and a reason with the file's own lines."""
import glob
import os
import re
import traceback

from kernelgen_said import Said, say, told

LINES_KEPT = 3
CHARACTERS_KEPT = 2000
OPTIONAL = ("torch", "triton")


class Failure(Exception):
    """Ends the attempt with a status."""

    def __init__(self, status: str, reason: str, line: int = 0, file: str = ""):
        super().__init__(reason)
        self.status = status
        self.reason = reason
        self.line = line
        self.file = file  # "": the operator's

    def message(self, file: str, severity: str) -> dict:
        return {"file": self.file or file, "line": self.line, "column": 0, "severity": severity,
                **told("text", self.reason)}

    def reply(self, file: str) -> dict:
        messages = [self.message(file, "error")] if self.line else []
        return {"status": self.status, **told("reason", self.reason), "messages": messages}


def frames_in(error: BaseException, folder: str) -> list:
    """The frames of a traceback whose files are in a folder, the innermost last."""
    if not folder:
        return []
    return [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.startswith(folder)]


def said_by(error: BaseException) -> str:
    text = str(error).strip()
    if len(text) > CHARACTERS_KEPT:
        text = f"{text[:CHARACTERS_KEPT]} … ({len(text)} characters)"
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def last_lines(error: BaseException, path: str, file: str) -> tuple:
    """The exception in words with the last lines of the project's files that it passed through; the innermost line and
    its file. `path` is where `file`, the operator's, lies: the project's other files lie around it."""
    folder = path.removesuffix(file)
    frames = frames_in(error, folder)
    text = said_by(error)
    for frame in reversed(frames[-LINES_KEPT:]):
        name = frame.filename.removeprefix(folder)
        text += f"\n  {name}:{frame.lineno}, in {frame.name}: {(frame.line or '').strip()}"
    return text, frames[-1].lineno if frames else 0, frames[-1].filename.removeprefix(folder) if frames else ""


def is_named(error: BaseException, *names: str) -> bool:
    """Whether a class of the exception has one of these names: Triton and PyTorch moved classes between versions."""
    return any(each.__name__ in names for each in type(error).__mro__)


def with_causes(error: BaseException) -> list:
    chain = []
    while error is not None and error not in chain:
        chain.append(error)
        error = error.__cause__ or error.__context__
    return chain


def asks_for_gpu(error: BaseException) -> bool:
    """Whether Triton needed a GPU's driver where there is none, as `triton.autotune` does."""
    return any("0 active drivers" in str(each) for each in with_causes(error))


def lacks_parameter(error: BaseException, symbols) -> str:
    """The size that was passed by name to a function without such a parameter, or ""."""
    found = re.search(r"got an unexpected keyword argument '(\w+)'", str(error)) if isinstance(error, TypeError) else None
    return found.group(1) if found and found.group(1) in symbols else ""


def no_memory(error: BaseException) -> bool:
    return is_named(error, "MemoryError", "OutOfMemoryError", "OutOfResources") or (
        isinstance(error, RuntimeError) and ("can't allocate memory" in str(error) or "out of memory" in str(error))
    )


def lost_device(error: BaseException) -> bool:
    """Whether the CUDA context is unusable after this exception."""
    words = ("illegal memory access", "device-side assert", "unspecified launch failure", "misaligned address",
             "illegal instruction", "hardware stack error")
    return any(word in str(error) for word in words)


def needs_gpu(text: str) -> Said:
    return say("`triton.autotune` needs a GPU: leave the decorator out, since its values are what tunables are for, or run "
               "on `cuda:0`\n  {}", text)


def does_not_compile(why: str) -> Said:
    return say("the kernel does not compile: {}", why)


def on_import(error: BaseException, path: str, file: str) -> Failure:
    """The failure for an exception from executing the file."""
    folder = path.removesuffix(file)
    if isinstance(error, SyntaxError) and (error.filename or "").startswith(folder):
        wrong = error.filename.removeprefix(folder)
        reason = f"{wrong}:{error.lineno}: " + say("syntax error: {}", error.msg)
        return Failure("build_failed", reason, error.lineno or 1, wrong)
    text, line, where = last_lines(error, path, file)
    if asks_for_gpu(error):
        return Failure("build_failed", needs_gpu(text), line, where)
    if isinstance(error, ImportError) and (error.name or "").split(".")[0] in OPTIONAL:
        return Failure("unavailable",
                       say("{}\n  install it for this interpreter, or name another in KERNELGEN_PYTHON", text))
    if isinstance(error, SystemExit):
        return Failure("build_failed", say("the file ends the program when it is imported: {}", text), line, where)
    return Failure("build_failed", say("the file cannot be imported: {}", text), line, where)


def refused_by_triton(error: BaseException) -> bool:
    """Whether Triton failed before it launched a kernel. Frames of its interpreter are in another file of Triton."""
    frames = traceback.extract_tb(error.__traceback__)
    inside = any(
        "/triton/compiler/" in frame.filename
        or (frame.filename.endswith("/triton/runtime/jit.py") and frame.name != "<lambda>")
        for frame in frames
    )
    return inside and "Triton Error" not in str(error)


def on_compilation(error: BaseException, path: str, file: str) -> Failure:
    """The file and line of an error of Triton's compiler, which counts lines in the function's text."""
    source, node = getattr(error, "src", None) or "", getattr(error, "node", None)
    said = getattr(error, "error_message", None) or (error.__cause__ and said_by(error.__cause__)) or ""
    said = str(said).strip() or str(error).strip().splitlines()[-1]
    if is_named(error, "CompileTimeAssertionFailure"):
        said = say("static assertion failed: {}", said)
    defined = re.search(r"^\s*(def\s+\w+\s*\()", source, re.MULTILINE)
    folder = path.removesuffix(file)
    others = sorted(glob.glob(os.path.join(glob.escape(folder), "**", "*.py"), recursive=True))
    for each in [path] + others if defined and node is not None else []:
        with open(each, encoding="utf-8") as copy:
            lines = copy.read().splitlines()
        starts = [number for number, line in enumerate(lines) if line.strip().startswith(defined.group(1))]
        if starts:
            number, name = starts[-1] + node.lineno, each.removeprefix(folder)
            text = lines[number - 1].strip() if number <= len(lines) else ""
            return Failure("build_failed", does_not_compile(said + f"\n  {name}:{number}: {text}"), number, name)
    return Failure("build_failed", does_not_compile(said))


def on_call(error: BaseException, path: str, file: str, symbols=()) -> Failure:
    """The failure for an exception from calling the entry. `symbols`: the sizes that it gets by name."""
    if isinstance(error, Failure):
        return error
    chain = with_causes(error)
    refused = [each for each in chain if is_named(each, "CompilationError")]
    if refused:
        return on_compilation(refused[-1], path, file)
    for each in chain:
        if is_named(each, "BackendCompilerFailed", "InductorError"):
            said = str(each).split("\n\nSet TORCH", 1)[0].strip()
            return Failure("unavailable", say("torch.compile cannot compile here: {}", said))
    innermost = chain[-1] if is_named(error, "InterpreterError") else error
    text, line, where = last_lines(innermost, path, file)
    if any(no_memory(each) for each in chain):
        return Failure("over_limit", text, line, where)
    if any(lost_device(each) for each in chain):
        return Failure("crashed", text, line, where)
    if asks_for_gpu(error):
        return Failure("build_failed", needs_gpu(text), line, where)
    name = "" if line else lacks_parameter(error, symbols)  # with a line it is about a call within the entry
    if name:
        reason = say("the function needs a parameter `{}`: sizes that no input's shape has as an axis are passed by "
                     "name\n  {}", name, text)
        return Failure("launch_failed", reason, line, where)
    if refused_by_triton(error):
        return Failure("build_failed", does_not_compile(text), line, where)
    if isinstance(error, SystemExit):
        return Failure("launch_failed", say("the wrapper ends the program: {}", text), line, where)
    return Failure("launch_failed", text, line, where)
