// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>

#include "core/backend/backend.h"

namespace kernelgen {

/// Measures the CPU's bandwidths and FMA rates with the kernels of resources/ceilings, which are built, run and timed
/// like any variant: same compiler, threads, buffers, cache flushes and timer. Where a ceiling has two implementations,
/// the faster one counts. Holds the device's lock; takes a few seconds.
Result<Ceilings> measure_host_ceilings(Backend& backend, const Environment& environment, const Progress& progress,
                                       std::stop_token stop);

}  // namespace kernelgen
