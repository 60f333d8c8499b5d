// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/tensor/dtype.h"

namespace kernelgen {

/// Bandwidths measured on buffers of one size. GB/s are 1e9 bytes/s; copy counts bytes read plus bytes written.
struct BandwidthCeiling {
    double bytes = 0;  ///< moved by one pass
    double copy_gbps = 0, read_gbps = 0, write_gbps = 0;
};

/// Limits of a device as measured on it by the same allocator, threads and timer as kernels are.
struct Ceilings {
    std::string device;
    std::string fingerprint;  ///< of the environment in which they were measured
    std::string measured_at;  ///< ISO 8601, UTC
    bool quiet = true;        ///< whether nothing else used the device meanwhile; others are not kept for later
    std::vector<BandwidthCeiling> all_threads;  ///< ascending in bytes
    std::vector<BandwidthCeiling> one_thread;
    std::map<DType, double> gflops_all_threads;  ///< FMA rate, an FMA counts two
    std::map<DType, double> gflops_one_thread;
    std::map<std::string, double> tensor_gflops;  ///< of tensor cores by operands: "f16", "bf16", "tf32", "f8e4m3"

    bool measured() const { return !all_threads.empty(); }
};

/// Keeps the faster of what is known for a size and what was measured now.
void keep_fastest(std::vector<BandwidthCeiling>& points, const BandwidthCeiling& now);

/// The bandwidth that a kernel of this mix can reach, GB/s: by size between the measured points (linear in log bytes,
/// constant outside), by mix so that pure reads, pure writes and a 1:1 copy meet their measured ceilings and
/// time per byte is linear between them.
double bandwidth_ceiling(const Ceilings& ceilings, double bytes_read, double bytes_written);

/// FMA rate in GFLOP/s of an arithmetic precision, or 0 where it was not measured.
double flop_ceiling(const Ceilings& ceilings, DType arithmetic);

/// What was measured on `device` in the environment of this fingerprint, from the user's cache.
std::optional<Ceilings> load_ceilings(const std::string& device, const std::string& fingerprint);
/// Keeps them in the user's cache; those that were not measured in quiet are not kept. Errors: as write_file_atomic.
Result<void> save_ceilings(const Ceilings& ceilings);

nlohmann::json to_json(const Ceilings& ceilings);
Ceilings ceilings_from_json(const nlohmann::json& json);

}  // namespace kernelgen
