# SPDX-License-Identifier: Apache-2.0
"""The arguments of a recorded call as Python text that draws values like those that were seen."""
import math

import torch

LITERAL_ELEMENTS = 32
LITERAL_RUNS = 2048
FEW_VALUES = 2
SPARSEST = 64  # of a range of integers, as many times as large as their number: they may still be a choice without repeats

# The functions that such text calls; a definition has those that it uses.
HELPERS = {
    "normal": '''    def normal(*shape, dtype=torch.float32, mean=0.0, deviation=1.0):
        made = torch.float32 if dtype.itemsize < 4 else dtype
        return (torch.randn(shape, generator=generator, device=device, dtype=made) * deviation + mean).to(dtype)
''',
    "uniform": '''    def uniform(*shape, dtype=torch.float32, low=0.0, high=1.0):
        share = torch.rand(shape, generator=generator, device=device, dtype=torch.float64)
        return (low + share * (high - low)).to(dtype)
''',
    "integers": '''    def integers(*shape, dtype=torch.int64, low=0, high=1):
        return torch.randint(low, high + 1, shape, generator=generator, device=device).to(dtype)
''',
    "distinct": '''    def distinct(*shape, dtype=torch.int64, low=0, high=1):
        order = torch.randperm(high - low + 1, generator=generator, device=device) + low
        return order[: math.prod(shape)].reshape(shape).to(dtype)
''',
    "ascending": '''    def ascending(*shape, dtype=torch.int64, low=0, high=1):
        drawn = torch.randint(low, high + 1, (math.prod(shape),), generator=generator, device=device).sort().values
        drawn[0], drawn[-1] = low, high
        return drawn.reshape(shape).to(dtype)
''',
    "among": '''    def among(*shape, dtype=torch.float32, values=(0, 1)):
        chosen = torch.randint(0, len(values), shape, generator=generator, device=device)
        return torch.tensor(values, device=device).to(dtype)[chosen]
''',
    "kept": '''    def kept(*shape, dtype=torch.float32, data=""):
        import base64, zlib

        content = bytearray(zlib.decompress(base64.b85decode(data)))
        return torch.frombuffer(content, dtype=dtype).reshape(shape).to(device)
''',
}


def number_text(value) -> str:
    return repr(value) if not isinstance(value, float) or math.isfinite(value) else f'float("{value}")'


def rounded(value: float) -> float:
    return float(f"{value:.3g}")


def dtype_text(dtype: torch.dtype) -> str:
    return f", dtype={dtype}"


def of_floats(values: torch.Tensor, is_fresh: bool) -> str:
    """The function and its keywords for floating-point values; `is_fresh`: nothing had been written yet."""
    wide = values.double()
    low, high = wide.min().item(), wide.max().item()
    kinds = torch.unique(wide[:4096])
    if is_fresh or torch.isnan(wide).any():
        return "normal", ""
    if low == high == 0:
        return "zeros", ""
    if low == high and math.isfinite(low):
        return "uniform", f", low={rounded(low / 2)}, high={rounded(low * 1.5)}"
    if len(kinds) <= FEW_VALUES < wide.numel() or not torch.isfinite(wide).all():
        chosen = torch.unique(wide)[:64].tolist()
        return "among", f", values=({', '.join(number_text(each) for each in chosen)},)"
    if low >= 0 or high <= 0:
        return "uniform", f", low={rounded(low)}, high={rounded(high)}"
    mean, deviation = wide.mean().item(), wide.std().item()
    told = "" if abs(mean) < deviation / 2 else f", mean={rounded(mean)}"
    return "normal", told if 0.7 < deviation < 1.4 else f"{told}, deviation={rounded(deviation)}"


def of_integers(values: torch.Tensor, is_index: bool) -> tuple:
    low, high, count = values.min().item(), values.max().item(), values.numel()
    bounds = f", low={low}, high={high}"
    steps = values.reshape(-1).diff()
    is_sorted = bool((steps >= 0).all())
    if is_index and (count <= LITERAL_ELEMENTS or is_sorted and has_short_text(values)):
        return "literal", ""
    if is_index and is_sorted:
        return "ascending", bounds
    is_dense_choice = 1 < count and high - low < SPARSEST * count
    if is_index and is_dense_choice and torch.unique(values).numel() == count:
        return "distinct", bounds
    return ("zeros", "") if low == high == 0 else ("integers", bounds)


def memory_text(shape: tuple, values: torch.Tensor, is_fresh: bool, is_index: bool) -> str:
    """A contiguous tensor of this shape with values like these."""
    dims = ", ".join(map(str, shape)) or "*()"
    dtype = values.dtype
    if not values.numel():
        return f"torch.empty({shape}, dtype={dtype}, device=device)"
    if dtype.is_complex:
        return f"torch.randn({shape}, dtype={dtype}, generator=generator, device=device)"
    if dtype == torch.bool:
        kind, told = "among", ", values=(False, True)" if values.any() and not values.all() else (
            f", values=({bool(values.any())},)")
    elif dtype.is_floating_point:
        kind, told = of_floats(values, is_fresh)
    else:
        kind, told = of_integers(values, is_index)
    if kind == "zeros":
        return f"torch.zeros({shape}, dtype={dtype}, device=device)"
    if kind == "literal":
        return literal_text(shape, values)
    return f"{kind}({dims}{dtype_text(dtype) if dtype != torch.float32 else ''}{told})"


