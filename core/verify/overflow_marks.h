// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "core/verify/stored_values.h"

namespace kernelgen {

/// Which elements of an output cannot be judged on inputs that are very large, since a right kernel may overflow on the
/// way to them. Decided by what a reference does on a check's inputs and on others made from those, never by a
/// candidate. The rules are in docs/ACCURACY.md. `wide` is a run in float64, `own` one in the case's dtype.
class OverflowMarks {
public:
    OverflowMarks(DType output, std::size_t elements) : output_(output), found_(elements) {}

    /// The check's own inputs. Comes first; `wide` must outlive the other calls.
    void set_check(StoredValues wide) { check_ = wide; }
    void add_own(StoredValues own);

    /// The inputs as magnitudes.
    void add_magnitudes(StoredValues wide, StoredValues own);
    /// These times 2^16.
    void add_magnified(StoredValues wide, StoredValues own);
    /// Zeros for one half of the inputs' elements, and for the other half, both in float64.
    void add_halves(StoredValues one, StoredValues other);
    /// One input tensor made smaller by a power of 2; `zeroed`: that tensor as zeros, in float64.
    void add_scaled(StoredValues wide, StoredValues zeroed);
    /// Whether zeros for that tensor leave an element as it is.
    bool has_covered() const;
    /// NaN for that tensor, then its largest numbers, then those with the other sign, each in float64.
    void add_covered(StoredValues poisoned, StoredValues largest, StoredValues negated);
    /// The inputs with the other sign.
    void add_negated(StoredValues wide);
    /// Inputs that have nothing to do with the check's.
    void add_unrelated(StoredValues wide);

    /// By element, after all the above: not 0 where it is not judged.
    std::vector<char> exempt() const;

private:
    struct Found {
        bool breaks : 1 = false;       ///< not what it is in float64, in the case's dtype
        bool too_large : 1 = false;    ///< as magnitudes, and not without
        bool cancels : 1 = false;      ///< much smaller than its magnitudes' result
        bool near_limit : 1 = false;   ///< a multiple of it may be too large
        bool mixes : 1 = false;        ///< made of several elements
        bool even : 1 = false;         ///< the same with the other sign
        bool same_scaled : 1 = false;  ///< the same at another scale of an input that it is made of
        bool covered : 1 = false;      ///< as has_covered
        bool covers : 1 = false;       ///< the same with any numbers for an input that it is made of
        bool constant : 1 = false;     ///< the same for unrelated inputs
        bool varies : 1 = false;       ///< not the same in one of the runs
    };
    template <class Visit, class... Source>
    void for_each(const Visit& visit, Source... sources);
    void add_broken(StoredValues wide, StoredValues own);

    DType output_;
    StoredValues check_;
    std::vector<Found> found_;
};

/// What is not finite of a reference that runs in the case's dtype only: not 0 there.
std::vector<char> not_finite(StoredValues own, std::size_t elements);

}  // namespace kernelgen
