// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/backend/call.h"
#include "core/backend/outcome.h"
#include "core/backend/trial.h"
#include "core/python/executor_library.h"
#include "gpu/cuda/device_memory.h"
#include "gpu/cuda/driver.h"

namespace kernelgen::cuda {

/// Several calls that are put into a stream together.
class Repetition {
public:
    virtual ~Repetition() = default;
    virtual Outcome enqueue(Stream stream) = 0;
};

/// An artifact that is loaded into this process's context.
class DeviceKernel {
public:
    virtual ~DeviceKernel() = default;

    /// Prepares for calls of these shapes; slow work is done here. `over_limit`, with numbers, where a limit of the
    /// device is exceeded.
    virtual Outcome bind(const Call& call) = 0;
    /// Puts one call into the stream. The stream may be capturing a graph.
    virtual Outcome enqueue(const DeviceBuffers& buffers, Stream stream) = 0;
    /// As `enqueue`, for a call that is not timed: all outputs are written to `buffers`, whose guards are checked
    /// afterwards.
    virtual Outcome enqueue_judged(const DeviceBuffers& buffers, Stream stream) { return enqueue(buffers, stream); }
    /// Address of each output of call `call` of the last sample (0 is the first call); 0 if it is in its own buffer.
    /// Empty: all are in their own buffers. Runs no code of the kernel.
    virtual std::span<const std::uint64_t> places(int /*call*/) const { return {}; }
    /// A batch with one call on each of `sets`, which can be put into a stream repeatedly. It is a graph, so the host
    /// makes no gaps between its launches. `capturing`: a stream in which nothing is under way.
    virtual Outcome repeat(const std::vector<DeviceBuffers>& sets, Stream capturing, std::unique_ptr<Repetition>& made);
};

/// Loads a cubin that the CUDA backend built. Errors: it cannot be loaded, an entry point is missing.
Result<std::unique_ptr<DeviceKernel>> load_cubin(const Driver& driver, Device device, const Artifact& artifact,
                                                 const Call& call);

/// Loads a primitive of cuDNN by its name in a project ("softmax"). Errors: no library, no such primitive.
Result<std::unique_ptr<DeviceKernel>> load_cudnn_primitive(const std::string& primitive);

/// The version of the cuDNN library on this machine, "9.10.2", or the reason why it cannot be used.
Result<std::string> cudnn_version();

/// Loads a Python file (core/python/called_back.h). The parameters are those of CalledBack::load.
Outcome load_python_kernel(const kernelgen_python_callbacks* callbacks, const Artifact& artifact, const Call& call,
                           std::optional<TrialReport>& trial, std::unique_ptr<DeviceKernel>& loaded);

/// The status of an attempt whose request to the driver failed: a limit was exceeded, a launch was refused, or the
/// context was lost.
Outcome outcome_of(Code code, const std::string& doing);

/// Whether the context cannot serve further requests after this error.
bool is_sticky(Code code);

}  // namespace kernelgen::cuda
