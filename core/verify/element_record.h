// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace kernelgen {

/// What a judge says of one element.
enum class Judged : char { right, wrong, excluded };

/// What a judge saw of every element of one output. It takes 17 bytes for each element, so only the explanation of a
/// failure asks for it.
struct ElementRecord {
    std::vector<double> expected;  ///< as the output's dtype stores it, where it is not finite or an integer
    std::vector<double> actual;
    std::vector<Judged> judged;
};

}  // namespace kernelgen
