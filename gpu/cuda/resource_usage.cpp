// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/resource_usage.h"

#include <algorithm>
#include <format>
#include <iterator>
#include <optional>

#include "core/backend/build_cache.h"
#include "core/backend/kernel_interface.h"
#include "core/lang/integer_expression.h"
#include "core/project/values.h"
#include "gpu/cuda/kernel_usage.h"
#include "gpu/cuda/occupancy.h"
#include "gpu/cuda/ptx_counts.h"

namespace kernelgen {
namespace {

/// The value of a launch expression that names tunables only; nothing where it depends on the case.
std::optional<std::int64_t> value_of(const std::string& text, const Sizes& values) {
    const auto expression = IntegerExpression::parse(text, "launch");
    if (!expression) return std::nullopt;
    const Result<std::int64_t> value = expression->evaluate(values);
    return value ? std::optional(*value) : std::nullopt;
}

/// A sentence where an extent of the block is none that any GPU can start, whatever the case; else "".
Said impossible_extent(const Launch& launch, const Sizes& values) {
    constexpr std::pair<char, std::int64_t> axes[] = {{'x', 1024}, {'y', 1024}, {'z', 64}};
    for (std::size_t axis = 0; axis < std::min(launch.block.size(), std::size(axes)); ++axis) {
        const auto& [name, most] = axes[axis];
        const std::int64_t size = value_of(launch.block[axis], values).value_or(1);
        if (size >= 1 && size <= most) continue;
        return say("launch.block gives {} threads along {}: give 1 to {}", size, name, most);
    }
    return "";
}

std::optional<std::int64_t> threads_of(const Launch& launch, const Sizes& values) {
    std::int64_t threads = 1;
    for (const std::string& text : launch.block) {
        const std::optional<std::int64_t> size = value_of(text, values);
        if (!size || *size < 1 || __builtin_mul_overflow(threads, *size, &threads)) return std::nullopt;
    }
    return threads;
}

void add_usage(BuildResult& result, const KernelUsage& kernel) {
    keep_largest(result, metrics::registers, kernel.registers);
    keep_largest(result, metrics::barriers, kernel.barriers);
    keep_largest(result, metrics::stack_bytes, static_cast<double>(kernel.stack_bytes));
    keep_largest(result, metrics::spill_store_bytes, static_cast<double>(kernel.spill_store_bytes));
    keep_largest(result, metrics::spill_load_bytes, static_cast<double>(kernel.spill_load_bytes));
    keep_largest(result, metrics::static_shared_bytes, static_cast<double>(kernel.static_shared_bytes));
    keep_largest(result, metrics::constant_bytes, static_cast<double>(kernel.constant_bytes));
}

/// A sentence where a thread needs more local memory than any GPU gives it (CUDA C++ Programming Guide, "Technical
/// Specifications per Compute Capability"); else "".
Said too_much_stack(const KernelUsage& kernel) {
    constexpr std::int64_t most_bytes = 512 << 10;
    if (kernel.stack_bytes <= most_bytes) return "";
    return say("{} bytes of local memory are more than the {} that a GPU has for a thread", kernel.stack_bytes,
               most_bytes);
}

/// A sentence where a launch can never start; else "".
Said launch_fault(const DeviceModel& device, const Launch& launch, const Sizes& values, const BlockNeeds& needs,
                  std::int64_t dynamic, std::int64_t bound) {
    if (dynamic < 0) return say("launch.shared_bytes is {}: give 0 or more", dynamic);
    if (const Said exceeded = exceeded_limit(device, needs); !exceeded.empty()) return exceeded;
    if (bound > 0 && needs.threads > bound) {
        return say(
            "a block of {} threads is more than the {} of its `__launch_bounds__`: launch fewer, or raise the bound",
            needs.threads, bound);
    }
    return impossible_extent(launch, values);
}

void add_launch(const DeviceModel& device, const KernelUsage& kernel, const std::string& entry, const Launch& launch,
                const Sizes& values, std::int64_t bound, BuildResult& result) {
    const std::optional<std::int64_t> threads = threads_of(launch, values);
    const std::optional<std::int64_t> dynamic =
        launch.shared_bytes.empty() ? std::optional<std::int64_t>(0) : value_of(launch.shared_bytes, values);
    if (threads) keep_largest(result, metrics::threads_per_block, static_cast<double>(*threads));
    if (dynamic) keep_largest(result, metrics::dynamic_shared_bytes, static_cast<double>(*dynamic));
    // Faults that depend on the case are left out here and found before the launch.
    const BlockNeeds needs{threads.value_or(1), kernel.registers, kernel.static_shared_bytes + dynamic.value_or(0)};
    Said fault = launch_fault(device, launch, values, needs, dynamic.value_or(0), bound);
    if (fault.empty()) fault = too_much_stack(kernel);
    if (!fault.empty()) return end_build(result, Status::over_limit, "`" + entry + "`: " + fault);
    if (threads && dynamic) keep_lowest(result, occupancy_of(device, needs));
}

}  // namespace

void keep_largest(BuildResult& result, const Metric& metric, double value) {
    double& kept = result.resources.emplace(metric.name, value).first->second;
    kept = std::max(kept, value);
}

void keep_lowest(BuildResult& result, const Occupancy& occupancy) {
    const auto known = result.resources.find(metrics::occupancy.name);
    if (known != result.resources.end() && known->second <= occupancy.fraction) return;
    result.resources[metrics::occupancy.name] = occupancy.fraction;
    result.resources[metrics::blocks_per_multiprocessor.name] = occupancy.blocks;
    result.resources[metrics::active_warps.name] = occupancy.warps;
    result.occupancy_limiter = occupancy.limiter;
}

void add_resources(const DeviceModel& device, const BuildRequest& request, std::string_view ptx, BuildResult& result) {
    const Variant& variant = request.implementation.variant;
    const Sizes values = values_of(request.implementation, {"", request.dtype, {}}).known;
    const std::vector<KernelUsage> kernels = parse_kernel_usage(result.log);
    for (const Launch& launch : variant.launches) {
        const std::string& entry = entry_of(variant, launch);
        const auto kernel = std::ranges::find(kernels, symbol_of(result.artifact, entry), &KernelUsage::entry);
        if (kernel == kernels.end()) continue;
        add_usage(result, *kernel);
        add_launch(device, *kernel, entry, launch, values, launch_bound(ptx, kernel->entry), result);
    }
    for (const auto& [name, count] : ptx_counts(ptx)) result.resources[name] = count;
    if (result.status != Status::ok) result.artifact.path.clear();
}

void add_resources_of_all(BuildResult& result) {
    for (const KernelUsage& kernel : parse_kernel_usage(result.log)) add_usage(result, kernel);
}

}  // namespace kernelgen
