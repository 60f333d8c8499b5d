// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "core/backend/executor.h"

namespace kernelgen {

/// Keeps executors in Python for reuse, since importing PyTorch takes seconds. An executor whose user has dropped it,
/// and that still works, waits for the next user: at most three for each device. Thread safe.
class PythonExecutors {
public:
    struct Use {
        std::string device;
        std::vector<std::string> files;  ///< files that it will execute; a reused executor has executed no others
    };

    /// Returns an idle executor, or starts a new one; `arguments` are those of kernelgen_executor.py after the library.
    /// Starting ends when `stop` is requested. The executor goes back when its last pointer is destroyed. Errors: there
    /// is no interpreter, a package is missing, or the reason why it did not start.
    Result<std::shared_ptr<Executor>> take(const Use& use, const std::vector<std::string>& arguments,
                                           const std::map<std::string, std::string>& environment, std::stop_token stop);

    /// Ends the idle ones of a device, with the contexts that they have on it.
    void end_idle(const std::string& device);

private:
    struct Idle {
        Use use;
        std::unique_ptr<Executor> executor;
    };
    struct Home {
        std::mutex mutex;
        std::vector<Idle> idle;  ///< the one that has waited longest is the first
    };
    static std::unique_ptr<Executor> take_idle(Home& home, const Use& use);
    static void give_back(Home& home, const Use& use, std::unique_ptr<Executor> executor);

    std::shared_ptr<Home> home_ = std::make_shared<Home>();
};

}  // namespace kernelgen
