# SPDX-License-Identifier: Apache-2.0
"""The reference of a traced function: what to type where there is none, and whether it gives what the function gave."""
import torch

import kernelgen_failures as failures
from kernelgen_definition import seed_all
from kernelgen_guess import guesses
from kernelgen_import_callable import Refused
from kernelgen_said import Said, say
from kernelgen_trace_text import Reference, changed_names, paths_of
from kernelgen_tensors import dtype_name
from kernelgen_trees import Arguments, flattened, form_text

TELLING_ERROR = 0.05  # relative to the largest value: more than rounding in any dtype


def tensor_text(value: torch.Tensor) -> str:
    return f"{dtype_name(value.dtype)}{list(value.shape)}"


def tensors_text(values: list) -> str:
    return ", ".join(tensor_text(each) for each in values) or say("nothing")


def argument_text(tree: dict, tensors: list) -> str:
    """"[float32[4], 2]" of a list with a tensor and a number."""
    (kind, value), = tree.items()
    if kind == "tensor":
        return tensor_text(tensors[value])
    if kind == "dict":
        return "{" + ", ".join(f"{key!r}: {argument_text(each, tensors)}" for key, each in value) + "}"
    if kind in ("list", "tuple"):
        inside = ", ".join(argument_text(each, tensors) for each in value)
        return f"[{inside}]" if kind == "list" else f"({inside}{',' if len(value) == 1 else ''})"
    return repr(value) if kind == "value" else str(value)


def called_text(call) -> Said:
    """"add(x: float32[4], y: float32[4]) gave float32[4]"."""
    trees = [*call.arguments.tree["positional"], *call.arguments.tree["keywords"].values()]
    names = [*call.names, *call.arguments.tree["keywords"]]
    told = []
    for i, tree in enumerate(trees):
        told.append((names[i] + ": " if i < len(names) else "") + argument_text(tree, call.arguments.tensors))
    called, results, changed = f"{call.name}({', '.join(told)})", tensors_text(call.results), changed_names([call])
    if changed:
        return say("{} gave {} and changed {}", called, results, ", ".join(changed))
    return say("{} gave {}", called, results)


def no_reference(request: dict, file, call) -> Refused:
    found, called = guesses(file.tree, call.name), called_text(call)
    why = say("there is no reference for the call {}", called)
    if found:
        why = say("there is no reference for the call {}; the guess would be --reference '{}'", called, found[0])
    made = Refused(request["file"], call.line, why,
                   say("give one line of PyTorch: --reference 'lambda {}: …', or a function of the file",
                       ", ".join(call.names) or "*arguments"))
    made.told["lacks_reference"] = True  # kernelgen_trace.py keeps this answer
    return made


def reference_of(request: dict, file, calls: list) -> Reference:
    if not request["reference"]:
        raise no_reference(request, file, calls[0])
    try:
        return Reference(request["reference"], file.tree, calls, file.namespace)
    except (SyntaxError, ValueError) as error:
        why = getattr(error, "msg", error)
        raise Refused(request["file"], 0, say("--reference {} does not parse: {}", repr(request["reference"]), why),
                      say("give an expression such as 'lambda x, w: torch.relu(x @ w)'")) from None


