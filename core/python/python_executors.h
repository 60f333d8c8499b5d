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

/// Executors in Python. Importing PyTorch takes seconds, so one that is let go and still well waits for whoever wants
/// one next: at most three for each device. Thread safe.
class PythonExecutors {
public:
    struct Use {
        std::string device;
        std::vector<std::string> files;  ///< that are to be executed there; an idle one has executed no others
    };

    /// An idle executor, or a new one: `arguments` are those of kernelgen_executor.py after the library. Starting one
    /// ends when `stop` is requested. It goes back when the last pointer to it is gone. Errors: no interpreter, what it
    /// lacks, or why it did not start.
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
        std::vector<Idle> idle;  ///< the one that waits longest first
    };
    static std::unique_ptr<Executor> take_idle(Home& home, const Use& use);
    static void give_back(Home& home, const Use& use, std::unique_ptr<Executor> executor);

    std::shared_ptr<Home> home_ = std::make_shared<Home>();
};

}  // namespace kernelgen
