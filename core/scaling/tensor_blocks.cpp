// SPDX-License-Identifier: Apache-2.0
#include "core/scaling/tensor_blocks.h"

#include <algorithm>
#include <mutex>
#include <optional>

#include "core/verify/parallel.h"

namespace kernelgen {
namespace {

constexpr std::int64_t block_elements = 1 << 14;

/// Work on all cores that may fail.
class FallibleWork {
public:
    FallibleWork(std::int64_t units, std::int64_t step, std::stop_token stop)
        : claims_(units, step, stop), stop_(std::move(stop)) {}

    /// `work` does a range of units with the taker of its thread.
    Result<void> run(const MakeTaker& make, const std::function<Result<void>(Range, const TakeBlock&)>& work) {
        on_all_cores(claims_, [&](Claims& claims) {
            const TakeBlock take = [&] {
                const std::lock_guard lock(mutex_);
                return make();
            }();
            while (const std::optional<Range> range = claims.next()) {
                if (const Result<void> done = work(*range, take); !done) stop_with(done.error());
            }
        });
        if (error_) return std::unexpected(*error_);
        if (stop_.stop_requested()) return fail("cancelled");
        return {};
    }

private:
    void stop_with(const Error& error) {
        const std::lock_guard lock(mutex_);
        if (!error_) error_ = error;
        claims_.end();
    }

    Claims claims_;
    std::stop_token stop_;
    std::mutex mutex_;
    std::optional<Error> error_;
};

/// Neighbours along an axis that is not the last in the file's order: they lie `inner` elements apart.
class StridedGroups {
public:
    StridedGroups(const NpyReader& tensor, const AxisWalk& walk, std::int64_t group)
        : tensor_(tensor),
          walk_(walk),
          group_(group),
          width_(std::clamp(block_elements / group, std::int64_t{1}, walk.inner)) {}

    std::int64_t units() const { return walk_.outer * (walk_.extent / group_) * columns(); }

    /// The elements of a unit, each group by itself.
    Result<std::vector<double>> read(std::int64_t unit) const {
        const std::int64_t column = unit % columns() * width_, slab = unit / columns();
        const std::int64_t width = std::min(width_, walk_.inner - column);
        std::vector<double> row(static_cast<std::size_t>(width)), groups(static_cast<std::size_t>(width * group_));
        for (std::int64_t k = 0; k < group_; ++k) {
            const Result<void> got = tensor_.read((slab * group_ + k) * walk_.inner + column, row);
            if (!got) return std::unexpected(got.error());
            for (std::int64_t j = 0; j < width; ++j)
                groups[static_cast<std::size_t>(j * group_ + k)] = row[static_cast<std::size_t>(j)];
        }
        return groups;
    }

private:
    std::int64_t columns() const { return (walk_.inner + width_ - 1) / width_; }

    const NpyReader& tensor_;
    const AxisWalk& walk_;
    std::int64_t group_, width_;
};

}  // namespace

Result<AxisWalk> walk_along(const NpyHeader& header, int axis) {
    const auto dimensions = static_cast<int>(header.shape.size());
    if (axis < -dimensions || axis >= dimensions)
        return fail(say("no axis {}: the tensor has {} dimensions, so axes from {} to {}", axis, dimensions,
                        -dimensions, dimensions - 1));
    const int asked = axis < 0 ? axis + dimensions : axis;
    const auto place = static_cast<std::size_t>(header.is_reversed ? dimensions - 1 - asked : asked);
    AxisWalk walk;
    for (std::size_t i = 0; i < header.shape.size(); ++i) {
        if (i < place) walk.outer *= header.shape[i];
        if (i > place) walk.inner *= header.shape[i];
    }
    walk.extent = header.shape[place];
    return walk;
}

Result<void> over_elements(const NpyReader& tensor, std::stop_token stop, const MakeTaker& make) {
    FallibleWork work(tensor.header().elements(), block_elements, std::move(stop));
    return work.run(make, [&](Range range, const TakeBlock& take) -> Result<void> {
        std::vector<double> values(static_cast<std::size_t>(range.end - range.first));
        if (const Result<void> got = tensor.read(range.first, values); !got) return got;
        take(range.first, values);
        return {};
    });
}

Result<void> over_groups(const NpyReader& tensor, const AxisWalk& walk, std::int64_t group, std::stop_token stop,
                         const MakeTaker& make) {
    if (walk.inner == 1) {
        FallibleWork work(walk.outer * (walk.extent / group), std::max<std::int64_t>(1, block_elements / group), stop);
        return work.run(make, [&](Range range, const TakeBlock& take) -> Result<void> {
            std::vector<double> values(static_cast<std::size_t>((range.end - range.first) * group));
            if (const Result<void> got = tensor.read(range.first * group, values); !got) return got;
            take(0, values);
            return {};
        });
    }
    const StridedGroups groups(tensor, walk, group);
    FallibleWork work(groups.units(), 1, std::move(stop));
    return work.run(make, [&](Range range, const TakeBlock& take) -> Result<void> {
        const Result<std::vector<double>> values = groups.read(range.first);
        if (!values) return std::unexpected(values.error());
        take(0, *values);
        return {};
    });
}

}  // namespace kernelgen
