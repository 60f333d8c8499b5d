// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/base/said.h"
#include "core/base/status.h"

namespace kernelgen {

/// How a request to an executor ended. After the statuses crashed, timed_out and cancelled the executor is dead.
struct Outcome {
    Status status = Status::ok;
    Said reason;

    bool ok() const { return status == Status::ok; }
};

}  // namespace kernelgen
