# SPDX-License-Identifier: Apache-2.0
"""Runs kernels for a worker, those in Python among them (docs/EXECUTOR_PROTOCOL.md, docs/TRITON.md).

    python3 kernelgen_executor.py LIBRARY cpu
    python3 kernelgen_executor.py LIBRARY cuda ORDINAL TIMING_CUBIN
    python3 kernelgen_executor.py LIBRARY model ARCHITECTURE      compiles for a GPU that is not here

LIBRARY is libkernelgen_executor.so: it serves the protocol as the native executor does, and calls back for artifacts
in Python. What an operator's file prints goes to stdout, which is no part of the protocol.
"""
from __future__ import annotations

import ctypes
import faulthandler
import gc
import json
import os
import sys
import warnings

ASK = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_char_p)
NUMBERS = ctypes.POINTER(ctypes.c_uint64)
CALL = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, NUMBERS, ctypes.c_int, ctypes.c_int, NUMBERS)
PROTOCOL = 9  # executor_protocol_version of core/backend/executor_protocol.h, which the library checks
FILES_KEPT = 8

class Callbacks(ctypes.Structure):
    """kernelgen_python_callbacks of core/python/executor_library.h."""

    _fields_ = [("protocol", ctypes.c_int), ("ask", ASK), ("call", CALL)]


class Executor:
    """The functions that the library calls: they load files, bind them to sizes, and call them."""

    def __init__(self, kind: str, ordinal: int, flush):
        self.device = torch.device("cuda", ordinal) if kind == "cuda" else torch.device("cpu")
        self.compiles = kind != "cpu"
        self.only_compiles = kind == "model"
        self.flush = flush
        self.root = os.path.join(os.getcwd(), "sources")  # the worker removes the folder in which this runs
        os.mkdir(self.root)
        self.files = {}  # by what was asked for, the latest last
        self.kernels = {}
        self.failure = {}
        self.made = 0
        self.worn = False  # nobody else should be served
        self.reply = None  # the last one, as the library reads it
        self.threads = torch.get_num_threads()
        self.printed_to = sys.stdout  # a file may put something else there

    def file_of(self, artifact: dict, kind=None) -> kernel.OperatorFile:
        key = json.dumps(artifact, sort_keys=True)
        if key in self.files:
            self.files[key] = self.files.pop(key)
            self.files[key].modules.enter()
            return self.files[key]
        self.made += 1
        folder = os.path.join(self.root, str(self.made))
        os.mkdir(folder)
        found = self.files[key] = (kind or kernel.OperatorFile)(artifact, folder)
        for old in list(self.files)[:-FILES_KEPT]:
            self.files.pop(old).forget()
        return found

    def load(self, request: dict) -> dict:
        judges = request["artifact"].pop("judges", {})
        told = request["artifact"].pop("callable", None)
        if told is not None:
            return self.load_callable(request, told, judges)
        bound = kernel.Kernel(self.file_of(request["artifact"]), self.device, judges)
        bound.bind(request["call"], alone=True)
        told = self.try_out(bound) if request["trial"] and self.compiles else {}
        self.kernels[request["kernel"]] = bound
        return told

    def load_callable(self, request: dict, told: dict, judges: dict) -> dict:
        bound, answer = callables.load(self.file_of, request["artifact"], told, self.device, judges, self.flush)
        if bound is not None:
            bound.bind(request["call"], alone=True)
            self.kernels[request["kernel"]] = bound
        return answer

    def try_out(self, bound: kernel.Kernel) -> dict:
        """What a call on zeros compiles. Failures other than of compiling are only noted: a run will report them."""
        notes = []
        with compiled.Watch(self.only_compiles) as watch:
            try:
                bound.warm_up()
                if self.device.type == "cuda":
                    torch.cuda.synchronize(self.device)
            except BaseException as error:
                failure = failures.on_call(error, bound.source.path, bound.source.file, bound.free_symbols)
                if failure.status not in ("launch_failed", "unavailable"):
                    raise failure from None
                notes = [failure.message(bound.source.file, "note")]
        return {**watch.describe(), "messages": notes}

    def bind(self, request: dict) -> dict:
        if self.device.type == "cuda" and torch.cuda.memory_reserved(self.device) > 1 << 30:
            self.give_back_memory()
        self.kernels[request["kernel"]].bind(request["call"], alone=False)
        return {}

    def repeat(self, request: dict) -> dict:
        capturing = torch.cuda.ExternalStream(request["stream"], device=self.device)
        if not self.kernels[request["kernel"]].repeat(request["sets"], capturing):
            self.worn = True
        return {}

    def give_back_memory(self) -> None:
        if self.device.type == "cuda" and not self.worn:
            torch.cuda.empty_cache()

    def drop(self, request: dict) -> dict:
        self.kernels.pop(request["kernel"], None)
        self.give_back_memory()
        return {}

    def clear(self, request: dict) -> dict:
        if self.worn:
            raise failures.Failure("unavailable", say("a capture that failed has left PyTorch's allocator in disorder"))
        if self.device.type == "cuda" and torch.ones(1, device=self.device).item() != 1:
            raise failures.Failure("unavailable", say("the device no longer does what PyTorch asks of it"))
        for file in self.files.values():
            file.modules.leave()
        return {}

    def last_failure(self, request: dict) -> dict:
        return self.failure

    def failed(self, error: BaseException, number: int, file: str = "") -> dict:
        """The reply after an exception from a kernel, or from loading a file."""
        path, symbols = "", ()
        if number in self.kernels:
            bound = self.kernels[number]
            path, file, symbols = bound.source.path, bound.source.file, bound.free_symbols
        try:
            return failures.on_call(error, path, file, symbols).reply(file)
        except BaseException:  # the exception is the kernel's: its text may raise another one
            return {"status": "launch_failed", "reason": say("an exception whose text cannot be read")}

    def ask(self, text: bytes) -> int:
        """Answers one slow request by the address of a JSON text, which is valid until the next request."""
        request = json.loads(text)
        try:
            with torch.no_grad():
                reply = {"status": "ok", "reason": ""}
                reply.update(getattr(self, request["op"])(request))
        except BaseException as error:
            reply = self.failed(error, request.get("kernel", 0), request.get("artifact", {}).get("file", ""))
        self.printed_to.flush()
        self.reply = ctypes.create_string_buffer(json.dumps(reply, ensure_ascii=False).encode("utf-8", "replace"))
        return ctypes.addressof(self.reply)

    def call(self, number: int, buffers, count: int, mode: int, places) -> int:
        """Makes one call, which may be timed. Returns 0, or 1 where it failed: `last_failure` has the reason. Everything
        that must happen within the time happens here: the library reads the results, by their addresses in `places`."""
        try:
            if mode == kernel.FORGET and torch.get_num_threads() != self.threads:
                torch.set_num_threads(self.threads)  # each side begins with all of them
            with torch.no_grad():
                self.kernels[number].call(tuple(buffers[:count]) if count else (), mode, places)
            return 0
        except BaseException as error:
            self.failure = self.failed(error, number)
            return 1