class Tried:
    """A definition that was written, executed. Its reference is the user's; what it raises is a refusal."""

    def __init__(self, request: dict, definition: str, calls: list):
        self.request = request
        self.namespace = {"__name__": "definition"}
        self.guarded(calls[0], lambda: exec(compile(definition, "definition.py", "exec"), self.namespace))

    def guarded(self, call, work):
        try:
            return work()
        except Refused:
            raise
        except BaseException as error:
            raise Refused(self.request["file"], 0,
                          say("--reference {} fails: {}", repr(self.request["reference"]), failures.said_by(error)),
                          say("it is called as {}", called_text(call))) from None

    def results(self, positional: list, keywords: dict) -> tuple:
        """How the results stand, and the results."""
        values = []
        skeleton = flattened(self.namespace["reference"](*positional, **keywords), values)
        return skeleton, [torch.as_tensor(each) for each in values]

    def difference(self, call) -> tuple:
        """(by how much the reference differs from what the call gave, in what), or (); refused where it gives another
        form."""
        positional, keywords, leaves = call.again()
        if keywords:
            positional, keywords = [], {**dict(zip(call.names, positional)), **keywords}
        skeleton, values = self.guarded(call, lambda: self.results(positional, keywords))
        shapes = [[each.shape for each in made] for made in (values, call.results)]
        if str(skeleton) != str(call.skeleton) or shapes[0] != shapes[1]:
            raise Refused(self.request["file"], call.line, gives_another(values, skeleton, call),
                          say("the reference returns what the function returns, in the same form"))
        arguments = [f"`{path}`" for _, path in sorted(paths_of(call).items())]
        places = [say("its result {}", i) for i in range(1, len(values) + 1)] + arguments
        pairs = [*zip(values, call.results), *zip(leaves, call.tensors_after())]
        errors = [(relative_error(a, b), place) for (a, b), place in zip(pairs, places) if a.numel()]
        error, place = max(errors, key=lambda each: each[0], default=(0, ""))
        return (f"{error:.3g}", place) if error > TELLING_ERROR else ()

    def why_no_gradients(self, call, names: list) -> str:
        """"" where autograd goes back through the reference."""
        positional, keywords, leaves = call.again()
        if keywords:
            positional, keywords = [], {**dict(zip(call.names, positional)), **keywords}
        wanted = [each.requires_grad_() for each, name in zip(leaves, call.arguments.names) if name in names]
        try:
            with torch.enable_grad():
                results = [each for each in self.results(positional, keywords)[1] if each.requires_grad]
                if not results:
                    return say("no result has a grad_fn")
                torch.autograd.grad(results, wanted, [torch.ones_like(each) for each in results], allow_unused=True)
        except Exception as error:
            return failures.said_by(error)
        return ""

    def inputs(self, number: int, call, seed: int) -> tuple:
        """(arguments by place, by name) of a case for a seed."""
        seed_all(seed)
        generator = torch.Generator(call.device).manual_seed(seed)
        with call.device:
            given = self.namespace["inputs"]({"name": f"call_{number}"}, generator, call.device)
        return ([], given) if isinstance(given, dict) else (given, {})

    def makes(self, number: int, call) -> bool:
        """Whether each seed's inputs have the form of what was seen."""
        for seed in (1, 2):
            try:
                positional, keywords = self.inputs(number, call, seed)
            except Exception:  # a random draw may make sizes that do not fit
                return False
            if Arguments([*positional, *keywords.values()], {}, [], call.device).leaves != call.arguments.leaves:
                return False
        return True

    def depends_on_inputs(self, number: int, call) -> bool:
        """Whether the reference's results on two draws of a case's inputs differ, and have finite elements; else it says
        nothing."""
        drawn = []
        for seed in (1, 2):
            positional, keywords = self.guarded(call, lambda: self.inputs(number, call, seed))
            values = self.guarded(call, lambda: self.results(positional, keywords))[1]
            drawn.append(values + [each for each in [*positional, *keywords.values()]
                                   if call.changed and isinstance(each, torch.Tensor)])
        drawn = [[widest(each) for each in of_seed] for of_seed in drawn]
        has_finite = all(each.isfinite().any() for each in drawn[0] if each.numel())
        return has_finite and any(not a.equal(b) for a, b in zip(*drawn))


def gives_another(values: list, skeleton, call) -> Said:
    gives, called = tensors_text(values), called_text(call)
    if str(skeleton) == str(call.skeleton):
        return say("the reference gives {} where {}", gives, called)
    return say("the reference gives {} in the form {}, not {}, where {}", gives, form_text(skeleton),
               form_text(call.skeleton), called)


def widest(value: torch.Tensor) -> torch.Tensor:
    """In a dtype of which PyTorch has all operators."""
    return value.detach().to(torch.complex128 if value.is_complex() else torch.float64)


def relative_error(a: torch.Tensor, b: torch.Tensor) -> float:
    """The largest, relative to the largest value."""
    a, b = torch.nan_to_num(widest(a)), torch.nan_to_num(widest(b))
    return (a - b).abs().max().item() / max(1e-6, b.abs().max().item())
