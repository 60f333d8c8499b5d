// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>

#include "core/base/said.h"
#include "core/base/status.h"

namespace kernelgen {

/// Why a timing ended early, and which side caused it; -1 where that is unknown.
struct TimingFailure {
    Status status = Status::ok;
    Said reason;
    int side = -1;
    bool may_pass = false;  ///< the machine may have been disturbed: worth another try, in fresh processes

    bool ok() const { return status == Status::ok; }
};

/// How `timing()` ends. Where the machine may have been disturbed, it is made once more.
template <class Timing>
TimingFailure with_second_try(const Timing& timing, const std::stop_token& stop) {
    const TimingFailure first = timing();
    return first.may_pass && !stop.stop_requested() ? timing() : first;
}

}  // namespace kernelgen
