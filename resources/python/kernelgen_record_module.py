# SPDX-License-Identifier: Apache-2.0
"""A call of a module as a call of a function (docs/IMPORT.md): of its inputs, its parameters and buffers, what the
module was made with, and whether it is training."""
import inspect

import torch

from kernelgen_failures import Failure
from kernelgen_said import say
from kernelgen_trees import has_tensor, named

# Without local names, which arguments may have.
MADE_ONCE = '''

{name}_modules = {{}}


def {name}({parameters}):  # what is judged
    if str({made_with}) not in {name}_modules:
        {name}_modules[str({made_with})] = {kind}(**{made_with})
    return {called}
'''
MADE_ANEW = '''

def {name}({parameters}):  # what is judged
    return {called}
'''


def bound(function, args: tuple, kwargs: dict) -> dict:
    """The arguments by the parameters' names; refused where some have none."""
    try:
        found = inspect.signature(function).bind(*args, **kwargs)
    except (TypeError, ValueError) as error:
        raise Failure("unavailable", say("its call is not understood: {}", error)) from None
    found.apply_defaults()
    for each in found.signature.parameters.values():
        if each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD) and found.arguments.pop(each.name):
            raise Failure("unavailable", say("it takes `{}`: these arguments have no names", each))
    return dict(found.arguments)


class ModuleFunction:
    """`values`: the arguments of the function that a module's call is, by their names. Called, it calls the module."""

    def __init__(self, module: torch.nn.Module, made_with: tuple, args: tuple, kwargs: dict, call):
        self.kind = type(module).__name__
        self.call = lambda: call(module, *args, **kwargs)
        self.values = bound(module.forward, args, kwargs)
        self.inputs = list(self.values)
        tensors = {**dict(module.named_parameters()), **dict(module.named_buffers())}
        self.tensors = {path: self.added(path, each) for path, each in tensors.items()}
        made_with = bound(type(module).__init__, (module, *made_with[0]), made_with[1])
        made_with.pop(next(iter(made_with)))  # the module
        self.is_made_once = not has_tensor(made_with)
        self.made_with = self.added("made_with", made_with)
        self.training = self.added("training", module.training)
        self.__wrapped__ = type(module).forward  # where it is defined
        self.__signature__ = inspect.Signature([inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD)
                                                for name in self.values])

    def added(self, path: str, value) -> str:
        name = named(path) if named(path).isidentifier() else "of_" + named(path)
        while name in self.values:
            name += "_"
        self.values[name] = value
        return name

    def __call__(self, *values):
        return self.call()

    def text(self, name: str) -> str:
        """The function in Python. A module that is made of tensors is made anew for each call."""
        module = f"{name}_modules[str({self.made_with})]" if self.is_made_once else f"{self.kind}(**{self.made_with})"
        tensors = ", ".join(f'"{path}": {each}' for path, each in self.tensors.items())
        inputs = ", ".join(f'"{each}": {each}' for each in self.inputs)
        called = f"torch.func.functional_call({module}.train({self.training}), {{{tensors}}}, kwargs={{{inputs}}})"
        return (MADE_ONCE if self.is_made_once else MADE_ANEW).format(
            name=name, parameters=", ".join(self.values), made_with=self.made_with, kind=self.kind, called=called)
