// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "core/generate/library_product.h"
#include "core/host/loaded_kernel.h"
#include "core/host/onednn_library.h"

namespace kernelgen {

/// oneDNN's convolution of tensors as they lie in memory. Where it computes in other layouts, a call copies its tensors
/// to those and its result back, as calls of PyTorch do.
std::unique_ptr<LoadedKernel> make_onednn_convolution(const OnednnLibrary& library, const LibraryProduct& product);

}  // namespace kernelgen
