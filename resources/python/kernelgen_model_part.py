# SPDX-License-Identifier: Apache-2.0
"""Writes neighbouring calls of a model as a definition of their own: a function of aten calls, and inputs like those
that the calls had in the model (docs/MODEL.md)."""
import json
import keyword
import math
import re

import torch

from kernelgen_failures import Failure
from kernelgen_model_flow import Flow
from kernelgen_model_trace import ModelCall, Value, tensors_in
from kernelgen_said import Said, say
from kernelgen_tensors import dtype_name

MOST_CASES = 8
MOST_LEVELS = 256  # whole numbers in so small a range are drawn as such: a mask of zeros and ones stays one

HEAD = '''"""{title}

Made by `kernelgen model` of {file}; edit it as you like. The inputs are drawn like those that these calls had there.
"""
import torch

aten = torch.ops.aten

'''

TAIL = '''

def draw(told, generator, device):
    """A tensor with the shape, strides and dtype that it had in the model, and with values in the same range."""
    dtype = getattr(torch, told["dtype"])
    if "deviation" in told:
        values = torch.randn(told["shape"], generator=generator, device=device) * told["deviation"] + told["mean"]
    elif isinstance(told["low"], float):
        span = told["high"] - told["low"]
        values = torch.rand(told["shape"], generator=generator, device=device) * span + told["low"]
    else:
        values = torch.randint(told["low"], told["high"] + 1, told["shape"], generator=generator, device=device)
    if "strides" not in told:
        return values.to(dtype)
    return torch.empty_strided(told["shape"], told["strides"], dtype=dtype, device=device).copy_(values)


def inputs(case, generator, device):
    return [draw(case[name], generator, device) for name in {names}]
'''


def refused(call: ModelCall, why: Said) -> Failure:
    return Failure("unavailable", say("call {} ({}) {}", call.number, call.place(), why))


class Values:
    """What the external inputs of calls held: their ranges, to draw others like them."""

    def __init__(self):
        self.found = {}

    def observe(self, value: Value, tensor: torch.Tensor) -> None:
        self.found.setdefault(value, self.told(value, tensor))

    def told(self, value: Value, tensor: torch.Tensor) -> dict:
        told = {"shape": list(value.shape), "dtype": dtype_name(value.dtype)}
        if not tensor.is_contiguous() and tensor.numel() == value.elements():
            told["strides"] = list(value.strides)
        if value.dtype.is_complex or not tensor.numel():
            return {**told, "problem": say("is complex") if value.dtype.is_complex else say("is empty")}
        is_float = value.dtype.is_floating_point
        held = tensor.detach() if is_float else tensor.detach().long()
        low, high = (each.item() for each in torch.aminmax(held))
        if not is_float:
            return {**told, "low": low, "high": high}
        if not (math.isfinite(low) and math.isfinite(high)):
            return {**told, "problem": say("holds infinities or NaN, a mask perhaps, which cannot be drawn")}
        if low < high <= low + MOST_LEVELS and torch.equal(held, held.round()):
            return {**told, "low": int(low), "high": int(high)}
        if low < 0 or high == 0:
            deviation = held.std().item() if held.numel() > 1 else 0.0
            return {**told, "mean": rounded(held.mean().item()), "deviation": rounded(deviation) or 1.0}
        low, high = (low, high) if low < high else (low / 2, 2 * high)
        return {**told, "low": rounded(low), "high": rounded(high)}


def rounded(number: float) -> float:
    return float(f"{number:.3g}")


class Names:
    """Identifiers for what appears in the text; none twice."""

    def __init__(self):
        self.taken = {"aten", "torch", "draw", "inputs", "reference", "cases", "case", "generator", "device", "name"}

    def take(self, wish: str) -> str:
        wish = re.sub(r"\W+", "_", wish, flags=re.ASCII).strip("_").lower() or "x"
        wish = wish if wish[0].isalpha() else "x_" + wish
        name, number = wish, 2
        while name in self.taken or keyword.iskeyword(name):
            name, number = f"{wish}_{number}", number + 1
        self.taken.add(name)
        return name


