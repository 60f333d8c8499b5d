#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The figures on a GPU, in one run: selftest, ceilings, and this project's kernels beside PyTorch and Triton.

Needs an NVIDIA GPU with PyTorch and Triton. Bytes count each input and each output once. The kernels of this project
are verified and timed by `kernelgen run`; for the comparison all of them, as built, and all others are timed by
triton.testing.do_bench (median), whose flush writes and so leaves dirty lines in the L2. The last table holds
kernelgen's own clock, whose flush leaves none, against events around the same kernel after a flush that reads.

    python3 gpu_table.py --kernelgen PREFIX/bin/kernelgen --out FOLDER [--only bias_add,softmax] [--no-selftest]
"""
import argparse
import ctypes
import json
import pathlib
import shutil
import subprocess
import sys
import time

import torch
import torch.nn.functional as functional
import triton
import triton.language as tl
from triton.testing import do_bench

DTYPES = {"f32": torch.float32, "bf16": torch.bfloat16, "f16": torch.float16}


def median_ms(call, rep=100):
    return do_bench(call, warmup=25, rep=rep, return_mode="median")


def clean_median_ms(call, samples=100):
    """As do_bench, but the L2 is flushed by reading twice its size, which leaves no line to be written back, and the
    stream sleeps until everything is in it, so that launching is in no time."""
    flushed = torch.zeros(2 * torch.cuda.get_device_properties(0).L2_cache_size // 4, device="cuda")
    events = [(torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)) for _ in range(samples)]
    call()
    torch.cuda.synchronize()
    for begin, end in events:
        torch.cuda._sleep(1_000_000)
        flushed.max()
        begin.record()
        call()
        end.record()
        torch.cuda.synchronize()
    return sorted(begin.elapsed_time(end) for begin, end in events)[samples // 2]


# ---- what others offer


@triton.jit
def bias_add_kernel(x, bias, out, P, D, BM: tl.constexpr, BN: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    inside = columns < D
    mask = (rows < P)[:, None] & inside[None, :]
    values = tl.load(bias + columns, mask=inside, other=0.0)
    offsets = rows.to(tl.int64)[:, None] * D + columns[None, :]
    tl.store(out + offsets, tl.load(x + offsets, mask=mask, other=0.0) + values[None, :], mask=mask)


@triton.jit
def broadcast_kernel(bias, out, P, D, BM: tl.constexpr, BN: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    inside = columns < D
    mask = (rows < P)[:, None] & inside[None, :]
    values = tl.load(bias + columns, mask=inside, other=0.0)
    offsets = rows.to(tl.int64)[:, None] * D + columns[None, :]
    tl.store(out + offsets, tl.broadcast_to(values[None, :], (BM, BN)), mask=mask)


@triton.jit
def gelu_kernel(x, out, N, BLOCK: tl.constexpr):
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < N
    v = tl.load(x + offsets, mask=mask).to(tl.float32)
    e = tl.exp(2 * 0.79788456 * (v + 0.044715 * v * v * v))
    tl.store(out + offsets, 0.5 * v * (1 + (e - 1) / (e + 1)), mask=mask)


@triton.jit
def softmax_kernel(x, out, N, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    columns = tl.arange(0, BLOCK)
    mask = columns < N
    v = tl.load(x + row * N + columns, mask=mask, other=-float("inf")).to(tl.float32)
    e = tl.exp(v - tl.max(v, 0))
    tl.store(out + row * N + columns, e / tl.sum(e, 0), mask=mask)


@triton.jit
def layer_norm_kernel(x, gamma, beta, out, N, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    columns = tl.arange(0, BLOCK)
    mask = columns < N
    v = tl.load(x + row * N + columns, mask=mask, other=0.0).to(tl.float32)
    difference = tl.where(mask, v - tl.sum(v, 0) / N, 0.0)
    scale = tl.rsqrt(tl.sum(difference * difference, 0) / N + eps)
    g = tl.load(gamma + columns, mask=mask, other=0.0).to(tl.float32)
    b = tl.load(beta + columns, mask=mask, other=0.0).to(tl.float32)
    tl.store(out + row * N + columns, difference * scale * g + b, mask=mask)


def in_turns(calls, rounds=5):
    """Median ms of each call, round by round: what drifts on the device drifts for all of them."""
    times = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            times[name].append(median_ms(call, rep=40))
    return times


def middle(values):
    return sorted(values)[len(values) // 2]


def best_of(calls):
    """The name and the fastest call: each is tried shortly."""
    tried = []
    for name, call in calls:
        try:
            tried.append((do_bench(call, warmup=5, rep=20, return_mode="median"), name, call))
        except Exception as error:  # a configuration that the device refuses
            print(f"  {name}: {str(error)[:100]}", flush=True)
    return min(tried, key=lambda each: each[0])[1:]


TILES = [(1, 1024, 8), (1, 1024, 4), (1, 2048, 4), (2, 512, 8), (4, 1024, 2), (2, 1024, 8), (16, 256, 4), (8, 256, 2),
         (4, 2048, 2), (32, 512, 4), (2, 1024, 4), (1, 512, 4)]


def others(operator, t, P, D):
    """Calls of PyTorch eager, torch.compile and Triton, by name, on tensors `t`."""
    x, out = t.get("x"), t["out"]
    compiled = lambda f: torch.compile(f, dynamic=False)
    warps = (4, 8, 16, 32)
    block = triton.next_power_of_2(D)
    if operator == "bias_add":
        f = compiled(lambda a, b: a + b)
        tune = [(f"triton {m}x{n} w{w}", lambda m=m, n=n, w=w: bias_add_kernel[(triton.cdiv(P, m), triton.cdiv(D, n))](
            x, t["bias"], out, P, D, m, n, num_warps=w)) for m, n, w in TILES]
        return lambda: x + t["bias"], lambda: f(x, t["bias"]), tune
    if operator == "broadcast":
        f = compiled(lambda b: b.expand(P, D).contiguous())
        tune = [(f"triton {m}x{n} w{w}", lambda m=m, n=n, w=w: broadcast_kernel[(triton.cdiv(P, m), triton.cdiv(D, n))](
            t["bias"], out, P, D, m, n, num_warps=w)) for m, n, w in TILES]
        return lambda: t["bias"].expand(P, D).contiguous(), lambda: f(t["bias"]), tune
    if operator == "gelu":
        f = compiled(lambda a: functional.gelu(a, approximate="tanh"))
        tune = [(f"triton {b} w{w}", lambda b=b, w=w: gelu_kernel[(triton.cdiv(P * D, b),)](
            x, out, P * D, b, num_warps=w)) for b in (512, 1024, 2048, 4096) for w in (4, 8)]
        return lambda: functional.gelu(x, approximate="tanh"), lambda: f(x), tune
    if operator == "softmax":
        f = compiled(lambda a: torch.softmax(a, -1))
        tune = [(f"triton w{w}", lambda w=w: softmax_kernel[(P,)](x, out, D, block, num_warps=w)) for w in warps]
        return lambda: torch.softmax(x, -1), lambda: f(x), tune
    f = compiled(lambda a, g, b: functional.layer_norm(a, (D,), g, b))
    tune = [(f"triton w{w}", lambda w=w: layer_norm_kernel[(P,)](x, t["gamma"], t["beta"], out, D, 1e-5, block,
                                                                num_warps=w)) for w in warps]
    return lambda: functional.layer_norm(x, (D,), t["gamma"], t["beta"]), lambda: f(x, t["gamma"], t["beta"]), tune


# ---- this project's kernels


class Worker:
    """Builds kernels through `kernelgen worker` (docs/WORKER_PROTOCOL.md)."""

    def __init__(self, program):
        self.process = subprocess.Popen([program, "worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.process.stdout.readline()
        self.requests = 0

    def build(self, request):
        self.requests += 1
        self.process.stdin.write(json.dumps({"id": self.requests, "op": "build", **request}) + "\n")
        self.process.stdin.flush()
        while True:
            message = json.loads(self.process.stdout.readline())
            if message.get("id") == self.requests and message["event"] != "progress":
                return message["result"] if message["event"] == "result" else {"status": message["message"]}


def evaluate(text, names):
    functions = {"cdiv": lambda a, b: -(-a // b), "min": min, "max": max,
                 "pow2ceil": lambda a: 1 << (a - 1).bit_length()}
    return int(eval(text.replace("/", "//"), functions, names))


class Kernel:
    """A built variant, launched by the driver on PyTorch's stream."""

    def __init__(self, project, variant, configuration, sizes, artifact, tensors):
        self.cuda = ctypes.CDLL("libcuda.so.1")
        module, self.function = ctypes.c_void_p(), ctypes.c_void_p()
        assert self.cuda.cuModuleLoadData(ctypes.byref(module), open(artifact, "rb").read()) == 0
        assert self.cuda.cuModuleGetFunction(ctypes.byref(self.function), module, variant["entry"].encode()) == 0
        launch, names = variant["launch"], {**sizes, **configuration}
        axes = lambda texts: ([evaluate(each, names) for each in texts] + [1, 1])[:3]
        self.grid, self.block = axes(launch["grid"]), axes(launch["block"])
        self.shared = evaluate(launch.get("shared_bytes", "0"), names)
        self.cuda.cuFuncSetAttribute(self.function, 8, self.shared)
        attributes = project["operator"].get("attributes", {})
        values = [ctypes.c_uint64(tensors[a].data_ptr()) if a in tensors
                  else ctypes.c_int64(sizes[a]) if a in sizes else ctypes.c_double(attributes[a])
                  for a in launch["args"]]
        self.values = values
        self.parameters = (ctypes.c_void_p * len(values))(
            *[ctypes.cast(ctypes.pointer(each), ctypes.c_void_p) for each in values])

    def __call__(self):
        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
        code = self.cuda.cuLaunchKernel(self.function, *self.grid, *self.block, self.shared, stream, self.parameters,
                                        None)
        assert code == 0, code


