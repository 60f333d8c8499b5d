// SPDX-License-Identifier: Apache-2.0
#include "core/backend/arena.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <format>
#include <string>
#include <utility>

#include "core/base/memory.h"
#include "core/base/text.h"
#include "core/base/verdict_sentences.h"

namespace kernelgen {
namespace {

std::string si_bytes(std::size_t bytes) { return with_si_prefix(static_cast<double>(bytes), "B"); }

/// Makes a file that cannot shrink at least so long.
bool lengthen(int descriptor, off_t bytes) {
    struct stat status{};
    return ::fstat(descriptor, &status) == 0 && (status.st_size >= bytes || ::ftruncate(descriptor, bytes) == 0);
}

std::size_t round_up(std::size_t value, std::size_t step) { return (value + step - 1) / step * step; }

}  // namespace

Result<Arena> Arena::create() {
    Arena arena;
    arena.descriptor_ = ::memfd_create("kernelgen-arena", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    // The seals keep the memory from being made smaller: a process that gets hold of the descriptor cannot take memory
    // away that the worker reads.
    if (arena.descriptor_ < 0 || ::fcntl(arena.descriptor_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL) != 0)
        return fail(say("cannot make shared memory: {}", std::strerror(errno)));
    return arena;
}

Arena::Arena(Arena&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      mapped_(std::exchange(other.mapped_, 0)) {}

Arena& Arena::operator=(Arena&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(mapped_, other.mapped_);
    return *this;
}

Arena::~Arena() {
    if (data_ != nullptr) ::munmap(data_, mapped_);
    if (descriptor_ >= 0) ::close(descriptor_);
}

Result<void> Arena::grow(std::size_t bytes, std::size_t beside) {
    const std::size_t wanted = std::max(size_, round_up(bytes, 1 << 20));
    const std::size_t available = available_memory();
    if (available != 0 && (wanted - size_ > available || beside > available - (wanted - size_))) {
        return fail(say(sentences::too_little_memory, si_bytes(wanted - size_ + beside), si_bytes(available)));
    }
    if (wanted <= mapped_) {
        size_ = wanted;
        return {};
    }
    const std::string asked = si_bytes(wanted);
    if (!lengthen(descriptor_, static_cast<off_t>(wanted))) {
        return fail(say("cannot have {} of shared memory: {}", asked, std::strerror(errno)));
    }
    void* mapped = data_ == nullptr ? ::mmap(nullptr, wanted, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0)
                                    : ::mremap(data_, mapped_, wanted, MREMAP_MAYMOVE);
    if (mapped == MAP_FAILED) return fail(say("cannot map {} of shared memory: {}", asked, std::strerror(errno)));
    data_ = static_cast<std::byte*>(mapped);
    size_ = mapped_ = wanted;
    return {};
}

void Arena::clear() {
    size_ = 0;
    if (mapped_ == 0) return;
    [[maybe_unused]] const int emptied =
        ::fallocate(descriptor_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(mapped_));
}

Layout lay_out(std::span<const std::size_t> input_bytes, std::span<const std::size_t> output_bytes,
               std::span<const std::size_t> workspace_bytes) {
    constexpr std::size_t alignment = 256;
    // More than any machine has. Tensors below 2^63 bytes add up beyond 2^64.
    constexpr std::size_t too_much = std::size_t{1} << 62;
    Layout layout;
    std::size_t end = 0;
    const auto place = [&](std::span<const std::size_t> sizes, std::vector<Region>& regions) {
        for (const std::size_t bytes : sizes) {
            regions.push_back({round_up(end + guard_bytes, alignment), bytes});
            end = std::min(regions.back().offset + bytes + guard_bytes, too_much);
        }
    };
    place(input_bytes, layout.inputs);
    place(output_bytes, layout.outputs);
    place(workspace_bytes, layout.workspace);
    layout.total = round_up(end, alignment);
    return layout;
}

}  // namespace kernelgen
