# SPDX-License-Identifier: Apache-2.0
"""Runs generated Triton kernels through Triton's interpreter against the generated PyTorch files, in one process.

Arguments: [--sampled] and a folder with operators.json, a list of {"name", "inputs": [[name, shape, dtype or null], ...],
"free": [symbols], "told_dtype": parameter or null, "edges": whether values may be infinite, "cases": [{"dtype": ..., "sizes": {...}}, ...]}, and the files NAME_triton.py and NAME_baseline.py.
Prints one line for each case that differs; exit status 1 if there was one. `--sampled` runs each case on one kind of
values in place of all: the kinds take turns.
"""
import importlib
import json
import os
import pathlib
import sys
import traceback
import warnings

os.environ["TRITON_INTERPRET"] = "1"
warnings.simplefilter("ignore")  # NumPy's, of infinities

import torch

DTYPES = {"f64": torch.float64, "f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16,
          "f8e4m3": torch.float8_e4m3fn, "f8e5m2": torch.float8_e5m2, "i32": torch.int32, "i8": torch.int8}
TOLERANCES = {torch.float64: (1e-12, 1e-13), torch.float32: (1.3e-6, 1e-5), torch.float16: (1e-3, 1e-3),
              torch.bfloat16: (1.6e-2, 1e-2), torch.float8_e4m3fn: (0.125, 0.06)}
EDGES = [0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, -2.5, 1e-6, -1e-6, 3e-20, 80.0, -80.0, float("inf"), float("-inf"), float("nan")]


def make(shape, dtype, kind, generator):
    values = torch.randn(shape, generator=generator, dtype=torch.float64)
    if kind == "edges" and values.numel() > 0:
        flat = values.flatten()
        places = torch.randperm(flat.numel(), generator=generator)[: len(EDGES)]
        flat[places] = torch.tensor(EDGES, dtype=torch.float64)[torch.randperm(len(EDGES), generator=generator)][: len(places)]
        values = flat.reshape(shape)
    if kind == "tiny":
        values = values * 1e-4
    if not dtype.is_floating_point:
        return torch.nan_to_num(values * 10).clamp(-100, 100).to(dtype)
    return values.to(dtype)


def as_tuple(result):
    return result if isinstance(result, tuple) else (result,)


def problem(actual, expected, own):
    """Where `actual` is further from the float64 values than the tolerance of docs/ACCURACY.md; `own`: PyTorch's in the dtype."""
    if actual.shape != expected.shape:
        return f"the shape is {list(actual.shape)}, expected {list(expected.shape)}"
    if actual.dtype != own.dtype:
        return f"the dtype is {actual.dtype}, expected {own.dtype}"
    if not actual.is_contiguous():
        return "it is not contiguous"
    if not actual.dtype.is_floating_point:
        bad = actual != own
    else:
        rtol, atol = TOLERANCES[actual.dtype]
        finite = expected[torch.isfinite(expected)]
        scale = min(1.0, finite.square().mean().sqrt().item()) if finite.numel() else 1.0
        allowed = rtol * expected.abs() + atol * scale + torch.finfo(actual.dtype).tiny
        error = (actual.double() - expected).abs()
        spread = (own.double() - expected).abs().nan_to_num(0.0, 0.0, 0.0)
        if spread.dim() and spread.numel():
            spread = spread.amax(dim=-1, keepdim=True)
        good = (error <= allowed) | (error <= 4 * spread) | (actual.double() == expected)
        good |= actual.isnan() & expected.isnan()
        overflows = torch.isfinite(expected) & ~torch.isfinite(own.double())  # in the dtype or the arithmetic
        bad = ~(good | overflows)
    if not bad.any():
        return None
    place = tuple(bad.nonzero()[0].tolist())
    return f"{int(bad.sum())} of {bad.numel()} differ, first at {list(place)}: {actual[place].item()}, expected {expected[place].item()}"


def run(operator, case, kind, generator, triton_function, torch_function):
    dtype = DTYPES[case["dtype"]]
    sizes = case["sizes"]
    tensors = [
        make([sizes.get(each, each) if isinstance(each, str) else each for each in shape], DTYPES[own] if own else dtype, kind, generator)
        for _, shape, own in operator["inputs"]
    ]
    keywords = {each: sizes[each] for each in operator["free"]}

    def with_dtype(chosen):
        return {**keywords, operator["told_dtype"]: chosen} if operator["told_dtype"] else keywords

    before = [each.clone() for each in tensors]
    actual = as_tuple(triton_function(*tensors, **with_dtype(dtype)))
    for each, copy in zip(tensors, before):
        if not torch.equal(each.double().nan_to_num(7.0), copy.double().nan_to_num(7.0)):
            return "an input was modified"
    own = as_tuple(torch_function(*tensors, **with_dtype(dtype)))
    if dtype in (torch.float16, torch.bfloat16):  # what float32 must cost, also where the file computes in the dtype
        narrow = [each.float() if not declared else each for each, (_, _, declared) in zip(tensors, operator["inputs"])]
        own = tuple(w.to(o.dtype) for w, o in zip(as_tuple(torch_function(*narrow, **with_dtype(torch.float32))), own))
    wide = [each.double() if not declared else each for each, (_, _, declared) in zip(tensors, operator["inputs"])]
    expected = as_tuple(torch_function(*wide, **with_dtype(torch.float64)))
    if len(actual) != len(expected):
        return f"{len(actual)} outputs, expected {len(expected)}"
    found = [problem(a, e.double(), o) for a, e, o in zip(actual, expected, own)]
    return next((each for each in found if each), None)


def kinds_of(operator, number, sampled):
    kinds = ("normal", "edges", "tiny") if operator["edges"] else ("normal", "tiny")
    return (kinds[number % len(kinds)],) if sampled else kinds


def main():
    sampled = "--sampled" in sys.argv[1:]
    folder = pathlib.Path(sys.argv[-1])
    sys.path.insert(0, str(folder))
    failures = 0
    runs = 0
    for operator in json.loads((folder / "operators.json").read_text()):
        name = operator["name"]
        try:
            triton_function = getattr(importlib.import_module(name + "_triton"), name)
            torch_function = getattr(importlib.import_module(name + "_baseline"), name)
        except Exception:
            print(f"{name}: {traceback.format_exc(limit=-3)}")
            failures += 1
            continue
        for case in operator["cases"]:
            for kind in kinds_of(operator, runs, sampled):
                runs += 1
                try:
                    found = run(operator, case, kind, torch.Generator().manual_seed(runs), triton_function, torch_function)
                except Exception:
                    found = traceback.format_exc(limit=-4)
                if found:
                    print(f"{name} {case['dtype']} {case['sizes']} {kind}: {found}")
                    failures += 1
    print(f"{runs} runs, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