def tensors_of(project, sizes, dtype):
    make = lambda each: torch.randn([sizes[d] for d in each["shape"]], device="cuda").to(DTYPES[dtype])
    return {each["name"]: make(each) for each in project["operator"]["inputs"] + project["operator"]["outputs"]}


def bytes_of(project, sizes, dtype):
    element = torch.empty(0, dtype=DTYPES[dtype]).element_size()
    total = 0
    for each in project["operator"]["inputs"] + project["operator"]["outputs"]:
        count = 1
        for dimension in each["shape"]:
            count *= sizes[dimension]
        total += count * element
    return total


class Row:
    def __init__(self, operator, P, D, dtype, **settings):
        self.operator, self.sizes, self.dtype, self.settings = operator, {"P": P, "D": D}, dtype, settings

    @property
    def name(self):
        return f"{self.operator} {self.dtype} {self.sizes['P']}x{self.sizes['D']}"


# What is set differs from the shipped configuration.
# 1024x1024x1024 with a bias over the last axis is 1048576 rows of 1024.
ROWS = [
    Row("bias_add", 1 << 20, 1024, "f32", BLOCK_N=512),
    Row("bias_add", 1 << 20, 1024, "bf16"),
    Row("broadcast", 1 << 20, 1024, "bf16"),
    Row("gelu", 16384, 8192, "f32", BLOCK_N=512),
    Row("gelu", 16384, 8192, "bf16"),
    Row("softmax", 16384, 8192, "bf16", BLOCK_N=8192, num_warps=8),
    Row("softmax", 4096, 65536, "f32", BLOCK_N=32768, num_warps=16, CLUSTER=2, HOLD=4, PERSISTENT=1),
    Row("layer_norm", 16384, 4096, "bf16"),
    Row("bias_add", 4096, 4096, "f32", BLOCK_N=512),
]


