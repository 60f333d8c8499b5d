// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/verify/overflow_marks.h"
#include "core/verify/reference_run.h"

namespace kernelgen {

/// Whether a check's set has values so large that a right kernel may overflow.
bool may_overflow(const Check& check);

/// Runs a reference on inputs that are made from a check's, and marks what a right kernel may overflow on that adds in
/// another order, or squares before it subtracts. A reference that does not take a probe's inputs is judged by what the
/// other probes tell.
class OverflowSearch {
public:
    /// All arguments must outlive it.
    OverflowSearch(const Operator& definition, const Check& check, ReferenceRunner& runner)
        : definition_(definition), check_(check), runner_(runner) {}

    /// Of each output; none where the check's set has no large values. `expected` is the check's result in float64, and
    /// must outlive the marks; that in the case's dtype is not in them.
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
