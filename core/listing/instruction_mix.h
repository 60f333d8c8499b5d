// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/listing/listing.h"

namespace kernelgen {

/// What some instructions of a listing are and take.
struct InstructionMix {
    int instructions = 0;
    std::map<InstructionGroup, int> groups;
    /// How many registers they name, by the kind of register: "vector" and "general" of x86-64; "f", "r" … of PTX,
    /// whose registers are not yet the device's; "R", "UR", "P" of SASS. None of MLIR.
    std::map<std::string, int> registers;

    int spills() const {
        const auto found = groups.find(InstructionGroup::spill);
        return found == groups.end() ? 0 : found->second;
    }
    bool operator==(const InstructionMix&) const = default;
};

/// Of the lines with these indices, ascending; lines that are no instructions do not count.
InstructionMix mix_of(const Listing& listing, const std::vector<std::size_t>& lines);
InstructionMix mix_of(const Listing& listing);

/// For each line of a source (from 1), the indices of its lines in the listing.
std::map<int, std::vector<std::size_t>> lines_by_source(const Listing& listing, int file);

/// {"kind", "files", "lines": [{"text", "group", "file", "line"}], "mix", "is_cut"}.
nlohmann::ordered_json to_json(const Listing& listing);
nlohmann::ordered_json to_json(const InstructionMix& mix);

}  // namespace kernelgen
