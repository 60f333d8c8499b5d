// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>

#include "core/strategy/propose.h"

namespace kernelgen::cli {

std::string gain_text(const Gain& gain);  ///< "1.12× [1.05, 1.20]"

/// "kernelgen run projects/softmax --variant naive --device cuda:0": what runs the variant of a round again.
std::string run_command(const std::string& project, const Round& round);

/// A numbered list: title, change, what is expected, and how to apply it. `command`: as `run_command`.
void print_proposals(std::ostream& out, const Proposals& proposals, const std::string& command, std::size_t most);

/// What a round's strategy was, what was expected of it, and what came of it; nothing where it had none.
void print_applied(std::ostream& out, const Round& round);

/// "larger_tile: larger tiles, BLOCK_M 16 → 32; expected 1.05× [0.97, 1.20]"
std::string proposal_line(const Proposal& proposal);

}  // namespace kernelgen::cli
