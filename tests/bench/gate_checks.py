#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How often `kernelgen gate --check` is right: the stored kernel again, and one with a planted slowdown.

Stores the gate's baseline of a sample's variant in a copy of the project, then checks again and again. A slowdown is a wait at
the start of each program, as long as is needed for the given percent: the first checks find that length. Prints a row for each:

    | planted | checks | ratio, median (smallest to largest) | verdicts |
    | nothing | 200 | 1.000 (0.996 to 1.004) | same 199, ambiguous 1 |
    | 3.0 % | 40 | 0.970 (0.965 to 0.974) | slower 40 |

    python3 gate_checks.py --kernelgen PREFIX/bin/kernelgen --project projects/softmax --device cpu --variant host \
        --case "4096x4096 f32" [--budget 1s] [--threshold 1.5] [--percent 3,…] [--checks 200] [--planted 40] [--seconds 540]

The rows take turns, so that an end by --seconds leaves some of each. Exit status 1: a check failed.
"""
import argparse
import collections
import json
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

WAITS = {".cpp": "    for (volatile int wait = 0; wait < {}; wait = wait + 1) {{}}\n",
         ".cu": "    for (const long long begin = clock64(); clock64() - begin < {};) {{}}\n"}
FIRST_WAIT = {".cpp": 1000, ".cu": 2000}


def delayed(text, suffix, length):
    """The kernel's source with a wait at the start of its entry."""
    entry = re.search(r'extern "C"[^{;]*\{\n', text)
    if entry is None:
        raise SystemExit("no entry `extern \"C\"` was found in the source")
    return text if length == 0 else text[:entry.end()] + WAITS[suffix].format(length) + text[entry.end():]


class Gate:
    def __init__(self, options, folder):
        self.common = [options.kernelgen, "gate", str(folder), "--device", options.device, "--variant", options.variant,
                       "--budget", options.budget]
        if options.case:
            self.common += ["--case", options.case]
        project = json.loads((folder / "project.json").read_text())
        source = next(each["source"] for each in project["variants"] if each["name"] == options.variant)
        self.source = folder / source
        self.text = self.source.read_text()
        self.threshold = options.threshold

    def call(self, arguments):
        done = subprocess.run(self.common + arguments, capture_output=True, text=True)
        if done.returncode not in (0, 6):
            raise SystemExit(f"exit status {done.returncode}: {done.stderr or done.stdout}")
        return done.stdout

    def check(self, length):
        """The ratio and the verdict of the first case, with a wait of this length."""
        self.source.write_text(delayed(self.text, self.source.suffix, length))
        document = json.loads(self.call(["--check", "--threshold", self.threshold, "--json"]))
        case = document["checks"][0]["cases"][0]
        return case["ratio"], case["verdict"]

    def length_for(self, percent):
        """The wait that makes a call so many percent longer, by a few checks."""
        length = FIRST_WAIT[self.source.suffix]
        for _ in range(4):
            longer = 1 / self.check(int(length))[0] - 1
            length *= min(8.0, max(0.125, percent / 100 / max(longer, 1e-3)))
        return int(length)


def row(planted, found):
    ratios = [ratio for ratio, _ in found]
    counts = collections.Counter(verdict for _, verdict in found).most_common()
    verdicts = ", ".join(f"{verdict} {count}" for verdict, count in counts)
    return (f"| {planted} | {len(found)} | {statistics.median(ratios):.3f} ({min(ratios):.3f} to {max(ratios):.3f}) "
            f"| {verdicts} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kernelgen", default="kernelgen")
    parser.add_argument("--project", required=True)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--variant", default="host")
    parser.add_argument("--case")
    parser.add_argument("--budget", default="1s")
    parser.add_argument("--threshold", default="1.5")
    parser.add_argument("--percent", default="3")
    parser.add_argument("--checks", type=int, default=200)
    parser.add_argument("--planted", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=1e9)
    options = parser.parse_args()
    end = time.monotonic() + options.seconds
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary) / "project"
        shutil.copytree(options.project, folder)
        gate = Gate(options, folder)
        gate.call(["--record"])
        lengths = {f"{percent} %": gate.length_for(float(percent)) for percent in options.percent.split(",") if percent}
        wanted = {"nothing": options.checks} | {planted: options.planted for planted in lengths}
        found = {planted: [] for planted in wanted}
        while time.monotonic() < end:
            missing = {planted: len(found[planted]) / count for planted, count in wanted.items()
                       if len(found[planted]) < count}
            if not missing:
                break
            planted = min(missing, key=missing.get)  # the one that is furthest from its number
            found[planted].append(gate.check(lengths.get(planted, 0)))
    print("| planted | checks | ratio, median (smallest to largest) | verdicts |\n| --- | --- | --- | --- |")
    for planted, checks in found.items():
        if checks:
            print(row(planted, checks))


if __name__ == "__main__":
    sys.exit(main())
