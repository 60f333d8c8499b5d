# SPDX-License-Identifier: Apache-2.0
"""What a callable operator is on one case: its arguments' memory and views, its outputs. Found by making the inputs and
calling the reference (docs/CALLABLE.md)."""
import torch

from kernelgen_definition import Definition
from kernelgen_failures import Failure
from kernelgen_trees import (
    Arguments, as_tensor, bytes_in, checked_tensor, dtype_name, flattened, judged_as, named, names_in, rebuilt_arguments,
    view_of,
)

FIRST_SEED, OTHER_SEED = 1, 2


def leaf_text(leaf: list) -> str:
    return f"{leaf[1]}{leaf[2]}"


def contents_of(arguments: Arguments) -> list:
    return [bytes_in(each["memory"]) for each in arguments.storages]


def require_same_form(first: dict, other: dict) -> None:
    """Refuses inputs whose number, dtypes or shapes differ from one call of the generator to the next."""
    pairs = list(zip(first["leaves"], other["leaves"]))
    differ = [i for i, (a, b) in enumerate(pairs) if a != b]
    if differ:
        a, b = pairs[differ[0]]
        raise Failure("unavailable", f"the inputs differ from call to call: tensor {differ[0]} is {leaf_text(a)}, then "
                                     f"{leaf_text(b)}; a case has one shape")
    if first["tree"] != other["tree"] or len(first["leaves"]) != len(other["leaves"]):
        raise Failure("unavailable", "the arguments differ from call to call: a case has the same ones each time, and "
                                     "only the tensors' contents depend on the seed")


def require_same_contents(first: Arguments, again: Arguments) -> None:
    for number, (a, b) in enumerate(zip(contents_of(first), contents_of(again))):
        if not torch.equal(a, b):
            name = first.storages[number]["name"]
            raise Failure("unavailable", f"the input `{name}` is not the same for the same seed: draw it from the "
                                         "generator that `inputs` gets, or by torch's, numpy's or random's own functions")


def differs(a: torch.Tensor, b: torch.Tensor) -> bool:
    """Whether two results of the same inputs differ by more than another order of additions makes."""
    if a.dtype != b.dtype or a.shape != b.shape:
        return True
    if not (a.is_floating_point() or a.is_complex()):
        return not torch.equal(a, b)
    wide = torch.complex128 if a.is_complex() else torch.float64
    return not torch.allclose(a.to(wide), b.to(wide), rtol=1e-2, atol=1e-3, equal_nan=True)


class Described:
    """The reference called on one set of inputs."""

    def __init__(self, definition: Definition, arguments: Arguments):
        self.definition = definition
        copies = [each.clone() for each in contents_of(arguments)]
        views = [view_of(copies[leaf[0]], leaf) for leaf in arguments.leaves]
        self.positional, self.keywords = rebuilt_arguments(arguments.tree, views)
        definition.require(self.positional, self.keywords)
        self.leaves = []
        self.skeleton = flattened(definition.call(definition.function(), *self.positional, **self.keywords), self.leaves)
        self.names = names_in(self.skeleton)
        self.mutated = self.mutated_views(arguments, views)

    def mutated_views(self, arguments: Arguments, views: list) -> list:
        """(name, number of the leaf, its contents afterwards) of the arguments that the definition says are changed."""
        told = self.definition.find("mutates") or []
        parameters = self.definition.parameter_names()
        wanted = [parameters[each] if isinstance(each, int) and each < len(parameters) else each for each in told]
        names = [arguments.storages[leaf[0]]["name"] for leaf in arguments.leaves]
        unknown = [each for each in wanted if each not in names]
        if unknown:
            raise Failure("build_failed", f"{self.definition.source.file}: `mutates` names `{unknown[0]}`, which is no "
                                          f"tensor argument; there are: {', '.join(names)}")
        return [(name, i, views[i]) for i, name in enumerate(names) if name in wanted]

    def tensors(self) -> list:
        made = [checked_tensor(as_tensor(value, self.definition.reference.__name__), f"the result `{name}`")
                for name, value in zip(self.names, self.leaves)]
        return made + [view for _, _, view in self.mutated]

    def outputs(self) -> list:
        names = self.names + [f"{name}_after" for name, _, _ in self.mutated]
        return [output_of(name, tensor) for name, tensor in zip(names, self.tensors())]


def output_of(name: str, tensor: torch.Tensor) -> dict:
    if tensor.numel() == 0:
        raise Failure("unavailable", f"the reference says nothing: its result `{name}` is empty, {leaf_text_of(tensor)}")
    dtype, parts = judged_as(tensor.dtype)
    shape = list(tensor.shape)
    return {"name": named(name), "dtype": dtype, "extents": shape + ([parts] if parts > 1 else []),
            "torch_dtype": dtype_name(tensor.dtype), "shape": shape}


def leaf_text_of(tensor: torch.Tensor) -> str:
    return f"{dtype_name(tensor.dtype)}{list(tensor.shape)}"


def described(definition: Definition) -> dict:
    """All that other processes must know of the case."""
    arguments = definition.arguments(FIRST_SEED)
    form = arguments.describe()
    require_same_form(form, definition.arguments(OTHER_SEED).describe())
    require_same_contents(arguments, definition.arguments(FIRST_SEED))
    first = Described(definition, arguments)
    outputs = first.outputs()
    if not outputs:
        raise Failure("unavailable", "the reference says nothing: it returns no tensor, and the definition has no "
                                     "`mutates`")
    once_more = Described(definition, arguments)
    for output, a, b in zip(outputs, first.tensors(), once_more.tensors()):
        if differs(a, b):
            raise Failure("unavailable", f"the reference's result `{output['name']}` differs between two calls on the "
                                         "same inputs: it draws random numbers (dropout while training?) or keeps a "
                                         "state, so that nothing can be judged")
    return {**form, "outputs": outputs, "result": first.skeleton, "tolerance": definition.find("tolerance"),
            "mutated": [index for _, index, _ in first.mutated]}
