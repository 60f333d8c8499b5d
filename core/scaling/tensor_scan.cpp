// SPDX-License-Identifier: Apache-2.0
#include "core/scaling/tensor_scan.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <thread>

#include "core/base/memory.h"

namespace kernelgen {
namespace {

constexpr std::int64_t no_element = std::numeric_limits<std::int64_t>::max();

/// What one thread has seen.
struct ScanPart {
    std::int64_t zeros = 0, nan = 0, infinite = 0, first_bad = no_element;
    double least = std::numeric_limits<double>::infinity();
    std::vector<double> channels;

    void take(const AxisWalk& walk, std::int64_t first, std::span<const double> values) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double size = std::abs(values[i]);
            const std::int64_t element = first + static_cast<std::int64_t>(i);
            if (!std::isfinite(size)) {
                ++(std::isnan(size) ? nan : infinite);
                first_bad = std::min(first_bad, element);
                continue;
            }
            double& channel = channels[static_cast<std::size_t>(walk.place_of(element))];
            channel = std::max(channel, size);
            if (size == 0) ++zeros;
            else least = std::min(least, size);
        }
    }
    void merge(const ScanPart& other) {
        zeros += other.zeros;
        nan += other.nan;
        infinite += other.infinite;
        first_bad = std::min(first_bad, other.first_bad);
        least = std::min(least, other.least);
        for (std::size_t i = 0; i < channels.size(); ++i) channels[i] = std::max(channels[i], other.channels[i]);
    }
};

}  // namespace

Result<TensorScan> scan_tensor(const NpyReader& tensor, const AxisWalk& walk, std::stop_token stop) {
    const std::size_t threads = std::max(1u, std::thread::hardware_concurrency()) + 1;
    const std::size_t bytes = static_cast<std::size_t>(walk.extent) * sizeof(double) * threads;
    if (const std::size_t available = available_memory(); available > 0 && bytes > available / 2)
        return fail(say("an amax for each of {} channels takes {} bytes, and {} are free: choose another --axis",
                        walk.extent, bytes, available));
    std::deque<ScanPart> parts(1);
    parts[0].channels.resize(static_cast<std::size_t>(walk.extent));
    const Result<void> scanned = over_elements(tensor, std::move(stop), [&]() -> TakeBlock {
        ScanPart& part = parts.emplace_back();
        part.channels.resize(static_cast<std::size_t>(walk.extent));
        return [&part, &walk](std::int64_t first, std::span<const double> values) { part.take(walk, first, values); };
    });
    if (!scanned) return std::unexpected(scanned.error());
    ScanPart& all = parts.front();
    for (std::size_t i = 1; i < parts.size(); ++i) all.merge(parts[i]);
    if (all.first_bad != no_element)
        return fail(
            say("{} NaN and {} infinities, the first is element {}: no scale fits them; find where they come "
                "from, or leave them out",
                all.nan, all.infinite, all.first_bad));
    TensorScan scan{.elements = tensor.header().elements(), .zeros = all.zeros, .channels = std::move(all.channels)};
    scan.amax = std::ranges::max(scan.channels);
    scan.least = scan.amax > 0 ? all.least : 0;
    return scan;
}

}  // namespace kernelgen
