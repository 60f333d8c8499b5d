// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "core/backend/executor.h"
#include "gpu/cuda/device_memory.h"
#include "gpu/cuda/driver.h"

namespace kernelgen::cuda {

/// An artifact in this process's context, ready to be enqueued.
class DeviceKernel {
public:
    virtual ~DeviceKernel() = default;

    /// Makes ready for calls of these shapes; what is slow is done here. Limits are checked: `over_limit` with numbers.
    virtual Outcome bind(const Call& call) = 0;
    /// Puts one call into the stream. It may be captured into a graph.
    virtual Outcome enqueue(const DeviceBuffers& buffers, Stream stream) = 0;
};

/// A cubin that the CUDA backend built. Errors: it cannot be loaded, an entry is missing.
Result<std::unique_ptr<DeviceKernel>> load_cubin(const Driver& driver, Device device, const std::string& path,
                                                 const Call& call);

/// A primitive of cuDNN by its name in a project ("softmax"). Errors: no library, no such primitive.
Result<std::unique_ptr<DeviceKernel>> load_cudnn_primitive(const std::string& primitive);

/// The version of the cuDNN library on this machine, "9.10.2", or why it cannot be used.
Result<std::string> cudnn_version();

/// What a failed request means for an attempt: too much asked for, a launch refused, or a context that is lost.
Outcome outcome_of(Code code, const std::string& doing);

/// Whether the context can serve no further request after it.
bool is_sticky(Code code);

}  // namespace kernelgen::cuda
