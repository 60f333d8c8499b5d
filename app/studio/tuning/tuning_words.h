// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include "core/tune/tuning.h"
#include "core/tuning/tune.h"

namespace kernelgen::studio {

/// What a tuning makes small: "Time of one call", or its weighting.
QString objectiveTitle(const TuningHead& head);
/// The same where there is little room: "Time".
QString objectiveBrief(const TuningHead& head);
/// A value of it: "1.23 ms".
QString objectiveText(const TuningHead& head, double value);

/// All of one result, a fact a line.
QString tipOfTried(const Tuning& tuning, std::size_t row);

/// The best result so far, by the objective; null where none succeeded.
const Tried* bestOf(const Tuning& tuning);
/// What the tuning recommends: its outcome's configuration, or the best so far; null where there is none.
const Configuration* recommendedBy(const Tuning& tuning);

/// "Tuning 3 of host on cpu, 4096x4096 f32: 38 of 512 tried, 2 failed, 120 never tried".
QString describe(const Tuning& tuning);
/// How it ended, or that it did not.
QString outcomeText(const Tuning& tuning);
/// The parts of the tuning for which there was no time.
QStringList leftOutTexts(const Tuning& tuning);
/// How it searches: "strategy model, seed 7, budget 300 s, at most 100 configurations".
QString optionsText(const TuningHead& head);
/// Why configurations were never tried, with their numbers, a reason a line.
QString prunedText(const TuningHead& head);
/// The state of a tuning that runs.
QString stateText(const TuneState& state);

}  // namespace kernelgen::studio
