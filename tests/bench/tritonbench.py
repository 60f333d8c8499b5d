#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Triton files with their test calls, as TritonBench-G has them, each imported by a trace and verified.

    ./dev python python3 tests/bench/tritonbench.py FOLDER OUTPUT [--references FILE.json] [--only SUBSTRING]
                                                    [--timeout 2m] [--seconds 120] [--jobs 1] [--device cpu]
                                                    [--begin SECONDS]

FOLDER has the files. FILE.json has a line of PyTorch by file name, or {"reference": LINE, "entry": FUNCTION}:
tritonbench_references.json, beside this program, has those of TritonBench-G's files, written for this project. The
projects are written to OUTPUT, which `kernelgen summary` reads. Prints one line a file, then counts: "traced" files were
understood up to the reference, which the table lacks. Verification ends after --seconds; after --begin seconds no
further file is begun.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import shutil
import subprocess
import time


def kernelgen(*arguments: str, seconds: float = 3600) -> dict:
    try:
        finished = subprocess.run(["kernelgen", *arguments, "--json"], capture_output=True, text=True, timeout=seconds)
        return {"exit": finished.returncode, **json.loads(finished.stdout)}
    except subprocess.TimeoutExpired:
        return {"status": "timed_out", "reason": f"not done within {seconds:g} s"}
    except json.JSONDecodeError:
        return {"status": "refused", "reason": (finished.stderr or finished.stdout).strip()}


def judged(file: str, told, options: argparse.Namespace) -> tuple:
    """(how far it came, why no further)."""
    told = {"reference": told} if isinstance(told, str) else told
    project = os.path.join(options.output, file.removesuffix(".py"))
    shutil.rmtree(project, ignore_errors=True)
    given = [each for name, value in told.items() for each in ("--" + name, value)]
    imported = kernelgen("import", os.path.join(options.folder, file), "--trace", "--timeout", options.timeout,
                         *given, "-o", project)
    if "project" not in imported:
        errors = [each["message"] for each in imported.get("errors", [])]
        reason = "; ".join(errors) or imported.get("reason", str(imported))
        return ("traced" if "there is no reference for" in reason else "refused"), reason
    verified = kernelgen("verify", project, "--device", options.device, seconds=options.seconds)
    status = verified.get("status", "error")
    return status, "" if status == "ok" else verified.get("reason", str(verified))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("output")
    parser.add_argument("--references")
    parser.add_argument("--only", default="")
    parser.add_argument("--timeout", default="2m")
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--begin", type=float, default=1e9)
    options = parser.parse_args()
    os.makedirs(options.output, exist_ok=True)
    table = {}
    if options.references:
        with open(options.references, encoding="utf-8") as listed:
            table = json.load(listed)
    files = [each for each in sorted(os.listdir(options.folder)) if each.endswith(".py") and options.only in each]
    counts = collections.Counter()

    begun = time.monotonic()

    def timed(file: str) -> tuple:
        start = time.monotonic()
        if start - begun > options.begin:
            return "not begun", "", 0.0
        return *judged(file, table.get(file, {}), options), time.monotonic() - start

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as workers:
        for file, (status, reason, seconds) in zip(files, workers.map(timed, files)):
            counts[status] += 1
            print(f"{seconds:6.1f} s  {status:14} {file}  {' '.join(reason.split())[:300]}", flush=True)
    print(dict(counts))


if __name__ == "__main__":
    main()
