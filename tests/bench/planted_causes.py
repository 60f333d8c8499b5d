#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The kernels of tests/planted_causes, each slow for one known reason: what `kernelgen diagnose` finds first.

Makes a project of each, runs it on the device, diagnoses the round and prints a line:

    column_walk          expected strided_access       first strided_access 8.1x    right

    python3 planted_causes.py --kernelgen PREFIX/bin/kernelgen --device cpu|cuda:0 [--only NAME,…] [--record FOLDER]

--record writes each round without its samples, as the unit tests read it; --builds FILE with --device cuda:h200 writes what
the builds of the CUDA half tell, and runs nothing. Exit status 1: fewer than five of six right.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

PLANTED = pathlib.Path(__file__).resolve().parent.parent / "planted_causes"


def call(arguments):
    return subprocess.run([str(each) for each in arguments], capture_output=True, text=True)


def sizes_of(case):
    pairs = dict(part.split("=") for part in case.split(","))
    return {name: value if name == "dtype" else int(value) for name, value in pairs.items()}


def make_project(kernelgen, planted, folder):
    """The generated project of the operator, with the planted variant as its first."""
    arguments = [kernelgen, "new", folder, "--name", planted["name"], "--body", planted["body"]]
    for option, key in (("--input", "inputs"), ("--output", "outputs")):
        for each in planted[key]:
            arguments += [option, each]
    made = call(arguments + ["--case", planted["case"]])
    if made.returncode != 0:
        raise RuntimeError(made.stderr)
    path = folder / "project.json"
    project = json.loads(path.read_text())
    language = "cuda" if planted["device"] == "cuda" else "cpp"
    slow = {"name": "slow", "language": language, "source": planted["source"], "entry": "slow", "launch": planted["launch"]}
    if "flags" in planted:
        slow["flags"] = planted["flags"]
    project["variants"].insert(0, slow)
    project["operator"]["constraints"] = project["operator"].get("constraints", []) + planted.get("constraints", [])
    naive = "cuda_naive" if planted["device"] == "cuda" else "naive"
    project["performance"] = dict(project.get("performance", {}), baseline=naive)
    project["cases"] = [dict(sizes_of(planted["case"]), name=planted["case"])]
    path.write_text(json.dumps(project, indent=2))
    (folder / planted["source"]).write_text((PLANTED / planted["source"]).read_text())


def record(folder, planted, out):
    """The round's record without raw samples, histograms and the baseline's text."""
    round_ = json.loads((folder / "rounds" / "0" / "result.json").read_text())
    for timing in round_["timings"]:
        timing["candidate_seconds"] = timing["candidate_seconds"][:2]
        timing["baseline_seconds"] = timing["baseline_seconds"][:2]
    round_["verification"]["cases"] = []
    round_["baseline"]["text"] = ""
    (out / (planted["name"] + ".json")).write_text(json.dumps(round_, indent=1) + "\n")


def record_build(kernelgen, planted, device):
    """What the build for a GPU tells, which needs none."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / planted["name"]
        make_project(kernelgen, planted, folder)
        built = json.loads(call([kernelgen, "build", folder, "--variant", "slow", "--device", device, "--json"]).stdout)
        return built["builds"][0]["resources"]


def first_finding(kernelgen, planted, device, budget, out):
    """The findings of the planted kernel, the first one first; or why there are none."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / planted["name"]
        make_project(kernelgen, planted, folder)
        run = call([kernelgen, "run", folder, "--variant", "slow", "--device", device, "--budget", budget])
        diagnosed = call([kernelgen, "diagnose", folder, "--json"])
        if diagnosed.returncode != 0:
            return [], (run.stdout + run.stderr + diagnosed.stderr).strip().splitlines()[-1]
        if out:
            record(folder, planted, out)
        return json.loads(diagnosed.stdout)["cases"][0]["findings"], ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kernelgen", required=True)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--only", default="")
    parser.add_argument("--budget", default="2s")
    parser.add_argument("--record", type=pathlib.Path)
    parser.add_argument("--builds", type=pathlib.Path)
    options = parser.parse_args()
    kind = options.device.split(":")[0]
    only = [name for name in options.only.split(",") if name]
    all_planted = json.loads((PLANTED / "planted.json").read_text())["planted"]
    if options.builds:
        builds = {each["name"]: record_build(options.kernelgen, each, options.device) for each in all_planted if each["device"] == kind}
        options.builds.write_text(json.dumps(builds, indent=1) + "\n")
        return 0
    right = total = 0
    for planted in all_planted:
        if planted["device"] != kind or (only and planted["name"] not in only):
            continue
        findings, problem = first_finding(options.kernelgen, planted, options.device, options.budget, options.record)
        names = [f"{each['rule']} {each['most_gain'] or 0:.2f}x" for each in findings]
        found = bool(findings) and findings[0]["rule"] in planted["expected"]
        right += found
        total += 1
        print(f"{planted['name']:20} expected {'|'.join(planted['expected']):28} first {', '.join(names) or problem:40} "
              f"{'right' if found else 'WRONG'}", flush=True)
    print(f"{right} of {total} right")
    return 0 if total and 6 * right >= 5 * total else 1


if __name__ == "__main__":
    sys.exit(main())
