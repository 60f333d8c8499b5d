// SPDX-License-Identifier: Apache-2.0
#include "core/host/cache_counters.h"

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include "core/base/sentences.h"

namespace kernelgen {
namespace {

int open_counter(std::uint64_t event, int thread_id) {
    perf_event_attr attributes{};
    attributes.type = PERF_TYPE_HARDWARE;
    attributes.size = sizeof attributes;
    attributes.config = event;
    attributes.disabled = 1;
    attributes.exclude_kernel = 1;
    attributes.exclude_hv = 1;
    return static_cast<int>(::syscall(SYS_perf_event_open, &attributes, thread_id, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

Said reason_of(int error) {
    switch (error) {
        case ENOENT:
        case EOPNOTSUPP: return sentences::no_counters;
        case EACCES:
        case EPERM: return sentences::counters_forbidden;
        case ENOSYS: return "the system has no performance counters";
        default: return say("the cache counters cannot be opened: {}", std::strerror(error));
    }
}

}  // namespace

Result<CacheCounters> CacheCounters::open(std::span<const int> thread_ids) {
    CacheCounters counters;
    for (const int thread : thread_ids) {
        for (const std::uint64_t event : {PERF_COUNT_HW_CACHE_REFERENCES, PERF_COUNT_HW_CACHE_MISSES}) {
            const int descriptor = open_counter(event, thread);
            if (descriptor < 0) return fail(reason_of(errno));
            counters.descriptors_.push_back(descriptor);
        }
    }
    return counters;
}

CacheCounters::~CacheCounters() {
    for (const int descriptor : descriptors_) ::close(descriptor);
}

void CacheCounters::start() {
    for (const int descriptor : descriptors_) {
        ::ioctl(descriptor, PERF_EVENT_IOC_RESET, 0);
        ::ioctl(descriptor, PERF_EVENT_IOC_ENABLE, 0);
    }
}

Result<double> CacheCounters::stop() {
    for (const int descriptor : descriptors_) ::ioctl(descriptor, PERF_EVENT_IOC_DISABLE, 0);
    double counts[2] = {0, 0};
    for (std::size_t i = 0; i < descriptors_.size(); ++i) {
        std::uint64_t count = 0;
        if (::read(descriptors_[i], &count, sizeof count) == sizeof count) counts[i % 2] += static_cast<double>(count);
    }
    const double references = counts[0], misses = counts[1];
    if (!(references > 0)) return fail("the cache counters counted nothing");
    return std::max(0.0, 1 - misses / references);
}

}  // namespace kernelgen
