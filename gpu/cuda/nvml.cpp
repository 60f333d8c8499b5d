// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/nvml.h"

#include <array>

#include "core/base/shared_library.h"
#include "core/measure/metrics.h"

namespace kernelgen::cuda {
namespace {

using NvmlCode = int;
constexpr NvmlCode nvml_success = 0;
constexpr int sm_clock = 1, memory_clock = 2, gpu_sensor = 0;

/// The functions of NVML that are used.
struct NvmlLibrary {
    NvmlCode (*init)();
    NvmlCode (*by_bus_id)(const char*, void**);
    NvmlCode (*clock)(void*, int, unsigned*);
    NvmlCode (*temperature)(void*, int, unsigned*);
    NvmlCode (*power)(void*, unsigned*);
    NvmlCode (*energy)(void*, unsigned long long*);
    NvmlCode (*driver)(char*, unsigned);
    NvmlCode (*compute_processes)(void*, unsigned*, void*);
    bool usable = false;
};

const NvmlLibrary& nvml_library() {
    static const NvmlLibrary found = [] {
        NvmlLibrary made{};
        static const std::string names[] = {"libnvidia-ml.so.1"};
        const Result<SharedLibrary> shared = SharedLibrary::open(names);
        made.usable = shared && shared->find("nvmlInit_v2", made.init) &&
                      shared->find("nvmlDeviceGetHandleByPciBusId_v2", made.by_bus_id) &&
                      shared->find("nvmlDeviceGetClockInfo", made.clock) &&
                      shared->find("nvmlDeviceGetTemperature", made.temperature) &&
                      shared->find("nvmlDeviceGetPowerUsage", made.power) &&
                      shared->find("nvmlDeviceGetTotalEnergyConsumption", made.energy) &&
                      shared->find("nvmlSystemGetDriverVersion", made.driver) && made.init() == nvml_success;
        if (made.usable && !shared->find("nvmlDeviceGetComputeRunningProcesses_v3", made.compute_processes))
            made.compute_processes = nullptr;
        return made;
    }();
    return found;
}

}  // namespace

Nvml::Nvml(const std::string& pci_bus_id) {
    if (nvml_library().usable && nvml_library().by_bus_id(pci_bus_id.c_str(), &device_) != nvml_success)
        device_ = nullptr;
}

std::map<std::string, double> Nvml::conditions() const {
    std::map<std::string, double> found;
    if (device_ == nullptr) return found;
    unsigned value = 0;
    if (nvml_library().clock(device_, sm_clock, &value) == nvml_success) found[metrics::sm_clock_mhz.name] = value;
    if (nvml_library().clock(device_, memory_clock, &value) == nvml_success)
        found[metrics::memory_clock_mhz.name] = value;
    if (nvml_library().temperature(device_, gpu_sensor, &value) == nvml_success)
        found[metrics::temperature_c.name] = value;
    if (nvml_library().power(device_, &value) == nvml_success) found[metrics::power_w.name] = value * 1e-3;
    return found;
}

/// The number of processes that use the GPU: NVML tells it when it is asked with room for none.
int Nvml::compute_processes() const {
    unsigned count = 0;
    if (device_ == nullptr || nvml_library().compute_processes == nullptr) return 0;
    nvml_library().compute_processes(device_, &count, nullptr);
    return static_cast<int>(count);
}

std::optional<double> Nvml::energy_joules() const {
    unsigned long long millijoules = 0;
    if (device_ == nullptr || nvml_library().energy(device_, &millijoules) != nvml_success) return std::nullopt;
    return static_cast<double>(millijoules) * 1e-3;
}

std::string Nvml::driver() const {
    std::array<char, 96> text{};
    if (device_ == nullptr || nvml_library().driver(text.data(), text.size()) != nvml_success) return "";
    return text.data();
}

}  // namespace kernelgen::cuda
