// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "app/studio/application/status_words.h"
#include "core/round/change.h"
#include "core/round/record.h"

namespace kernelgen::studio {

/// The words for cells and headings, in the language of the interface.
QString word(ChangeKind kind);
QString word(const Difference& difference);  ///< what differs: "tunable BLOCK_M"

/// The status; of a crash with the signal that its reason names: "crashed: SIGSEGV".
QString verdictOf(const Round& round);

/// "BLOCK_M=16 BLOCK_N=256"
QString textOf(const Configuration& configuration);

}  // namespace kernelgen::studio
