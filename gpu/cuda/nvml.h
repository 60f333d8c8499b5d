// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>

namespace kernelgen::cuda {

/// Readings of one GPU from NVIDIA's management library; readings that it does not give are left out. Thread safe.
class Nvml {
public:
    /// Opens a GPU by its PCI bus id ("0000:3b:00.0"). Where the library is not found, all readings are missing.
    explicit Nvml(const std::string& pci_bus_id);

    /// The present values of "sm_clock_mhz", "memory_clock_mhz", "temperature_c" and "power_w".
    std::map<std::string, double> conditions() const;
    std::optional<double> energy_joules() const;  ///< energy since the driver was loaded
    int compute_processes() const;                ///< processes with a context on the GPU; 0: unknown
    std::string driver() const;                   ///< "580.159.04", or empty

private:
    void* device_ = nullptr;
};

}  // namespace kernelgen::cuda
