// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

#include "app/studio/session/diagnoses.h"

namespace kernelgen::studio {

/// A way to mend what was found, as a card shows it.
struct CardStrategy {
    QString title, change;  ///< "Larger tiles", "BLOCK_M 16 → 32"
    QString expectation;    ///< "" where only a person can do it
    QString why;
    std::optional<std::size_t> proposal = {};  ///< its place in `Proposals::all`; nothing: for a person to do
};

/// All that a card says, in the language of the interface.
struct CardContent {
    std::string rule;  ///< its id; "" for what no finding asked for
    QString title, gain, gain_tip;
    QStringList figures;
    QString why, confidence, confirm, source;
    std::vector<SourcePlace> where;
    std::vector<CardStrategy> strategies;
};

/// A card for each finding of a timed case, in their order, then one for strategies that no finding asked for. Without
/// strategies as long as they are null.
std::vector<CardContent> cardsOf(const FoundCauses& causes, std::size_t place, const FoundStrategies* strategies);

/// One sentence for each better layout of an input, and one if there is no finding.
QStringList remarksOf(const Diagnosis& diagnosis);

/// What was not measured, why, and what would measure it.
QStringList missingOf(const Diagnosis& diagnosis);

}  // namespace kernelgen::studio
