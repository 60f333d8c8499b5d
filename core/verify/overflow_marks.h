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

    // The results of further runs, each on the check's inputs after a change:
    /// All inputs without their signs.
    void add_magnitudes(StoredValues wide, StoredValues own);
    /// All inputs without their signs, times 2^16.
    void add_magnified(StoredValues wide, StoredValues own);
    /// One half of the elements set to 0; then the other half set to 0. Both runs are in float64.
    void add_halves(StoredValues one, StoredValues other);
    /// One input tensor divided by a power of 2; then that tensor set to 0 (`zeroed`). Both runs are in float64.
    void add_scaled(StoredValues wide, StoredValues zeroed);
    /// Whether some element stayed the same when that tensor was set to 0.
    bool has_covered() const;
    /// That tensor set to NaN; to its dtype's largest number; and to the negative of it. All runs are in float64.
    void add_covered(StoredValues poisoned, StoredValues largest, StoredValues negated);
    /// All inputs with the opposite sign.
    void add_negated(StoredValues wide);
    /// Inputs of another seed.
    void add_unrelated(StoredValues wide);

    /// By element, after all the above: not 0 where it is not judged.
    std::vector<char> exempt() const;

private:
    struct Found {
        bool breaks : 1 = false;       ///< in the case's dtype the result is not the one in float64
        bool too_large : 1 = false;    ///< overflows when all inputs lose their signs, and not with them
        bool cancels : 1 = false;      ///< less than an eighth of the result without signs: large terms cancel
        bool near_limit : 1 = false;   ///< so large that a sum of such terms may overflow
        bool mixes : 1 = false;        ///< depends on elements of both halves
        bool even : 1 = false;         ///< unchanged when all inputs change their signs
        bool same_scaled : 1 = false;  ///< depends on a tensor, but not on that tensor's scale (a normalisation)
        bool covered : 1 = false;      ///< unchanged when a tensor is set to 0
        bool covers : 1 = false;       ///< uses a tensor (NaN shows), but any numbers in it give the same result
        bool constant : 1 = false;     ///< the same for inputs of another seed
        bool varies : 1 = false;       ///< another result in one of the runs
    };
    template <class Visit, class... Source>
    void for_each(const Visit& visit, Source... sources);
    void add_broken(StoredValues wide, StoredValues own);

    DType output_;
    StoredValues check_;
    std::vector<Found> found_;
};

/// For a reference that can run only in the case's dtype: by element, not 0 where its result is NaN or infinite.
std::vector<char> not_finite(StoredValues own, std::size_t elements);

}  // namespace kernelgen
