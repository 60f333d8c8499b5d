# SPDX-License-Identifier: Apache-2.0
"""Accuracy of attention_fp8: the Triton function against the PyTorch function in float64.

    python3 attention_fp8_accuracy.py [--json]

Exit status: 0 all cases agree, 1 one differs, 2 PyTorch or Triton is missing.
"""
import json
import os
import sys
import warnings

try:
    import torch

    try:
        import torch_npu  # an Ascend NPU: untested
    except ImportError:
        torch_npu = None
    DEVICE = "cuda" if torch.cuda.is_available() else "npu" if torch_npu and torch.npu.is_available() else "cpu"
    if DEVICE == "cpu":  # Triton's interpreter, which must be chosen before triton is imported
        os.environ.setdefault("TRITON_INTERPRET", "1")
        warnings.simplefilter("ignore", RuntimeWarning)  # NumPy's, of infinities and NaN
    from attention_fp8_triton import attention_fp8 as triton_function
    from attention_fp8_baseline import attention_fp8 as baseline_function
except ImportError as error:
    reason = f"{error}; PyTorch 2.4 and Triton 3.0 or newer are needed"
    print(json.dumps({"operator": "attention_fp8", "status": "unavailable", "reason": reason}) if "--json" in sys.argv[1:] else reason)
    sys.exit(2)

INPUTS = [  # name, shape, dtype where it is not the case's
    ("q", ["B", "H", "N", "D"], "f8e4m3"),
    ("k", ["B", "Hk", "M", "D"], "f8e4m3"),
    ("v", ["B", "Hk", "M", "D"], "f8e4m3"),
    ("q_scale", ["B", "H", "P"], "f32"),
    ("k_scale", ["B", "Hk", "R"], "f32"),
    ("v_scale", ["B", "Hk", "R"], "f32"),
]
DOMAINS = {"q_scale": (0.5, 2.0, False), "k_scale": (0.5, 2.0, False), "v_scale": (0.5, 2.0, False)}  # of inputs: "positive", or the least and the greatest value; True: integers
OUTPUTS = ["out"]
KEYWORDS = []  # sizes that the functions are told
DTYPE_KEYWORD = "out_dtype"  # of the case's dtype, where no input has it
CASES = [
    {"name": "1x4x2048x2048x128 bf16", "dtype": "bf16", "B": 1, "H": 4, "N": 2048, "D": 128, "Hk": 2, "M": 2048, "P": 16, "R": 16},
    {"name": "1x4x1000x1000x64 f32", "dtype": "f32", "B": 1, "H": 4, "N": 1000, "D": 64, "Hk": 4, "M": 1000, "P": 8, "R": 8},
]
SMALL_CASES = [  # sizes on which kernels tend to go wrong; with every dtype of the cases
    {"B": 1, "H": 1, "N": 1, "D": 1, "Hk": 1, "M": 1, "P": 1, "R": 1},
    {"B": 131, "H": 1, "N": 1, "D": 1, "Hk": 1, "M": 1, "P": 1, "R": 1},
    {"B": 1, "H": 131, "N": 1, "D": 1, "Hk": 1, "M": 1, "P": 1, "R": 1},
    {"B": 1, "H": 1, "N": 131, "D": 1, "Hk": 1, "M": 1, "P": 2, "R": 1},
    {"B": 1, "H": 1, "N": 1, "D": 131, "Hk": 1, "M": 1, "P": 1, "R": 1},
    {"B": 1, "H": 1, "N": 1, "D": 1, "Hk": 1, "M": 131, "P": 1, "R": 2},
    {"B": 3, "H": 2, "N": 2, "D": 2, "Hk": 2, "M": 2, "P": 1, "R": 1},
    {"B": 63, "H": 2, "N": 2, "D": 2, "Hk": 2, "M": 2, "P": 1, "R": 1},
    {"B": 65, "H": 2, "N": 2, "D": 2, "Hk": 2, "M": 2, "P": 1, "R": 1},
    {"B": 3, "H": 63, "N": 2, "D": 2, "Hk": 1, "M": 2, "P": 1, "R": 1},
    {"B": 3, "H": 65, "N": 2, "D": 2, "Hk": 1, "M": 2, "P": 1, "R": 1},
    {"B": 3, "H": 2, "N": 63, "D": 2, "Hk": 2, "M": 2, "P": 1, "R": 1},
    {"B": 3, "H": 2, "N": 65, "D": 2, "Hk": 2, "M": 2, "P": 1, "R": 1},
    {"B": 3, "H": 2, "N": 2, "D": 63, "Hk": 2, "M": 2, "P": 1, "R": 1},
    {"B": 3, "H": 2, "N": 2, "D": 65, "Hk": 2, "M": 2, "P": 1, "R": 1},
    {"B": 3, "H": 2, "N": 2, "D": 2, "Hk": 2, "M": 63, "P": 1, "R": 1},
    {"B": 3, "H": 2, "N": 2, "D": 2, "Hk": 2, "M": 65, "P": 1, "R": 1},
    {"B": 1, "H": 1, "N": 1, "D": 1, "Hk": 1, "M": 62, "P": 1, "R": 1},
]
TOLERANCES = {  # rtol and atol: |actual - expected| <= rtol * |expected| + atol * min(1, rms of expected)
    "bf16": (0.016, 0.01),
    "f32": (1.3e-06, 1e-05),
}
SETS = ["normal", "zeros", "ones", "tiny", "large", "special"]
SEEDS = [1, 2, 3, 4, 5]
MOST_INTERPRETED = 1 << 18  # elements of a case that Triton's interpreter is given

