#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`kernelgen optimize` from the naive variant of the samples, against the variant that is shipped tuned.

usage: ./dev exec tests/bench/optimize_samples.py [--device D] [--rounds 5] [--budget 5m] [--keep DIR] [SAMPLE...]

Each sample is copied without its rounds and tunings, optimized from its naive variant (`naive`, or `cuda_naive` on a GPU), and
the best round is then timed against the shipped tuned variant in pairs. Prints for each case the time of the shipped variant
over that of the best round, and of all rounds how often the expected interval held the measured gain. `--patterns FILE`
writes what the rounds taught.
"""
import argparse
import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

SAMPLES = ["vector_add", "bias_add", "broadcast", "relu", "gelu", "silu", "softmax", "layer_norm", "rms_norm"]
ASKED = 0.97


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("samples", metavar="SAMPLE", nargs="*", default=SAMPLES)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--rounds", default="5")
    parser.add_argument("--budget", default="5m")
    parser.add_argument("--keep", help="the folder in which the copies stay")
    parser.add_argument("--patterns", help="the file to which the patterns of these rounds are exported")
    parser.add_argument("--json", help="the file to which all numbers are written")
    return parser.parse_args()


def kernelgen(*words):
    done = subprocess.run(["kernelgen", *words, "--json"], capture_output=True, text=True)
    if not done.stdout:
        sys.exit(f"kernelgen {' '.join(words)}: {done.stderr}")
    return json.loads(done.stdout)


def copied(sample, folder):
    """The sample without anything that was measured."""
    source = os.path.join(os.path.dirname(__file__), "..", "..", "projects", sample)
    target = os.path.join(folder, sample)
    shutil.copytree(source, target, ignore=shutil.ignore_patterns("rounds", "history.jsonl", "tunings", "*.md"))
    return target


def optimized(project, options):
    kind = options.device.split(":")[0]
    naive, tuned = ("naive", "host") if kind == "cpu" else ("cuda_naive", "cuda")
    found = kernelgen("optimize", project, "--variant", naive, "--device", options.device, "--rounds", options.rounds,
                      "--budget", options.budget, "--target", "1000")
    # In pairs: the shipped variant is the candidate, the best round its baseline.
    shipped = kernelgen("run", project, "--variant", tuned, "--device", options.device,
                        "--baseline", f"round:{found['best']}", "--no-counters")
    ratios = {each["case"]["name"]: 1 / each["speedup"] for each in shipped["cases"] if each.get("speedup")}
    return found, ratios


def expectations(found):
    """Of each round: whether the interval held the measured gain, and its width."""
    rows = []
    for each in found["rounds"]:
        applied = each["applied"]
        if "gain" not in applied:
            continue
        lower, upper, gain = applied["expected"]["lower"], applied["expected"]["upper"], applied["gain"]["likely"]
        rows.append({"strategy": applied["strategy"], "from": applied["expected_from"], "lower": lower, "upper": upper,
                     "gain": gain, "held": lower <= gain <= upper})
    return rows


def print_sample(sample, found, ratios, rows):
    steps = ", ".join(f"{each['strategy']} {each['gain']:.3f} in [{each['lower']:.2f}, {each['upper']:.2f}]" for each in rows)
    mean = math.exp(statistics.mean(math.log(each) for each in ratios.values())) if ratios else 0
    cases = ", ".join(f"{name} {each:.3f}" for name, each in ratios.items())
    print(f"{sample:12} {mean:6.3f}  {found['reason']:16} {cases}\n{'':12} {steps}", flush=True)
    return mean


def main():
    options = arguments()
    folder = options.keep or tempfile.mkdtemp(prefix="kernelgen-optimize-")
    os.makedirs(folder, exist_ok=True)
    # What these rounds teach is told apart from what the user's own rounds did.
    os.environ["XDG_DATA_HOME"] = os.path.join(folder, "data")
    means, rows, document = [], [], {}
    for sample in options.samples:
        found, ratios = optimized(copied(sample, folder), options)
        own = expectations(found)
        rows += own
        means.append(print_sample(sample, found, ratios, own))
        document[sample] = {"ratios": ratios, "mean": means[-1], "reason": found["reason"], "rounds": own}
    print(f"{sum(each >= ASKED for each in means)} of {len(means)} samples at {ASKED} of the shipped variant or above")
    if rows:
        held = sum(each["held"] for each in rows) / len(rows)
        width = statistics.median(each["upper"] - each["lower"] for each in rows)
        print(f"{len(rows)} rounds: the expected interval held the gain in {held:.0%}; its median width is {width:.3f}")
    if options.patterns:
        kernelgen("patterns", "export", options.patterns,
                  *[word for sample in options.samples for word in ("--from", os.path.join(folder, sample))])
    if options.json:
        with open(options.json, "w") as file:
            json.dump(document, file, indent=1)
    if not options.keep:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
