// SPDX-License-Identifier: Apache-2.0
#include "core/backend/mailbox.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <ctime>
#include <new>
#include <string>
#include <utility>

#include "core/backend/executor_protocol.h"

namespace kernelgen {
namespace {

using Position = std::atomic<std::uint32_t>;
static_assert(Position::is_always_lock_free && sizeof(Position) == sizeof(std::uint32_t), "a futex is one word");

void wake(Position& position) noexcept {
    const int before = errno;  // of what a signal handler has interrupted
    ::syscall(SYS_futex, &position, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
    errno = before;
}

/// Returns at once where `position` is not `seen` any more.
void wait_for_change(const Position& position, std::uint32_t seen, std::chrono::milliseconds limit) noexcept {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(limit);
    const std::chrono::nanoseconds rest = limit - seconds;
    const timespec timeout{seconds.count(), rest.count()};
    ::syscall(SYS_futex, &position, FUTEX_WAIT, seen, &timeout, nullptr, 0);
}

/// Calls `copy(offset in the ring, offset in the bytes, count)` for the part before the ring's end and the one after.
template <class Copy>
void in_two_parts(std::uint32_t position, std::size_t count, Copy copy) noexcept {
    const std::size_t offset = position % MailboxRing::capacity;
    const std::size_t first = std::min(count, MailboxRing::capacity - offset);
    copy(offset, 0, first);
    copy(0, first, count - first);
}

}  // namespace

std::optional<std::size_t> RingWriter::put(std::string_view bytes) noexcept {
    taken_ = ring_->taken.load(std::memory_order_acquire);
    const std::uint32_t waiting = written_ - taken_;
    if (waiting > MailboxRing::capacity) return std::nullopt;
    const std::size_t count = std::min<std::size_t>(bytes.size(), MailboxRing::capacity - waiting);
    if (count == 0) return 0;
    in_two_parts(written_, count, [&](std::size_t offset, std::size_t from, std::size_t part) {
        std::memcpy(ring_->bytes.data() + offset, bytes.data() + from, part);
    });
    written_ += static_cast<std::uint32_t>(count);
    ring_->written.store(written_, std::memory_order_release);
    wake(ring_->written);
    return count;
}

void RingWriter::wait(std::chrono::milliseconds limit) const noexcept {
    if (written_ - taken_ == MailboxRing::capacity) wait_for_change(ring_->taken, taken_, limit);
}

std::optional<std::size_t> RingReader::take(std::span<char> into) noexcept {
    written_ = ring_->written.load(std::memory_order_acquire);
    const std::uint32_t waiting = written_ - taken_;
    if (waiting > MailboxRing::capacity) return std::nullopt;
    const std::size_t count = std::min<std::size_t>(into.size(), waiting);
    if (count == 0) return 0;
    in_two_parts(taken_, count, [&](std::size_t offset, std::size_t to, std::size_t part) {
        std::memcpy(into.data() + to, ring_->bytes.data() + offset, part);
    });
    taken_ += static_cast<std::uint32_t>(count);
    ring_->taken.store(taken_, std::memory_order_release);
    wake(ring_->taken);
    return count;
}

void RingReader::wait(std::chrono::milliseconds limit) const noexcept {
    if (written_ == taken_) wait_for_change(ring_->written, written_, limit);
}

Result<Mailbox> Mailbox::create() {
    Mailbox made;
    made.descriptor_ = ::memfd_create("kernelgen-mailbox", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    const auto refused = [] { return fail(say("cannot make a mailbox: {}", std::strerror(errno))); };
    // Its size is sealed: nobody who has the descriptor can take the memory away from under the other side.
    if (made.descriptor_ < 0 || ::ftruncate(made.descriptor_, sizeof(MailboxMemory)) != 0 ||
        ::fcntl(made.descriptor_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
        return refused();
    }
    void* mapped = ::mmap(nullptr, sizeof(MailboxMemory), PROT_READ | PROT_WRITE, MAP_SHARED, made.descriptor_, 0);
    if (mapped == MAP_FAILED) return refused();
    made.memory_ = ::new (mapped) MailboxMemory;  // all positions are 0, as a new file is
    made.memory_->magic = MailboxMemory::expected_magic;
    made.memory_->version = executor_protocol_version;
    return made;
}

Result<Mailbox> Mailbox::open(int descriptor) {
    std::uint32_t beginning[2];  // before the layout of this version is relied on
    if (::pread(descriptor, beginning, sizeof beginning, 0) != sizeof beginning ||
        beginning[0] != MailboxMemory::expected_magic) {
        return fail("there is no mailbox at descriptor " + std::to_string(descriptor) +
                    ": `kernelgen worker` starts executors");
    }
    if (beginning[1] != executor_protocol_version)
        return fail(other_protocol("the worker", std::to_string(beginning[1])));
    struct stat status{};
    if (::fstat(descriptor, &status) != 0 || status.st_size != sizeof(MailboxMemory))
        return fail("the mailbox has another size");
    void* mapped = ::mmap(nullptr, sizeof(MailboxMemory), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (mapped == MAP_FAILED) return fail(std::string("the mailbox cannot be mapped: ") + std::strerror(errno));
    Mailbox opened;
    opened.memory_ = static_cast<MailboxMemory*>(mapped);
    ::madvise(mapped, sizeof(MailboxMemory), MADV_DONTFORK);
    return opened;
}

Mailbox::Mailbox(Mailbox&& other) noexcept
    : memory_(std::exchange(other.memory_, nullptr)), descriptor_(std::exchange(other.descriptor_, -1)) {}

Mailbox::~Mailbox() {
    if (memory_ != nullptr) ::munmap(memory_, sizeof(MailboxMemory));
    close_descriptor();
}

void Mailbox::close_descriptor() {
    if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

void Mailbox::set_hidden(bool hidden) noexcept {
    ::mprotect(memory_, sizeof(MailboxMemory), hidden ? PROT_NONE : PROT_READ | PROT_WRITE);
}

}  // namespace kernelgen
