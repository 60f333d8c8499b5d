// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/devices.h"

#include <array>
#include <charconv>
#include <cmath>
#include <format>

#include "core/host/environment.h"
#include "core/measure/metrics.h"
#include "gpu/cuda/nvml.h"

namespace kernelgen::cuda {
namespace {

/// "sm_90a": the architecture with its own instructions, where there is such a one.
std::string architecture_of(int major, int minor) {
    return std::format("sm_{}{}{}", major, minor, major >= 9 ? "a" : "");
}

PresentDevice describe(const Driver& driver, int ordinal) {
    PresentDevice device;
    driver.device_get(&device.handle, ordinal);
    const auto attribute = [&](DeviceAttribute which) {
        int value = 0;
        driver.device_attribute(&value, which, device.handle);
        return value;
    };
    std::array<char, 256> text{};
    driver.device_name(text.data(), static_cast<int>(text.size()), device.handle);
    DeviceModel& model = device.model;
    model.name = text.data();
    const int major = attribute(DeviceAttribute::capability_major);
    model.architecture = architecture_of(major, attribute(DeviceAttribute::capability_minor));
    model.shared_unit = major >= 8 ? 128 : 256;
    model.multiprocessors = attribute(DeviceAttribute::multiprocessors);
    model.threads_per_block = attribute(DeviceAttribute::max_threads_per_block);
    model.threads_per_multiprocessor = attribute(DeviceAttribute::threads_per_multiprocessor);
    model.blocks_per_multiprocessor = attribute(DeviceAttribute::blocks_per_multiprocessor);
    model.registers_per_multiprocessor = attribute(DeviceAttribute::registers_per_multiprocessor);
    model.registers_per_block = attribute(DeviceAttribute::max_registers_per_block);
    model.shared_per_multiprocessor = attribute(DeviceAttribute::shared_per_multiprocessor);
    model.shared_per_block = attribute(DeviceAttribute::shared_per_block);
    model.shared_reserved_per_block = attribute(DeviceAttribute::reserved_shared_per_block);
    model.l2_bytes = attribute(DeviceAttribute::l2_bytes);
    device.clock_khz = attribute(DeviceAttribute::clock_khz);
    driver.device_memory(&device.memory_bytes, device.handle);
    driver.pci_bus_id(text.data(), static_cast<int>(text.size()), device.handle);
    device.pci_bus_id = text.data();
    return device;
}

std::string clocks_text(const PresentDevice& device) {
    const std::map<std::string, double> now = Nvml(device.pci_bus_id).conditions();
    const int most = device.clock_khz / 1000;
    const auto present = now.find(metrics::sm_clock_mhz.name), memory = now.find(metrics::memory_clock_mhz.name);
    if (present == now.end()) return say("multiprocessors up to {} MHz", most);
    const long mhz = std::lround(present->second);
    if (memory == now.end()) return say("multiprocessors up to {} MHz, now {} MHz", most, mhz);
    return say("multiprocessors up to {} MHz, now {} MHz, memory {} MHz", most, mhz, std::lround(memory->second));
}

}  // namespace

Result<std::vector<PresentDevice>> present_devices() {
    const Result<Driver>& found = driver();
    if (!found) return std::unexpected(found.error());
    int count = 0;
    if (const Code status = found->device_count(&count); status != success)
        return fail(say("the NVIDIA driver finds no GPU: {}", error_text(status)));
    if (count == 0) return fail("the NVIDIA driver finds no GPU");
    std::vector<PresentDevice> devices;
    for (int ordinal = 0; ordinal < count; ++ordinal) devices.push_back(describe(*found, ordinal));
    return devices;
}

Result<PresentDevice> find_present_device(const std::string& device) {
    Result<std::vector<PresentDevice>> devices = present_devices();
    if (!devices) return std::unexpected(devices.error());
    for (std::size_t i = 0; i < devices->size(); ++i) {
        if (device == std::format("cuda:{}", i)) return std::move((*devices)[i]);
    }
    return fail(say("no device `{}` here; there is cuda:0{}", device,
                    devices->size() > 1 ? std::format(" to cuda:{}", devices->size() - 1) : ""));
}

std::string name_of_lock(const std::string& device) {
    if (!device.starts_with("cuda:")) return "";
    const Result<PresentDevice> present = find_present_device(device);
    return present ? "cuda-" + present->pci_bus_id : "";
}

Environment environment_of(const PresentDevice& device, const std::string& name) {
    Environment environment = host_environment();
    environment.device = name;
    environment.hardware = device.model.name;
    environment.threads = 0;
    environment.multiprocessors = device.model.multiprocessors;
    environment.caches = std::format("L2 {} MiB", device.model.l2_bytes >> 20);
    environment.memory_gib = static_cast<double>(device.memory_bytes) / (1u << 30);
    environment.clocks = clocks_text(device);
    environment.instruction_set = device.model.architecture;
    environment.driver = std::format("{} (CUDA {})", Nvml(device.pci_bus_id).driver(), driver_version_text(*driver()));
    return environment;
}

}  // namespace kernelgen::cuda
