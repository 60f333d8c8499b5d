// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/residency.h"

#include <algorithm>
#include <cmath>
#include <format>

#include "core/measure/metrics.h"
#include "gpu/cuda/occupancy.h"

namespace kernelgen {

namespace {

Result<BlockNeeds> needs_of(const RoundDetail& round, DType dtype) {
    const auto built = round.verification.builds.find(dtype);
    const auto known = [&](const Metric& metric) -> std::optional<double> {
        if (built == round.verification.builds.end()) return std::nullopt;
        const auto found = built->second.resources.find(metric.name);
        return found == built->second.resources.end() ? std::nullopt : std::optional(found->second);
    };
    const auto registers = known(metrics::registers), threads = known(metrics::threads_per_block);
    if (!registers || !threads)
        return fail(
            say("round {} has nothing of what its kernel's blocks use (registers, threads): `kernelgen "
                "run` makes a round that has, and --bandwidth needs none of it",
                round.round.number));
    const double shared =
        known(metrics::static_shared_bytes).value_or(0) + known(metrics::dynamic_shared_bytes).value_or(0);
    return BlockNeeds{static_cast<std::int64_t>(*threads), static_cast<int>(*registers),
                      static_cast<std::int64_t>(shared)};
}

template <class T>
void take_share(T& number, double share) {
    number = static_cast<T>(std::floor(static_cast<double>(number) * share));
}

/// "--registers 0.5, --threads 0.5": the same in each language.
std::string as_options(const Factors& factors) {
    std::string text;
    for (const auto& [resource, factor] : factors) {
        std::string name(to_string(resource));
        std::ranges::replace(name, ' ', '-');
        text += std::format("{}--{} {}", text.empty() ? "" : ", ", name, factor);
    }
    return text;
}

DeviceModel with_factors(DeviceModel model, const Factors& factors) {
    take_share(model.registers_per_multiprocessor, factor_of(factors, Resource::registers));
    take_share(model.registers_per_block, factor_of(factors, Resource::registers));
    take_share(model.shared_per_multiprocessor, factor_of(factors, Resource::shared_memory));
    take_share(model.shared_per_block, factor_of(factors, Resource::shared_memory));
    take_share(model.threads_per_multiprocessor, factor_of(factors, Resource::threads));
    model.name += " (" + as_options(factors) + ")";
    return model;
}

}  // namespace

std::optional<DeviceModel> model_of(const Environment& environment) {
    const Result<std::vector<DeviceModel>> models = device_models();
    if (!models) return std::nullopt;
    const auto found = std::ranges::find_if(*models, [&](const DeviceModel& each) {
        return each.name == environment.hardware || std::ranges::contains(each.reported_as, environment.hardware);
    });
    return found == models->end() ? std::nullopt : std::optional(*found);
}

namespace {

/// A kernel on the whole device of its round and on the other one.
struct OnBothDevices {
    DeviceModel whole;
    BlockNeeds needs;
    Occupancy now, then;
};

Result<OnBothDevices> on_both_devices(const RoundDetail& round, DType dtype, const Factors& factors) {
    const std::optional<DeviceModel> model = model_of(round.environment);
    if (!model)
        return fail(
            say("no installed device model is `{}`: registers, shared memory and threads cannot be "
                "divided; --bandwidth can",
                round.environment.hardware));
    const Result<BlockNeeds> needs = needs_of(round, dtype);
    if (!needs) return std::unexpected(needs.error());
    const DeviceModel other = with_factors(*model, factors);
    if (const std::string exceeded = exceeded_limit(other, *needs); !exceeded.empty())
        return fail(say("the kernel cannot start there as it is: {}; tune it for that device", exceeded));
    const Occupancy now = occupancy_of(*model, *needs), then = occupancy_of(other, *needs);
    if (then.blocks == 0)
        return fail(
            say("the kernel cannot start there as it is: no block fits, by {}; tune it for that device", then.limiter));
    return OnBothDevices{*model, *needs, now, then};
}

/// With as many blocks as `then`.
Residency residency_of(const OnBothDevices& both, const Occupancy& then) {
    constexpr int register_size = 4;
    const BlockNeeds& needs = both.needs;
    return {.now = static_cast<double>(both.now.warps),
            .then = static_cast<double>(then.warps),
            .limiter = both.then.limiter,
            .block_warps = static_cast<double>(both.now.warps) / both.now.blocks,
            .register_bytes = static_cast<double>(needs.threads * needs.registers * register_size)};
}

}  // namespace

Result<Residency> residency_with(const RoundDetail& round, DType dtype, const Factors& factors) {
    const Result<OnBothDevices> both = on_both_devices(round, dtype, factors);
    if (!both) return std::unexpected(both.error());
    return residency_of(*both, both->then);
}

Result<HeldBack> held_back(const RoundDetail& round, DType dtype, const Factors& factors) {
    Result<OnBothDevices> both = on_both_devices(round, dtype, factors);
    if (!both) return std::unexpected(both.error());
    const DeviceModel& device = both->whole;
    const std::int64_t before = both->needs.shared_bytes;
    BlockNeeds& needs = both->needs;
    Occupancy held = both->now;
    while (held.blocks > both->then.blocks) {
        needs.shared_bytes += device.shared_unit;
        if (needs.shared_bytes > device.shared_per_block)
            return fail(
                say("{} cannot be held back to {} blocks a multiprocessor: a block can have {} B of shared memory, "
                    "with which {} fit",
                    device.name, both->then.blocks, device.shared_per_block, held.blocks));
        held = occupancy_of(device, needs);
    }
    return HeldBack{needs.shared_bytes - before, residency_of(*both, held)};
}

}  // namespace kernelgen
