// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "core/engine/run.h"

namespace kernelgen {

/// The build of the candidate for one dtype, in one configuration.
struct DtypeBuild {
    DType dtype = DType::f32;
    Configuration configuration;
    BuildResult result;
};

/// Builds a plan's candidate once for each dtype of its cases and each configuration that it has on them, with the
/// wanted texts ("assembly", "ptx", "sass", "ttir", "ttgir"). A note names each text that the language does not have. A
/// configuration that a restriction forbids for some case is not built.
std::vector<DtypeBuild> build_candidate(const RunPlan& plan, const std::vector<std::string>& texts,
                                        WorkerClient& worker, const Progress& progress, std::stop_token stop);

/// Builds in the background, in order, what the runs of several plans need after the first candidate: a compiler may
/// take seconds, and so may Python's import of PyTorch. Errors are not reported here: the run that needs the build
/// finds and reports them. The destructor cancels the builds in progress.
class BuildsAhead {
public:
    /// `worker` must outlive it. All plans must have the baseline of the first one.
    BuildsAhead(std::span<const RunPlan> plans, WorkerClient& worker, std::stop_token stop);
    BuildsAhead(BuildsAhead&&) = delete;

    void wait();

private:
    std::vector<RunPlan> plans_;
    std::jthread thread_;
    std::stop_callback<std::function<void()>> cancelled_;
};

}  // namespace kernelgen
