# SPDX-License-Identifier: Apache-2.0
"""Gradients as results of a callable operator: what its definition's `backward` asks for (docs/CALLABLE.md). The
gradients that come from behind the results are arguments too, which the function does not get."""
import torch

from kernelgen_failures import Failure
from kernelgen_said import say
from kernelgen_tensors import differs_from_reference, dtype_name
from kernelgen_trees import Arguments, flattened

PARAMETERS = "parameters"
UPSTREAM_SEED = 7_654_321

# As they are before any other file is executed.
BACKWARD, ENABLED, PLAIN = torch.autograd.grad, torch.enable_grad, torch.Tensor.detach


def called_as_written(function, source):
    """A function whose file asks autograd for gradients itself is called with autograd, as its author calls it; all others
    without."""
    return ENABLED()(function) if source.asks_gradients else function


def has_gradient(value) -> bool:
    return isinstance(value, torch.Tensor) and (value.is_floating_point() or value.is_complex())


def wanted_gradients(definition, arguments: Arguments) -> dict | None:
    """The arguments, by number, and the parameters, by name, whose gradients are results."""
    told = definition.find("backward")
    if told is None or told is False or callable(told):
        return None
    if told is not True and not (isinstance(told, (list, tuple)) and all(isinstance(each, str) for each in told)):
        raise definition.fails(say("`backward` is {}; it is True, or a list of names of arguments", repr(told)))
    if definition.find("mutates"):
        raise definition.fails(say("`backward` and `mutates` cannot be together: autograd does not go back through an "
                                   "argument that was changed"))
    known = {arguments.names[i]: i for i, each in enumerate(arguments.tensors) if has_gradient(each)}
    names = list(known) if told is True else [each for each in told if each != PARAMETERS]
    for name in names:
        if name not in known:
            raise definition.fails(say("`backward` names `{}`, which is no floating-point argument; there are: {}, and "
                                       "`parameters` of a module", name, ", ".join(known)))
    parameters = [name for name, each in definition.parameters().items() if each.requires_grad]
    return {"leaves": [known[name] for name in names], "results": [], "upstream": [],
            "parameters": parameters if told is not True and PARAMETERS in told else []}


def gradient_names(told: dict, arguments: Arguments) -> list:
    return ["grad_" + each for each in [arguments.names[i] for i in told["leaves"]] + told["parameters"]]


def differentiable(leaves: list, told: dict | None) -> list:
    """The leaves; autograd goes back to those whose gradients are wanted."""
    wanted = told["leaves"] if told else []
    return [PLAIN(each).requires_grad_() if i in wanted else each for i, each in enumerate(leaves)]


def add_upstream(arguments: Arguments, outputs: list, told: dict | None, seed: int) -> None:
    """Draws a gradient for each result that autograd goes back from, and appends it to the arguments' leaves."""
    for place in told["results"] if told else []:
        generator = torch.Generator().manual_seed(UPSTREAM_SEED + 1000 * seed + place)
        dtype = getattr(torch, outputs[place]["torch_dtype"])
        drawn_in = dtype if dtype.itemsize >= 4 else torch.float32
        drawn = torch.randn(outputs[place]["shape"], generator=generator, dtype=drawn_in).to(dtype)
        arguments.take_tensor(drawn, "grad_" + outputs[place]["name"])


def result_to_differentiate(value, name: str, output: str, gradient: torch.Tensor):
    if not isinstance(value, torch.Tensor) or not value.requires_grad:
        raise Failure("launch_failed",
                      say("`{}` returns `{}` without a grad_fn, so that autograd cannot go back from it: compute it by "
                          "PyTorch's operations, or by a torch.autograd.Function with a `backward`, and neither detach it "
                          "nor write it under torch.no_grad()", name, output))
    for what, actual, wanted in (("dtype", dtype_name(value.dtype), dtype_name(gradient.dtype)),
                                 ("shape", tuple(value.shape), tuple(gradient.shape))):
        if actual != wanted:
            raise Failure("launch_failed", differs_from_reference(name, output, what, actual, wanted))
    return value


def parameters_named(names: list, parameters: dict, name: str) -> list:
    missing = [each for each in names if each not in parameters]
    if missing:
        raise Failure("launch_failed",
                      say("`{}` has no parameter `{}`, whose gradient is a result: give its module the parameters of the "
                          "reference's, by the same names", name, missing[0]))
    return [parameters[each] for each in names]


def call_and_go_back(call, told: dict, outputs: list, leaves: list, parameters: dict, name: str) -> tuple:
    """How the results stand in what `call` returns; the results, and the gradients of what is wanted. What does not take
    part has a gradient of zeros."""
    values = []
    wanted = [leaves[i] for i in told["leaves"]] + parameters_named(told["parameters"], parameters, name)
    upstream = [leaves[i] for i in told["upstream"]]
    with ENABLED():
        skeleton = flattened(call(), values)
        if len(values) != len(outputs) - len(wanted):
            return skeleton, values  # which is refused by its form
        results = [result_to_differentiate(values[place], name, outputs[place]["name"], gradient)
                   for place, gradient in zip(told["results"], upstream)]
        gradients = BACKWARD(results, wanted, upstream, allow_unused=True, materialize_grads=True)
    return skeleton, [PLAIN(each) if isinstance(each, torch.Tensor) else each for each in values] + list(gradients)
