// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace kernelgen {

/// A line of two texts laid side by side: ' ' in both, '-' in the first alone, '+' in the second alone.
struct LineEdit {
    char kind;
    std::string_view line;  ///< of the second text, where it is in both
};

/// The shortest way from one text to the other, in order. Where more than `most_edits` lines would change, everything
/// between the first and the last difference is replaced. The search's memory grows with the square of `most_edits`:
/// 4 MB for 1000.
std::vector<LineEdit> line_edits(std::span<const std::string_view> before, std::span<const std::string_view> after,
                                 int most_edits);

}  // namespace kernelgen
