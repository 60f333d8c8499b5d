// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

namespace kernelgen {

/// Measures how busy the machine's processors are with other programs during its lifetime; on a virtual machine also
/// with other machines of the same host, as far as the system reports this (steal).
class Neighbours {
public:
    Neighbours();

    /// Share, 0 … 1, of all processors' time that was used neither by this process nor by its descendants. Nothing
    /// where the system does not report this, or where too little time has passed.
    std::optional<double> busy_share() const;

    /// Above this share, a measurement of the machine's limits is not reliable.
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