def step_of(values: torch.Tensor) -> int:
    """The one difference between neighbours, if it is positive; else 0."""
    steps = values.reshape(-1).diff().unique()
    return max(0, steps.item()) if steps.numel() == 1 else 0


def has_short_text(values: torch.Tensor) -> bool:
    return step_of(values) > 0 or torch.unique_consecutive(values.reshape(-1)).numel() <= LITERAL_RUNS


def literal_text(shape: tuple, values: torch.Tensor) -> str:
    flat = values.reshape(-1)
    if flat.numel() <= LITERAL_ELEMENTS:
        return f"torch.tensor({values.reshape(shape).tolist()}, dtype={values.dtype}, device=device)"
    if step := step_of(values):
        made = f"torch.arange({flat[0]}, {flat[-1] + 1}, {step}, dtype={values.dtype}, device=device)"
    else:
        runs, counts = (each.tolist() for each in torch.unique_consecutive(flat, return_counts=True))
        made = (f"torch.repeat_interleave(torch.tensor({runs}, dtype={values.dtype}, device=device), "
                f"torch.tensor({counts}, device=device))")
    return made if len(shape) == 1 else f"{made}.reshape({shape})"


class CallText:
    """`lines` that make the memory which several arguments share, or of which one is a view; the arguments as text."""

    def __init__(self, call, fresh: set, linked):
        self.call, self.fresh, self.linked = call, fresh, linked
        self.arguments = call.arguments
        self.lines, self.shared = list(linked.lines), {}
        floats = any(each.is_floating_point() or each.is_complex() for each in self.arguments.tensors)
        self.has_floats = floats
        self.positional = [self.text(each) for each in self.arguments.tree["positional"]]
        self.keywords = {name: self.text(each) for name, each in self.arguments.tree["keywords"].items()}

    def text(self, tree: dict) -> str:
        (kind, value), = tree.items()
        if kind == "tensor":
            return self.tensor_text(value)
        if kind in ("list", "tuple"):
            inside = ", ".join(self.text(each) for each in value)
            return f"[{inside}]" if kind == "list" else f"({inside}{',' if len(value) == 1 else ''})"
        if kind == "dict":
            return "{" + ", ".join(f"{key!r}: {self.text(each)}" for key, each in value) + "}"
        if kind == "float":
            return number_text(float(value))
        if kind == "dtype":
            return "torch." + value
        return "device" if kind == "device" else repr(value)

    def tensor_text(self, number: int) -> str:
        leaf = self.arguments.leaves[number]
        storage, _, shape, strides, offset = leaf
        users = [each for each in self.arguments.leaves if each[0] == storage]
        if storage in self.linked.bases:
            return self.linked_text(storage, self.arguments.tensors[number].dtype, leaf)
        memory = self.call.before[storage]
        dtype = self.arguments.tensors[number].dtype
        whole = memory[: memory.numel() // dtype.itemsize * dtype.itemsize].view(dtype)
        is_whole = offset == 0 and whole.numel() == math.prod(shape) and is_dense(shape, strides)
        if is_whole and len(users) == 1:
            return self.drawn(tuple(shape), whole, storage)
        key = storage, dtype
        if key not in self.shared:
            self.shared[key] = f"memory_{len(self.shared)}"
            self.lines.append(f"{self.shared[key]} = {self.drawn((whole.numel(),), whole, storage)}")
        if is_whole and len(shape) == 1:
            return self.shared[key]
        return f"{self.shared[key]}.as_strided({tuple(shape)}, {tuple(strides)}, {offset})"

    def linked_text(self, storage: int, dtype: torch.dtype, leaf: list) -> str:
        _, _, shape, strides, offset = leaf
        base, (made_as, *form) = self.linked.bases[storage]
        if form == [tuple(shape), tuple(strides), offset] and made_as == dtype:
            return base
        key = storage, made_as
        if key not in self.shared:
            self.shared[key] = f"memory_{len(self.shared)}"
            self.lines.append(f"{self.shared[key]} = {base}")
        whole = self.shared[key] + ("" if made_as == dtype else f".view({dtype})")
        return f"{whole}.as_strided({tuple(shape)}, {tuple(strides)}, {offset})"

    def drawn(self, shape: tuple, values: torch.Tensor, storage: int) -> str:
        is_fresh = self.arguments.storages[storage]["memory"].data_ptr() in self.fresh and not values.any()
        wide = values.dtype in (torch.int32, torch.int64, torch.int16)
        return memory_text(shape, values, is_fresh, self.has_floats and wide)


def is_dense(shape: list, strides: list) -> bool:
    expected = 1
    for size, stride in reversed(list(zip(shape, strides))):
        if size != 1 and stride != expected:
            return False
        expected *= size
    return True
