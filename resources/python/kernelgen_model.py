# SPDX-License-Identifier: Apache-2.0
"""The role `model` of an executor: what a model's calls of operators take, or a definition of some of them as an
operator of their own (docs/MODEL.md)."""
import statistics

import torch

import kernelgen_model_timing as timing
from kernelgen_definition import Definition
from kernelgen_failures import Failure
from kernelgen_model_counts import counted
from kernelgen_model_flow import Flow
from kernelgen_model_part import part_of
from kernelgen_model_trace import SHORT, Trace, traced
from kernelgen_said import say, told
from kernelgen_trees import flattened, rebuilt_arguments

SEED = 1
WHOLE_BUDGET = 3.0  # seconds for the runs of the whole
PLACES_TOLD = 3


class Model:
    """The definition's reference on inputs of one seed."""

    def __init__(self, definition: Definition):
        self.definition = definition
        arguments = definition.arguments(SEED)
        self.positional, self.keywords = rebuilt_arguments(arguments.tree, arguments.tensors)
        definition.require(self.positional, self.keywords)
        self.function = definition.function()

    def run(self):
        return self.definition.call(self.function, *self.positional, **self.keywords)

    def trace(self, observe=lambda *_: None) -> Trace:
        found = traced(self.definition, self.positional, self.keywords, observe)
        if not found.numbered():
            raise Failure("unavailable", say("`{}` calls no operator of PyTorch that computes something: there is nothing "
                                             "to measure", self.definition.reference.__name__))
        return found


def rows_of(trace: Trace) -> list:
    """Calls with the same signature, in the order of their first ones."""
    rows = {}
    for call in trace.numbered():
        rows.setdefault(call.signature, []).append(call)
    return list(rows.values())


def arithmetic_of(call) -> str:
    """The floating-point dtype that it computes in, or ""."""
    dtypes = [each.dtype for each in [*call.inputs, *call.outputs] if each.dtype.is_floating_point]
    return SHORT.get(dtypes[0], "") if dtypes else ""


def row_text(calls: list) -> dict:
    first = calls[0]
    return {"calls": [each.number for each in calls], "operator": first.operator(),
            "modules": list(dict.fromkeys(each.module for each in calls)), "signature": first.signature,
            "inputs": [each.text() for each in first.inputs], "outputs": [each.text() for each in first.outputs],
            "dtype": arithmetic_of(first), "contraction": first.counts.is_contraction, "random": first.is_random(),
            "flops": first.counts.flops, "bytes_read": first.counts.bytes_read,
            "bytes_written": first.counts.bytes_written, "seconds": first.seconds[0], "runs": first.seconds[1]}


def group_text(trace: Trace, flow: Flow, first: int, last: int) -> dict:
    calls = trace.numbered()[first - 1 : last]
    read, written = flow.traffic(first, last)
    flops = [each.counts.flops for each in calls]
    return {"first": first, "last": last, "signature": "\n".join(each.signature for each in calls),
            "operators": [each.operator() for each in calls], "bytes_read": read, "bytes_written": written,
            "dtype": arithmetic_of(calls[0]), "contraction": calls[0].counts.is_contraction,
            "flops": None if None in flops and flops[0] is None else sum(each or 0 for each in flops)}


def groups_text(trace: Trace, flow: Flow) -> list:
    """Groups that do the same are one, with the numbers of their first calls."""
    found = {}
    for first, last in flow.groups():
        group = group_text(trace, flow, first, last)
        found.setdefault(group["signature"], {**group, "places": []})["places"].append(first)
    return list(found.values())


def milliseconds(seconds: float) -> str:
    return f"{1e3 * seconds:.3g} ms"


def notes_on(model: Model, trace: Trace, whole: list) -> list:
    notes = []
    random = [each for each in trace.numbered() if each.is_random()]
    if random:
        named = ", ".join(dict.fromkeys(each.place() for each in random[:PLACES_TOLD]))
        notes.append(say("calls that draw random numbers: {} ({}); they are timed as they are; a model for inference calls "
                         "`self.eval()`, or has no dropout", len(random), named))
    if trace.questions:
        notes.append(say("the model reads values of its tensors (`item()`, a condition on a tensor), times: {}; which "
                         "calls follow may depend on the inputs", trace.questions))
    leaves = []
    flattened(model.run(), leaves)
    others = {type(each).__name__ for each in leaves if not isinstance(each, torch.Tensor)}
    if others:
        notes.append(say("the model returns {} among its results, which are not followed", ", ".join(sorted(others))))
    if len(whole) > 2 and max(whole) > 1.5 * min(whole):
        notes.append(say("the whole took from {} to {}: something else runs here, or the model does not do the same each "
                         "time", milliseconds(min(whole)), milliseconds(max(whole))))
    return notes


def profile(definition: Definition, stopwatch: timing.Stopwatch) -> dict:
    """Measures the whole, then each call alone while the model runs once more."""
    model = Model(definition)
    whole = timing.time_of_whole(stopwatch, model.run, WHOLE_BUDGET)
    known = {}

    def observe(call, args, kwargs):
        if call.number and call.signature not in known:
            known[call.signature] = timing.time_of_call(stopwatch, call.function, args, kwargs)
        call.seconds = known.get(call.signature)

    trace = model.trace(observe)
    for call in trace.numbered():
        call.counts = counted(call)
    return {"seconds": statistics.median(whole), "runs": len(whole), "views": trace.views,
            "rows": [row_text(each) for each in rows_of(trace)], "groups": groups_text(trace, Flow(trace)),
            **told("notes", notes_on(model, trace, whole))}


def answer(definition: Definition, asked: dict, flush) -> dict:
    """`asked`: {"first", "last"} for a part, else {}."""
    if asked:
        return part_of(Model(definition), asked["first"], asked["last"])
    is_gpu = definition.device.type == "cuda"
    return profile(definition, timing.DeviceStopwatch(definition.device) if is_gpu else timing.Stopwatch(flush))
