// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/strategy/propose.h"

namespace kernelgen::studio {

/// The words for strategies and gains, in the language of the interface.
QString titleOfStrategy(const std::string& id);
QString whyOfStrategy(const std::string& id);     ///< a sentence; "" where the strategy is not known
QString gainInWords(const Gain& gain);            ///< "1.050× [0.970, 1.200]"
QString expectationOf(const Proposal& proposal);  ///< "expected 1.050× [0.970, 1.200], from what it gained before"

/// The core's words for a label: with the window's ways in place of commands, and without the marks of Markdown.
QString plain(const std::string& words);

}  // namespace kernelgen::studio
