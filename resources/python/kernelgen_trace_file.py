# SPDX-License-Identifier: Apache-2.0
"""The process that kernelgen_trace.py starts: executes a file with its test calls, records them, and writes the answer
beside its request.

    python3 kernelgen_trace_file.py FOLDER
"""
import ast
import faulthandler
import functools
import json
import os
import signal
import sys
import types

import kernelgen_executor
import kernelgen_tests
from kernelgen_import_callable import Refused, parsed
from kernelgen_modules import OwnModules
from kernelgen_said import say
from kernelgen_smaller import with_smaller_sizes

SEED = 1  # two traces of a file see the same values
ANOTHER_INTERPRETER = say("install it for this interpreter, or name another in KERNELGEN_PYTHON")
FOLDER = sys.argv[1] if __name__ == "__main__" else ""


class TooLong(BaseException):
    """The time is over. No handler of the file should take it for its own."""


class Traced:
    """A file that is executed statement by statement. What its functions are called with goes to the recorder."""

    def __init__(self, request: dict, recorder):
        self.text, self.file = request["text"].removeprefix("\ufeff"), request["file"]
        self.path = os.path.join(FOLDER, os.path.basename(self.file))
        self.recorder = recorder
        self.modules = OwnModules(os.path.join(FOLDER, "modules"), request["place"], request["modules"])
        self.tree = parsed(request)
        self.executed = parsed(request)
        self.smaller = with_smaller_sizes(self.executed) if request.get("is_smaller") else []
        self.cut = []  # statements that call the functions, or need what such ones made
        self.of_pytest = []  # statements that need it where it is not installed; among those that are cut
        self.failure = None  # (line, words) of what ended it
        self.has_left = False  # by `sys.exit(0)`, as `unittest.main()` does
        self.was_too_long = False
        self.namespace = self.fresh_namespace()

    def fresh_namespace(self) -> dict:
        with open(self.path, "w", encoding="utf-8") as copy:
            copy.write(self.text)
        sys.argv = [self.path]  # as a program that is called without arguments
        module = sys.modules["__main__"] = types.ModuleType("__main__")
        module.__file__ = self.path
        if self.modules.folders:
            self.modules.package_of(module)
        self.modules.enter()
        return module.__dict__

    def run(self) -> None:
        missing, lacks_pytest = set(), kernelgen_tests.take_pytests_place(self.text)
        for statement, executed in zip(self.tree.body, self.executed.body):
            if lacks_pytest and needs_pytest(statement):
                self.of_pytest.append(statement)
                self.cut.append(statement)
            if self.failure is None and not self.has_left:
                self.execute(statement, executed)
            elif not is_definition(statement) and statement not in self.cut:
                self.cut.append(statement)
            missing |= self.names_lost(statement, missing)
        if self.failure is None and not self.recorder.calls and not self.recorder.refused:
            self.call_tests()

    def names_lost(self, statement: ast.stmt, missing: set) -> set:
        """Cuts a statement that needs what a cut one has bound; returns the names that are bound no more."""
        needs = {each.id for each in ast.walk(statement) if isinstance(each, ast.Name)} & missing
        if needs and not is_definition(statement) and statement not in self.cut:
            self.cut.append(statement)
        return set(names_bound(statement)) if statement in self.cut else set()

    def execute(self, statement: ast.stmt, executed: ast.stmt) -> None:
        before = self.recorder.begun_calls, len(self.recorder.launched)
        code = ast.Module([executed], [])
        self.attempt(lambda: exec(compile(code, self.path, "exec", self.flags(), True), self.namespace), statement)
        self.recorder.wrap_all(self.namespace, names_bound(statement))
        is_test = before != (self.recorder.begun_calls, len(self.recorder.launched)) or self.has_left
        is_test = is_test or self.failure is not None
        if is_test and statement not in self.cut and not is_definition(statement) and not is_main_guard(statement):
            self.cut.append(statement)

    def flags(self) -> int:
        import __future__

        names = [alias.name for each in self.tree.body if isinstance(each, ast.ImportFrom)
                 and each.module == "__future__" for alias in each.names]
        return sum(getattr(__future__, name).compiler_flag for name in names)

    def attempt(self, work, statement: ast.stmt) -> None:
        import kernelgen_failures as failures
        from kernelgen_record import Enough

        try:
            work()
        except TooLong:
            self.failure = (statement.lineno, say("took longer than the limit"))
            self.was_too_long = True
        except Enough as error:
            self.failure = (statement.lineno, error.args[0])
        except BaseException as error:
            if failures.is_named(error, "Skipped"):
                return
            if isinstance(error, SystemExit) and not error.code:
                self.has_left = True
                return
            innermost = failures.with_causes(error)[-1] if failures.is_named(error, "InterpreterError") else error
            frames = failures.frames_in(innermost, self.path) or failures.frames_in(error, self.path)
            line = frames[-1].lineno if frames else statement.lineno
            self.failure = (line, failures.said_by(innermost))

    def call_tests(self) -> None:
        """Functions named as tests, where nothing of the file calls anything, with the arguments that pytest gives them."""
        for each in self.tree.body:
            test = self.namespace.get(each.name) if isinstance(each, ast.FunctionDef) else None
            if test is None or not callable(test) or not each.name.startswith("test"):
                continue
            for arguments in kernelgen_tests.calls_of(test):
                if self.failure is None:
                    self.attempt(functools.partial(test, **arguments), each)


