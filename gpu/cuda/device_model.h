// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace kernelgen {

/// What building for a GPU and its occupancy need to know of it: read from a device, or from
/// `resources/device_models/ID.json` for one that is not here.
struct DeviceModel {
    std::string id;            ///< "h200"; empty for a device that is here
    std::string name;          ///< "NVIDIA H200"
    std::string architecture;  ///< "sm_90a"
    int multiprocessors = 0;
    int warp_size = 32;
    int threads_per_block = 1024;
    int threads_per_multiprocessor = 0;
    int blocks_per_multiprocessor = 0;
    int registers_per_multiprocessor = 0;
    int registers_per_block = 0;
    int registers_per_thread = 255;
    int register_unit = 256;                     ///< registers are given to warps in such portions
    std::int64_t shared_per_multiprocessor = 0;  ///< bytes
    std::int64_t shared_per_block = 0;           ///< bytes, opted in
    std::int64_t shared_reserved_per_block = 0;  ///< bytes that the system takes of each block
    std::int64_t shared_unit = 128;              ///< bytes; shared memory is given in such portions
    std::int64_t l2_bytes = 0;
};

/// 90 of "sm_90a", 0 of what is no architecture of NVIDIA's.
int architecture_number(const DeviceModel& model);

/// The models that are installed, by id. Errors: a file that does not read, named.
Result<std::vector<DeviceModel>> device_models();
Result<DeviceModel> find_device_model(const std::string& id);

}  // namespace kernelgen
