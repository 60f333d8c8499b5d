// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "core/backend/executor.h"

namespace kernelgen {

/// Executors in Python. Importing PyTorch takes seconds, so one that is let go and still well waits for whoever wants
/// one next: at most two for each device. Thread safe.
class PythonExecutors {
public:
    /// An idle executor of `device`, or a new one: `kind` and `arguments` are those of kernelgen_executor.py after the
    /// library. Starting one ends when `stop` is requested. It goes back when the last pointer to it is gone. Errors:
    /// no interpreter, what it lacks, or why it did not start.
    Result<std::shared_ptr<Executor>> take(const std::string& device, const std::vector<std::string>& arguments,
                                           const std::map<std::string, std::string>& environment, std::stop_token stop);

private:
    struct Idle {
        std::mutex mutex;
        std::map<std::string, std::vector<std::unique_ptr<Executor>>> executors;  ///< by device
    };
    std::shared_ptr<Idle> idle_ = std::make_shared<Idle>();
};

}  // namespace kernelgen
