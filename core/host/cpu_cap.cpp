// SPDX-License-Identifier: Apache-2.0
#include "core/host/cpu_cap.h"

#include <algorithm>
#include <cstddef>

#include "core/host/thread_pool.h"

namespace kernelgen {

CpuCap::CpuCap(int cpus) {
    CPU_ZERO(&before_);
    ::sched_getaffinity(0, sizeof before_, &before_);
    const std::vector<int> allowed = allowed_cpus();
    cpu_set_t fewer;
    CPU_ZERO(&fewer);
    for (std::size_t i = 0; i < std::min(allowed.size(), static_cast<std::size_t>(cpus)); ++i)
        CPU_SET(allowed[i], &fewer);
    ::sched_setaffinity(0, sizeof fewer, &fewer);
}

CpuCap::~CpuCap() { ::sched_setaffinity(0, sizeof before_, &before_); }

}  // namespace kernelgen
