# SPDX-License-Identifier: Apache-2.0
"""What a callable operator is on one case: its arguments' memory and views, its outputs. Found by making the inputs and
calling the reference (docs/CALLABLE.md)."""
import torch

from kernelgen_definition import Definition
from kernelgen_failures import Failure
from kernelgen_gradients import (
    add_upstream, call_and_go_back, differentiable, gradient_names, has_gradient, wanted_gradients,
)
from kernelgen_said import say
from kernelgen_tensors import dtype_name
from kernelgen_trees import (
    Arguments, as_tensor, bytes_in, checked_tensor, flattened, judged_as, named, names_in, rebuilt_arguments, view_of,
)
from kernelgen_watch import Watch

FIRST_SEED, OTHER_SEED = 1, 2
# Default tolerances (docs/ACCURACY.md).
CLOSE = {torch.float32: (1.3e-6, 1e-5), torch.float16: (1e-3, 1e-3), torch.bfloat16: (1.6e-2, 1e-2)}


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
        raise Failure("unavailable", say("the inputs differ from call to call: tensor {} is {}, then {}; a case has one "
                                         "shape", differ[0], leaf_text(a), leaf_text(b)))
    if first["tree"] != other["tree"] or len(first["leaves"]) != len(other["leaves"]):
        raise Failure("unavailable", say("the arguments differ from call to call: a case has the same ones each time, and "
                                         "only the tensors' contents depend on the seed"))


def require_same_contents(first: Arguments, again: Arguments) -> None:
    for number, (a, b) in enumerate(zip(contents_of(first), contents_of(again))):
        if not torch.equal(a, b):
            name = first.storages[number]["name"]
            raise Failure("unavailable",
                          say("the input `{}` is not the same for the same seed: draw it from the generator that `inputs` "
                              "gets, or by torch's, numpy's or random's own functions", name))


def same_contents(first: Arguments, other: Arguments, changed: list) -> list:
    """Those of the storages that hold the same for both seeds, but for the `changed` ones, which a call writes."""
    pairs = list(zip(contents_of(first), contents_of(other)))
    return [i for i, pair in enumerate(pairs) if torch.equal(*pair) and first.storages[i]["name"] not in changed]


def differs(a: torch.Tensor, b: torch.Tensor) -> bool:
    """Whether two results of the same inputs differ by more than another order of additions makes."""
    if a.dtype != b.dtype or a.shape != b.shape:
        return True
    if not (a.is_floating_point() or a.is_complex()):
        return not torch.equal(a, b)
    wide = torch.complex128 if a.is_complex() else torch.float64
    return not torch.allclose(a.to(wide), b.to(wide), rtol=1e-2, atol=1e-3, equal_nan=True)


class Described:
    """The reference called on one set of inputs. `gradients`: of what they are results too, and `outputs` of what."""

    def __init__(self, definition: Definition, arguments: Arguments, gradients: dict | None = None, outputs: list = ()):
        self.definition = definition
        copies = [each.clone() for each in contents_of(arguments)]
        views = differentiable([view_of(copies[leaf[0]], leaf) for leaf in arguments.leaves], gradients)
        positional, keywords = rebuilt_arguments(arguments.tree, views)
        definition.require(positional, keywords)
        function = definition.function()

        def call():
            return definition.call(function, *positional, **keywords)

        with Watch(definition.device) as watch:
            self.call_reference(call, gradients, outputs, views)
        self.peak_bytes = watch.peak_bytes
        self.names = names_in(self.skeleton) + (gradient_names(gradients, arguments) if outputs else [])
        self.mutated = self.mutated_views(arguments, views)

    def call_reference(self, call, gradients: dict | None, outputs: list, views: list) -> None:
        definition = self.definition
        if outputs:
            self.skeleton, self.leaves = call_and_go_back(call, gradients, outputs, views, definition.parameters(),
                                                          definition.reference.__name__)
        else:
            self.leaves = []
            with torch.set_grad_enabled(gradients is not None):
                self.skeleton = flattened(call(), self.leaves)

    def mutated_views(self, arguments: Arguments, views: list) -> list:
        """(name, number of the leaf, its contents afterwards) of the arguments that the definition says are changed."""
        wanted = self.definition.named_arguments("mutates", arguments)
        names = [arguments.storages[leaf[0]]["name"] for leaf in arguments.leaves]
        return [(name, i, views[i]) for i, name in enumerate(names) if name in wanted]

    def tensors(self) -> list:
        made = [checked_tensor(as_tensor(value, self.definition.reference.__name__), say("the result `{}`", name))
                for name, value in zip(self.names, self.leaves)]
        return made + [view for _, _, view in self.mutated]

    def outputs(self) -> list:
        names = self.names + [f"{name}_after" for name, _, _ in self.mutated]
        return [output_of(name, tensor) for name, tensor in zip(names, self.tensors())]