def serve(library_file: str, kind: str, ordinal: int, timing_cubin: str = "") -> int:
    library = ctypes.CDLL(library_file)
    flush = library.kernelgen_executor_flush
    flush.argtypes, flush.restype = (ctypes.c_void_p, ctypes.c_uint64), None
    executor = Executor(kind, ordinal, flush)
    callbacks = Callbacks(PROTOCOL, ASK(executor.ask), CALL(executor.call))
    served = b"cuda" if kind == "cuda" else b"cpu"
    return library.kernelgen_executor_serve(served, ordinal, timing_cubin.encode(), ctypes.byref(callbacks))


def prepare(kind: str, number: int) -> None:
    """What must be said before Triton and PyTorch are imported, and what is slow only the first time. `number`: the
    device's, or the architecture of a model."""
    os.environ["TRITON_INTERPRET"] = "1" if kind == "cpu" else "0"
    os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"  # its processes would run beside timed calls
    if kind == "cpu":
        warnings.simplefilter("ignore", RuntimeWarning)  # NumPy's, in the interpreter: of infinities and NaN
        cpus = os.sched_getaffinity(0)
        import torch  # whose OpenMP binds this thread to one of them

        os.sched_setaffinity(0, cpus)
        torch.set_num_threads(len(cpus))
        return
    import torch

    if kind == "model":
        compiled.compile_for(number)
        return

    torch.cuda.set_device(number)
    torch.zeros(1, device="cuda")


if __name__ == "__main__":
    further_stacks = {"c_stack": False} if sys.version_info >= (3, 14) else {}
    faulthandler.enable(sys.__stderr__, all_threads=False, **further_stacks)  # crash_place reads it
    gc.disable()  # what is imported stays: looking for garbage in it is a tenth of the time that importing takes
    chosen_library, chosen_kind, *further = sys.argv[1:]
    chosen_number = int(further[0]) if further else 0
    try:
        import kernelgen_compiled as compiled

        prepare(chosen_kind, chosen_number)
        import torch

        import kernelgen_callable as callables
        import kernelgen_failures as failures
        import kernelgen_kernel as kernel
        from kernelgen_said import say
    except BaseException as problem:
        sys.exit(f"{type(problem).__name__}: {problem}")
    gc.freeze()
    gc.enable()
    status = serve(chosen_library, chosen_kind, chosen_number, *further[1:])
    sys.__stdout__.flush()
    os._exit(status)  # what PyTorch would do at exit takes longer than what it has to give back
