// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/worker/client.h"

namespace kernelgen::studio {

/// A worker that is started when it is first needed, and again when it has died. Thread safe.
class WorkerLink {
public:
    WorkerLink(const std::vector<std::string>& command, const std::map<std::string, std::string>& environment);

    /// Blocks until the worker has greeted.
    Result<std::shared_ptr<WorkerClient>> client();

private:
    std::vector<std::string> command_;
    std::mutex mutex_;
    std::shared_ptr<WorkerClient> client_;
};

}  // namespace kernelgen::studio
