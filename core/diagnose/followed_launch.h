// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>

#include "core/base/said.h"
#include "core/project/launch_plan.h"
#include "core/round/record.h"
#include "core/trace/trace.h"

namespace kernelgen {

/// A launch of a C++ or CUDA variant on a case, of which single threads can be followed through the source.
class FollowedLaunch {
public:
    /// Nothing where the source's function cannot be read; `problem` says why.
    static std::optional<FollowedLaunch> of(const RoundDetail& detail, const CodeFile& file, const Case& binding,
                                            const PlannedLaunch& launch, Said& problem);

    /// Follows a thread of a program, and returns what it does. Programs and threads are numbered along the fastest
    /// axis first.
    Trace follow(std::int64_t program, std::int64_t thread = 0) const;

    std::int64_t programs() const;
    std::int64_t threads_of_program() const;
    /// The number of the program that is `step` further than the first along the fastest axis but `axis` that is
    /// longer than one; nothing where there is no such axis.
    std::optional<std::int64_t> neighbour(int axis) const;
    const PlannedLaunch& plan() const { return launch_; }

private:
    FollowedLaunch(const CodeFile& file, const CodeFunction& kernel, PlannedLaunch launch, TraceRequest request)
        : file_(&file), kernel_(&kernel), launch_(std::move(launch)), request_(std::move(request)) {}

    const CodeFile* file_;
    const CodeFunction* kernel_;
    PlannedLaunch launch_;
    TraceRequest request_;
};

}  // namespace kernelgen