DTYPES = {
    "f64": torch.float64, "f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16,
    "f8e4m3": torch.float8_e4m3fn, "f8e5m2": torch.float8_e5m2, "i32": torch.int32, "i8": torch.int8,
}


def make_input(shape, dtype, kind, seed):
    generator = torch.Generator(DEVICE).manual_seed(seed)
    if not dtype.is_floating_point:
        return torch.randint(-100, 101, shape, generator=generator, device=DEVICE).to(dtype)
    if kind in ("zeros", "ones"):
        return torch.full(shape, 0.0 if kind == "zeros" else 1.0, device=DEVICE).to(dtype)
    drawn = torch.float64 if dtype == torch.float64 else torch.float32
    values = torch.randn(shape, generator=generator, device=DEVICE, dtype=drawn)
    if kind == "tiny":
        values *= 1e-4
    if kind == "large":
        values *= 100.0
    if kind == "special":
        special = torch.tensor([float("nan"), float("inf"), float("-inf")], device=DEVICE, dtype=drawn)
        places = torch.randint(0, max(values.numel(), 1), (3,), generator=generator, device=DEVICE)
        values.view(-1)[places] = special
    return values.to(dtype)


def make_in_domain(shape, dtype, kind, seed, domain):
    """As make_input, with every value in the domain."""
    if domain == "positive":
        values = make_input(shape, dtype, "normal" if kind == "special" else kind, seed)
        return values.clamp(min=1) if not dtype.is_floating_point else (values.double().abs() + torch.finfo(dtype).tiny).to(dtype)
    low, high, integers = domain
    if kind in ("zeros", "ones", "tiny"):
        values = make_input(shape, torch.float64, kind, seed).clamp(low, high)
    else:
        generator = torch.Generator(DEVICE).manual_seed(seed)
        share = torch.rand(shape, generator=generator, device=DEVICE, dtype=torch.float64)
        values = (low + share.round() * (high - low)) if kind == "large" else low + share * (high - low)
    values = values.round() if integers or not dtype.is_floating_point else values
    return values.to(dtype)


def make_inputs(case, kind="normal", seed=1):
    made = []
    for i, (name, shape, own) in enumerate(INPUTS):
        sizes = [case[each] if isinstance(each, str) else each for each in shape]
        dtype = DTYPES[own or case["dtype"]]
        domain = [DOMAINS[name]] if name in DOMAINS else []
        made.append((make_in_domain if domain else make_input)(sizes, dtype, kind, 1000 * seed + i, *domain))
    return made


def keywords_of(case, dtype=None):
    told = {DTYPE_KEYWORD: dtype or DTYPES[case["dtype"]]} if DTYPE_KEYWORD else {}
    return told | {each: case[each] for each in KEYWORDS}


def outputs_of(function, inputs, case, dtype=None):
    outputs = function(*inputs, **keywords_of(case, dtype))
    return outputs if isinstance(outputs, tuple) else (outputs,)


def compare(actual, expected, own):
    """The largest error, and what is wrong or None. `own` is the baseline's output of float32, rounded: an element passes
    also within four times its largest error in the row, and is left out where the dtype alone overflows."""
    if actual.shape != expected.shape or actual.dtype != own.dtype:
        return 0.0, f"{actual.dtype} {list(actual.shape)} where {own.dtype} {list(own.shape)} is expected"
    if actual.numel() == 0:
        return 0.0, None
    values, expected = actual.double(), expected.double()
    name = next(each for each, dtype in DTYPES.items() if dtype == actual.dtype)
    rtol, atol = TOLERANCES[name]
    finite = expected.isfinite()
    rms = expected[finite].square().mean().sqrt().item() if finite.any() else 1.0
    error = (values - expected).abs()
    own_error = (own.double() - expected).abs().nan_to_num(0.0, 0.0, 0.0)
    if own_error.dim() > 0:
        own_error = own_error.amax(dim=-1, keepdim=True)
    smallest = torch.finfo(actual.dtype).tiny if actual.dtype.is_floating_point else 0.0
    good = (error <= rtol * expected.abs() + atol * min(1.0, rms) + smallest) | (error <= 4 * own_error)
    good |= (values == expected) | (values.isnan() & expected.isnan())
    # Finite in float64 alone: the dtype or float32 arithmetic overflows.
    stored = expected.to(actual.dtype).double()
    overflows = finite & (expected.abs() > largest_of(actual.dtype))
    good |= (finite & ~own.double().isfinite()) | (overflows & ((values == stored) | (values.isnan() & stored.isnan())))
    largest = error[finite & error.isfinite()].max().item() if (finite & error.isfinite()).any() else 0.0
    if good.all():
        return largest, None
    place = tuple((~good).nonzero()[0].tolist())
    wrong = int((~good).sum())
    return largest, f"{wrong} of {good.numel()} differ, first at {list(place)}: {values[place].item()}, expected {expected[place].item()}"


