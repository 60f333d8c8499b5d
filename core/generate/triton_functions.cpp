// SPDX-License-Identifier: Apache-2.0
#include "core/generate/triton_functions.h"

#include <string_view>
#include <vector>

namespace kernelgen {

namespace {

struct Function {
    std::string_view name;
    std::vector<std::string_view> calls;
    std::string_view text;
};

/// A function stands after those that it calls.
const Function all[] = {
    {"nan_maximum", {}, R"py(
@triton.jit
def nan_maximum(a, b):
    """The larger of both, NaN where one of them is."""
    return tl.maximum(a, b, propagate_nan=tl.PropagateNan.ALL)
)py"},
    {"nan_minimum", {}, R"py(
@triton.jit
def nan_minimum(a, b):
    """The smaller of both, NaN where one of them is."""
    return tl.minimum(a, b, propagate_nan=tl.PropagateNan.ALL)
)py"},
    {"nan_row_max", {}, R"py(
@triton.jit
def nan_row_max(x):
    """The largest of each row, NaN where the row has one: tl.max leaves NaN out."""
    has_nan = tl.max((x != x).to(tl.int32), axis=1, keep_dims=True) > 0
    return tl.where(has_nan, float("nan"), tl.max(x, axis=1, keep_dims=True))
)py"},
    {"nan_row_min", {}, R"py(
@triton.jit
def nan_row_min(x):
    """The smallest of each row, NaN where the row has one: tl.min leaves NaN out."""
    has_nan = tl.max((x != x).to(tl.int32), axis=1, keep_dims=True) > 0
    return tl.where(has_nan, float("nan"), tl.min(x, axis=1, keep_dims=True))
)py"},
    {"quotient", {}, R"py(
@triton.jit
def quotient(a, b):
    """a / b, rounded to nearest: in float32 Triton's own is only near it, so that the mean of ones would not be 1."""
    if a.dtype == tl.float32:
        return tl.div_rn(a, b * 1.0)
    return a / b
)py"},
    {"is_nan", {}, R"py(
@triton.jit
def is_nan(x):
    return x != x
)py"},
    {"sign_of", {}, R"py(
@triton.jit
def sign_of(x):
    """-1, 0 or 1; NaN of NaN."""
    return tl.where(x != x, x, (x > 0.0).to(x.dtype) - (x < 0.0).to(x.dtype))
)py"},
    {"round_to_even", {}, R"py(
@triton.jit
def round_to_even(x):
    """The nearest integer, the even one of two that are equally near."""
    below = tl.floor(x)
    part = x - below
    is_odd = below - 2.0 * tl.floor(below * 0.5) == 1.0
    return tl.where((part > 0.5) | ((part == 0.5) & is_odd), below + 1.0, below)
)py"},
    {"to_integer", {"round_to_even"}, R"py(
@triton.jit
def to_integer(x, LEAST: tl.constexpr, MOST: tl.constexpr):
    """The nearest integer within the bounds, 0 for NaN."""
    x = round_to_even(x.to(tl.float64))
    x = tl.where(x < LEAST, LEAST, tl.where(x > MOST, MOST, x))
    return tl.where(x != x, 0.0, x).to(tl.int32)
)py"},
    {"precise_exp", {"nan_maximum", "nan_minimum"}, R"py(
@triton.jit
def precise_exp(x, FAST: tl.constexpr):
    """e^x. Triton's own rounds x * log2(e), which costs digits where x is large; FAST: results of 16 bits hide that."""
    if FAST or x.dtype == tl.float64:
        return tl.exp(x)
    x = nan_minimum(nan_maximum(x, -104.0), 89.0)  # beyond these e^x is 0 or infinite in float32 all the same
    n = tl.floor(x * 1.4426950408889634 + 0.5)
    rest = (x - n * 0.693359375) + n * 2.1219444005469057e-4  # x - n * log(2), whose first part is exact
    return tl.exp2(rest * 1.4426950408889634) * tl.exp2(n - 1.0) * 2.0
)py"},
    {"precise_expm1", {"precise_exp"}, R"py(
@triton.jit
def precise_expm1(x, FAST: tl.constexpr):
    """e^x - 1 without its cancellation near 0: what rounding did to e^x cancels in Kahan's quotient."""
    e = precise_exp(x, FAST)
    near = (e - 1.0) * (x / tl.log(e))
    return tl.where(e == 1.0, x, tl.where((e > 0.25) & (e < 4.0), near, e - 1.0))
)py"},
    {"precise_log1p", {}, R"py(
@triton.jit
def precise_log1p(x):
    """log(1 + x), exact near 0: what rounding did to 1 + x cancels in Kahan's quotient."""
    y = 1.0 + x
    return tl.where(y == 1.0, x, tl.log(y) * tl.where(y == float("inf"), 1.0, x / (y - 1.0)))
)py"},
    {"precise_tanh", {"precise_expm1"}, R"py(
@triton.jit
def precise_tanh(x, FAST: tl.constexpr):
    """By e^-2|x| - 1, which keeps its digits where x is small."""
    t = precise_expm1(-2.0 * tl.abs(x), FAST)
    return tl.where(x < 0.0, t, -t) / (t + 2.0)
)py"},
    {"precise_sigmoid", {"precise_exp"}, R"py(
@triton.jit
def precise_sigmoid(x, FAST: tl.constexpr):
    return 1.0 / (1.0 + precise_exp(-x, FAST))
)py"},
    {"precise_power", {}, R"py(
@triton.jit
def precise_power(x, y):
    """x to the power of y, by logarithms in float64: a large power multiplies their rounding."""
    a, b = tl.broadcast(x.to(tl.float64), y.to(tl.float64))
    result = tl.exp2(b * tl.log2(tl.abs(a)))
    is_integer = tl.floor(b) == b
    is_odd = is_integer & (2.0 * tl.floor(b * 0.5) != b)
    is_negative = (a < 0.0) | ((a == 0.0) & (1.0 / a < 0.0))
    result = tl.where(is_negative & is_odd, -result, result)
    result = tl.where((a < 0.0) & (a > float("-inf")) & (is_integer == 0), float("nan"), result)
    is_one = (b == 0.0) | (a == 1.0) | ((a == -1.0) & (tl.abs(b) == float("inf")))
    return tl.where(is_one, 1.0, result).to(x.dtype)
)py"},
};

}  // namespace

std::string triton_functions(const std::set<std::string>& names) {
    std::set<std::string_view> wanted(names.begin(), names.end());
    for (auto each = std::rbegin(all); each != std::rend(all); ++each) {
        if (wanted.contains(each->name)) wanted.insert(each->calls.begin(), each->calls.end());
    }
    std::string text;
    for (const Function& each : all) {
        if (wanted.contains(each.name)) text += "\n" + std::string(each.text);
    }
    return text;
}

}  // namespace kernelgen
