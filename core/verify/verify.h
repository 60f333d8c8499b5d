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

/// A request to verify an implementation on a device.
struct VerifyRequest {
    Operator definition;
    std::vector<Case> cases;
    Accuracy accuracy;
    Implementation candidate;
    std::optional<Implementation> reference;  ///< family `custom`: the variant that is the reference
    std::string device = "cpu";
    double timeout_seconds = 30;  ///< limit of one call of the kernel
    std::string dump_folder;      ///< folder for a failing case's tensors, as .npy; empty: not written
    bool own_cases_only = false;  ///< for a baseline: no awkward sizes, and edge values are recorded only
    bool is_screen = false;  ///< a short test for a tuning: each awkward size once, on normal inputs; the own cases are
                             ///< left to the race. Of a definition in a file: each own case once
    std::function<Outcome()> give_way = {};  ///< called between checks, to let timings of others go first; not ok: end
    ReferenceCache* references = nullptr;    ///< shared with other requests of this process; null: no cache
};

/// Runs every check of docs/ACCURACY.md. Builds for each dtype among the cases; judges every element of the own cases;
/// then judges own cases and awkward sizes with further seeds and the edge sets. A screen leaves these out, so a
/// variant that passes it is not yet verified. Never throws: a crash or hang of the kernel is a status.
VerifyResult verify(const VerifyRequest& request, Backend& backend, const Progress& progress, std::stop_token stop);

}  // namespace kernelgen
