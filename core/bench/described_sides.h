// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>

#include "core/bench/bench.h"

namespace kernelgen {

/// Of family `callable`: finds out what the request's case is (core/verify/callable_case.h), and makes the candidates,
/// the baseline and the reference sides of it. Nothing else is changed. Errors: those of `describe_case`.
Outcome describe_sides(BenchRequest& request, Backend& backend, std::stop_token stop);

}  // namespace kernelgen
