# SPDX-License-Identifier: Apache-2.0
"""Calls a Python variant once for a profiler that waits to be told when (`ncu --profile-from-start off`).

    python3 kernelgen_once.py ORDINAL REQUEST      on a CUDA device
    python3 kernelgen_once.py cpu REQUEST          where no profiler is told anything

REQUEST is a file with {"artifact": {…}, "call": {…}} as an executor gets them, and "temporary_folder". Everything is
compiled by a call before the one that is profiled. Prints why where it fails, after "kernelgen: ".
"""
import json
import os
import sys
import tempfile


def silence_stdout() -> None:
    """Suppresses prints of the operator's file, which would mix with the profiler's lines."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)


def load(request: dict, folder: str, kind: str, ordinal: int):
    """The entry, bound to the sizes of the call."""
    import kernelgen_kernel as kernel
    import torch

    artifact = {**request["artifact"]["python"], "language": request["artifact"]["language"]}
    device = torch.device("cuda", ordinal) if kind == "cuda" else torch.device("cpu")
    bound = kernel.Kernel(kernel.OperatorFile(artifact, folder), device)
    bound.bind(request["call"], alone=True)
    return bound


def call_once(bound) -> None:
    """Makes one call to compile everything, and on a CUDA device a second one on the same inputs, which is profiled."""
    import torch
    from kernelgen_tensors import TensorSpec

    torch.manual_seed(1)
    with torch.no_grad():
        buffers = bound.own_buffers(TensorSpec.normal)
        bound.invoke(buffers)
        if bound.device.type != "cuda":
            bound.invoke(buffers)
            return
        torch.cuda.synchronize(bound.device)
        torch.cuda.profiler.start()
        bound.invoke(buffers)
        torch.cuda.synchronize(bound.device)
        torch.cuda.profiler.stop()


def lines_of(reason: str) -> str:
    """The reason in one line, and what it was made of in another, for gpu/cuda/profiler.cpp."""
    from kernelgen_said import told

    made_of = json.dumps(told("reason", reason).get("reason_said"))
    return "kernelgen: " + " ".join(reason.split()) + "\nkernelgen said: " + made_of


def main(device: str, request_file: str) -> None:
    with open(request_file, encoding="utf-8") as file:
        request = json.load(file)
    kind, ordinal = ("cpu", 0) if device == "cpu" else ("cuda", int(device))
    tempfile.tempdir = request["temporary_folder"]  # where compiled things are kept; TMPDIR is the profiler's own
    os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"  # processes of its own would be profiled too
    import kernelgen_executor

    kernelgen_executor.prepare(kind, ordinal)
    import kernelgen_failures as failures

    bound = load(request, os.path.dirname(os.path.abspath(request_file)), kind, ordinal)
    try:
        call_once(bound)
    except BaseException as error:
        raise failures.on_call(error, bound.source.path, bound.source.file) from None


if __name__ == "__main__":
    silence_stdout()
    try:
        main(*sys.argv[1:])
    except BaseException as problem:
        sys.exit(lines_of(getattr(problem, "reason", "") or f"{type(problem).__name__}: {problem}"))
