# SPDX-License-Identifier: Apache-2.0
"""What flows between the calls of a model: which call feeds which, and what a group of neighbours reads and writes as a
whole (docs/MODEL.md)."""
from kernelgen_model_trace import ModelCall, Trace

LONGEST_GROUP = 32


class Flow:
    """By memory: `writers` are the calls that write it, `readers` those that read it, in order."""

    def __init__(self, trace: Trace):
        self.calls = trace.numbered()
        self.results = {each.memory for each in trace.results}
        self.writers, self.readers = {}, {}
        for call in self.calls:
            for each in {value.memory for value in [*call.outputs, *call.written]}:
                self.writers.setdefault(each, []).append(call.number)
            for each in {value.memory for value in call.inputs}:
                self.readers.setdefault(each, []).append(call.number)

    def feeds(self, call: ModelCall, later: ModelCall) -> bool:
        """Whether `call` wrote, as the last one, what `later` reads."""
        memories = {value.memory for value in [*call.outputs, *call.written]} & {each.memory for each in later.inputs}
        return any(max(number for number in self.writers[each] if number < later.number) == call.number
                   for each in memories)

    def is_used_after(self, memory: int, number: int) -> bool:
        return memory in self.results or any(each > number for each in self.readers.get(memory, []))

    def made_in(self, first: int, last: int) -> list:
        """(call, place of its output, value) of what these calls make and others use, one for each memory."""
        found = {}
        for call in self.calls[first - 1 : last]:
            for place, value in enumerate(call.outputs):
                if value not in call.inputs and self.is_used_after(value.memory, last):
                    found.setdefault(value.memory, (call, place, value))
        return list(found.values())

    def traffic(self, first: int, last: int) -> tuple:
        """Bytes that these calls must read and write if nothing between them goes through memory."""
        calls = self.calls[first - 1 : last]
        made = {value.memory for call in calls for value in call.outputs if value not in call.inputs}
        read = {value.memory: value.bytes() for call in calls for value in call.inputs if value.memory not in made}
        changed = {value.memory: value.bytes() for call in calls for value in call.written if value.memory not in made}
        written = [value.bytes() for _, _, value in self.made_in(first, last)]
        return sum(read.values()), sum(written) + sum(changed.values())

    def is_fed(self, call: ModelCall, first: int) -> bool:
        """Whether one of the calls from `first` on, before `call`, feeds it."""
        return any(self.feeds(each, call) for each in self.calls[first - 1 : call.number - 1])

    def groups(self) -> list:
        """(first, last) of neighbours of which each is fed by one before it. A group begins anew with each contraction,
        which is fused with what follows it."""
        groups, first = [], 1
        for call, following in zip(self.calls, [*self.calls[1:], None]):
            goes_on = (following is not None and not following.counts.is_contraction and not following.is_random()
                       and not call.is_random() and call.number - first + 1 < LONGEST_GROUP
                       and self.is_fed(following, first))
            if not goes_on:
                if call.number > first:
                    groups.append((first, call.number))
                first = call.number + 1
        return groups
