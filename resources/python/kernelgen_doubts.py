# SPDX-License-Identifier: Apache-2.0
"""A reference with the errors that another right way of computing it may have (docs/ACCURACY.md)."""
import math

import torch
from torch._decomp import decomposition_table
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils._python_dispatch import TorchDispatchMode

UNIT = 2.0**-24  # half of f32's spacing at 1: what kernels compute in
DRIFT = 0.6  # of the root of the number of terms: what adding from left to right costs where terms have one sign
LOST = 1 / 6  # of a lost term's share, which `DRIFT` must not exceed, since four times the error is allowed
UP, DOWN = 1, 2  # of `noise`: the same way everywhere
DRAWN = 65521  # signs that repeat; a prime, so that no two rows have the same
TIE = 4  # half units in the last place, within which a number of a tie may be rounded either way

# Operations by name, of PyTorch's namespaces `aten` and `prims`.
SUMS = set("""sum cumsum mm bmm addmm baddbmm addbmm mv addmv dot vdot convolution avg_pool1d avg_pool2d avg_pool3d
    convolution_backward _adaptive_avg_pool2d _adaptive_avg_pool3d index_add scatter_add nansum""".split())
APART = set("""mean var std var_mean std_mean norm linalg_vector_norm logsumexp _softmax _log_softmax native_layer_norm
    native_group_norm native_batch_norm _native_batch_norm_legit mse_loss smooth_l1_loss huber_loss soft_margin_loss
    binary_cross_entropy nll_loss_forward native_layer_norm_backward native_group_norm_backward native_batch_norm_backward
    _softmax_backward_data _log_softmax_backward_data""".split())
EXACT = set("""abs abs_ neg neg_ relu relu_ clamp clamp_ clamp_min clamp_min_ clamp_max clamp_max_ maximum minimum max
    min amax amin aminmax cummax cummin where clone copy_ _to_copy fill fill_ zero_ full full_like zeros zeros_like ones
    ones_like empty empty_like empty_strided new_empty new_zeros new_ones new_full arange eye scalar_tensor lift_fresh
    lift_fresh_copy cat stack index index_select gather take scatter index_put index_put_ masked_fill masked_fill_
    masked_select masked_scatter sort topk kthvalue median nanmedian flip roll repeat constant_pad_nd reflection_pad1d
    replication_pad1d embedding tril triu unfold im2col max_pool2d_with_indices hardtanh threshold nan_to_num copysign sign
    sgn heaviside _unsafe_view _reshape_alias broadcast_in_dim convert_element_type""".split())
ROUNDED = set("round round_ floor floor_ ceil ceil_ trunc trunc_ floor_divide".split())


def is_float(value) -> bool:
    return isinstance(value, torch.Tensor) and value.is_floating_point()


def unit_of(tensor: torch.Tensor) -> float:
    return max(UNIT, torch.finfo(tensor.dtype).eps / 2)


def with_floats(args: tuple, change) -> list:
    return [change(each) if is_float(each) else each for each in args]


def may_err_by(function, args: tuple, kwargs: dict, sums):
    """What other orders of additions make of sums that are functions of `args`."""
    magnitudes = function(*with_floats(args, torch.abs), **kwargs)
    terms = function(*with_floats(args, torch.ones_like), **kwargs)
    if isinstance(sums, tuple):
        return tuple(map(drifted, magnitudes, terms, sums))
    return drifted(magnitudes, terms, sums)


def drifted(magnitudes, terms, sums):
    if not is_float(sums):
        return None
    drift = torch.minimum(DRIFT * terms.sqrt(), LOST / UNIT / terms)
    return torch.where(terms > 1, magnitudes + drift * sums.abs(), 0) * UNIT


def variance(value: torch.Tensor, axes: list | None, correction: float = 1, dtype=None) -> torch.Tensor:
    """As `prims.var`, which is one operation."""
    axes = list(range(value.ndim)) if axes is None else axes
    terms = math.prod(value.shape[axis] for axis in axes)
    apart = value - value.sum(axes, keepdim=True) / terms
    return (apart * apart).sum(axes) / max(0, terms - correction)


def converts_to_integers(name: str, kwargs: dict) -> bool:
    wanted = kwargs.get("dtype")
    return name == "_to_copy" and wanted is not None and not wanted.is_floating_point


class Doubts(TorchDispatchMode):
    """While it is entered, operations err. `noise`: the result of each is a rounding away from what it is, that of a sum as
    far as another order of additions may be: UP, DOWN, or either way at random, with this seed. `ties`: -1 or 1; what is near a tie is
    rounded to an integer as if it were a little smaller, or larger, than it is."""

    def __init__(self, device: torch.device, noise: int, ties: int):
        super().__init__()
        self.noise, self.ties = noise, ties
        generator = torch.Generator(device)
        generator.manual_seed(noise)
        self.drawn = torch.randint(0, 2, (DRAWN,), generator=generator, device=device).double() * 2 - 1

    def __enter__(self) -> "Doubts":
        self.apart = sdpa_kernel(SDPBackend.MATH)
        self.apart.__enter__()
        return super().__enter__()

    def __exit__(self, *error) -> None:
        super().__exit__(*error)
        self.apart.__exit__(*error)

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        kwargs, name = kwargs or {}, function._schema.name.split("::")[1]
        if self.ties and (name in ROUNDED or converts_to_integers(name, kwargs)):
            args = (self.beside_tie(name, args[0]), *args[1:])
        if not self.noise or name in EXACT or name in ROUNDED:
            return function(*args, **kwargs)
        apart = variance if function is torch.ops.prims.var.default else decomposition_table.get(function)
        if name in APART and apart is not None:
            with self:
                return apart(*args, **kwargs)
        aliases = [each.alias_info for each in function._schema.returns if each.alias_info is not None]
        in_place = any(each.is_write for each in aliases)
        result = function(*args, **kwargs)
        if aliases and not in_place:
            return result
        if name in SUMS and any(map(is_float, result if isinstance(result, tuple) else [result])):
            result = self.reordered(result, may_err_by(function, args, kwargs, result), in_place)
        if isinstance(result, (tuple, list)):
            return type(result)(self.rounded(each, in_place) for each in result)
        return self.rounded(result, in_place)

    def beside_tie(self, name: str, value):
        if not is_float(value):
            return value
        moved = value + self.ties * TIE * unit_of(value) * value.abs()
        if not name.startswith("round"):  # an integer has been rounded before
            moved = torch.where(value == value.round(), value, moved)
        return value.copy_(moved) if name.endswith("_") else moved

    def reordered(self, sums, errors, in_place: bool):
        if isinstance(sums, tuple):
            return tuple(self.reordered(*each, in_place) for each in zip(sums, errors))
        return self.off_by(errors, sums, in_place) if is_float(sums) else sums

    def rounded(self, value, in_place: bool):
        return self.off_by(unit_of(value) * value.abs(), value, in_place) if is_float(value) else value

    def signs(self, value: torch.Tensor):
        if self.noise in (UP, DOWN):
            return 1 if self.noise == UP else -1
        self.drawn = self.drawn.roll(DRAWN // 3)  # other signs than those of the operation before
        return self.drawn.repeat(value.numel() // DRAWN + 1)[: value.numel()].view(value.shape)

    def off_by(self, sizes: torch.Tensor, value: torch.Tensor, in_place: bool) -> torch.Tensor:
        errors = sizes.nan_to_num_(0, 0, 0).mul_(self.signs(value))
        return value.add_(errors) if in_place else errors.add_(value)
