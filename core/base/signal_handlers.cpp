// SPDX-License-Identifier: Apache-2.0
#include "core/base/signal_handlers.h"

#include <sys/time.h>

namespace kernelgen {

// The C library refuses the few signals that it keeps for itself, and the system those that nobody may handle.

SignalHandlers::SignalHandlers() {
    for (int number = 1; number < count; ++number) {
        ::sigaction(number, nullptr, &actions_[static_cast<std::size_t>(number)]);
    }
}

void SignalHandlers::restore() const {
    const itimerval none{};
    for (const auto timer : {ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF}) ::setitimer(timer, &none, nullptr);
    for (int number = 1; number < count; ++number) {
        ::sigaction(number, &actions_[static_cast<std::size_t>(number)], nullptr);
    }
}

}  // namespace kernelgen
