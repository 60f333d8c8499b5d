# SPDX-License-Identifier: Apache-2.0
"""What an exception of an operator's file means for an attempt: a status, and a reason with the file's own lines."""
import re
import traceback

LINES_KEPT = 3
CHARACTERS_KEPT = 2000
OPTIONAL = ("torch", "triton")


class Failure(Exception):
    """An attempt ends with this status."""

    def __init__(self, status: str, reason: str, line: int = 0):
        super().__init__(reason)
        self.status = status
        self.reason = reason
        self.line = line

    def message(self, file: str, severity: str) -> dict:
        return {"file": file, "line": self.line, "column": 0, "severity": severity, "text": self.reason}

    def reply(self, file: str) -> dict:
        messages = [self.message(file, "error")] if self.line else []
        return {"status": self.status, "reason": self.reason, "messages": messages}


def frames_in(error: BaseException, path: str) -> list:
    """The frames of a traceback that are in the operator's file, the innermost last."""
    return [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]


def said_by(error: BaseException) -> str:
    text = str(error).strip()
    if len(text) > CHARACTERS_KEPT:
        text = f"{text[:CHARACTERS_KEPT]} … ({len(text)} characters)"
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def last_lines(error: BaseException, path: str, file: str) -> tuple:
    """The exception in words with the last lines of the file that it passed through, and the innermost line."""
    frames = frames_in(error, path)
    text = said_by(error)
    for frame in reversed(frames[-LINES_KEPT:]):
        text += f"\n  {file}:{frame.lineno}, in {frame.name}: {(frame.line or '').strip()}"
    return text, frames[-1].lineno if frames else 0


def is_named(error: BaseException, *names: str) -> bool:
    """Whether a class of the exception has one of these names: Triton's and PyTorch's moved between versions."""
    return any(each.__name__ in names for each in type(error).__mro__)


def with_causes(error: BaseException) -> list:
    chain = []
    while error is not None and error not in chain:
        chain.append(error)
        error = error.__cause__ or error.__context__
    return chain


def no_memory(error: BaseException) -> bool:
    return is_named(error, "MemoryError", "OutOfMemoryError", "OutOfResources") or (
        isinstance(error, RuntimeError) and ("can't allocate memory" in str(error) or "out of memory" in str(error))
    )


def lost_device(error: BaseException) -> bool:
    """Whether the CUDA context can serve nothing more after it."""
    words = ("illegal memory access", "device-side assert", "unspecified launch failure", "misaligned address",
             "illegal instruction", "hardware stack error")
    return any(word in str(error) for word in words)


def on_import(error: BaseException, path: str, file: str) -> Failure:
    """What it means that executing the file ended so."""
    if isinstance(error, SyntaxError) and error.filename == path:
        return Failure("build_failed", f"{file}:{error.lineno}: syntax error: {error.msg}", error.lineno or 1)
    text, line = last_lines(error, path, file)
    if isinstance(error, ImportError) and (error.name or "").split(".")[0] in OPTIONAL:
        return Failure("unavailable", f"{text}\n  install it for this interpreter, or name another in KERNELGEN_PYTHON")
    if isinstance(error, SystemExit):
        return Failure("build_failed", f"the file ends the program when it is imported: {text}", line)
    return Failure("build_failed", f"the file cannot be imported: {text}", line)


def refused_by_triton(error: BaseException) -> bool:
    """Whether Triton gave up before it launched anything. Its interpreter's frames are in another file of it."""
    frames = traceback.extract_tb(error.__traceback__)
    inside = any(
        "/triton/compiler/" in frame.filename
        or (frame.filename.endswith("/triton/runtime/jit.py") and frame.name != "<lambda>")
        for frame in frames
    )
    return inside and "Triton Error" not in str(error)


def on_compilation(error: BaseException, path: str, file: str) -> Failure:
    """Triton's compiler says where by a line of the function, whose text it has with it."""
    source, node = getattr(error, "src", None) or "", getattr(error, "node", None)
    said = getattr(error, "error_message", None) or (error.__cause__ and said_by(error.__cause__)) or ""
    said = str(said).strip() or str(error).strip().splitlines()[-1]
    if is_named(error, "CompileTimeAssertionFailure"):
        said = f"static assertion failed: {said}"
    defined = re.search(r"^\s*(def\s+\w+\s*\()", source, re.MULTILINE)
    with open(path, encoding="utf-8") as copy:
        lines = copy.read().splitlines()
    starts = [number for number, line in enumerate(lines) if defined and line.strip().startswith(defined.group(1))]
    if not starts or node is None:
        return Failure("build_failed", f"the kernel does not compile: {said}")
    number = starts[-1] + node.lineno
    text = lines[number - 1].strip() if number <= len(lines) else ""
    return Failure("build_failed", f"the kernel does not compile: {said}\n  {file}:{number}: {text}", number)


def on_call(error: BaseException, path: str, file: str) -> Failure:
    """What it means that calling the entry ended so."""
    if isinstance(error, Failure):
        return error
    chain = with_causes(error)
    refused = [each for each in chain if is_named(each, "CompilationError")]
    if refused:
        return on_compilation(refused[-1], path, file)
    for each in chain:
        if is_named(each, "BackendCompilerFailed", "InductorError"):
            said = str(each).split("\n\nSet TORCH", 1)[0].strip()
            return Failure("unavailable", f"torch.compile cannot compile here: {said}")
    innermost = chain[-1] if is_named(error, "InterpreterError") else error
    text, line = last_lines(innermost, path, file)
    if any(no_memory(each) for each in chain):
        return Failure("over_limit", text, line)
    if any(lost_device(each) for each in chain):
        return Failure("crashed", text, line)
    if refused_by_triton(error):
        return Failure("build_failed", f"the kernel does not compile: {text}", line)
    if isinstance(error, SystemExit):
        return Failure("launch_failed", f"the wrapper ends the program: {text}", line)
    return Failure("launch_failed", text, line)
