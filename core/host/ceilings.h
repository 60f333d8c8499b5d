// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>

#include "core/backend/backend.h"

namespace kernelgen {

/// Measures the CPU's bandwidths and FMA rates with the kernels of resources/ceilings, built, run and timed as any
/// variant is: same compiler, threads, buffers, cache flushes and timer. Of two implementations of one ceiling the
/// faster counts. Holds the device's lock; takes a few seconds.
Result<Ceilings> measure_host_ceilings(Backend& backend, const Environment& environment, const Progress& progress,
                                       std::stop_token stop);

}  // namespace kernelgen
