// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "core/base/result.h"
#include "core/host/thread_pool.h"

namespace kernelgen {

/// Pages of this process alone, in huge ones where the system gives them; zeroed, and touched by `pool` so that each
/// page lies near the thread that uses it.
class HugeBuffer {
public:
    /// `stagger` bytes lie before the data, so that several buffers do not begin at the same place in a page.
    static Result<HugeBuffer> allocate(std::size_t bytes, std::size_t stagger, ThreadPool& pool);
    HugeBuffer(HugeBuffer&& other) noexcept;
    HugeBuffer& operator=(HugeBuffer&& other) noexcept;
    ~HugeBuffer();

    std::byte* data() const { return data_; }
    std::size_t size() const { return bytes_; }

private:
    HugeBuffer() = default;
    void* mapping_ = nullptr;
    std::size_t mapped_ = 0;
    std::byte* data_ = nullptr;
    std::size_t bytes_ = 0;
};

/// A buffer whose last byte (or first) is followed (preceded) by unreadable pages.
class GuardedBuffer {
public:
    enum class Edge { end, start };

    /// The data begins at a multiple of `alignment`, so with `Edge::end` up to alignment − 1 bytes lie behind it.
    static Result<GuardedBuffer> allocate(std::size_t bytes, Edge edge, std::size_t alignment);
    GuardedBuffer(GuardedBuffer&& other) noexcept;
    GuardedBuffer& operator=(GuardedBuffer&& other) noexcept;
    ~GuardedBuffer();

    std::byte* data() const { return data_; }
    std::size_t size() const { return bytes_; }
    std::byte* mapping() const { return mapping_; }  ///< with the unreadable pages
    std::size_t mapped() const { return mapped_; }

private:
    GuardedBuffer() = default;
    std::byte* mapping_ = nullptr;
    std::size_t mapped_ = 0;
    std::byte* data_ = nullptr;
    std::size_t bytes_ = 0;
};

/// Writes back and drops every cache line of these bytes, on all cores of the system. To be followed by `cache_fence`.
void flush_lines(const std::byte* data, std::size_t bytes);
void cache_fence();

}  // namespace kernelgen
