// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "core/base/result.h"
#include "core/host/thread_pool.h"

namespace kernelgen {

/// Private pages of this process, zeroed, huge where the system allows it. `pool` touches them first, so that each page
/// is near the thread that uses it.
class HugeBuffer {
public:
    /// The data begins `stagger` bytes after the start of the pages, so that several buffers begin at different places
    /// in a page.
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

/// A buffer with unreadable pages directly after its last byte, or directly before its first byte.
class GuardedBuffer {
public:
    enum class Edge { end, start };

    /// The data begins at a multiple of `alignment`. So with `Edge::end` there may be up to alignment − 1 bytes between
    /// the data and the unreadable pages.
    static Result<GuardedBuffer> allocate(std::size_t bytes, Edge edge, std::size_t alignment);
    GuardedBuffer(GuardedBuffer&& other) noexcept;
    GuardedBuffer& operator=(GuardedBuffer&& other) noexcept;
    ~GuardedBuffer();

    std::byte* data() const { return data_; }
    std::size_t size() const { return bytes_; }
    std::byte* mapping() const { return mapping_; }  ///< start of the mapping, unreadable pages included
    std::size_t mapped() const { return mapped_; }

private:
    GuardedBuffer() = default;
    std::byte* mapping_ = nullptr;
    std::size_t mapped_ = 0;
    std::byte* data_ = nullptr;
    std::size_t bytes_ = 0;
};

/// Writes back and drops all cache lines of these bytes, on all cores of the system. Call `cache_fence` afterwards.
void flush_lines(const std::byte* data, std::size_t bytes);
void cache_fence();

}  // namespace kernelgen