class Writer:
    """The calls `first` to `last` of a trace as lines of a function."""

    def __init__(self, trace, flow: Flow, values: Values, first: int, last: int):
        self.trace, self.values, self.names = trace, values, Names()
        self.flow, self.first, self.last = flow, first, last
        self.lines, self.known, self.parameters, self.roots = [], {}, {}, {}
        self.views, self.seen = {}, set()  # the view call, and the place, that first made a value
        for call in trace.calls:
            if call.number > last:
                break
            if call.number >= first:
                self.write(call)
            self.see(call)
        self.results = self.results_of()

    def see(self, call: ModelCall) -> None:
        self.seen.update(call.inputs)
        if not call.number and not call.written:
            made = enumerate(call.outputs)
            self.views.update({value: (call, place) for place, value in made if value not in self.seen})
        self.seen.update(call.outputs)

    def name_of(self, value: Value, call: ModelCall) -> str:
        """The name of a value: what a call before made, a view of it, or a parameter of the function."""
        if value in self.known:
            return self.known[value]
        view, place = self.views.get(value, (None, 0))
        if view is not None and view.inputs:
            made = self.written(view)
            self.known[value] = f"{made}[{place}]" if len(view.outputs) > 1 else made
            return self.known[value]
        if value.memory in self.roots:
            raise refused(call, say("reads a part of what an earlier call made, by a view that was not followed"))
        return self.parameter(value, call)

    def parameter(self, value: Value, call: ModelCall) -> str:
        told = self.values.found.get(value)
        if told is None or "problem" in told:
            why = say("was not seen") if told is None else told["problem"]
            raise refused(call, say("has an input {} that {}; no project can be made of it", value.text(), why))
        path = self.trace.parameters.get(value.memory, "")
        name = self.names.take("_".join(path.split(".")[-2:]) if path else "x")
        self.known[value] = name
        self.parameters[name] = told
        return name

    def text(self, value, call: ModelCall) -> str:
        if isinstance(value, Value):
            return self.name_of(value, call)
        if isinstance(value, (list, tuple)):
            return "[" + ", ".join(self.text(each, call) for each in value) + "]"
        if isinstance(value, torch.device):
            return "device_of_inputs"
        if isinstance(value, float):
            return repr(value) if value - value == 0 else f'float("{value}")'
        return repr(value)

    def written(self, call: ModelCall) -> str:
        """Writes a call; returns the name of its result."""
        packet = call.function.overloadpacket.__name__
        functional = packet.removesuffix("_") if call.written else packet
        arguments = training_without_statistics(functional, call.arguments)
        told = [self.text(each, call) for each in arguments]
        told += [f"{name}={self.text(each, call)}" for name, each in call.keywords.items()]
        name = self.names.take(functional.strip("_"))
        self.lines.append(f"{name} = aten.{functional}({', '.join(told)})")
        return name

    def write(self, call: ModelCall) -> None:
        if call.is_random():
            raise refused(call, say("draws random numbers: no result of it can be judged"))
        if call.written:
            self.require_functional(call)
        name = self.written(call)
        if call.written:
            return self.rename(call.written[0], name)
        several = len(call.function._schema.returns) > 1 or len(call.outputs) > 1
        for place, value in enumerate(call.outputs):
            self.known[value] = f"{name}[{place}]" if several else name
            self.roots[value.memory] = value

    def require_functional(self, call: ModelCall) -> None:
        """An operator in place is written as the one that returns its result."""
        name = call.function.overloadpacket.__name__
        exists = name.endswith("_") and hasattr(torch.ops.aten, name.removesuffix("_"))
        if len(call.written) != 1 or not exists:
            raise refused(call, say("changes its arguments, and there is no operator that returns the same instead"))
        if call.written[0].elements() < self.base_of(call.written[0]).elements():
            raise refused(call, say("changes a part of a tensor in place, which is not understood"))

    def base_of(self, value: Value) -> Value:
        """What a value is a view of, as far as the calls tell."""
        while value in self.views and self.views[value][0].inputs:
            value = self.views[value][0].inputs[0]
        return value

    def rename(self, value: Value, name: str) -> None:
        for each in [each for each in self.known if each.memory == value.memory]:
            del self.known[each]
        self.known[value] = name
        self.roots[value.memory] = value

    def results_of(self) -> list:
        """The names of what others use; of the last call's first result where nobody does."""
        used = [memory for memory in self.roots if self.flow.is_used_after(memory, self.last)]
        last = self.trace.numbered()[self.last - 1]
        wanted = used or [each.memory for each in last.outputs[:1]]
        return [self.known[self.roots[each]] for each in wanted]

    def function(self) -> str:
        lines = self.lines
        if any("device_of_inputs" in each for each in lines):
            lines = [f"device_of_inputs = {next(iter(self.parameters), 'torch')}.device", *lines]
        returned = ", ".join(self.results)
        return "\n".join([f"def reference({', '.join(self.parameters)}):", *[f"    {each}" for each in lines],
                          f"    return {returned}", ""])

    def case(self) -> dict:
        name = f"call_{self.first}" if self.first == self.last else f"calls_{self.first}_{self.last}"
        return {"name": name, **self.parameters}