def settings_text(settings):
    return " ".join(f"{name}={value}" for name, value in settings.items())


def measure(row, arguments, worker):
    folder = arguments.out / "projects" / row.operator
    project = json.loads((folder / "project.json").read_text())
    case = ",".join(f"{name}={size}" for name, size in row.sizes.items()) + f",dtype={row.dtype}"
    command = [arguments.kernelgen, "run", str(folder), "--device", "cuda:0", "--variant", "cuda", "--case", case,
               "--json", "--note", f"the table of figures: {row.name}", "--timeout", "60"]
    for name, value in row.settings.items():
        command += ["--set", f"{name}={value}"]
    begin = time.time()
    printed = subprocess.run(command, stdout=subprocess.PIPE, text=True).stdout
    document = json.loads(printed)
    result = {"name": row.name, "settings": row.settings, "status": document["status"], "seconds": time.time() - begin,
              "reason": document.get("reason", "")}
    if document["status"] != "ok":
        return result
    moved = bytes_of(project, row.sizes, row.dtype)
    rate = lambda ms: moved / ms * 1e-6
    timing = document["timings"][0]
    result["bytes"] = moved
    result["kernelgen"] = rate(timing["candidate"]["p50"] * 1e3)
    result["baseline"] = timing["baseline"]
    result["speedup"] = timing["speedup"]
    result["counters"] = timing["counters"]
    result["conditions"] = timing.get("conditions", {})
    result["roofline"] = document["cases"][0].get("roofline", {})
    result["configuration"] = document["configuration"]
    tensors = tensors_of(project, row.sizes, row.dtype)
    variant = next(each for each in project["variants"] if each["name"] == "cuda")
    built = worker.build({"operator": project["operator"], "dtype": row.dtype, "device": "cuda:0", "implementation": {
        "variant": variant, "text": (folder / variant["source"]).read_text(),
        "configuration": document["configuration"]}})
    own = Kernel(project, variant, document["configuration"], row.sizes, built["artifact"]["path"], tensors)
    eager, compiled, tuned = others(row.operator, tensors, row.sizes["P"], row.sizes["D"])
    result["triton_configuration"], best = best_of(tuned)
    times = in_turns({"kernelgen_by_do_bench": own, "triton": best, "compile": compiled, "eager": eager})
    for name, ms in times.items():
        result[name] = rate(middle(ms))
        ratios = [other / mine for other, mine in zip(ms, times["kernelgen_by_do_bench"])]
        result[f"over_{name}"] = {"median": middle(ratios), "lowest": min(ratios), "highest": max(ratios)}
    result["kernelgen_by_clean_events"] = rate(clean_median_ms(own))
    del tensors, own
    torch.cuda.empty_cache()
    return result


