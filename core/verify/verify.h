// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/backend/backend.h"
#include "core/project/project.h"
#include "core/verify/result.h"

namespace kernelgen {

class ReferenceCache;

/// What is to be verified, on which device, how strictly.
struct VerifyRequest {
    Operator definition;
    std::vector<Case> cases;
    Accuracy accuracy;
    Implementation candidate;
    std::optional<Implementation> reference;  ///< family `custom`: the variant that judges
    std::string device = "cpu";
    double timeout_seconds = 30;           ///< of one call of the kernel
    std::string dump_folder;               ///< where a failing case's tensors are written as .npy; empty: nowhere
    bool own_cases_only = false;           ///< the baseline: no awkward sizes, edge values are recorded only
    ReferenceCache* references = nullptr;  ///< shared with other requests of this process; null: nothing is remembered
};

/// Runs every check of docs/ACCURACY.md: builds for each dtype among the cases, judges the own cases whole, then them
/// and awkward sizes with further seeds and the edge sets. Never throws; a crash or hang of the kernel is a status.
VerifyResult verify(const VerifyRequest& request, Backend& backend, const Progress& progress, std::stop_token stop);

}  // namespace kernelgen
