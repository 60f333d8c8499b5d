// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sched.h>

namespace kernelgen {

/// While it lives, the thread that made it, and every process and thread that this one starts, may use only the first
/// CPUs of those allowed.
class CpuCap {
public:
    explicit CpuCap(int cpus);
    ~CpuCap();
    CpuCap(const CpuCap&) = delete;

private:
    cpu_set_t before_;
};

}  // namespace kernelgen
