// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/verify/buffers.h"

namespace kernelgen {

enum class Slower { no, unknown, yes };

/// By how many seconds the times of `a` are longer than those of `b`: by their medians or by their lower quartiles,
/// what is more. The quartile is there since other programs only lengthen times, and since it tells where a quarter of
/// `b` is shorter; the median tells where a quarter of `a` is as short as `b`. Neither may be empty.
double seconds_longer(const std::vector<double>& a, const std::vector<double>& b);

/// Whether the times of `a` are longer than those of `b` by more than `seconds` (seconds_longer). `yes` where chance
/// would say so in one of 100,000 cases (Mann-Whitney), so that it can be asked again and again as times are added.
Slower is_slower(const std::vector<double>& a, const std::vector<double>& b, double seconds);

/// What the branch predictors of a CPU may save in a call on inputs that come again, in seconds. They keep some ten
/// thousand branches: sorting 3,000 numbers takes a third of the time when it is done again. Large inputs have too
/// many.
double saved_by_predictors(const Layout& layout);

}  // namespace kernelgen
