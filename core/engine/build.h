// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>
#include <string>
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

}  // namespace kernelgen
