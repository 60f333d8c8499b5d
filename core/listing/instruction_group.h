// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "core/listing/listing.h"

namespace kernelgen {

bool is_mlir(CodeKind kind);

/// The instruction's name in a line of a listing: "vaddps", "ld.global.f32", "LDG.E", "tt.load".
std::string_view mnemonic_of(std::string_view line, CodeKind kind);

/// What the instruction in a line of a listing does. Accesses to the stack and to a GPU's local memory are spills; what
/// is at rbp is on the stack only where that is the function's frame pointer.
InstructionGroup group_of(std::string_view line, CodeKind kind, bool has_frame_pointer = false);

}  // namespace kernelgen
