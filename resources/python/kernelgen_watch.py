# SPDX-License-Identifier: Apache-2.0
"""What PyTorch's profiler tells of a call that is not timed: its operators, their dtypes, the memory that it holds."""
import collections
import re

import torch
from torch.autograd.profiler import profile as PROFILE

OPERATOR = re.compile(r"\w+::\w+")
NARROW = {"c10::Half": "float16", "c10::BFloat16": "bfloat16", "c10::Float8_e4m3fn": "float8_e4m3fn",
          "c10::Float8_e5m2": "float8_e5m2"}
LONGEST_ARGUMENTS = 24
# What moves or names memory and computes nothing.
MOVES = set("""to _to_copy copy_ clone contiguous empty empty_like empty_strided new_empty resize_ view reshape t
    transpose permute expand unsqueeze squeeze as_strided detach slice select narrow resolve_conj resolve_neg result_type
    lift_fresh item _local_scalar_dense is_nonzero zeros zeros_like new_zeros zero_ ones ones_like fill_ alias set_
    view_as expand_as flatten unflatten chunk split unbind""".split())


class Watch:
    """The most memory that PyTorch's allocator gives out while this is entered, beyond what it had given before; and with
    `lists` what is called. On a GPU memory needs no profiler."""

    def __init__(self, device: torch.device, lists: bool = False):
        self.device, self.is_gpu = device, device.type == "cuda"
        on_gpu = {"use_device": "cuda"} if self.is_gpu else {}
        profiles = lists or not self.is_gpu
        self.profile = PROFILE(use_kineto=True, profile_memory=True, record_shapes=lists, **on_gpu) if profiles else None
        self.events, self.before, self.peak_bytes = [], 0, 0

    def __enter__(self) -> "Watch":
        if self.is_gpu:
            torch.cuda.reset_peak_memory_stats(self.device)
            self.before = torch.cuda.memory_allocated(self.device)
        if self.profile:
            self.profile.__enter__()
        return self

    def __exit__(self, *error) -> None:
        if self.profile:
            self.profile.__exit__(*error)
            self.events = sorted(self.profile.kineto_results.events(), key=lambda each: (each.start_ns(), -each.end_ns()))
        if self.is_gpu:
            self.peak_bytes = torch.cuda.max_memory_allocated(self.device) - self.before
        else:
            self.peak_bytes = self.most_held()

    def most_held(self) -> int:
        held, most = 0, 0
        for each in self.events:
            if each.name() == "[memory]":
                held += each.nbytes()
                most = max(most, held)
        return most

    def operators(self) -> list:
        """The operators that compute, called from outside of others, in the order of their first calls."""
        return list(self.operator_counts())

    def operator_counts(self) -> collections.Counter:
        found, ends = collections.Counter(), {}
        for each in self.events:
            if not OPERATOR.fullmatch(each.name()) or each.start_ns() < ends.get(each.start_thread_id(), 0):
                continue
            ends[each.start_thread_id()] = each.end_ns()
            if each.name().split("::")[1] not in MOVES:
                found[each.name()] += 1
        return found

    def narrow_operators(self) -> dict:
        """The dtypes of fewer than 32 bits that operators take, with the first that computes in it."""
        found = {}
        for each in self.events:
            for dtype in set(each.dtypes()) & set(NARROW) if OPERATOR.fullmatch(each.name()) else ():
                if found.get(NARROW[dtype], "::to").split("::")[1] in MOVES:
                    found[NARROW[dtype]] = each.name()
        return found

    def device_kernels(self) -> list:
        """The kernels that ran on a GPU, each with how often it did where that is more than once."""
        names = [each.name() for each in self.events if each.device_type().name == "CUDA" and each.duration_ns() > 0]
        counts = collections.Counter(short_name(each) for each in names if not each.startswith(("Mem", "[", "##")))
        return [name if count == 1 else f"{name} ×{count}" for name, count in counts.items()]


def short_name(kernel: str) -> str:
    """Of a demangled kernel: without its result, namespaces and parameters; without template arguments where these are
    long."""
    name = kernel.removeprefix("void ").replace("(anonymous namespace)::", "").partition("(")[0]
    plain, bracket, arguments = name.partition("<")
    plain = plain.rpartition("::")[2]
    return plain + bracket + arguments if len(arguments) <= LONGEST_ARGUMENTS else plain
