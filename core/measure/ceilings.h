// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
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
    double bytes = 0;  ///< bytes that one pass moves
    double copy_gbps = 0, read_gbps = 0, write_gbps = 0;
};

/// Limits of a device, measured on it with the same allocator, threads and timer as kernels.
struct Ceilings {
    std::string device;
    std::string fingerprint;                    ///< fingerprint of the environment in which they were measured
    std::string measured_at;                    ///< ISO 8601, UTC
    bool quiet = true;                          ///< whether no other program used the device meanwhile
    std::vector<BandwidthCeiling> all_threads;  ///< ascending in bytes
    std::vector<BandwidthCeiling> one_thread;
    std::map<DType, double> gflops_all_threads;  ///< FMA rate, an FMA counts two
    std::map<DType, double> gflops_one_thread;
    std::map<std::string, double> tensor_gflops;  ///< of tensor cores by operands: "f16", "bf16", "tf32", "f8e4m3"
    double launch_seconds = 0;                    ///< of a call whose kernel does nothing; 0: not measured
    double program_seconds = 0;  ///< by which each further program that does nothing makes such a call longer

    bool measured() const { return !all_threads.empty(); }
};

/// Keeps the shorter times of the launch and of a program, from calls with one and with `programs` empty programs.
void keep_shortest(Ceilings& ceilings, double one_seconds, double all_seconds, double programs);

/// Adds a measurement; where the size was measured before, the faster one is kept.
void keep_fastest(std::vector<BandwidthCeiling>& points, const BandwidthCeiling& now);

/// The bandwidth in GB/s that a kernel can reach with these bytes read and written. By size: linear in log bytes
/// between the measured sizes, constant outside. By mix: the time of a copy of what is both read and written, and then
/// of the further bytes that are only read, or only written. The copy counts at its own size, because a cache that
/// keeps what was written hides as much of it as of a copy that writes as many bytes.
double bandwidth_ceiling(const Ceilings& ceilings, double bytes_read, double bytes_written);

/// FMA rate in GFLOP/s of an arithmetic precision, or 0 where it was not measured. Of a contraction whose operands are
/// narrower than 32 bits (`multiplied`) it is the rate of the tensor cores; a CPU's matrix units are not measured.
double flop_ceiling(const Ceilings& ceilings, DType arithmetic, std::optional<DType> multiplied = {});

/// For how long ceilings with `quiet` false are loaded: measured anew by every command, they would cost a busy machine
/// more time than its kernels.
inline constexpr std::chrono::minutes disturbed_are_kept{10};

/// Loads the ceilings of `device` in the environment with this fingerprint from the user's cache.
std::optional<Ceilings> load_ceilings(const std::string& device, const std::string& fingerprint);
/// Stores ceilings in the user's cache. Those with `quiet` false do not replace those with `quiet` true. Errors: as
/// write_file_atomic.
Result<void> save_ceilings(const Ceilings& ceilings);

nlohmann::json to_json(const Ceilings& ceilings);
Ceilings ceilings_from_json(const nlohmann::json& json);

}  // namespace kernelgen
