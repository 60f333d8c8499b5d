# SPDX-License-Identifier: Apache-2.0
"""Makes Triton's interpreter as exact as a GPU: its conversion to bfloat16 truncates and fails for subnormals, and it
leaves floating-point arguments as Python's numbers, which a GPU has in float32, with `.to` as all values of a kernel. And
gives a kernel launch options that are its parameters too."""
import sys

import numpy
import torch

# Of a `triton.Config`, which some releases of the interpreter do not know.
OPTIONS = ("num_buffers_warp_spec", "num_consumer_groups", "reg_dec_producer", "reg_inc_consumer", "maxnreg",
           "ir_override", "minRegAutoWS", "maxRegAutoWS", "pingpongAutoWS")
BITS = {"fp32": (torch.float32, torch.int32, numpy.uint32), "bf16": (torch.bfloat16, torch.int16, numpy.uint16)}


def converted(data: numpy.ndarray, source: str, target: str) -> numpy.ndarray:
    """The bits of numbers in another format, rounded to nearest, ties to even, as PyTorch and GPUs do."""
    from_dtype, from_bits, _ = BITS[source]
    to_dtype, to_bits, unsigned = BITS[target]
    signed = numpy.ascontiguousarray(data).view(f"int{from_bits.itemsize * 8}")
    bits = torch.from_numpy(signed.reshape(-1)).view(from_dtype).to(to_dtype).view(to_bits)
    return bits.numpy().view(unsigned).reshape(data.shape)


def take_floats(interpreter) -> None:
    """From now on a kernel's floating-point arguments are values in float32."""
    original = getattr(interpreter, "_implicit_cvt", None)
    if original is None:
        return
    language = interpreter.tl

    def convert(argument):
        if not isinstance(argument, float):
            return original(argument)
        handle = interpreter.TensorHandle(numpy.array([argument], dtype=numpy.float32), language.float32)
        return language.tensor(handle, language.float32)

    interpreter._implicit_cvt = convert


def give_options(interpreter) -> None:
    """From now on a kernel with a parameter such as `num_warps` gets it, as a compiled one does, and no kernel gets options
    that are none of its parameters."""
    executor = getattr(interpreter, "GridExecutor", None)
    if executor is None or not hasattr(interpreter, "RESERVED_KWS"):
        return
    original = executor.__call__
    reserved = list(dict.fromkeys([*interpreter.RESERVED_KWS, *OPTIONS]))

    def call(self, *args, **options):
        interpreter.RESERVED_KWS = [each for each in reserved if each not in self.arg_names]
        try:
            return original(self, *args, **options)
        finally:
            interpreter.RESERVED_KWS = reserved

    executor.__call__ = call


def make_exact() -> None:
    """Call after importing Triton: from now on its interpreter converts between float32 and bfloat16 as above, takes
    floating-point arguments, and gives launch options to parameters of their names."""
    interpreter = sys.modules.get("triton.runtime.interpreter")
    original = getattr(interpreter, "_convert_float", None)
    if original is None or hasattr(original, "replaced"):
        return
    numpy.seterr(all="ignore")  # infinities and NaN among the inputs are meant

    def convert(data, input_dtype, output_dtype, rounding_mode):
        pair = str(input_dtype), str(output_dtype)
        toward_zero = rounding_mode is not None and "RTZ" in str(rounding_mode)
        if toward_zero or pair not in (("fp32", "bf16"), ("bf16", "fp32")):
            return original(data, input_dtype, output_dtype, rounding_mode)
        return converted(data, *pair)

    convert.replaced = original
    interpreter._convert_float = convert
    take_floats(interpreter)
    give_options(interpreter)
