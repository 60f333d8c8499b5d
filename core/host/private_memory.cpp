// SPDX-License-Identifier: Apache-2.0
#include "core/host/private_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>

#if defined(__x86_64__)
#include <cpuid.h>
#include <emmintrin.h>
#endif

#include "core/base/text.h"

namespace kernelgen {
namespace {

constexpr std::size_t huge_page = 2 << 20;
constexpr std::size_t cache_line = 64;
constexpr std::size_t guard_reach = 16 << 20;  // unreadable address space at the edge: a whole row too far is found too

std::size_t round_up(std::size_t value, std::size_t step) { return (value + step - 1) / step * step; }

Error no_memory(std::size_t bytes) {
    return {say("cannot have {} of memory: {}", with_si_prefix(static_cast<double>(bytes), "B"), std::strerror(errno))};
}

#if defined(__x86_64__)
bool has_clflushopt() {
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b >> 23 & 1) != 0;
}
#endif

}  // namespace

Result<HugeBuffer> HugeBuffer::allocate(std::size_t bytes, std::size_t stagger, ThreadPool& pool) {
    HugeBuffer buffer;
    buffer.mapped_ = round_up(bytes + stagger, huge_page) + huge_page;
    void* mapping = ::mmap(nullptr, buffer.mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapping == MAP_FAILED) return std::unexpected(no_memory(bytes));
    ::madvise(mapping, buffer.mapped_, MADV_HUGEPAGE);
    buffer.mapping_ = mapping;
    buffer.data_ =
        reinterpret_cast<std::byte*>(round_up(reinterpret_cast<std::uintptr_t>(mapping), huge_page)) + stagger;
    buffer.bytes_ = bytes;
    const auto threads = static_cast<std::size_t>(pool.size());
    pool.run(pool.size(), [&](int index) {
        const std::size_t begin = bytes * static_cast<std::size_t>(index) / threads;
        const std::size_t end = bytes * (static_cast<std::size_t>(index) + 1) / threads;
        std::memset(buffer.data_ + begin, 0, end - begin);
    });
    return buffer;
}

HugeBuffer::HugeBuffer(HugeBuffer&& other) noexcept { *this = std::move(other); }

HugeBuffer& HugeBuffer::operator=(HugeBuffer&& other) noexcept {
    std::swap(mapping_, other.mapping_);
    std::swap(mapped_, other.mapped_);
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
}

HugeBuffer::~HugeBuffer() {
    if (mapping_ != nullptr) ::munmap(mapping_, mapped_);
}

Result<GuardedBuffer> GuardedBuffer::allocate(std::size_t bytes, Edge edge, std::size_t alignment) {
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const std::size_t readable = round_up(round_up(bytes, alignment), page);
    GuardedBuffer buffer;
    buffer.mapped_ = readable + 2 * guard_reach;
    void* mapping = ::mmap(nullptr, buffer.mapped_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping == MAP_FAILED) return std::unexpected(no_memory(bytes));
    buffer.mapping_ = static_cast<std::byte*>(mapping);
    std::byte* first = buffer.mapping_ + guard_reach;
    if (::mprotect(first, readable, PROT_READ | PROT_WRITE) != 0) return std::unexpected(no_memory(bytes));
    ::madvise(first, readable, MADV_HUGEPAGE);  // one fault in place of 512, where pages are large enough
    buffer.data_ = edge == Edge::start ? first : first + readable - round_up(bytes, alignment);
    buffer.bytes_ = bytes;
    return buffer;
}

GuardedBuffer::GuardedBuffer(GuardedBuffer&& other) noexcept { *this = std::move(other); }

GuardedBuffer& GuardedBuffer::operator=(GuardedBuffer&& other) noexcept {
    std::swap(mapping_, other.mapping_);
    std::swap(mapped_, other.mapped_);
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
}

GuardedBuffer::~GuardedBuffer() {
    if (mapping_ != nullptr) ::munmap(mapping_, mapped_);
}

void flush_lines(const std::byte* data, std::size_t bytes) {
    const auto begin = reinterpret_cast<std::uintptr_t>(data) / cache_line * cache_line;
    const auto end = reinterpret_cast<std::uintptr_t>(data) + bytes;
#if defined(__x86_64__)
    static const bool optimised = has_clflushopt();
    if (optimised) {
        for (std::uintptr_t line = begin; line < end; line += cache_line) {
            asm volatile("clflushopt (%0)" ::"r"(line) : "memory");
        }
    } else {
        for (std::uintptr_t line = begin; line < end; line += cache_line) _mm_clflush(reinterpret_cast<void*>(line));
    }
#elif defined(__aarch64__)
    for (std::uintptr_t line = begin; line < end; line += cache_line)
        asm volatile("dc civac, %0" ::"r"(line) : "memory");
#endif
}

void cache_fence() {
#if defined(__x86_64__)
    _mm_mfence();
#elif defined(__aarch64__)
    asm volatile("dsb sy" ::: "memory");
#endif
}

}  // namespace kernelgen
