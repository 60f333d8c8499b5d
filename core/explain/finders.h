// SPDX-License-Identifier: Apache-2.0
// Each finder looks for one family of causes, and adds what it finds.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "core/base/said.h"
#include "core/explain/wrong_output.h"

namespace kernelgen {

/// One output of a replay.
struct Subject {
    const WrongOutput& evidence;
    const Replay& replay;
    const OutputReplay& output;
    std::size_t index;                ///< of the output in the operator
    std::vector<std::int64_t> wrong;  ///< elements, in order; not empty but for `find_in_runs`

    const Tensor& tensor() const { return evidence.definition.outputs[index]; }
};

// Finders that look at what happened in several runs, and at the status of the failing check.
void find_in_status(const WrongOutput& evidence, Causes& causes);
void find_in_runs(const Subject& subject, Causes& causes);
// Finders that look at the places of wrong elements.
void find_in_places(const Subject& subject, Causes& causes);
// Finders that look at the values of wrong elements: values of other elements, those of another formula, numbers that
// tell.
void find_moved(const Subject& subject, Causes& causes);
void find_wrong_index(const Subject& subject, Causes& causes);
void find_formula(const Subject& subject, Causes& causes);
void find_constants(const Subject& subject, Causes& causes);
void find_lost_reduction(const Subject& subject, Causes& causes);
void find_special_values(const Subject& subject, Causes& causes);
void find_precision(const Subject& subject, Causes& causes);
// Finders that look at which sizes fail.
void find_in_sizes(const WrongOutput& evidence, Causes& causes);

/// The lines of the candidate's sources that a cause of this kind may be in. `tensor`: the output or input that it is
/// about, or "".
std::vector<SourceLine> places_of(const Implementation& candidate, CauseKind kind, const std::string& tensor);

/// How well a hypothesis accounts for an output: it must give wrong elements the value that they have, and right ones
/// theirs.
struct Match {
    std::int64_t wrong = 0, explained = 0;  ///< wrong elements that were compared, and those that it explains
    std::int64_t told = 0;                  ///< explained ones with a finite value
    std::int64_t right = 0, kept = 0;       ///< right elements that were compared, and those that it leaves right

    double explained_share() const {
        return wrong > 0 ? static_cast<double>(explained) / static_cast<double>(wrong) : 0;
    }
    double kept_share() const { return right > 0 ? static_cast<double>(kept) / static_cast<double>(right) : 1; }
    /// The confidence of a hypothesis that could hardly match by chance; 0 where it explains too little.
    double confidence() const;
};

/// How many elements it explains, as a sentence.
Said seen_match(const Match& match);

/// Compares elements of an output with what a hypothesis gives them.
class Matcher {
public:
    explicit Matcher(const OutputReplay& output);
    /// A predicted NaN is compared like any number. Elements that are never added are not compared.
    void add(Match& match, std::int64_t element, double predicted) const;
    bool close(double actual, double predicted) const;

private:
    const OutputReplay& output_;
    double relative_ = 0, absolute_ = 0;
};

/// Gives the element of input `input` that a hypothesis reads instead of `element`, in a row of the space; nothing:
/// beyond the tensor.
using IndexMap = std::function<std::optional<std::int64_t>(std::size_t input, std::int64_t element, std::int64_t row)>;

/// A hypothesis: the kernel computes this body, on inputs read by this map.
struct Hypothesis {
    const Body& body;
    Sizes sizes;
    IndexMap index = {};  ///< empty: every element in its place
};

/// Evaluates a hypothesis on a sample of rows, and compares the subject's output with it. The hypothesis may have fewer
/// columns than the output: the others are not compared.
Match test(const Subject& subject, const Hypothesis& hypothesis);

}  // namespace kernelgen
