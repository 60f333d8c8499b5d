// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/measure/environment.h"
#include "gpu/cuda/device_model.h"
#include "gpu/cuda/driver.h"

namespace kernelgen::cuda {

/// A GPU of this machine, as its driver describes it. Reading this makes no context.
struct PresentDevice {
    Device handle = 0;
    DeviceModel model;
    std::size_t memory_bytes = 0;
    int clock_khz = 0;  ///< the highest of its multiprocessors
    std::string pci_bus_id;
};

/// The GPUs of this machine, in the driver's order. Errors: as `driver`; no GPU is present.
Result<std::vector<PresentDevice>> present_devices();

/// The ordinal of a device: 0 for "cuda:0". Errors: no such device on this machine, with those that there are.
Result<PresentDevice> find_present_device(const std::string& device);

/// What a GPU's lock is named by, whatever ordinal it has in this process: "cuda-0000:3b:00.0", its place on the bus;
/// "" for what is no GPU of this machine.
std::string name_of_lock(const std::string& device);

/// The device's description, without compiler and libraries, which the backend adds.
Environment environment_of(const PresentDevice& device, const std::string& name);

}  // namespace kernelgen::cuda
