// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/lang/operator.h"

namespace kernelgen {

/// The properties of a GPU that building and occupancy need, read from a device, or from
/// `resources/device_models/ID.json` where the device is not present.
struct DeviceModel {
    std::string id;                        ///< "h200"; empty for a device of this machine
    std::string name;                      ///< "NVIDIA H200"
    std::vector<std::string> reported_as;  ///< other names by which drivers call it: "NVIDIA H100 80GB HBM3"
    std::string architecture;              ///< "sm_90a"
    int multiprocessors = 0;
    int warp_size = 32;
    int threads_per_block = 1024;
    int threads_per_multiprocessor = 0;
    int blocks_per_multiprocessor = 0;
    int registers_per_multiprocessor = 0;
    int registers_per_block = 0;
    int registers_per_thread = 255;
    int register_unit = 256;                     ///< registers are allocated to warps in multiples of this
    std::int64_t shared_per_multiprocessor = 0;  ///< bytes
    std::int64_t shared_per_block = 0;           ///< bytes, with the opt-in attribute
    std::int64_t shared_reserved_per_block = 0;  ///< bytes of each block that the system uses
    std::int64_t shared_unit = 128;              ///< bytes; shared memory is allocated in multiples of this
    std::int64_t l2_bytes = 0;
};

/// The model's numbers by the names that launches use after `device.`; `threads` are those of all multiprocessors.
Sizes numbers_of(const DeviceModel& model);

/// 90 for "sm_90a"; 0 for a text that is no architecture of NVIDIA.
int architecture_number(const DeviceModel& model);

/// The installed models, by id. Errors: a file that cannot be read, with its name.
Result<std::vector<DeviceModel>> device_models();
Result<DeviceModel> find_device_model(const std::string& id);

}  // namespace kernelgen