def training_without_statistics(name: str, arguments: tuple) -> tuple:
    """A batch norm that trains does not read its running statistics, and would change them: they are left out."""
    if name in ("native_batch_norm", "cudnn_batch_norm", "miopen_batch_norm") and arguments[5] is True:
        return (*arguments[:3], None, None, *arguments[5:])
    return arguments


def literal(case: dict) -> str:
    entries = [f'        "{name}": {json.dumps(value)},' for name, value in case.items()]
    return "\n".join(["    {", *entries, "    },"])


def title_of(calls: list) -> str:
    names = list(dict.fromkeys(each.module or "the model itself" for each in calls))
    what = ", ".join(each.operator() for each in calls)
    return f"{what} of {', '.join(names)}"


def elsewhere(trace, flow: Flow, values: Values, writer: Writer) -> list:
    """The same function at other places of the model, with other shapes: further cases."""
    calls = trace.numbered()
    length = writer.last - writer.first + 1
    wanted = [each.function for each in calls[writer.first - 1 : writer.last]]
    found = []
    for first in range(1, len(calls) - length + 2):
        same = [each.function for each in calls[first - 1 : first - 1 + length]] == wanted
        if first == writer.first or not same or len(found) + 1 >= MOST_CASES:
            continue
        try:
            other = Writer(trace, flow, values, first, first + length - 1)
        except Failure:
            continue
        shapes = [[each["shape"] for each in one.parameters.values()] for one in (writer, other, *found)]
        dtypes = [[each["dtype"] for each in one.parameters.values()] for one in (writer, other)]
        if body_of(other) == body_of(writer) and dtypes[0] == dtypes[1] and shapes.count(shapes[1]) == 1:
            found.append(other)
    return found


def body_of(writer: Writer) -> str:
    """The function with its parameters numbered: names come from the modules."""
    text = writer.function()
    for number, name in enumerate(writer.parameters):
        text = re.sub(rf"\b{name}\b", f"input{number}", text)
    return text


def part_of(model, first: int, last: int) -> dict:
    """The definition, its cases and, for each, the signatures of the calls that it stands for."""
    values = Values()
    trace = model.trace(lambda call, args, kwargs: [values.observe(value, tensor) for value, tensor
                                                    in zip(call.inputs, tensors_in((args, kwargs)))])
    calls = trace.numbered()
    if not 1 <= first <= last <= len(calls):
        raise Failure("unavailable", say("there is no call {}-{}: the model makes {} calls", first, last, len(calls)))
    flow = Flow(trace)
    for call in calls[first - 1 : last] if first < last else ():
        if not flow.is_fed(call, first) and not any(flow.feeds(call, each) for each in calls[call.number : last]):
            raise refused(call, say("neither uses what other calls from {} to {} make nor makes what they use", first, last))
    writer = Writer(trace, flow, values, first, last)
    if not writer.parameters:
        raise refused(calls[first - 1], say("has no tensor as an input: there is nothing to draw"))
    return written_part(model, trace, [writer, *elsewhere(trace, flow, values, writer)])


def written_part(model, trace, writers: list) -> dict:
    calls, writer = trace.numbered(), writers[0]
    names = list(writer.parameters)
    cases = [{"name": each.case()["name"], **dict(zip(names, each.parameters.values()))} for each in writers]
    text = HEAD.format(title=title_of(calls[writer.first - 1 : writer.last]), file=model.definition.source.file)
    text += "\n".join(["cases = [", *[literal(each) for each in cases], "]", "", "", writer.function()])
    return {"text": text + TAIL.replace("{names}", repr(names)),
            "name": "_".join(calls[number - 1].function.overloadpacket.__name__.strip("_")
                             for number in (writer.first, writer.last)[: 1 + (writer.first < writer.last)]),
            "cases": {case["name"]: [each.signature for each in calls[one.first - 1 : one.last]]
                      for case, one in zip(cases, writers)}}
