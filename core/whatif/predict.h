// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/measure/ceilings.h"
#include "core/whatif/latency_hiding.h"
#include "core/whatif/resource.h"
#include "core/whatif/time_model.h"

namespace kernelgen {

/// How much another device has of each resource that one call uses, as a multiple of what this device has. 1: as much.
struct DeviceRatios {
    double bandwidth = 1;     ///< that the call's programs can use
    double arithmetic = 1;    ///< FLOPs a second, and all else that instructions do
    double at_once = 1;       ///< programs that run at the same time
    double hiding = 1;        ///< speed that is left where fewer warps of a GPU hide each other's waiting; at most 1
    double least_hiding = 1;  ///< the same where twice as many bytes must be on their way (latency_hiding.h)
};

/// The ratios for a CPU with these factors, computed from its ceilings of one thread and of all. `threads`: the number
/// that run the call now. The other device has at least one thread.
DeviceRatios ratios_of_cpu(const Ceilings& ceilings, const Factors& factors, int threads);
/// The threads that such a CPU would have.
int threads_with(const Factors& factors, int threads);

/// The ratios of a GPU that holds as many blocks of the kernel.
DeviceRatios ratios_of_gpu(const Factors& factors);
/// The ratios of one that holds another number. `enough`: the fewest warps with which the project's rounds came near
/// their best bandwidth; fewer warps than these cost speed, by `hiding`.
DeviceRatios ratios_of_gpu(const Factors& factors, const Residency& residency, const LatencyHiding& hiding,
                           double enough);

/// What a call's time is spent on most.
enum class Limit { bandwidth, arithmetic, own_code, starts, tail };
std::string_view to_string(Limit limit);  ///< "bandwidth", "arithmetic", "own code", "starts", "tail"

/// What a call would take on another device. Seconds.
struct CasePrediction {
    Case binding;
    double seconds = 0;  ///< as the round measured it, on the whole device
    double likely = 0, lower = 0, upper = 0;
    TimeParts parts;  ///< of `seconds`
    Limit binds_now = Limit::bandwidth, binds_then = Limit::bandwidth;
    double floor_seconds = 0;  ///< what the other device's roofline allows at best, at most `lower`

    double slow_down() const { return likely / seconds; }
    /// The most of the present speed that tuning on the other device could reach, by the roofline: 0 to 1.
    double most_back() const;
};

/// The interval has the times of three readings of how the parts of a call go together: one after the other (the likely
/// one), side by side so that the longest counts, and one in which the kernel's own time is waiting for memory; and
/// around these 90 % of what the model misses and of what two runs differ by.
CasePrediction predict(const TimeModel& model, const TimedSample& sample, const DeviceRatios& ratios);

}  // namespace kernelgen
