// SPDX-License-Identifier: Apache-2.0
// Any bytes as the code of a build, of the kind that the first byte chooses: every place is in a file of the project,
// and every instruction is counted once.
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "core/listing/instruction_mix.h"
#include "core/listing/listing.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace kernelgen;
    if (size == 0) return 0;
    const CodeKind kind = all_code_kinds[data[0] % std::size(all_code_kinds)];
    const Listing listing =
        read_listing({reinterpret_cast<const char*>(data) + 1, size - 1}, kind, {"relu.cpp", "relu.cu", "relu.py"});
    int counted = 0;
    for (const ListingLine& each : listing.lines) {
        const bool has_place = each.file >= 0;
        if (has_place != (each.line > 0) || each.file >= static_cast<int>(listing.files.size())) std::abort();
        if (each.kind == ListingLineKind::instruction) ++counted;
    }
    const InstructionMix mix = mix_of(listing);
    int grouped = 0;
    for (const auto& [group, count] : mix.groups) grouped += count;
    if (mix.instructions != counted || grouped != counted) std::abort();
    (void)to_json(listing).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    return 0;
}
