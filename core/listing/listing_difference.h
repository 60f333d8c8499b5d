// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/listing/listing.h"

namespace kernelgen {

/// Two listings of one kind as one: what is in both as the second has it, what is in one alone in its place.
struct ListingDifference {
    Listing merged;           ///< its lines that are in the first alone have no place
    std::vector<char> marks;  ///< of each line: ' ' in both, '-' in the first alone, '+' in the second alone
    int removed = 0, added = 0;
};

/// Lines are the same where they do the same: addresses, the numbers of registers and labels do not count, since one
/// instruction more renumbers all others.
ListingDifference difference_between(const Listing& before, const Listing& after);

/// {"removed", "added", "lines": [{"mark", "text", "file", "line"}], "before": the mix of the first listing}; only the
/// lines that are not in both.
nlohmann::ordered_json to_json(const ListingDifference& difference, const Listing& before);

/// A line without what does not count: "vaddps %ymm,%ymm,%ymm".
std::string compared_text(const ListingLine& line, CodeKind kind);

}  // namespace kernelgen
