// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/base/said.h"
#include "core/diagnose/evidence.h"

namespace kernelgen {

/// A number on which a finding is based.
struct FindingFigure {
    std::string name;                 ///< of a metric, which has title, unit and form
    double value = 0;                 ///< in the metric's unit
    std::optional<double> threshold;  ///< the rule's limit for it
    EvidenceSource source = EvidenceSource::timing;
};

/// How sure a finding is.
enum class Confidence {
    measured,  ///< a measurement or the compiler's output says it of this kernel
    derived,   ///< it follows from source, launch and definition; its weight in the time was not measured
    possible,  ///< the numbers fit, others causes would fit too
};
std::string_view to_string(Confidence confidence);

/// What a finding is about.
enum class FindingKind {
    cause,  ///< a reason for lost time that can be mended
    bound,  ///< what limits the kernel when all is well, or a loss that no rule explains
    doubt,  ///< a reason to doubt the numbers
};
std::string_view to_string(FindingKind kind);

/// One statement about a kernel on one case. Its texts are those of the rule (core/diagnose/rule.h), filled with the
/// figures by core/report.
struct Finding {
    std::string rule;  ///< stable id: "tail_wave"
    FindingKind kind = FindingKind::cause;
    Confidence confidence = Confidence::possible;
    std::vector<FindingFigure> figures;
    std::optional<double> most_gain;      ///< time now over time when it is mended entirely: 1 or more
    std::string no_gain_reason;           ///< the metric without which `most_gain` cannot be told
    std::vector<std::string> strategies;  ///< ids of strategies that may mend it, the likeliest first
    std::vector<SourcePlace> where;       ///< lines of the source, where known
};

/// A number that rules asked for and nobody knows.
struct MissingEvidence {
    std::string name;                ///< of a metric
    Said reason;                     ///< why it is not known, where that was recorded
    std::vector<std::string> rules;  ///< that could not be judged without it
};

/// What is to be said about a kernel on one case.
struct Diagnosis {
    Evidence evidence;
    std::vector<Finding> findings;         ///< causes by `most_gain`, the largest first; then bounds, then doubts
    std::vector<MissingEvidence> missing;  ///< what was not measured
};

nlohmann::ordered_json to_json(const Diagnosis& diagnosis);

}  // namespace kernelgen
