// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <signal.h>

#include <array>

namespace kernelgen {

/// The signal handlers of this process, as they were when this object was made. Code that runs later, such as a kernel,
/// may leave a handler or a timer behind, which would run in the time of other kernels.
class SignalHandlers {
public:
    SignalHandlers();
    /// Gives every signal its handler back, and stops the interval timers of the process.
    void restore() const;

private:
    static constexpr int count = 65;  ///< signals of Linux, from 1
    std::array<struct sigaction, count> actions_{};
};

}  // namespace kernelgen
