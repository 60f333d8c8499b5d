// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string_view>
#include <vector>

#include "core/listing/listing.h"

namespace kernelgen {

enum class RegionKind { function, loop, block };
std::string_view to_string(RegionKind kind);  ///< "function", as in JSON

/// A part of a listing: its lines `first` to `last`, with those of the regions in it.
struct CodeRegion {
    RegionKind kind = RegionKind::function;
    std::size_t first = 0, last = 0;
    int depth = 0;  ///< how many regions it is in

    bool operator==(const CodeRegion&) const = default;
};

/// The functions of a listing, their loops and their basic blocks, each behind the region that it is in. A loop reaches
/// from where a jump leads back to, to the last jump that leads there; in MLIR it is also the region of an `scf.for` or
/// `scf.while`. A loop that overlaps another one without being in it, which a compiler makes of a jump into a loop, is
/// left out. A block ends at a jump, a return, or before what a jump leads to; one of a single line, or that is a whole
/// loop or function, is left out.
std::vector<CodeRegion> outline_of(const Listing& listing);

/// [{"kind", "first", "last", "depth", "source": [first, last], "mix"}]: the indices of its lines, and the lines of
/// the source that most of it comes from.
nlohmann::ordered_json outline_json(const Listing& listing);

/// The file, and the first and last line of it, from which the most lines of a region come; file -1 where none has a
/// place.
struct SourceSpan {
    int file = -1;
    int first = 0, last = 0;
};
SourceSpan source_of(const Listing& listing, const CodeRegion& region);

}  // namespace kernelgen
