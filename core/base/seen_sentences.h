// SPDX-License-Identifier: Apache-2.0
// What was seen of wrong results, from which their causes follow, as formats: see sentences.h.
#pragma once

#include <string_view>

namespace kernelgen::sentences {

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
inline constexpr std::string_view seen_negative_rows =
    "of {} rows in which all is negative {} are wrong, of {} others none";
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

}  // namespace kernelgen::sentences
