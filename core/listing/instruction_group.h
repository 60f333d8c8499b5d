// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "core/listing/listing.h"

namespace kernelgen {

bool is_mlir(CodeKind kind);

/// The instruction's name in a line of a listing: "vaddps", "ld.global.f32", "LDG.E", "tt.load".
std::string_view mnemonic_of(std::string_view line, CodeKind kind);

/// What the instruction in a line of a listing does. Accesses to the stack and to a GPU's local memory are spills.
InstructionGroup group_of(std::string_view line, CodeKind kind);

}  // namespace kernelgen
