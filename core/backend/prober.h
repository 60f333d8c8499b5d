// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/backend/backend.h"

namespace kernelgen {

/// A ceiling's kernels in `resources/ceilings`: what they read and write, and the entries that compete. Their arguments
/// are x where they read, out, and the symbol N; `launch` has the rest, over N (elements) and R (programs).
struct Probe {
    std::string source;
    Language language = Language::cpp;
    std::vector<std::string> entries;
    bool reads = false, writes = false;
    DType dtype = DType::f32;
    Launch launch;
    std::int64_t chunk = 0;  ///< elements of a tensor that one program moves
};

/// Times probes in one executor, as timed kernels are: same buffers, caches cold, under the device's lock.
class Prober {
public:
    /// All references must outlive it.
    Prober(Backend& backend, Executor& executor, std::string device, const Progress& progress, std::stop_token stop)
        : backend_(backend),
          executor_(executor),
          device_(std::move(device)),
          progress_(progress),
          stop_(std::move(stop)) {}

    /// Seconds a call of the fastest entry, for `elements` a tensor and `programs` of the grid; `expected` seconds
    /// decide how often a sample repeats it. Errors: the build's or the executor's, with the probe's name.
    Result<double> seconds(const Probe& probe, std::int64_t elements, std::int64_t programs, double expected);

    /// GB/s of the fastest of all entries that move `bytes` altogether, read and written.
    Result<double> bandwidth(std::span<const Probe> probes, double bytes, double expected_gbps);

private:
    Result<Call> load(const Probe& probe, const std::string& entry, const Case& binding, int slot);
    Result<double> faster_of(const Probe& probe, const std::string& first, const std::string& second,
                             const Case& binding, int repeats);

    Backend& backend_;
    Executor& executor_;
    std::string device_;
    const Progress& progress_;
    std::stop_token stop_;
};

}  // namespace kernelgen
