#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`kernelgen model` on a device: two modules, what their calls take, and a project of a call.

    ./dev exec python3 tests/bench/model_on_device.py OUTPUT [--device cuda:0] [--width 4096]

Measures the device's ceilings, then a transformer's feed-forward part in half precision and a convolution with its norm. Prints the
tables, and fails where a number cannot be: a call beyond its ceiling by more than a fifth, calls that together take less than half of
the whole or more than three times as long, or no project of the call with the largest share.
"""
import argparse
import json
import os
import subprocess
import sys

FEED_FORWARD = '''import torch


class Model(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm, self.up = torch.nn.LayerNorm(width), torch.nn.Linear(width, 4 * width)
        self.down = torch.nn.Linear(4 * width, width)
        self.to(torch.float16)

    def forward(self, x):
        return x + self.down(torch.nn.functional.gelu(self.up(self.norm(x))))


def get_inputs():
    return [torch.randn(WIDTH, WIDTH, dtype=torch.float16)]


def get_init_inputs():
    return [WIDTH]
'''
CONVOLUTION = '''import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.norm = torch.nn.Conv2d(64, 64, 3, padding=1), torch.nn.BatchNorm2d(64)

    def forward(self, x):
        return torch.relu(self.norm(self.conv(x)))


def get_inputs():
    return [torch.randn(8, 64, WIDTH // 16, WIDTH // 16)]


def get_init_inputs():
    return []
'''


def kernelgen(*arguments: str) -> str:
    done = subprocess.run(["kernelgen", *arguments], capture_output=True, text=True)
    if done.returncode not in (0, 3):
        sys.exit(f"kernelgen {' '.join(arguments)}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def doubts(told: dict) -> list:
    """What cannot be true of a profile."""
    found = [f"call {each['calls'][0]} reaches {each['roofline']['fraction']:.0%}" for each in told["rows"]
             if each.get("roofline") and each["roofline"]["fraction"] > 1.2]
    ratio = told["seconds_of_calls"] / told["seconds"]
    return found + ([f"the calls take {ratio:.2f} of the whole"] if not 0.5 < ratio < 3 else [])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("output")
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("--width", type=int, default=4096)
    options = parser.parse_args()
    on_device = ["--device", options.device]
    os.makedirs(options.output, exist_ok=True)
    kernelgen("devices", "--measure", *on_device)
    problems = []
    for name, text in (("feed_forward", FEED_FORWARD), ("convolution", CONVOLUTION)):
        file, project = (os.path.join(options.output, each) for each in (name + ".py", name))
        with open(file, "w", encoding="utf-8") as made:
            made.write(text.replace("WIDTH", str(options.width)))
        print(kernelgen("model", file, *on_device))
        told = json.loads(kernelgen("model", file, *on_device, "--json"))
        problems += [f"{name}: {each}" for each in doubts(told)]
        first = max(told["rows"], key=lambda each: each["all_seconds"])["calls"][0]
        kernelgen("model", file, *on_device, "--project", str(first), "-o", project)
        print(kernelgen("run", project, *on_device, "--note", "by torch.compile"))
        print(kernelgen("model", file, *on_device, "--with", project))
    sys.exit("\n".join(problems))


if __name__ == "__main__":
    main()
