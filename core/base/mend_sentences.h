// SPDX-License-Identifier: Apache-2.0
// What to do about the causes of wrong results: see sentences.h.
#pragma once

#include <string_view>

namespace kernelgen::sentences {

inline constexpr std::string_view mend_unwritten =
    "let the grid cover the whole output (a quotient rounded up, `cdiv`), and loops go on to its end";
inline constexpr std::string_view mend_old_contents =
    "write outputs with `=`, not with `+=`, and set accumulators and workspace before they are read";
inline constexpr std::string_view mend_race =
    "let one program write each element, use an atomic operation, or wait (`__syncthreads()`, a launch of its own) "
    "between writing and reading; keep nothing in `static` variables; where another order of additions is meant, say "
    "`\"deterministic\": false`";
inline constexpr std::string_view mend_input_written =
    "store through the output's pointer only; use `workspace` for scratch";
inline constexpr std::string_view mend_argument_written =
    "clone the argument before an operation in place (`x = x.clone()`), or write to a new tensor";
inline constexpr std::string_view mend_out_of_bounds =
    "guard loads and stores by the sizes (`if (i < D)`, `mask=`), for what does not fill a tile";
inline constexpr std::string_view mend_tail =
    "handle what does not fill a tile: round the number of tiles up, and mask the last one by the size, not by the "
    "tile";
inline constexpr std::string_view mend_tile =
    "look at how a program's number becomes its rows and columns, and at what only some programs do";
inline constexpr std::string_view mend_boundary =
    "look at the first and the last index of a tile: `<` or `<=`, one more or one less, what a neighbour needs";
inline constexpr std::string_view mend_kth =
    "look at what is unrolled or vectorised by that number: one of its parts is wrong";
inline constexpr std::string_view mend_edge =
    "look at what is done for the first index only, and at loops that begin with 1";
inline constexpr std::string_view mend_index =
    "look at the index expression: the stride of a row, the order of its parts, what is added";
inline constexpr std::string_view mend_reduction =
    "let the reduction go on to the end of the row; mask what is beyond it with the neutral value (0 for a sum, −inf "
    "for a maximum)";
inline constexpr std::string_view mend_formula = "compare the source with the definition at this operation";
inline constexpr std::string_view mend_row =
    "look at what is computed once for each row: a sum, a mean, a maximum, and what it is divided by";
inline constexpr std::string_view mend_nan =
    "use comparisons that keep NaN: `kg::maximum`, `kg::minimum`, `tl.maximum(…, propagate_nan=…)`; `fmaxf`, "
    "`std::max` and `<` lose it";
inline constexpr std::string_view mend_nan_made =
    "look for inf − inf, 0 × inf, 0 ÷ 0: subtract the row's maximum before `exp`, add `eps` before dividing";
inline constexpr std::string_view mend_overflow =
    "subtract the row's maximum before `exp`, scale before squaring, or hold the value in f32";
inline constexpr std::string_view mend_sign = "look at the branch or the comparison on that input";
inline constexpr std::string_view mend_maximum =
    "begin a maximum with −inf (or the first element), and mask with −inf, not with 0";
inline constexpr std::string_view mend_precision =
    "add in f32 or wider, in several partial sums; a variance in two passes, or by Welford's method";
inline constexpr std::string_view mend_narrow = "convert to f32 right after loading, and back only when storing";
inline constexpr std::string_view mend_approximation =
    "use the precise function, or set the tolerance that the operator may have in `accuracy`";
inline constexpr std::string_view mend_constant =
    "look at whether the kernel stores what it computed, and at the pointer that it loads from";
inline constexpr std::string_view mend_wrong_workspace =
    "if the buffer is meant to hold the value `{}` of the definition, mend that launch first; else give it another "
    "name";
inline constexpr std::string_view mend_sizes = "look at what the source does with that number";

}  // namespace kernelgen::sentences
