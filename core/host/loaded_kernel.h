// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "core/backend/call.h"
#include "core/backend/executor.h"
#include "core/host/thread_pool.h"

namespace kernelgen {

/// An artifact in this process, ready to be called.
class LoadedKernel {
public:
    virtual ~LoadedKernel() = default;

    /// Makes ready for calls of these shapes; what is slow is done here.
    virtual Outcome bind(const Call& call) = 0;

    /// Its threads spin from `arm` to `disarm`, so that waking them is in no timing; after `disarm` they are quiet.
    virtual void arm() = 0;
    virtual void disarm() = 0;

    /// Returns when the outputs are complete. False where a library refused.
    virtual bool call(const CallBuffers& buffers) = 0;
};

/// A shared object that the host backend built. Errors: it cannot be loaded, an entry symbol is missing.
Result<std::unique_ptr<LoadedKernel>> load_shared_object(const std::string& path, const Call& call, ThreadPool& pool);

/// A primitive of oneDNN by its name in a project ("binary_add", "softmax"). Errors: no library, no such primitive.
Result<std::unique_ptr<LoadedKernel>> load_onednn_primitive(const std::string& primitive);

/// The version of the oneDNN library on this machine, "3.7.1", or why it cannot be used.
Result<std::string> onednn_version();

}  // namespace kernelgen