def needs_pytest(statement: ast.stmt) -> bool:
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        modules = [alias.name for alias in statement.names] + [getattr(statement, "module", None) or ""]
        return any(each.split(".")[0] == "pytest" for each in modules)
    return any(isinstance(each, ast.Name) and each.id == "pytest" for each in ast.walk(statement))


def is_definition(statement: ast.stmt) -> bool:
    return isinstance(statement, (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom))


def is_main_guard(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.If) and any(isinstance(each, ast.Name) and each.id == "__name__"
                                                 for each in ast.walk(statement.test))


def names_bound(statement: ast.stmt) -> list:
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        return [statement.name]
    return [each.id for each in ast.walk(statement) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)]


def begin_limit(seconds: float) -> None:
    def over(*_):
        raise TooLong

    signal.signal(signal.SIGALRM, over)
    signal.setitimer(signal.ITIMER_REAL, seconds)


def traced(request: dict) -> dict:
    """Runs the file and writes the project's files of what was recorded."""
    import torch

    from kernelgen_definition import seed_all
    from kernelgen_record import Recorder

    has_gpu = torch.cuda.is_available()
    device = torch.device("cuda", 0) if has_gpu else torch.device("cpu")
    if has_gpu:
        torch.cuda.set_per_process_memory_fraction(share_of_gpu(*torch.cuda.mem_get_info(device)), device)
    recorder = Recorder(device, request["entry"], FOLDER, request.get("calls", -1))
    enter_triton(request, recorder, has_gpu)
    from kernelgen_trace_answer import Answer  # which needs Triton

    recorder.wrap_modules()
    recorder.wrap_operators()
    kernelgen_tests.time_nothing(lambda: any(each.has_ended() for each in recorder.calls))
    file = Traced(request, recorder)
    seed_all(SEED)
    with recorder.fresh:
        begin_limit(request["seconds"])
        file.run()
    signal.setitimer(signal.ITIMER_REAL, 0)
    return Answer(request, file, recorder).whole()


def share_of_gpu(free: int, total: int) -> float:
    """How much of a GPU's memory PyTorch may take for the file: a tenth of what is free stays for kernels that are loaded,
    and for other programs."""
    return 0.9 * free / total


def enter_triton(request: dict, recorder, has_gpu: bool) -> None:
    """Without a GPU, with what answers in its place."""
    import kernelgen_bounds
    import kernelgen_interpreter
    import kernelgen_without_gpu

    try:
        if not has_gpu:
            kernelgen_without_gpu.answer()
        recorder.note_launches()
    except ImportError as error:
        raise Refused(request["file"], 0, say("Triton is not installed: {}", error), ANOTHER_INTERPRETER) from None
    kernelgen_interpreter.make_exact()
    if request.get("checks_bounds"):
        kernelgen_bounds.guard(sys.modules["triton.runtime.interpreter"])


def prepare(request: dict) -> None:
    """For a GPU where there is one that PyTorch can use."""
    try:
        kernelgen_executor.prepare("cuda" if os.path.exists("/dev/nvidiactl") else "cpu", 0)
    except ImportError as error:
        raise Refused(request["file"], 0, say("PyTorch is not installed: {}", error), ANOTHER_INTERPRETER) from None
    except Exception:
        kernelgen_executor.prepare("cpu", 0)


def answer(request: dict) -> dict:
    import kernelgen_failures as failures

    try:
        prepare(request)
        return traced(request)
    except Refused as refused:
        return {"error": refused.told}
    except Exception as error:
        if not failures.no_memory(error):
            raise
        why = say("memory runs out when the reference is called on what the tests' calls had ({})", failures.said_by(error))
        return {"error": Refused(request["file"], 0, why, say("make the sizes in the tests smaller")).told}


def main(own: int) -> None:
    with open(os.path.join(FOLDER, "request.json"), encoding="utf-8") as file:
        request = json.load(file)
    told = answer(request)
    if os.getpid() != own:
        return  # what the file forked has nothing to say
    with open(os.path.join(FOLDER, "answer.part"), "w", encoding="utf-8") as file:
        json.dump(told, file)
    os.rename(os.path.join(FOLDER, "answer.part"), os.path.join(FOLDER, "answer.json"))


if __name__ == "__main__":
    crash_lines = open(os.path.join(FOLDER, "crash"), "w", encoding="utf-8")  # kernelgen_trace.py reads it
    faulthandler.enable(crash_lines)
    main(os.getpid())
    os._exit(0)  # threads and handlers of the file have nothing more to do
