# SPDX-License-Identifier: Apache-2.0
"""FLOPs and bytes of one call of an operator of PyTorch (docs/MODEL.md). What has no formula here is not counted."""
from dataclasses import dataclass

import torch
from torch.utils._pytree import tree_map_only
from torch.utils.flop_counter import flop_registry

import kernelgen_model_trace as trace

COPIES = {"clone", "_to_copy", "copy", "copy_", "fill", "fill_", "zero_", "full_like", "zeros_like", "ones_like",
          "constant_pad_nd", "cat", "stack", "index", "index_select", "embedding", "gather", "repeat",
          "zeros", "ones", "full", "arange", "scalar_tensor", "new_zeros", "new_ones", "new_full", "roll", "flip",
          "slice_scatter", "select_scatter", "split_with_sizes_copy", "tril", "triu", "eye"}
PICKS = {"embedding", "index", "index_select", "gather"}  # read as many elements of the first tensor as they return
OVERWRITES = {"copy_", "fill_", "zero_", "uniform_", "normal_", "bernoulli_", "random_", "exponential_"}
OF_ELEMENTS = {"sum", "mean", "amax", "amin", "max", "min", "argmax", "argmin", "prod", "cumsum", "cumprod", "any",
               "all", "cummax", "cummin"}  # one for each element of the operand


@dataclass
class Counts:
    flops: object  # None: not counted
    bytes_read: int
    bytes_written: int
    is_contraction: bool = False


def shape_of(value) -> torch.Size:
    return torch.Size(value.shape)


def attention_flops(q, k, v, *_, **__) -> int:
    """Two products of queries × keys × head, as the library counts its other attentions."""
    batch, heads, queries, width = q
    keys, width_of_values = k[-2], v[-1]
    return 2 * batch * heads * queries * keys * (width + width_of_values)


def layer_flops(x, weight_of_inputs, weight_of_state, *_, **__) -> int:
    """A recurrent layer's products: each element of both weights once for each step of each sequence."""
    return 2 * x[0] * x[1] * (weight_of_inputs.numel() + weight_of_state.numel())


def layers_flops(x, weights, *_, **__) -> int:
    """The same of several layers and directions, among whose weights are biases, of one dimension."""
    return 2 * x[0] * x[1] * sum(each.numel() for each in weights if len(each) == 2)


OWN = {"_scaled_dot_product_flash_attention_for_cpu": attention_flops, "mkldnn_rnn_layer": layer_flops,
       "_cudnn_rnn": layers_flops}


def contraction_flops(call):
    """By PyTorch's own table; None where it has no formula."""
    packet = call.function.overloadpacket
    name = packet.__name__
    formula = flop_registry.get(packet)
    if formula is None and name not in OWN:
        return None
    shapes = tree_map_only(trace.Value, shape_of, (call.arguments, call.keywords))
    if name in OWN:
        return OWN[name](*shapes[0], **shapes[1])
    outputs = [shape_of(each) for each in call.outputs]
    raw = getattr(formula, "_get_raw", None)
    if raw is not None:
        return raw(*shapes[0], **shapes[1], out_shape=outputs[0])
    metas = tree_map_only(trace.Value, lambda each: torch.empty(each.shape, dtype=each.dtype, device="meta"),
                          (call.arguments, call.keywords))
    out = torch.empty(outputs[0], device="meta")
    return formula(*metas[0], **metas[1], out_val=out)


def flops_of(call):
    contracted = contraction_flops(call)
    if contracted is not None:
        return int(contracted), True
    name = call.function.overloadpacket.__name__
    if name in COPIES:
        return 0, False
    if name in OF_ELEMENTS or name.rstrip("_") in OF_ELEMENTS:
        return call.inputs[0].elements() if call.inputs else None, False
    if torch.Tag.pointwise in call.function.tags and call.outputs:
        return max(each.elements() for each in call.outputs), False
    return None, False


def counted(call) -> Counts:
    """Each tensor counts once, an expanded one with the elements that lie in memory; what is changed in place is read
    and written."""
    name = call.function.overloadpacket.__name__
    written = {each.memory for each in call.written}
    read = [each for each in dict.fromkeys(call.inputs) if not (name in OVERWRITES and each.memory in written)]
    made = list(dict.fromkeys([*call.outputs, *call.written]))
    sizes = [each.bytes() for each in read]
    if name in PICKS and sizes and made:
        sizes[0] = min(sizes[0], made[0].bytes())
    flops, is_contraction = flops_of(call)
    return Counts(flops, sum(sizes), sum(each.bytes() for each in made), is_contraction)
