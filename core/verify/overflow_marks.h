// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "core/verify/stored_values.h"

namespace kernelgen {

/// Which elements of an output are not judged on very large inputs, since intermediate values of a right kernel may
/// overflow. The reference decides, by runs on a check's inputs and on inputs made from them; a candidate never does.
/// The rules are in docs/ACCURACY.md. `wide` is the result of a run in float64, `own` that of a run in the case's
/// dtype.
class OverflowMarks {
public:
    OverflowMarks(DType output, std::size_t elements) : output_(output), found_(elements) {}

    /// On the check's inputs. Call it first; `wide` must outlive the other calls.
    void set_check(StoredValues wide) { check_ = wide; }
    void add_own(StoredValues own);

    // Each of the following takes the results of runs on changed inputs:
    /// On |inputs|.
    void add_magnitudes(StoredValues wide, StoredValues own);
    /// On |inputs| · 2^16.
    void add_magnified(StoredValues wide, StoredValues own);
    /// With one half of the input elements set to 0, and with the other half set to 0. Both runs are in float64.
    void add_halves(StoredValues one, StoredValues other);
    /// With one input tensor divided by a power of 2, and with the same tensor set to 0 (`zeroed`). Both runs are in
    /// float64.
    void add_scaled(StoredValues wide, StoredValues zeroed);
    /// Whether the last `zeroed` has an element that is the same as on the check's inputs.
    bool has_covered() const;
    /// With the tensor of the last `add_scaled` set to NaN, to its dtype's largest number, and to the negative of that
    /// number. All runs are in float64.
    void add_covered(StoredValues poisoned, StoredValues largest, StoredValues negated);
    /// On -inputs.
    void add_negated(StoredValues wide);
    /// On inputs of another seed.
    void add_unrelated(StoredValues wide);

    /// For each element, after all calls above: 0 if it is judged, else not 0.
    std::vector<char> exempt() const;

private:
    struct Found {
        bool breaks : 1 = false;       ///< the result in the case's dtype differs from that in float64
        bool too_large : 1 = false;    ///< overflows for |inputs| but not for the inputs
        bool cancels : 1 = false;      ///< less than an eighth of the result for |inputs|: large terms cancel
        bool near_limit : 1 = false;   ///< so large that a sum of such terms may overflow
        bool mixes : 1 = false;        ///< depends on input elements of both halves
        bool even : 1 = false;         ///< the same for -inputs
        bool same_scaled : 1 = false;  ///< depends on a tensor, but not on its scale (a normalisation)
        bool covered : 1 = false;      ///< the same with a tensor set to 0
        bool covers : 1 = false;       ///< NaN with a tensor set to NaN, but the same with any numbers in it
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

/// The marks for a reference that can run only in the case's dtype: by element, not 0 where its result is NaN or
/// infinite.
std::vector<char> not_finite(StoredValues own, std::size_t elements);

}  // namespace kernelgen
