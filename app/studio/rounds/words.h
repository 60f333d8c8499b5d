// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/round/change.h"
#include "core/round/record.h"

namespace kernelgen::studio {

/// In the language of the interface, for cells and headings.
QString word(Status status);
QString word(ChangeKind kind);
QString word(const Difference& difference);  ///< what differs: "tunable BLOCK_M"

/// The status; of a crash with the signal that its reason names: "crashed: SIGSEGV".
QString verdictOf(const Round& round);

/// "BLOCK_M=16 BLOCK_N=256"
QString textOf(const Configuration& configuration);

/// A recorded time (ISO 8601, UTC) in the user's time zone, to the second.
QString localTime(const std::string& utc);
QString timeOf(const Round& round);  ///< when it was made

}  // namespace kernelgen::studio
