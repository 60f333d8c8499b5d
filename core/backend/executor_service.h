// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/backend/arena.h"
#include "core/backend/executor.h"

namespace kernelgen {

/// The executor's side of its protocol (docs/EXECUTOR_PROTOCOL.md).

inline constexpr int executor_protocol_descriptor = 3;

/// Descriptor 4 as this process maps it.
class SharedArena {
public:
    SharedArena() = default;
    SharedArena(const SharedArena&) = delete;
    ~SharedArena() { unmap(); }

    /// Its first byte; mapped again where it has grown. Throws where it is smaller than `bytes` or cannot be mapped.
    std::byte* data(std::size_t bytes);
    std::size_t size() const { return size_; }  ///< bytes mapped
    /// Where a layout's buffers lie in it. Throws as `data`.
    CallBuffers buffers(const Layout& layout);

private:
    void unmap();
    std::byte* data_ = nullptr;
    std::size_t size_ = 0;
};

nlohmann::json reply_of(const Outcome& outcome);
nlohmann::json reply_of(Status status, const std::string& reason);

/// Greets as `name` and answers requests with `handle` until they end; what it throws becomes a reply of `crashed`.
int serve_executor(const std::string& name, const std::function<nlohmann::json(const nlohmann::json&)>& handle);

}  // namespace kernelgen
