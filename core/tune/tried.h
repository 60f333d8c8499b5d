// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/base/said.h"
#include "core/base/status.h"
#include "core/project/variant.h"

namespace kernelgen {

/// One configuration that was tried.
struct Tried {
    Configuration configuration = {};
    Status status = Status::ok;
    Said reason = {};
    double objective = 0;              ///< lower is better
    double seconds = 0;                ///< of one call: `ratio` times the incumbent's, within the samples
    double ratio = 0;                  ///< of its time to the incumbent's, measured in the same turns
    std::vector<double> samples = {};  ///< seconds of one call
    bool left = false;                 ///< clearly slower than the best before it, and sampled no further
    double memory_bytes = 0;           ///< workspace, and the shared memory of a block
    double energy_joules = 0;          ///< of one call, where the objective asks for it
    double energy_ratio = 1;           ///< to the incumbent's, measured in the same race
    double build_seconds = 0, screen_seconds = 0, race_seconds = 0;
    std::map<std::string, double> resources = {};  ///< of the build
    double elapsed_seconds = 0;                    ///< of the tuning, when this was known
    std::string worker = {};                       ///< that tried it; "" where there was one only
    std::string environment = {};                  ///< fingerprint, where it is not that of the tuning's head; else ""

    bool is_ok() const { return status == Status::ok; }
};

}  // namespace kernelgen
