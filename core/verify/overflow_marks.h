// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/tensor/dtype.h"

namespace kernelgen {

/// An output's elements in memory.
struct StoredValues {
    DType dtype = DType::f32;
    const std::byte* data = nullptr;
};

/// Which elements of an output cannot be judged, since the case's dtype overflows there or may in another order of
/// operations. Decided by what a reference does: `wide` is it in float64, `own` in the case's dtype.
class OverflowMarks {
public:
    OverflowMarks(DType output, std::size_t elements) : output_(output), marks_(elements, judged) {}

    /// Runs on an overflow probe of the check's set (core/tensor/random.h). `magnitudes`: the probe has the check's
    /// own magnitudes, so that a result which overflows tells of a sum that may.
    void add_probe(StoredValues wide, StoredValues own, bool magnitudes);
    /// Runs on the check's inputs, after the probes.
    void add_check(StoredValues wide, StoredValues own);
    /// The same of a reference that runs in the case's dtype only: what is not finite there is not judged.
    void add_check(StoredValues own);

    /// By element: not 0 where it is not judged.
    std::span<const char> exempt() const { return marks_; }

private:
    enum Mark : char { judged, overflows, overflows_in_magnitude };
    void settle(StoredValues wide);

    DType output_;
    std::vector<char> marks_;
};

}  // namespace kernelgen
