// SPDX-License-Identifier: Apache-2.0
#include "core/listing/listing.h"

#include <algorithm>

#include "core/listing/readers.h"

namespace kernelgen {

std::string_view to_string(CodeKind kind) {
    switch (kind) {
        case CodeKind::assembly: return "assembly";
        case CodeKind::ptx: return "ptx";
        case CodeKind::sass: return "sass";
        case CodeKind::ttir: return "ttir";
        case CodeKind::ttgir: return "ttgir";
    }
    return "";
}

std::optional<CodeKind> code_kind_of(std::string_view name) {
    const auto found = std::ranges::find(all_code_kinds, name, [](CodeKind each) { return to_string(each); });
    return found == std::end(all_code_kinds) ? std::nullopt : std::optional(*found);
}

std::string_view to_string(InstructionGroup group) {
    switch (group) {
        case InstructionGroup::floats: return "floats";
        case InstructionGroup::matrix: return "matrix";
        case InstructionGroup::integers: return "integers";
        case InstructionGroup::load: return "load";
        case InstructionGroup::store: return "store";
        case InstructionGroup::spill: return "spill";
        case InstructionGroup::convert: return "convert";
        case InstructionGroup::move: return "move";
        case InstructionGroup::control: return "control";
        case InstructionGroup::sync: return "sync";
        case InstructionGroup::other: return "other";
    }
    return "";
}

Listing read_listing(std::string_view text, CodeKind kind, const std::vector<std::string>& own_files) {
    Listing listing{.kind = kind};
    ListingWriter writer(listing, own_files);
    switch (kind) {
        case CodeKind::assembly: read_objdump(text, writer); break;
        case CodeKind::ptx: read_ptx(text, writer); break;
        case CodeKind::sass: read_sass(text, writer); break;
        case CodeKind::ttir:
        case CodeKind::ttgir: read_mlir(text, writer); break;
    }
    if (text.size() >= most_code_bytes) listing.is_cut = true;
    return listing;
}

}  // namespace kernelgen
