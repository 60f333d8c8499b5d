// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/occupancy.h"

#include <algorithm>
#include <format>
#include <limits>
#include <utility>

namespace kernelgen {
namespace {

/// A multiprocessor has four schedulers with registers of their own; a warp belongs to one.
constexpr int schedulers = 4;

std::int64_t divide_up(std::int64_t value, std::int64_t unit) { return (value + unit - 1) / unit; }
std::int64_t round_up(std::int64_t value, std::int64_t unit) { return divide_up(value, unit) * unit; }

std::int64_t warps_of(const DeviceModel& device, const BlockNeeds& needs) {
    return divide_up(needs.threads, device.warp_size);
}

std::int64_t registers_of_warp(const DeviceModel& device, const BlockNeeds& needs) {
    return round_up(static_cast<std::int64_t>(needs.registers) * device.warp_size, device.register_unit);
}

std::int64_t shared_of_block(const DeviceModel& device, const BlockNeeds& needs) {
    return round_up(needs.shared_bytes + device.shared_reserved_per_block, device.shared_unit);
}

constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

std::int64_t blocks_by_registers(const DeviceModel& device, const BlockNeeds& needs) {
    if (needs.registers == 0) return unlimited;
    const std::int64_t of_scheduler = device.registers_per_multiprocessor / schedulers;
    return of_scheduler / registers_of_warp(device, needs) * schedulers / warps_of(device, needs);
}

std::int64_t blocks_by_shared_memory(const DeviceModel& device, const BlockNeeds& needs) {
    const std::int64_t bytes = shared_of_block(device, needs);
    return bytes == 0 ? unlimited : device.shared_per_multiprocessor / bytes;
}

}  // namespace

Said exceeded_limit(const DeviceModel& device, const BlockNeeds& needs) {
    if (needs.threads > device.threads_per_block) {
        return say("a block of {} threads is more than the {} that {} can start", needs.threads,
                   device.threads_per_block, device.name);
    }
    if (needs.registers > device.registers_per_thread) {
        return say("{} registers a thread are more than the {} of {}", needs.registers, device.registers_per_thread,
                   device.name);
    }
    const std::int64_t registers = registers_of_warp(device, needs) * round_up(warps_of(device, needs), schedulers);
    if (registers > device.registers_per_block) {
        return say("{} threads of {} registers need {} registers; a block has {} on {}", needs.threads, needs.registers,
                   registers, device.registers_per_block, device.name);
    }
    if (needs.shared_bytes > device.shared_per_block) {
        return say("{} bytes of shared memory are more than the {} of a block on {}", needs.shared_bytes,
                   device.shared_per_block, device.name);
    }
    return "";
}

Occupancy occupancy_of(const DeviceModel& device, const BlockNeeds& needs) {
    const std::int64_t warps = warps_of(device, needs);
    const std::int64_t warps_per_multiprocessor = device.threads_per_multiprocessor / device.warp_size;
    const std::pair<const char*, std::int64_t> limits[] = {{"registers", blocks_by_registers(device, needs)},
                                                           {"shared memory", blocks_by_shared_memory(device, needs)},
                                                           {"threads", warps_per_multiprocessor / warps},
                                                           {"blocks", device.blocks_per_multiprocessor}};
    const std::int64_t blocks = std::ranges::min(limits, {}, [](const auto& limit) { return limit.second; }).second;
    Occupancy occupancy;
    occupancy.blocks = static_cast<int>(blocks);
    occupancy.warps = static_cast<int>(blocks * warps);
    occupancy.fraction = static_cast<double>(occupancy.warps) / static_cast<double>(warps_per_multiprocessor);
    for (const auto& [name, most] : limits) {
        if (most == blocks) occupancy.limiter += (occupancy.limiter.empty() ? "" : " and ") + std::string(name);
    }
    return occupancy;
}

}  // namespace kernelgen
