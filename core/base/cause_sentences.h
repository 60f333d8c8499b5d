// SPDX-License-Identifier: Apache-2.0
// Why a kernel gives wrong results, as formats: see sentences.h. What was seen of it is in seen_sentences.h, what to do
// in mend_sentences.h.
#pragma once

#include <string_view>

namespace kernelgen::sentences {

inline constexpr std::string_view cause_unwritten = "no program writes some elements of `{}`: {}";
inline constexpr std::string_view cause_old_contents =
    "the result in `{}` depends on what the output, or the workspace, held before the call";
inline constexpr std::string_view cause_race =
    "programs or threads race for `{}`, or something is kept between calls: the result differs from run to run";
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
inline constexpr std::string_view cause_input_shifted = "the index with which `{}` is read is off by {}";
inline constexpr std::string_view cause_input_transposed = "`{}` is read with rows and columns exchanged";
inline constexpr std::string_view cause_input_first = "of `{}` one and the same element is read everywhere";
inline constexpr std::string_view cause_input_repeated =
    "of `{}` the first {} elements of a row are read again and again";
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
inline constexpr std::string_view cause_wrong_workspace =
    "after launch {}, `{}`, the workspace `{}` does not hold the definition's `{}`";
inline constexpr std::string_view workspace_is_right =
    "the workspace `{}` is right after launch {}, `{}`: what is wrong comes later";
inline constexpr std::string_view cause_other_sizes = "it depends on the sizes: {}";

inline constexpr std::string_view factor_is = ", which is {}";

inline constexpr std::string_view not_failed_again =
    "the check did not fail when it was run again: the result depends on chance or on what ran before, as with a race "
    "or memory that is read before it is written";
inline constexpr std::string_view no_cause =
    "no known cause fits: look at the first mismatches, or replay the call with `kernelgen repro`";
inline constexpr std::string_view too_large_to_explain =
    "this check has more elements than are looked at one by one; a smaller one that fails is explained instead";
inline constexpr std::string_view not_made_smaller =
    "there was no time to try all smaller sizes: smaller ones than these may fail, too";
inline constexpr std::string_view explained_smaller = "causes are told apart on {}, where it fails too";
inline constexpr std::string_view smallest_failing = "smallest failing: {}";

}  // namespace kernelgen::sentences
