// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/backend/backend.h"

namespace kernelgen {

/// Keeps executors for reuse, since importing PyTorch and making a GPU's context take long. An
/// executor whose user has dropped it, and that still works, waits for the next user: at most `most_idle` of each kind
/// for each device. Thread safe.
class IdleExecutors {
public:
    explicit IdleExecutors(std::ptrdiff_t most_idle = 3) { home_->most_idle = most_idle; }

    using Start = std::function<Result<std::unique_ptr<Executor>>()>;

    /// Returns an idle executor of this device and kind that has loaded no other code than `use` names, or else what
    /// `start` makes. The executor goes back when its last pointer is destroyed. Errors: those of `start`.
    Result<std::shared_ptr<Executor>> take(const std::string& device, const ExecutorUse& use, const Start& start);

    /// Ends the idle ones of a device, with the contexts that they have on it.
    void end_idle(const std::string& device);
    /// Ends the idle ones that are not in Python, of all devices.
    void end_native();
    /// Ends all idle ones but the `count` that were used last.
    void end_all_but(std::size_t count);

private:
    struct Idle {
        std::string device;
        ExecutorUse use;
        std::unique_ptr<Executor> executor;

        bool is_like(const Idle& other) const { return device == other.device && use.kind == other.use.kind; }
    };
    struct Home {
        std::ptrdiff_t most_idle = 0;
        std::mutex mutex;
        std::vector<Idle> idle;  ///< the one that has waited longest is the first
    };
    void end(const std::function<bool(const Idle&)>& is_meant);
    static std::unique_ptr<Executor> take_idle(Home& home, const std::string& device, const ExecutorUse& use);
    static void give_back(Home& home, Idle used);

    std::shared_ptr<Home> home_ = std::make_shared<Home>();
};

}  // namespace kernelgen
