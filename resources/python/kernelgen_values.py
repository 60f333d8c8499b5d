# SPDX-License-Identifier: Apache-2.0
"""The values with which a Python file is followed: sizes, dtypes and the shapes of tensors; all others are UNKNOWN."""

from typing import NamedTuple, Optional

DTYPES = {
    "float64": "f64", "double": "f64", "float32": "f32", "float": "f32", "float16": "f16", "half": "f16",
    "bfloat16": "bf16", "float8_e4m3fn": "f8e4m3", "float8_e5m2": "f8e5m2", "int32": "i32", "int": "i32",
    "int8": "i8", "int64": "i64", "long": "i64", "int16": "i16", "uint8": "u8", "bool": "bool",
}  # fmt: skip


class Unknown:
    def __repr__(self):
        return "unknown"


UNKNOWN = Unknown()


class Size(int):
    """An integer that remembers its origin, so that equal numbers can be distinguished."""

    origin: object = None

    def __new__(cls, value: int, origin: object):
        made = super().__new__(cls, value)
        made.origin = origin
        return made


class DType(NamedTuple):
    name: str


class Tensor(NamedTuple):
    shape: tuple
    dtype: str


def is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def as_shape(values: list) -> Optional[tuple]:
    """The shape in the arguments of a tensor's creation: sizes, or one tuple of sizes."""
    if len(values) == 1 and isinstance(values[0], (tuple, list)):
        values = list(values[0])
    good = all(isinstance(value, int) and not isinstance(value, bool) and value >= 0 for value in values)
    return tuple(values) if good else None


def broadcast(one: tuple, other: tuple) -> tuple:
    longer, shorter = (one, other) if len(one) >= len(other) else (other, one)
    padded = (1,) * (len(longer) - len(shorter)) + tuple(shorter)
    return tuple(b if a == 1 else a for a, b in zip(longer, padded))
