// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>

#include "core/backend/backend.h"
#include "gpu/cuda/devices.h"

namespace kernelgen {

/// Measures a GPU's bandwidths at several sizes, its FMA rates and the rates of its tensor cores, with the kernels in
/// `resources/ceilings`, and stores them in the cache.
Result<Ceilings> measure_cuda_ceilings(Backend& backend, const std::string& device, const Environment& environment,
                                       const cuda::PresentDevice& present, const Progress& progress,
                                       std::stop_token stop);

}  // namespace kernelgen
