# SPDX-License-Identifier: Apache-2.0
"""Times of single calls of operators, and of a whole model (docs/MODEL.md)."""
import statistics
import time

import torch
from torch.utils._pytree import tree_map_only

from kernelgen_model_trace import tensors_in, written_arguments

LEAST_RUNS, MOST_RUNS = 3, 25
BUDGET = 0.25  # seconds for the runs of one call
CLOCK = time.perf_counter


class Stopwatch:
    """Times on the processors. `flush(address, bytes)` drops memory from their caches."""

    def __init__(self, flush):
        self.flush = flush

    def make_cold(self, tensors: list) -> None:
        storages = [each.untyped_storage() for each in tensors]
        for address, size in {each.data_ptr(): each.nbytes() for each in storages}.items():
            if size:
                self.flush(address, size)

    def seconds(self, function) -> float:
        begin = CLOCK()
        function()
        return CLOCK() - begin


class DeviceStopwatch(Stopwatch):
    """Times on a GPU, by events. Filling a buffer twice as large as the L2 makes it cold, and keeps the device busy
    until the call is enqueued."""

    def __init__(self, device: torch.device):
        size = torch.cuda.get_device_properties(device).L2_cache_size
        self.buffer = torch.empty(max(2 * size, 1 << 26), dtype=torch.uint8, device=device)

    def make_cold(self, tensors: list) -> None:
        self.buffer.zero_()

    def seconds(self, function) -> float:
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        function()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end) * 1e-3


def sampled(one, budget: float) -> list:
    """Times of a call, a few at least, until the budget is spent."""
    times, begin = [], CLOCK()
    one()  # the first one may compile, or allocate what later ones find
    while len(times) < LEAST_RUNS or (len(times) < MOST_RUNS and CLOCK() - begin < budget):
        times.append(one())
    return times


def time_of_call(stopwatch: Stopwatch, function, args: tuple, kwargs: dict) -> tuple:
    """(median seconds, runs) of one call with cold caches. What it changes are copies; random numbers that it draws are
    drawn again afterwards."""
    changed = {id(each) for each in written_arguments(function, args, kwargs)}
    own = lambda each: each.clone() if id(each) in changed else each
    args, kwargs = tree_map_only(torch.Tensor, own, (args, kwargs))
    tensors = tensors_in((args, kwargs))

    def one() -> float:
        stopwatch.make_cold(tensors)
        return stopwatch.seconds(lambda: function(*args, **kwargs))

    devices = [each for each in {each.device for each in tensors} if each.type == "cuda"]
    with torch.random.fork_rng(devices):
        times = sampled(one, BUDGET)
    return statistics.median(times), len(times)


def time_of_whole(stopwatch: Stopwatch, function, budget: float) -> list:
    """Times of a model as it runs, caches as its own calls leave them."""
    return sampled(lambda: stopwatch.seconds(function), budget)
