// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>

#include "core/bench/bench.h"

namespace kernelgen {

/// Prepares a request of family `callable`: finds out what its case is (core/verify/callable_case.h), and makes the
/// candidates, the baseline and the reference sides of it. Requests of other families stay as they are. Errors: those
/// of `describe_case`.
Outcome describe_sides(BenchRequest& request, Backend& backend, std::stop_token stop);

}  // namespace kernelgen
