// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/backend/backend.h"

namespace kernelgen {

/// The kernels of one ceiling in `resources/ceilings`: their tensors, and the entries of which the fastest counts.
/// Their arguments are x (where they read), out, and the symbol N; `launch` has the rest, over N (elements) and R
/// (programs).
struct Probe {
    std::string source;
    Language language = Language::cpp;
    std::vector<std::string> entries;
    bool reads = false, writes = false;
    DType dtype = DType::f32;
    Launch launch;
    std::int64_t chunk = 0;            ///< elements of a tensor that one program moves
    Configuration configuration = {};  ///< macros of the source
};

/// Times probes in one executor under the conditions of timed kernels: the same buffers, cold caches, the device's
/// lock.
class Prober {
public:
    /// All references must outlive it.
    Prober(Backend& backend, Executor& executor, std::string device, const Progress& progress, std::stop_token stop)
        : backend_(backend),
          executor_(executor),
          device_(std::move(device)),
          progress_(progress),
          stop_(std::move(stop)) {}

    /// The seconds of one call of the fastest entry, for `elements` elements of a tensor and `programs` programs of the
    /// grid. `expected` is a guess of these seconds; it decides how often a sample repeats the call. Errors: of the
    /// build or the executor, with the probe's name.
    Result<double> seconds(const Probe& probe, std::int64_t elements, std::int64_t programs, double expected);

    /// The GB/s of the fastest of all entries; a call reads and writes `bytes` together.
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
