// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace kernelgen {

class JsonPlace;

/// A gain, time before over time after, that is expected or was measured: an interval about its most likely value.
struct Gain {
    double likely = 1, lower = 1, upper = 1;

    bool operator==(const Gain&) const = default;
};

/// What an expected gain was derived from.
enum class GainSource {
    bound,     ///< the most that a finding or the roofline says can be gained; how much of it is a guess
    guess,     ///< nobody measured what can be gained
    patterns,  ///< what the same strategy gained before
    model,     ///< a model fitted to configurations that were timed
    rounds,    ///< times that recorded rounds have of exactly this
};
std::string_view to_string(GainSource source);
std::optional<GainSource> parse_gain_source(std::string_view name);

/// The strategy with which a round was made: what was found, what was expected, and what came of it.
struct AppliedStrategy {
    std::string strategy;  ///< id in core/strategy/catalogue.def
    std::string finding;   ///< id of a rule of resources/diagnosis; "" where no finding asked for it
    int after = 0;         ///< the round that it changed
    std::string change;    ///< what was changed, in one line: "BLOCK_M 64 → 16"
    std::string when;      ///< of a dispatch rule: the condition under which the round's variant is used
    Gain expected;
    GainSource expected_from = GainSource::bound;
    std::optional<Gain> gain;  ///< measured over the round that it changed; nothing where it was not timed
    std::string next;          ///< the strategy that promised most afterwards; "" where none did
    Gain next_expected;
    std::string ended;  ///< why an optimization ended with this round; "" where it went on, or there was none

    bool operator==(const AppliedStrategy&) const = default;
};

/// What came of a strategy.
enum class StrategyOutcome {
    gained,   ///< the measured interval is above 1
    lost,     ///< below 1
    neither,  ///< it holds 1
    failed,   ///< the round was not verified or not timed
};
StrategyOutcome outcome_of(const AppliedStrategy& applied);

nlohmann::json to_json(const AppliedStrategy& applied);
void read(const JsonPlace& place, AppliedStrategy& applied);
void read(const JsonPlace& place, Gain& gain);
nlohmann::json to_json(const Gain& gain);

}  // namespace kernelgen
