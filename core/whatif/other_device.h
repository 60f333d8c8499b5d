// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/round/record.h"
#include "core/whatif/resource.h"

namespace kernelgen {

/// A device as a person's file describes it (docs/WHATIF.md). What the file leaves out is as on the round's device.
struct DeviceDescription {
    std::string name;
    std::optional<std::int64_t> threads;                       ///< of a CPU
    std::optional<std::int64_t> multiprocessors;               ///< of a GPU, as all that follow but the last two
    std::optional<std::int64_t> threads_per_multiprocessor;    ///< or "max_threads_per_sm"
    std::optional<std::int64_t> registers_per_multiprocessor;  ///< or "registers_per_sm"
    std::optional<std::int64_t> shared_per_multiprocessor;     ///< bytes; or "shared_mem_kb", in KiB
    std::optional<std::int64_t> warp_size;
    std::optional<std::int64_t> vector_width;  ///< elements of f32 that an instruction takes: told, not used
    std::optional<double> bandwidth_gbps;      ///< of a copy, 1e9 bytes/s
    std::optional<double> gflops;              ///< of f32, 1e9 FLOP/s
};

/// Errors: all that is wrong with the text: no JSON, unknown keys, a key under two names, numbers out of range.
Validated<DeviceDescription> parse_device_description(std::string_view text, std::string_view file);
/// Errors: as `parse_device_description`, and a file that cannot be read.
Validated<DeviceDescription> read_device_description(const std::filesystem::path& file);

/// Another device, as shares of what the device of a round has.
struct OtherDevice {
    Factors factors;
    double arithmetic = 1;       ///< of the FLOP rate, beside what more threads of a CPU bring
    double multiprocessors = 1;  ///< of a GPU's
};

/// A described device beside a round's. Errors: a number that the round does not have to be compared with; a
/// description of another kind of device.
Result<OtherDevice> compared_with_round(const DeviceDescription& described, const RoundDetail& round);

}  // namespace kernelgen
