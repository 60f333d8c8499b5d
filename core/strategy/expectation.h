// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "core/round/applied.h"
#include "core/strategy/gain.h"
#include "core/strategy/pattern.h"
#include "core/tune/gain_model.h"

namespace kernelgen {

/// What is known of a step before it is made, of one case.
struct Outlook {
    std::string_view strategy;
    double room = 0;                    ///< logarithm of the most that it can gain: 0 or more
    bool is_guess = false;              ///< nobody measured the room
    double noise = noise_between_runs;  ///< standard deviation of the logarithm of a run's speedup
    std::optional<PatternAdvice> patterns;
    std::optional<PredictedGain> model;
};

struct Expected {
    Gain gain;
    GainSource from = GainSource::bound;
};

/// The interval in which the gain is expected with 90 %: what the model predicts; else a share of what the finding says
/// can be gained at most, with what patterns say, the surer of the two counting more. It is never above the most that
/// can be gained, but for the noise between two runs.
Expected expected_gain(const Outlook& outlook);

/// The expected gain over several cases: the geometric mean. Cases without any number count as 1.
Expected expected_gain_of_all(std::span<const Outlook> outlooks);

}  // namespace kernelgen
