// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/verify/overflow_marks.h"
#include "core/verify/reference_run.h"

namespace kernelgen {

/// Whether a check's set has values so large that a right kernel may overflow.
bool may_overflow(const Check& check);

/// Runs a reference on changed inputs of a check, and marks the elements that cannot be judged: a right kernel may
/// overflow there where it adds in another order, or squares before it subtracts. Where the reference fails on one of
/// the changed inputs, the marks come from the others.
class OverflowSearch {
public:
    /// All arguments must outlive it.
    OverflowSearch(const Operator& definition, const Check& check, ReferenceRunner& runner)
        : definition_(definition), check_(check), runner_(runner) {}

    /// The marks of each output; none where the check's set has no large values. `expected` is the check's result in
    /// float64 and must outlive the marks. The result in the case's dtype is to be added by the caller (`add_own`).
    std::vector<OverflowMarks> marks(const Results& expected);

private:
    int pairs_of_halves() const;
    void probe_set(InputSet set);
    void probe_halves();
    void probe_scales();
    void probe_covered(std::size_t tensor, double largest);
    void probe_negated();
    void probe_unrelated();

    const Operator& definition_;
    const Check& check_;
    ReferenceRunner& runner_;
    std::vector<OverflowMarks> marks_;
};

}  // namespace kernelgen
