# SPDX-License-Identifier: Apache-2.0
"""Which arguments of a recorded call belong together, and the text that makes them so (docs/IMPORT.md): as the tests made
them, or with the values that were seen."""
import base64
import zlib

import torch

from kernelgen_draws import LITERAL_ELEMENTS, dtype_text, literal_text
from kernelgen_trace_program import Unrepeatable

MOST_KEPT = 1 << 20  # characters of all values that a case keeps
UNKNOWN = {"random", "opaque"}


class Linked:
    """`bases`: for storages, the text of the tensor that their memory is made as, and its form; `lines` make them.
    `names`: of these arguments; `kept`: of those with the values that were seen; `apart`: of those that are drawn one by
    one though they belong together: their values are too many to keep."""

    def __init__(self, call, program):
        self.call, self.program = call, program
        self.lines, self.bases = [], {}
        self.names, self.kept, self.apart = [], [], []
        steps, room = 0, MOST_KEPT
        for group in groups_of(call):
            if not self.belongs_together(group):
                continue
            if self.can_be_repeated(group):
                steps |= behind(call, group)
                self.take(group, {i: (call.origins[i][0].text(), call.origins[i][1]) for i in group})
                continue
            kept = {i: self.as_seen(i) for i in group}
            room -= sum(len(text) for text, _ in kept.values())
            if room < 0:
                self.apart += [self.name(i) for i in group]
                continue
            self.kept += [self.name(i) for i in group]
            self.lines += [f"kept_{i} = {text}" for i, (text, _) in kept.items()]
            self.take(group, {i: (f"kept_{i}", form) for i, (_, form) in kept.items()})
        self.lines += program.lines(steps)

    def name(self, storage: int) -> str:
        return self.call.arguments.storages[storage]["name"]

    def take(self, group: list, bases: dict) -> None:
        self.bases.update(bases)
        self.names += [self.name(i) for i in group]

    def belongs_together(self, group: list) -> bool:
        """Whether drawing each argument by itself, from the range of its values, would lose what the tests made."""
        steps = behind(self.call, group)
        kinds = self.program.kinds_in(steps)
        if len(group) > 1:
            return not kinds <= {"form", "factory", "random"} or self.is_read(steps)
        if self.is_read(steps):
            return True
        if "opaque" in kinds:
            return False
        return "computed" in kinds or ("elementwise" in kinds and not kinds & UNKNOWN)

    def is_read(self, steps: int) -> bool:
        """Whether numbers of the call may follow from such values."""
        return bool(self.program.kinds_in(steps & self.call.read) & UNKNOWN)

    def can_be_repeated(self, group: list) -> bool:
        dtypes = [self.call.arguments.storages[i]["dtypes"] for i in group]
        forms = [self.call.origins[i][1][0] for i in group]
        if self.is_read(behind(self.call, group)) or any(each != {form} for each, form in zip(dtypes, forms)):
            return False
        try:
            self.program.lines(behind(self.call, group))
            return True
        except Unrepeatable:
            return False

    def as_seen(self, storage: int) -> tuple:
        """A storage with its values, and its form."""
        memory = self.call.before[storage]
        dtypes = self.call.arguments.storages[storage]["dtypes"]
        dtype = next(iter(dtypes)) if len(dtypes) == 1 else torch.uint8
        values = memory[: memory.numel() // dtype.itemsize * dtype.itemsize].view(dtype)
        form = dtype, tuple(values.shape), (1,), 0
        if values.numel() <= LITERAL_ELEMENTS and not dtype.is_floating_point and not dtype.is_complex:
            return literal_text(tuple(values.shape), values), form
        content = bytes(values.view(torch.uint8).cpu().numpy())
        data = base64.b85encode(zlib.compress(content)).decode()
        return f'kept({values.numel()}{dtype_text(dtype) if dtype != torch.float32 else ""}, data={data!r})', form


class Apart:
    """Of a call whose arguments are drawn one by one, though those of `names` belong together."""

    def __init__(self, names: list):
        self.lines, self.bases, self.names, self.kept, self.apart = (), {}, (), (), names


def groups_of(call) -> list:
    """Storages by number, those together that have a step in common."""
    groups = []
    for storage, (_, _, steps) in enumerate(call.origins):
        alike = [each for each in groups if behind(call, each) & steps]
        groups = [each for each in groups if each not in alike] + [sorted(sum(alike, [storage]))]
    return groups


def behind(call, group: list) -> int:
    steps = 0
    for i in group:
        steps |= call.origins[i][2]
    return steps