def largest_of(dtype):
    return float(torch.finfo(dtype).max) if dtype.is_floating_point else float("inf")


def check(case, kind="normal", seed=1):
    """The largest error of all outputs, and what is wrong or None."""
    inputs = make_inputs(case, kind, seed)
    before = [each.clone() for each in inputs]
    actual = outputs_of(triton_function, inputs, case)
    for (name, _, _), given, copy in zip(INPUTS, inputs, before):
        if not torch.equal(given.view(torch.uint8), copy.view(torch.uint8)):
            return 0.0, f"the input {name} was modified"
    own = in_arithmetic(before, case)
    wide = [each.double() if declared is None else each for each, (_, _, declared) in zip(before, INPUTS)]
    expected = outputs_of(baseline_function, wide, case, torch.float64)
    if len(actual) != len(OUTPUTS):
        return 0.0, f"{len(actual)} outputs where {len(OUTPUTS)} are expected"
    found = [compare(*each) for each in zip(actual, expected, own)]
    problems = [f"{name}: {problem}" for name, (_, problem) in zip(OUTPUTS, found) if problem]
    return max(error for error, _ in found), problems[0] if problems else None


def in_arithmetic(inputs, case):
    """The baseline's outputs computed in float32 (float64 for float64) and then rounded, however it computes itself."""
    made_in = torch.float64 if case["dtype"] == "f64" else torch.float32
    wide = [each.to(made_in) if declared is None else each for each, (_, _, declared) in zip(inputs, INPUTS)]
    own = outputs_of(baseline_function, inputs, case)
    return [value.to(each.dtype) for value, each in zip(outputs_of(baseline_function, wide, case, made_in), own)]


def elements_of(case):
    counts = [1]
    for _, shape, _ in INPUTS:
        counts.append(1)
        for each in shape:
            counts[-1] *= case[each] if isinstance(each, str) else each
    for each in KEYWORDS:
        counts[0] *= case[each]
    return counts[0] * max(counts[1:], default=1)


def check_case(case, sets, seeds):
    row = {"case": case["name"], "checks": 0, "max_error": 0.0, "status": "ok", "problem": None}
    if DEVICE == "cpu" and elements_of(case) > MOST_INTERPRETED:
        return row | {"status": "skipped", "problem": "too large for Triton's interpreter on a CPU"}
    for kind in sets:
        for seed in seeds if kind == "normal" else seeds[:1]:
            try:
                error, problem = check(case, kind, seed)
            except Exception as exception:  # whatever it is, the other cases are still checked
                error, problem = 0.0, f"{type(exception).__name__}: {exception}"
            row["checks"] += 1
            row["max_error"] = max(row["max_error"], error)
            if problem:
                return row | {"status": "failed", "problem": f"inputs {kind}, seed {seed}: {problem}"}
    return row


def main():
    small = [
        each | {"dtype": dtype, "name": ", ".join(f"{symbol}={size}" for symbol, size in each.items()) + " " + dtype}
        for dtype in dict.fromkeys(case["dtype"] for case in CASES)
        for each in SMALL_CASES
    ]
    rows = [check_case(case, SETS[:1], SEEDS[:1]) for case in CASES] + [check_case(case, SETS, SEEDS) for case in small]
    passed = all(row["status"] != "failed" for row in rows)
    if "--json" in sys.argv[1:]:
        print(json.dumps({"operator": "attention_fp8", "device": DEVICE, "status": "ok" if passed else "failed", "cases": rows}))
    else:
        print(f"attention_fp8 on {DEVICE}: Triton against PyTorch in float64")
        for row in rows:
            print(f"  {row['case']:32} {row['checks']:3} checks  max |error| {row['max_error']:.2e}  {row['status']}")
            if row["problem"]:
                print(f"    {row['problem']}")
        print("all agree" if passed else "FAILED")
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
