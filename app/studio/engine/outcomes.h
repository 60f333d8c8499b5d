// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/backend/build.h"
#include "core/round/record.h"

namespace kernelgen::studio {

/// How a run ended: a round, or a verification alone.
struct RunOutcome {
    bool verify_only = false;
    RoundDetail detail;  ///< `detail.round.number` is its number where it was recorded
    bool recorded = false;
    QString problem;  ///< why there is no result, or why it was not recorded
};

/// A build that was made while sliders moved.
struct BuildOutcome {
    std::string variant;
    Configuration configuration;
    DType dtype = DType::f32;
    BuildResult result;
    double seconds_to_show = 0;  ///< from the request to its result, in the GUI thread
};

}  // namespace kernelgen::studio
