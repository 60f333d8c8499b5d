// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/said.h"

namespace kernelgen {

/// What a kernel that gives wrong results does wrong.
enum class CauseKind {
    unwritten,         ///< elements that no program writes
    old_contents,      ///< reads what its outputs or workspace held before
    race,              ///< differs from run to run
    input_written,     ///< writes into an input
    out_of_bounds,     ///< reads or writes beyond a buffer
    tail_columns,      ///< the last columns are left out
    tail_rows,         ///< the last rows are left out
    tail_elements,     ///< the last elements of the flattened output are left out
    one_tile,          ///< whole tiles are wrong
    tile_boundary,     ///< columns or rows at a tile's border
    every_kth,         ///< one element of k
    edge,              ///< the first or last row or column
    transposed,        ///< rows and columns exchanged
    shifted,           ///< each element is that of a fixed distance away
    repeated,          ///< one row or column stands in all
    wrong_index,       ///< an input is read at other elements than it should be
    reduction_tail,    ///< a reduction leaves elements out
    missing_term,      ///< a part of the definition is not computed
    wrong_operation,   ///< another operation or operand than the definition's
    constant_factor,   ///< off by one factor
    constant_offset,   ///< off by one number
    row_factor,        ///< each row off by a factor of its own
    nan_lost,          ///< a number where the reference has NaN
    nan_made,          ///< NaN where the reference has a number
    overflow,          ///< infinite or 0 where the reference is an ordinary number
    depends_on_sign,   ///< wrong exactly where an input is negative, or where it is not
    precision_grows,   ///< errors grow with the length of a row
    narrow_precision,  ///< computed or stored in a narrower dtype
    approximation,     ///< small errors everywhere
    constant_output,   ///< one value in all elements
    wrong_workspace,   ///< a launch leaves wrong values in a workspace buffer
    other_sizes,       ///< which sizes fail
};
std::string_view to_string(CauseKind kind);
std::optional<CauseKind> parse_cause_kind(std::string_view name);

/// A line of the kernel's source that may be what is wrong.
struct SourceLine {
    std::string file;
    int line = 0;      ///< from 1
    std::string text;  ///< the line, trimmed, at most 160 bytes

    bool operator==(const SourceLine&) const = default;
};

/// A likely cause of a wrong result. Its texts are in core/base: cause_sentences.h, seen_sentences.h, mend_sentences.h.
struct Cause {
    CauseKind kind = CauseKind::unwritten;
    double confidence = 0;           ///< 0 to 1
    Said text;                       ///< what is wrong
    std::vector<Said> evidence;      ///< what was seen, with numbers
    Said advice;                     ///< what to do
    std::vector<SourceLine> places;  ///< most likely first, at most 3
};
using Causes = std::vector<Cause>;

nlohmann::json to_json(const Cause& cause);
/// Throws std::exception where `json` is something else.
Cause cause_from_json(const nlohmann::json& json);

}  // namespace kernelgen
