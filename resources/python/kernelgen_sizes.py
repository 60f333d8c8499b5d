# SPDX-License-Identifier: Apache-2.0
"""Other sizes of a definition that has its sizes as integers of its file, as KernelBench's problems have
(docs/CALLABLE.md)."""
import ast
import json
import time

import torch

from kernelgen_definition import Definition
from kernelgen_describe import described
from kernelgen_failures import Failure
from kernelgen_said import say
from kernelgen_smaller import smaller
from kernelgen_sources import Source, SourceProblem, find_entry, sites_of
from kernelgen_without_gpu import on_cpu_without_gpu

MAKER = "get_inputs"
ODD = (131, 17, 7, 3)
SMALL = 32  # what the other sizes are made, where the reference takes that
MOST_FOUND, MOST_ELEMENTS, SECONDS = 3, 1 << 20, 3.0


def sizes_of(text: str) -> dict:
    """The literals that KernelBench's function of inputs uses, each assigned once."""
    try:
        source = Source(text)
        function = find_entry(source, MAKER)
    except SourceProblem:
        return {}
    used = {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    return {site.name: site.value for site in sites_of(source, function) if site.name in used and site.value > 1}


def require_sizes(text: str, file: str, wanted: dict) -> None:
    unknown = [name for name in wanted if name not in sizes_of(text)]
    if unknown:
        name = unknown[0]
        raise Failure("build_failed", file + ": " + say(
            "the case has a size `{}`, which is no integer that `{}` uses: write `{}` once at the file's top level, or give "
            "the file `inputs(case, generator, device)`", name, MAKER, f"{name} = {wanted[name]}"))


def odd(value: int) -> int:
    return next((each for each in ODD if each < value), 5)


def tries_for(name: str, own: dict) -> list:
    """An odd size for one of them: first with small ones for the others, then with their own."""
    small = {each: smaller(value, SMALL) for each, value in own.items()}
    return [{**others, name: odd(own[name])} for others in (small, own)]


def elements_of(definition: Definition) -> int:
    """Of all inputs; nothing is allocated."""
    with on_cpu_without_gpu(), torch.device("meta"):
        made = definition.call(definition.inputs)
    return sum(each.numel() for each in made if isinstance(each, torch.Tensor))


def signature_of(make, sizes: dict):
    """The case's signature; None where the reference does not take these sizes, or they are too large."""
    try:
        definition = make(sizes)
        return described(definition) if elements_of(definition) <= MOST_ELEMENTS else None
    except Failure:
        return None


def other_sizes(text: str, make) -> list:
    """A few that the reference takes, with what describes the case. `make(sizes)`: the definition with such sizes."""
    own, found, end = sizes_of(text), [], time.monotonic() + SECONDS
    for name in own:
        for sizes in tries_for(name, own):
            if len(found) == MOST_FOUND or time.monotonic() > end:
                return found
            signature = signature_of(make, sizes)
            if signature is not None:
                found.append({"sizes": sizes, "signature": json.dumps(signature)})
                break
    return found
