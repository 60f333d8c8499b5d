// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/engine/worker_link.h"

namespace kernelgen::studio {

WorkerLink::WorkerLink(const std::vector<std::string>& command, const std::map<std::string, std::string>& environment) {
    if (!environment.empty()) command_.push_back("env");
    for (const auto& [name, value] : environment) command_.push_back(name + "=" + value);
    command_.insert(command_.end(), command.begin(), command.end());
}

Result<std::shared_ptr<WorkerClient>> WorkerLink::client() {
    const std::lock_guard lock(mutex_);
    if (client_ && client_->alive()) return client_;
    Result<std::unique_ptr<WorkerClient>> started = WorkerClient::start(command_);
    if (!started) return std::unexpected(started.error());
    client_ = std::move(*started);
    return client_;
}

}  // namespace kernelgen::studio
