# SPDX-License-Identifier: Apache-2.0
"""Speed of attention_fp8: the Triton function against the PyTorch function, in interleaved pairs with cold caches.

    python3 attention_fp8_performance.py [--json] [--compile]

--compile times the PyTorch function through torch.compile instead of eager.
Exit status: 0 target reached, 1 wrong or slower than the target, 2 nothing to measure on.
"""
import json
import os
import random
import statistics
import sys
import time


def decline(reason):
    print(json.dumps({"operator": "attention_fp8", "status": "unavailable", "reason": reason}) if "--json" in sys.argv[1:] else reason)
    sys.exit(2)


try:
    import torch

    try:
        import torch_npu  # an Ascend NPU: untested
    except ImportError:
        torch_npu = None
    DEVICE = "cuda" if torch.cuda.is_available() else "npu" if torch_npu and torch.npu.is_available() else "cpu"
    if DEVICE == "cpu":  # Triton's interpreter, which must be chosen before triton is imported
        os.environ.setdefault("TRITON_INTERPRET", "1")
    import triton
    import triton.language as tl
    from attention_fp8_triton import attention_fp8 as triton_function
    from attention_fp8_baseline import attention_fp8 as baseline_function
    from attention_fp8_accuracy import check, keywords_of, make_inputs
except ImportError as error:
    decline(f"{error}; PyTorch 2.4 and Triton 3.0 or newer are needed")

CASES = [
    {"name": "1x4x2048x2048x128 bf16", "dtype": "bf16", "B": 1, "H": 4, "N": 2048, "D": 128, "Hk": 2, "M": 2048, "P": 16, "R": 16},
    {"name": "1x4x1000x1000x64 f32", "dtype": "f32", "B": 1, "H": 4, "N": 1000, "D": 64, "Hk": 4, "M": 1000, "P": 8, "R": 8},
]
TARGET = 1.0  # the least speedup, in every case
LEAST_PAIRS = 20
SECONDS = 5.0  # for the pairs of a case
HELD_CYCLES = 2_000_000  # that the device is kept busy while a sample is being launched
FLUSH_BLOCK = 4096


@triton.jit
def read_to_stay(data, sums, BLOCK: tl.constexpr):
    """Lines that a kernel asked to leave last give way only to such lines."""
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(sums + tl.program_id(0), tl.sum(tl.load(data + offsets, eviction_policy="evict_last"), axis=0))


class Timer:
    """Times calls on the device alone: they are launched while it is held, so that the time of Python is not in it."""

    def __init__(self):
        self.device = getattr(torch, DEVICE)
        properties = self.device.get_device_properties(self.device.current_device())
        level2 = getattr(properties, "L2_cache_size", 0) or 64 << 20
        self.blocks = 2 * level2 // (4 * FLUSH_BLOCK)  # two halves of a chip may each keep a copy
        self.buffer = torch.zeros(self.blocks * FLUSH_BLOCK, device=DEVICE)
        self.sums = torch.zeros(self.blocks, device=DEVICE)

    def flush(self):
        """Reading evicts; a buffer that was written would leave its write-back to the call."""
        read_to_stay[(self.blocks,)](self.buffer, self.sums, BLOCK=FLUSH_BLOCK)

    def milliseconds(self, call):
        begin = self.device.Event(enable_timing=True)
        end = self.device.Event(enable_timing=True)
        self.device.synchronize()
        if hasattr(self.device, "_sleep"):
            self.device._sleep(HELD_CYCLES)
        self.flush()
        begin.record()
        call()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end)


def interval(ratios):
    """The 95 % interval of the median, by bootstrap."""
    draw = random.Random(1)
    medians = sorted(statistics.median(draw.choices(ratios, k=len(ratios))) for _ in range(1000))
    return medians[25], medians[974]


def measure(case, timer, baseline):
    error, problem = check(case)
    if problem:
        return {"case": case["name"], "status": "wrong", "problem": problem}
    inputs = make_inputs(case)
    keywords = keywords_of(case)
    calls = [lambda: baseline(*inputs, **keywords), lambda: triton_function(*inputs, **keywords)]
    for _ in range(5):  # compiles and warms up
        for call in calls:
            timer.milliseconds(call)
    order = random.Random(0)
    pairs = []
    started = time.monotonic()
    low, high = 0.0, float("inf")
    while len(pairs) < LEAST_PAIRS or (time.monotonic() - started < SECONDS and high - low > 0.02 * low):
        first = order.randrange(2)
        pair = [0.0, 0.0]
        for which in (first, 1 - first):
            pair[which] = timer.milliseconds(calls[which])
        pairs.append(pair)
        if len(pairs) % LEAST_PAIRS == 0:
            low, high = interval([a / b for a, b in pairs])
    ratios = [a / b for a, b in pairs]
    low, high = interval(ratios)
    return {
        "case": case["name"],
        "status": "ok" if low >= TARGET else "slower than the target",
        "baseline_ms": statistics.median(a for a, _ in pairs),
        "triton_ms": statistics.median(b for _, b in pairs),
        "speedup": statistics.median(ratios),
        "low": low,
        "high": high,
        "pairs": len(pairs),
        "max_error": error,
    }


def main():
    if DEVICE == "cpu":
        decline("there is no GPU, and the time of Triton's interpreter says nothing about the kernel")
    compiled = "--compile" in sys.argv[1:]
    baseline = torch.compile(baseline_function, dynamic=False) if compiled else baseline_function
    against = "torch.compile" if compiled else "PyTorch"
    timer = Timer()
    rows = [measure(case, timer, baseline) for case in CASES]
    reached = all(row["status"] == "ok" for row in rows)
    if "--json" in sys.argv[1:]:
        status = "ok" if reached else "target not reached"
        print(json.dumps({"operator": "attention_fp8", "device": DEVICE, "baseline": against, "target": TARGET, "status": status, "cases": rows}))
    else:
        print(f"attention_fp8 on {DEVICE}: Triton against {against}")
        for row in rows:
            if "speedup" not in row:
                print(f"  {row['case']:24} {row['status']}: {row['problem']}")
                continue
            print(
                f"  {row['case']:24} {row['baseline_ms']:.4f} ms against {row['triton_ms']:.4f} ms: "
                f"{row['speedup']:.3f}x [{row['low']:.3f}, {row['high']:.3f}], {row['pairs']} pairs"
            )
        print(f"target {TARGET:.2f}x {'reached' if reached else 'not reached'}")
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())
