# SPDX-License-Identifier: Apache-2.0
"""The `key` of `triton.autotune` as sizes of a trace's cases, and what Triton chose for each as rules by case
(docs/IMPORT.md)."""
from kernelgen_record import tuner_of
from kernelgen_trace_tunables import row_of

KEYS_OF_A_CASE = ("name", "dtype")


class Rules:
    """`sizes`: of each call, by name; empty where the calls do not differ in them. `configurations`: what calls have that
    differ from what all have."""

    def __init__(self, kernels: list, namespace: dict, calls: list):
        self.kernels, self.calls = kernels, calls
        taken = {tunable for each in kernels for tunable in each.tunables.values()}
        found = {}
        for kernel in kernels:
            for key in getattr(tuner_of(namespace.get(kernel.name)), "keys", []):
                values = [each.numbers.get(kernel.name, {}).get(key, 0) for each in calls]
                is_fit = key.isidentifier() and key not in taken and key not in KEYS_OF_A_CASE and min(values) >= 1
                if is_fit and len(set(values)) > 1 and found.get(key, values) == values:
                    found[key] = values
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
