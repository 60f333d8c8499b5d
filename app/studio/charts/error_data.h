// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/verify/result.h"

namespace kernelgen::studio {

/// Elements whose absolute error lies in [from, to).
struct ErrorBin {
    double from = 0, to = 0;
    double count = 0;
    double cumulative = 0;  ///< share of all judged elements with an error below `to`
};

/// The bins from the first to the last that holds any; empty where every element is exact.
struct ErrorData {
    std::vector<ErrorBin> bins;
    double exact_share = 0;  ///< of the judged elements
};

ErrorData errorData(const ErrorMetrics& metrics);

}  // namespace kernelgen::studio
