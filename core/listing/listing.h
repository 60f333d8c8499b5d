// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kernelgen {

/// What a build's code can be read as; also the name of the build's text.
enum class CodeKind { assembly, ptx, sass, ttir, ttgir };

inline constexpr CodeKind all_code_kinds[] = {CodeKind::assembly, CodeKind::ptx, CodeKind::sass, CodeKind::ttgir,
                                              CodeKind::ttir};
std::string_view to_string(CodeKind kind);
std::optional<CodeKind> code_kind_of(std::string_view name);

/// What an instruction does.
enum class InstructionGroup { floats, matrix, integers, load, store, spill, convert, move, control, sync, other };

inline constexpr InstructionGroup all_instruction_groups[] = {
    InstructionGroup::floats, InstructionGroup::matrix,  InstructionGroup::integers, InstructionGroup::load,
    InstructionGroup::store,  InstructionGroup::spill,   InstructionGroup::convert,  InstructionGroup::move,
    InstructionGroup::sync,   InstructionGroup::control, InstructionGroup::other};
std::string_view to_string(InstructionGroup group);  ///< "floats", as in JSON

enum class ListingLineKind { function, label, instruction, other };

struct ListingLine {
    std::string text;
    ListingLineKind kind = ListingLineKind::other;
    InstructionGroup group = InstructionGroup::other;  ///< of an instruction
    int file = -1;                                     ///< of the listing's; -1: from no file of the project
    int line = 0;                                      ///< in the file, from 1
};

/// A build's code as lines, each with the line of the project's sources from which it comes.
struct Listing {
    CodeKind kind = CodeKind::assembly;
    std::vector<std::string> files;  ///< the project's names of the sources that lines come from
    std::vector<ListingLine> lines;
    bool is_cut = false;  ///< there were more lines than `most_listing_lines`, or the text was cut
};

inline constexpr std::size_t most_listing_lines = 400'000;
inline constexpr std::size_t most_code_bytes = 64 << 20;  ///< of a disassembler; a text as long was cut

/// Reads the output of `objdump -d -l --inlines` (x86-64), PTX with `.loc` (PTX ISA, "Debugging directives"), the
/// output of `nvdisasm -gi -c` or `cuobjdump -sass`, or MLIR with `loc(…)`. Directives are left out. Code of a function
/// that was inlined belongs to the innermost call in one of `own_files`, which are names in the project. Any text can
/// be read: what is not understood is a line without a place.
Listing read_listing(std::string_view text, CodeKind kind, const std::vector<std::string>& own_files);

}  // namespace kernelgen
