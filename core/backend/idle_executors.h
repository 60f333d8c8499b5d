// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
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

    using Start = std::function<Result<std::unique_ptr<Executor>>(std::stop_token)>;

    /// Returns an idle executor of this device and kind that has loaded no other code than `use` names, or else what
    /// `start` makes. The executor goes back when its last pointer is destroyed. Errors: those of `start`.
    Result<std::shared_ptr<Executor>> take(const std::string& device, const ExecutorUse& use, const Start& start,
                                           std::stop_token stop);

    /// All these uses will soon be taken: executors that are missing start in the background, side by side.
    void expect(const std::string& device, const std::vector<ExecutorUse>& uses, const Start& start);

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
    using Started = std::future<Result<std::unique_ptr<Executor>>>;
    struct Starting {
        std::string device;
        ExecutorKind kind;
        Started executor;
    };
    struct Home {
        ~Home() { ending.request_stop(); }

        std::ptrdiff_t most_idle = 0;
        std::mutex mutex;
        std::vector<Idle> idle;  ///< the one that has waited longest is the first
        std::vector<Starting> starting;
        std::stop_source ending;
    };
    static bool serves(const Idle& idle, const std::string& device, const ExecutorUse& use);
    static std::optional<Started> take_starting(Home& home, const std::string& device, ExecutorKind kind);
    std::unique_ptr<Executor> wait_for(Started started, const std::string& device, ExecutorKind kind,
                                       const std::stop_token& stop);
    void end(const std::function<bool(const Idle&)>& is_meant);
    static std::unique_ptr<Executor> take_idle(Home& home, const std::string& device, const ExecutorUse& use);
    static void give_back(Home& home, Idle used);

    std::shared_ptr<Home> home_ = std::make_shared<Home>();
};

}  // namespace kernelgen
