// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <ostream>
#include <string>

#include "core/listing/listing.h"
#include "core/project/variant.h"

namespace kernelgen::cli {

/// Lines of the sources of which a listing is wanted.
struct ListingChoice {
    std::string file;  ///< "": of all
    int first = 0, last = std::numeric_limits<int>::max();
};

/// The lines of a listing that come from those of the sources; all of it where the choice names none.
Listing chosen(const Listing& listing, const ListingChoice& choice);

/// Each line with the place that it comes from, and what the instructions are.
void print_listing(std::ostream& out, const Listing& listing);

/// The lines that differ with three around them, and what the instructions are before and now. `before` is the code
/// that is compared with.
void print_difference(std::ostream& out, const Listing& before, const Listing& now);

/// Each line of the sources that has instructions, with their number by kind, and its text.
void print_by_line(std::ostream& out, const Listing& listing, const Implementation& implementation);

/// Each function, loop and block, indented by what it is in, with the lines of the sources that it comes from and what
/// its instructions are.
void print_outline(std::ostream& out, const Listing& listing);

}  // namespace kernelgen::cli
