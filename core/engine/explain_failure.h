// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "core/engine/run.h"
#include "core/explain/explanation.h"

namespace kernelgen {

/// Why a plan's candidate gives the wrong results that `result` tells of; nothing where it ended otherwise, or where
/// the worker cannot explain. It takes some seconds: the worker runs the kernel on further sizes.
std::optional<Explanation> explain_failure(const RunPlan& plan, const VerifyResult& result, WorkerClient& worker,
                                           const Progress& progress, std::stop_token stop);

}  // namespace kernelgen
