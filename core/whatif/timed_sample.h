// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/base/result.h"
#include "core/round/record.h"

namespace kernelgen {

/// A timed case of a round, with what its call would take at each limit of its device alone. Times are seconds of a
/// call.
struct TimedSample {
    std::string kernel;  ///< the same text for the same sources in the same configuration
    Case binding;
    double seconds = 0;     ///< measured
    double memory = 0;      ///< the definition's bytes at the measured bandwidth
    double arithmetic = 0;  ///< the definition's FLOPs at the measured rate
    double functions = 0;   ///< its transcendental functions, at one FLOP each
    double starts = 0;      ///< starting launches and programs, as measured with empty ones
    double tail = 0;        ///< share of the time that is lost to the last, partial wave of programs
    double programs = 0;    ///< of all launches
    double at_once = 0;     ///< programs that run at the same time
    double occupancy = 0;   ///< of a GPU; 0: not known
    double noise = 0;       ///< standard deviation of the logarithm of `seconds`
};

/// The timed cases of a round. Errors, each with what to do: a definition without a body, such as a Python file, which
/// is on no roofline; a device whose ceilings were not measured; a round in which nothing was timed.
Result<std::vector<TimedSample>> timed_samples(const RoundDetail& detail);

}  // namespace kernelgen
