// SPDX-License-Identifier: Apache-2.0
#include "core/backend/executor_service.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <csignal>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "core/base/line_channel.h"

namespace kernelgen {

using nlohmann::json;

namespace {

constexpr int arena_descriptor = 4;

}  // namespace

std::byte* SharedArena::data(std::size_t bytes) {
    struct stat status{};
    ::fstat(arena_descriptor, &status);
    const auto size = static_cast<std::size_t>(status.st_size);
    if (size != size_) {
        unmap();
        void* mapped = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, arena_descriptor, 0);
        if (mapped == MAP_FAILED) throw std::runtime_error("the arena cannot be mapped");
        data_ = static_cast<std::byte*>(mapped);
        size_ = size;
    }
    if (bytes > size_) throw std::runtime_error("the arena is smaller than the layout");
    return data_;
}

CallBuffers SharedArena::buffers(const Layout& layout) {
    std::byte* base = data(layout.total);
    CallBuffers buffers;
    for (const Region& region : layout.inputs) buffers.inputs.push_back(base + region.offset);
    for (const Region& region : layout.outputs) buffers.outputs.push_back(base + region.offset);
    for (const Region& region : layout.workspace) buffers.workspace.push_back(base + region.offset);
    return buffers;
}

void SharedArena::unmap() {
    if (data_ != nullptr) ::munmap(data_, size_);
    data_ = nullptr;
    size_ = 0;
}

json reply_of(const Outcome& outcome) { return {{"status", to_string(outcome.status)}, {"reason", outcome.reason}}; }
json reply_of(Status status, const std::string& reason) { return reply_of(Outcome{status, reason}); }

int serve_executor(const std::string& name, const std::function<json(const json&)>& handle) {
    std::signal(SIGPIPE, SIG_IGN);
    LineChannel channel(executor_protocol_descriptor, executor_protocol_descriptor);
    channel.write({{"event", "hello"}, {"protocol", 1}, {"executor", name}});
    while (const auto line = channel.read_line()) {
        json reply;
        try {
            reply = handle(json::parse(*line));
        } catch (const std::exception& error) {
            reply = reply_of(Status::crashed, std::string("the executor cannot do this: ") + error.what());
        }
        if (!channel.write(reply)) break;
    }
    return 0;
}

}  // namespace kernelgen
