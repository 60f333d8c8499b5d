// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/result.h"

namespace kernelgen {

/// Memory that a worker shares with one executor: an anonymous file, which the system frees when both have ended.
class Arena {
public:
    static Result<Arena> create();
    Arena(Arena&& other) noexcept;
    Arena& operator=(Arena&& other) noexcept;
    Arena(const Arena&) = delete;
    ~Arena();

    int descriptor() const { return descriptor_; }
    std::size_t size() const { return size_; }
    std::byte* data() const { return data_; }

    /// Grows the arena to at least `bytes`; pointers into it are invalid afterwards. No process can shrink it. Errors:
    /// too little memory is free for these bytes and the `beside` bytes that the executor will need for itself.
    Result<void> grow(std::size_t bytes, std::size_t beside = 0);
    /// Gives all of its memory back to the system.
    void clear();

private:
    Arena() = default;
    int descriptor_ = -1;
    std::byte* data_ = nullptr;
    std::size_t size_ = 0;
    std::size_t mapped_ = 0;  ///< the file's length, which never shrinks
};

/// One buffer in an arena. Its guards are the `guard_bytes` before `offset` and the `guard_bytes` from `offset + bytes`
/// on: the second guard begins directly after the last element.
struct Region {
    std::size_t offset = 0;  ///< a multiple of 256
    std::size_t bytes = 0;
};

inline constexpr std::size_t guard_bytes = 4096;

/// Positions of a call's buffers in the arena, each between its guards.
struct Layout {
    std::vector<Region> inputs, outputs, workspace;
    std::size_t total = 0;  ///< bytes of the arena that all buffers and guards need
};

Layout lay_out(std::span<const std::size_t> input_bytes, std::span<const std::size_t> output_bytes,
               std::span<const std::size_t> workspace_bytes);

}  // namespace kernelgen
