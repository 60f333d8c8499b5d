// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/diagnose/finding.h"
#include "core/strategy/change.h"
#include "core/strategy/pattern.h"
#include "core/tune/tuning.h"

namespace kernelgen {

/// A strategy that can be applied as the next round.
struct Proposal {
    std::string strategy;  ///< id in core/strategy/catalogue.def
    std::string finding;   ///< id of the rule that asked for it; "" where recorded rounds or a model did
    ProposedChange change;
    std::string line;  ///< the change in one line
    Gain expected;     ///< 90 %
    GainSource expected_from = GainSource::bound;
    std::vector<SourcePlace> where;  ///< lines of the present source that the finding names

    std::string key() const { return strategy + ": " + line; }
};

/// A strategy that a person must do: the lines, and why.
struct Advice {
    std::string strategy, finding;
    std::optional<double> most_gain;
    std::vector<SourcePlace> where;
};

struct Proposals {
    std::vector<Proposal> all;  ///< the most promising first
    std::vector<Advice> advice;
};

/// What proposals are made of; all must outlive the call.
struct Situation {
    const Project& project;
    const RoundDetail& round;              ///< a timed round: what is to be changed
    std::span<const Diagnosis> diagnoses;  ///< of its timed cases
    std::span<const Pattern> patterns = {};
    std::span<const Tuning> tunings = {};  ///< from which times of other configurations are predicted
    std::span<const Round> rounds = {};    ///< recorded rounds, of which configurations by case are learnt
};

/// The strategies that apply, with every change of each.
Proposals propose_all(const Situation& situation);

nlohmann::ordered_json to_json(const Proposal& proposal, const Implementation& before);
nlohmann::ordered_json to_json(const Advice& advice);

}  // namespace kernelgen
