// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>

#include "core/explain/explanation.h"
#include "core/verify/verify.h"

namespace kernelgen {

/// A request to explain why a verification failed.
struct ExplainRequest {
    VerifyRequest verification;  ///< as it was asked for
    Case binding;                ///< the check that failed
    InputSet set = InputSet::normal;
    std::uint64_t seed = 1;
    double most_seconds = 10;  ///< after which no further sizes are tried
};

/// Runs the failing check again with every element at hand, tries other sizes, looks for the smallest that fails, and
/// finds the likely causes. Nothing that it finds changes a verdict. An explanation always comes back: what went wrong
/// on the way is among its remarks. Never throws.
Explanation explain(const ExplainRequest& request, Backend& backend, const Progress& progress, std::stop_token stop);

}  // namespace kernelgen
