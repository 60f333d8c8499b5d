// SPDX-License-Identifier: Apache-2.0
#include "core/scaling/layer_errors.h"

#include <cmath>

namespace kernelgen {

AccumulatedError accumulate_errors(const std::vector<double>& relative_errors) {
    AccumulatedError all{.layers = relative_errors.size()};
    for (const double each : relative_errors) {
        all.sum += each;
        all.root_of_squares = std::hypot(all.root_of_squares, each);
    }
    return all;
}

}  // namespace kernelgen
