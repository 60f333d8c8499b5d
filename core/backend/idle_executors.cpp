// SPDX-License-Identifier: Apache-2.0
#include "core/backend/idle_executors.h"

#include <algorithm>
#include <chrono>
#include <iterator>

namespace kernelgen {
namespace {

constexpr double clear_limit_seconds = 10;
constexpr auto patience = std::chrono::milliseconds(20);  ///< until it is asked whether to stop waiting

}  // namespace

bool IdleExecutors::serves(const Idle& idle, const std::string& device, const ExecutorUse& use) {
    const auto is_known = [&](const std::string& code) { return std::ranges::contains(use.code, code); };
    return idle.device == device && idle.use.kind == use.kind && std::ranges::all_of(idle.use.code, is_known);
}

std::unique_ptr<Executor> IdleExecutors::take_idle(Home& home, const std::string& device, const ExecutorUse& use) {
    const std::lock_guard lock(home.mutex);
    const auto found = std::ranges::find_if(home.idle, [&](const Idle& each) { return serves(each, device, use); });
    if (found == home.idle.end()) return nullptr;
    std::unique_ptr<Executor> executor = std::move(found->executor);
    home.idle.erase(found);
    return executor;
}

std::optional<IdleExecutors::Started> IdleExecutors::take_starting(Home& home, const std::string& device,
                                                                   ExecutorKind kind) {
    const std::lock_guard lock(home.mutex);
    const auto found = std::ranges::find_if(
        home.starting, [&](const Starting& each) { return each.device == device && each.kind == kind; });
    if (found == home.starting.end()) return std::nullopt;
    Started started = std::move(found->executor);
    home.starting.erase(found);
    return started;
}

/// Null where it did not start, or where `stop` was requested: then the next one may have it.
std::unique_ptr<Executor> IdleExecutors::wait_for(Started started, const std::string& device, ExecutorKind kind,
                                                  const std::stop_token& stop) {
    while (started.wait_for(patience) != std::future_status::ready) {
        if (!stop.stop_requested()) continue;
        const std::lock_guard lock(home_->mutex);
        home_->starting.push_back({device, kind, std::move(started)});
        return nullptr;
    }
    Result<std::unique_ptr<Executor>> executor = started.get();
    return executor ? std::move(*executor) : nullptr;
}

void IdleExecutors::expect(const std::string& device, const std::vector<ExecutorUse>& uses, const Start& start) {
    const std::lock_guard lock(home_->mutex);
    std::vector<const Idle*> spoken_for;
    std::vector<ExecutorKind> missing;
    for (const ExecutorUse& use : uses) {
        const auto is_free = [&](const Idle& each) {
            return serves(each, device, use) && !std::ranges::contains(spoken_for, &each);
        };
        const auto found = std::ranges::find_if(home_->idle, is_free);
        if (found != home_->idle.end()) spoken_for.push_back(&*found);
        else missing.push_back(use.kind);
    }
    for (const Starting& each : home_->starting) {
        const auto same = std::ranges::find(missing, each.kind);
        if (each.device == device && same != missing.end()) missing.erase(same);
    }
    for (const ExecutorKind kind : missing) {
        home_->starting.push_back({device, kind, std::async(std::launch::async, start, home_->ending.get_token())});
    }
}

void IdleExecutors::end_idle(const std::string& device) {
    std::vector<Starting> ended;
    {
        const std::lock_guard lock(home_->mutex);
        const auto others =
            std::ranges::stable_partition(home_->starting, [&](const Starting& each) { return each.device != device; });
        std::ranges::move(others, std::back_inserter(ended));
        home_->starting.erase(others.begin(), others.end());
    }
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
                                                      const Start& start, std::stop_token stop) {
    std::unique_ptr<Executor> executor = take_idle(*home_, device, use);
    if (!executor || !executor->alive()) {
        std::optional<Started> starting = take_starting(*home_, device, use.kind);
        executor = starting ? wait_for(std::move(*starting), device, use.kind, stop) : nullptr;
    }
    if (!executor || !executor->alive()) {
        Result<std::unique_ptr<Executor>> started = start(stop);
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
