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

/// A build of the candidate for the cases of one dtype.
struct DtypeBuild {
    DType dtype = DType::f32;
    BuildResult result;
};

/// Builds a plan's candidate for each dtype of its cases, once, with the texts that are wanted ("ptx", "sass", "ttir",
/// "ttgir"); what a language has none of is said by a note. A configuration that a restriction forbids for some case is
/// not built.
std::vector<DtypeBuild> build_candidate(const RunPlan& plan, const std::vector<std::string>& texts,
                                        WorkerClient& worker, const Progress& progress, std::stop_token stop);

/// Builds what runs of several plans need after the first candidate, in order, beside what the caller does: a compiler
/// may take seconds, and Python's import of PyTorch as long. What fails is found again, and told, where the build is
/// needed. The destructor cancels what is under way.
class BuildsAhead {
public:
    /// `worker` must outlive it; all plans have the first one's baseline.
    BuildsAhead(std::span<const RunPlan> plans, WorkerClient& worker, std::stop_token stop);
    BuildsAhead(BuildsAhead&&) = delete;

    void wait();

private:
    std::vector<RunPlan> plans_;
    std::jthread thread_;
    std::stop_callback<std::function<void()>> cancelled_;
};

}  // namespace kernelgen
