#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Problems of KernelBench, with sizes that fit this machine, each judged against itself.

    ./dev exec python3 tests/bench/kernelbench.py FOLDER OUTPUT [--run] [--largest 96] [--only SUBSTRING]

FOLDER has problem files (KernelBench/level1). A copy of each, with its large module-level integers made smaller, and the project that
`kernelgen import` makes of it are written to OUTPUT, which `kernelgen summary` reads. Prints one line a problem, then counts.
"""
import argparse
import ast
import collections
import json
import os
import subprocess
import time


def smaller(value: int, largest: int) -> int:
    """Small integers stay; larger ones lose factors of two, so that those that were equal or divided each other still do."""
    while value > largest and value % 2 == 0:
        value //= 2
    return value if value <= largest else max(1, value // (value // largest))


def shrunk(text: str, largest: int) -> str:
    lines = text.splitlines(keepends=True)
    for each in ast.parse(text).body:
        if not isinstance(each, ast.Assign):
            continue
        for node in ast.walk(each.value):
            is_large = isinstance(node, ast.Constant) and type(node.value) is int and node.value > largest
            if is_large and node.lineno == node.end_lineno:
                line = lines[node.lineno - 1]
                lines[node.lineno - 1] = (line[: node.col_offset] + str(smaller(node.value, largest))
                                          + line[node.end_col_offset :])
    return "".join(lines)


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
        copy.write(shrunk(source.read(), options.largest))
    imported = kernelgen("import", problem, "--solution", problem, "-o", project)
    if "project" not in imported:
        return imported
    return kernelgen("run", project, "--budget", "1s", "--no-counters") if options.run else kernelgen("verify", project)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("output")
    parser.add_argument("--run", action="store_true")
    parser.add_argument("--largest", type=int, default=96)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    os.makedirs(options.output, exist_ok=True)
    counts = collections.Counter()
    for file in sorted(os.listdir(options.folder)):
        if not file.endswith(".py") or options.only not in file:
            continue
        start = time.monotonic()
        result = judged(os.path.join(options.folder, file), options)
        result = result.get("round", result)
        status = result.get("status", "error")
        counts[status] += 1
        reason = "" if status == "ok" else result.get("reason", "")
        print(f"{time.monotonic() - start:6.1f} s  {status:14} {file}  {reason[:300]}", flush=True)
    print(dict(counts))


if __name__ == "__main__":
    main()
