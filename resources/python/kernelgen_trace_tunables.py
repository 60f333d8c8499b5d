# SPDX-License-Identifier: Apache-2.0
"""The configurations of `triton.autotune` as tunables of what a trace judges (docs/IMPORT.md)."""
import inspect

import triton

from kernelgen_autotune import TunedKernel, TunedText, Unfit
from kernelgen_record import tuner_of
from kernelgen_said import say
from kernelgen_sources import Source, top_level_functions

OPTIONS = {name: each.default for name, each in inspect.signature(triton.Config).parameters.items()
           if each.default is not each.empty and name != "pre_hook"}


def row_of(config) -> dict:
    return {**config.kwargs, **{name: getattr(config, name) for name in OPTIONS}}


def constructor_in(namespace: dict) -> str:
    """What the file calls `triton.Config`."""
    for name, value in namespace.items():
        if value is triton or value is triton.Config:
            return name + (".Config" if value is triton else "")
    raise Unfit(say("the file imports `triton` by no name"))


class Tunables(TunedText):
    """Those of a solution, and its `text` with them. `notes`: (line, message) of the kernels whose configurations stay
    as they are."""

    def __init__(self, text: str, namespace: dict, launched: list):
        self.source, self.namespace, self.notes = Source(text), namespace, []
        self.constructor = ""
        kernels = [each for name in dict.fromkeys(launched) for each in self.tuned(name)]
        super().__init__(self.source, kernels, self.constructor)

    def tuned(self, name: str) -> list:
        """The kernel of this name, if it has configurations to choose from."""
        tuner = tuner_of(self.namespace.get(name))
        if tuner is None or len(tuner.configs) < 2:
            return []
        function = next((each for each in reversed(top_level_functions(self.source)) if each.name == name), None)
        try:
            if function is None:
                raise Unfit(say("it is not defined at the file's top level"))
            if any(each.pre_hook for each in tuner.configs):
                raise Unfit(say("they have hooks"))
            chosen = row_of(getattr(tuner, "best_config", tuner.configs[0]))
            kernel = TunedKernel(function, [row_of(each) for each in tuner.configs], chosen, OPTIONS)
            self.constructor = constructor_in(self.namespace)
        except Unfit as why:
            stay = say("the configurations of `{}` stay Triton's own choice, without tunables: {}", name, why.args[0])
            self.notes.append((function.lineno if function else 0, stay))
            return []
        return [kernel] if kernel.varying else []
