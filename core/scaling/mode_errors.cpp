// SPDX-License-Identifier: Apache-2.0
#include "core/scaling/mode_errors.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>

#include "core/scaling/block_scale.h"
#include "core/scaling/laplace.h"
#include "core/verify/error_statistics.h"

namespace kernelgen {
namespace {

/// Collects what storing did. Each thread has one.
class StoreErrors {
public:
    void add(std::span<const double> values, double scale, DType format) {
        stored_.resize(values.size());
        const StoredCounts counts = store_and_read(values, scale, format, stored_);
        statistics_.add_all(values, stored_);
        for (std::int64_t i = 0; i < counts.clipped; ++i) statistics_.add_clipped();
        flushed_ += counts.flushed;
        least_scale_ = std::min(least_scale_, scale);
        most_scale_ = std::max(most_scale_, scale);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double error = stored_[i] - values[i];
            error_squares_ += error * error;
            value_squares_ += values[i] * values[i];
        }
    }
    void merge(const StoreErrors& other) {
        statistics_.merge(other.statistics_);
        flushed_ += other.flushed_;
        least_scale_ = std::min(least_scale_, other.least_scale_);
        most_scale_ = std::max(most_scale_, other.most_scale_);
        error_squares_ += other.error_squares_;
        value_squares_ += other.value_squares_;
    }
    ModeErrors result(const StoreMode& mode, std::int64_t scales) const {
        ModeErrors errors{.mode = mode,
                          .scales = scales,
                          .least_scale = least_scale_,
                          .most_scale = most_scale_,
                          .metrics = statistics_.metrics()};
        errors.flushed = static_cast<double>(flushed_) / static_cast<double>(errors.metrics.elements);
        if (value_squares_ > 0) errors.relative_error = std::sqrt(error_squares_ / value_squares_);
        errors.laplace_divergence = divergence_from_laplace(errors.metrics);
        return errors;
    }

private:
    ErrorStatistics statistics_;
    std::vector<double> stored_;
    std::int64_t flushed_ = 0;
    double least_scale_ = std::numeric_limits<double>::infinity(), most_scale_ = 0;
    double error_squares_ = 0, value_squares_ = 0;
};

ModeErrors merged(const std::deque<StoreErrors>& parts, const StoreMode& mode, std::int64_t scales) {
    StoreErrors all;
    for (const StoreErrors& each : parts) all.merge(each);
    return all.result(mode, scales);
}

/// Adds runs of elements that share a scale.
void add_runs(StoreErrors& errors, const FixedScales& fixed, DType format, std::int64_t first,
              std::span<const double> values) {
    const std::int64_t run = fixed.walk.inner * fixed.group, all = static_cast<std::int64_t>(values.size());
    for (std::int64_t i = 0; i < all;) {
        const std::int64_t element = first + i, slab = fixed.walk.inner * fixed.walk.extent;
        const std::int64_t left = std::min(run - element % slab % run, slab - element % slab);
        const std::int64_t count = fixed.scales.size() == 1 ? all : std::min(left, all - i);
        const auto scale = fixed.scales.size() == 1 ? 0 : fixed.walk.place_of(element) / fixed.group;
        errors.add(values.subspan(static_cast<std::size_t>(i), static_cast<std::size_t>(count)),
                   fixed.scales[static_cast<std::size_t>(scale)], format);
        i += count;
    }
}

double amax_of(std::span<const double> values) {
    double amax = 0;
    for (const double value : values) amax = std::max(amax, std::abs(value));
    return amax;
}

}  // namespace

std::string_view to_string(ScaleMode mode) {
    switch (mode) {
        case ScaleMode::none: return "none";
        case ScaleMode::tensor: return "tensor";
        case ScaleMode::channel: return "channel";
        case ScaleMode::group: return "group";
    }
    return "";
}

double ModeErrors::snr_db() const { return -20 * std::log10(relative_error); }

Result<ModeErrors> errors_with(const NpyReader& tensor, const StoreMode& mode, const FixedScales& scales,
                               std::stop_token stop) {
    std::deque<StoreErrors> parts;
    const Result<void> done = over_elements(tensor, std::move(stop), [&]() -> TakeBlock {
        StoreErrors& part = parts.emplace_back();
        return [&](std::int64_t first, std::span<const double> values) {
            add_runs(part, scales, mode.format, first, values);
        };
    });
    if (!done) return std::unexpected(done.error());
    return merged(parts, mode, static_cast<std::int64_t>(scales.scales.size()));
}

Result<ModeErrors> errors_in_groups(const NpyReader& tensor, const StoreMode& mode, const AxisWalk& walk,
                                    std::stop_token stop) {
    std::deque<StoreErrors> parts;
    const auto group = static_cast<std::size_t>(mode.group);
    const Result<void> done = over_groups(tensor, walk, mode.group, std::move(stop), [&]() -> TakeBlock {
        StoreErrors& part = parts.emplace_back();
        return [&, group](std::int64_t, std::span<const double> values) {
            for (std::size_t i = 0; i < values.size(); i += group) {
                const std::span<const double> own = values.subspan(i, group);
                part.add(own, scale_for(amax_of(own), mode.format), mode.format);
            }
        };
    });
    if (!done) return std::unexpected(done.error());
    return merged(parts, mode, tensor.header().elements() / mode.group);
}

}  // namespace kernelgen
