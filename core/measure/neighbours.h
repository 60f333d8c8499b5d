// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

namespace kernelgen {

/// Tells what else the machine's processors did while it lives: of other programs, and, on a virtual machine, of others
/// on the same host as far as the system tells (steal).
class Neighbours {
public:
    Neighbours();

    /// Share of all processors' time, 0 … 1, that was taken by what is not this process or a descendant of it; nothing
    /// where the system does not tell, or too little time has passed.
    std::optional<double> busy_share() const;

    /// Above this share a measurement of what the machine can do says too little.
    static constexpr double most_share = 0.05;
    bool were_quiet() const { return busy_share().value_or(0) <= most_share; }

private:
    struct Ticks {
        double all = 0, busy = 0, own = 0;  ///< in units of 1/sysconf(_SC_CLK_TCK) s, of all processors together
    };
    static Ticks now();
    Ticks start_;
};

}  // namespace kernelgen
