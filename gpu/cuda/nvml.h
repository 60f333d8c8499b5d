// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>

namespace kernelgen::cuda {

/// What NVIDIA's management library says of one GPU; what it does not answer is left out. Thread safe.
class Nvml {
public:
    /// By PCI bus id ("0000:3b:00.0"). Null inside where the library is not there: then nothing is answered.
    explicit Nvml(const std::string& pci_bus_id);

    /// "sm_clock_mhz", "memory_clock_mhz", "temperature_c", "power_w" as they are now.
    std::map<std::string, double> conditions() const;
    std::optional<double> energy_joules() const;  ///< since the driver was loaded
    int compute_processes() const;                ///< that have a context on it; 0 where that is not told
    std::string driver() const;                   ///< "580.159.04", or empty

private:
    void* device_ = nullptr;
};

}  // namespace kernelgen::cuda
