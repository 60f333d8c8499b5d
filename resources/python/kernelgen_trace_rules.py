# SPDX-License-Identifier: Apache-2.0
"""The `key` of `triton.autotune` as sizes of a trace's cases, and what Triton chose for each as rules by case
(docs/IMPORT.md)."""
import re

from kernelgen_record import tuner_of
from kernelgen_trace_tunables import row_of

KEYS_OF_A_CASE = ("name", "dtype")
NAME = re.compile(r"(?!kg_)[A-Za-z][A-Za-z0-9_]{0,63}")


class Rules:
    """`sizes`: of each call, by name; empty where the calls do not differ in them. `configurations`: what calls have that
    differ from what all have. `unfit`: (kernel, key) of keys that no size of a case can be called; `words` cannot."""

    def __init__(self, kernels: list, namespace: dict, calls: list, words: list):
        self.kernels, self.calls, self.unfit = kernels, calls, []
        taken = {*words, *KEYS_OF_A_CASE, *(tunable for each in kernels for tunable in each.tunables.values())}
        found = {}
        for kernel in kernels:
            for key in getattr(tuner_of(namespace.get(kernel.name)), "keys", []):
                values = [each.numbers.get(kernel.name, {}).get(key, 0) for each in calls]
                if min(values) < 1 or len(set(values)) == 1 or found.get(key, values) != values:
                    continue
                if NAME.fullmatch(key) and key not in taken:
                    found[key] = values
                else:
                    self.unfit.append((kernel.name, key))
        self.names = list(found)
        self.sizes = [{name: found[name][i] for name in found} for i in range(len(calls))]
        self.configurations = self.rules() if found else []

    def values(self, call) -> dict:
        """The tunables as they were chosen for a call, where that is not what all have."""
        values = {}
        for kernel in self.kernels:
            config = call.chosen.get(kernel.name)
            row = row_of(config) if config is not None else kernel.chosen
            values |= {tunable: int(row[name]) for name, tunable in kernel.tunables.items()
                       if row[name] != kernel.chosen[name]}
        return values

    def rules(self) -> list:
        found = {}
        for sizes, call in zip(self.sizes, self.calls):
            when = " and ".join(f"{name} == {value}" for name, value in sizes.items())
            found.setdefault(when, []).append(self.values(call))
        return [{"when": when, "values": all_[0]} for when, all_ in found.items()
                if all_[0] and all(each == all_[0] for each in all_)]
