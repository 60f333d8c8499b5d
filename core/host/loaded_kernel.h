// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "core/backend/call.h"
#include "core/backend/outcome.h"
#include "core/backend/trial.h"
#include "core/host/thread_pool.h"
#include "core/python/executor_library.h"

namespace kernelgen {

/// An artifact that is loaded into this process.
class LoadedKernel {
public:
    virtual ~LoadedKernel() = default;

    /// Prepares for calls of these shapes; slow work is done here.
    virtual Outcome bind(const Call& call) = 0;

    /// Frees the results of earlier calls. Called before new inputs are written: a destructor sees only the old ones.
    virtual void let_go() {}

    /// From `arm` to `disarm` the threads wait without sleeping, so that no timed call has to wake them.
    virtual void arm() = 0;
    virtual void disarm() = 0;

    /// Makes one call; returns when the outputs are complete.
    virtual Outcome call(const CallBuffers& buffers) = 0;
    /// As `call`, for a call that is not timed: the outputs are written to `buffers`, whose guards are checked
    /// afterwards.
    virtual Outcome call_judged(const CallBuffers& buffers) { return call(buffers); }
    /// The addresses of the outputs of call number `call` since `let_go` (0 is the first); an address of 0: the output
    /// is in its buffer. Empty: all are in their buffers. Calls no code of the kernel.
    virtual std::span<const std::uint64_t> places(int /*call*/) const { return {}; }
    /// Does the work that is slow only the first time. `unavailable` where times would not be meaningful.
    virtual Outcome prepare_timing(const CallBuffers&) { return {}; }

    /// The least alignment of its buffers in bytes, also where a smaller one is asked for.
    virtual std::size_t alignment() const { return 1; }
    /// Bytes of memory that a call may allocate, computed from the bytes of its tensors.
    virtual std::size_t own_memory(std::size_t) const { return 0; }
};

/// Loads a shared object that the host backend built. Errors: it cannot be loaded, an entry symbol is missing.
Result<std::unique_ptr<LoadedKernel>> load_shared_object(const std::string& path, const Call& call, ThreadPool& pool);

/// Loads a primitive of oneDNN by its name in a project ("binary_add", "softmax"). Errors: no library, no such
/// primitive.
Result<std::unique_ptr<LoadedKernel>> load_onednn_primitive(const std::string& primitive);

/// Loads a Python file (core/python/called_back.h). The parameters are those of CalledBack::load.
Outcome load_python_kernel(const kernelgen_python_callbacks* callbacks, const Artifact& artifact, const Call& call,
                           std::optional<TrialReport>& trial, std::unique_ptr<LoadedKernel>& loaded);

/// The version of the oneDNN library on this machine, "3.7.1", or the reason why it cannot be used.
Result<std::string> onednn_version();

}  // namespace kernelgen