def measure_ceilings(arguments):
    """PyTorch's copy, fill and sum of 4 GiB beside this project's ceilings at the same sizes, GB/s."""
    document = json.loads(subprocess.run([arguments.kernelgen, "devices", "--measure", "--device", "cuda:0", "--json"],
                                         stdout=subprocess.PIPE, text=True).stdout)
    device = document["devices"][0]
    points = {round(each["bytes"] / 2**20): each for each in device["ceilings"]["all_threads"]}
    a = torch.rand(1 << 30, device="cuda")
    b = torch.empty_like(a)
    size = a.numel() * 4
    pytorch = {"copy": 2 * size / median_ms(lambda: b.copy_(a)) * 1e-6, "read": size / median_ms(a.sum) * 1e-6,
               "write": size / median_ms(lambda: b.fill_(1.0)) * 1e-6}
    del a, b
    torch.cuda.empty_cache()
    own = {"copy": points[8192]["copy_gbps"], "read": points[4096]["read_gbps"], "write": points[4096]["write_gbps"]}
    return {"device": device, "pytorch": pytorch, "kernelgen": own}


def print_tables(ceilings, results):
    print("\n| ceiling, 4 GiB | PyTorch GB/s | kernelgen GB/s | ratio |\n| --- | --- | --- | --- |")
    for name in ("copy", "read", "write"):
        own, other = ceilings["kernelgen"][name], ceilings["pytorch"][name]
        print(f"| {name} | {other:.0f} | {own:.0f} | {own / other:.3f} |")
    print("\n| by do_bench in turns, GB/s | kernelgen | eager | compile | best Triton | over Triton | over compile "
          "| over eager | configuration |\n|" + " --- |" * 9)
    for r in results:
        if r["status"] != "ok":
            print(f"| {r['name']} | {r['status']}: {r['reason'][:80]} |")
            continue
        over = {name: "{median:.3f} [{lowest:.3f}, {highest:.3f}]".format(**r[f"over_{name}"])
                for name in ("triton", "compile", "eager")}
        print(f"| {r['name']} | {r['kernelgen_by_do_bench']:.0f} | {r['eager']:.0f} | {r['compile']:.0f} "
              f"| {r['triton']:.0f} ({r['triton_configuration']}) | {over['triton']} | {over['compile']} "
              f"| {over['eager']} | {settings_text(r['configuration'])} |")
    print("\n| the same kernel timed, GB/s | kernelgen run | of the ceiling | events, clean flush | ratio | do_bench | ratio |"
          "\n|" + " --- |" * 7)
    for r in results:
        if r["status"] == "ok":
            print(f"| {r['name']} | {r['kernelgen']:.0f} | {r['roofline'].get('fraction', 0):.3f} "
                  f"| {r['kernelgen_by_clean_events']:.0f} | {r['kernelgen'] / r['kernelgen_by_clean_events']:.3f} "
                  f"| {r['kernelgen_by_do_bench']:.0f} | {r['kernelgen'] / r['kernelgen_by_do_bench']:.3f} |")
    print("\n" + ", ".join(f"{r['name']}: {r['seconds']:.0f} s" for r in results), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kernelgen", required=True, help="the installed program")
    parser.add_argument("--out", required=True, type=pathlib.Path, help="results and the projects with their rounds")
    parser.add_argument("--only", default="", help="operators, separated by commas")
    parser.add_argument("--no-selftest", action="store_true")
    arguments = parser.parse_args()
    share = pathlib.Path(arguments.kernelgen).resolve().parent.parent / "share" / "kernelgen"
    arguments.out.mkdir(parents=True, exist_ok=True)
    shutil.copytree(share / "projects", arguments.out / "projects", dirs_exist_ok=True)
    torch.manual_seed(0)
    failed = False
    if not arguments.no_selftest:
        failed = subprocess.run([arguments.kernelgen, "selftest", "--device", "cuda:0"]).returncode != 0
    ceilings = measure_ceilings(arguments)
    worker = Worker(arguments.kernelgen)
    wanted = [row for row in ROWS if not arguments.only or row.operator in arguments.only.split(",")]
    results = []
    for row in wanted:
        print(f"{row.name} …", flush=True)
        results.append(measure(row, arguments, worker))
        (arguments.out / "table.json").write_text(json.dumps({"ceilings": ceilings, "rows": results}, indent=1))
    print_tables(ceilings, results)
    return 1 if failed or any(r["status"] != "ok" for r in results) else 0


if __name__ == "__main__":
    sys.exit(main())
