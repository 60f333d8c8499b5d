// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string_view>

namespace kernelgen::mcp {

/// Tells a client how far a call is: never less than before, at most five times a second, and nothing after `end`.
/// Thread safe.
class ProgressReport {
public:
    using Send = std::function<void(const nlohmann::ordered_json&)>;
    /// `token`: the client's, or null where it wants no reports.
    ProgressReport(nlohmann::json token, Send send) : token_(std::move(token)), send_(std::move(send)) {}

    void tell(std::string_view message, double done, double total);
    void end();

private:
    std::mutex mutex_;
    nlohmann::json token_;
    Send send_;
    double told_ = -1;
    bool ended_ = false;
    std::chrono::steady_clock::time_point last_{};
};

}  // namespace kernelgen::mcp
