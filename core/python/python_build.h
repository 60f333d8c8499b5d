// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/backend/backend.h"
#include "core/backend/trial.h"

namespace kernelgen {

/// Builds Python variants. Without a trial the file is read, never executed: its syntax, its entry, its tunables. With
/// one an executor executes it and calls it on zeros, so that what it compiles to is known. Thread safe; trials come
/// one after the other.
class PythonBuilder {
public:
    using Start = std::function<Result<std::shared_ptr<Executor>>()>;
    /// Makes resources and occupancy of what Triton told of each kernel.
    using Describe = std::function<void(const std::vector<TrialKernel>& kernels, BuildResult& result)>;

    /// Builds, or answers with what it answered before. `kind` is that of the device.
    BuildResult build(const BuildRequest& request, const std::string& kind, const Start& start,
                      const Describe& describe, const Progress& progress, std::stop_token stop);

private:
    std::optional<BuildResult> find(const std::string& key);
    void remember(const BuildResult& result);
    BuildResult read_only(const BuildRequest& request);
    BuildResult try_out(const BuildRequest& request, const std::string& key, const Start& start,
                        const Describe& describe, const Progress& progress, std::stop_token stop);

    std::mutex mutex_;
    std::timed_mutex trial_mutex_;
    std::list<BuildResult> known_;  ///< the latest first
};

}  // namespace kernelgen
