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

/// Builds Python variants. Without a trial the file is only read (syntax, entry, tunables), never executed. With a
/// trial an executor executes the file and calls it on zeros, to find out what it compiles to. Thread safe. Trials run
/// one at a time, except those of requests with `is_ahead`, which run side by side.
class PythonBuilder {
public:
    using Start = std::function<Result<std::shared_ptr<Executor>>()>;
    /// Computes resources and occupancy from what Triton reported of each kernel.
    using Describe = std::function<void(const std::vector<TrialKernel>& kernels, BuildResult& result)>;

    /// Builds, or returns an earlier result for the same request. `kind` is the kind of the device.
    BuildResult build(const BuildRequest& request, const std::string& kind, const Start& start,
                      const Describe& describe, const Progress& progress, std::stop_token stop);

private:
    std::optional<BuildResult> find(const std::string& key);
    void remember(const BuildResult& result);
    BuildResult read_only(const BuildRequest& request);
    BuildResult parse_only(const BuildRequest& request);
    BuildResult build_one(const BuildRequest& request, const Start& start, const Describe& describe,
                          const Progress& progress, std::stop_token stop);
    BuildResult try_out_alone(const BuildRequest& request, const std::string& key, const Start& start,
                              const Describe& describe, const Progress& progress, std::stop_token stop);
    BuildResult try_out(const BuildRequest& request, const Start& start, const Describe& describe,
                        std::stop_token stop);

    std::mutex mutex_;
    std::timed_mutex trial_mutex_;
    std::list<BuildResult> known_;  ///< earlier results, the latest first
};

}  // namespace kernelgen
