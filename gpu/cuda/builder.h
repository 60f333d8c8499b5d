// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

#include "core/backend/backend.h"
#include "gpu/cuda/device_model.h"
#include "gpu/cuda/nvrtc.h"

namespace kernelgen {

/// Builds `cuda` variants for any device model, without a GPU. Thread safe: builds run in parallel, each in a child
/// process.
class CudaBuilder {
public:
    /// `program` is the path of this program; it is started as `cuda-compiler`.
    explicit CudaBuilder(std::string program) : program_(std::move(program)) {}

    /// Builds, or returns the build in the cache, with resources and occupancy. `unavailable` where there is no
    /// compiler, or where the compiler does not know the architecture.
    BuildResult build(const BuildRequest& request, const DeviceModel& target, const Progress& progress,
                      std::stop_token stop);

    /// The compiler; it is searched for once.
    const Result<NvrtcLibrary>& compiler();

private:
    std::string program_;
    std::once_flag searched_;
    std::optional<Result<NvrtcLibrary>> compiler_;
};

}  // namespace kernelgen
