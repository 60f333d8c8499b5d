// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "core/lang/evaluator.h"
#include "core/verify/input_cache.h"

namespace kernelgen {

/// Finds rows whose sums overflow in the case's arithmetic for some order of their terms. There the result depends on
/// the kernel's order of summation, so it is not judged. A sum is marked if the sum of |x| overflows, where x are its
/// terms; for `row_var` also if the sum of x², which one-pass kernels compute, overflows.
class OverflowProbe {
public:
    /// `cache` must outlive the probe.
    OverflowProbe(const Criteria& criteria, InputCache& cache);

    bool may_overflow(std::int64_t row);

private:
    bool probe(std::int64_t row);

    Body body_;  ///< the definition's, with outputs of pairs: sum of magnitudes, largest magnitude
    std::int64_t columns_;
    Evaluator<double> f64_;
    std::optional<Evaluator<float>> f32_;  ///< where the arithmetic is
    std::int64_t row_ = -1;
    bool result_ = false;
};

}  // namespace kernelgen
