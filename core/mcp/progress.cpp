// SPDX-License-Identifier: Apache-2.0
#include "core/mcp/progress.h"

#include <algorithm>
#include <string>

#include "core/mcp/json_rpc.h"

namespace kernelgen::mcp {

namespace {

constexpr std::chrono::milliseconds shortest_interval{200};
constexpr double least_step = 1e-6;  // the protocol asks for values that grow

}  // namespace

void ProgressReport::tell(std::string_view message, double done, double total) {
    const auto now = std::chrono::steady_clock::now();
    const std::lock_guard lock(mutex_);
    if (ended_ || token_.is_null() || now - last_ < shortest_interval) return;
    last_ = now;
    told_ = std::max(done, told_ + least_step);
    nlohmann::ordered_json params = {{"progressToken", token_}, {"progress", told_}};
    if (total > 0) params["total"] = std::max(total, told_);
    if (!message.empty()) params["message"] = std::string(message);
    send_(notification("notifications/progress", std::move(params)));
}

void ProgressReport::end() {
    const std::lock_guard lock(mutex_);
    ended_ = true;
}

}  // namespace kernelgen::mcp
