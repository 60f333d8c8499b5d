// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/backend/executor.h"
#include "core/python/executor_library.h"
#include "gpu/cuda/device_memory.h"
#include "gpu/cuda/driver.h"

namespace kernelgen::cuda {

/// Several calls that are put into a stream at once.
class Repetition {
public:
    virtual ~Repetition() = default;
    virtual Outcome enqueue(Stream stream) = 0;
};

/// An artifact in this process's context, ready to be enqueued.
class DeviceKernel {
public:
    virtual ~DeviceKernel() = default;

    /// Makes ready for calls of these shapes; what is slow is done here. Limits are checked: `over_limit` with numbers.
    virtual Outcome bind(const Call& call) = 0;
    /// Puts one call into the stream. It may be captured into a graph.
    virtual Outcome enqueue(const DeviceBuffers& buffers, Stream stream) = 0;
    /// As `enqueue`, not timed: the outputs will be in their buffers, whose overruns are looked for.
    virtual Outcome enqueue_judged(const DeviceBuffers& buffers, Stream stream) { return enqueue(buffers, stream); }
    /// Puts into the stream the copying of outputs that call number `call` of the last sample (0 the first) has
    /// elsewhere into these, its buffers.
    virtual Outcome deliver(const DeviceBuffers&, int /*call*/) { return {}; }
    /// One call on each of `sets`, ready to be put into `stream` again and again: as a graph, whose launches have no
    /// gaps that the host makes.
    virtual Outcome repeat(const std::vector<DeviceBuffers>& sets, Stream stream, std::unique_ptr<Repetition>& made);
};

/// A cubin that the CUDA backend built. Errors: it cannot be loaded, an entry is missing.
Result<std::unique_ptr<DeviceKernel>> load_cubin(const Driver& driver, Device device, const std::string& path,
                                                 const Call& call);

/// A primitive of cuDNN by its name in a project ("softmax"). Errors: no library, no such primitive.
Result<std::unique_ptr<DeviceKernel>> load_cudnn_primitive(const std::string& primitive);

/// The version of the cuDNN library on this machine, "9.10.2", or why it cannot be used.
Result<std::string> cudnn_version();

/// A Python file, called back (core/python/called_back.h). The parameters are those of CalledBack::load.
Outcome load_python_kernel(const kernelgen_python_callbacks* callbacks, const Artifact& artifact, const Call& call,
                           Stream stream, bool trial, std::unique_ptr<DeviceKernel>& loaded, nlohmann::json& told);

/// What a failed request means for an attempt: too much asked for, a launch refused, or a context that is lost.
Outcome outcome_of(Code code, const std::string& doing);

/// Whether the context can serve no further request after it.
bool is_sticky(Code code);

}  // namespace kernelgen::cuda
