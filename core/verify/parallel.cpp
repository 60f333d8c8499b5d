// SPDX-License-Identifier: Apache-2.0
#include "core/verify/parallel.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace kernelgen {

std::optional<Range> Claims::next() {
    if (ended_ || stop_.stop_requested()) return std::nullopt;
    const std::int64_t first = next_.fetch_add(step_);
    if (first >= total_) return std::nullopt;
    return Range{first, std::min(first + step_, total_)};
}

void on_all_cores(Claims& claims, const std::function<void(Claims&)>& thread) {
    const std::int64_t cores = std::max(1u, std::thread::hardware_concurrency());
    std::exception_ptr thrown;
    std::mutex mutex;
    const auto guarded = [&] {
        try {
            thread(claims);
        } catch (...) {
            claims.end();
            const std::lock_guard lock(mutex);
            if (!thrown) thrown = std::current_exception();
        }
    };
    {
        std::vector<std::jthread> others;
        for (std::int64_t i = 1; i < std::min(cores, claims.count()); ++i) others.emplace_back(guarded);
        guarded();
    }
    if (thrown) std::rethrow_exception(thrown);
}

}  // namespace kernelgen
