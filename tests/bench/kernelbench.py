#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Problems of KernelBench, with sizes that fit this machine, each judged against itself.

    ./dev exec python3 tests/bench/kernelbench.py FOLDER OUTPUT [--run] [--compile] [--largest 96] [--only SUBSTRING]
        [--device cuda:0] [--jobs 4] [--seconds 540] [--bytes 2e8]

FOLDER has problem files (KernelBench/level1). A copy of each, with its large module-level integers made smaller, and the project that
`kernelgen import` makes of it are written to OUTPUT, which `kernelgen summary` reads. Integers are at most `--largest`; with `--bytes`
the largest power of two at most `--largest` with which the inputs have so many bytes, which executes the problem's file. With
--compile the solution is the reference by torch.compile. Prints one line a problem, then counts. `--jobs` problems are judged side by
side; their timings take turns by the device's lock. After `--seconds` no further problem is begun.
"""
import argparse
import ast
import collections
import concurrent.futures
import json
import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../resources/python"))

from kernelgen_smaller import smaller  # noqa: E402


def shrunk(text: str, largest: int) -> str:
    lines = text.splitlines(keepends=True)
    assigned = [each.value for each in ast.parse(text).body if isinstance(each, ast.Assign)]
    constants = [node for value in assigned for node in ast.walk(value) if isinstance(node, ast.Constant)]
    large = [node for node in constants if type(node.value) is int and node.value > largest]
    for node in sorted(large, key=lambda node: -node.col_offset):  # the last of a line first, for their places
        line = lines[node.lineno - 1]
        lines[node.lineno - 1] = line[: node.col_offset] + str(smaller(node.value, largest)) + line[node.end_col_offset :]
    return "".join(lines)


def bytes_of_inputs(text: str) -> float:
    """Of what the problem's `get_inputs` returns; nothing is allocated."""
    import torch

    names = {"__name__": "problem"}
    with torch.device("meta"):
        exec(compile(text, "problem", "exec"), names)
        tensors = [each for each in names["get_inputs"]() if isinstance(each, torch.Tensor)]
    return sum(each.numel() * each.element_size() for each in tensors)


def fitted(text: str, options: argparse.Namespace) -> str:
    largest = options.largest
    while options.bytes and largest > 16:
        try:
            if bytes_of_inputs(shrunk(text, largest)) <= options.bytes:
                break
        except Exception:  # sizes of which one must be a multiple of another, or what a meta tensor cannot do
            pass
        largest //= 2
    return shrunk(text, largest)


def kernelgen(*arguments: str) -> dict:
    finished = subprocess.run(["kernelgen", *arguments, "--json"], capture_output=True, text=True)
    try:
        return json.loads(finished.stdout)
    except json.JSONDecodeError:
        return {"status": "error", "reason": (finished.stderr or finished.stdout).strip()[-300:]}


def judged(file: str, options: argparse.Namespace) -> dict:
    name = os.path.basename(file).removesuffix(".py")
    project = os.path.join(options.output, name)
    problem = os.path.join(options.output, name + ".py")
    with open(file, encoding="utf-8") as source, open(problem, "w", encoding="utf-8") as copy:
        copy.write(fitted(source.read(), options))
    solution = [] if options.compile else ["--solution", problem]
    imported = kernelgen("import", problem, *solution, "-o", project)
    if "project" not in imported:
        return imported
    command = ["run", project, "--budget", "1s", "--no-counters"] if options.run else ["verify", project]
    return kernelgen(*command, "--device", options.device)


def tell(file: str, options: argparse.Namespace) -> str:
    """Judges one problem, says how it ended, and returns its status."""
    start = time.monotonic()
    if start > options.end:
        return "not begun"
    result = judged(os.path.join(options.folder, file), options)
    result = result.get("round", result)
    status = result.get("status", "error")
    reason = "" if status == "ok" else result.get("reason", "")
    print(f"{time.monotonic() - start:6.1f} s  {status:14} {file}  {reason[:300]}", flush=True)
    return status


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("output")
    parser.add_argument("--run", action="store_true")
    parser.add_argument("--compile", action="store_true")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--largest", type=int, default=96)
    parser.add_argument("--bytes", type=float, default=0)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    os.makedirs(options.output, exist_ok=True)
    options.end = time.monotonic() + options.seconds
    files = [each for each in sorted(os.listdir(options.folder)) if each.endswith(".py") and options.only in each]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        counts = collections.Counter(pool.map(lambda file: tell(file, options), files))
    print(dict(counts))


if __name__ == "__main__":
    main()
