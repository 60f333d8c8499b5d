// SPDX-License-Identifier: Apache-2.0
#include "core/backend/idle_executors.h"

#include <algorithm>
#include <iterator>

namespace kernelgen {
namespace {

constexpr double clear_limit_seconds = 10;

}  // namespace

std::unique_ptr<Executor> IdleExecutors::take_idle(Home& home, const std::string& device, const ExecutorUse& use) {
    const auto serves = [&](const Idle& each) {
        const auto is_known = [&](const std::string& code) { return std::ranges::contains(use.code, code); };
        return each.device == device && each.use.kind == use.kind && std::ranges::all_of(each.use.code, is_known);
    };
    const std::lock_guard lock(home.mutex);
    const auto found = std::ranges::find_if(home.idle, serves);
    if (found == home.idle.end()) return nullptr;
    std::unique_ptr<Executor> executor = std::move(found->executor);
    home.idle.erase(found);
    return executor;
}

void IdleExecutors::end_idle(const std::string& device) {
    end([&](const Idle& each) { return each.device == device; });
}

void IdleExecutors::end_native() {
    end([](const Idle& each) { return each.use.kind == ExecutorKind::native; });
}

void IdleExecutors::end_all_but(std::size_t count) {
    std::vector<Idle> ended;  // after the lock is let go
    const std::lock_guard lock(home_->mutex);
    for (; home_->idle.size() > count; home_->idle.erase(home_->idle.begin()))
        ended.push_back(std::move(home_->idle.front()));
}

void IdleExecutors::end(const std::function<bool(const Idle&)>& is_meant) {
    std::vector<Idle> ended;  // after the lock is let go
    const std::lock_guard lock(home_->mutex);
    const auto meant = std::ranges::stable_partition(home_->idle, std::not_fn(is_meant));
    std::ranges::move(meant, std::back_inserter(ended));
    home_->idle.erase(meant.begin(), meant.end());
}

void IdleExecutors::give_back(Home& home, Idle used) {
    if (!used.executor->alive()) return;
    used.executor->set_limit(clear_limit_seconds, {});
    if (!used.executor->clear().ok()) return;
    Idle longest;  // ended after the lock is let go
    const std::lock_guard lock(home.mutex);
    const auto is_like = [&](const Idle& each) { return each.is_like(used); };
    if (std::ranges::count_if(home.idle, is_like) == home.most_idle) {
        const auto first = std::ranges::find_if(home.idle, is_like);
        longest = std::move(*first);
        home.idle.erase(first);
    }
    home.idle.push_back(std::move(used));
}

Result<std::shared_ptr<Executor>> IdleExecutors::take(const std::string& device, const ExecutorUse& use,
                                                      const Start& start) {
    std::unique_ptr<Executor> executor = take_idle(*home_, device, use);
    if (!executor || !executor->alive()) {
        Result<std::unique_ptr<Executor>> started = start();
        if (!started) return std::unexpected(started.error());
        executor = std::move(*started);
    }
    const auto let_go = [home = std::weak_ptr(home_), device, use](Executor* used) {
        std::unique_ptr<Executor> owned(used);
        if (const std::shared_ptr<Home> known = home.lock()) give_back(*known, {device, use, std::move(owned)});
    };
    return std::shared_ptr<Executor>(executor.release(), let_go);
}

}  // namespace kernelgen
