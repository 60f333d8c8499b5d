// SPDX-License-Identifier: Apache-2.0
#include "core/verify/plainly_right.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <vector>

#include "core/verify/input_cache.h"
#include "core/verify/parallel.h"
#include "core/verify/reference_cache.h"
#include "core/verify/tolerance.h"

namespace kernelgen {
namespace {

constexpr std::int64_t glance_elements = 1 << 14;

/// What holds for an output; as in docs/ACCURACY.md.
struct Limits {
    double rtol, atol;  ///< `atol` times the output's scale
    double largest;     ///< beyond it a reference is stored as something else
};

bool are_within(std::span<const double> actual, const double* expected, const Limits& limits) {
    bool within = true;
    for (std::size_t i = 0; i < actual.size(); ++i) {
        const double size = std::abs(expected[i]);
        // False for NaN, and where an infinity is expected.
        within &= std::abs(actual[i] - expected[i]) <= limits.rtol * size + limits.atol && size <= limits.largest;
    }
    return within;
}

}  // namespace

bool is_plainly_right(const Criteria& criteria, std::span<const std::byte* const> outputs, std::stop_token stop) {
    if (criteria.known == nullptr || criteria.scales.empty()) return false;
    const std::vector<std::int64_t> counts = element_counts(criteria.definition.outputs, criteria.binding.sizes);
    std::atomic<bool> right = true;
    for (std::size_t output = 0; output < outputs.size() && right; ++output) {
        const DType dtype = dtype_of(criteria.definition.outputs[output], criteria.binding);
        const Tolerance tolerance = tolerance_for(criteria.accuracy, dtype);
        const Limits limits{tolerance.rtol, tolerance.atol * criteria.scales[output], largest_finite(dtype)};
        const double* expected = criteria.known->expected[output].get();
        Claims claims((counts[output] + glance_elements - 1) / glance_elements, 1, stop);
        on_all_cores(claims, [&](Claims& mine) {
            std::vector<double> actual;
            while (const std::optional<Range> claim = mine.next()) {
                const std::int64_t first = claim->first * glance_elements;
                actual.resize(static_cast<std::size_t>(std::min(glance_elements, counts[output] - first)));
                decode(dtype, outputs[output] + static_cast<std::size_t>(first) * size_of(dtype), std::span(actual));
                if (are_within(actual, expected + first, limits)) continue;
                right = false;
                mine.end();
            }
        });
    }
    return right && !stop.stop_requested();
}

}  // namespace kernelgen
