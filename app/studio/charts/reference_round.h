// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/round/history.h"

namespace kernelgen::studio {

/// The round that charts of one round show where none is selected: the newest that was timed or else the newest of all;
/// null without any.
const Round* referenceRound(const History& history);
/// The newest round that was timed on a device; null without any.
const Round* newestTimedOn(const History& history, const std::string& device);

/// "4096x1024 bf16 · normal", with the status where it is not ok.
QString checkText(const CaseAccuracy& accuracy);

}  // namespace kernelgen::studio
