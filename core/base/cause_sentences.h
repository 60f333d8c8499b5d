// SPDX-License-Identifier: Apache-2.0
// Why a kernel gives wrong results, as formats: see sentences.h. `cause_*` says what is wrong, `seen_*` what was seen,
// `mend_*` what to do.
#pragma once

#include <string_view>

namespace kernelgen::sentences {

inline constexpr std::string_view cause_unwritten = "no program writes some elements of `{}`: {}";
inline constexpr std::string_view cause_old_contents =
    "the result in `{}` depends on what the output, or the workspace, held before the call";
inline constexpr std::string_view cause_race = "programs or threads race for `{}`: the result differs from run to run";
inline constexpr std::string_view cause_input_written =
    "the kernel writes into an input: an output's index or pointer is used for it, or the two are taken for one buffer";
inline constexpr std::string_view cause_out_of_bounds = "the kernel reads or writes beyond a buffer";
inline constexpr std::string_view cause_tail_columns = "the tail of the rows of `{}` is left out or not masked: {}";
inline constexpr std::string_view cause_tail_rows = "the last rows of `{}` are left out or not masked: {}";
inline constexpr std::string_view cause_tail_elements = "the last elements of `{}` are left out or not masked: {}";
inline constexpr std::string_view cause_one_tile = "whole tiles of `{}` are wrong: {}";
inline constexpr std::string_view cause_tile_boundary = "`{}` is wrong where tiles meet: {}";
inline constexpr std::string_view cause_every_kth = "one of {} elements in a row of `{}` is wrong: {}";
inline constexpr std::string_view cause_edge = "`{}` is wrong at an edge only: {}";
inline constexpr std::string_view cause_transposed = "rows and columns of `{}` are exchanged";
inline constexpr std::string_view cause_shifted_columns = "`{}` is shifted by {} within its rows";
inline constexpr std::string_view cause_shifted_rows = "`{}` is shifted by {} rows";
inline constexpr std::string_view cause_reversed_columns = "the columns of `{}` are in reverse order";
inline constexpr std::string_view cause_reversed_rows = "the rows of `{}` are in reverse order";
inline constexpr std::string_view cause_repeated_row = "every row of `{}` holds what belongs to row {}";
inline constexpr std::string_view cause_repeated_column = "every column of `{}` holds what belongs to column {}";
inline constexpr std::string_view cause_repeated_tile =
    "every tile of {} columns of `{}` holds what belongs to the first";
inline constexpr std::string_view cause_input_shifted = "`{}` is read {} elements away from where it should be";
inline constexpr std::string_view cause_input_transposed = "`{}` is read with rows and columns exchanged";
inline constexpr std::string_view cause_input_first = "of `{}` one and the same element is read everywhere";
inline constexpr std::string_view cause_input_first_row = "of `{}` the first row is read for every row";
inline constexpr std::string_view cause_input_by_row = "`{}` is read by the number of the row, not of the column";
inline constexpr std::string_view cause_reduction_stops = "a reduction stops after {} of {} elements of a row";
inline constexpr std::string_view cause_reduction_starts =
    "a reduction leaves out the first {} of {} elements of a row";
inline constexpr std::string_view cause_missing_term =
    "`{}` is left out: the results are those of `{}` in place of `{}`";
inline constexpr std::string_view cause_wrong_operation = "the results are those of `{}` in place of `{}`";
inline constexpr std::string_view cause_constant_factor = "`{}` is {} times what it should be{}";
inline constexpr std::string_view cause_constant_offset = "`{}` is off by {} everywhere{}";
inline constexpr std::string_view cause_row_factor = "each row of `{}` is off by a factor of its own";
inline constexpr std::string_view cause_row_offset = "each row of `{}` is off by a number of its own";
inline constexpr std::string_view cause_nan_lost = "NaN is lost: `{}` has a number where the reference has NaN";
inline constexpr std::string_view cause_nan_made = "`{}` is NaN where the reference has a number";
inline constexpr std::string_view cause_overflow =
    "an intermediate value overflows: `{}` is infinite where the reference is an ordinary number";
inline constexpr std::string_view cause_underflow =
    "an intermediate value is lost: `{}` is 0 where the reference is an ordinary number";
inline constexpr std::string_view cause_negative = "`{}` is wrong exactly where `{}` is negative";
inline constexpr std::string_view cause_not_negative = "`{}` is wrong exactly where `{}` is not negative";
inline constexpr std::string_view cause_all_negative =
    "a maximum over a row begins with 0, or another number too large: `{}` is wrong where all of a row is negative";
inline constexpr std::string_view cause_precision_grows =
    "errors in `{}` grow with the length of a row: a long sum in too low a precision";
inline constexpr std::string_view cause_narrow =
    "`{}` holds only values that {} can hold: it is computed or stored in that dtype";
inline constexpr std::string_view cause_narrow_inside =
    "errors in `{}` are as large as those of {}: an intermediate value is held in that dtype";
inline constexpr std::string_view cause_approximation =
    "errors in `{}` are small and everywhere: an approximation, or another order of operations than the tolerance "
    "allows";
inline constexpr std::string_view cause_cancellation =
    "digits cancel in `{}`: two large numbers are subtracted, as in E[x²] − E[x]² for a variance";
inline constexpr std::string_view cause_constant_output = "all elements of `{}` are {}";
inline constexpr std::string_view cause_other_sizes = "it depends on the sizes: {}";

inline constexpr std::string_view seen_explained =
    "{} of {} wrong elements that were compared have exactly this value, and {} of {} right ones keep theirs";
inline constexpr std::string_view seen_explained_alone =
    "{} of {} wrong elements that were compared have exactly this value";
inline constexpr std::string_view seen_last_columns = "columns {} to {} of {}";
inline constexpr std::string_view seen_last_rows = "rows {} to {} of {}";
inline constexpr std::string_view seen_last_elements = "elements {} to {} of {}";
inline constexpr std::string_view seen_elements = "{} of {} elements, the first at row {}, column {}";
inline constexpr std::string_view seen_after_tiles = "they are what is left over after whole tiles of {}";
inline constexpr std::string_view seen_after_steps = "they are what is left over after steps of {}";
inline constexpr std::string_view seen_nothing_elsewhere = "every element elsewhere is right";
inline constexpr std::string_view seen_tiles = "{} of {} tiles of {} × {}, the first at row {}, column {}";
inline constexpr std::string_view seen_columns_apart = "columns {}, {}, …: one of every {}";
inline constexpr std::string_view seen_rows_apart = "rows {}, {}, …: one of every {}";
inline constexpr std::string_view seen_first_row = "row 0";
inline constexpr std::string_view seen_first_column = "column 0";
inline constexpr std::string_view seen_first_element = "the first element";
inline constexpr std::string_view seen_unstable = "{} elements differ between two runs on the same inputs and memory";
inline constexpr std::string_view seen_stale =
    "{} elements change when the outputs held other bytes before the call; runs that begin alike agree";
inline constexpr std::string_view seen_adds_poison = "they are off by {:.6g}, which is what the output held";
inline constexpr std::string_view seen_status = "the check ended: {}";
inline constexpr std::string_view seen_ratio =
    "{} of {} wrong elements have this ratio to the reference, within {:.2g}";
inline constexpr std::string_view seen_difference =
    "{} of {} wrong elements have this difference to the reference, within {:.2g}";
inline constexpr std::string_view seen_row_factors =
    "in {} of {} wrong rows the ratio is the same for the whole row: from {:.6g} to {:.6g}";
inline constexpr std::string_view seen_row_offsets =
    "in {} of {} wrong rows the difference is the same for the whole row: from {:.6g} to {:.6g}";
inline constexpr std::string_view seen_only_on =
    "it fails on the inputs `{}`; ordinary values were right on this and {} other sizes";
inline constexpr std::string_view seen_kinds = "{} of {} wrong elements are of this kind";
inline constexpr std::string_view seen_split = "of {} elements with it {} are wrong, of {} without it {}";
inline constexpr std::string_view seen_growth =
    "the largest relative error is {:.2g} with rows of {}, and {:.2g} with rows of {}";
inline constexpr std::string_view seen_errors = "relative errors of wrong elements: median {:.2g}, largest {:.2g}";
inline constexpr std::string_view seen_half_unit = "half a unit in the last place of {} is {:.2g}";
inline constexpr std::string_view seen_representable =
    "{} of {} values are exactly representable in {}, and of the reference's only {}";
inline constexpr std::string_view seen_sizes_divide =
    "{} of {} sizes fail: exactly those where `{}` is no multiple of {}";
inline constexpr std::string_view seen_sizes_above = "{} of {} sizes fail: exactly those where `{}` is above {}";
inline constexpr std::string_view seen_sizes_below = "{} of {} sizes fail: exactly those where `{}` is below {}";
inline constexpr std::string_view seen_in_tile = "a tile has {} of them: {} = {}";

inline constexpr std::string_view factor_is = ", which is {}";

inline constexpr std::string_view mend_unwritten =
    "let the grid cover the whole output (a quotient rounded up, `cdiv`), and loops go on to its end";
inline constexpr std::string_view mend_old_contents =
    "write outputs with `=`, not with `+=`, and set accumulators and workspace before they are read";
inline constexpr std::string_view mend_race =
    "let one program write each element, use an atomic operation, or wait (`__syncthreads()`, a launch of its own) "
    "between writing and reading; where another order of additions is meant, say `\"deterministic\": false`";
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
inline constexpr std::string_view mend_sizes = "look at what the source does with that number";

inline constexpr std::string_view not_failed_again =
    "the check did not fail when it was run again: the result depends on chance or on what ran before, as with a race "
    "or "
    "memory that is read before it is written";
inline constexpr std::string_view no_cause =
    "no known cause fits: look at the first mismatches, or replay the call with `kernelgen repro`";
inline constexpr std::string_view too_large_to_explain =
    "this check has more elements than are looked at one by one; a smaller one that fails is explained instead";
inline constexpr std::string_view explained_smaller = "causes are told apart on {}, where it fails too";
inline constexpr std::string_view smallest_failing = "smallest failing: {}";

}  // namespace kernelgen::sentences