def output_of(name: str, tensor: torch.Tensor) -> dict:
    if tensor.numel() == 0:
        raise Failure("unavailable", say("the reference says nothing: its result `{}` is empty, {}", name,
                                         leaf_text_of(tensor)))
    dtype, parts = judged_as(tensor.dtype)
    shape = list(tensor.shape)
    return {"name": named(name), "dtype": dtype, "extents": shape + ([parts] if parts > 1 else []),
            "torch_dtype": dtype_name(tensor.dtype), "shape": shape}


def leaf_text_of(tensor: torch.Tensor) -> str:
    return f"{dtype_name(tensor.dtype)}{list(tensor.shape)}"


def gradients_of(definition: Definition, arguments: Arguments) -> tuple:
    """What `backward` asks for, with the results that autograd goes back from, and the outputs with gradients. The
    gradients from behind the results join the arguments."""
    gradients = wanted_gradients(definition, arguments)
    if gradients is None:
        return None, []
    forward = Described(definition, arguments, gradients)
    outputs = forward.outputs()
    gradients["results"] = [i for i, each in enumerate(forward.leaves) if has_gradient(each) and each.requires_grad]
    if not gradients["results"]:
        raise Failure("unavailable",
                      say("`backward` asks for gradients, but no result of the reference has a grad_fn: none depends on a "
                          "named argument by operations that autograd knows"))
    gradients["upstream"] = [len(arguments.leaves) + i for i in range(len(gradients["results"]))]
    add_upstream(arguments, outputs, gradients, FIRST_SEED)
    wanted = [arguments.tensors[i] for i in gradients["leaves"]]
    wanted += [definition.parameters()[name] for name in gradients["parameters"]]
    return gradients, outputs + [output_of(name, each) for name, each in zip(gradient_names(gradients, arguments), wanted)]


def first_difference(outputs: list, first: Described, other: Described) -> str:
    """The first result that differs between two calls; "": none."""
    pairs = zip(outputs, first.tensors(), other.tensors())
    return next((output["name"] for output, a, b in pairs if differs(a, b)), "")


def require_same_results(outputs: list, first: Described, again: Described) -> None:
    name = first_difference(outputs, first, again)
    if name:
        raise Failure("unavailable",
                      say("the reference's result `{}` differs between two calls on the same inputs: it draws random "
                          "numbers (dropout while training?) or keeps a state that is no buffer of a module, so that "
                          "nothing can be judged", name))


def require_more_than_identity(outputs: list, arguments: Arguments, first: Described) -> None:
    """Refuses a result that is an argument but for less than the tolerance: a copy would pass. An exact copy may be
    what is wanted."""
    for output, result in zip(outputs, first.tensors()):
        for name, each in zip(arguments.names, arguments.tensors):
            if not is_close(result, each) or torch.equal(result, each):
                continue
            raise Failure("unavailable",
                          say("the reference says nothing: its result `{}` is `{}` within the tolerance, so that a kernel "
                              "need not compute anything", output["name"], name))


def is_close(result: torch.Tensor, argument: torch.Tensor) -> bool:
    if result.dtype != argument.dtype or result.shape != argument.shape or not result.is_floating_point():
        return False
    rtol, atol = CLOSE.get(result.dtype, (1e-12, 1e-13))
    result, argument = result.double(), argument.double()
    return torch.allclose(result, argument, rtol=rtol, atol=atol * float(argument.square().mean().sqrt().clamp(max=1)))


def described(definition: Definition) -> dict:
    """All that other processes must know of the case."""
    arguments, other = definition.arguments(FIRST_SEED), definition.arguments(OTHER_SEED)
    require_same_form(arguments.describe(), other.describe())
    require_same_contents(arguments, definition.arguments(FIRST_SEED))
    gradients, outputs = gradients_of(definition, arguments)

    def call() -> Described:
        return Described(definition, arguments, gradients, outputs)

    definition.restore()
    first = call()
    found = outputs or first.outputs()
    if not found:
        raise Failure("unavailable", say("the reference says nothing: it returns no tensor, and the definition has no "
                                         "`mutates`"))
    require_more_than_identity(found, arguments, first)
    definition.restore()
    require_same_results(found, first, call())
    keeps_state = definition.has_state() and first_difference(found, first, call()) != ""
    linked = definition.linked(arguments)
    constant = same_contents(arguments, other, definition.named_arguments("mutates", arguments))
    return {**arguments.describe(), "outputs": found, "linked": linked, "constant": constant,
            "result": first.skeleton, "gradients": gradients,
            "keeps_state": keeps_state, "only_cases": definition.has_only_cases(), "peak_bytes": first.peak_bytes,
            "tolerance": definition.find("tolerance"),
            "mutated": [index for _, index, _ in first.mutated]}
