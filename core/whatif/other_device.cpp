// SPDX-License-Identifier: Apache-2.0
#include "core/whatif/other_device.h"

#include <format>
#include <nlohmann/json.hpp>

#include "core/base/file.h"
#include "core/base/json_reader.h"
#include "core/measure/ceilings.h"

namespace kernelgen {

namespace {

/// A number of a description, within limits that no device is near.
template <class T>
struct Positive {
    std::optional<T>& value;
    T most;
};

template <class T>
void read(const JsonPlace& place, Positive<T> number) {
    T found{};
    const std::size_t before = place.diagnostics().size();
    read(place, found);
    if (place.diagnostics().size() > before) return;
    constexpr double least = std::is_integral_v<T> ? 1 : 0.001;
    if (!(found >= least) || !(found <= number.most))
        place.error(say("expected a number from {} to {}", least, number.most));
    else number.value = found;
}

constexpr std::int64_t most_count = 1 << 20, most_bytes = std::int64_t{1} << 40;
constexpr double most_rate = 1e9;
constexpr std::int64_t kib_bytes = 1024;

void read(const JsonPlace& place, DeviceDescription& device) {
    JsonObject object(place);
    object.required("name", device.name);
    const auto number = [&](const char* key, auto& value, auto most) {
        return object.optional(key,
                               Positive<typename std::remove_reference_t<decltype(value)>::value_type>{value, most});
    };
    /// The source documents and the installed models have different names for the same.
    const auto either = [&](const char* key, const char* other, std::optional<std::int64_t>& value, std::int64_t most) {
        const bool has_first = number(key, value, most);
        if (number(other, value, most) && has_first)
            place.error(say("`{}` and `{}` are two names of one number", key, other), "keep one of them");
    };
    number("threads", device.threads, most_count);
    number("multiprocessors", device.multiprocessors, most_count);
    either("threads_per_multiprocessor", "max_threads_per_sm", device.threads_per_multiprocessor, most_count);
    either("registers_per_multiprocessor", "registers_per_sm", device.registers_per_multiprocessor, most_bytes);
    std::optional<std::int64_t> kib;
    const bool has_bytes = number("shared_per_multiprocessor", device.shared_per_multiprocessor, most_bytes);
    if (number("shared_mem_kb", kib, most_bytes / kib_bytes) && has_bytes)
        place.error(say("`{}` and `{}` are two names of one number", "shared_per_multiprocessor", "shared_mem_kb"),
                    "keep one of them");
    else if (kib) device.shared_per_multiprocessor = *kib * kib_bytes;
    number("warp_size", device.warp_size, most_count);
    number("vector_width", device.vector_width, most_count);
    number("bandwidth_gbps", device.bandwidth_gbps, most_rate);
    number("gflops", device.gflops, most_rate);
    object.finish();
}

/// The share that the other device has of a number of the round's device.
Result<void> put_share(const std::optional<double>& theirs, double ours, const char* key, double& share) {
    if (!theirs) return {};
    if (!(ours > 0))
        return fail(say("`{}`: the round does not have this number of its own device to compare with", key));
    share = *theirs / ours;
    return {};
}

std::optional<double> as_number(const std::optional<std::int64_t>& count) {
    return count ? std::optional(static_cast<double>(*count)) : std::nullopt;
}

}  // namespace

Validated<DeviceDescription> parse_device_description(std::string_view text, std::string_view file) {
    const Validated<nlohmann::json> document = parse_json(text, file);
    if (!document) return std::unexpected(document.error());
    Diagnostics diagnostics;
    DeviceDescription device;
    read(JsonPlace(*document, diagnostics), device);
    for (Diagnostic& each : diagnostics) each.file = file;
    if (!diagnostics.empty()) return std::unexpected(std::move(diagnostics));
    return device;
}

Validated<DeviceDescription> read_device_description(const std::filesystem::path& file) {
    const Result<std::string> text = read_file(file);
    if (!text) return std::unexpected(as_diagnostics(text.error()));
    return parse_device_description(*text, file.string());
}

Result<OtherDevice> compared_with_round(const DeviceDescription& described, const RoundDetail& round) {
    const bool is_cpu = runs_on_host(round.round.device);
    const bool tells_gpu = described.multiprocessors || described.threads_per_multiprocessor ||
                           described.registers_per_multiprocessor || described.shared_per_multiprocessor;
    if (is_cpu ? tells_gpu : described.threads.has_value())
        return fail(say("`{}` describes a {}, and the round is of `{}`: choose a round of such a device",
                        described.name, is_cpu ? "GPU" : "CPU", round.round.device));
    if (described.warp_size && !is_cpu && *described.warp_size != 32)
        return fail(say("`warp_size` {}: kernels for {} are written for warps of 32", *described.warp_size,
                        round.round.device));
    const Sizes& numbers = round.candidate.device;
    const auto ours = [&](const char* name) {
        const auto found = numbers.find(name);
        return found == numbers.end() ? 0.0 : static_cast<double>(found->second);
    };
    const auto f32 = round.ceilings.gflops_all_threads.find(DType::f32);
    OtherDevice other;
    double bandwidth = 1, threads = 1, registers = 1, shared = 1;
    const Result<void> put[] = {
        put_share(described.bandwidth_gbps, round.ceilings.all_threads.back().copy_gbps, "bandwidth_gbps", bandwidth),
        put_share(described.gflops, f32 == round.ceilings.gflops_all_threads.end() ? 0 : f32->second, "gflops",
                  other.arithmetic),
        put_share(as_number(described.threads), round.environment.threads, "threads", threads),
        put_share(as_number(described.multiprocessors), round.environment.multiprocessors, "multiprocessors",
                  other.multiprocessors),
        put_share(as_number(described.threads_per_multiprocessor), ours("threads_per_multiprocessor"),
                  "threads_per_multiprocessor", threads),
        put_share(as_number(described.registers_per_multiprocessor), ours("registers_per_multiprocessor"),
                  "registers_per_multiprocessor", registers),
        put_share(as_number(described.shared_per_multiprocessor), ours("shared_per_multiprocessor"),
                  "shared_per_multiprocessor", shared)};
    for (const Result<void>& each : put) {
        if (!each) return std::unexpected(each.error());
    }
    for (const auto& [resource, share] : {std::pair{Resource::bandwidth, bandwidth},
                                          {Resource::threads, threads},
                                          {Resource::registers, registers},
                                          {Resource::shared_memory, shared}}) {
        if (share != 1) other.factors[resource] = share;
    }
    if (!described.gflops) other.arithmetic = other.multiprocessors;
    return other;
}

}  // namespace kernelgen
