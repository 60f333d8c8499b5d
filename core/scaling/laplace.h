// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/verify/result.h"

namespace kernelgen {

/// Kullback-Leibler divergence of the distribution of absolute errors from that of a Laplace distribution around 0 with
/// the same mean absolute error b, Σ p ln(p / q), in nats. p is a bin's share of the elements, and for the bin from l
/// to u is q = exp(-l/b) - exp(-u/b). The bins are those of ErrorMetrics::histogram; those whose lower edge is below
/// b/1000 are one with the exact elements, from 0 on, and the last one has no upper edge. 0 where every element is
/// exact.
double divergence_from_laplace(const ErrorMetrics& metrics);

}  // namespace kernelgen
